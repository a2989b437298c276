"""The works that measures refer to, by key."""

from __future__ import annotations

__all__ = ["BIBLIOGRAPHY"]

BIBLIOGRAPHY = {
    "buckley2000": (
        "C. Buckley and E. M. Voorhees. Evaluating evaluation measure stability. SIGIR 2000, 33-40. "
        "doi:10.1145/345508.345543"
    ),
    "buckley2004bpref": (
        "C. Buckley and E. M. Voorhees. Retrieval evaluation with incomplete information. SIGIR 2004, 25-32. "
        "doi:10.1145/1008992.1009000"
    ),
    "buckley2005trec": (
        "C. Buckley and E. M. Voorhees. Retrieval system evaluation. "
        "In E. M. Voorhees and D. K. Harman (eds.), "
        "TREC: Experiment and Evaluation in Information Retrieval. MIT Press, 2005."
    ),
    "corsi2024rbo": (
        "M. Corsi and J. Urbano. The treatment of ties in rank-biased overlap. SIGIR 2024. arXiv:2406.07121. "
        "It completes W. Webber, A. Moffat and J. Zobel. A similarity measure for indefinite rankings. "
        "ACM Transactions on Information Systems 28(4), 2010, 20:1-20:38. doi:10.1145/1852102.1852106"
    ),
    "cureton1959phi": "E. E. Cureton. Note on phi/phi max. Psychometrika 24, 1959.",
    "diaconis1977footrule": (
        "P. Diaconis and R. L. Graham. Spearman's footrule as a measure of disarray. "
        "Journal of the Royal Statistical Society B 39(2), 1977, 262-268."
    ),
    "fawcett2006roc": (
        "T. Fawcett. An introduction to ROC analysis. Pattern Recognition Letters 27(8), 2006, 861-874. "
        "doi:10.1016/j.patrec.2005.10.010"
    ),
    "goodman1954association": (
        "L. A. Goodman and W. H. Kruskal. Measures of association for cross classifications. "
        "Journal of the American Statistical Association 49(268), 1954, 732-764."
    ),
    "hanley1982auc": (
        "J. A. Hanley and B. J. McNeil. The meaning and use of the area under a receiver operating "
        "characteristic (ROC) curve. Radiology 143(1), 1982, 29-36. doi:10.1148/radiology.143.1.7063747"
    ),
    "hayes2004": (
        "J. H. Hayes, A. Dekhtyar, S. K. Sundaram and S. Howard. Helping analysts trace requirements: "
        "an objective look. IEEE International Requirements Engineering Conference (RE), 2004."
    ),
    "huang2005ordering": "J. Huang and C. X. Ling. Rank measures for ordering. PKDD 2005.",
    "ivanescu2011classi": (
        "A. M. Ivanescu, M. Wichterich and T. Seidl. ClasSi: Measuring ranking quality in the presence of "
        "object classes with similarity information. In New Frontiers in Applied Data Mining, PAKDD 2011 "
        "International Workshops. See also A. M. Ivanescu, M. Wichterich, C. Beecks and T. Seidl. The ClasSi "
        "coefficient for the evaluation of ranking quality in the presence of class similarities. Frontiers "
        "of Computer Science 6(5), 2012, 568-580. doi:10.1007/s11704-012-1175-2"
    ),
    "jarvelin2002ndcg": (
        "K. Järvelin and J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. "
        "ACM Transactions on Information Systems 20(4), 2002, 422-446. doi:10.1145/582415.582418"
    ),
    "katerenchuk2016rankdcg": (
        "D. Katerenchuk and A. Rosenberg. RankDCG: rank-ordering evaluation measure. LREC 2016, 3675-3680. "
        "arXiv:1803.00719"
    ),
    "kendall1945ties": (
        "M. G. Kendall. The treatment of ties in ranking problems. Biometrika 33(3), 1945, 239-251."
    ),
    "michel2000similarity": (
        "C. Michel. Cardinal, nominal or ordinal similarity measures in comparative evaluation of "
        "information retrieval process. LREC 2000. https://archivesic.ccsd.cnrs.fr/sic_00000335v1"
    ),
    "moffat2008rbp": (
        "A. Moffat and J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. "
        "ACM Transactions on Information Systems 27(1), 2008, 2:1-2:27. doi:10.1145/1416950.1416952"
    ),
    "sakai2007": "T. Sakai. Alternatives to bpref. SIGIR 2007, 71-78. doi:10.1145/1277741.1277756",
    "somers1962association": (
        "R. H. Somers. A new asymmetric measure of association for ordinal variables. "
        "American Sociological Review 27(6), 1962, 799-811."
    ),
    "spearman1904association": (
        "C. Spearman. The proof and measurement of association between two things. "
        "American Journal of Psychology 15(1), 1904, 72-101."
    ),
    "tague1995information": (
        "J. Tague-Sutcliffe. Measuring Information: An Information Services Perspective. "
        "Academic Press, 1995."
    ),
    "vanrijsbergen1979": "C. J. van Rijsbergen. Information Retrieval, 2nd edition. Butterworths, 1979.",
    "voorhees1999rr": "E. M. Voorhees. The TREC-8 question answering track report. TREC 1999, 77-82.",
    "yule1912phi": (
        "G. U. Yule. On the methods of measuring association between two attributes. "
        "Journal of the Royal Statistical Society 75(6), 1912, 579-652. doi:10.2307/2340126"
    ),
}

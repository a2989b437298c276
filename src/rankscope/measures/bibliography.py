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
    "jarvelin2002ndcg": (
        "K. Järvelin and J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. "
        "ACM Transactions on Information Systems 20(4), 2002, 422-446. doi:10.1145/582415.582418"
    ),
    "moffat2008rbp": (
        "A. Moffat and J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. "
        "ACM Transactions on Information Systems 27(1), 2008, 2:1-2:27. doi:10.1145/1416950.1416952"
    ),
    "sakai2007": "T. Sakai. Alternatives to bpref. SIGIR 2007, 71-78. doi:10.1145/1277741.1277756",
    "vanrijsbergen1979": "C. J. van Rijsbergen. Information Retrieval, 2nd edition. Butterworths, 1979.",
    "voorhees1999rr": "E. M. Voorhees. The TREC-8 question answering track report. TREC 1999, 77-82.",
}

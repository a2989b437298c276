"""Measures whose truth is another answer: another run, ranking or set."""

UNORDERED = (
    "SizeRatio",
    "SizeShare",
    "Jaccard",
    "Dice",
    "Cosine",
    "Overlap",
    "AnswerRecall",
    "AnswerPrecision",
)
"""Those that take answers as sets; all others compare their order."""

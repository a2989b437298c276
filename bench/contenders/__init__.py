"""One small program per contender, which prints its values and its seconds as JSON.

    python -m contenders.NAME KIND QRELS RUN

KIND says what is evaluated: ``files``, where the whole process is timed from outside; ``reading``, the same
files with only the calls timed; or ``dict``, ``pandas``, ``polars`` and ``arrow``, where the rows of two
Parquet files are put in memory first and only the calls are timed.
"""

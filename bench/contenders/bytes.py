"""The least that any reader must do: read the bytes and count the newlines."""

from __future__ import annotations

import numpy as np

from contenders.common import Values, main

BLOCK = 1 << 20


def count_newlines(judgments: str, run: str) -> Values:
    """NumPy over one buffer: three times as fast as `bytes.count`, so the harder one to keep up with."""
    buffer = bytearray(BLOCK)
    block, is_newline = np.frombuffer(buffer, np.uint8), np.empty(BLOCK, np.bool_)
    lines = 0
    with open(run, "rb", buffering=0) as file:
        while size := file.readinto(buffer):
            lines += np.count_nonzero(np.equal(block[:size], ord("\n"), out=is_newline[:size]))
    return {}


if __name__ == "__main__":
    main({"reading": count_newlines})

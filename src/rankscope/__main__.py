"""``python -m rankscope`` is the command `rankscope`."""

from __future__ import annotations

from rankscope.cli import main

if __name__ == "__main__":
    main()

"""Runs tablemarker with a simulated board's clock in the place of the machine's: both then live at one speed, however busy it is.

python by_board_time.py CLOCK ARGUMENT…
"""

from __future__ import annotations

import mmap
import sys
import time
from pathlib import Path


def main() -> None:
    """Put the clock in before anything of ours is imported; what waits for real seconds looks at it again afterwards."""
    with Path(sys.argv[1]).open("rb") as file:
        shown = memoryview(mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ)).cast("Q")
    time.monotonic_ns = lambda: shown[0]
    time.monotonic = lambda: shown[0] / 1e9
    from controller.__main__ import main as tablemarker  # noqa: PLC0415 - after the clock

    sys.argv = ["tablemarker", *sys.argv[2:]]
    tablemarker()


if __name__ == "__main__":
    main()

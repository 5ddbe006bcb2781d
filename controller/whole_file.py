"""Files that people name in a table file, read whole."""

from __future__ import annotations

import errno
import os
from pathlib import Path

LARGEST = 1024 * 1024
"""Bytes: a hundred times the longest of the examples. A device or a film that is named by mistake would fill the memory."""


def read_whole(path: Path) -> bytes:
    """All of a file. Raises `OSError`, also where it is larger than any that we could mean."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, f"{os.strerror(errno.EFBIG)}, more than {LARGEST} bytes", str(path))
    return data

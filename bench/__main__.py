"""`python -m bench [NAME…]`: every measurement beside its reference, in one run. Exits 1 if a figure falls behind its target."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PARTS = ("marker", "detectors", "bells", "rules", "replay", "link", "firmware", "mqtt", "mutation")
"""The files of this folder that measure something."""


def main() -> int:
    """Run the parts one after the other: what measures alone measures best."""
    failed = []
    for part in sys.argv[1:] or PARTS:
        print(f"\n== {part}", flush=True)
        if subprocess.run([sys.executable, HERE / f"{part}.py"], check=False).returncode:
            failed.append(part)
    if failed:
        print(f"\nBehind: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

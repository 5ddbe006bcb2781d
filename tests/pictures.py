"""Takes every picture of the documentation anew: `make pictures`. Look at them before you keep them."""

from __future__ import annotations

import sys
from pathlib import Path

from tests import browser_kit, console_kit, history_kit, sensors_kit

FOLDER = Path("docs/images")


def take_pictures(folder: Path) -> None:
    """All of them; those that move are taken of tables that run, in about a minute."""
    for kit in (browser_kit, console_kit, sensors_kit, history_kit):
        kit.take_pictures(folder)


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)

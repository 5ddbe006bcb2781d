"""The files that come with the program: example table files, rule books, the pages of the scoreboard.

In a checkout they lie at the top, where people edit them; a wheel carries them inside the package.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from controller.rules.errors import nearest

Kind = Literal["config", "seeds", "static"]

_PACKAGE = Path(__file__).resolve().parent


class ResourceMissing(Exception):
    """A file that should have come with the program isn't there; the message says which, and the remedy."""


def folder(kind: Kind, package: Path = _PACKAGE) -> Path:
    """Where the files of this kind are. Raises `ResourceMissing`."""
    places = [package / "web" / "static"] if kind == "static" else [package / "_data" / kind, package.parent / kind]
    for place in places:
        if place.is_dir():
            return place
    raise ResourceMissing(f"the folder {kind} is missing; looked for {' and '.join(map(str, places))}: install tablemarker again")


def resource(kind: Kind, name: str, package: Path = _PACKAGE) -> Path:
    """One of them. Raises `ResourceMissing` with the nearest right name."""
    place = folder(kind, package)
    path = place / name
    if not path.is_file():
        there = sorted(file.name for file in place.iterdir() if file.is_file())
        raise ResourceMissing(f"there is no {name} in {place}; {nearest(name, there)}")
    return path

"""The file of tags: which code is on which card or ball.

Either each line names its card (`QH 96385074`), or none does: then the lines are the pack in order, as a reader gave them. Empty
lines and what follows a `#` are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from controller.rules.errors import nearest
from controller.tablefile.faults import Fault, TableFileErrors
from controller.tablefile.raw import Data, get, items
from controller.tablefile.values import read_path, show
from controller.tables.roles import names_read
from controller.whole_file import read_whole
from hardware.detectors.codes import Codes, Form, Wrong, line_reader

Line = tuple[int, str, str]
"""Number, name or nothing, and code as it is written."""

NUMBERS = ("ean8", "rdm6300", "uid")
"""Forms of codes that are no names."""

Read = Callable[[str], Codes | Wrong]

Tags = dict[str, str]
"""By code, in capitals and without what checks it: the name of what it is on."""

_WRONG = {
    "not whole": "is no whole code of the form that the table file names",
    "wrong check": "has a wrong check digit: read or type it again",
}


def own_names(names: Sequence[str]) -> Tags:
    """What cards have that bear their own names; a ten may be a T."""
    tens = {f"T{name[2:]}": name for name in names if name.startswith("10")}
    return {name.upper(): name for name in names} | tens


def load_tags(path: Path, form: Form, names: Sequence[str]) -> Tags:
    """The tags of a file; `names` are all that must have one, in order. Raises `TableFileErrors` with all that is wrong."""
    try:
        text = read_whole(path).decode("utf-8-sig")
    except OSError as error:
        raise TableFileErrors([_fault(path, 1, f"can't be read: {error.strerror}")]) from None
    except UnicodeDecodeError:
        raise TableFileErrors([_fault(path, 1, "is not UTF-8: save it as plain text")]) from None
    read = line_reader(form)
    lines = list(_lines(text, names, read))
    named = [line for line in lines if line[1]]
    if named and len(named) != len(lines):
        bare = next(line for line in lines if not line[1])
        raise TableFileErrors(
            [_fault(path, bare[0], "names nothing, other lines do: name all, or none and keep the pack's order")]
        )
    if not named:
        lines = _in_order(path, lines, names)
    return _tags(path, lines, names, read)


def check_tags(data: Data, folder: Path) -> Iterator[Fault]:
    """What is wrong with the files of tags that a table file names, as far as it says how they are written."""
    game = get(data, "table", "game")
    for _, sensor in items(data, "sensor"):
        code, tags = sensor.get("code"), sensor.get("tags")
        if sensor.get("kind") == "reader" and code in NUMBERS and isinstance(tags, str) and isinstance(game, str):
            try:
                load_tags(read_path(tags, folder), code, names_read(game))
            except TableFileErrors as errors:
                yield from errors.faults


def _lines(text: str, names: Sequence[str], read: Read) -> Iterator[Line]:
    known = {name.upper(): name for name in names}
    for number, raw in _frames(text):
        written = raw.partition("#")[0].strip(" \t\x02")
        first, _, rest = written.partition(" ")
        # Bytes of a tag may have blanks between them, and AD is a byte as well as a card.
        if rest and isinstance(read(written), str):
            yield number, known.get(first.upper(), first), rest.strip(" =")
        elif written:
            yield number, "", written


def _frames(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers. A reader may end them with CR alone, or not at all but for its frames."""
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        for frame in line.split("\x03"):
            yield number, frame


def _in_order(path: Path, lines: list[Line], names: Sequence[str]) -> list[Line]:
    # A card that was held before the reader for a while was read several times.
    each = [line for place, line in enumerate(lines) if not place or line[2] != lines[place - 1][2]]
    if len(each) != len(names):
        last = each[-1][0] if each else 1
        wanted = f"{len(names)} codes are wanted, {names[0]} to {names[-1]} in order, or each with its name"
        raise TableFileErrors([_fault(path, last, f"{wanted}; here are {len(each)}")])
    return [(number, name, code) for (number, _, code), name in zip(each, names, strict=True)]


def _tags(path: Path, lines: list[Line], names: Sequence[str], read: Read) -> Tags:
    faults: list[Fault] = []
    tags: Tags = {}
    for number, name, written in lines:
        codes = read(written)
        if name not in names:
            faults.append(_fault(path, number, f"nothing is called {show(name)} here; {nearest(name, names)}"))
        elif isinstance(codes, str):
            faults.append(_fault(path, number, f"{show(written)} {_WRONG[codes]}"))
        elif len(codes) != 1:
            faults.append(_fault(path, number, f"one code is wanted, not {len(codes)}"))
        elif tags.setdefault(codes[0], name) != name:
            faults.append(_fault(path, number, f"{codes[0]} is on {tags[codes[0]]} already"))
    missing = [name for name in names if name not in tags.values()]
    if missing and not faults:
        faults.append(_fault(path, 1, f"no code is given for {', '.join(missing)}"))
    if faults:
        raise TableFileErrors(faults)
    return tags


def _fault(path: Path, line: int, message: str) -> Fault:
    return Fault(str(path), line, 1, message)

"""A table file from disk: all of it, or all that is wrong with it."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from controller.rules.errors import nearest
from controller.tablefile.checks import check_game, check_parts, check_sources
from controller.tablefile.claims import Claim, claims_in_file, claims_on_machine, repeated
from controller.tablefile.faults import Fault, TableFileErrors
from controller.tablefile.model import TableFile
from controller.tablefile.positions import START, KeyPath, Place, Positions
from controller.tablefile.secret_files import check_secrets
from controller.tablefile.sentences import sentences
from controller.tablefile.tags import check_tags
from controller.whole_file import read_whole


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one file: the table, or None; its faults, in order of place; what it takes for itself on this machine."""

    path: Path
    table: TableFile | None
    faults: tuple[Fault, ...]
    claims: tuple[Claim, ...] = ()


def load_table(path: Path | str) -> TableFile:
    """The table of a file. Raises `TableFileErrors` with all that is wrong with it."""
    reading = read_table(Path(path))
    if reading.table is None:
        raise TableFileErrors(reading.faults)
    return reading.table


def read_tables(paths: Iterable[Path]) -> list[Reading]:
    """The tables of one machine, each with its own faults and with what another before it has taken."""
    readings: list[Reading] = []
    taken: list[Claim] = []
    for path in dict.fromkeys(paths):
        reading = read_table(path)
        if clashes := tuple(repeated(reading.claims, taken)):
            reading = replace(reading, table=None, faults=tuple(sorted({*reading.faults, *clashes})))
        readings.append(reading)
        taken.extend(reading.claims)
    return readings


def read_table(path: Path) -> Reading:
    """One file."""
    try:
        text = _read_text(path)
    except _Unreadable as error:
        return Reading(path, None, (Fault(str(path), error.place.line, error.place.column, str(error)),))
    try:
        data = tomllib.loads(text)
        too_large = list(_too_large(data))
    except tomllib.TOMLDecodeError as error:
        return Reading(path, None, (_syntax_fault(path, text, str(error)),))
    except RecursionError:
        return Reading(path, None, (Fault(str(path), 1, 1, "lists or tables stand in each other too deep to be read"),))
    except ValueError:
        # The one thing of which Python says so, and without its place.
        return Reading(path, None, (_too_large_fault(path, text),))
    positions = Positions(text)
    if too_large:
        places = [positions.value(where) for where in too_large]
        return Reading(path, None, tuple(sorted(Fault(str(path), p.line, p.column, _TOO_LARGE) for p in places)))

    long = sorted(set(_long_texts(data)), key=len, reverse=True)

    def at(place: Place, message: str = "") -> Fault:
        return Fault(str(path), place.line, place.column, _legible(message, long))

    faults: set[Fault] = set()
    table = None
    try:
        table = TableFile.model_validate(data, context={"folder": path.parent.absolute()})
    except ValidationError as error:
        for where, message, is_key in sentences(error, data):
            faults.add(at(positions.key(where) if is_key else positions.value(where), message))
    for check in (check_game, check_parts, check_sources):
        faults.update(at(positions.value(where), message) for where, message in check(data))
    faults.update(at(positions.value(where), message) for where, message in check_secrets(data, path.parent))
    faults.update(check_tags(data, path.parent))
    claims = tuple(claims_on_machine(data, path.parent, lambda where: at(positions.value(where))))
    faults.update(repeated((*claims_in_file(data, lambda where: at(positions.value(where))), *claims)))
    return Reading(path, None if faults else table, tuple(sorted(faults)), claims)


class _Unreadable(Exception):
    def __init__(self, message: str, place: Place = START) -> None:
        super().__init__(message)
        self.place = place


def _read_text(path: Path) -> str:
    try:
        raw = read_whole(path)
    except FileNotFoundError:
        beside = sorted(file.name for file in path.parent.glob("*.toml"))
        hint = f"; in {path.parent}: {nearest(path.name, beside)}" if beside else f", and no other table file in {path.parent}"
        raise _Unreadable(f"there is no such file{hint}") from None
    except IsADirectoryError:
        tables = sorted(file.name for file in path.glob("*.toml"))
        raise _Unreadable(f"this is a folder, not a table file; it holds {', '.join(tables) or 'no table file'}") from None
    except OSError as error:
        raise _Unreadable(f"can't be read: {error.strerror}") from None
    try:
        # Editors on Windows put a mark at the beginning that TOML doesn't know.
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = raw[: error.start].decode("utf-8-sig", errors="replace")
        place = Place(good.count("\n") + 1, len(good) - good.rfind("\n"))
        raise _Unreadable(
            f"byte 0x{raw[error.start]:02X} is not UTF-8: save the file as UTF-8 (it looks like a file of an old Windows editor)",
            place,
        ) from None


LONG = 80
"""Characters of a text of the file that a message may repeat."""


def _long_texts(value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) > LONG:
        yield value
    elif isinstance(value, dict):
        yield from itertools.chain(_long_texts([*value]), _long_texts([*value.values()]))
    elif isinstance(value, list):
        for item in value:
            yield from _long_texts(item)


def _legible(message: str, long: Iterable[str]) -> str:
    """The message without the tails of long texts, and on one line that gives a terminal no orders."""
    for text in long:
        for written in (text, repr(text)[1:-1]):
            message = message.replace(written, f"{written[:LONG]}…")
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in message)


_TOO_LARGE = "the number is too large: a whole number has at most 64 bits in TOML"
_DIGITS = re.compile(r"[0-9_]{4300}")


def _too_large_fault(path: Path, text: str) -> Fault:
    found = _DIGITS.search(text)
    before = text[: found.start()] if found else ""
    return Fault(str(path), before.count("\n") + 1, len(before) - before.rfind("\n"), _TOO_LARGE)


def _too_large(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            yield path
    elif isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _too_large(item, (*path, key))


_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def _syntax_fault(path: Path, text: str, said: str) -> Fault:
    match = _AT.search(said)
    message = f"not TOML: {said[: match.start()] if match else said}"
    # What people write most often.
    hint = "; a text stands in quotation marks" if said.startswith("Invalid value") else ""
    if match and match[1]:
        return Fault(str(path), int(match[1]), int(match[2]), message + hint)
    return Fault(str(path), text.count("\n") + 1, len(text) - text.rfind("\n"), f"{message} at the end of the file")

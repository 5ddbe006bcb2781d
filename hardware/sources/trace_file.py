"""The trace file: what the sensors of a table did, call by call, so that a replay equals what happened.

JSON Lines, gzipped if the name ends in `.gz`. Times are monotonic nanoseconds of the boot that the header names.

    {"trace": 1, "boot": "6e1f…", "levels": {"gpio:17": 1, "gpio:27": 0}, "at": 1000}
    {"feed": "gpio:17", "value": 0, "at": 52000}
    {"feed": "lines:camera", "value": "a line of text", "at": 60000}
    {"advance": "gpio", "at": 90000}
    {"begin": {"gpio:17": 1}, "at": 95000}
    {"health": "gpio", "up": true, "lost": 2, "recovered": 0, "late": 0, "muted": ["gpio:27"], "faults": ["…"]}

The header has the channels with the levels found at the start; `begin` is a source that opened later, or again. `health` is no
call: it tells how a source stood, where that changed. An input that gives lines of text stands at level 0.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType, UnionType
from typing import IO, Any, NoReturn, Self, get_args

from hardware.health import SourceHealth
from hardware.signals import LONGEST_TEXT, Signal

VERSION = 1

_File = IO[bytes] | gzip.GzipFile

_LINES: dict[str, dict[str, type | UnionType]] = {
    "trace": {"trace": int, "boot": str, "levels": dict, "at": int},
    "feed": {"feed": str, "value": int | str, "at": int},
    "advance": {"advance": str, "at": int},
    "begin": {"begin": dict, "at": int},
    "health": {"health": str, "up": bool, "lost": int, "recovered": int, "late": int, "muted": list, "faults": list},
}
"""The keys of each line, and what they hold."""

_WORDS: dict[type | UnionType, str] = {
    int: "a whole number from 0 on",
    str: "a text",
    int | str: "a whole number from 0 on, or a line of text",
    dict: "an object of channels and levels",
    list: "a list of texts",
    bool: "true or false",
}


class TraceError(Exception):
    """A trace can't be read or written; the message begins with the file, and the line if there is one."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The call `panel.begin(levels, at)`."""

    levels: Mapping[str, int]
    at: int


@dataclass(frozen=True, slots=True)
class Advance:
    """The call `panel.advance(source, at)`."""

    source: str
    at: int


Entry = Begin | Signal | Advance | SourceHealth
"""What a line says; a `Signal` is the call `panel.feed(signal)`."""


class TraceWriter:
    """Writes a trace; its methods are the calls that are recorded, `begin` first. Raises `TraceError`.

    A file that exists is never written over.
    """

    def __init__(self, path: Path, boot: str) -> None:
        self._path = path
        self._boot = boot
        self._begun = False
        try:
            self._file: _File = gzip.open(path, "xb") if path.suffix == ".gz" else path.open("xb")  # noqa: SIM115 - `close` is ours
        except FileExistsError:
            raise TraceError(f"{path}: is there already, and a trace is never written over; take another name") from None
        except OSError as error:
            raise TraceError(f"{path}: can't be written: {error.strerror}") from error

    def begin(self, levels: Mapping[str, int], at: int) -> None:
        """Write levels that were found; the first ones make the header."""
        if self._begun:
            self._write({"begin": dict(levels), "at": at})
        else:
            self._write({"trace": VERSION, "boot": self._boot, "levels": dict(levels), "at": at})
            self._begun = True

    def feed(self, signal: Signal) -> None:
        """Write a signal."""
        self._write({"feed": signal.channel, "value": signal.value, "at": signal.at})

    def advance(self, source: str, t: int) -> None:
        """Write that a source has told everything before `t`."""
        self._write({"advance": source, "at": t})

    def health(self, health: SourceHealth) -> None:
        """Write how a source stands now."""
        fields = asdict(health)
        self._write({"health": fields.pop("source"), **fields})

    def flush(self) -> None:
        """Hand what was written to the operating system."""
        try:
            self._file.flush()
        except OSError as error:
            self._fail(error)

    def close(self) -> None:
        """Write what is left, and close. May be called twice."""
        try:
            self._file.close()
        except OSError as error:
            self._fail(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> NoReturn:
        raise TraceError(f"{self._path}: can't be written: {error.strerror}") from error


class TraceReader:
    """Reads a trace line by line; iterating gives its entries. Raises `TraceError`.

    `boot`, `levels` and `at` are the header's. A file that still grows can be read on: at its end `read` gives None until
    there is more.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line = 0
        try:
            with path.open("rb") as file:
                zipped = file.read(2) == b"\x1f\x8b"
            self._file: _File = gzip.open(path) if zipped else path.open("rb")  # noqa: SIM115 - `close` is ours
        except OSError as error:
            raise TraceError(f"{path}: can't be read: {error.strerror}") from error
        try:
            header = self._header()
        except TraceError:
            self.close()
            raise
        self.boot: str = header["boot"]
        self.at: int = header["at"]
        self.levels: dict[str, int] = header["levels"]
        self._channels = set(self.levels)

    def read(self) -> Entry | None:
        """The next entry; None at the end."""
        line = self._object()
        if line is None:
            return None
        kinds = [kind for kind in _LINES if kind in line]
        if len(kinds) != 1 or kinds == ["trace"]:
            self._fault('a line after the header has one of the keys "feed", "advance", "begin" and "health"')
        self._check(line, kinds[0])
        match kinds[0]:
            case "feed":
                if line["feed"] not in self._channels:
                    self._fault(f"{line['feed']} is fed, but no level of it was found before")
                if isinstance(line["value"], str):
                    self._check_text(line["value"])
                return Signal(line["at"], line["feed"], line["value"])
            case "advance":
                return Advance(line["advance"], line["at"])
            case "begin":
                self._check_levels(line["begin"])
                self._channels |= set(line["begin"])
                return Begin(line["begin"], line["at"])
        health = {**line, "muted": tuple(line["muted"]), "faults": tuple(line["faults"])}
        return SourceHealth(health.pop("health"), **health)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.read, None)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _header(self) -> dict[str, Any]:
        header = self._object()
        if header is None:
            raise TraceError(f"{self._path}: is empty, so it is no trace")
        if "trace" not in header:
            self._fault('a trace begins with its header, {"trace": 1, …}')
        if header["trace"] != VERSION:
            self._fault(
                f"this is version {json.dumps(header['trace'])} of the format, and version {VERSION} is what can be read here"
            )
        self._check(header, "trace")
        self._check_levels(header["levels"])
        return header

    def _object(self) -> dict[str, Any] | None:
        self._line += 1
        try:
            data = self._file.readline()
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self._fault("the file is cut off or damaged here")
        except OSError as error:
            raise TraceError(f"{self._path}: can't be read: {error.strerror}") from error
        if not data:
            self._line -= 1
            return None
        try:
            line = json.loads(data)
        except (ValueError, RecursionError):  # ValueError: neither JSON nor, for that matter, UTF-8
            whole = data.endswith(b"\n")
            self._fault(
                "this is not JSON" if whole else "the line is cut off, as by a power cut; without it the rest can be read"
            )
        if not isinstance(line, dict):
            self._fault('a line is an object, {"feed": …}')
        return line

    def _check(self, line: dict[str, Any], kind: str) -> None:
        wanted = _LINES[kind]
        for key in line:
            if key not in wanted:
                self._fault(f'unknown key "{key}": this line has {", ".join(wanted)}')
        for key, type_ in wanted.items():
            if key not in line:
                self._fault(f'"{key}" is missing: this line has {", ".join(wanted)}')
            value = line[key]
            fits = type(value) in (get_args(type_) or (type_,)) and (not isinstance(value, int) or value >= 0)
            if not fits or (type_ is list and not all(isinstance(item, str) for item in value)):
                self._fault(f'"{key}" is {_WORDS[type_]}, not {json.dumps(value, ensure_ascii=False)}')

    def _check_levels(self, levels: dict[str, Any]) -> None:
        for channel, level in levels.items():
            if type(level) is not int:
                self._fault(f"the level of {channel} is a whole number, not {json.dumps(level, ensure_ascii=False)}")

    def _check_text(self, text: str) -> None:
        if len(text) > LONGEST_TEXT:
            self._fault(f"a line of text has at most {LONGEST_TEXT} characters, this one has {len(text)}")
        try:
            text.encode()
        except UnicodeEncodeError:
            self._fault("the line of text holds half of a surrogate pair, which is no character")

    def _fault(self, text: str) -> NoReturn:
        raise TraceError(f"{self._path}:{self._line}: {text}")

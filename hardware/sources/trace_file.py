"""The trace file: what the sensors of a table did, call by call, so that a replay equals what happened.

JSON Lines, gzipped if the name ends in `.gz`. Times are monotonic nanoseconds of the boot that the header names.

    {"trace": 1, "boot": "6e1f…", "levels": {"gpio:17": 1, "gpio:27": 0}, "at": 1000}
    {"feed": "gpio:17", "value": 0, "at": 52000}
    {"feed": "lines:camera", "value": "a line of text", "at": 60000}
    {"advance": "gpio", "at": 90000}
    {"begin": {"gpio:17": 1}, "at": 95000}
    {"act": {"command": "undo", "by": "web"}, "at": 93000}
    {"health": "gpio", "up": true, "lost": 2, "recovered": 0, "late": 0, "blind": 0, "muted": ["gpio:27"], "faults": ["…"]}

The header has the channels with the levels found at the start; `begin` is a source that opened later, or again. `health` is no
call: it tells how a source stood, where that changed. An input that gives lines of text stands at level 0. A recording that was
cut into several files has the number of each in its header, from `"part": 2` on; there the levels are those at the cut.

`act` is what people did, worked together with the calls before it. Its words are those of whoever wrote it, and nothing to a
panel; so is the header's `"standing": {…}`, how things stood at the beginning of the file.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
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
    "act": {"act": dict, "at": int},
    "health": {
        "health": str,
        "up": bool,
        "lost": int,
        "recovered": int,
        "late": int,
        "blind": int,
        "muted": list,
        "faults": list,
    },
}
"""The keys of each line, and what they hold; the header may have `part` and `standing` too."""

END_OF_TIME = 1 << 63
"""Nanoseconds: 292 years, and what a signed number of 64 bits holds."""

_WORDS: dict[type | UnionType, str] = {
    int: "a whole number from 0 on, below 2⁶³",
    str: "a text",
    int | str: "a whole number from 0 on, below 2⁶³, or a line of text",
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


@dataclass(frozen=True, slots=True)
class Act:
    """What people did. `place`: the file and line that say so; `fault`: why that line can't be read, and then it says nothing."""

    said: Mapping[str, Any]
    at: int
    place: str = field(default="", compare=False)
    fault: str | None = None


Entry = Begin | Signal | Advance | Act | SourceHealth
"""What a line says; a `Signal` is the call `panel.feed(signal)`."""


class TraceWriter:
    """Writes a trace; its methods are the calls that are recorded, `begin` first. Raises `TraceError`.

    A file that exists is never written over. `part`: which file of one recording this is.
    """

    def __init__(self, path: Path, boot: str, part: int = 1) -> None:
        self.size = 0
        """Bytes written so far, before they are packed."""
        self._path = path
        self._boot = boot
        self._part = part
        self._standing: Mapping[str, Any] | None = None
        self._begun = False
        try:
            self._file: _File = gzip.open(path, "xb") if path.suffix == ".gz" else path.open("xb")  # noqa: SIM115 - `close` is ours
        except FileExistsError:
            raise TraceError(f"{path}: is there already, and a trace is never written over; take another name") from None
        except OSError as error:
            raise TraceError(f"{path}: can't be written: {error.strerror}") from error

    def begin(self, levels: Mapping[str, int], at: int) -> None:
        """Write levels that were found; the first ones make the header."""
        header = header_line(self._boot, levels, at, self._part, self._standing)
        self.write(begin_line(levels, at) if self._begun else header)
        self._begun = True

    def feed(self, signal: Signal) -> None:
        """Write a signal."""
        self.write(feed_line(signal))

    def advance(self, source: str, t: int) -> None:
        """Write that a source has told everything before `t`."""
        self.write(advance_line(source, t))

    def act(self, said: Mapping[str, Any], at: int) -> None:
        """Write what people did."""
        self.write(act_line(said, at))

    def stand(self, said: Mapping[str, Any]) -> None:
        """How things stand now: of matter to a file that is yet to begin."""
        self._standing = said

    def health(self, health: SourceHealth) -> None:
        """Write how a source stands now."""
        fields = asdict(health)
        self.write(_line({"health": fields.pop("source"), **fields}))

    def rest(self) -> None:
        """Nobody waits for anything: of no matter to a file that goes on as long as it is written."""

    def write(self, line: bytes) -> None:
        """Write one whole line."""
        self.size += len(line)
        try:
            self._file.write(line)
        except OSError as error:
            self._fail(error)

    def flush(self) -> None:
        """Hand what was written to the operating system."""
        try:
            self._file.flush()
        except OSError as error:
            self._fail(error)

    def sync(self) -> None:
        """Bring what was written to the disk: from then on a power cut leaves it alone."""
        self.flush()
        try:
            os.fsync(self._file.fileno())
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

    def _fail(self, error: OSError) -> NoReturn:
        raise TraceError(f"{self._path}: can't be written: {error.strerror}") from error


def header_line(boot: str, levels: Mapping[str, int], at: int, part: int = 1, standing: Mapping[str, Any] | None = None) -> bytes:
    """The first line of a trace."""
    more: dict[str, Any] = {"part": part} if part > 1 else {}
    if standing is not None:
        more["standing"] = dict(standing)
    return _line({"trace": VERSION, "boot": boot, "levels": dict(levels), "at": at, **more})


def begin_line(levels: Mapping[str, int], at: int) -> bytes:
    """The line of `panel.begin(levels, at)`."""
    return _line({"begin": dict(levels), "at": at})


def feed_line(signal: Signal) -> bytes:
    """The line of `panel.feed(signal)`."""
    return _line({"feed": signal.channel, "value": signal.value, "at": signal.at})


def advance_line(source: str, at: int) -> bytes:
    """The line of `panel.advance(source, at)`."""
    return _line({"advance": source, "at": at})


def act_line(said: Mapping[str, Any], at: int) -> bytes:
    """The line of what people did."""
    return _line({"act": dict(said), "at": at})


def _line(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class TraceReader:
    """Reads a trace line by line; iterating gives its entries. Raises `TraceError`.

    `boot`, `levels`, `at`, `part` and `standing` are the header's; `standing` is None where it says nothing of that. A file that
    still grows can be read on: at its end `read` gives None until there is more. A last line that isn't whole is no more than
    that: it is still being written, or a power cut has cut it off; `cut` then says where.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cut: str | None = None
        self._partial = b""
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
        self.part: int = header.get("part", 1)
        self.standing: dict[str, Any] | None = header.get("standing")
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
            self._fault('a line after the header has one of the keys "feed", "advance", "begin", "act" and "health"')
        if kinds[0] == "act":
            return self._act(line)
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

    def _act(self, line: dict[str, Any]) -> Act:
        # What the sensors did is worth having, whatever a line of this kind says.
        place = f"{self.path}:{self._line}"
        if fault := self._misfit(line, "act"):
            return Act({}, 0, place, fault)
        return Act(line["act"], line["at"], place)

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
            raise TraceError(f"{self.cut or f'{self.path}: is empty'}, so it is no trace")
        if "trace" not in header:
            self._fault('a trace begins with its header, {"trace": 1, …}')
        if header["trace"] != VERSION:
            self._fault(
                f"this is version {json.dumps(header['trace'])} of the format, and version {VERSION} is what can be read here"
            )
        part = header.get("part", 1)
        if type(part) is not int or part < 1:
            self._fault(f'"part" is a whole number from 1 on, not {json.dumps(part, ensure_ascii=False)}')
        standing = header.get("standing", {})
        if not isinstance(standing, dict):
            self._fault(f'"standing" is an object, not {json.dumps(standing, ensure_ascii=False)}')
        self._check({key: value for key, value in header.items() if key not in ("part", "standing")}, "trace")
        self._check_levels(header["levels"])
        return header

    def _object(self) -> dict[str, Any] | None:
        self._line += 1
        try:
            data = self._file.readline()
        except EOFError:
            data = b""  # a packed file without its end
            self.cut = f"{self.path}: the file is cut off, as by a power cut"
        except (zlib.error, gzip.BadGzipFile):
            self._fault("the file is damaged here")
        except OSError as error:
            raise TraceError(f"{self.path}: can't be read: {error.strerror}") from error
        self._partial += data
        if not self._partial.endswith(b"\n"):
            if self._partial:
                self.cut = f"{self.path}:{self._line}: the line is cut off, as by a power cut"
            self._line -= 1
            return None
        data, self._partial, self.cut = self._partial, b"", None
        try:
            line = json.loads(data)
        except (ValueError, RecursionError):  # ValueError: neither JSON nor, for that matter, UTF-8
            self._fault("this is not JSON")
        if not isinstance(line, dict):
            self._fault('a line is an object, {"feed": …}')
        return line

    def _check(self, line: dict[str, Any], kind: str) -> None:
        if misfit := self._misfit(line, kind):
            self._fault(misfit)

    def _misfit(self, line: dict[str, Any], kind: str) -> str | None:
        """What is wrong with the shape of a line."""
        wanted = _LINES[kind]
        for key in line:
            if key not in wanted:
                return f'unknown key "{key}": this line has {", ".join(wanted)}'
        for key, type_ in wanted.items():
            if key not in line:
                return f'"{key}" is missing: this line has {", ".join(wanted)}'
            value = line[key]
            fits = type(value) in (get_args(type_) or (type_,)) and (not isinstance(value, int) or 0 <= value < END_OF_TIME)
            if not fits or (type_ is list and not all(isinstance(item, str) for item in value)):
                word = "an object" if key == "act" else _WORDS[type_]
                return f'"{key}" is {word}, not {json.dumps(value, ensure_ascii=False)}'
        return None

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
        raise TraceError(f"{self.path}:{self._line}: {text}")

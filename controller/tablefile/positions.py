"""Where each key and each value of a TOML text stands: tomllib gives values, but not their places.

The text must be one that tomllib has accepted: this only walks over it, and checks nothing.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

KeyPath = tuple[str | int, ...]
"""The way to a value: `("sensor", 3, "source")`."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Line and column, both from 1; columns count characters."""

    line: int
    column: int


START = Place(1, 1)


class Positions:
    """The places of one text."""

    def __init__(self, text: str) -> None:
        # tomllib reads a text's line ends so, too.
        self.text = text.replace("\r\n", "\n")
        self._keys: dict[KeyPath, int] = {}
        self._values: dict[KeyPath, int] = {}
        _Scanner(self.text, self._keys, self._values).scan()

    def key(self, path: KeyPath) -> Place:
        """Where the last key of `path` is written; for an item of an array of tables, its header."""
        return self._nearest(path, self._keys)

    def value(self, path: KeyPath) -> Place:
        """Where the value at `path` begins; for a table, its header."""
        return self._nearest(path, self._values)

    def _nearest(self, path: KeyPath, offsets: dict[KeyPath, int]) -> Place:
        if path in offsets:
            return self._place(offsets[path])
        # What isn't written (a missing key) is reported at the innermost table that is.
        while path:
            for written in (self._keys, self._values):
                if path in written:
                    return self._place(written[path])
            path = path[:-1]
        return START

    def _place(self, offset: int) -> Place:
        return Place(self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset))


_BLANK = re.compile(r"[ \t]*")
_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# Up to two quotation marks may stand just before the closing three.
_STRING = re.compile(
    r"""\"\"\"(?:\\.|[^\\])*?"{3,5} | '''.*?'{3,5} | "(?:\\.|[^"\\])*" | '[^']*' """,
    re.DOTALL | re.VERBOSE,
)
# A date may hold a space; numbers, dates and words all end at one of these.
_SCALAR = re.compile(r"[^,\]}#\n]*")


def _unquoted(written: str) -> str:
    value: str = tomllib.loads(f"key = {written}")["key"]
    return value


class _Scanner:
    def __init__(self, text: str, keys: dict[KeyPath, int], values: dict[KeyPath, int]) -> None:
        self.text = text
        self.at = 0
        self.keys = keys
        self.values = values
        self.counts: dict[KeyPath, int] = {}

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise ValueError(f"not TOML at offset {self.at}")
        self.at = match.end()
        return match[0]

    def scan(self) -> None:
        table: KeyPath = ()
        self.skip(_SPACE)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_SPACE)

    def header(self) -> KeyPath:
        is_array = self.text.startswith("[[", self.at)
        self.at += 2 if is_array else 1
        parts = self.dotted_key()
        self.at += 2 if is_array else 1
        path: KeyPath = ()
        for name, offset in parts[:-1]:
            path = (*path, name)
            self.keys.setdefault(path, offset)
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
        name, offset = parts[-1]
        path = (*path, name)
        if is_array:
            index = self.counts.get(path, 0)
            self.counts[path] = index + 1
            self.keys.setdefault(path, offset)
            path = (*path, index)
        self.keys[path] = offset
        return path

    def dotted_key(self) -> list[tuple[str, int]]:
        parts = []
        while True:
            self.skip(_BLANK)
            offset = self.at
            is_quoted = self.text[offset] in "\"'"
            written = self.skip(_STRING if is_quoted else _BARE_KEY)
            parts.append((_unquoted(written) if is_quoted else written, offset))
            self.skip(_BLANK)
            if self.text[self.at] != ".":
                return parts
            self.at += 1

    def pair(self, table: KeyPath) -> None:
        path = table
        for name, offset in self.dotted_key():
            path = (*path, name)
            self.keys.setdefault(path, offset)
        self.at += 1  # the equals sign
        self.value(path)

    def value(self, path: KeyPath) -> None:
        self.skip(_BLANK)
        self.values[path] = self.at
        opening = self.text[self.at]
        if opening == "[":
            self.array(path)
        elif opening == "{":
            self.inline_table(path)
        elif opening in "\"'":
            self.skip(_STRING)
        else:
            self.skip(_SCALAR)

    def array(self, path: KeyPath) -> None:
        self.at += 1
        index = 0
        self.skip(_SPACE)
        while self.text[self.at] != "]":
            self.value((*path, index))
            index += 1
            self.skip_comma()
        self.at += 1

    def inline_table(self, path: KeyPath) -> None:
        self.at += 1
        self.skip(_SPACE)
        while self.text[self.at] != "}":
            self.pair(path)
            self.skip_comma()
        self.at += 1

    def skip_comma(self) -> None:
        self.skip(_SPACE)
        if self.text[self.at] == ",":
            self.at += 1
            self.skip(_SPACE)

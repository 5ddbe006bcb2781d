"""Bytes that come in pieces become lines of text. Pure; what is no line is counted and dropped."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hardware.signals import LONGEST_TEXT

_ENDS = re.compile(rb"[\r\n\x03]+")
"""CR, LF, and ETX: the end of a frame of tag readers, which send neither."""


@dataclass(slots=True)
class Dropped:
    """Lines that couldn't be used, by reason."""

    torn: int = 0
    """Broken off when the device went away."""
    oversized: int = 0
    not_utf8: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.torn + self.oversized + self.not_utf8

    def __str__(self) -> str:
        told = {"broken off": self.torn, f"longer than {LONGEST_TEXT} bytes": self.oversized, "not UTF-8": self.not_utf8}
        return ", ".join(f"{count} {reason}" for reason, count in told.items() if count)


class LineSplitter:
    r"""Splits what a device sends at its line ends: CR, LF, ETX, or several of them; empty lines are none.

    >>> splitter = LineSplitter()
    >>> splitter.feed(b"one\r\n\r\ntw"), splitter.feed(b"o\nthree"), splitter.begun
    (['one'], ['two'], True)
    >>> splitter.end(), splitter.begun, splitter.dropped.total
    (['three'], False, 0)

    `longest`: bytes of a line; what is longer is dropped up to its end.
    """

    def __init__(self, longest: int = LONGEST_TEXT) -> None:
        self._longest = longest
        self._rest = b""
        self._skipping = False
        self.dropped = Dropped()

    @property
    def begun(self) -> bool:
        """Whether a line has begun that has no end yet."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[str]:
        """Take the next bytes; gives the lines that they complete."""
        *whole, rest = _ENDS.split(self._rest + data)
        lines: list[str] = []
        for raw in whole:
            lines += self._line(raw)
        self._rest = rest
        if len(rest) > self._longest:
            # Counted once, when its end comes.
            self._skipping = True
            self._rest = rest[: self._longest]
        return lines

    def end(self) -> list[str]:
        """A pause ends what has begun, as a line end does."""
        rest, self._rest = self._rest, b""
        return self._line(rest)

    def break_off(self) -> None:
        """The device went away: a line that has begun is dropped and counted."""
        self.dropped.torn += bool(self._rest)
        self._rest = b""
        self._skipping = False

    def _line(self, raw: bytes) -> list[str]:
        skipping, self._skipping = self._skipping, False
        if skipping or len(raw) > self._longest:
            self.dropped.oversized += 1
            return []
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            self.dropped.not_utf8 += 1
            return []
        return [text] if text.strip() else []

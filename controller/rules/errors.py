"""Errors of the rules core: each is a sentence that names the place and the remedy."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable


class RulesError(ValueError):
    """Something handed to the rules core can't be read; the message says where and what is allowed."""


class UnknownGame(RulesError):
    """No game of that name is known."""


class BadOption(RulesError):
    """A house rule of an unknown name or with a value that it doesn't take."""


class BadPosition(RulesError):
    """A position that can't be read or can't stand."""


class BadEvent(RulesError):
    """An object that is no event of this game: unknown kind, field, name, or a value of the wrong type."""


def shown(value: object) -> str:
    """A value as the message of an error shows it: a text in quotation marks, anything else as it stands in JSON."""
    return repr(value) if isinstance(value, str) else _written(value)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value is None or isinstance(value, bool) else str(value)


def nearest(word: object, allowed: Iterable[object]) -> str:
    """Say what is allowed instead of `word`, the nearest right name first, as the tail of a sentence."""
    values = list(allowed)
    names = [_written(name) for name in values]
    close = difflib.get_close_matches(_written(word), names, n=1, cutoff=0.6)
    listed = ", ".join(names) if len(names) <= 24 else ", ".join(names[:24]) + ", …"
    if close and not isinstance(values[names.index(close[0])], str):
        without = ", without quotation marks" if isinstance(word, str) else ""
        return f"did you mean {close[0]}{without}? Allowed: {listed}"
    if close:
        return f"did you mean {close[0]!r}? Allowed: {listed}"
    return f"allowed: {listed}" if names else "none is allowed here"

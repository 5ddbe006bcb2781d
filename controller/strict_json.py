"""JSON as other programs may hand it to us, read strictly: what `json` lets pass silently is an error here."""

from __future__ import annotations

import functools
import json
from typing import Any, NoReturn

from controller.rules.awards import Json

LARGEST = 2**53 - 1
"""The largest number that every program that reads JSON takes for the same."""
DEEPEST = 50
"""How deep lists and objects may stand in each other: what works on them may call itself once a level."""


class NotStrict(ValueError):
    """Text that isn't one strict JSON object; the message says where and why."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotStrict(f"the key {twice!r} stands twice in one object")
    return obj


def _constant(name: str) -> NoReturn:
    raise NotStrict(f"{name} is not a JSON number")


@functools.cache
def _decoder(largest: float) -> json.JSONDecoder:
    longest = len(str(-int(largest)))

    def read_float(text: str) -> float:
        number = float(text)
        if abs(number) > largest:
            raise NotStrict(f"the number {text[:40]} is too large")
        return number

    def read_int(text: str) -> int:
        # Python itself refuses to read thousands of digits.
        if len(text) > longest or abs(int(text)) > largest:
            raise NotStrict(f"the whole number {text[:40]} has too many digits")
        return int(text)

    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=read_float, parse_int=read_int)


def _check_depth(value: Json, left: int) -> None:
    if not isinstance(value, dict | list):
        return
    if left == 0:
        raise NotStrict(f"not readable: nested too deeply, more than {DEEPEST} levels")
    for item in value.values() if isinstance(value, dict) else value:
        _check_depth(item, left - 1)


def read_object(text: str, largest: float = LARGEST) -> dict[str, Json]:
    """Read one JSON object. Raises `NotStrict` for a key twice, NaN, Infinity, a number above `largest`, or anything else."""
    try:
        value: Json = _decoder(largest).decode(text)
    except NotStrict:
        raise
    except json.JSONDecodeError as error:
        raise NotStrict(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise NotStrict(f"not readable: nested too deeply, more than {DEEPEST} levels") from None
    if not isinstance(value, dict):
        raise NotStrict('a JSON object is wanted: {"event": …}')
    if text.count("[") + text.count("{") > DEEPEST:  # else it can't be: most texts needn't be walked through
        _check_depth(value, DEEPEST)
    return value

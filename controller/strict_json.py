"""JSON as other programs may hand it to us, read strictly: what `json` lets pass silently is an error here."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from controller.rules.awards import Json


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


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise NotStrict(f"the number {text[:40]} is too large")
    return number


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def read_object(text: str) -> dict[str, Json]:
    """Read one JSON object. Raises `NotStrict` for a key twice, NaN, Infinity, a number out of range, or anything else."""
    try:
        value: Json = _decoder.decode(text)
    except NotStrict:
        raise
    except json.JSONDecodeError as error:
        raise NotStrict(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise NotStrict("not readable: nested too deeply") from None
    except ValueError:
        # Python refuses to read whole numbers of thousands of digits.
        raise NotStrict("a whole number has too many digits") from None
    if not isinstance(value, dict):
        raise NotStrict('a JSON object is wanted: {"event": …}')
    return value

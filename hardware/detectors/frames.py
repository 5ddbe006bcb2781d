"""Lines of a tracker of places: what each says, or why nothing of it can be used. Pure.

Two forms are read. A JSON object of places by name, each `[x, y]` or `[x, y, error]` in millimetres:

    {"target":[0.4,-1.2],"light-s1":[220.5,31.0,1.4]}

And for microcontrollers a frame that shows when it was damaged on its way: names with their numbers, then the exclusive or of all
characters before the star as two hexadecimal digits:

    target 0.4 -1.2;light-s1 220.5 31.0 1.4*2D
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping
from typing import NoReturn

from hardware.places import Place

FARTHEST = 10_000.0
"""Millimetres: no table is larger."""
WORST = 1_000.0
"""Millimetres: an error larger than this is no reading."""
MOST = 64
"""Places in one line."""


class NoFrame(ValueError):
    """A line that can't be used; the message says why."""


def read_frame(line: str) -> dict[str, tuple[float, float, float | None]]:
    """Places by the tracker's names: x, y, and the error where it is given. Raises `NoFrame`.

    >>> read_frame('{"target":[0.4,-1.2]}')
    {'target': (0.4, -1.2, None)}
    >>> read_frame(checked("target 0.4 -1.2;light-s1 220.5 31.0 1.4"))
    {'target': (0.4, -1.2, None), 'light-s1': (220.5, 31.0, 1.4)}
    """
    found = _read_json(line) if line.lstrip().startswith("{") else _read_checked(line.strip())
    if len(found) > MOST:
        raise NoFrame(f"it has {len(found)} places, and {MOST} are the most")
    return {name: _numbers(name, numbers) for name, numbers in found.items()}


def checked(frame: str) -> str:
    """A frame of numbers with its check, as a microcontroller sends it."""
    return f"{frame}*{functools.reduce(lambda sum_, byte: sum_ ^ byte, frame.encode(), 0):02X}"


def _read_json(line: str) -> Mapping[str, object]:
    try:
        found = json.loads(line, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NoFrame(str(error) if isinstance(error, NoFrame) else "it is not JSON") from None
    if not isinstance(found, dict):
        raise NoFrame("it is no JSON object of places")
    return found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) != len(pairs):
        raise NoFrame("it names a thing twice")
    return dict(pairs)


def _no_number(word: str) -> NoReturn:
    raise NoFrame(f"{word} is no place")


def _read_checked(line: str) -> Mapping[str, object]:
    frame, star, _ = line.rpartition("*")
    if not star:
        raise NoFrame("it is neither a JSON object nor a frame with its check")
    if not line.isascii() or checked(frame) != line[:-2] + line[-2:].upper():
        raise NoFrame("its check is wrong: it was damaged on its way")
    found: dict[str, object] = {}
    for item in frame.split(";"):
        name, *words = item.split() or [""]
        if name in found:
            raise NoFrame("it names a thing twice")
        try:
            found[name] = [float(word) for word in words]
        except ValueError:
            raise NoFrame("a place in it has something that is no number") from None
    return found


def _numbers(name: str, found: object) -> tuple[float, float, float | None]:
    if not isinstance(found, list) or len(found) not in (2, 3):
        raise NoFrame(f"the place of {name[:40]!r} is not [x, y] or [x, y, error]")
    numbers = list(_finite(found))
    x, y, error = numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else None
    if max(abs(x), abs(y)) > FARTHEST or (error is not None and not 0 <= error <= WORST):
        raise NoFrame(f"the place of {name[:40]!r} can't be")
    return x, y, error


def _finite(found: Iterable[object]) -> Iterable[float]:
    for number in found:
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise NoFrame("a place in it has something that is no number")
        if abs(number) > FARTHEST or not math.isfinite(number):
            raise NoFrame("a place in it can't be")
        yield float(number)


def placed(numbers: tuple[float, float, float | None], fixed: float, growing: float) -> Place:
    """The place, with an error of `fixed` + `growing` times the distance from the middle where the tracker gives none."""
    x, y, error = numbers
    return Place(x, y, fixed + growing * math.hypot(x, y) if error is None else error)

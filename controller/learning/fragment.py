"""The `[[sensor]]` items of a table file, written with the inputs that were learnt. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from controller.learning.lesson import Found
from controller.tablefile.sensors import AnySensor, WiredSensor
from controller.tablefile.values import show

Item = Mapping[str, Any]
"""A sensor as the file has it."""
LEVELS = ("low", "high")


def fragment(
    items: Sequence[Item], sensors: Sequence[AnySensor], learnt: Mapping[int, Sequence[Found]], left: Mapping[int, str]
) -> str:
    """All sensors in their order, each with all its keys; what wasn't learnt says so in a comment.

    `items`: the sensors as the file has them; `learnt`, `left`: by place in the file, the inputs found, and why it wasn't asked
    for. An input can't be given twice, so a sensor that wasn't learnt and whose input is another's now becomes a comment.
    """
    pulls = {channel: sensor.pull for sensor in sensors if isinstance(sensor, WiredSensor) for channel in sensor.channels}
    owners = {found.channel: sensors[place].name for place, inputs in learnt.items() for found in inputs}
    parts = []
    for place, (item, sensor) in enumerate(zip(items, sensors, strict=True)):
        if place in learnt:
            inputs = learnt[place]
            unlike = len({pulls.get(found.channel) for found in inputs}) > 1
            said = "# The file has another pull for each of its two inputs: this is that of the first.\n" if unlike else ""
            parts.append(said + _text(_put(item, sensor, inputs, pulls)))
            continue
        taken = [f"{channel}, which it had, is {owners[channel]}'s" for channel in sensor.channels if channel in owners]
        if taken:
            said = f"# Not learnt, and {' and '.join(taken)}: put its input right, or leave it out."
            commented = "\n".join(f"# {line}" for line in _text(item).splitlines())
            parts.append(f"{said}\n{commented}")
        else:
            said = f"Left as it was: {left[place]}." if place in left else "Not learnt: left as it was."
            parts.append(f"# {said}\n{_text(item)}")
    return "\n\n".join(parts)


def _put(item: Item, sensor: AnySensor, inputs: Sequence[Found], pulls: Mapping[str, str]) -> dict[str, Any]:
    """The keys of a sensor with its input changed, and what goes with an input: its active level and its resistor."""
    put = dict(item)
    channels = tuple(found.channel for found in inputs)
    if channels != sensor.channels:
        put["source"] = channels[0] if len(channels) == 1 else list(channels)
    if isinstance(sensor, WiredSensor) and inputs[0].active is not None:
        active, pull = LEVELS[inputs[0].active], pulls[channels[0]]
        put = _set(put, "active", active, now=sensor.active)
        put = _set(put, "pull", pull, now=sensor.pull)
    return put


def _set(item: dict[str, Any], key: str, value: str, now: str) -> dict[str, Any]:
    """The keys with this one changed, after the source where it is new."""
    if key in item:
        return {**item, key: value}
    if value == now:
        return item
    put: dict[str, Any] = {}
    for old, kept in item.items():
        put[old] = kept
        if old == "source":
            put[key] = value
    return put


def _text(item: Item) -> str:
    return "\n".join(["[[sensor]]", *(f"{_key(key)} = {_value(value)}" for key, value in item.items())])


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _string(key)


def _string(text: str) -> str:
    # JSON's escapes are TOML's, but for one character that TOML wants escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    """A value in TOML: what a table file that was checked can hold."""
    match value:
        case str():
            return _string(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{ {', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())} }}" if value else "{}"
        case bool() | int() | float():
            return show(value)
        case _:
            raise TypeError(f"{value!r} is nothing that a sensor holds")

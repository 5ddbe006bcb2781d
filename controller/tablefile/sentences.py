"""What pydantic found, as sentences: what is allowed there, the nearest right name, and where a stray key does belong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from controller.names import NOT_PLAIN
from controller.rules.errors import nearest
from controller.tablefile.model import Board, Gpio, Journal, Lines, Marker, Mqtt, Output, Speech, Table, TableFile, Tls, Web
from controller.tablefile.positions import KeyPath
from controller.tablefile.sensors import I2C, KINDS, UnknownSensor
from controller.tablefile.values import show

_PLACES: dict[str, type[BaseModel]] = {
    "[table]": Table,
    "[mqtt]": Mqtt,
    "[mqtt.tls]": Tls,
    "[web]": Web,
    "[marker]": Marker,
    "[journal]": Journal,
    "[gpio]": Gpio,
    "[speech]": Speech,
    "[[board]]": Board,
    "[[lines]]": Lines,
    "[[output]]": Output,
    **{f'a [[sensor]] of kind "{kind}"': model for kind, model in KINDS.items()},
}


Said = tuple[KeyPath, str, bool]
"""The path at fault, what is said of it, and whether its key rather than its value is at fault."""


def sentences(error: ValidationError, data: Mapping[str, Any]) -> Iterator[Said]:
    """All that is wrong with the values of a file."""
    for detail in error.errors(include_url=False):
        path = detail["loc"]
        if path[0] == "sensor" and len(path) > 2:
            path = (*path[:2], *path[3:])  # without the kind, by which pydantic chose the model
        yield _sentence(path, detail, data)
        if detail["type"].startswith("union_tag_"):
            yield from _without_kind(path, detail["input"], data)


def _without_kind(path: KeyPath, sensor: object, data: Mapping[str, Any]) -> Iterator[Said]:
    try:
        UnknownSensor.model_validate(sensor)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _sentence((*path, *detail["loc"]), detail, data)


def _sentence(path: KeyPath, detail: ErrorDetails, data: Mapping[str, Any]) -> Said:
    where, model = _section(path[:-1], data)
    context = detail.get("ctx", {})
    named = next(part for part in reversed(path) if isinstance(part, str))
    match detail["type"]:
        case "extra_forbidden":
            return path, _unknown_key(str(path[-1]), where, model), True
        case "missing":
            return path, f"{where} lacks {path[-1] if len(path) > 1 else f'[{path[0]}]'}", False
        case "union_tag_not_found":
            return path, f"this [[sensor]] lacks kind; {nearest('', KINDS)}", False
        case "union_tag_invalid":
            kind = context["tag"]
            return (*path, "kind"), f'there is no kind "{kind}" of sensor; {nearest(kind, KINDS)}', False
        case "literal_error":
            allowed = re.findall(r"'([^']*)'", context["expected"])
            return path, f"{named} can't be {show(detail['input'])}; {nearest(detail['input'], allowed)}", False
        case "value_error":
            return path, str(context["error"]), False
        case "string_pattern_mismatch":
            return path, f"{show(detail['input'])} {_PATTERNS[named]}", False
        case "greater_than_equal" | "less_than_equal":
            bound = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
            return path, f"{named} is {bound}, not {show(detail['input'])}", False
        case "tuple_type" if len(path) == 1:
            return path, f"there may be several: write [[{path[0]}]], in double brackets", True
        case "model_type" | "dict_type" if len(path) == 1:
            return path, f"there is one: write [{path[0]}], in single brackets, and its keys below", True
        case _:
            return path, _of_value(named, detail), False


def _of_value(named: str, detail: ErrorDetails) -> str:
    match detail["type"]:
        case "string_too_short":
            return f"{named} holds an empty text, which names nothing"
        case "too_long":
            return f"{named} is a list of {detail['ctx']['max_length']} at the most, not of {detail['ctx']['actual_length']}"
        case kind if kind in _BOUNDS:
            bound, words = _BOUNDS[kind]
            return f"{named} is {words} {detail['ctx'][bound]}, not {detail['input']}"
        case other:
            return f"{named} is {_WANTED.get(other, detail['msg'])}, not {show(detail['input'])}"


_PATTERNS = {
    "prefix": "is no topic: write it without +, #, and a / at either end, in 2 to 200 characters of one line",
    "discovery": 'is neither a topic (without +, #, and a / at either end, in 2 to 200 characters of one line) nor "off"',
    "topic": "is no topic: write it without +, #, and a / at either end, in 2 to 200 characters of one line",
    "sides": f"is no name of a side: it has {NOT_PLAIN}",
    "name": f"is no name for people: it has {NOT_PLAIN}",
}
"""What is wrong with a text that doesn't fit its pattern, by key."""

_BOUNDS = {"greater_than_equal": ("ge", "at least"), "less_than_equal": ("le", "at most"), "greater_than": ("gt", "more than")}

_WANTED = {
    "string_type": "a text in quotation marks",
    "bool_type": "true or false",
    "model_type": "a table",
    "tuple_type": "a list",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "dict_type": "a table",
}


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _section(path: KeyPath, data: Mapping[str, Any]) -> tuple[str, type[BaseModel]]:
    """What the table at `path` is called, and its model."""
    match path:
        case ():
            return "the file", TableFile
        case ("sensor", int(), "i2c", *_):
            return "i2c", I2C
        case ("sensor", int(index), *_):
            kind = str(data["sensor"][index].get("kind"))
            return (f'a [[sensor]] of kind "{kind}"', KINDS[kind]) if kind in KINDS else ("this [[sensor]]", UnknownSensor)
        case ("board" | "lines" | "output" as name, *_):
            return f"[[{name}]]", _PLACES[f"[[{name}]]"]
        case _:
            header = f"[{'.'.join(map(str, path))}]"
            return header, _PLACES.get(header, TableFile)


def _unknown_key(key: str, where: str, model: type[BaseModel]) -> str:
    homes = [name for name, other in _PLACES.items() if key in _keys(other)]
    if homes:
        return f"{key} doesn't belong in {where} but in {' or '.join(homes)}"
    return f"unknown key {key} in {where}; {nearest(key, _keys(model))}"

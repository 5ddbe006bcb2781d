"""Frozen dataclasses from JSON and back, strictly: the shape of events and states is their type annotations.

`reader(T)` builds, once a type, a function `(value, place) -> T` that raises `Unreadable` with the place and what is
allowed there. Known shapes: dataclasses, `Literal`, `bool`, `int`, `float`, `str`, `None`, unions, `tuple[T, ...]`,
`tuple[A, B]`, `frozenset[T]`, `Mapping[str, T]`, `Json`, and classes with a `from_json` of their own.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union, get_args, get_origin

from controller.rules.awards import Json
from controller.rules.errors import nearest, shown

Read = Callable[[Any, str], Any]


class Unreadable(ValueError):
    """A value that doesn't have the shape it should; the message names the place."""

    def __init__(self, said: str, place: str = "") -> None:
        super().__init__(f"{place}: {said}" if place else said)
        self.said = said
        self.place = place

    def inside(self, outer: str) -> Unreadable:
        """The same, seen from `outer`. Places are put together only once something is wrong: reading is what must be fast."""
        dot = "." if outer and self.place and not self.place.startswith("[") else ""
        return Unreadable(self.said, f"{outer}{dot}{self.place}")


def fail(place: str, said: str) -> typing.NoReturn:
    """Raise `Unreadable` for `place`."""
    raise Unreadable(said, place)


class _Probe:
    json: Json


# Type hints spell the alias's own name in it out as a forward reference, which differs from the alias.
_JSON = (Json, typing.get_type_hints(_Probe)["json"])

_built: dict[Any, Read] = {}


def reader(shape: Any) -> Read:
    """A function that reads JSON values of this shape; built once."""
    built = _built.get(shape)
    if built is None:
        built = _built[shape] = _build(shape)
    return built


def _build(shape: Any) -> Read:
    plain = _PLAIN.get(shape)
    if plain is not None:
        return plain
    if shape in _JSON or shape is Any:
        return _read_any
    if dataclasses.is_dataclass(shape):
        return _dataclass_reader(shape)
    origin, args = get_origin(shape), get_args(shape)
    if origin is Literal:
        return _literal_reader(args)
    if origin in (Union, types.UnionType):
        return _union_reader(args)
    if origin is tuple:
        return _tuple_reader(args)
    if origin is frozenset:
        return _frozenset_reader(args[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(args[0], args[1])
    raise TypeError(f"no reader for {shape!r}")


def to_json(value: Any) -> Any:
    """The JSON form of a value that `reader` can read back."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if dataclasses.is_dataclass(value):
        shape: Any = type(value)
        return {key: to_json(getattr(value, name)) for name, key in _keys(shape)}
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(to_json(item) for item in value)
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    raise TypeError(f"no JSON form for {type(value).__name__}")


@functools.cache
def _keys(shape: Any) -> tuple[tuple[str, str], ...]:
    # JSON keys that are Python words bear a trailing underscore in the class: `from_`.
    return tuple((f.name, f.name.rstrip("_")) for f in dataclasses.fields(shape))


def _name(value: Any) -> str:
    names = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _wanted(what: str, value: Any) -> str:
    return f"{what} is wanted, not {_name(value)}"


def _read_any(value: Any, place: str) -> Any:  # noqa: ARG001 - one signature for all readers
    return value


def _read_bool(value: Any, place: str) -> bool:
    if value is True or value is False:
        return value
    fail(place, _wanted("true or false", value))


def _read_int(value: Any, place: str) -> int:
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    fail(
        place,
        f"a whole number is wanted, not {value!r}" if type(value) is float else f"a whole number is wanted, not {_name(value)}",
    )


def _read_float(value: Any, place: str) -> float:
    if type(value) is int:  # may be too large for a float, even for asking whether it's finite
        return value
    if type(value) is float:
        if math.isfinite(value):
            return value
        fail(place, f"a finite number is wanted, not {value!r}")
    fail(place, _wanted("a number", value))


def _read_str(value: Any, place: str) -> str:
    if type(value) is str:
        return value
    fail(place, _wanted("a text", value))


def _read_none(value: Any, place: str) -> None:
    if value is not None:
        fail(place, _wanted("null", value))


_PLAIN: dict[Any, Read] = {
    bool: _read_bool,
    int: _read_int,
    float: _read_float,
    str: _read_str,
    type(None): _read_none,
    None: _read_none,
}


def _literal_reader(choices: tuple[Any, ...]) -> Read:
    by_key = {(type(choice), choice): choice for choice in choices}

    def read(value: Any, place: str) -> Any:
        try:
            return by_key[type(value), value]
        except (KeyError, TypeError):
            fail(place, f"unknown {shown(value)}; {nearest(value, choices)}")

    return read


def _union_reader(args: tuple[Any, ...]) -> Read:
    readers = [reader(arg) for arg in args]
    wanted = [arg for arg in args if arg is not type(None)]
    optional = len(wanted) < len(args)

    def read(value: Any, place: str) -> Any:
        if optional and value is None:
            return None
        failed: list[Unreadable] = []
        for arg, read_one in zip(args, readers, strict=True):
            if arg is type(None):
                continue
            try:
                return read_one(value, place)
            except Unreadable as error:
                failed.append(error)
        if len(failed) == 1:
            raise failed[0]
        fail(place, f"{shown(value)} fits none of the forms allowed here")

    return read


def _tuple_reader(args: tuple[Any, ...]) -> Read:
    if len(args) == 2 and args[1] is Ellipsis:
        read_item = reader(args[0])

        def read(value: Any, place: str) -> Any:
            if type(value) is not list and type(value) is not tuple:
                fail(place, _wanted("a list", value))
            read_so_far: list[Any] = []
            try:
                for item in value:
                    read_so_far.append(read_item(item, ""))  # noqa: PERF401 - a comprehension couldn't say which item failed
            except Unreadable as error:
                raise error.inside(f"{place}[{len(read_so_far)}]") from None
            return tuple(read_so_far)

        return read
    readers = [reader(arg) for arg in args]

    def read_fixed(value: Any, place: str) -> Any:
        if type(value) is not list or len(value) != len(readers):
            fail(place, f"a list of {len(readers)} is wanted")
        return tuple(r(item, f"{place}[{n}]") for n, (r, item) in enumerate(zip(readers, value, strict=True)))

    return read_fixed


def _frozenset_reader(arg: Any) -> Read:
    read_items = reader(tuple[arg, ...])

    def read(value: Any, place: str) -> Any:
        items = read_items(value, place)
        if len(set(items)) != len(items):
            fail(place, "the same name stands twice")
        return frozenset(items)

    return read


def _mapping_reader(key: Any, arg: Any) -> Read:
    read_key, read_item = reader(key), reader(arg)

    def read(value: Any, place: str) -> Any:
        if type(value) is not dict and not isinstance(value, Mapping):
            fail(place, _wanted("an object", value))
        return {read_key(k, place): read_item(item, f"{place}.{k}" if place else str(k)) for k, item in value.items()}

    return read


def _dataclass_reader(shape: Any) -> Read:
    own = getattr(shape, "from_json", None)
    if own is not None:
        return typing.cast("Read", own)
    hints = typing.get_type_hints(shape)
    fields = [f for f in dataclasses.fields(shape) if f.init]
    key_of = dict(_keys(shape))
    readers = {key_of[f.name]: (f.name, reader(hints[f.name])) for f in fields}
    required = {f.name for f in fields if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING}

    def read(value: Any, place: str) -> Any:
        if type(value) is not dict and not isinstance(value, Mapping):
            fail(place, _wanted("an object", value))
        values: dict[str, Any] = {}
        at = ""
        try:
            for key, item in value.items():
                entry = readers.get(key)
                if entry is None:
                    fail("", f"unknown field {key!r}; {nearest(key, readers)}")
                at = key
                values[entry[0]] = entry[1](item, "")
                at = ""
            if not required <= values.keys():
                missing = next(key for key, (name, _) in readers.items() if name in required and name not in values)
                fail("", f"the field {missing!r} is missing")
            return shape(**values)
        except Unreadable as error:
            raise error.inside(f"{place}.{at}" if place and at else place or at) from None

    return read

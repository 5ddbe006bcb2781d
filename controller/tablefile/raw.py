"""A table file as tomllib gave it, looked at with care: what has the wrong type is passed over, since the model reports it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controller.tablefile.positions import KeyPath
from controller.tablefile.sensors import full_addresses
from controller.tablefile.values import read_source

Data = Mapping[str, Any]


def get(data: Data, section: str, key: str, default: object = None) -> Any:
    """The value of a key of a section."""
    table = data.get(section, {})
    return table.get(key, default) if isinstance(table, dict) else default


def items(data: Data, section: str) -> Iterator[tuple[int, Data]]:
    """The tables of an array of tables, with their indices."""
    found = data.get(section, [])
    if isinstance(found, list):
        yield from ((index, item) for index, item in enumerate(found) if isinstance(item, dict))


def name_of(item: Data) -> object:
    """What a sensor, output or board is called."""
    return item.get("name", item.get("role"))


def sources(data: Data) -> Iterator[tuple[KeyPath, Data]]:
    """All that has a source, with its path."""
    for section in ("sensor", "output"):
        yield from (((section, index), item) for index, item in items(data, section))


def addresses(at: KeyPath, item: Data) -> Iterator[tuple[KeyPath, str]]:
    """The full addresses of an item's source or sources, with their paths."""
    source = item.get("source")
    parts = source if isinstance(source, list) else [source]
    try:
        read = tuple(read_source(part) for part in parts)
        full = full_addresses(str(name_of(item)), read)
    except ValueError:
        return
    for index, address in enumerate(full):
        yield ((*at, "source", index) if parts is source else (*at, "source")), address

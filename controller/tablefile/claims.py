"""What may be used once alone: names and roles in a file; pins, ports, ids and journals on the whole machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from controller.tablefile.faults import Fault
from controller.tablefile.model import Mqtt, Web
from controller.tablefile.positions import KeyPath
from controller.tablefile.raw import Data, addresses, get, items, name_of, sources
from controller.tablefile.sensors import Section
from controller.tablefile.values import read_host_port, read_path

PlaceOf = Callable[[KeyPath], Fault]
"""The place of a key path in its file, as a fault without a message."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One use of such a thing: what, as people say it; what makes it the same thing; whose; where."""

    thing: str
    key: tuple[object, ...]
    owner: str
    place: Fault


def claims_in_file(data: Data, place: PlaceOf) -> Iterator[Claim]:
    """What stands once in one file."""
    for section in ("sensor", "output", "board", "lines"):
        for index, item in items(data, section):
            role, name = item.get("role"), name_of(item)
            if isinstance(role, str):
                yield Claim(f"the role {role}", ("role", role), f"the sensor {name}", place((section, index, "role")))
            if isinstance(name, str):
                key = "name" if "name" in item else "role"
                yield Claim(
                    f"the name {name}",
                    ("name", section if section in ("board", "lines") else "", name),
                    f"the [[{section}]]",
                    place((section, index, key)),
                )
    for at, item in sources(data):
        for where, address in addresses(at, item):
            if not address.startswith("gpio:"):
                yield Claim(address, (address,), f"the {at[0]} {name_of(item)}", place(where))


def claims_on_machine(data: Data, folder: Path, place: PlaceOf) -> Iterator[Claim]:
    """What stands once on one machine, however many tables it serves."""
    for at, item in sources(data):
        for where, address in addresses(at, item):
            if address.startswith("gpio:"):
                yield Claim(address, (address,), f"the {at[0]} {name_of(item)}", place(where))
    for index, board in items(data, "board"):
        for key in ("port", "usb_serial", "id"):
            if isinstance(value := board.get(key), str):
                yield Claim(f"the board at {value}", (key, value), f"the board {board.get('name')}", place(("board", index, key)))
    for index, one in items(data, "lines"):
        for key in ("port", "pipe"):
            if isinstance(value := one.get(key), str):
                owner = f"the lines {one.get('name')}"
                yield Claim(f"the {key} {value}", ("port", value), owner, place(("lines", index, key)))
    for section, key in (("table", "id"), ("mqtt", "prefix"), ("mqtt", "client_id")):
        if isinstance(value := get(data, section, key), str):
            yield Claim(
                f'the {key} "{value}"', (section, key, value), f"the table {get(data, 'table', 'id')}", place((section, key))
            )
    with suppress(ValueError):
        path = read_path(get(data, "journal", "path"), folder).resolve()
        yield Claim(f"the journal {path}", ("journal", path), f"the table {get(data, 'table', 'id')}", place(("journal", "path")))
    yield from _ports(data, place)


def _ports(data: Data, place: PlaceOf) -> Iterator[Claim]:
    listeners: list[tuple[str, str, type[Section]]] = [("web", "the scoreboard", Web)]
    if get(data, "mqtt", "broker") == "managed":
        listeners.append(("mqtt", "the managed broker", Mqtt))
    for section, who, model in listeners:
        with suppress(ValueError):
            port = read_host_port(get(data, section, "listen", str(model.model_fields["listen"].default))).port
            where = place((section, "listen"))
            yield Claim(f"port {port} ([{section}] listen)", ("port", port), f"{who} of {get(data, 'table', 'id')}", where)


def repeated(later: Iterable[Claim], earlier: Iterable[Claim] = ()) -> Iterator[Fault]:
    """A fault for each of the later claims that an earlier one, or one before it, has made."""
    first = {claim.key: claim for claim in earlier}
    blamed = set()
    for claim in later:
        holder = first.setdefault(claim.key, claim)
        place = (claim.place.line, claim.place.column)
        # A role taken twice is a name taken twice, where the name is left to the role: once is enough.
        if holder is claim or place in blamed:
            continue
        blamed.add(place)
        same_file = holder.place.file == claim.place.file
        at = f"in line {holder.place.line}" if same_file else f"at {holder.place.file}:{holder.place.line}"
        yield replace(claim.place, message=f"{claim.thing} is already taken by {holder.owner} {at}")

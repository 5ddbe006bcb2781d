"""The guide asks for one thing after the other, and goes on when it has heard enough of it."""

from __future__ import annotations

import random

from controller.simulation.bounce import Contact
from controller.tuning.choices import propose
from controller.tuning.guide import TIMES, Guide
from hardware.signals import MS, SECOND, Signal
from tests.controller.tuning.test_bells import NAMES, Table
from tests.controller.tuning.test_contacts import pressed
from tests.table_kit import table_of

TABLE = '[table]\nid = "t"\ngame = "fortification"\n' + "".join(
    f'[[sensor]]\nkind = "{kind}"\nname = "{name}"\nrole = "{role}"\nsource = "sim"\nactive = "high"\n'
    for name, role, kind in [
        (NAMES[0], "french-grand", "bell"),
        (NAMES[1], "english-grand", "bell"),
        ("flag", "flag-s1", "switch"),
    ]
)


def shown(guide: Guide, signals: list[Signal], start: int) -> int:
    """Let the guide see these in steps of a tenth of a second, and the silence after them; gives the time then."""
    now, waiting = start, sorted(signal._replace(at=signal.at + start) for signal in signals)
    asked = len(guide.takes)
    until = (waiting[-1].at if waiting else start) + 20 * SECOND
    while now < until and len(guide.takes) == asked:
        now += 100 * MS
        due = [signal for signal in waiting if signal.at <= now]
        waiting = waiting[len(due) :]
        guide.see(due, [], now)
    return now


def test_it_leads_through_a_bell_a_switch_and_knocks_to_a_proposal() -> None:
    said: list[str] = []
    table = table_of(TABLE)
    guide = Guide(table, [NAMES[0], "flag"], said.append)
    bells = Table(0)
    rings = [one for one in bells.rung(0, times=TIMES).signals if one.channel in (f"sim:{NAMES[0]}", f"sim:{NAMES[1]}")]
    now = shown(guide, rings, 100 * SECOND)
    presses = [Signal(at, "sim:flag", level) for at, level in pressed(random.Random(5), Contact(6.0), TIMES)]
    now = shown(guide, presses, now)
    assert not guide.done
    shown(guide, [one for one in bells.knocks().signals if one.at < 20 * SECOND], now)
    assert guide.done
    assert guide.end()
    assert [text.split(",")[0].split(":")[0] for text in said] == [
        f"Now ring {NAMES[0]}",
        NAMES[0],
        "Now press flag",
        "flag",
        "Now knock on the table",
        "knocks",
    ]
    of_bells, of_flag = propose(table, guide.takes)
    assert of_bells.trouble is of_flag.trouble is None
    assert f"{NAMES[0]}: {TIMES} rings in {NAMES[0]}" in of_bells.reasons
    assert of_flag.reasons[0].startswith(f"flag: {TIMES} presses in flag; ")


def test_it_waits_as_long_as_nothing_comes() -> None:
    said: list[str] = []
    guide = Guide(table_of(TABLE), ["flag"], said.append)
    now = shown(guide, [], SECOND)
    assert (guide.done, len(said)) == (False, 1)
    shown(guide, [Signal(SECOND, "sim:flag", 1), Signal(2 * SECOND, "sim:flag", 0)], now)
    assert (guide.done, len(said)) == (False, 1)

"""States and happenings as the engine would hand them on."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from controller.engine.snapshot import Happening, LastAwards, OpenQuestion, SensorView, SideView, Snapshot
from controller.rules.awards import Award, Notice
from hardware.health import SensorHealth, SourceHealth

BLACK = Award("A", 18, "BAG-12", "Black in the centre cup: the black counts double.")
SEVEN = Award("A", 7, "BAG-11", "A ball in cup 7.")


def sensor(name: str, **changes: Any) -> SensorView:
    return SensorView(name, name, "switch", "gpio:17", replace(SensorHealth(name, value=False, since=None), **changes))


def snapshot(revision: int = 1, **changes: Any) -> Snapshot:
    """A bagatelle game in play; `revision` is its score too, so that one can be told from another."""
    state = Snapshot(
        table="long-room",
        game="bagatelle",
        game_id="g1",
        revision=revision,
        at="2026-11-30T21:14:00+00:00",
        phase="playing",
        provisional=False,
        durable=True,
        sides=(SideView("A", "Ann", revision, 7), SideView("B", "Bob", 0)),
        turn="A",
        last=LastAwards(41, (BLACK,), banked=False, event={"event": "shot", "ball": "white-1"}),
        earlier=(LastAwards(40, (SEVEN,), banked=True),),
        unbanked=(SEVEN,),
        notices=(Notice("BAG-05", "Lift the ball from cup 3."),),
        over=None,
        position={"score": {"A": revision, "B": 0}, "cups": {"9": "black"}},
        seen={"cups": {"9": "ball"}},
        options={"target": 120},
        questions=(
            OpenQuestion(
                "q7", "Which cup holds the black?", (("9", "cup 9"), ("none", "none of them")), "9", "18 points", ("cup-9",)
            ),
        ),
        sensors=(sensor("cup-1"), sensor("cup-2", value=True, since=5_000, edges=3, accepted=1)),
        sources=(SourceHealth("gpio", up=True),),
    )
    return replace(state, **changes)


_ids = itertools.count(1)


def happening(revision: int, at: int = 0, **changes: Any) -> Happening:
    event: dict[str, Any] = {"event": "shot", "ball": "white-1", "moves": [], "id": next(_ids)}
    ruling: dict[str, Any] = {"ok": True, "awards": [], "notices": [], "score": {"A": revision, "B": 0}, "over": None}
    return replace(Happening("event", revision, "g1", at, event, ruling, "sensor", (1, 2)), **changes)

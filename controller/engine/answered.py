"""Commands with an id and the replies they got: kept with what they did, so that a program started anew gives the same reply.

Whoever isn't sure that a command arrived sends it again, and the power may have gone just before the reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from controller.engine.requests import Reply
from hardware.signals import SECOND

KEPT = 2000
"""How many the journal keeps: what comes within ten minutes, unless somebody floods the table."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The reply to the command of this `id`. `at`: monotonic nanoseconds of `boot`; `wall`: a label."""

    id: str
    reply: Reply
    boot: str
    at: int
    wall: str

    def row(self) -> tuple[str, str, int, str, str]:
        """As the journal keeps it."""
        reply = self.reply
        told = {"ok": reply.ok, "error": reply.error, "revision": reply.revision, "detail": reply.detail}
        return self.id, self.boot, self.at, self.wall, json.dumps(told, separators=(",", ":"))

    @classmethod
    def of_row(cls, row: tuple[str, str, int, str, str]) -> Answered:
        """What a row of the journal says."""
        name, boot, at, wall, told = row
        return cls(name, Reply(**json.loads(told)), boot, at, wall)


def in_this_boot(answered: Iterable[Answered], boot: str, now: int, wall: str) -> Iterator[Answered]:
    """The same with times of this boot, oldest first.

    How long ago it was in another boot the wall clock alone can tell; where that one was set back meanwhile, it was just now.
    """
    placed = [one if one.boot == boot else replace(one, boot=boot, at=now - _since(one.wall, wall)) for one in answered]
    return iter(sorted(placed, key=lambda one: one.at))


def _since(then: str, now: str) -> int:
    try:
        seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds()
    except (ValueError, TypeError):
        return 0
    return max(0, round(seconds)) * SECOND

"""The announcer: turns what is shown into calls of the voice and patterns of lamps and sounders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.announce.occurrences import Occasion, Occurrence, moments, standing
from controller.announce.sentences import Call, calls
from controller.engine.requests import Reply, Request, TestOutput
from controller.engine.snapshot import Happening, Snapshot
from hardware.outputs.lamps import Lamps
from hardware.outputs.patterns import STEADY, Pattern, flashes

PLAYED: dict[Occasion, Pattern] = {
    "award": flashes(["short"] * 3),
    "turn": flashes(["short"]),
    "over": flashes(["long"] * 3),
    "correction": flashes(["long", "short"]),
}
"""What is played once where the table file names no pattern."""
HELD: dict[Occasion, Pattern] = {"turn": STEADY, "question": flashes(["long"], again=True), "fault": STEADY}
"""What is shown while it stands; a turn only by an output that is one side's."""


@dataclass(frozen=True, slots=True)
class Lit:
    """What one output is lit for. `side`: for that side's occurrences alone; `pattern`: flashes instead of the usual ones."""

    output: str
    on: tuple[Occasion, ...]
    side: str | None = None
    pattern: tuple[str, ...] = ()

    def played(self, occurred: Sequence[Occurrence]) -> Pattern | None:
        """What is played once: for the last of these that concerns it."""
        mine = [one for one in occurred if self._concerns(one) and one.what in PLAYED and not self._holds(one.what)]
        if not mine:
            return None
        return flashes(self.pattern) if self.pattern else PLAYED[mine[-1].what]

    def held(self, stands: frozenset[Occurrence]) -> Pattern | None:
        """What is shown as long as these stand: for the first in its list."""
        for what in self.on:
            if self._holds(what) and any(one.what == what and self._concerns(one) for one in stands):
                return flashes(self.pattern, again=True) if self.pattern else HELD[what]
        return None

    def _holds(self, what: Occasion) -> bool:
        return what in HELD and (what != "turn" or self.side is not None)

    def _concerns(self, one: Occurrence) -> bool:
        return one.what in self.on and (self.side is None or one.side is None or one.side == self.side)


class Announcer:
    """A `Publisher`: `offer` never blocks. `lamps` and `say` (of the voice) are each None where the table has none."""

    def __init__(self, lit: Sequence[Lit] = (), lamps: Lamps | None = None, say: Callable[[Call], None] | None = None) -> None:
        self._lit = tuple(lit)
        self._lamps = lamps
        self._say = say
        self._shown: Snapshot | None = None

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:
        """Take the newest state and what has happened since the last call."""
        before, self._shown = self._shown, snapshot
        if self._lamps is not None:
            stands = standing(snapshot)
            for lit in self._lit:
                self._lamps.hold(lit.output, lit.held(stands))
        if before is None:
            return  # what was before the program began is no news
        if self._lamps is not None and (occurred := moments(before, snapshot, happenings)):
            for lit in self._lit:
                if (pattern := lit.played(occurred)) is not None:
                    self._lamps.play(lit.output, pattern)
        if self._say is not None:
            for call in calls(before, snapshot, happenings):
                self._say(call)


def try_outputs(lamps: Lamps, submit: Callable[[Request], None]) -> Callable[[Request], None]:
    """The same `submit`, but that a request to try an output is done here: it is no part of a game, and no record of one."""

    def submit_or_try(request: Request) -> None:
        if not isinstance(request.command, TestOutput):
            submit(request)
            return
        name, give = request.command.output, request.reply or (lambda _: None)
        if name in lamps.names:
            lamps.test(name, lambda fault: give(Reply(ok=fault is None, error=fault)))
        else:
            give(Reply(ok=False, error=f"this table has no output {name!r}; it has: {', '.join(lamps.names)}"))

    return submit_or_try

"""The marker's mind: signals and requests in, records and one state to show out. Pure: no clock, no thread, no disk.

`work` takes what has come in and gives the records to keep; once they are kept, `view` gives what may be shown. The loop
around it (`loop.py`) owns the queue, the journal and the publishers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.engine import deeds
from controller.engine.answered import Answered
from controller.engine.current import CurrentGame
from controller.engine.desk import Desk
from controller.engine.forgetting import Forget
from controller.engine.journal import GameState, Kept
from controller.engine.occurrences import DEADLINE, Refused
from controller.engine.offering import ROLE
from controller.engine.past import Find
from controller.engine.patience import IDLE, Due, next_due, span
from controller.engine.play import GameInPlay
from controller.engine.records import Record
from controller.engine.requests import Explain, ForgetPlayer, Reply, Request
from controller.engine.scribe import Scribe
from controller.engine.senses import Senses
from controller.engine.showing import Fitted, happenings_of, show_game, show_idle
from controller.engine.snapshot import Happening, SensorView, Snapshot
from controller.rules.awards import Notice
from controller.rules.game import Game
from controller.tables.table import Table
from hardware.health import SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import SECOND, Signal

SLOW_SOURCE = 2 * SECOND
"""How long the table waits for a source that doesn't say how far it has come."""

UNWRITTEN = "journal-write"
"""The fault of a journal that can't be written."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What has come in: `watermarks` by source, `now` monotonic nanoseconds, `wall` ISO 8601.

    `gaps`: how many signals each source knows that it has lost since the last batch. `sources`: how each stands; in a
    replay none. `found`: the levels of sources that were not there when the others were opened, and are now.
    """

    now: int
    wall: str
    signals: list[Signal] = field(default_factory=list)
    requests: list[tuple[int, Request]] = field(default_factory=list)
    watermarks: Mapping[str, int] = field(default_factory=dict)
    gaps: Mapping[str, int] = field(default_factory=dict)
    sources: Sequence[SourceHealth] = ()
    found: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class Engine:
    """One table's engine. `make_table` gives fresh tables of its game.

    `find_past` finds games of earlier days, `forget` takes a player's name out of them. `acts` takes down what people do.
    """

    def __init__(
        self,
        fitted: Fitted,
        game: Game[Any],
        panel: Panel,
        make_table: Callable[[], Table],
        kept: Kept,
        *,
        find_past: Find = lambda _: None,
        forget: Forget = lambda _: 0,
        acts: deeds.Acts | None = None,
    ) -> None:
        self.fitted = fitted
        self.game = game
        self.panel = panel
        self.scribe = Scribe(kept)
        self._acts = acts or deeds.NoActs()
        self.current = CurrentGame(fitted, game, panel, make_table, self.scribe)
        self.current.acts = self._acts
        self.faults = self.current.faults
        self._desk = Desk(self.current, find_past, forget)
        self._stood: tuple[int, bool] | None = None
        self._replies: list[tuple[Request, Reply]] = []
        self._active = 0
        """When anything last moved or was asked for."""
        self._shown: Snapshot | None = None
        self._foreseen: Snapshot | None = None
        """What will be shown next, where its revision was wanted before it was shown."""
        self.current.take_up(kept)

    @property
    def play(self) -> GameInPlay | None:
        """The game in play, if there is one."""
        return self.current.play

    @property
    def senses(self) -> Senses:
        """Which sensors can be used."""
        return self.current.senses

    # At a start

    def boot(
        self, boot: str, levels: Mapping[str, int], now: int, wall: str, version: str, *, missing: Collection[str] = ()
    ) -> None:
        """Begin: reserve revisions, take the sources' levels silently, and ask whether an open game goes on.

        `missing`: sources that are not there yet. Until they come their roles are the marker's.
        """
        self._active = now
        self.senses.begin(missing)
        if not self.scribe.ready:
            self.scribe.begin(boot, now, wall, version)
        self._stand()
        self.current.begin(now, levels)
        self._acts.act({"command": "boot", "missing": [*sorted(missing)]}, now)

    # A turn of the loop

    def work(self, batch: Batch) -> list[Record]:
        """Take a batch in order of time; gives the records to keep, once."""
        self.scribe.wall = batch.wall
        for source, lost in batch.gaps.items():
            self.current.note("gap", {"source": source, "lost": lost}, batch.now)
        for source, levels in batch.found.items():
            self.current.take_in(source, levels, batch.now)
        observations: list[Observation] = []
        for signal in sorted(batch.signals, key=_at):
            observations += self.panel.feed(signal)
        for source, mark in batch.watermarks.items():
            observations += self.panel.advance(source, mark)
        self.current.touched = self.current.touched or bool(observations) or bool(batch.requests)
        events: list[tuple[int, int, Observation | Request]] = [(o.known, n, o) for n, o in enumerate(observations)]
        events += [(at, len(events) + n, request) for n, (at, request) in enumerate(batch.requests)]
        for at, _, item in sorted(events, key=lambda event: event[:2]):
            self._advance_table(at)
            self._advance_people(at)
            if isinstance(item, Observation) or not isinstance(item.command, Explain):
                # Who only asks why doesn't play.
                self._active = max(self._active, at)
            if isinstance(item, Observation):
                self.current.observe(item)
            else:
                self._ask(item, at)
        until = self._table_time(batch)
        self._advance_table(until)
        self._advance_people(until)
        self.current.see_sources(batch.sources, batch.watermarks, batch.now)
        if self.play is not None:
            self.current.keep_state(self.play)
        self._stand()
        return self.scribe.take()

    def _ask(self, request: Request, at: int) -> None:
        """Do what is asked, and have it taken down: as it was asked, for what it names may be another thing then."""
        said = self._deed(request) if deeds.is_told(request.command) else None
        first, before = self.scribe.next_id, self.play
        reply = self._desk.ask(request, self._shown, at)
        self._replies.append((request, reply))
        if said is None:
            return
        if not reply.ok:
            said = deeds.refused(said, self.scribe.since(first))
        elif isinstance(request.command, ForgetPlayer):
            said["gone"] = self.play is not before
        self._acts.act(said, at)

    def _deed(self, request: Request) -> deeds.Deed:
        try:
            play, places = self._desk.about(request.command)
        except Refused:  # and so will be the command
            play, places = None, deeds.QuestionPlaces()
        return deeds.deed(request, play, places, in_play=play is self.play)

    def _stand(self) -> None:
        """Tell how things stand, where that has changed."""
        stands = (self.play.start.id, self.play.ended) if self.play is not None else (0, True)
        if stands != self._stood:
            self._stood = stands
            self._acts.stand(deeds.standing(self.play))

    def games(self) -> list[tuple[int, GameState, str]]:
        """Games whose state has changed since the last call, for the journal."""
        changed = [(game, state, self.scribe.wall) for game, state in self.current.states.items()]
        self.current.states.clear()
        return changed

    def next_deadline(self) -> int | None:
        """When `work` should be called although nothing comes in."""
        deadlines = [self.panel.next_deadline(), self.play.table.next_deadline() if self.play else None]
        if (due := self._people_due()) is not None:
            deadlines.append(due.at)
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def _table_time(self, batch: Batch) -> int:
        slowest = min(batch.watermarks.items(), key=lambda mark: mark[1], default=("", batch.now))
        self.faults.pop("slow", None)
        if batch.now - slowest[1] > SLOW_SOURCE:
            # Elsewhere the marks tell how late it is.
            self._acts.act({"command": "slow"}, batch.now)
        if batch.now - slowest[1] > SLOW_SOURCE and not self.senses.is_away(slowest[0]):
            self.faults["slow"] = (
                f"{slowest[0]} has not answered for {(batch.now - slowest[1]) // SECOND} s; play goes on without it."
            )
        return max(slowest[1], batch.now - SLOW_SOURCE)

    def _advance_table(self, t: int) -> None:
        play = self.play
        while play is not None and not play.abandoned:
            deadline = play.table.next_deadline()
            if deadline is None or deadline > t:
                return
            play.advance(deadline)
            if play.table.next_deadline() == deadline:
                return

    def _people_due(self) -> Due | None:
        return next_due(self.fitted.patience, self.play, self._active) if self.play is not None else None

    def _advance_people(self, t: int) -> None:
        """Do what is due when people have done nothing until `t`."""
        while (due := self._people_due()) is not None and due.at <= t:
            play = self.current.playing()
            if due.what == "abandon":
                self.current.abandon(play, IDLE, due.at)
            elif due.what == "pause":
                play.pause(IDLE, due.at)
                self.current.go_on = f"Nobody has played for {span(due.at - self._active)}."
            else:
                play.answer(due.question, play.in_force(due.question), DEADLINE, due.at)

    # What may be shown

    def replies(self) -> list[tuple[Request, Reply]]:
        """Replies to the requests worked since the last call, with the revision now shown."""
        replies, self._replies = self._replies, []
        revision = self._shown.revision if self._shown else None
        return [(request, replace(reply, revision=revision)) for request, reply in replies]

    def answered(self, now: int) -> list[Answered]:
        """Replies that must be the same after a restart, under the revision that will be shown with them if all is kept."""
        mine = [(name, reply) for request, reply in self._replies if (name := _kept_as(request, reply)) is not None]
        if not mine:
            return []
        revision = self._foresee(now)
        boot, wall = self.scribe.boot, self.scribe.wall
        return [Answered(name, replace(reply, revision=revision), boot, now, wall) for name, reply in mine]

    def _foresee(self, now: int) -> int:
        shown, snapshot = self._shown, self._fresh()
        faults = tuple(fault for place, fault in self.faults.items() if place != UNWRITTEN)
        same = shown is not None and (shown.durable, shown.faults) == (True, faults) and snapshot.same_game_as(shown)
        revision = shown.revision if shown is not None and same else self.scribe.next_revision(now)
        self._foreseen = replace(snapshot, revision=revision)
        return revision

    def view(self, sources: Iterable[SourceHealth], *, durable: bool, now: int) -> tuple[Snapshot, tuple[Happening, ...]]:
        """The state to show, under a new revision if it is not what was shown, and what has happened since the last call."""
        before = self._shown.sensors if self._shown is not None else ()
        sensors = self.fitted.views(self.panel.health(), self.senses.quarantined, before)
        self._shown = self._game_view(sensors, tuple(sources), durable=durable, now=now)
        plays = [*self.current.ended, *self._desk.past.take_happened(), *([] if self.play is None else [self.play])]
        self.current.ended.clear()
        return self._shown, tuple(one for play in plays for one in happenings_of(play, self._shown.revision))

    def _game_view(
        self, sensors: tuple[SensorView, ...], sources: tuple[SourceHealth, ...], *, durable: bool, now: int
    ) -> Snapshot:
        shown, faults = self._shown, tuple(self.faults.values())
        around: dict[str, Any] = {"sensors": sensors, "sources": sources, "faults": faults, "durable": durable}
        if shown is not None and not self.current.touched and (shown.durable, shown.faults) == (durable, faults):
            return replace(shown, **around)
        self.current.touched = False
        snapshot, self._foreseen = self._foreseen or self._fresh(), None
        if shown is not None and (shown.durable, shown.faults) == (durable, faults) and snapshot.same_game_as(shown):
            return replace(shown, **around)
        new = snapshot.revision > (0 if shown is None else shown.revision)
        return replace(snapshot, revision=snapshot.revision if new else self.scribe.next_revision(now), **around)

    def _fresh(self) -> Snapshot:
        if self.play is None:
            return show_idle(self.fitted, self.game, self.scribe.wall)
        snapshot = show_game(self.fitted, self.play, self.current.go_on_question(), self.scribe.wall)
        if not snapshot.questions or not self._by_button:
            return snapshot
        first, *others = self.current.offer.shown(snapshot.questions)
        said = Notice(self.game.prefix, self.current.offer.told(snapshot.questions))
        return replace(snapshot, notices=(*snapshot.notices, said), questions=(first, *others))

    @property
    def _by_button(self) -> bool:
        return any(sensor.role == ROLE for sensor in self.fitted.sensors) and ROLE not in self.senses.lost


def _kept_as(request: Request, reply: Reply) -> str | None:
    # A refused forgetting names the player.
    return None if isinstance(request.command, ForgetPlayer) and not reply.ok else request.id


def _at(signal: Signal) -> int:
    # By time alone: two edges of one input with the same stamp stay as they came.
    return signal.at

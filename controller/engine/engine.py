"""The marker's mind: signals and requests in, records and one state to show out. Pure: no clock, no thread, no disk.

`work` takes what has come in and gives the records to keep; once they are kept, `view` gives what may be shown. The loop
around it (`loop.py`) owns the queue, the journal and the publishers.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.engine.absences import Change
from controller.engine.acts import OnGame, act
from controller.engine.answered import Answered
from controller.engine.forgetting import Forget
from controller.engine.journal import GameState, JournalError, Kept
from controller.engine.occurrences import DEADLINE, Refused
from controller.engine.offering import ROLE, Offer
from controller.engine.past import Find, PastGames, outcome
from controller.engine.patience import IDLE, Due, next_due, span
from controller.engine.play import GameInPlay, Note
from controller.engine.reasons import Reasons
from controller.engine.records import Record, RecordKind
from controller.engine.requests import (
    Abandon,
    Answer,
    EnterEvent,
    Explain,
    ForgetPlayer,
    Pause,
    Quarantine,
    Release,
    Reply,
    Request,
    Resume,
    StartGame,
    TestOutput,
)
from controller.engine.scribe import Scribe
from controller.engine.senses import Senses
from controller.engine.showing import Fitted, happenings_of, open_questions, show_game, show_idle
from controller.engine.snapshot import Happening, OpenQuestion, SensorView, Snapshot
from controller.engine.takeup import take_up
from controller.rules.awards import Json, Notice
from controller.rules.errors import RulesError
from controller.rules.game import Game
from controller.tables.table import Press, Table
from hardware.health import SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import SECOND, Signal

SLOW_SOURCE = 2 * SECOND
"""How long the table waits for a source that doesn't say how far it has come."""

GO_ON = "go-on"
"""The question after a boot that found a game half finished, or when nobody has played for long."""
UNWRITTEN = "journal-write"
"""The fault of a journal that can't be written."""
SWITCHED_OFF = "The table was switched off in the middle of a game."


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

    `find_past` finds games of earlier days, `forget` takes a player's name out of them.
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
    ) -> None:
        self.fitted = fitted
        self.game = game
        self.panel = panel
        self.make_table = make_table
        self.play: GameInPlay | None = None
        self.faults: dict[str, str] = {}
        self.scribe = Scribe(kept)
        self.senses = Senses(fitted.sensors, self.faults)
        self._past = PastGames(find_past, self._note_for)
        self._reasons = Reasons(find_past)
        self._forget = forget
        self._games: dict[int, GameState] = {}
        self._ended: list[GameInPlay] = []
        """Games that were over before this start, of which something is still to be told."""
        self._replies: list[tuple[Request, Reply]] = []
        self._go_on = ""
        """Why people are asked whether to go on; empty: they aren't."""
        self._offer = Offer()
        self._active = 0
        """When anything last moved or was asked for."""
        self._shown: Snapshot | None = None
        self._foreseen: Snapshot | None = None
        """What will be shown next, where its revision was wanted before it was shown."""
        self._levels: dict[str, bool] = {}
        self._scenes: dict[str, Observation] = {}
        """By sensor: what it saw last of where things lie."""
        self._touched = True
        """Whether anything has happened since the last view: a quiet second costs nothing."""
        self._take_up(kept)

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
        for observation in self.panel.begin(dict(levels), now):
            self._levels[observation.role] = bool(observation.value)
        if self.play is not None:
            # No ball rolls through a power cut, and times of another boot can't be compared with those to come.
            self.play.finish(now)
            if self.play.table.phase not in ("over", "paused"):
                self.play.pause("boot", now)
            self._go_on = SWITCHED_OFF if self.play.table.phase == "paused" else ""
            self.play.ask_anew(now)
            self._end_absences(self.play, now)
            self._leave_out(self.play, now)
            self.play.baseline(self._levels, now)

    def _end_absences(self, play: GameInPlay, now: int) -> None:
        # What was away when the program ended has missed what came until then; from now on it is there, or known to be missing.
        for source, (since, _) in [*play.away.items()]:
            self._gap(play, Change(source, "back", since, missed=True), now)

    def _take_up(self, kept: Kept) -> None:
        if kept.ended and kept.ended[0].body["game"] == self.game.name:
            # Nobody plays it on: only what was last told of it, perhaps to nobody, is told again.
            with contextlib.suppress(RulesError):
                self._ended += take_up(kept.ended, self.game, (self.make_table(), self.make_table()), kept.news)[:1]
        if not kept.open_game:
            return
        start = kept.open_game[0]
        if start.body["game"] != self.game.name:
            self.faults["journal"] = (
                f"The journal holds an unfinished game of {start.body['game']}, which this table of {self.game.name} can't go on "
                "with. It stays in the journal."
            )
            return
        try:
            self.play, difference = take_up(kept.open_game, self.game, (self.make_table(), self.make_table()), kept.news)
        except RulesError as error:
            self.faults["journal"] = (
                f"The journal holds an unfinished game that the rules of this version can't go on with ({error}). "
                "It stays in the journal."
            )
            return
        self.play.note = self._note
        self.senses.take_up(kept.open_game)
        if difference is not None:
            self.faults["take-up"] = f"The game was taken up from its events; the table, run again, differs: {difference}"

    # A turn of the loop

    def work(self, batch: Batch) -> list[Record]:
        """Take a batch in order of time; gives the records to keep, once."""
        self.scribe.wall = batch.wall
        for source, lost in batch.gaps.items():
            self._note("gap", {"source": source, "lost": lost}, batch.now)
        for source, levels in batch.found.items():
            self._take_in(source, levels, batch.now)
        observations: list[Observation] = []
        for signal in sorted(batch.signals, key=_at):
            observations += self.panel.feed(signal)
        for source, mark in batch.watermarks.items():
            observations += self.panel.advance(source, mark)
        self._touched = self._touched or bool(observations) or bool(batch.requests)
        events: list[tuple[int, int, Observation | Request]] = [(o.known, n, o) for n, o in enumerate(observations)]
        events += [(at, len(events) + n, request) for n, (at, request) in enumerate(batch.requests)]
        for at, _, item in sorted(events, key=lambda event: event[:2]):
            self._advance_table(at)
            self._advance_people(at)
            if isinstance(item, Observation) or not isinstance(item.command, Explain):
                # Who only asks why doesn't play.
                self._active = max(self._active, at)
            if isinstance(item, Observation):
                self._observe(item)
            else:
                self._ask(item, at)
        until = self._table_time(batch)
        self._advance_table(until)
        self._advance_people(until)
        self._see_sources(batch)
        if self.play is not None:
            self._keep_state(self.play)
        return self.scribe.take()

    def games(self) -> list[tuple[int, GameState, str]]:
        """Games whose state has changed since the last call, for the journal."""
        changed = [(game, state, self.scribe.wall) for game, state in self._games.items()]
        self._games.clear()
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
            play = self._playing()
            if due.what == "abandon":
                self._abandon(play, IDLE, due.at)
            elif due.what == "pause":
                play.pause(IDLE, due.at)
                self._go_on = f"Nobody has played for {span(due.at - self._active)}."
            else:
                play.answer(due.question, play.in_force(due.question), DEADLINE, due.at)

    def _observe(self, observation: Observation) -> None:
        if observation.kind == "level":
            self._levels[observation.role] = bool(observation.value)
        if observation.kind == "position":
            self._scenes[observation.sensor] = observation
        if self.play is not None:
            self.play.observe(observation)
            self._pressed(self.play, observation.known)
        elif observation.role == "new-game" and observation.kind == "held":
            self._try(lambda: self._start(StartGame(), "button", observation.known))

    def _pressed(self, play: GameInPlay, at: int) -> None:
        presses, play.presses = play.presses, []
        for press in presses:
            self._try(lambda press=press: self._press(press, at))  # type: ignore[misc]  # mypy can't infer a lambda with a default

    def _press(self, press: Press, at: int) -> None:
        by = f"button:{press.button}"
        if press.command == "undo":
            self._playing().undo(by, at)
        elif press.command == "resume":
            self._resume(self._playing(), by, at)
        elif press.command == "new_game":
            self._start(StartGame(), by, at)
        else:
            self._answer_by_button(press, by, at)

    def _answer_by_button(self, press: Press, by: str, at: int) -> None:
        play, questions = self._playing(), self._open_questions()
        offered = self._offer.of(questions)
        if offered is None:
            raise Refused("ANSWER was pressed, and nothing is asked now")
        if press.command == "next_choice":
            self._offer.another(questions)
        elif offered[0] == GO_ON:
            self._answer_go_on(offered[1], by, at)
        else:
            play.answer(*offered, by, at)

    def _open_questions(self) -> tuple[OpenQuestion, ...]:
        return () if self.play is None else open_questions(self.fitted, self.play, self._go_on_question())

    def _try(self, act: Callable[[], None]) -> None:
        """Do what a button asks; a refusal is shown to the room, for a button has no other answer."""
        try:
            act()
            self.faults.pop("button", None)
        except Refused as refusal:
            self.faults["button"] = str(refusal)

    # Requests

    def _ask(self, request: Request, at: int) -> None:
        try:
            reply = Reply(ok=True, detail=self._do(request, at))
        except (Refused, RulesError) as error:
            reply = Reply(ok=False, error=str(error))
        self._replies.append((request, reply))

    def _do(self, request: Request, at: int) -> dict[str, Json] | None:
        command, by = request.command, request.via
        if isinstance(command, OnGame):
            return self._on_game(command, by, at)
        if isinstance(command, Explain):
            return self._explain(command)
        if isinstance(command, StartGame):
            self._start(command, by, at)
        elif isinstance(command, Pause):
            self._playing().pause(by, at)
        elif isinstance(command, Resume):
            self._resume(self._playing(), by, at)
        elif isinstance(command, Abandon):
            self._abandon(self._playing(), by, at)
        elif isinstance(command, Quarantine | Release):
            self._quarantine(command, by, at)
        elif isinstance(command, TestOutput):
            raise Refused(f"this table has no output {command.output!r}")
        elif isinstance(command, ForgetPlayer):
            self._forget_player(command.name, by, at)
        return None

    def _on_game(self, command: OnGame, via: str, at: int) -> dict[str, Json] | None:
        if not isinstance(command, EnterEvent):
            self._check_revision(command.if_revision)
        if isinstance(command, Answer) and command.question == GO_ON:
            self._answer_go_on(command.choice, via, at)
            return None
        play = None if self.play is None or self.play.abandoned else self.play
        if command.game is None or (play is not None and command.game in (play.start.body["game_id"], str(play.start.id))):
            return act(self._playing(), command, via, at)
        if self._shown is not None and not self._shown.durable:
            raise Refused("the journal can't be written now; a game of an earlier day can be corrected when it can")
        past = self._past.open(command.game)
        before: dict[str, Json] = dict(past.game.score(past.state))
        return act(past, command, via, at) or outcome(past, before)

    def _forget_player(self, name: str, by: str, at: int) -> None:
        if self.play is not None and not self.play.ended:
            raise Refused("a game is in play, and to forget a player the journal is written anew: ask again when it is over")
        if self.scribe.waiting or (self._shown is not None and not self._shown.durable):
            raise Refused("the journal is still to be written; ask again in a moment")
        try:
            records = self._forget(name)
        except JournalError as error:
            raise Refused(str(error)) from None
        if not records:
            raise Refused(f"no game of the journal names {name!r}")
        sides = [] if self.play is None else self.play.start.body["sides"]
        if isinstance(sides, list) and name in sides:
            # The game that is still shown, though it is over, would go on naming them.
            self.play = None
        self.scribe.note("forget", {"records": records, "by": by}, at, None)

    def _explain(self, command: Explain) -> dict[str, Json]:
        if self._shown is not None and not self._shown.durable:
            raise Refused("the journal can't be written now; what led to points can be told when it can")
        return self._reasons.tell(command, self.play, self.scribe.next_id)

    def _check_revision(self, seen: int | None) -> None:
        if seen is None:
            return
        shown, play = self._shown, self.play
        now = shown.revision if shown else self.scribe.revision
        if seen != now:
            raise Refused(f"the game has moved on: revision {now} is shown now, not {seen}; look and try again")
        # What came in together saw the same score, and the first of it may have changed the game already.
        if shown and play and (play.start.body["game_id"], len(play.moves)) != (shown.game_id, shown.moves):
            raise Refused(f"the game has moved on since revision {seen} was shown; look and try again")

    def _playing(self) -> GameInPlay:
        if self.play is None or self.play.abandoned:
            raise Refused("no game is in play; start one first")
        return self.play

    def _start(self, command: StartGame, by: str, at: int) -> None:
        options: dict[str, Json] = {**self.fitted.options, **command.options}
        position = dict(command.position)
        state = self.game.start(options, position)
        sides = self.game.sides(state)
        usual = self.fitted.sides if len(self.fitted.sides) == len(sides) else sides
        names = command.sides or usual
        if len(names) != len(sides):
            raise Refused(f"{self.game.name} has {len(sides)} sides with these options, not {len(names)}: {', '.join(names)}")
        if self.play is not None and not self.play.ended:
            self._abandon(self.play, by, at)
        self._go_on = ""
        start_id = self.scribe.next_id
        body: dict[str, Json] = {
            "game": self.game.name,
            "game_id": f"{self.scribe.boot}-{start_id}",
            "options": options,
            "sides": list(names),
            "position": position,
            "rules": self.game.version,
            "by": by,
        }
        record = self._note("start", body, at, game=start_id)
        self._games[record.id] = "open"
        self.play = GameInPlay(record, self.game, self.make_table(), self._note)
        self._leave_out(self.play, at)
        self.play.baseline(self._levels, at)
        for source, since in self.senses.away.items():
            self._gap(self.play, Change(source, "away", since), at)
        for scene in self._scenes.values():
            # A new table hasn't seen it, and it is told again only when something has moved.
            self.play.observe(replace(scene, at=at, known=at))

    def _resume(self, play: GameInPlay, by: str, at: int) -> None:
        self._go_on = ""
        play.resume(by, at)

    def _abandon(self, play: GameInPlay, by: str, at: int) -> None:
        self._go_on = ""
        play.abandon(by, at)
        self._keep_state(play)

    def _answer_go_on(self, choice: str, by: str, at: int) -> None:
        if not self._go_on:
            raise Refused("nobody asks whether to go on: the game is in play")
        if choice not in ("yes", "no"):
            raise Refused(f"{choice!r} is no choice of {GO_ON!r}; choices: yes, no")
        play = self._playing()
        if choice == "yes":
            self._resume(play, by, at)
        else:
            self._abandon(play, by, at)

    def _quarantine(self, command: Quarantine | Release, by: str, at: int) -> None:
        names = {sensor.name for sensor in self.fitted.sensors}
        if command.sensor not in names:
            raise Refused(f"this table has no sensor {command.sensor!r}; it has: {', '.join(sorted(names))}")
        if isinstance(command, Quarantine):
            self.senses.leave_out(command.sensor)
            self._change_roles("quarantine", command.sensor, by, at)
        else:
            self.senses.release(command.sensor)
            self._change_roles("release", command.sensor, by, at)

    def _change_roles(self, command: str, sensor: str, by: str, at: int, why: str = "") -> None:
        if self.play is not None:
            lost = self.senses.lost
            said: dict[str, Json] = {"why": why} if why else {}
            self.play.quarantine(lost, {"command": command, "sensor": sensor, "lost": [*sorted(lost)], "by": by, **said}, at)

    def _leave_out(self, play: GameInPlay, at: int) -> None:
        if self.senses.lost != play.out:
            self._change_roles("lost", "", "", at)

    # Sources that come and go

    def _take_in(self, source: str, levels: Mapping[str, int], at: int) -> None:
        """A source that was missing is there: its levels are baselines, nothing of them is play."""
        self._touched = True
        self.senses.found(source)
        self._levels |= {o.role: bool(o.value) for o in self.panel.begin(dict(levels), at)}
        if self.play is not None and not self.play.abandoned:
            self.play.baseline(self._levels, at)
            self._leave_out(self.play, at)

    def _see_sources(self, batch: Batch) -> None:
        in_play = self.play if self.play is not None and not self.play.ended else None
        for change in self.senses.look(batch.sources, batch.watermarks, batch.now, batch.wall):
            if in_play is not None:
                self._gap(in_play, change, batch.now)
        if not batch.sources or not self.senses.look_due(batch.now):
            return
        # In the middle of a game what has gone bad is left out by itself.
        for sensor, why in self.senses.gone_bad(self.panel.health(), batch.sources, batch.now):
            if in_play is not None:
                self.senses.leave_out(sensor, why, batch.wall)
                self._change_roles("quarantine", sensor, "health", batch.now, why)

    def _gap(self, play: GameInPlay, change: Change, at: int) -> None:
        body: dict[str, Json] = {"source": change.source, "what": change.what, "since": change.since}
        if change.what == "back":
            body |= {"until": self.scribe.wall, "missed": change.missed}
        play.gap(body, at)

    # Records

    def _note(self, kind: RecordKind, body: dict[str, Json], at: int, game: int | None = None) -> Record:
        if game is None and self.play is not None:
            game = self.play.start.id
        self._touched = True
        return self.scribe.note(kind, body, at, game)

    def _note_for(self, game: int) -> Note:
        return lambda kind, body, at: self._note(kind, body, at, game)

    def _keep_state(self, play: GameInPlay) -> None:
        state: GameState = "abandoned" if play.abandoned else "over" if play.result is not None else "open"
        if play.kept_as != state:
            play.kept_as = state
            self._games[play.start.id] = state

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
        plays = [*self._ended, *self._past.take_happened(), *([] if self.play is None else [self.play])]
        self._ended.clear()
        return self._shown, tuple(one for play in plays for one in happenings_of(play, self._shown.revision))

    def _game_view(
        self, sensors: tuple[SensorView, ...], sources: tuple[SourceHealth, ...], *, durable: bool, now: int
    ) -> Snapshot:
        shown, faults = self._shown, tuple(self.faults.values())
        around: dict[str, Any] = {"sensors": sensors, "sources": sources, "faults": faults, "durable": durable}
        if shown is not None and not self._touched and (shown.durable, shown.faults) == (durable, faults):
            return replace(shown, **around)
        self._touched = False
        snapshot, self._foreseen = self._foreseen or self._fresh(), None
        if shown is not None and (shown.durable, shown.faults) == (durable, faults) and snapshot.same_game_as(shown):
            return replace(shown, **around)
        new = snapshot.revision > (0 if shown is None else shown.revision)
        return replace(snapshot, revision=snapshot.revision if new else self.scribe.next_revision(now), **around)

    def _fresh(self) -> Snapshot:
        if self.play is None:
            return show_idle(self.fitted, self.game, self.scribe.wall)
        snapshot = show_game(self.fitted, self.play, self._go_on_question(), self.scribe.wall)
        if self._by_button and (offered := self._offer.told(snapshot.questions)):
            return replace(snapshot, notices=(*snapshot.notices, Notice(self.game.prefix, offered)))
        return snapshot

    @property
    def _by_button(self) -> bool:
        return any(sensor.role == ROLE for sensor in self.fitted.sensors) and ROLE not in self.senses.lost

    def _go_on_question(self) -> OpenQuestion | None:
        if not self._go_on:
            return None
        choices = (("yes", "Go on"), ("no", "Give the game up"))
        return OpenQuestion(GO_ON, f"{self._go_on} Go on?", choices, "yes", "the whole game")


def _kept_as(request: Request, reply: Reply) -> str | None:
    # A refused forgetting names the player.
    return None if isinstance(request.command, ForgetPlayer) and not reply.ok else request.id


def _at(signal: Signal) -> int:
    # By time alone: two edges of one input with the same stamp stay as they came.
    return signal.at

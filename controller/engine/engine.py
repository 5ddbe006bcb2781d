"""The marker's mind: signals and requests in, records and one state to show out. Pure: no clock, no thread, no disk.

`work` takes what has come in and gives the records to keep; once they are kept, `view` gives what may be shown. The loop
around it (`loop.py`) owns the queue, the journal and the publishers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.engine.corrections import Action
from controller.engine.journal import GameState, Kept
from controller.engine.play import GameInPlay, Refused
from controller.engine.records import Record, RecordKind
from controller.engine.requests import (
    Abandon,
    Answer,
    Correct,
    EnterEvent,
    Pause,
    Quarantine,
    Release,
    Reply,
    Request,
    Resume,
    StartGame,
    TestOutput,
    Undo,
)
from controller.engine.showing import Fitted, happenings_of, show_game, show_idle
from controller.engine.snapshot import Happening, OpenQuestion, Snapshot
from controller.engine.takeup import take_up
from controller.rules.awards import Json
from controller.rules.errors import RulesError
from controller.rules.game import Game
from controller.tables.table import Press, Table
from hardware.health import SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import SECOND, Signal

REVISIONS_A_BOOT = 10_000_000
"""Revisions that a boot reserves before it shows anything: none is ever used twice."""

SLOW_SOURCE = 2 * SECOND
"""How long the table waits for a source that doesn't say how far it has come."""

GO_ON = "go-on"
"""The question after a boot that found a game half finished."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What has come in: `watermarks` by source, `now` monotonic nanoseconds, `wall` ISO 8601.

    `gaps`: how many signals each source knows that it has lost since the last batch.
    """

    now: int
    wall: str
    signals: list[Signal] = field(default_factory=list)
    requests: list[tuple[int, Request]] = field(default_factory=list)
    watermarks: Mapping[str, int] = field(default_factory=dict)
    gaps: Mapping[str, int] = field(default_factory=dict)


class Engine:
    """One table's engine. `make_table` gives fresh tables of its game."""

    def __init__(self, fitted: Fitted, game: Game[Any], panel: Panel, make_table: Callable[[], Table], kept: Kept) -> None:
        self.fitted = fitted
        self.game = game
        self.panel = panel
        self.make_table = make_table
        self.play: GameInPlay | None = None
        self.faults: dict[str, str] = {}
        self.quarantined: frozenset[str] = frozenset()
        self._next_id = kept.last_id + 1
        self._revision = kept.last_revision
        self._reserved = kept.last_revision
        self._records: list[Record] = []
        self._games: dict[int, GameState] = {}
        self._replies: list[tuple[Request, Reply]] = []
        self._wall = ""
        self._boot = ""
        self._go_on = False
        self._shown: Snapshot | None = None
        self._levels: dict[str, bool] = {}
        self._touched = True
        """Whether anything has happened since the last view: a quiet second costs nothing."""
        self._take_up(kept)

    # At a start

    def boot(self, boot: str, levels: Mapping[str, int], now: int, wall: str, version: str) -> None:
        """Begin: reserve revisions, take the sources' levels silently, and ask whether an open game goes on."""
        self._wall, self._boot = wall, boot
        self._reserve(now, version)
        for observation in self.panel.begin(dict(levels), now):
            self._levels[observation.role] = bool(observation.value)
        if self.play is not None:
            if self.play.table.phase not in ("over", "paused"):
                self.play.pause("boot", now)
            self._go_on = self.play.table.phase == "paused"
            self.play.baseline(self._levels, now)

    def _take_up(self, kept: Kept) -> None:
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
            self.play, difference = take_up(kept.open_game, self.game, (self.make_table(), self.make_table()))
        except RulesError as error:
            self.faults["journal"] = (
                f"The journal holds an unfinished game that the rules of this version can't go on with ({error}). "
                "It stays in the journal."
            )
            return
        self.play.note = self._note
        for record in kept.open_game:
            if record.body.get("command") == "quarantine":
                self.quarantined |= {str(record.body["sensor"])}
            elif record.body.get("command") == "release":
                self.quarantined -= {str(record.body["sensor"])}
        if difference is not None:
            self.faults["take-up"] = f"The game was taken up from its events; the table, run again, differs: {difference}"

    def _reserve(self, now: int, version: str = "") -> None:
        self._revision = self._reserved + 1
        self._reserved += REVISIONS_A_BOOT
        body: dict[str, Json] = {"boot": self._boot, "revisions": [self._revision, self._reserved], "version": version}
        self._note("boot", body, now)

    # A turn of the loop

    def work(self, batch: Batch) -> list[Record]:
        """Take a batch in order of time; gives the records to keep, once."""
        self._wall = batch.wall
        for source, lost in batch.gaps.items():
            self._note("gap", {"source": source, "lost": lost}, batch.now)
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
            if isinstance(item, Observation):
                self._observe(item)
            else:
                self._ask(item, at)
        self._advance_table(self._table_time(batch))
        if self.play is not None:
            self._keep_state(self.play)
        records, self._records = self._records, []
        return records

    def games(self) -> list[tuple[int, GameState, str]]:
        """Games whose state has changed since the last call, for the journal."""
        changed = [(game, state, self._wall) for game, state in self._games.items()]
        self._games.clear()
        return changed

    def next_deadline(self) -> int | None:
        """When `work` should be called although nothing comes in."""
        deadlines = [self.panel.next_deadline(), self.play.table.next_deadline() if self.play else None]
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def _table_time(self, batch: Batch) -> int:
        slowest = min(batch.watermarks.items(), key=lambda mark: mark[1], default=("", batch.now))
        self.faults.pop("slow", None)
        if batch.now - slowest[1] > SLOW_SOURCE:
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

    def _observe(self, observation: Observation) -> None:
        if observation.kind == "level":
            self._levels[observation.role] = bool(observation.value)
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
        else:
            self._start(StartGame(), by, at)

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

    def _do(self, request: Request, at: int) -> dict[str, Json] | None:  # noqa: C901 - one branch a command reads best in one place
        command, by = request.command, request.via
        if isinstance(command, Undo | Answer | Correct):
            self._check_revision(command.if_revision)
        if isinstance(command, StartGame):
            self._start(command, by, at)
        elif isinstance(command, EnterEvent):
            self._playing().enter(command.event, by, at)
        elif isinstance(command, Answer) and command.question == GO_ON:
            self._answer_go_on(command.choice, by, at)
        elif isinstance(command, Answer):
            self._playing().answer(command.question, command.choice, by, at)
        elif isinstance(command, Undo):
            self._playing().undo(by, at)
        elif isinstance(command, Pause):
            self._playing().pause(by, at)
        elif isinstance(command, Resume):
            self._resume(self._playing(), by, at)
        elif isinstance(command, Abandon):
            self._abandon(self._playing(), by, at)
        elif isinstance(command, Quarantine | Release):
            self._quarantine(command, by, at)
        elif isinstance(command, Correct):
            return self._correct(self._playing(), command, by, at)
        elif isinstance(command, TestOutput):
            raise Refused(f"this table has no output {command.output!r}")
        return None

    def _correct(self, play: GameInPlay, command: Correct, by: str, at: int) -> dict[str, Json] | None:
        event = command.replace or command.insert_before
        action: Action = "remove" if command.remove else "replace" if command.replace is not None else "insert_before"
        if not command.preview:
            play.correct(command.revision, action, event, why=command.why, by=by, at=at)
            return None
        found = play.consequence(play.target(command.revision), action, event)
        fallen: list[Json] = [{"revision": entry.revision, "event": entry.filled(play.settled.binds)} for entry in found.fallen]
        scores: dict[str, dict[str, int]] = {
            "before": found.before,
            "after": found.after,
            "stake_before": found.stake_before,
            "stake_after": found.stake_after,
        }
        return {**{name: dict(sums) for name, sums in scores.items()}, "fallen": fallen, "saving": found.saving}

    def _check_revision(self, seen: int | None) -> None:
        if seen is None:
            return
        shown, play = self._shown, self.play
        now = shown.revision if shown else self._revision
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
        self._go_on = False
        start_id = self._next_id
        body: dict[str, Json] = {
            "game": self.game.name,
            "game_id": f"{self._boot}-{start_id}",
            "options": options,
            "sides": list(names),
            "position": position,
            "rules": self.game.version,
            "by": by,
        }
        record = self._note("start", body, at, game=start_id)
        self._games[record.id] = "open"
        self.play = GameInPlay(record, self.game, self.make_table(), self._note)
        lost = self._lost_roles()
        if lost:
            self.play.quarantine(lost, {"command": "quarantine", "sensor": "", "lost": [*sorted(lost)], "by": by}, at)
        self.play.baseline(self._levels, at)

    def _resume(self, play: GameInPlay, by: str, at: int) -> None:
        self._go_on = False
        play.resume(by, at)

    def _abandon(self, play: GameInPlay, by: str, at: int) -> None:
        self._go_on = False
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
        out = isinstance(command, Quarantine)
        self.quarantined = self.quarantined | {command.sensor} if out else self.quarantined - {command.sensor}
        if self.play is not None:
            lost = self._lost_roles()
            name = "quarantine" if out else "release"
            self.play.quarantine(lost, {"command": name, "sensor": command.sensor, "lost": [*sorted(lost)], "by": by}, at)

    def _lost_roles(self) -> frozenset[str]:
        return frozenset(sensor.role for sensor in self.fitted.sensors if sensor.name in self.quarantined)

    # Records

    def _note(self, kind: RecordKind, body: dict[str, Json], at: int, game: int | None = None) -> Record:
        if game is None and self.play is not None and kind != "boot":
            game = self.play.start.id
        if kind in ("event", "correct"):
            # An event's own revision, by which people name it when they correct it.
            self._revision += 1
            body = {**body, "revision": self._revision}
        record = Record(self._next_id, kind, game, at, self._wall, body)
        self._next_id += 1
        self._touched = True
        self._records.append(record)
        return record

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

    def view(self, sources: Iterable[SourceHealth], *, durable: bool, now: int) -> tuple[Snapshot, tuple[Happening, ...]]:
        """The state to show, under a new revision if it is not what was shown, and what has happened since the last call."""
        snapshot = self._game_view(durable=durable, now=now)
        sensors = self.fitted.views(self.panel.health(), self.quarantined)
        self._shown = replace(snapshot, sensors=sensors, sources=tuple(sources))
        happenings = happenings_of(self.play, snapshot.revision) if self.play is not None else ()
        return self._shown, happenings

    def _game_view(self, *, durable: bool, now: int) -> Snapshot:
        shown, faults = self._shown, tuple(self.faults.values())
        if shown is not None and not self._touched and (shown.durable, shown.faults) == (durable, faults):
            return shown
        self._touched = False
        if self.play is None:
            snapshot = show_idle(self.fitted, self.game, self._wall)
        else:
            snapshot = show_game(self.fitted, self.play, self._go_on_question(), self._wall)
        snapshot = replace(snapshot, durable=durable, faults=faults)
        if shown is not None and snapshot == replace(shown, sensors=(), sources=(), at=snapshot.at, revision=0):
            return shown
        self._revision += 1
        if self._revision >= self._reserved:
            self._reserve(now)
        return replace(snapshot, revision=self._revision)

    def _go_on_question(self) -> OpenQuestion | None:
        if not self._go_on:
            return None
        choices = (("yes", "Go on"), ("no", "Give the game up"))
        return OpenQuestion(GO_ON, "The table was switched off in the middle of a game. Go on?", choices, "yes", "the whole game")


def _at(signal: Signal) -> int:
    # By time alone: two edges of one input with the same stamp stay as they came.
    return signal.at

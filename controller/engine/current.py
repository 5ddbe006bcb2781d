"""The game that a table plays now, and the sensors around it: taken up, begun, given up, and what buttons say. Pure."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from controller.engine.absences import Change
from controller.engine.deeds import Acts, NoActs, QuestionPlaces
from controller.engine.journal import GameState, Kept
from controller.engine.occurrences import Refused
from controller.engine.offering import Offer
from controller.engine.play import GameInPlay, Note
from controller.engine.records import Record, RecordKind
from controller.engine.requests import Quarantine, Release, StartGame
from controller.engine.scribe import Scribe
from controller.engine.senses import Senses, ended
from controller.engine.showing import Fitted, open_questions
from controller.engine.snapshot import OpenQuestion
from controller.engine.takeup import BAD_RECORDS, take_up
from controller.rules.awards import Json
from controller.rules.errors import RulesError
from controller.rules.game import Game
from controller.tables.table import Press, Table
from hardware.health import SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import SECOND

log = logging.getLogger(__name__)

GO_ON = "go-on"
"""The question after a boot that found a game half finished, or when nobody has played for long."""
SWITCHED_OFF = "The table was switched off in the middle of a game."


REFUSAL_SHOWN = 20 * SECOND
"""For so long the room is told that a button was refused something."""


class CurrentGame:
    """At most one game, and what its next one begins with. `make_table` gives fresh tables."""

    def __init__(self, fitted: Fitted, game: Game[Any], panel: Panel, make_table: Callable[[], Table], scribe: Scribe) -> None:
        self.fitted = fitted
        self.game = game
        self.panel = panel
        self.make_table = make_table
        self.scribe = scribe
        self.acts: Acts = NoActs()
        """Takes down what the table does by itself and no replay could know: a source has gone or come, a sensor is left out."""
        self.faults: dict[str, str] = {}
        """What is wrong, by its place: sentences for the person who keeps the table."""
        self.senses = Senses(fitted.sensors, self.faults)
        self.play: GameInPlay | None = None
        self.ended: list[GameInPlay] = []
        """Games that were over before this start, of which something is still to be told."""
        self.states: dict[int, GameState] = {}
        """Games whose state has changed, for the journal."""
        self.go_on = ""
        """Why people are asked whether to go on; empty: they aren't."""
        self.offer = Offer()
        self.places = QuestionPlaces()
        self.levels: dict[str, bool] = {}
        self.touched = True
        """Whether anything has happened since the last view: a quiet second costs nothing."""
        self._refused = 0
        """When a button was last refused something."""
        self._scenes: dict[str, Observation] = {}
        """By sensor: what it saw last of where things lie."""

    def take_up(self, kept: Kept) -> None:
        """Go on with the game that the journal left open, if the rules of this version can."""
        if kept.ended and kept.ended[0].body.get("game") == self.game.name:
            # Nobody plays it on: only what was last told of it, perhaps to nobody, is told again.
            with contextlib.suppress(RulesError, *BAD_RECORDS):
                self.ended += take_up(kept.ended, self.game, (self.make_table(), self.make_table()), kept.news)[:1]
        if not kept.open_game:
            return
        start = kept.open_game[0]
        if start.body.get("game") != self.game.name:
            of = start.body.get("game", "no game that it names")
            self.faults["journal"] = (
                f"The journal holds an unfinished game of {of}, which this table of {self.game.name} can't go on with. "
                "It stays in the journal."
            )
            return
        try:
            self.play, difference = take_up(kept.open_game, self.game, (self.make_table(), self.make_table()), kept.news)
        except (RulesError, *BAD_RECORDS) as error:
            said = str(error) if isinstance(error, RulesError) else f"{type(error).__name__}: {error}"
            self.faults["journal"] = (
                f"The journal holds an unfinished game that the rules of this version can't go on with ({said}). "
                "It stays in the journal."
            )
            return
        self.play.note = self.note
        self.senses.take_up(kept.open_game)
        self.places = QuestionPlaces(kept.open_game)
        if difference is not None:
            log.warning("the game in play, run again from the journal, differs: %s", difference)
            self.faults["take-up"] = (
                "The game was taken up from its events: what its sensors saw can't be gone through again, after a change of the "
                "table file or the program, or a full disk. Every event and answer is kept; look whether the score is right."
            )

    def begin(self, now: int, levels: Mapping[str, int]) -> None:
        """A start of the program: take the levels silently, and ask whether an open game goes on."""
        for observation in self.panel.begin(dict(levels), now):
            self.levels[observation.role] = bool(observation.value)
        if self.play is not None:
            # No ball rolls through a power cut, and times of another boot can't be compared with those to come.
            self.play.boot(now)
            if self.play.table.phase not in ("over", "paused"):
                self.play.pause("boot", now)
            self.go_on = SWITCHED_OFF if self.play.table.phase == "paused" else ""
            self.play.ask_anew(now)
            self._end_absences(self.play, now)
            self._leave_out(self.play, now)
            self.play.baseline(self.levels, now)

    def _end_absences(self, play: GameInPlay, now: int) -> None:
        # What was away when the program ended has missed what came until then; from now on it is there, or known to be missing.
        for source, since in [*play.away.since.items()]:
            self._gap(play, Change(source, "back", since, missed=True), now)

    def observe(self, observation: Observation) -> None:
        """Take one observation, and do what a button means by it."""
        if observation.kind == "level":
            self.levels[observation.role] = bool(observation.value)
        if observation.kind == "position":
            self._scenes[observation.sensor] = observation
        if self.play is not None:
            self.play.observe(observation)
            self._pressed(self.play, observation.known)
        elif observation.role == "new-game" and observation.kind == "held":
            self._try(lambda: self.start(StartGame(), "button", observation.known), observation.known)

    def _pressed(self, play: GameInPlay, at: int) -> None:
        presses, play.presses = play.presses, []
        for press in presses:
            self._try(lambda press=press: self._press(press, at), at)  # type: ignore[misc]  # mypy can't infer a default

    def _press(self, press: Press, at: int) -> None:
        by = f"button:{press.button}"
        if press.command == "undo":
            self.playing().undo(by, at)
        elif press.command == "resume":
            self.resume(self.playing(), by, at)
        elif press.command == "new_game":
            self.start(StartGame(), by, at)
        else:
            self._answer_by_button(press, by, at)

    def _answer_by_button(self, press: Press, by: str, at: int) -> None:
        play, questions = self.playing(), self.open_questions()
        offered = self.offer.of(questions)
        if offered is None:
            raise Refused("ANSWER was pressed, and nothing is asked now")
        if press.command == "next_choice":
            self.offer.another(questions)
        elif offered[0] == GO_ON:
            self.answer_go_on(offered[1], by, at)
        else:
            play.answer(*offered, by, at)

    def open_questions(self) -> tuple[OpenQuestion, ...]:
        """All that is asked now."""
        return () if self.play is None else open_questions(self.fitted, self.play, self.go_on_question())

    def _try(self, act: Callable[[], None], at: int) -> None:
        """Do what a button asks; a refusal is shown to the room, for a button has no other answer."""
        try:
            act()
            self.faults.pop("button", None)
        except Refused as refusal:
            said = str(refusal)
            self.faults["button"] = ended(said[:1].upper() + said[1:])
            self._refused = at

    def playing(self) -> GameInPlay:
        """The game in play. Raises `Refused` where there is none."""
        if self.play is None or self.play.abandoned:
            raise Refused("no game is in play; start one first")
        return self.play

    def start(self, command: StartGame, by: str, at: int) -> None:
        """Begin a game; one in play is given up. Raises `Refused`, `RulesError`."""
        options: dict[str, Json] = {**self.fitted.options, **command.options}
        position = dict(command.position)
        state = self.game.start(options, position)
        sides = self.game.sides(state)
        usual = self.fitted.sides if len(self.fitted.sides) == len(sides) else sides
        names = command.sides or usual
        if len(names) != len(sides):
            raise Refused(f"{self.game.name} has {len(sides)} sides with these options, not {len(names)}: {', '.join(names)}")
        if self.play is not None and not self.play.ended:
            self.abandon(self.play, by, at)
        self.go_on = ""
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
        record = self.note("start", body, at, game=start_id)
        self.states[record.id] = "open"
        self.play = GameInPlay(record, self.game, self.make_table(), self.note)
        self._leave_out(self.play, at)
        self.play.baseline(self.levels, at)
        for source, since in self.senses.away.items():
            self._tell_gap(self.play, Change(source, "away", since), at)
        for scene in self._scenes.values():
            # A new table hasn't seen it, and it is told again only when something has moved.
            self.play.observe(replace(scene, at=at, known=at))

    def resume(self, play: GameInPlay, by: str, at: int) -> None:
        """Go on."""
        self.go_on = ""
        play.resume(by, at)

    def abandon(self, play: GameInPlay, by: str, at: int) -> None:
        """Give the game up."""
        self.go_on = ""
        play.abandon(by, at)
        self.keep_state(play)

    def answer_go_on(self, choice: str, by: str, at: int) -> None:
        """Go on or give up, as people say. Raises `Refused`."""
        if not self.go_on:
            raise Refused("nobody asks whether to go on: the game is in play")
        if choice not in ("yes", "no"):
            raise Refused(f"{choice!r} is no choice of {GO_ON!r}; choices: yes, no")
        play = self.playing()
        if choice == "yes":
            self.resume(play, by, at)
        else:
            self.abandon(play, by, at)

    def quarantine(self, command: Quarantine | Release, by: str, at: int) -> None:
        """Leave a sensor out, or take it back in. Raises `Refused`."""
        names = {sensor.name for sensor in self.fitted.sensors}
        if command.sensor not in names:
            raise Refused(f"this table has no sensor {command.sensor!r}; it has: {', '.join(sorted(names))}")
        if isinstance(command, Quarantine):
            self.senses.leave_out(command.sensor)
            self._change_roles("quarantine", command.sensor, by, at)
            return
        self.senses.release(command.sensor)
        self._change_roles("release", command.sensor, by, at)
        if self.play is not None and not self.play.abandoned:
            # What it saw meanwhile was no play; from now on the table goes by what it sees.
            self.play.baseline(self.levels, at)
            if (scene := self._scenes.get(command.sensor)) is not None:
                self.play.observe(replace(scene, at=at, known=at))

    def _change_roles(self, command: str, sensor: str, by: str, at: int, why: str = "") -> None:
        if self.play is not None:
            lost = self.senses.lost
            said: dict[str, Json] = {"why": why} if why else {}
            self.play.quarantine(lost, {"command": command, "sensor": sensor, "lost": [*sorted(lost)], "by": by, **said}, at)

    def _leave_out(self, play: GameInPlay, at: int) -> None:
        if self.senses.lost != play.out:
            self._change_roles("lost", "", "", at)

    # Sources that come and go

    def take_in(self, source: str, levels: Mapping[str, int], at: int) -> None:
        """A source that was missing is there: its levels are baselines, nothing of them is play."""
        self.touched = True
        self.senses.found(source)
        self.levels |= {o.role: bool(o.value) for o in self.panel.begin(dict(levels), at)}
        self.acts.act({"command": "found", "source": source}, at)
        if self.play is not None and not self.play.abandoned:
            self.play.baseline(self.levels, at)
            self._leave_out(self.play, at)

    def see_sources(self, sources: Sequence[SourceHealth], watermarks: Mapping[str, int], now: int) -> None:
        """Take note of sources that have gone or are back, and leave out what has gone bad."""
        if "button" in self.faults and now - self._refused > REFUSAL_SHOWN:
            del self.faults["button"]
            self.touched = True
        in_play = self.play if self.play is not None and not self.play.ended else None
        for change in self.senses.look(sources, watermarks, now, self.scribe.wall):
            if in_play is not None:
                self._tell_gap(in_play, change, now)
        if not sources or not self.senses.look_due(now):
            return
        # In the middle of a game what has gone bad is left out by itself.
        for sensor, why in self.senses.gone_bad(self.panel.health(), sources, now):
            if in_play is not None:
                self.acts.act({"command": "leave_out", "sensor": sensor, "why": why}, now)
                self.leave_out(sensor, why, now)

    def leave_out(self, sensor: str, why: str, at: int) -> None:
        """Leave a sensor out that has gone bad."""
        self.senses.leave_out(sensor, why, self.scribe.wall)
        self._change_roles("quarantine", sensor, "health", at, why)

    def _tell_gap(self, play: GameInPlay, change: Change, at: int) -> None:
        self.acts.act({"command": "source", **self._gap(play, change, at)}, at)

    def _gap(self, play: GameInPlay, change: Change, at: int) -> dict[str, Json]:
        body: dict[str, Json] = {"source": change.source, "what": change.what, "since": change.since}
        if change.what == "back":
            body |= {"until": self.scribe.wall, "missed": change.missed}
        play.gap(body, at)
        return body

    # Records

    def note(self, kind: RecordKind, body: dict[str, Json], at: int, game: int | None = None) -> Record:
        """Write a record, of the game in play unless another is named."""
        if game is None and self.play is not None:
            game = self.play.start.id
        self.touched = True
        record = self.scribe.note(kind, body, at, game)
        self.places.take(record)
        return record

    def note_for(self, game: int) -> Note:
        """What writes the records of one game."""
        return lambda kind, body, at: self.note(kind, body, at, game)

    def keep_state(self, play: GameInPlay) -> None:
        """Let the journal know how a game stands."""
        state: GameState = "abandoned" if play.abandoned else "over" if play.result is not None else "open"
        if play.kept_as != state:
            play.kept_as = state
            self.states[play.start.id] = state

    def go_on_question(self) -> OpenQuestion | None:
        """The question whether to go on, where it is asked."""
        if not self.go_on:
            return None
        choices = (("yes", "Go on"), ("no", "Give the game up"))
        return OpenQuestion(GO_ON, f"{self.go_on} Go on?", choices, "yes", "the whole game")

"""One game in play: its records, the fold of its events, its table and its open questions.

Pure: observations, answers and times in; records out through `note`. The same object runs live and when a journal is taken up
again after a power cut: then `note` compares what it would have written with what is there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

from controller.engine import doubts
from controller.engine.asks import ASK, RulesAsk, asked_by_rules
from controller.engine.corrections import Action
from controller.engine.fold import Entry, Fold, Step
from controller.engine.moves import Moves
from controller.engine.occurrences import DEADLINE, NEWER, Occurrence, Refused, answered, check_allowed
from controller.engine.questions import Settled, fills_nothing, find_choice, in_force, question_body, settle
from controller.engine.records import TAKEN_BACK, Record, RecordKind
from controller.engine.standing import best_turns, standing_of
from controller.engine.tellings import Tellings
from controller.rules.awards import Json, Over
from controller.rules.game import Game
from controller.rules.shapes import to_json
from controller.tables.table import Draft, Out, Press, Question, Seen, Standing, Table
from hardware.observations import Observation

Note = Callable[[RecordKind, dict[str, Json], int], Record]
"""Writes a record: kind, body, time; gives it with its id."""


class GameInPlay:
    """A game from its start record on."""

    def __init__(self, start: Record, game: Game[Any], table: Table, note: Note) -> None:
        options, position = start.body["options"], start.body["position"]
        assert isinstance(options, dict)
        assert isinstance(position, dict)
        self.start = start
        self.game = game
        self.table = table
        self.note = note
        self.fold = Fold(game, options, position)
        self.options = game.read_options(options)
        self.settled = Settled({}, (), provisional=False, hangs={})
        self.tellings = Tellings()
        self.presses: list[Press] = []
        self.occurrences: list[Occurrence] = []
        self.result: Over | None = None
        self.abandoned = False
        self.kept_as: Literal["open", "over", "abandoned"] = "open"
        """As the journal's list of games has it."""
        self.kept = Moves()
        """Its events, answers, undos and corrections."""
        self.away = doubts.Away()
        self.out: frozenset[str] = frozenset()
        """Roles without a sensor now."""
        self.asked_since: dict[str, int] = {}
        """The questions about what happened that people are asked, and since when."""
        self._followed: int | None = None
        """The record that the table follows just now; None while its sensors tell."""
        self._told_now: list[Question] | None = None
        """What it has told of questions since it began to follow; None while it doesn't."""
        self._told: tuple[Over, dict[str, Json], dict[str, int]] | None = None
        self._begun = False

    # What happens

    def baseline(self, levels: dict[str, bool], at: int) -> None:
        """Take the levels as they are, silently; the first time the table begins with them."""
        self.note("baseline", {"levels": dict(levels)}, at)
        self._take(self.table.baseline(levels, at), at)
        self._begin(at)

    def observe(self, observation: Observation) -> None:
        """Take one observation."""
        body = to_json(observation)
        if observation.sound is None:
            # As journals had it before bells told what they measured: a game of one of those is taken up record by record.
            del body["sound"]
        record = self.note("observation", body, observation.known)
        self._take(self.table.observe(Seen(record.id, observation)), observation.known)

    def advance(self, t: int) -> None:
        """Take note that it is `t`; a deadline at which the table did something, be it for itself, is a record."""
        due = self.table.next_deadline()
        outs = self.table.advance(t)
        if outs or self.table.next_deadline() != due:
            self.note("deadline", {"t": t}, t)
            self._take(outs, t)

    def enter(self, event: dict[str, Json], by: str, at: int) -> None:
        """Take an event from the marker. Raises `Refused` with the rule's sentence; nothing is changed then."""
        check_allowed(self.game, self.fold.state, event)
        with self._finished(at, entering=True):
            check_allowed(self.game, self.fold.state, event)
        self._event(event, "marker", (), at=at, by=by)

    def answer(self, question: str, choice: str, by: str, at: int) -> None:
        """Take the answer to an open question. Raises `Refused`."""
        if question.startswith(ASK):
            self._rule(question, choice, by, at)
            return
        asked = self.questions.get(question)
        if asked is None or (doubts.is_doubt(question) and asked not in self.doubts):
            raise self._no_question(question)
        if find_choice(asked, choice) is None:
            raise Refused(f"{choice!r} is no choice of {question!r}; choices: {', '.join(c.key for c in asked.choices)}")
        before = self._scores()
        record = self.note("answer", {"question": question, "choice": choice, "by": by}, at)
        self._keep_move(record)
        self._refold(at, because=record)
        after = self._scores()
        if before != after or by == DEADLINE:
            said = next(c.text for c in asked.choices if c.key == choice)
            self.occurrences.append(Occurrence("correction", at, None, by, answered(asked.text, said, by), before, after))

    def _rule(self, question: str, choice: str, by: str, at: int) -> None:
        asked = next((ask for ask in self.rules_ask if ask.id == question), None)
        if asked is None:
            raise self._no_question(question)
        if choice not in asked.answers:
            raise Refused(f"{choice!r} is no choice of {question!r}; choices: {', '.join(asked.answers)}")
        self.enter(asked.answers[choice][1], by, at)

    def _no_question(self, question: str) -> Refused:
        waiting = ", ".join([*(q.id for q in self.asked), *(ask.id for ask in self.rules_ask)]) or "none"
        return Refused(f"there is no question {question!r}; open questions: {waiting}")

    def in_force(self, question: str) -> str:
        """The answer by which the game stands now, where nobody has given one: the likely one, unless others fit better."""
        return in_force(self.questions[question], self.settled.binds).key

    def ask_anew(self, at: int) -> None:
        """People see the questions from now on."""
        self.asked_since = dict.fromkeys(self.asked_since, at)

    def undo(self, by: str, at: int, why: str = "") -> None:
        """Take back the latest effective record: an event, an answer, or an undo. Raises `Refused` when there is none."""
        with self._finished(at):
            latest = self.kept.latest()
        before = self._scores()
        said = TAKEN_BACK[latest.kind]
        told: dict[str, Json] = {"why": why} if why else {}
        record = self.note("undo", {"target": latest.id, "by": by, **told}, at)
        self._keep_move(record)
        self._refold(at, because=record, taken_back=latest.id)
        self.occurrences.append(Occurrence("correction", at, None, by, why or said, before, self._scores()))

    def correct(self, revision: int, action: Action, event: dict[str, Json] | None, *, why: str, by: str, at: int) -> None:
        """Change the event of a revision, remove it, or put one in before it. Raises `Refused`."""
        with self._finished(at):
            before = self._scores()
            target = self.kept.of_revision(revision)
            if event is not None:
                check_allowed(self.game, self.fold.state_before(target), event)
        body: dict[str, Json] = {"target": target, "action": action, "event": event, "why": why, "by": by}
        record = self.note("correct", body, at)
        self._keep_move(record)
        self._refold(at, because=record)
        self.occurrences.append(Occurrence("correction", at, None, by, why, before, self._scores()))

    def pause(self, by: str, at: int) -> None:
        """Stop scoring: signals are recorded, not scored."""
        self._command("pause", by, at)
        self._take(self.table.pause(at), at)

    def resume(self, by: str, at: int) -> None:
        """Go on. Raises `Refused` unless paused."""
        if self.table.phase != "paused":
            raise Refused(f"the table is not paused; it is {self.table.phase}")
        self._command("resume", by, at)
        self.ask_anew(at)
        self._take(self.table.resume(at), at)

    def finish(self, at: int, *, entering: bool = False) -> None:
        """End every open stroke. `entering`: an event is about to be entered."""
        while outs := self.table.finish(at, entering=entering):
            self._finish_command(at, entering=entering)
            self._take(outs, at)

    def boot(self, at: int) -> None:
        """A start of the program: every open stroke is over. A stroke that was none is dropped by that, and gives nothing."""
        self._finish_command(at, entering=False)
        self._take(self.table.finish(at, entering=False), at)
        self.finish(at)

    def abandon(self, by: str, at: int) -> None:
        """Give the game up, without a result."""
        self._command("abandon", by, at)
        self.table.abandon()
        self.abandoned = True

    def quarantine(self, roles: frozenset[str], body: dict[str, Json], at: int) -> None:
        """Leave these roles' sensors out (all that are out now); `body` is the command as the journal keeps it."""
        self.note("command", body, at)
        self.out = roles
        self.table.lost(roles)

    def gap(self, body: dict[str, Any], at: int) -> None:
        """A source went away or is back; what it may have missed is a doubt, until people clear it. `body` as in the journal."""
        self.note("gap", body, at)
        doubt = self.away.take(body, self.questions, self.doubts)
        if doubt is not None:
            self._question(doubt, at)
        self._refold(at)

    def command(self, body: dict[str, Any], at: int) -> None:
        """Run a command of the journal again."""
        if body["command"] == "finish":
            entering = body.get("entering", False)
            self._finish_command(at, entering=entering)
            self._take(self.table.finish(at, entering=entering), at)
        elif body["command"] in ("pause", "resume", "abandon"):
            {"pause": self.pause, "resume": self.resume, "abandon": self.abandon}[body["command"]](body["by"], at)
        else:
            self.quarantine(frozenset(body["lost"]), body, at)

    def adopt(self, records: list[Record]) -> None:
        """Take events, answers and undos as a journal has them, without their table."""
        for record in records:
            self._keep_move(record)
        self._begin(self.start.at)
        self._refold(records[-1].at if records else self.start.at)
        self.occurrences.clear()

    # What stands

    @property
    def moves(self) -> list[Record]:
        """Its events, answers, undos and corrections."""
        return self.kept.all

    @property
    def questions(self) -> dict[str, Question]:
        """All that was ever left open in this game, by id, as it is now."""
        return self.tellings.questions

    @property
    def state(self) -> Any:
        """The rules' state."""
        return self.fold.state

    @property
    def doubts(self) -> tuple[Question, ...]:
        """What may have been missed, and nobody has said yet that the score is right all the same."""
        return doubts.open_doubts(self.questions.values(), self.kept.answers)

    @property
    def asked(self) -> tuple[Question, ...]:
        """All questions that wait for people; of a game that was given up nobody asks anything."""
        return () if self.abandoned else self.doubts + self.settled.asked

    @property
    def rules_ask(self) -> tuple[RulesAsk, ...]:
        """What the rules leave to people now, where the answers are few."""
        return () if self.abandoned else asked_by_rules(self.game, self.fold.state, self.fold.steps)

    @property
    def provisional(self) -> bool:
        """Whether an open question could change score, turn or winner, or something may have been missed."""
        return self.settled.provisional or bool(self.doubts)

    @property
    def ended(self) -> bool:
        """Whether the game has its result, or was given up."""
        return self.abandoned or self.result is not None

    def shown(self) -> list[Step]:
        """The strokes still open, adjudicated as if they ended now; those that the rules would refuse left out."""
        state = self.fold.state
        steps: list[Step] = []
        for draft in self.table.drafts():
            entry = Entry(0, draft.event, "sensor", draft.evidence)
            step = self.fold.step(state, entry, draft.event)
            if step.stood:
                steps.append(step)
                state = step.state
        return steps

    # How it is done

    def _begin(self, at: int) -> None:
        if not self._begun:
            self._begun = True
            self._take(self.table.begin(self._standing(), at), at)

    @contextlib.contextmanager
    def _finished(self, at: int, *, entering: bool = False) -> Iterator[None]:
        """Every open stroke ended. Where the rest is refused then, that is a record: a table run again must end them too."""
        self.finish(at, entering=entering)
        try:
            yield
        except Refused:
            self._finish_command(at, entering=entering)
            raise

    def _finish_command(self, at: int, *, entering: bool) -> None:
        self.note("command", {"command": "finish", "by": "", **({"entering": True} if entering else {})}, at)

    def _command(self, command: str, by: str, at: int) -> None:
        self.note("command", {"command": command, "by": by}, at)

    def _take(self, outs: Iterable[Out], at: int) -> None:
        for out in outs:
            if isinstance(out, Question):
                if self._question(out, at):
                    self._refold(at, told=out)
            elif isinstance(out, Draft):
                for question in out.questions:
                    self._question(question, at)
                self._event(out.event, "sensor", out.evidence, at=at, by="", draft=out)
            else:
                self.presses.append(out)

    def _question(self, question: Question, at: int) -> bool:
        """Take a question as it is now; False where nothing of it is new."""
        # A table that makes of each of two fills the other would tell of them for ever: the second of them stands.
        told = [] if self._told_now is None else self._told_now
        news = self.tellings.is_news(question) and question not in told
        if news:
            told.append(question)
            because: dict[str, Json] = {} if self._followed is None else {"because": self._followed}
            self.note("question", {**question_body(question), **because}, at)
            self.tellings.take(question, self._followed)
        return news

    def _event(
        self, event: dict[str, Json], origin: str, evidence: tuple[int, ...], *, at: int, by: str, draft: Draft | None = None
    ) -> None:
        record = self.note("event", {"event": event, "origin": origin, "evidence": list(evidence), "by": by}, at)
        if draft is not None:
            self.table.recorded(draft, record.id)
        self._keep_move(record)
        self._refold(at, because=record, is_new=True)

    def _keep_move(self, record: Record) -> None:
        self.kept.keep(record)
        self.tellings.move(record.id)

    def _refold(
        self,
        at: int,
        because: Record | None = None,
        *,
        is_new: bool = False,
        told: Question | None = None,
        taken_back: int | None = None,
    ) -> None:
        """Run the rules again.

        `because`: the move that has come, `is_new` for an event; `told`: a question that has changed; `taken_back`: the record
        that counts no longer.
        """
        before = self._scores()
        self.tellings.hold_under({record.id for record in self.kept.counting})
        entries = self.kept.line
        self.settled = self._settle(self.fold, entries)
        self.asked_since = {q.id: self.asked_since.get(q.id, at) for q in self.settled.asked}
        self.fold.run(entries, self.settled.binds)
        if told is not None:
            why = f"{told.text} {in_force(told, self.settled.binds).text}."
            self._told_anew(before, self.fold.state, why, at, told.evidence)
        elif is_new:
            step = self.fold.steps[-1]
            earlier = self.fold.steps[-2].state if len(self.fold.steps) > 1 else self.fold.opening
            self._told_anew(before, earlier, NEWER, at)
            self.occurrences.append(Occurrence("event" if step.stood else "flagged", at, step, step.entry.origin))
        # Back where the rules have been, all is asked as it was there, unless a sensor has told something since.
        asked = taken_back is None or self.tellings.holds_since(taken_back)
        self._follow(at, because, asked=asked)
        self._settle_result(at)

    def _follow(self, at: int, because: Record | None, *, asked: bool) -> None:
        outer, told = self._followed, self._told_now
        self._followed = outer if because is None else because.id
        self._told_now = [] if told is None else told
        outs = self.table.follow(self._standing(), at)
        # What a table asks of its own follows from where it stands.
        self._take((out for out in outs if asked or not isinstance(out, Question) or fills_nothing(out)), at)
        self._followed, self._told_now = outer, told

    def _settle(self, fold: Fold, entries: Sequence[Entry]) -> Settled:
        return settle(fold, entries, list(self.questions.values()), self.kept.answers, self.tellings.likely)

    def _told_anew(self, before: dict[str, Json], state: Any, why: str, at: int, evidence: tuple[int, ...] = ()) -> None:
        """Say that points which were shown are others now, though nobody has corrected anything."""
        after: dict[str, Json] = dict(self.game.score(state))
        if before != after:
            self.occurrences.append(Occurrence("correction", at, None, "sensor", why, before, after, evidence))

    def _settle_result(self, at: int) -> None:
        over = self.game.over(self.fold.state)
        if self.provisional:
            over = None
        best = best_turns(self.fold.steps) if over is not None else {}
        told = None if over is None else (over, self._scores(), best)
        if told == self._told:
            return
        # A result that is taken back, or that a correction changes, is one more: what was kept first stays.
        shown = None if over is None else to_json(over)
        self.note("result", {"score": self._scores(), "over": shown, "rules": self.game.version, "best": dict(best)}, at)
        if over is not None:
            self.occurrences.append(Occurrence("result", at, self.fold.steps[-1] if self.fold.steps else None, "derived"))
        self.result, self._told = over, told

    def _scores(self) -> dict[str, Json]:
        return dict(self.game.score(self.fold.state))

    def _standing(self) -> Standing:
        asked = tuple(question.id for question in self.settled.asked)
        return standing_of(self.fold, self.options, asked, self.kept.answered, self.kept.answers)

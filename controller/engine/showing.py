"""From the game in play to what is shown: one snapshot, and what has happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from controller.engine.asks import RulesAsk
from controller.engine.console import GameLedger, gained
from controller.engine.doubts import is_doubt
from controller.engine.fold import Step
from controller.engine.occurrences import Occurrence
from controller.engine.patience import FOR_EVER, Patience, unanswered
from controller.engine.play import GameInPlay
from controller.engine.questions import taken_by_table
from controller.engine.snapshot import Happening, LastAwards, OpenQuestion, SensorView, SideView, Snapshot
from controller.rules.awards import Json, Notice, Ruling
from controller.rules.game import Game
from controller.tables.table import Question
from controller.transcript import outcome_json
from hardware.health import SensorHealth
from hardware.signals import source_of

LATER = "what may be played from here on, and what it gives"
"""What hangs on an answer that changes no points yet."""
EARLIER = 4
"""How many awards before the latest the screens may show."""


@dataclass(frozen=True, slots=True)
class FittedSensor:
    """One sensor as the table file names it."""

    name: str
    role: str
    kind: str
    source: str

    @property
    def sources(self) -> frozenset[str]:
        """The sources of its inputs."""
        return frozenset(map(source_of, self.source.split()))


@dataclass(frozen=True)
class Fitted:
    """What is fitted to this table: its id, house rules, names of the sides, sensors, and how long it waits for people."""

    table: str
    options: dict[str, Json]
    sides: tuple[str, ...] = ()
    sensors: tuple[FittedSensor, ...] = ()
    patience: Patience = FOR_EVER

    def views(
        self, health: Iterable[SensorHealth], quarantined: frozenset[str], before: tuple[SensorView, ...] = ()
    ) -> tuple[SensorView, ...]:
        """The sensors with their health. What has not changed since the views `before` is the same object."""
        kept = {id(view.health): view for view in before}
        views = []
        for one in health:
            view = kept.get(id(one))
            if view is None or view.quarantined != (one.sensor in quarantined):
                sensor = self._by_name[one.sensor]
                view = SensorView(sensor.name, sensor.role, sensor.kind, sensor.source, one, sensor.name in quarantined)
            views.append(view)
        return tuple(views)

    @cached_property
    def _by_name(self) -> dict[str, FittedSensor]:
        return {sensor.name: sensor for sensor in self.sensors}


def show_idle(fitted: Fitted, game: Game[Any], wall: str) -> Snapshot:
    """No game yet: zeros."""
    state = game.start(fitted.options, None)
    sides = game.sides(state)
    names = fitted.sides if len(fitted.sides) == len(sides) else sides
    return Snapshot(
        table=fitted.table,
        game=game.name,
        game_id="",
        revision=0,
        at=wall,
        phase="idle",
        provisional=False,
        durable=True,
        sides=tuple(SideView(side, name, 0) for side, name in zip(sides, names, strict=True)),
        turn=None,
        last=None,
        earlier=(),
        unbanked=(),
        notices=(),
        over=None,
        position=game.position(state),
        seen={},
        options=game.read_options(fitted.options),
        questions=(),
        sensors=(),
        sources=(),
        ledger=GameLedger(game, fitted.options),
    )


def show_game(fitted: Fitted, play: GameInPlay, first_question: OpenQuestion | None, wall: str) -> Snapshot:
    """The game as it stands, strokes still open shown as if they ended now."""
    game, state = play.game, play.state
    open_steps = play.shown()
    drafted = [step for step in open_steps if game.turn(step.state) == game.turn(state)]
    ending = [step for step in open_steps if game.turn(step.state) != game.turn(state)]
    ahead = drafted[-1].state if drafted else state
    unbanked = _ruled(ending[0]).awards if ending else game.unbanked(ahead) or ()
    pending: dict[str, int] = {}
    for award in unbanked:
        pending[award.side] = pending.get(award.side, 0) + award.points
    score = game.score(state)
    names = play.start.body["sides"]
    assert isinstance(names, list)
    latest = _awards(play, drafted, ending)
    return Snapshot(
        table=fitted.table,
        game=game.name,
        game_id=str(play.start.body["game_id"]),
        revision=0,
        at=wall,
        phase=play.table.phase,
        provisional=play.provisional,
        durable=True,
        sides=tuple(
            SideView(side, str(name), score[side], pending.get(side, 0))
            for side, name in zip(game.sides(state), names, strict=True)
        ),
        turn=game.turn(state),
        last=latest[0] if latest else None,
        earlier=tuple(latest[1 : 1 + EARLIER]),
        unbanked=tuple(unbanked),
        notices=_notices(play, stroke_open=bool(open_steps)),
        over=game.over(state),
        position=game.position(ahead),
        seen=play.table.seen,
        options=play.options,
        questions=open_questions(fitted, play, first_question),
        sensors=(),
        sources=(),
        moves=len(play.moves),
        ledger=GameLedger.of(play, fitted.options),
    )


def open_questions(fitted: Fitted, play: GameInPlay, first: OpenQuestion | None) -> tuple[OpenQuestion, ...]:
    """All that is asked now, `first` before the rest."""
    names = play.start.body["sides"]
    assert isinstance(names, list)
    said = dict(zip(play.game.sides(play.state), map(str, names), strict=True))
    own = [_open_question(fitted, play, question, said) for question in play.asked]
    return (*([] if first is None else [first]), *own, *(_rules_question(ask, said) for ask in play.rules_ask))


def _open_question(fitted: Fitted, play: GameInPlay, question: Question, names: dict[str, str]) -> OpenQuestion:
    roles = {sensor.role for sensor in fitted.sensors}
    # A table knows no names: a choice that is a side is called as the side is.
    choices = tuple((choice.key, names.get(choice.text, choice.text)) for choice in question.choices)
    return OpenQuestion(
        id=question.id,
        text=question.text,
        choices=choices,
        likely=question.likely,
        hangs=what_hangs(play, question, names),
        roles=tuple(key for key, _ in choices if key in roles),
        unanswered=unanswered(fitted.patience, play, question),
    )


def what_hangs(play: GameInPlay, question: Question, names: dict[str, str]) -> str:
    """What depends on an answer, for people; never nothing."""
    if is_doubt(question.id):
        return "whether the score is final"
    if taken_by_table(question):
        return "whether a stroke more counts"
    stake = play.settled.hangs.get(question.id)
    if stake is None:
        return LATER
    hangs = [f"{names[side]} {change:+d}" for side, change in stake.points.items()]
    if not stake.points:
        hangs += [f"{names[side]} {change:+d} at stake in this turn" for side, change in stake.pending.items()]
    if stake.end:
        hangs.append("how the game ends")
    elif stake.turn and not hangs:
        hangs.append("whose turn it is")
    return ", ".join(hangs) or LATER


def _rules_question(ask: RulesAsk, names: dict[str, str]) -> OpenQuestion:
    choices = tuple((key, names.get(key, text)) for key, (text, _) in ask.answers.items())
    return OpenQuestion(ask.id, ask.text, choices, choices[0][0], f"what {ask.rule} leaves to people")


def _notices(play: GameInPlay, *, stroke_open: bool) -> tuple[Notice, ...]:
    """What the table sees, then what the rules said of the latest event, until the next stroke shows that it was done."""
    if play.table.phase in ("over", "abandoned"):
        return ()
    steps = [] if stroke_open else play.fold.steps
    ruled = steps[-1].outcome.notices if steps and isinstance(steps[-1].outcome, Ruling) else ()
    own = play.table.notices
    return own + tuple(notice for notice in ruled if notice not in own and notice.rule not in play.table.sees)


def _ruled(step: Step) -> Ruling[Any]:
    assert isinstance(step.outcome, Ruling)
    return step.outcome


def _awards(play: GameInPlay, drafted: list[Step], ending: list[Step]) -> list[LastAwards]:
    """Awards, newest first: those of open strokes, then of events."""
    found: list[LastAwards] = []
    firm = len(play.fold.steps)
    steps = [*play.fold.steps, *drafted, *ending] if drafted or ending else play.fold.steps
    banked_already = False
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if not isinstance(step.outcome, Ruling):
            continue
        awards, banked = step.outcome.awards, place < firm
        if not awards:
            if banked_already:
                # Its turn is banked: the turn's total says it all.
                continue
            awards, banked = gained(play.game, steps[place - 1].state if place else play.fold.opening, step)
        if awards:
            found.append(LastAwards(step.entry.id, awards, banked, step.event))
            banked_already = banked_already or banked
        if len(found) > EARLIER:
            break
    return found


def happenings_of(play: GameInPlay, revision: int) -> tuple[Happening, ...]:
    """What has happened in this game since the last call."""
    occurrences, play.occurrences = play.occurrences, []
    return tuple(_happening(play, occurrence, revision) for occurrence in occurrences)


def _happening(play: GameInPlay, occurrence: Occurrence, revision: int) -> Happening:
    step = occurrence.step
    event: dict[str, Json] = step.event if step is not None else {}
    if occurrence.kind == "correction":
        event = {"why": occurrence.why}
    return Happening(
        kind=occurrence.kind,
        revision=step.entry.revision if step is not None and occurrence.kind in ("event", "flagged") else revision,
        game_id=str(play.start.body["game_id"]),
        at=occurrence.at,
        event=event,
        ruling=outcome_json(play.game, step.state, step.outcome) if step is not None else {},
        origin="derived" if occurrence.kind != "event" else "sensor" if occurrence.by == "sensor" else "marker",
        evidence=play.tellings.led_to(step.entry) if step is not None else occurrence.evidence,
        before=occurrence.before,
        after=occurrence.after,
        event_id=step.entry.id if step is not None else 0,
    )

"""What no rule and no sensor could tell at once: asks of the rules as questions, and a sensor that answers late."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.play import GameInPlay
from controller.engine.records import Record, RecordKind
from controller.engine.requests import Answer, EnterEvent, StartGame, Undo
from controller.rules.awards import Json
from controller.rules.registry import find_game
from controller.tables.bare import BareTable
from controller.tables.table import Choice, Draft, Out, Question, Seen, Standing
from hardware.observations import Observation
from tests.table_kit import Bench, same_again

MAW = '[table]\nid = "test"\ngame = "maw"\nsides = ["Ann", "Bob"]\n'


def maw(*events: dict[str, Any], **options: Any) -> Bench:
    table = Bench(MAW).open().start(**options)
    for event in events:
        reply = table.ask(EnterEvent(event))
        assert reply.ok, reply.error
    return table


def asked(table: Bench) -> list[str]:
    return [question.id for question in table.shown.questions]


OFFENCE = {"event": "offence", "law": 4, "by": "A", "deals_again": True}


def test_an_ask_of_the_rules_is_a_question_and_its_answer_is_a_ruling() -> None:
    table = maw(OFFENCE, strict_seed=True)
    (question,) = table.shown.questions
    assert question.id == "ask-MAW-04a-1"
    assert question.text == "A lost the deal and four: who gains them? If nobody, they come off."
    assert question.choices == (("B", "Bob"), ("nobody", "Nobody"))
    assert question.hangs == "what MAW-04a leaves to people"
    before = table.score
    assert "no choice of 'ask-MAW-04a-1'; choices: B, nobody" in str(table.ask(Answer(question.id, "A")).error)
    assert table.ask(Answer(question.id, "B")).ok
    assert table.score == {**before, "B": before["B"] + 4}
    assert asked(table) == []
    assert table.events()[-1].event == {"event": "ruling", "ask": "MAW-04a", "by": "marker", "value": "B"}
    same_again(table)
    assert table.ask(Undo()).ok
    assert (table.score, asked(table)) == (before, ["ask-MAW-04a-1"])


def test_an_ask_is_told_from_the_one_before_it() -> None:
    table = maw(OFFENCE, {"event": "new_deal"}, OFFENCE, strict_seed=True)
    assert asked(table) == ["ask-MAW-04a-1"]
    assert table.ask(Answer("ask-MAW-04a-1", "nobody")).ok
    assert asked(table) == ["ask-MAW-04a-2"]
    assert "no question 'ask-MAW-04a-1'; open questions: ask-MAW-04a-2" in str(table.ask(Answer("ask-MAW-04a-1", "B")).error)


def test_consent_is_asked_of_each_side_and_a_no_from_one_is_enough() -> None:
    table = Bench(MAW).open()
    assert table.ask(StartGame(position={"score": {"A": 24, "B": 25}})).ok
    assert table.ask(EnterEvent({"event": "turn_up", "by": "A", "card": "AH"})).ok
    assert asked(table) == ["ask-MAW-09c-A-1", "ask-MAW-09c-B-1"]
    assert table.ask(Answer("ask-MAW-09c-A-1", "yes")).ok
    assert asked(table) == ["ask-MAW-09c-B-1"]
    assert table.ask(Answer("ask-MAW-09c-B-1", "no")).ok
    assert asked(table) == []
    assert table.ask(EnterEvent({"event": "game_won", "by": "A"})).ok
    assert table.shown.over is None, "the game counts as points alone"


def test_an_ask_for_a_number_is_a_form_on_the_console() -> None:
    table = maw({"event": "game_won", "by": "A"}, strict_seed=True)
    assert asked(table) == []
    assert table.shown.ledger is not None
    form = next(form for form in table.shown.ledger.forms() if form.event == "ruling")
    assert {field.name: field.kind for field in form.fields} == {"ask": "choice", "by": "choice", "value": "number"}


class Scripted(BareTable):
    """A table whose script says what it makes of each observation."""

    def __init__(self, script: dict[str, list[Out]]) -> None:
        super().__init__()
        self.script = script

    def observe(self, seen: Seen) -> list[Out]:
        return self.script[seen.observation.role]


def shot(ball: str, **moves: str) -> dict[str, Json]:
    listed: list[Json] = [{"ball": ball.replace("_", "-"), "to": to} for ball, to in moves.items()]
    return {"event": "shot", "ball": ball, "hit_black": True, "moves": listed}


WHICH: dict[str, list[Json]] = {
    "none": [{"ball": "white-1", "to": "cup-5"}],
    "cup-5": [{"ball": "black", "to": "cup-5"}],
}


def which_cup(*keys: str) -> Question:
    choices = tuple(Choice(key, key, {"?black-1.7": WHICH[key]}) for key in keys)
    return Question("black-1", "Which cup holds the black?", choices, keys[0], due=True)


class Journalled:
    """A game with a scripted table, and what it writes."""

    def __init__(self, script: dict[str, list[Out]], make_table: type[Scripted] = Scripted) -> None:
        start: dict[str, Json] = {"options": {"scoring": "as_made"}, "position": {}, "game_id": "g", "sides": ["A", "B"]}
        self.records = [Record(1, "start", 1, 0, "", start)]
        self.play = GameInPlay(self.records[0], find_game("bagatelle"), make_table(script), self.note)
        self.play.baseline({}, 0)

    def note(self, kind: RecordKind, body: dict[str, Json], at: int) -> Record:
        self.records.append(Record(len(self.records) + 1, kind, 1, at, "", body))
        return self.records[-1]

    def see(self, role: str, at: int) -> None:
        self.play.observe(Observation(at, at, role, role, "level", value=True))

    @property
    def at_stake(self) -> int:
        return sum(award.points for award in self.play.game.unbanked(self.play.state) or ()) + sum(
            self.play.game.score(self.play.state).values()
        )


@pytest.fixture
def game() -> Journalled:
    event: dict[str, Json] = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": "?black-1.7"}
    script: dict[str, list[Out]] = {
        "cup-5": [Draft(event, 0, key=7, questions=(which_cup("none", "cup-5"),))],
        "black-5": [which_cup("cup-5")],
        "white-5": [which_cup("none")],
        "again": [which_cup("cup-5", "none")],
    }
    return Journalled(script)


def test_a_sensor_that_tells_late_answers_the_question(game: Journalled) -> None:
    game.see("cup-5", 1)
    assert [question.id for question in game.play.asked] == ["black-1"]
    assert game.at_stake == 5
    game.see("black-5", 2)
    assert (game.play.asked, game.at_stake) == ((), 10)


def test_what_people_have_answered_is_overruled_only_by_what_makes_it_impossible(game: Journalled) -> None:
    game.see("cup-5", 1)
    game.play.answer("black-1", "none", "web", 2)
    game.see("again", 3)
    assert (game.play.asked, game.at_stake) == ((), 5)
    game.see("black-5", 4)
    assert (game.play.asked, game.at_stake) == ((), 10)


def test_what_one_sensor_has_answered_another_may_ask_again(game: Journalled) -> None:
    game.see("cup-5", 1)
    game.see("white-5", 2)
    assert (game.play.asked, game.at_stake) == ((), 5)
    game.see("again", 3)
    assert [question.id for question in game.play.asked] == ["black-1"]


class Undecided(Scripted):
    """A table that makes of what stands what doesn't, and of that the other way round."""

    def follow(self, standing: Standing, at: int) -> list[Out]:
        super().follow(standing, at)
        if not standing.events:
            return []
        stands = [event["moves"] for _, event in standing.events] == [WHICH["none"]]
        return [which_cup("cup-5", "none") if stands else which_cup("none", "cup-5")]


def test_a_table_that_contradicts_itself_comes_to_an_end() -> None:
    event: dict[str, Json] = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": "?black-1.7"}
    game = Journalled({"cup-5": [Draft(event, 0, key=7, questions=(which_cup("none", "cup-5"),))]}, Undecided)
    game.see("cup-5", 1)
    assert [question.id for question in game.play.asked] == ["black-1"]
    assert [record.kind for record in game.records].count("question") == 3

"""Why points were given: the awards, what was seen, how unknowns were filled, who entered what; by command line and request."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.engine.archive import open_game
from controller.engine.evidence import MOST_BYTES, MOST_EVENTS, explain
from controller.engine.journal import Journal
from controller.engine.requests import Answer, Correct, EnterEvent, Explain, StartGame
from controller.engine.takeup import take_up
from controller.engine.wording import evidence_text
from controller.fitting.tables import rules_of, table_maker
from controller.rules.shapes import reader, to_json
from hardware.observations import Observation, Sound
from tests.fortification_kit import BELLS, BUTTONS, POCKETS, FortBench
from tests.fortification_kit import HEAD as FORTS
from tests.squails_kit import at, ready
from tests.table_kit import COLOURS, FULL, HEAD, Bench, same_again

RING = Observation(1, 2, "french-grand", "french-grand", "ring", 412, sound=Sound(412, 0.8))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "table.sqlite3")
    yield journal
    journal.close()


def told(table: Bench, **asked: Any) -> dict[str, Any]:
    reply = table.ask(Explain(**asked))
    assert reply.ok, reply.error
    assert reply.detail is not None
    return dict(reply.detail)


def by_hand(table: Bench) -> str:
    """What the command line says of the game in play."""
    assert table.engine.play is not None
    number = str(table.engine.play.start.id)
    result = CliRunner().invoke(cli, ["explain", number, "--journal", str(table.journal.path)])  # type: ignore[attr-defined]  # a Journal
    assert result.exit_code == 0, result.output
    return result.stdout


def a_turn_of_two_fills(table: Bench) -> Bench:
    """Cups 5 and 3 filled; which holds the black is asked."""
    table.open().ask(StartGame(sides=("Ann", "Bob")))
    table.wait(0.5)
    table.play_ball(5, strike=True)
    table.play_ball(3)
    table.press("end-of-turn")
    return table


# What a bell measured


def test_a_ring_is_told_with_its_peak_and_decay() -> None:
    assert evidence_text(to_json(RING)) == "bell of french-grand, peak 412, decay 0.8 s"


def test_what_a_bell_measured_goes_through_the_journal_and_records_without_it_are_read() -> None:
    kept = json.loads(json.dumps(to_json(RING)))
    assert reader(Observation)(kept, "") == RING
    del kept["sound"]
    assert reader(Observation)(kept, "").sound is None
    assert evidence_text(kept) == "bell of french-grand"


def test_only_a_bells_record_has_a_sound_and_the_game_is_taken_up_the_same(journal: Journal) -> None:
    table = FortBench(journal=journal).open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into("french-advanced-1")
    table.rest()
    assert table.engine.play is not None
    bodies = [record.body for record in journal.records_of(table.engine.play.start.id) if record.kind == "observation"]
    assert {"sound" in body for body in bodies if body["kind"] == "ring"} == {True}
    assert {"sound" in body for body in bodies if body["kind"] != "ring"} == {False}
    same_again(table)
    line = next(line for line in told(table)["lines"] if line.startswith("+4"))
    assert "FORT-" in line
    assert "bell of french-advanced-1, heard for 0.6 s" in line


def test_a_game_of_a_journal_from_before_bells_told_it_is_taken_up_record_by_record(journal: Journal) -> None:
    table = FortBench(journal=journal).open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into("french-advanced-1")
    table.rest()
    assert table.engine.play is not None
    records = journal.records_of(table.engine.play.start.id)
    old = [replace(one, body={key: value for key, value in one.body.items() if key != "sound"}) for one in records]
    assert old != records
    make = table_maker(table.table)
    play, difference = take_up(old, rules_of(table.table), (make(), make()))
    assert difference is None
    assert play.fold.state == table.engine.play.fold.state


@pytest.mark.parametrize(
    ("role", "kind", "value", "said"),
    [
        ("cup-5", "level", True, "cup-5 filled"),
        ("cup-5", "level", False, "cup-5 emptied"),
        ("spot-a", "level", False, "spot-a lost its ball"),
        ("end-of-turn", "press", True, "end-of-turn pressed"),
        ("half-way", "crossing", "up", "half-way crossing up"),
        ("half-way", "crossing", "", "half-way crossed"),
        ("french-grand-colours", "level", False, "french-grand-colours down"),
        ("english-attack-spot", "level", True, "english-attack-spot has its ball"),
        ("card", "card", "5S", "5S read by card"),
        ("camera", "position", '{"rest":true}', "camera saw everything lie still"),
        ("camera", "position", '{"rest":true,"away":true}', "camera told nothing"),
        ("camera", "position", '{"rest":false,"moved":{"light-s1":[0,0,1]}}', "camera saw light squail 1 move"),
        (
            "camera",
            "position",
            '{"rest":true,"places":{"A-s1":[3,4,1],"target":[0,0,1]},"moved":{"A-s1":[9,9,1]},"gone":{"B-s2":[9,9,1]}}',
            "camera saw A squail 1 5 mm from the middle of the target and B squail 2 gone",
        ),
        ("gauge-no", "press", True, "gauge-no pressed: the gauge does not touch"),
    ],
)
def test_an_observation_is_told_in_words(role: str, kind: Any, value: Any, said: str) -> None:
    assert evidence_text(to_json(Observation(1, 2, role, role, kind, value))) == said


def test_what_was_told_late_is_marked() -> None:
    assert evidence_text(to_json(Observation(1, 2, "cup-5", "cup-5", "level", True, late=True))) == "cup-5 filled, told late"


# What was filled in


def test_an_unknown_says_how_it_was_filled(journal: Journal) -> None:
    table = a_turn_of_two_fills(Bench(FULL, journal))
    assert "likely, not answered" in by_hand(table)
    assert table.ask(Answer("black-1", "cup-5", who="Ann")).ok
    said = by_hand(table)
    assert "likely, not answered" not in said
    assert "spot-a lost its ball, cup-5 filled, black in cup 5, white 1 on the board by answer of the marker (Ann, 20:00)" in said
    assert "by the sensors: end-of-turn pressed" in said


def test_an_unknown_whose_question_a_correction_has_narrowed_says_how_it_was_filled_before() -> None:
    table = Bench(f"{FULL}\n{COLOURS}").open().start()
    table.play_ball(5, 9, strike=True)
    table.set("black-9", on=True)
    table.wait(1)
    table.cross()
    table.wait(8)
    first = table.events()[0].revision
    assert table.ask(Correct(first, replace={"event": "end_turn"})).ok
    reply = table.ask(Explain())
    assert reply.detail is not None
    assert "nothing that the journal kept" not in str(reply.detail["lines"])


def last_of(table: Bench, choice: str) -> str:
    """The last sentence of the game, its one question answered so."""
    (question,) = table.shown.questions
    assert table.ask(Answer(question.id, choice, who="Ann")).ok
    return str(told(table)["lines"][-1]).partition(": ")[2]


def test_of_what_was_seen_only_what_was_in_question_is_told_as_answered(journal: Journal) -> None:
    table = FortBench(FORTS + POCKETS + BUTTONS, journal=journal).open().start()
    table.stroke()
    table.blink("pocket-3")
    table.rest()
    # That one was holed was seen: which, is what the marker said.
    because = "stroke pressed, pocket-3 crossed, ball english-defence-2 by answer of the marker (Ann, 20:00)"
    assert last_of(table, "english-defence-2") == because


SILENT = "French grand fort without ringing, by answer of the marker (Ann, 20:00)"
RANG = "rings the French grand fort, by answer of the marker (Ann, 20:00)"


@pytest.mark.parametrize(("choice", "said"), [("english-attack", f"into the {SILENT}"), ("rang", RANG)])
def test_whether_a_bell_rang_is_told_where_it_is_asked(choice: str, said: str) -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    table.into("french-grand", ring=False)
    table.rest()
    assert last_of(table, choice).endswith(f", french-grand-arch crossed, English attacking ball {said}")


@pytest.mark.parametrize(
    ("choice", "said"),
    [("silent", f"attacking ball into the {SILENT}"), *((f"english-{b}", RANG) for b in ("attack", "defence-2"))],
)
def test_of_a_bell_that_may_have_been_none_it_is_told_whether_it_rang(choice: str, said: str) -> None:
    table = FortBench(FORTS + BELLS + BUTTONS).open().start()
    table.stroke()
    table.into("french-grand")
    table.rest()
    assert said in last_of(table, choice)


def test_what_a_pocket_or_the_pass_was_asked_is_told_in_whole_words() -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    table.set("pocket-1", on=True)
    table.wait(1)
    table.set("pocket-1", on=False)
    table.rest()
    assert last_of(table, "english-attack").endswith(
        ", pocket-1 blocked, English attacking ball holed, by answer of the marker (Ann, 20:00)"
    )


def test_where_balls_lie_is_said_without_the_names_of_events() -> None:
    table = Bench().open().start()
    table.play_ball(strike=True, back=1)
    table.play_ball(5)
    assert any("back over the line" in line for line in told(table)["lines"])
    assert "past_half_way" not in str(told(table)["lines"])


def test_what_stands_by_what_came_after_it_says_by_what() -> None:
    """The camera finds it likelier that the squail stopped short of the line; that it was cried out says that it didn't."""
    table = ready(squails_each=2)
    table.errors = {"light-s1": 20.0}
    table.play("light-s1", at(math.pi / 2, 490.0))
    before = told(table)["lines"][0]
    table.press("dark-out")
    table.wait(1)
    assert before.endswith("? It passed the line and lies there, likely, not answered")
    assert told(table)["lines"][0].endswith("? It went right across by what came after it (dark-out pressed), not answered")


def test_nobodys_answer_in_time_is_said(journal: Journal) -> None:
    table = a_turn_of_two_fills(Bench(FULL.replace(HEAD, f'{HEAD}answer_within = "2min"\n'), journal))
    table.wait(200)
    assert "by nobody's answer in time" in by_hand(table)


# Who entered it


def test_who_entered_and_corrected_an_event_is_said_with_the_reason(journal: Journal) -> None:
    table = Bench(HEAD, journal).open()
    table.ask(StartGame())
    seven = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "white-1", "to": "cup-7"}]}
    table.ask(EnterEvent(seven, who="Bob"))
    revision = table.events()[-1].revision
    assert told(table)["lines"] == ["+7 at stake BAG-11: entered by the marker (Bob, 20:00)"]
    six = {**seven, "moves": [{"ball": "white-1", "to": "cup-6"}]}
    assert table.ask(Correct(revision, replace=six, why="it was six", who="Ann")).ok
    (line,) = told(table)["lines"]
    assert line.startswith(
        "+6 at stake BAG-11: corrected by the marker (Ann, 20:00) from: White 1 struck the black; white 1 in cup 7"
    )
    assert line.endswith(", because: it was six")


# As a command


def test_the_command_says_what_the_command_line_says_and_changes_nothing(journal: Journal) -> None:
    table = a_turn_of_two_fills(Bench(FULL, journal))
    assert table.engine.play is not None
    records, shown = len(journal.records_of(table.engine.play.start.id)), table.shown
    answer = told(table)
    assert (len(journal.records_of(table.engine.play.start.id)), table.shown) == (records, shown)
    assert answer["more"] is None
    kept = open_game(Path(str(journal.path)), table.engine.play.start.id)
    assert answer["lines"] == [line for one in explain(kept) for line in one.sentences]
    one = told(table, revision=answer["events"][0]["revision"])
    assert one["events"] == answer["events"][:1]
    assert [seen["text"] for seen in one["events"][0]["seen"]] == ["half-way crossing up", "spot-a lost its ball", "cup-5 filled"]
    assert [seen["id"] for seen in one["events"][0]["seen"]] == [*kept.steps[0].entry.evidence]


def test_a_game_of_an_earlier_day_is_explained_too(journal: Journal) -> None:
    table = a_turn_of_two_fills(Bench(FULL, journal))
    first = told(table)
    table.ask(StartGame())
    assert told(table)["events"] == []
    assert told(table, game=first["game_id"]) == first


def test_what_is_not_there_is_refused() -> None:
    table = Bench().open()
    assert table.ask(Explain()).error == "no game is in play; name one: `tablemarker history` lists them"
    table.start()
    assert "there is no game 'nine'" in str(table.ask(Explain(game="nine")).error)
    assert str(table.ask(Explain(revision=3)).error).endswith("has no event 3 that counts")


def test_a_long_game_comes_in_pages_that_together_are_the_whole_game(journal: Journal) -> None:
    table = Bench(HEAD, journal).open()
    table.ask(StartGame(options={"target": 1000}))
    for _ in range(2 * MOST_EVENTS + 1):
        assert table.ask(EnterEvent({"event": "end_turn"})).ok
    pages = [told(table)]
    while pages[-1]["more"] is not None:
        pages.append(told(table, after=pages[-1]["more"]))
    assert [len(page["events"]) for page in pages] == [MOST_EVENTS, MOST_EVENTS, 1]
    revisions = [event["revision"] for page in pages for event in page["events"]]
    assert revisions == sorted(set(revisions))
    assert all(len(json.dumps(page)) < 2 * MOST_BYTES for page in pages)


def test_who_only_asks_why_does_not_keep_the_table_awake() -> None:
    table = Bench(FULL.replace(HEAD, f'{HEAD}idle_after = "10min"\n')).open().start()
    for _ in range(3):
        table.wait(240)
        told(table)
    assert table.shown.phase == "paused"

"""What else a recording tells: starts of the program within it, games of earlier in it, sources that go away and come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.engine.journal import Journal
from controller.engine.requests import Abandon, Answer, Correct, EnterEvent, ForgetPlayer, Quarantine, StartGame, Undo
from controller.tablefile import TableFile
from hardware.signals import SECOND
from hardware.sources.trace_file import TraceWriter
from tests.controller.engine.test_past import BLACK, END, SEVEN, enter
from tests.controller.engine.test_sickness import storm
from tests.loose_kit import LooseTable
from tests.people_kit import Replayed, same_as_live, told
from tests.table_kit import COLOURS, FULL, Bench, table_of

Tape = Callable[[], TraceWriter]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def tape(folder: Path) -> Iterator[Tape]:
    """Makes a new file for each start of the program."""
    writers: list[TraceWriter] = []

    def make() -> TraceWriter:
        writers.append(TraceWriter(folder / f"{len(writers)}.jsonl", "boot"))
        return writers[-1]

    yield make
    for writer in writers:
        writer.close()


def replayed(table: Bench, folder: Path, *, missing: bool = False) -> Replayed:
    """What was recorded in this folder, played again; and it is what was live."""
    again = Replayed(table.table, *sorted(folder.glob("*.jsonl")))
    assert bool(again.replay.missing) == missing
    return again


def test_a_start_in_the_middle_of_a_game(folder: Path, tape: Tape) -> None:
    """The program is stopped in the middle of a turn; it asks whether to go on, and people go on and correct what was before."""
    journal, writer = Journal(":memory:"), tape()
    before = Bench(table_of(f"{FULL}\n{COLOURS}"), journal, tape=writer).open().start()
    before.play_ball(5, strike=True)
    before.play_ball(3)
    before.play_ball(7, rest=0.2)
    first = before.events()[0].revision
    writer.close()
    writer = tape()
    after = Bench(before.table, journal, tape=writer)
    after.now = before.now + 5 * SECOND
    for role, on in (("cup-5", True), ("cup-3", True), ("cup-7", True), ("spot-a", False)):
        after.set(role, on=on)
    after.open()
    assert after.shown.phase == "paused"
    assert [question.id for question in after.shown.questions][:1] == ["go-on"]
    assert after.ask(Answer("go-on", "yes")).ok
    assert after.ask(Correct(first, remove=True)).ok
    after.play_ball(8)
    after.press("end-of-turn")
    after.wait(2)
    writer.close()
    again = replayed(after, folder)
    assert [one.said["command"] for one in again.done] == ["start_game", "answer", "correct"]
    assert again.told == told([*before.watcher.happenings, *after.watcher.happenings])
    after.watcher.happenings[:0] = before.watcher.happenings
    same_as_live(again, after)


def test_a_start_when_nobody_plays(folder: Path, tape: Tape) -> None:
    """What was over before it is shown no longer."""
    journal, writer = Journal(":memory:"), tape()
    before = Bench(FULL, journal, tape=writer).open().start(target=1)
    enter(before, BLACK, END, END)
    assert before.shown.phase == "over"
    writer.close()
    writer = tape()
    after = Bench(FULL, journal, tape=writer)
    after.now = before.now + 5 * SECOND
    after.open()
    after.wait(3)
    assert not after.ask(Undo()).ok
    writer.close()
    after.watcher.happenings[:0] = before.watcher.happenings
    again = replayed(after, folder)
    same_as_live(again, after)
    assert again.shown.phase == "idle"
    assert again.done[-1].said == {"command": "undo", "by": "test", "was": "refused"}


def test_a_game_of_earlier_in_the_recording_is_corrected(folder: Path, tape: Tape) -> None:
    writer = tape()
    table = Bench(FULL, tape=writer).open()
    table.start(target=20)
    first, *_ = enter(table, BLACK, SEVEN, END, END)
    assert table.shown.phase == "over"
    name = table.shown.game_id
    table.wait(1)
    table.start()
    enter(table, SEVEN)
    assert table.ask(Correct(first, remove=True, game=name)).ok
    assert table.ask(EnterEvent(END, game=name)).ok
    assert not table.ask(EnterEvent({"event": "none"}, game=name)).ok
    assert table.ask(Undo(game=name.rpartition("-")[2])).ok
    enter(table, BLACK)
    writer.close()
    again = replayed(table, folder)
    same_as_live(again, table)
    assert [one.said["event"] for one in again.done if one.said["command"] == "correct"] == [BLACK]
    assert [one.kind for one in table.watcher.happenings].count("correction") == 2


def test_a_game_that_the_recording_does_not_hold_is_refused_with_a_sentence(folder: Path, tape: Tape) -> None:
    journal = Journal(":memory:")
    before = Bench(FULL, journal).open().start(target=20)
    first, *_ = enter(before, BLACK, SEVEN, END, END)
    name = before.shown.game_id
    writer = tape()
    table = Bench(FULL, journal, tape=writer)
    table.now = before.now + SECOND
    table.open().start()
    assert table.ask(Correct(first, remove=True, game=name)).ok
    enter(table, SEVEN)
    writer.close()
    again = replayed(table, folder)
    (refused,) = again.refused
    assert refused.said["command"] == "correct"
    assert "there is no game" in str(refused.refused)
    assert [event[1] for event in again.told] == [SEVEN]


def test_a_player_who_is_forgotten_takes_the_game_from_the_screens(folder: Path, tape: Tape) -> None:
    writer = tape()
    table = Bench(FULL, tape=writer).open()
    table.ask(StartGame(sides=("Ann", "Bob"), options={"target": 20}))
    table.wait(1)
    enter(table, BLACK, SEVEN, END, END)
    assert table.ask(ForgetPlayer("Ann")).ok
    table.wait(1)
    assert table.shown.phase == "idle"
    writer.close()
    again = replayed(table, folder)
    same_as_live(again, table)
    assert b"Ann" not in (folder / "0.jsonl").read_bytes()


@pytest.mark.parametrize("kept", [True, False])
def test_a_source_that_goes_away_and_comes_back(folder: Path, tape: Tape, *, kept: bool) -> None:
    """What may have been missed is a doubt, which people clear; meanwhile they enter what it would have seen."""
    writer = tape()
    table = LooseTable(tape=writer)
    table.open()
    table.start()
    table.play_ball(5, strike=True)
    table.unplug()
    table.wait(2.6)
    table.play_ball(3)
    enter(table, {"event": "shot", "ball": "white-3", "hit_black": False, "moves": [{"ball": "white-3", "to": "cup-2"}]})
    table.wait(2)
    table.cable.plug(kept=kept)
    table.wait(3)
    table.play_ball(8)
    for question in table.shown.questions:
        assert table.ask(Answer(question.id, question.likely)).ok
    table.unplug()
    table.wait(6)
    table.start()
    table.cable.plug(kept=kept)
    table.wait(3)
    assert table.ask(Answer("away-1", "yes")).ok == bool(not kept)
    table.play_ball(4)
    writer.close()
    again = replayed(table, folder)
    assert again.told == told(table.watcher.happenings)
    same_as_live(again, table)


def test_a_source_that_is_waited_for_no_longer(folder: Path, tape: Tape) -> None:
    """The last ball drops while the cable is out: what is kept of it comes when the turn is over by the time."""
    writer = tape()
    table = LooseTable(
        table=FULL.replace('game = "bagatelle"\n', 'game = "bagatelle"\nquiet = "600ms"\nroll = "600ms"\n'), tape=writer
    )
    table.open()
    table.start()
    for ball in range(7):
        table.play_ball(strike=ball == 0, rest=1)
    table.cross()
    table.wait(0.1)
    table.unplug()
    table.wait(0.1)
    table.set("cup-5", on=True)
    table.wait(2.75)
    assert table.shown.phase == "clearing"
    table.cable.plug(kept=True)
    table.wait(3)
    writer.close()
    same_as_live(replayed(table, folder), table)


def test_a_source_that_comes_late(folder: Path, tape: Tape) -> None:
    """The table starts without it: what it would tell is the marker's; then it comes."""
    writer = tape()
    table = LooseTable(plugged=False, tape=writer)
    table.open()
    table.start()
    enter(table, SEVEN)
    table.cable.plug(kept=False)
    table.wait(3)
    table.play_ball(8)
    table.play_ball(2)
    writer.close()
    again = replayed(table, folder, missing=True)
    same_as_live(again, table)
    assert len(again.told) == 2


def test_a_sensor_that_goes_bad_and_one_that_people_leave_out(folder: Path, tape: Tape) -> None:
    writer = tape()
    table = Bench(FULL, tape=writer).open().start()
    table.play_ball(5, strike=True)
    storm(table, "cup-9")
    assert [view.name for view in table.shown.sensors if view.quarantined] == ["cup-9"]
    assert table.ask(Quarantine("half-way")).ok
    table.wait(3)
    table.press("next-ball")
    table.play_ball(3)
    table.press("end-of-turn")
    table.wait(2)
    writer.close()
    again = replayed(table, folder)
    same_as_live(again, table)


@pytest.fixture
def impatient() -> TableFile:
    return table_of(FULL.replace('game = "bagatelle"\n', 'game = "bagatelle"\nidle_after = "60s"\n'))


@pytest.mark.parametrize("looks", [True, False])
def test_whoever_only_tries_something_is_there(impatient: TableFile, folder: Path, tape: Tape, *, looks: bool) -> None:
    """A preview changes nothing of the game, and keeps the table from pausing it."""
    writer = tape()
    table = Bench(impatient, tape=writer).open().start()
    enter(table, SEVEN)
    table.wait(50)
    if looks:
        assert table.ask(Correct(table.events()[0].revision, remove=True, preview=True)).ok
    table.wait(30)
    assert (table.shown.phase == "paused") == (not looks)
    writer.close()
    same_as_live(replayed(table, folder), table)


def test_a_game_that_was_given_up(folder: Path, tape: Tape) -> None:
    writer = tape()
    table = Bench(FULL, tape=writer).open().start()
    table.play_ball(5)
    assert table.ask(Abandon()).ok
    assert not table.ask(Abandon()).ok
    table.wait(1)
    writer.close()
    same_as_live(replayed(table, folder), table)

"""The loop at its edges: a journal that can't be written, a source that is slow, faults of the parts beside it."""

from __future__ import annotations

import sqlite3

from pytest_mock import MockerFixture

from controller.engine.journal import Journal
from controller.engine.requests import Abandon, Answer, EnterEvent, Quarantine, Release, Reply, Request, StartGame, Undo
from tests.table_kit import FULL, Bench, FullDisk


def test_on_a_full_disk_the_game_goes_on_and_says_that_it_is_not_saved() -> None:
    journal = FullDisk(":memory:")
    table = Bench(FULL, journal).open().start()
    kept = journal.kept().last_id
    journal.full = True
    table.play_ball(5, strike=True)
    for cup in (1, 2, 3, 4, 6, 7, 8):
        table.play_ball(cup, rest=6)
    assert table.shown.phase == "clearing"
    assert not table.shown.durable
    assert any(fault.startswith("Not saved: ") and "free some space" in fault for fault in table.shown.faults)
    journal.full = False
    table.wait(2)
    assert table.shown.durable
    assert table.shown.faults == ()
    ids = [row[0] for row in journal._db.execute("select id from records where id > ? order by id", (kept,))]
    assert ids == list(range(kept + 1, kept + 1 + len(ids)))
    assert len(ids) > 40


def test_an_fsync_that_fails_is_said_and_tried_again(mocker: MockerFixture) -> None:
    table = Bench().open().start()
    failing = mocker.Mock(side_effect=sqlite3.OperationalError("disk I/O error"))
    real, table.loop.journal._db = table.loop.journal._db, mocker.Mock(execute=failing)  # type: ignore[attr-defined]
    table.press("end-of-turn")
    assert not table.shown.durable
    assert "check the SD card" in table.shown.faults[0]
    table.loop.journal._db = real  # type: ignore[attr-defined]
    table.wait(1.5)
    assert table.shown.durable


def test_a_slow_source_is_waited_for_but_not_for_ever(mocker: MockerFixture) -> None:
    table = Bench().open().start()
    for _ in range(7):
        table.play_ball(strike=not table.events())
    table.cross()
    mocker.patch.object(table.sim, "watermark", return_value=table.now)
    table.wait(4)
    assert table.shown.turn == "A"
    assert any("sim has not answered" in fault for fault in table.shown.faults)
    table.wait(4)
    assert table.shown.turn == "B"


def test_a_change_whose_edge_is_lost_is_found_within_a_second_and_counted() -> None:
    table = Bench().open().start()
    table.cross()
    table.set("spot-a", on=False)
    table.wait(0.5)
    table.sim.drop("sim:cup-7", 1)
    table.set("cup-7", on=True)
    table.wait(1.5)
    assert table.pending == {"A": 7}
    assert table.sim.health().recovered == 1


def test_faults_of_other_parts_are_shown_until_they_are_well() -> None:
    table = Bench().open()
    revision = table.shown.revision
    table.loop.report("mqtt", "The broker is away.")
    table.turn()
    assert table.shown.faults == ("The broker is away.",)
    assert table.shown.revision > revision
    table.loop.report("mqtt", None)
    table.turn()
    assert table.shown.faults == ()


def test_a_quiet_second_shows_nothing_new() -> None:
    table = Bench().open().start()
    count, revision = len(table.watcher.snapshots), table.shown.revision
    table.wait(30)
    assert table.shown.revision == revision
    assert len(table.watcher.snapshots) == count


def test_a_new_game_shows_zeros_under_its_own_id_first() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    old = table.shown.game_id
    table.ask(StartGame(sides=("Ann", "Bob")))
    first = next(s for s in table.watcher.snapshots if s.game_id not in ("", old))
    assert [(side.name, side.score, side.pending) for side in first.sides] == [("Ann", 0, 0), ("Bob", 0, 0)]
    assert first.phase == "arming"


def test_revisions_only_grow_over_games_and_boots() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.ask(Undo())
    table.ask(StartGame())
    again = table.again().open()
    again.ask(Answer("go-on", "yes"))
    revisions = [s.revision for s in table.watcher.snapshots + again.watcher.snapshots]
    assert revisions == sorted(revisions)
    by_revision: dict[int, set[object]] = {}
    for snapshot in table.watcher.snapshots + again.watcher.snapshots:
        by_revision.setdefault(snapshot.revision, set()).add((snapshot.game_id, snapshot.phase, str(snapshot.position)))
    assert all(len(states) == 1 for states in by_revision.values())


def test_a_game_given_up_at_the_wall_is_abandoned() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table = table.again().open()
    assert table.ask(Answer("go-on", "no")).ok
    assert table.shown.phase == "abandoned"
    assert not table.ask(Answer("go-on", "no")).ok
    table = table.again("boot-3").open()
    assert table.shown.phase == "idle"


def test_the_undo_button_leaves_a_game_that_was_given_up_as_it_is() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.ask(Abandon())
    table.press("undo")
    assert table.shown.phase == "abandoned"
    assert table.shown.faults == ("No game is in play; start one first.",)
    assert table.events("correction") == []


def test_commands_that_can_not_be_done_say_why() -> None:
    table = Bench().open()
    assert table.ask(Undo()).error == "no game is in play; start one first"
    table.start()
    assert table.ask(Undo()).error == "there is nothing to undo in this game"
    assert "game has moved on" in str(table.ask(Undo(if_revision=1)).error)
    assert "no question 'black-9'" in str(table.ask(Answer("black-9", "none")).error)
    assert "target" in str(table.ask(StartGame(options={"tarket": 5})).error)
    assert "2 sides" in str(table.ask(StartGame(sides=("Ann",))).error)
    assert "no sensor 'cup-12'" in str(table.ask(Quarantine("cup-12")).error)
    assert "shoot" in str(table.ask(EnterEvent({"event": "shoot"})).error)
    assert table.ask(Abandon()).ok
    assert table.ask(Abandon()).error == "no game is in play; start one first"


def test_of_two_commands_for_one_score_the_second_is_refused_also_when_both_come_at_once() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(7)
    replies: list[Reply] = []
    seen = table.shown.revision
    for _ in range(2):
        table.loop.submit(Request(Undo(if_revision=seen), "test", replies.append))
    table.wait(0.01)
    assert [reply.ok for reply in replies] == [True, False]
    assert f"game has moved on since revision {seen}" in str(replies[1].error)
    assert table.pending == {"A": 5}


def test_a_new_game_is_not_undone_by_who_saw_the_old_one() -> None:
    table = Bench().open().start()
    replies: list[Reply] = []
    table.loop.submit(Request(StartGame(), "test", replies.append))
    table.loop.submit(Request(Undo(if_revision=table.shown.revision), "test", replies.append))
    table.wait(0.01)
    assert [reply.ok for reply in replies] == [True, False]
    assert "game has moved on" in str(replies[1].error)


def test_what_a_source_has_lost_is_kept_once_and_the_game_is_taken_up_over_it() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.sim.drop("sim:spot-a", 2, noticed=True)
    for on in (True, False):
        table.set("spot-a", on=on)
    table.play_ball(7)
    journal = table.journal
    assert isinstance(journal, Journal)
    kept = [record.body for record in journal.kept().open_game if record.kind == "gap"]
    assert kept == [{"source": "sim", "lost": 2}]
    assert table.again().open().engine.faults == {}


def test_a_sensor_in_quarantine_is_out_until_it_is_released_also_over_a_restart() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    assert table.ask(Quarantine("cup-5")).ok
    assert next(s for s in table.shown.sensors if s.name == "cup-5").quarantined
    table.play_ball(7)
    assert table.pending == {"A": 12}
    again = table.again()
    again.set("cup-7", on=True)
    again.set("cup-5", on=True)
    again.set("spot-a", on=False)
    again.open()
    assert again.engine.faults == {}
    again.ask(Answer("go-on", "yes"))
    assert next(s for s in again.shown.sensors if s.name == "cup-5").quarantined
    assert again.ask(Release("cup-5")).ok
    assert not next(s for s in again.shown.sensors if s.name == "cup-5").quarantined
    assert again.pending == {"A": 12}
    again.set("cup-5", on=False)
    again.wait(1)
    assert ["cup 5, which is empty" in notice.text for notice in again.shown.notices] == [True]

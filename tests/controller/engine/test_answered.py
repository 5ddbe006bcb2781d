"""Replies outlast a restart, under the revision that was shown with them; not for ever, and not what names the forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.engine.answered import KEPT, Answered, in_this_boot
from controller.engine.journal import Journal
from controller.engine.requests import Command, ForgetPlayer, Pause, Reply, Request, StartGame, Undo
from hardware.signals import SECOND
from tests.table_kit import FULL, Bench, FullDisk

EIGHT = "2026-11-30T20:00:00+00:00"


def ask(table: Bench, command: Command, name: str | None) -> Reply:
    replies: list[Reply] = []
    table.loop.submit(Request(command, "test", replies.append, name))
    table.turn()
    (reply,) = replies
    return reply


def kept(journal: Journal) -> dict[str, Reply]:
    return {one.id: one.reply for one in journal.answered()}


def test_the_reply_is_kept_with_what_it_did_as_it_was_given() -> None:
    journal = Journal(":memory:")
    table = Bench(journal=journal).open()
    started = ask(table, StartGame(), "a")
    refused = ask(table, Undo(), "b")
    paused = ask(table, Pause(), "c")
    ask(table, Undo(), None)
    assert refused.error == "there is nothing to undo in this game"
    assert kept(journal) == {"a": started, "b": refused, "c": paused}
    assert paused.revision == table.shown.revision
    assert started.revision == refused.revision
    assert (paused.revision or 0) > (started.revision or 0)


def test_a_state_that_was_foreseen_is_shown_once_and_later_ones_are_not_it() -> None:
    table = Bench(journal=Journal(":memory:")).open()
    ask(table, StartGame(("Ann", "Bob")), "a")
    ask(table, Pause(), "b")
    ask(table, StartGame(("Cid", "Dot")), None)
    assert [side.name for side in table.shown.sides] == ["Cid", "Dot"]
    revisions = [snapshot.revision for snapshot in table.watcher.snapshots]
    assert revisions == sorted(revisions)


def test_on_a_full_disk_it_waits_with_the_rest() -> None:
    journal = FullDisk(":memory:")
    table = Bench(FULL, journal).open()
    journal.full = True
    asked = 0
    while not asked or table.shown.durable:  # its pages have some room left
        asked += 1
        ask(table, StartGame(("Ann" * 20, "Bob" * 20)), str(asked))
    assert str(asked) not in kept(journal)
    journal.full = False
    table.wait(2)
    assert table.shown.durable
    assert kept(journal)[str(asked)].ok


def test_the_journal_keeps_the_newest_only() -> None:
    journal = Journal(":memory:")
    for n in range(KEPT + 5):
        journal.commit([], [], [Answered(str(n), Reply(ok=True), "boot", n, EIGHT)])
    journal.commit([], [], [Answered("7", Reply(ok=False), "boot", KEPT + 5, EIGHT)])
    assert set(kept(journal)) == {str(n) for n in range(6, KEPT + 5)}
    assert not kept(journal)["7"].ok


def test_what_may_name_the_forgotten_goes_with_them(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "table.sqlite3")
    table = Bench(journal=journal).open()
    refused = ask(table, StartGame(("Zebulon", "Bob", "Cid")), "a")
    assert "Zebulon" in str(refused.error)
    assert ask(table, ForgetPlayer("Zebulon"), "b").error == "no game of the journal names 'Zebulon'"
    journal.close()
    assert all(b"Zebulon" not in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("boot", "wall", "ago"),
    [
        ("this", "2026-11-30T19:00:00+00:00", 60),  # the same boot: its clock alone counts
        ("other", EIGHT, 0),
        ("other", "2026-11-30T19:59:00+00:00", 60),
        ("other", "2026-11-30T20:59:00+01:00", 60),
        ("other", "2026-12-24T20:00:00+00:00", 0),  # the clock was set back
        ("other", "2026-11-30T20:00:00", 0),
        ("other", "at eight", 0),
    ],
)
def test_how_long_ago_it_was(boot: str, wall: str, ago: int) -> None:
    (one,) = in_this_boot([Answered("x", Reply(ok=True), boot, 940 * SECOND, wall)], "this", 1000 * SECOND, EIGHT)
    assert 1000 * SECOND - one.at == ago * SECOND


def test_the_oldest_comes_first_whatever_boot_it_is_of() -> None:
    given = [
        Answered("now", Reply(ok=True), "this", 999 * SECOND, EIGHT),
        Answered("then", Reply(ok=True), "other", 5_000 * SECOND, "2026-11-30T19:59:50+00:00"),
    ]
    assert [one.id for one in in_this_boot(given, "this", 1000 * SECOND, EIGHT)] == ["then", "now"]

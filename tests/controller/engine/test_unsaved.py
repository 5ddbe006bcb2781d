"""A disk that stays full: memory stays bounded, no event is ever let go, and no revision is used twice."""

from __future__ import annotations

import tracemalloc

import pytest

from controller.engine.journal import Kept
from controller.engine.records import Record
from controller.engine.requests import Answer, EnterEvent
from controller.engine.unsaved import MOST_SEEN, SEEN, Unsaved
from controller.rules.shapes import to_json
from hardware.observations import Observation
from tests.table_kit import FULL, HEAD, Bench, FullDisk


def records(first: int, *kinds: str) -> list[Record]:
    return [Record(number, kind, 7, number, "", {}) for number, kind in enumerate(kinds, first)]  # type: ignore[arg-type]


def test_what_sensors_saw_is_let_go_beyond_a_number_and_a_gap_stands_in_its_place() -> None:
    unsaved = Unsaved(most_seen=3)
    unsaved.add(records(1, "start", "observation", "event", "deadline", "observation"), [(7, "open", "")])
    assert (len(unsaved.records), unsaved.let_go) == (5, 0)
    unsaved.add(records(6, "observation", "answer"), [])
    assert [(record.id, record.kind) for record in unsaved.records] == [(1, "start"), (2, "gap"), (3, "event"), (7, "answer")]
    assert unsaved.records[1].body == {"source": "journal", "lost": 4}
    assert (unsaved.games, unsaved.let_go) == ([(7, "open", "")], 4)
    unsaved.add(records(8, "observation"), [])
    assert len(unsaved.records) == 5
    unsaved.clear()
    assert not unsaved
    assert unsaved.let_go == 0


def test_the_number_is_bounded_however_long_the_disk_stays_full() -> None:
    unsaved = Unsaved(most_seen=100)
    for number in range(10_000):
        unsaved.add(records(number, "observation"), [])
    assert len(unsaved.records) <= 100 + 10_000 // 100
    assert unsaved.let_go + sum(record.kind in SEEN for record in unsaved.records) == 10_000


def test_what_may_wait_is_no_more_than_the_page_says() -> None:
    tracemalloc.start()
    waiting = []
    for number in range(2_000):
        seen = Observation(number, number + 150, f"cup-{number % 9}", f"cup-{number % 9}", "level", value=True)
        waiting.append(Record(number, "observation", 7, 10**12 + number, f"2026-11-30T20:{number}", to_json(seen)))
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(waiting) == 2_000
    assert size / 2_000 * MOST_SEEN < 20_000_000


def test_the_game_is_taken_up_from_its_events_where_what_was_seen_is_gone() -> None:
    journal = FullDisk(":memory:")
    table = Bench(FULL, journal).open().start()
    table.loop._unsaved = Unsaved(most_seen=4)
    journal.full = True
    table.play_ball(5, strike=True)
    for cup in (1, 2, 3, 4, 6, 7):
        table.play_ball(cup)
    (fault,) = table.shown.faults
    assert "free some space; " in fault
    assert fault.endswith(" observations were let go, every event is kept")
    journal.full = False
    table.wait(2)
    assert (table.shown.durable, table.shown.faults) == (True, ())
    shown = table.pending
    again = table.again().open()
    assert "The game was taken up from its events" in again.shown.faults[0]
    again.ask(Answer("go-on", "yes"))
    # The ball whose stroke was still open is the only one that no event tells of.
    assert again.pending == {"A": shown["A"] - 7}


def test_a_full_disk_is_tried_again_each_second_and_not_at_each_ball(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = FullDisk(":memory:")
    table = Bench(FULL, journal).open().start()
    journal.full = True
    tried: list[int] = []
    commit = journal.commit

    def counted(*given: object) -> None:
        tried.append(table.now)
        commit(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(journal, "commit", counted)
    began = table.now
    for _ in range(5):
        table.play_ball(rest=0.5)
    assert len(tried) <= 2 + (table.now - began) // 10**9


def revisions(*tables: Bench) -> list[int]:
    return [snapshot.revision for table in tables for snapshot in table.watcher.snapshots]


def booted(journal: FullDisk, boot: int, kept: Kept | None = None) -> Bench:
    """A start at a time of its own, and some play."""
    table = Bench(HEAD, journal, f"boot-{boot}", kept=kept)
    table.loop.wall = lambda: f"2026-11-30T20:{boot:02}:00Z"
    table.open()
    if table.shown.phase != "paused":
        table.start()
    for ball in ("white-1", "white-2"):
        table.ask(EnterEvent({"event": "shot", "ball": ball, "hit_black": True, "moves": []}))
    return table


def test_revisions_never_repeat_also_when_no_boot_record_could_be_written() -> None:
    journal = FullDisk(":memory:")
    tables = [booted(journal, 1)]
    journal.full = True
    # Each is killed before the disk has room again: nothing of it is kept.
    tables += [booted(journal, boot) for boot in (2, 3, 4)]
    journal.full = False
    tables.append(booted(journal, 5))
    shown = revisions(*tables)
    assert shown == sorted(shown)
    each = [set(revisions(table)) for table in tables]
    assert sum(map(len, each)) == len(set().union(*each))
    events = [happening.revision for table in tables for happening in table.events()]
    assert len(events) == len(set(events))
    assert max(shown) < 2**53


def test_an_unsaved_start_that_is_saved_later_is_gone_on_from() -> None:
    journal = FullDisk(":memory:")
    journal.full = True
    table = booted(journal, 1)
    journal.full = False
    table.wait(2)
    assert table.shown.durable
    again = booted(journal, 2)
    assert min(revisions(again)) > max(revisions(table))
    assert again.engine.faults == {}


def test_revisions_are_reserved_before_they_are_wanted() -> None:
    table = Bench(HEAD, FullDisk(":memory:")).open().start()
    scribe = table.engine.scribe
    scribe.revision = scribe.reserved - 9_000
    before = scribe.reserved
    table.ask(EnterEvent({"event": "shot", "ball": "white-1", "hit_black": True, "moves": []}))
    assert scribe.reserved > before
    assert table.shown.revision < before, "none of the new ones is shown yet"
    table.wait(2)
    assert table.journal.kept().last_revision == scribe.reserved  # type: ignore[attr-defined]

"""What was kept just before a kill, and perhaps told to nobody, is told at the next start; once, and while it is news."""

from __future__ import annotations

from controller.engine.journal import STILL_NEWS, Journal
from controller.engine.requests import Correct, EnterEvent
from controller.rules.awards import Json
from hardware.signals import SECOND
from tests.table_kit import HEAD, Bench

TURN: dict[str, Json] = {"event": "end_turn"}
SOON = 5 * SECOND


def killed(table: Bench, *, after: int = SOON, boot: str = "boot") -> Bench:
    """The same table, started again on the journal as the kill left it."""
    assert isinstance(table.journal, Journal)
    again = Bench(table.table, table.journal, boot, kept=table.journal.kept(boot, table.now + after))
    again.now = table.now + after
    return again.open()


def playing() -> Bench:
    table = Bench(HEAD).open().start()
    assert table.ask(EnterEvent(TURN)).ok
    return table


def told(table: Bench) -> list[tuple[str, int, int]]:
    return [(one.kind, one.event_id, one.revision) for one in table.watcher.happenings]


def test_an_event_just_before_the_kill_is_told_as_it_was() -> None:
    table = playing()
    assert len(told(table)) == 1
    again = killed(table)
    assert told(again) == told(table)
    assert again.watcher.happenings[0].at == table.watcher.happenings[0].at
    again.wait(2)
    assert told(again) == told(table), "once"


def test_what_is_old_is_no_news() -> None:
    assert told(killed(playing(), after=STILL_NEWS + SECOND)) == []


def test_times_of_another_boot_say_nothing() -> None:
    assert told(killed(playing(), boot="another")) == []


def test_after_an_orderly_stop_all_was_told() -> None:
    table = playing()
    assert isinstance(table.journal, Journal)
    table.journal.told()
    assert told(killed(table)) == []
    again = killed(table)
    assert again.ask(EnterEvent(TURN)).ok
    assert told(killed(again)) == told(again), "what came after the stop may not have been told"


def test_a_correction_is_not_told_twice() -> None:
    table = playing()
    revision = table.watcher.happenings[0].revision
    assert table.ask(Correct(revision, remove=True)).ok
    assert [kind for kind, *_ in told(table)] == ["event", "correction"]
    assert [kind for kind, *_ in told(killed(table))] == ["event"]


def test_the_end_of_a_game_is_told_though_nobody_plays_it_on() -> None:
    table = Bench(HEAD).open().start(target=1)
    shot: dict[str, Json] = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "white-1", "to": "cup-5"}]}
    assert table.ask(EnterEvent(shot)).ok
    while table.shown.phase != "over":
        assert table.ask(EnterEvent(TURN)).ok
    assert [kind for kind, *_ in told(table)][-1] == "result"
    again = killed(table)
    assert [one[:2] for one in told(again)] == [one[:2] for one in told(table)]
    assert told(killed(table, after=STILL_NEWS + SECOND)) == []

"""A player is forgotten: afterwards the name's bytes are in none of the journal's files, and the games are what they were."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.engine.chronicle import finished
from controller.engine.forgetting import without_name
from controller.engine.journal import Journal, read_records, reading
from controller.engine.requests import Abandon, Correct, ForgetPlayer, Reply, Request
from controller.engine.retelling import retell
from controller.historian import LAST
from tests.history_kit import BLACK, SIX, Parlour, parlour

NAME = "Zebulon Örtwig"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Parlour]:
    with parlour(tmp_path) as place:
        yield place


def there(folder: Path, *names: str) -> list[str]:
    """The files of the folder in which any of the names is, however JSON writes it."""
    wanted = [form.encode() for name in names for form in (name, json.dumps(name)[1:-1])]
    files = [path for path in folder.iterdir() if path.is_file()]
    assert any(path.name == "table.sqlite3" for path in files)
    return [path.name for path in files if any(word in path.read_bytes() for word in wanted)]


def test_the_name_is_in_none_of_the_journals_files_afterwards(place: Parlour, tmp_path: Path) -> None:
    for _ in range(20):
        place.play(NAME, "Bob")
    number = place.play("Ann", NAME)
    assert place.correct(number, NAME, f"{NAME} saw it: the six").ok
    assert there(tmp_path, NAME) != []
    reply = place.forget(NAME)
    assert reply.ok, reply.error
    assert there(tmp_path, NAME, "Zebulon") == []
    assert [side.name for side in finished(place.path, before=LAST, most=1)[0].sides] == ["Ann", "a player"]


def test_the_games_are_what_they_were_but_for_the_name(place: Parlour) -> None:
    number = place.play(NAME, "Bob")
    place.correct(number, NAME)
    before = [*retell(place.path, int(number)).kept.transcript()]
    assert place.forget(NAME).ok
    told = retell(place.path, int(number))
    assert [*told.kept.transcript()] == before
    assert told.kept.said(told.kept.score) == "a player 24, Bob 0"
    assert told.kept.corrections[0].by == "a player (test)"
    assert place.play("Cid", "Bob")


def test_that_somebody_was_forgotten_is_journalled_without_the_name(place: Parlour) -> None:
    place.play(NAME, "Bob")
    place.forget(NAME)
    last = read_records(place.path)[-1]
    assert (last.kind, last.game, last.body) == ("forget", None, {"records": 1, "by": "test"})


def test_the_game_that_is_still_shown_goes_if_it_names_them(place: Parlour) -> None:
    place.play(NAME, "Bob")
    assert place.forget(NAME).ok
    assert place.table.shown.phase == "idle"
    assert NAME not in repr(place.table.shown)


def test_a_game_that_is_still_shown_stays_if_it_names_others(place: Parlour) -> None:
    place.play(NAME, "Bob")
    place.play("Ann", "Bob")
    assert place.forget(NAME).ok
    assert place.table.shown.phase == "over"


def test_nobody_is_forgotten_while_a_game_is_in_play(place: Parlour, tmp_path: Path) -> None:
    place.play(NAME, "Bob")
    place.start("Ann", "Bob")
    place.enter(BLACK)
    reply = place.forget(NAME)
    assert not reply.ok
    assert "a game is in play" in str(reply.error)
    assert there(tmp_path, NAME) != []
    place.table.ask(Abandon())
    assert place.forget(NAME).ok
    assert there(tmp_path, NAME) == []


def test_a_game_that_was_given_up_names_them_no_more_either(place: Parlour, tmp_path: Path) -> None:
    place.start(NAME, "Bob")
    place.table.ask(Abandon())
    assert place.forget(NAME).ok
    assert there(tmp_path, NAME) == []


def test_what_came_in_together_with_it_is_not_written_after_it(place: Parlour, tmp_path: Path) -> None:
    number = place.play("Ann", NAME)
    loop, replies = place.table.loop, list[Reply]()
    loop.submit(Request(Correct(place.revisions[1], replace=SIX, game=number, who=NAME), "test"))
    loop.submit(Request(ForgetPlayer(NAME), "test", replies.append))
    place.table.turn()
    assert [reply.error for reply in replies] == ["the journal is still to be written; ask again in a moment"]
    assert place.forget(NAME).ok
    assert there(tmp_path, NAME) == []


def test_a_name_that_no_game_has_is_said(place: Parlour) -> None:
    place.play("Ann", "Bob")
    reply = place.forget("Annie")
    assert not reply.ok
    assert str(reply.error) == "no game of the journal names 'Annie'"
    assert [side.name for side in finished(place.path, before=LAST, most=1)[0].sides] == ["Ann", "Bob"]


def test_a_reader_that_keeps_the_log_is_told_of_and_the_next_try_ends_it(
    place: Parlour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.engine.journal.READERS_MS", 10)
    place.play(NAME, "Bob")
    with reading(place.path) as db:
        db.execute("begin")
        db.execute("select count(*) from records").fetchone()
        reply = place.forget(NAME)
        assert not reply.ok
        assert "another program is reading" in str(reply.error)
    place.forget(NAME)
    assert there(tmp_path, NAME) == []


def test_pages_that_held_the_name_before_it_was_moved_are_gone_too(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    with parlour(tmp_path) as place:
        place.play(NAME, "Bob")
    with sqlite3.connect(path) as db:
        # Freed without being wiped, as by a program that knows nothing of forgetting.
        db.execute("pragma secure_delete=off")
        db.execute("create table notes(text)")
        db.executemany("insert into notes values (?)", [(NAME,)] * 2000)
        db.execute("delete from notes")
        db.execute("drop table notes")
    db.close()
    assert path.read_bytes().count(NAME.encode()) > 1000
    journal = Journal(path)
    assert journal.forget(NAME) == 1
    assert there(tmp_path, NAME) == []
    journal.close()


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        ({"sides": ["A", "Ann"], "by": "web"}, {"sides": ["a player", "Ann"], "by": "web"}),
        (
            {"by": "A (web)", "why": "A said so, not Ann; A's ball"},
            {"by": "a player (web)", "why": "a player said so, not Ann; a player's ball"},
        ),
        ({"by": "A", "event": {"side": "A", "by": "A"}}, {"by": "A", "event": {"side": "A", "by": "A"}}),
        ({"by": "Ann (web)"}, {"by": "Ann (web)"}),
    ],
)
def test_a_name_that_is_also_a_side_of_the_rules_goes_only_where_it_is_a_name(body: dict, becomes: dict) -> None:  # type: ignore[type-arg]
    assert without_name("start", body, "A") == becomes


def test_corrections_go_on_after_it(place: Parlour) -> None:
    number = place.play(NAME, "Bob")
    place.forget(NAME)
    reply = place.table.ask(Correct(place.revisions[1], replace=SIX, game=number))
    assert reply.ok, reply.error

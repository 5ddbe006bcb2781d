"""The pages of the history in a real browser, before a real journal; and what they read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from controller.engine.journal import JournalError
from controller.historian import GAMES_A_PAGE, STATES_A_PAGE
from controller.web.server import ScoreServer
from tests.browser_kit import PHONE, TELEVISION, address
from tests.console_kit import PIN
from tests.controller.web.test_marker_looks import CONTRASTS
from tests.history_kit import Parlour, open_game, open_list, parlour, simulated, told, told_by

MARKUP = "<img src=x onerror=alert(1)>"
HEIGHTS = """() => [...document.querySelectorAll("button, .games a, .best a, .ways a")]
    .filter((one) => one.getClientRects().length)
    .map((one) => [one.textContent, one.getBoundingClientRect().height])"""
browser = pytest.mark.browser


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Parlour]:
    with parlour(tmp_path) as place:
        yield place


@pytest.fixture
def history(place: Parlour) -> Iterator[ScoreServer]:
    with told_by(place) as server:
        yield server


def get(server: ScoreServer, path: str, **headers: str) -> Any:
    return httpx.get(address(server, path), headers=headers, timeout=10)


# What the pages read


def test_games_come_by_the_page_the_latest_first(place: Parlour, history: ScoreServer) -> None:
    numbers = [int(place.play("Ann", "Bob")) for _ in range(GAMES_A_PAGE + 2)]
    first = get(history, "/api/history/games").json()
    assert [one["number"] for one in first["games"]] == numbers[:1:-1]
    second = get(history, f"/api/history/games?before={first['next']}").json()
    assert [one["number"] for one in second["games"]] == numbers[1::-1]
    assert second["next"] is None


def test_a_game_that_was_corrected_is_marked_and_says_what_it_was(place: Parlour, history: ScoreServer) -> None:
    number = place.play("Ann", "Bob")
    place.play("Cid", "Bob")
    before = get(history, "/api/history/games").json()["games"][1]
    assert (before["corrected"], before["sides"][0]["first"]) == (False, None)
    game = get(history, f"/api/history/games/{number}").json()
    place.revisions = [one["listed"]["revision"] for one in game["events"]]
    assert place.correct(number, "Ann").ok
    after = get(history, "/api/history/games").json()["games"][1]
    assert (after["number"], after["corrected"]) == (int(number), True)
    assert (after["sides"][0]["score"], after["sides"][0]["first"], after["sides"][0]["won"]) == (24, 25, True)


def test_players_and_best_turns_are_counted_over_all_finished_games(place: Parlour, history: ScoreServer) -> None:
    for first, second in (("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Cid")):
        place.play(first, second)
    place.start("Ann", "Dan")
    found = get(history, "/api/history").json()
    assert found["games"] == 3
    assert [(p["name"], p["games"], p["won"], p["best"]) for p in found["players"]] == [
        ("Ann", 3, 2, {"bagatelle": 25}),
        ("Bob", 2, 1, {"bagatelle": 25}),
        ("Cid", 1, 0, {}),
    ]
    assert [turn["points"] for turn in found["best"]["evening"]["bagatelle"]] == [25, 25, 25]
    assert found["best"]["ever"] == found["best"]["evening"]


def test_a_correction_changes_the_best_turn(place: Parlour, history: ScoreServer) -> None:
    number = place.play("Ann", "Bob")
    place.correct(number, "Ann")
    assert [turn["points"] for turn in get(history, "/api/history").json()["best"]["ever"]["bagatelle"]] == [24]


def test_each_step_of_a_game_has_the_state_after_it(place: Parlour, history: ScoreServer) -> None:
    number = place.play("Ann", "Bob")
    game = get(history, f"/api/history/games/{number}").json()
    states = get(history, f"/api/history/games/{number}/states").json()["states"]
    assert [one["state"] for one in game["events"]] == [1, 2, 3, 4]
    assert [[side["score"] for side in state["sides"]] for state in states] == [[0, 0], [0, 0], [0, 0], [25, 0], [25, 0]]
    assert [state["sides"][0]["pending"] for state in states] == [0, 18, 25, 0, 0]
    assert states[-1]["phase"] == "over"
    assert game["over"]["winner"] == "A"


def test_every_point_of_a_game_has_its_rule_and_what_it_rests_on(tmp_path: Path) -> None:
    simulated(tmp_path / "table.sqlite3", "bagatelle")
    with told(tmp_path / "table.sqlite3") as server:
        (listed,) = get(server, "/api/history/games").json()["games"]
        game = get(server, f"/api/history/games/{listed['number']}").json()
    awards = [(award, one) for one in game["events"] for award in one["listed"]["awards"] if one["listed"]["banked"]]
    assert sum(award["points"] for award, _ in awards) == sum(side["score"] for side in game["sides"])
    assert all(award["rule"].startswith("BAG-") for award, _ in awards)
    assert all(one["because"] for one in game["events"])
    assert any("half-way" in one["because"] for one in game["events"])


@pytest.mark.parametrize(
    "path",
    ["/games/999", "/games/1", "/games/x", "/games/-1", f"/games/{'9' * 5000}", "/games/1/states?from=2"],
)
def test_what_is_no_finished_game_is_not_found(place: Parlour, history: ScoreServer, path: str) -> None:
    place.start("Ann", "Bob")
    answer = get(history, f"/api/history{path}")
    assert answer.status_code == 404
    assert answer.json() == {"error": "the journal has no such finished game"}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("?from=x", "from is a number of at most 15 digits: the player with whom the page begins, counted from 0"),
        ("/games?before=x", "before is a number of at most 15 digits: of the game before which the page begins"),
        ("/games?before=", "before is a number of at most 15 digits: of the game before which the page begins"),
        (f"/games/1/states?from={'9' * 16}", "from is a number of at most 15 digits: the first of the states, counted from 0"),
    ],
)
def test_what_is_no_number_is_said_to_be_none(history: ScoreServer, path: str, said: str) -> None:
    answer = get(history, f"/api/history{path}")
    assert (answer.status_code, answer.json()) == (400, {"error": said})


def test_other_pages_and_names_of_the_internet_are_turned_away(history: ScoreServer) -> None:
    assert get(history, "/api/history", host="evil.example.com").status_code == 421
    assert get(history, "/api/history", origin="http://evil.example.com").status_code == 403
    assert get(history, "/api/history").headers["cache-control"] == "no-store"


def test_a_journal_that_cannot_be_read_is_said(history: ScoreServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise JournalError("the disk fails; check the SD card")

    monkeypatch.setattr("controller.historian.finished", broken)
    answer = get(history, "/api/history/games")
    assert (answer.status_code, answer.json()["error"]) == (503, "the disk fails; check the SD card")


def test_a_forgotten_name_is_told_by_nothing_that_was_read_before(place: Parlour, history: ScoreServer) -> None:
    number = place.play("Zebulon", "Bob")
    for path in ("", "/games", f"/games/{number}", f"/games/{number}/states"):
        assert "Zebulon" in get(history, f"/api/history{path}").text or path == "/states"
    assert place.forget("Zebulon").ok
    for path in ("", "/games", f"/games/{number}", f"/games/{number}/states"):
        answer = get(history, f"/api/history{path}")
        assert answer.status_code == 200
        assert "Zebulon" not in answer.text
    assert [player["name"] for player in get(history, "/api/history").json()["players"]] == ["Bob"]


def test_forgetting_wants_the_pin(place: Parlour, history: ScoreServer) -> None:
    place.play("Zebulon", "Bob")
    command = {"command": "forget_player", "name": "Zebulon"}
    assert httpx.post(address(history, "/api/command"), json=command).status_code == 401
    assert "Zebulon" in get(history, "/api/history").text
    assert (
        httpx.post(address(history, "/api/command"), json=command, headers={"authorization": f"Bearer {PIN}"}).status_code == 200
    )
    assert "Zebulon" not in get(history, "/api/history").text


# The list


@browser
def test_the_list_shows_games_best_turns_and_players(page: Page, place: Parlour, history: ScoreServer) -> None:
    place.play("Ann", "Bob")
    number = place.play("Ann", "Cid")
    place.correct(number, "Ann")
    open_list(page, history)
    row = page.locator(".games a").first
    expect(row.locator(".sides")).to_have_text("Ann 24 (was 25)Cid 0")
    expect(row.locator(".marks")).to_have_text("double, corrected")
    expect(page.locator(".players tbody tr").first).to_contain_text("Ann22")
    expect(page.locator(".best")).to_contain_text("Bagatelle: best turns of the evening")
    row.click()
    expect(page).to_have_url(f"{address(history)}history/{number}#0")


@browser
def test_earlier_games_are_fetched_when_asked_for(page: Page, place: Parlour, history: ScoreServer) -> None:
    for _ in range(GAMES_A_PAGE + 3):
        place.play("Ann", "Bob")
    open_list(page, history)
    expect(page.locator(".games li")).to_have_count(GAMES_A_PAGE)
    page.get_by_role("button", name="Earlier games").click()
    expect(page.locator(".games li")).to_have_count(GAMES_A_PAGE + 3)
    expect(page.get_by_role("button", name="Earlier games")).to_be_hidden()


@browser
def test_a_player_is_forgotten_with_the_pin_and_the_list_says_so(page: Page, place: Parlour, history: ScoreServer) -> None:
    place.play("Zebulon", "Bob")
    open_list(page, history)
    page.get_by_role("button", name="Forget Zebulon").click()
    page.get_by_role("button", name="Forget the name").click()
    page.get_by_label("Marker's PIN", exact=True).last.fill(PIN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("The name is forgotten.")
    expect(page.locator(".games .sides")).to_have_text("a player 25Bob 0")
    expect(page.locator("body")).not_to_contain_text("Zebulon")


@browser
def test_an_empty_journal_says_so(page: Page, history: ScoreServer) -> None:
    expect(open_list(page, history).get_by_role("status")).to_have_text("No game has been finished yet.")


# A game


@browser
def test_a_game_is_stepped_through_by_buttons_and_by_keys(page: Page, place: Parlour, history: ScoreServer) -> None:
    number = place.play("Ann", "Bob")
    open_game(page, history, number)
    expect(page.locator(".told h2")).to_have_text("The game begins")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".told h2")).to_have_text("White 1 struck the black; black in cup 9")
    expect(page.locator(".award").first).to_contain_text("+18 Ann (not banked yet)")
    expect(page.locator(".award small").first).to_contain_text("BAG-12: ")
    expect(page.locator(".evidence")).to_contain_text("entered by the marker")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#page")).to_have_attribute("data-step", "3")
    expect(page.locator(".scores b")).to_have_text(["25", "0"])
    page.keyboard.press("End")
    expect(page.locator("body")).to_have_attribute("data-phase", "over")
    expect(page.get_by_role("button", name="Next")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#page")).to_have_attribute("data-step", "3")
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Previous")).to_have_attribute("aria-disabled", "true")


@browser
def test_the_board_shows_each_step(page: Page, place: Parlour, history: ScoreServer) -> None:
    number = place.play("Ann", "Bob")
    open_game(page, history, number, 2)
    label = page.locator(".place [role=img]").first
    expect(label).to_have_attribute("aria-label", "The board: cup 7 holds a white ball, cup 9 holds a black ball.")
    page.keyboard.press("Home")
    expect(label).to_have_attribute("aria-label", "The board: all cups are empty.")


@browser
def test_a_correction_shows_what_it_replaced_and_why(page: Page, place: Parlour, history: ScoreServer) -> None:
    number = place.play("Ann", "Bob")
    place.correct(number, "Ann")
    open_game(page, history, number, 2)
    expect(page.locator(".told")).to_contain_text("It was changed")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".told")).to_contain_text("White 2 in cup 6")
    expect(page.locator(".told")).to_contain_text("The six, not the seven")
    expect(page.locator(".after")).to_contain_text("First kept as Ann 25, Bob 0, now Ann 24, Bob 0.")
    expect(page.locator(".after")).to_contain_text("by Ann (test): The six, not the seven")


@browser
@pytest.mark.parametrize("game", ["fortification", "squails", "maw"])
def test_every_game_is_drawn_to_its_end_at_every_step(page: Page, tmp_path: Path, game: str) -> None:
    simulated(tmp_path / "table.sqlite3", game)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with told(tmp_path / "table.sqlite3", game) as server:
        number = get(server, "/api/history/games").json()["games"][0]["number"]
        total = len(get(server, f"/api/history/games/{number}").json()["events"])
        open_game(page, server, str(number))
        for step in sorted({1, 2, STATES_A_PAGE, total // 2, total - 1, total}):
            page.locator("input[type=range]").fill(str(min(step, total)))
            expect(page.locator("#page")).to_have_attribute("data-step", str(min(step, total)))
        expect(page.locator("body")).to_have_attribute("data-phase", "over")
        expect(page.locator(".place [role=img]").first).to_be_visible()
        assert all(url.startswith(address(server)) for url in asked)
        assert not any("/api/console" in url for url in asked)


@browser
def test_a_round_of_squails_shows_how_it_was_measured(page: Page, tmp_path: Path) -> None:
    simulated(tmp_path / "table.sqlite3", "squails")
    with told(tmp_path / "table.sqlite3", "squails") as server:
        number = get(server, "/api/history/games").json()["games"][0]["number"]
        events = get(server, f"/api/history/games/{number}").json()["events"]
        ended = next(place for place, one in enumerate(events, 1) if one["listed"]["event"]["event"] == "round_end")
        open_game(page, server, str(number), ended)
        expect(page.locator(".near li.counts")).to_have_count(len(events[ended - 1]["listed"]["awards"]))


@browser
def test_a_name_with_markup_is_shown_as_it_was_typed(page: Page, place: Parlour, history: ScoreServer) -> None:
    number = place.play(MARKUP, "Bob")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_list(page, history)
    expect(page.locator(".games .won")).to_have_text(f"{MARKUP} 25")
    open_game(page, history, number, 2)
    expect(page.locator("h1")).to_have_text(f"Bagatelle: {MARKUP} 25, Bob 0")
    assert page.locator("img").count() == 0
    assert all(url.startswith(address(history)) for url in asked)


@browser
@pytest.mark.parametrize("size", [TELEVISION, PHONE, (320, 568)], ids=str)
def test_words_are_legible_and_nothing_is_wider_than_the_screen(
    page: Page, place: Parlour, history: ScoreServer, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    number = place.play("Bartholomew Fortescue", "Bob")
    place.correct(number, "Ann")
    for screen in (
        open_list,
        lambda page, server: open_game(page, server, number, 1),
        lambda page, server: open_game(page, server, number, 3),
    ):
        screen(page, history)
        ratios: list[tuple[str, float]] = page.evaluate(CONTRASTS)
        assert len(ratios) > 8
        assert [(words, ratio) for words, ratio in ratios if ratio < 4.5] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        for box in page.evaluate(HEIGHTS):
            assert box[1] >= 43, box
    steps = page.locator(".steps").bounding_box()
    assert steps is not None
    assert abs(steps["y"] + steps["height"] - size[1]) <= 1


@browser
def test_a_game_that_is_not_there_is_said(page: Page, history: ScoreServer) -> None:
    page.goto(address(history, "/history/999"))
    expect(page.get_by_role("alert")).to_have_text("the journal has no such finished game")
    assert json.loads(get(history, "/api/history/games").text)["games"] == []

"""A fake engine's snapshots for the tests of the pages, and a server and a browser to show them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from controller.engine.snapshot import Happening, LastAwards, OpenQuestion, SideView, Snapshot
from controller.rulebook import read_rules
from controller.rules.awards import Award, Json, Notice, Over
from controller.web.server import ScoreServer

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
TELEVISION = (1920, 1080)
PHONE = (390, 844)


def chromium() -> str:
    """Where the system's own Chromium is."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert found is not None
    return found


def make_server(port: int = 0, **settings: Any) -> ScoreServer:
    """A server on this machine alone, not yet started."""
    return ScoreServer("127.0.0.1", port, wall=lambda at: f"at {at}", **{"rules": RULES, **settings})


def address(server: ScoreServer, path: str = "/") -> str:
    return f"http://127.0.0.1:{server.port}{path}"


MINUS = "\N{MINUS SIGN}"


def written(points: int) -> str:
    """A number as the screens write it."""
    return str(points).replace("-", MINUS)


Message = tuple[str, Any]


@contextmanager
def following(server: ScoreServer) -> Iterator[Iterator[Message]]:
    """The stream as a program reads it: kinds and JSON values, in order."""
    with httpx.stream("GET", address(server, "/api/stream"), timeout=10) as answer:
        assert answer.status_code == 200
        yield _messages(answer.iter_lines())


def _messages(lines: Iterable[str]) -> Iterator[Message]:
    kind = ""
    for line in lines:
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))


def next_score(messages: Iterator[Message], wanted: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
    """The next score, or the next that is as wanted; what comes before it is skipped."""
    return next(value for kind, value in messages if kind == "score" and wanted(value))


RULES = {game: read_rules(game) for game in ("fortification", "squails", "maw")} | {
    "bagatelle": {
        "BAG-11": "Each ball in a cup scores the cup's number.",
        "BAG-12": "The black counts double.",
        "BAG-15b": "When both have had their turns, the larger total wins.",
        "BAG-14b": "The second player has reached the number, and the game ends.",
        "BAG-16": "The loser has not turned the corner, so the game counts double.",
    }
}


def award(side: str, points: int, rule: str = "BAG-11", why: str = "") -> Award:
    return Award(side, points, rule, why or f"A ball in cup {points}.")


def turn(event_id: int, *awards: Award, banked: bool = True) -> LastAwards:
    return LastAwards(event_id, awards, banked)


BLACK_IN_9 = award("A", 18, "BAG-12", "The black in cup 9 counts double.")


def bagatelle(revision: int, **changes: Any) -> Snapshot:
    """Ann 87 and Bob 104, Ann in turn with five balls left and two in cups; `changes` replace fields."""
    snapshot = Snapshot(
        table="oak-room",
        game="bagatelle",
        game_id="g-1",
        revision=revision,
        at="2026-11-30T21:14:00+00:00",
        phase="playing",
        provisional=False,
        durable=True,
        sides=(SideView("A", "Ann", 87, 26), SideView("B", "Bob", 104)),
        turn="A",
        last=turn(48, award("A", 8), banked=False),
        earlier=(
            turn(44, BLACK_IN_9, banked=False),
            turn(40, award("B", 7), award("B", 5), award("B", 4)),
            turn(32, award("A", 16, "BAG-12", "The black in cup 8 counts double."), award("A", 6)),
        ),
        unbanked=(BLACK_IN_9, award("A", 8)),
        notices=(),
        over=None,
        position=position(cups={"9": "black", "8": "red-1"}, balls_left=5, black="cup-9", black_struck=True),
        seen={},
        options={"target": 120},
        questions=(),
        sensors=(),
        sources=(),
    )
    return replace(snapshot, **changes)


def position(**words: Json) -> dict[str, Json]:
    """The opening position of a turn, with `words` put in."""
    left = words.get("balls_left", 8)
    assert isinstance(left, int)
    balls: list[Json] = [f"{colour}-{n}" for n in range(1, 5) for colour in ("white", "red")]
    return {
        "turn": "A",
        "player": "A",
        "balls_left": 8,
        "in_hand": balls[8 - left :],
        "black": "spot-a",
        "black_struck": False,
        "cups": {},
        "turn_points": 0,
        **words,
    }


def seen(**cups: Json) -> dict[str, Json]:
    """What the cup switches see: `seen(c9="black")`."""
    return {"cups": {cup[1:]: ball for cup, ball in cups.items()}}


QUESTION = OpenQuestion(
    id="q7",
    text="Which cup holds the black?",
    choices=(("cup-9", "cup 9"), ("cup-8", "cup 8"), ("none", "none of them")),
    likely="cup-9",
    hangs="A -1",
    roles=("cup-9", "cup-8"),
)


def scenes() -> Iterable[tuple[str, Snapshot]]:
    """One state of each kind, by name, with a revision of its own."""
    for revision, (name, changes) in enumerate(_SCENES.items(), 1):
        yield name, bagatelle(revision, **changes)


BANKED = turn(40, award("B", 7), award("B", 5), award("B", 4))
ALL_CUPS = (BLACK_IN_9, *(award("A", number) for number in range(8, 0, -1)))


def _sides(ann: int, bob: int, **pending: int) -> tuple[SideView, SideView]:
    return SideView("A", "Ann", ann, pending.get("A", 0)), SideView("B", "Bob", bob, pending.get("B", 0))


def _between(**changes: Any) -> dict[str, Any]:
    """Nothing is out, nothing has been played."""
    return {"sides": _sides(0, 0), "unbanked": (), "last": None, "earlier": (), "position": position(), **changes}


_SCENES: dict[str, dict[str, Any]] = {
    "playing": {},
    "playing-b": {
        "turn": "B",
        "sides": _sides(9, 61, B=17),
        "unbanked": (award("B", 9), award("B", 8)),
        "last": turn(44, award("B", 8), banked=False),
        "earlier": (turn(42, award("B", 9), banked=False), turn(40, award("A", 9)), turn(32, award("B", 40))),
        "position": position(cups={"9": "white-1", "8": "red-1"}, balls_left=1, black="board", black_struck=True),
    },
    "high": {"sides": _sides(119, 104, A=8)},
    "many-earlier": {
        "provisional": True,
        "durable": False,
        "sides": (SideView("A", "Bartholomew Fortescue", 87, 26), SideView("B", "Bob", 104)),
        "earlier": (
            turn(44, BLACK_IN_9, award("A", 8), award("B", -2, "BAG-13")),
            turn(40, award("B", 7), award("B", 5), award("B", 4)),
            turn(32, award("A", 16, "BAG-12"), award("A", 6)),
            turn(24, award("B", 16, "BAG-12"), award("B", 6)),
        ),
    },
    "thousands": {
        "turn": "B",
        "sides": (SideView("A", "Ann", 1048), SideView("B", "Bartholomew Fortescue the Younger", -1102, 26)),
    },
    "reasons": {
        "last": turn(
            48,
            award("A", 8),
            award("A", 2, "BAG-13", "The black crossed the line."),
            BLACK_IN_9,
            award("B", -3, "BAG-16", "The loser has not turned the corner."),
        ),
    },
    "fresh-turn": {"unbanked": (), "sides": _sides(87, 104), "last": BANKED, "earlier": (), "position": position()},
    "full": {
        "sides": _sides(66, 119, A=54),
        "unbanked": ALL_CUPS,
        "last": turn(0, *ALL_CUPS, banked=False),
        "position": position(
            cups={"9": "black"} | {str(n): f"{'red' if n % 2 else 'white'}-{(n + 1) // 2}" for n in range(1, 9)},
            balls_left=0,
            black="cup-9",
            black_struck=True,
        ),
    },
    "question": {"questions": (QUESTION,), "provisional": True, "durable": False},
    "notice": {"notices": (Notice("BAG-06", "Take the ball off: it missed the black."),)},
    "idle": _between(phase="idle", turn=None),
    "arming": _between(
        phase="arming", notices=(Notice("BAG-04", "Lift the balls from cups 3 and 7."),), seen=seen(c3="ball", c7="ball")
    ),
    "clearing": {
        "phase": "clearing",
        "turn": "B",
        "sides": _sides(113, 104),
        "unbanked": (),
        "last": turn(48, BLACK_IN_9, award("A", 8)),
        "earlier": (BANKED,),
        "position": position(turn="B"),
        "notices": (Notice("BAG-10", "Lift the balls from cups 8 and 9."),),
        "seen": seen(c8="red-1", c9="black"),
    },
    "paused": {"phase": "paused"},
    "over": {
        "phase": "over",
        "turn": None,
        "sides": _sides(127, 104),
        "unbanked": (),
        "last": turn(48, BLACK_IN_9, award("A", 8), award("A", 7), award("A", 5)),
        "earlier": (BANKED,),
        "over": Over("A", draw=False, double=False, rule="BAG-15b"),
        "position": position(balls_left=0),
    },
    "over-double": {
        "phase": "over",
        "turn": None,
        "sides": (SideView("A", "Ann", 58), SideView("B", "Bartholomew Fortescue", 131)),
        "unbanked": (),
        "last": turn(48, award("B", 8), award("B", 7), award("B", 5)),
        "earlier": (turn(44, award("A", 9)),),
        "over": Over("B", draw=False, double=True, rule="BAG-14b"),
        "position": position(balls_left=0),
    },
    "over-with-a-question": {
        "phase": "over",
        "turn": None,
        "provisional": True,
        "sides": (SideView("A", "Ann", 58), SideView("B", "Bartholomew Fortescue", 131)),
        "unbanked": (),
        "last": turn(48, award("B", 8), award("B", 7), award("B", 5)),
        "over": Over("B", draw=False, double=True, rule="BAG-14b"),
        "position": position(balls_left=0),
        "questions": (QUESTION,),
    },
    "clearing-with-a-question": {
        "phase": "clearing",
        "turn": "B",
        "provisional": True,
        "unbanked": (),
        "sides": _sides(113, 104),
        "last": turn(48, BLACK_IN_9, award("A", 8)),
        "position": position(turn="B"),
        "notices": (Notice("BAG-10", "Lift the balls from cups 4, 5, 6 and 8."),),
        "seen": seen(c4="ball", c5="ball", c6="ball", c8="ball"),
        "questions": (replace(QUESTION, choices=(("cup-4", "Cup 4"), ("cup-6", "Cup 6"), ("cup-8", "Cup 8")), likely="cup-4"),),
    },
    "abandoned": {"phase": "abandoned", "turn": None, "unbanked": (), "seen": seen(c9="black", c8="red-1")},
}


def correction(revision: int, before: dict[str, Json], after: dict[str, Json], why: str = "") -> Happening:
    return Happening(
        kind="correction",
        revision=revision,
        game_id="g-1",
        at=0,
        event={"why": why},
        ruling={},
        origin="marker",
        before=before,
        after=after,
    )


LONG_WHY = (
    "Which ball went into the second English reserved fort? The French attacking ball was seen beside it, "
    "and its bell was heard only afterwards: the marker said that it went in."
)

PICTURES = {
    "scoreboard.png": ("bagatelle", "playing", TELEVISION),
    "scoreboard-question.jpg": ("bagatelle", "asked", TELEVISION),
    "scoreboard-clearing.jpg": ("bagatelle", "clearing", TELEVISION),
    "scoreboard-over.jpg": ("bagatelle", "over", TELEVISION),
    "scoreboard-phone.jpg": ("bagatelle", "playing-b", PHONE),
    "scoreboard-fortification.jpg": ("fortification", "rung", TELEVISION),
    "scoreboard-fortification-over.jpg": ("fortification", "over", TELEVISION),
    "scoreboard-fortification-phone.jpg": ("fortification", "pass", PHONE),
    "scoreboard-squails.jpg": ("squails", "playing", TELEVISION),
    "scoreboard-maw.jpg": ("maw", "vied", TELEVISION),
}


def take_pictures(folder: Path) -> None:
    """The pictures of the documentation."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the other tools of this module need no browser

    from tests.console_kit import asked  # noqa: PLC0415 - it plays games, and takes from here
    from tests.scoreboard_kit import scene  # noqa: PLC0415 - it plays games

    shown = {**dict(scenes()), "asked": asked()}
    server = make_server()
    server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for revision, (name, (game, state, (width, height))) in enumerate(PICTURES.items(), 1):
            server.offer(replace(shown[state] if game == "bagatelle" else scene(game, state), revision=revision))
            page = browser.new_page(
                viewport={"width": width, "height": height}, device_scale_factor=2 if width < 1000 else 1, reduced_motion="reduce"
            )
            page.goto(address(server))
            page.wait_for_selector("body[data-link=live]")
            if name.endswith("jpg"):
                page.screenshot(path=folder / name, type="jpeg", quality=88)
            else:
                page.screenshot(path=folder / name)
            page.close()
        browser.close()
    server.stop()

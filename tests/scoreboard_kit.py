"""Scenes of fortification, squails and maw: a real engine on a table without sensors, and what sensors would see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from controller.engine.requests import Command, EnterEvent, Pause, StartGame
from controller.engine.snapshot import OpenQuestion, Snapshot
from controller.rules.fortification.words import BALLS
from tests.table_kit import Bench

Event = dict[str, Any]
GAMES = ("fortification", "squails", "maw")


def played(
    game: str, *events: Event | Command, names: tuple[str, ...] = (), rules: Event | None = None, **position: Any
) -> Snapshot:
    """The state after these events."""
    bench = Bench(f'[table]\nid = "test"\ngame = "{game}"\n').open()
    if names or events:
        assert bench.ask(StartGame(names, rules or {}, position)).ok
    for event in events:
        reply = bench.ask(EnterEvent(event) if isinstance(event, dict) else event)
        assert reply.ok, (event, reply.error)
    return bench.shown


# Fortification

ANN_BOB = ("Ann", "Bob")


def stroke(ball: str, *facts: Event) -> Event:
    return {"event": "stroke", "side": ball.partition("-")[0], "ball": ball, "facts": list(facts)}


def rings(fort: str, ball: str) -> Event:
    return {"fact": "bell", "fort": fort, "ball": ball}


def down(of: str, by: str = "english") -> Event:
    return {"event": "colours_down", "of": of, "by": by}


def spotted(ball: str) -> Event:
    return {"event": "respotted", "ball": ball}


FALLEN = {"french-advanced-1": "taken", "english-advanced-2": "taken"}
UNDER_WAY: Event = {
    "score": {"english": 6, "french": 4},
    "pass": {"english": "regular", "french": "regular"},
    "forts": FALLEN,
}
TAKES_A_FORT = stroke("english-attack", rings("french-advanced-2", "english-attack"))
COLOURS_DOWN = ["french-pass", "english-pass", *FALLEN]


def sees(*off_spot: str, down: Iterable[str] = (), rang: Iterable[str] = ()) -> Event:
    """What a table with every sensor sees."""
    return {"down": list(down), "spots": [ball for ball in BALLS if ball not in off_spot], "rang": list(rang)}


LONG_QUESTION = OpenQuestion(
    "q4",
    "Which ball went into the second English reserved fort? Its bell was not heard.",
    (
        ("french-attack", "The French attacking ball"),
        ("english-defence-2", "The second English defending ball"),
        ("rang", "The French attacking ball, and the bell rang"),
        ("none", "No ball"),
    ),
    "none",
    "Bob +4",
)


def fortification() -> dict[str, Callable[[], Snapshot]]:
    """The scenes of fortification."""

    def game(*events: Event | Command, **position: Any) -> Snapshot:
        return played("fortification", *events, names=ANN_BOB, **position)

    nearly = {"score": {"english": 17, "french": 12}, "turn": "english"}
    most = {f"french-{fort}": "taken" for fort in ("advanced-1", "advanced-2", "reserved-1", "reserved-2")}
    question = OpenQuestion(
        "q3",
        "Which ball rang the bell of the second French advanced fort?",
        tuple((ball, ball.replace("-", " ")) for ball in BALLS),
        "english-attack",
        "Ann +4",
    )

    def won() -> Snapshot:
        return game(
            stroke("english-attack", rings("french-grand", "english-attack")),
            down("french-grand"),
            **{**UNDER_WAY, **nearly, "forts": {**FALLEN, **most}},
        )

    return {
        "idle": lambda: played("fortification"),
        "start": lambda: replace(game(stroke("english-attack")), seen=sees("english-attack")),
        "arming": lambda: replace(
            game(stroke("english-attack")), phase="arming", seen=sees("french-attack", down=("english-grand", "french-pass"))
        ),
        "pass": lambda: game(stroke("english-attack", {"fact": "pass", "ball": "english-attack", "from": "own_side"})),
        "playing": lambda: replace(
            game(stroke("french-defence-1"), **{**UNDER_WAY, "turn": "french"}),
            seen=sees("french-defence-1", "english-attack", down=COLOURS_DOWN),
        ),
        "rung": lambda: replace(
            game(TAKES_A_FORT, **UNDER_WAY), seen=sees("english-attack", down=COLOURS_DOWN, rang=["french-advanced-2"])
        ),
        "long-question": lambda: replace(game(TAKES_A_FORT, **UNDER_WAY), questions=(LONG_QUESTION,), provisional=True),
        "two-reasons": lambda: game(
            stroke("english-attack", rings("french-advanced-2", "english-attack"), {"fact": "holed", "ball": "french-defence-2"}),
            **UNDER_WAY,
        ),
        "question": lambda: replace(game(TAKES_A_FORT, **UNDER_WAY), questions=(question,), provisional=True),
        "owes": lambda: game(stroke("english-defence-1", {"fact": "holed", "ball": "english-defence-1"})),
        "paused": lambda: game(TAKES_A_FORT, Pause(), **UNDER_WAY),
        "over": won,
        "over-with-a-question": lambda: replace(won(), questions=(question,), provisional=True),
    }


# Squails


def strikes(count: int, *players: str, each: int = 8) -> list[Event]:
    """So many strikes in turn, each player's own squails in order."""
    sides = [player.split("-")[0] for player in players]
    used = dict.fromkeys(sides, 0)
    events: list[Event] = []
    for n in range(count):
        side = sides[n % len(sides)]
        used[side] += 1
        assert used[side] <= each
        events.append({"event": "strike", "player": players[n % len(players)], "squail": f"{side}-s{used[side]}"})
    return events


LIGHT: dict[str, float | None] = {
    "light-s1": 21.4, "light-s2": 48.0, "light-s3": 260.0, "light-s4": None, "light-s5": 96.3, "light-s6": 312.0,
    "light-s7": 187.0, "light-s8": 410.0,
}  # fmt: skip
DARK: dict[str, float | None] = {
    "dark-s1": 63.2, "dark-s2": 131.0, "dark-s3": 88.5, "dark-s4": 205.0, "dark-s5": None, "dark-s6": 240.0, "dark-s7": 155.0,
    "dark-s8": 371.0,
}  # fmt: skip
MEASURED: Event = {"event": "round_end", "gaps_mm": LIGHT | DARK}
MOVES_IT: Event = {"event": "strike", "player": "light-1", "squail": "light-s4", "target": "moved"}
LAYOUT: Event = {
    "target": [22.0, 31.0],
    "squails": {
        "light-s1": [82.0, 52.0], "light-s2": [-58.0, 66.0], "light-s3": [-215.0, -190.0], "light-s4": [60.0, -240.0],
        "dark-s1": [41.0, -66.0], "dark-s2": [-110.0, -94.0], "dark-s3": [310.0, 225.0],
    },
}  # fmt: skip
"""Millimetres from the middle, y away from seat 1."""


def squails() -> dict[str, Callable[[], Snapshot]]:
    """The scenes of squails."""
    two = ("light-1", "dark-1")
    five = ("A", "B", "C", "D", "E")

    def game(*events: Event | Command, **more: Any) -> Snapshot:
        return played("squails", *events, **{"names": ANN_BOB, **more})

    return {
        "idle": lambda: played("squails"),
        "start": lambda: game({"event": "lead_trial", "gaps_mm": {"light": 40, "dark": 55}}),
        "unseen": lambda: game(*strikes(7, *two)),
        "playing": lambda: replace(game(*strikes(6, *two), MOVES_IT, score={"light": 3, "dark": 2}, round=3), seen=LAYOUT),
        "measured": lambda: game(*strikes(16, *two), MEASURED, score={"light": 1, "dark": 2}, round=2),
        "touched": lambda: game(
            *strikes(16, *two),
            MEASURED,
            {"event": "claim", "by": "light-1", "count": 2},
            {"event": "touch", "squails": ["light-s2"], "by": "light"},
        ),
        "four": lambda: game(
            *strikes(6, "light-1", "dark-1", "light-2", "dark-2"), rules={"players": 4}, names=("The lights", "The darks")
        ),
        "five": lambda: game(
            *strikes(4, *five, each=3), rules={"players": 5}, names=("Ann", "Bob", "Cleo", "Dev", "Eve"), score={"B": 2, "E": 4}
        ),
        "paused": lambda: game(*strikes(3, *two), Pause()),
        "over": lambda: game(*strikes(16, *two), MEASURED, score={"light": 3, "dark": 4}, round=5),
    }


# Maw


def maw() -> dict[str, Callable[[], Snapshot]]:
    """The scenes of maw."""

    def call(event: str, by: str, **more: Any) -> Event:
        return {"event": event, "by": by, **more}

    def game(*events: Event | Command, a: int = 14, b: int = 17, **more: Any) -> Snapshot:
        return played("maw", *events, names=ANN_BOB, score={"A": a, "B": b}, **more)

    deal = [
        call("ask", "A"),
        call("vie", "B"),
        call("pledge", "A"),
        call("lead", "A"),
        call("play", "B"),
        {"event": "trick_over"},
    ]
    return {
        "idle": lambda: played("maw"),
        "start": lambda: played("maw", {"event": "new_deal"}, names=ANN_BOB),
        "playing": lambda: game(call("game_won", "B"), {"event": "new_deal"}, *deal, call("lead", "B"), b=13),
        "vied": lambda: game(*deal, call("vie", "B")),
        "read": lambda: replace(
            game(*deal, call("lead", "B", card="5H")),
            seen={"turned_up": "9H", "trick": [{"by": "B", "card": "5H"}], "taken": {"A": 1, "B": 0}},
        ),
        "crossed": lambda: game(call("lead", "B"), deal={"crossed": 3, "asked": "B", "tricks": 2, "pending": "A"}, a=21, b=18),
        "won": lambda: game(*deal, call("game_won", "B"), a=14, b=17),
        "livings": lambda: game(call("turn_up", "A", card="AH"), a=23, b=25),
        "paused": lambda: game(*deal, Pause()),
        "over": lambda: game(*deal[1:], call("game_won", "B"), a=14, b=22),
        "set-lost": lambda: game(call("offence", "A", law=1), a=20, b=6),
    }


@cache
def scene(game: str, name: str) -> Snapshot:
    """One scene."""
    return {"fortification": fortification, "squails": squails, "maw": maw}[game]()[name]()


@cache
def names(game: str) -> tuple[str, ...]:
    """The names of a game's scenes."""
    return tuple({"fortification": fortification, "squails": squails, "maw": maw}[game]())

"""Durable before visible: whenever the program is killed, what anybody has seen is in the journal."""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.broker_kit import Mosquitto
from tests.durable_kit import State, missing, taken_up
from tests.room_kit import Room

ROOT = Path(__file__).resolve().parents[3]

Seen = dict[str, list[State]]
"""What each subscriber has seen of a program before it died, by the subscriber; `pipe` is the one next to the engine."""


class Killer:
    """Gives orders to the program and gathers what was seen of each child before it died."""

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.kill_program"],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kill(self, journal: Path, kill: str | int, *, batch: int = 0, seed: int = 1, order: str = "right") -> Seen:
        """Nobody but the subscriber in the program watches."""
        self._say({"journal": str(journal), "seed": seed, "kill": kill, "batch": batch, "order": order, "room": None})
        return {"pipe": list(self._lines())}

    def kill_before(
        self, room: Room, journal: Path, kill: str | int, *, batch: int = 0, seed: int = 1, order: str = "right"
    ) -> Seen:
        """A room watches as well; at a named point it is waited until what was shown has arrived there, then it is killed."""
        watched = {"mqtt": room.port, "table": room.next_table()}
        self._say({"journal": str(journal), "seed": seed, "kill": kill, "batch": batch, "order": order, "room": watched})
        lines, shown = self._lines(), list[State]()
        for line in lines:
            if "web" in line:
                room.watch(line["web"])
                self._say({})
                if isinstance(kill, int):
                    threading.Event().wait(kill / 1000)
                    os.kill(line["pid"], signal.SIGKILL)
                pid = line["pid"]
            elif "here" in line:
                room.wait_for(shown[-1]["revision"])
                os.kill(pid, signal.SIGKILL)
            else:
                shown.append(line)
        return {"pipe": shown, **room.leave()}

    def _say(self, order: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def _lines(self) -> Iterator[Any]:
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline()) != "dead\n":
            assert line, "the program ended by itself"
            # The last line may have been cut by the kill: nobody can read that one.
            if line.endswith("}\n"):
                yield json.loads(line)

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    killer = Killer()
    yield killer
    killer.close()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    broker = Mosquitto(tmp_path_factory.mktemp("broker"))
    room = Room(broker)
    yield room
    room.close()
    broker.stop()


def lost(journal: Path, seen: Seen) -> dict[str, str]:
    """For each subscriber what the last that it has seen misses in the journal; nothing if all is there."""
    last = {who: states[-1] for who, states in seen.items() if states}
    if "pipe" in last:
        last["pipe"] = {key: value for key, value in last["pipe"].items() if key != "rests_on"}
    found = {who: missing(journal, state, seen["pipe"]) for who, state in last.items()}
    return {who: why for who, why in found.items() if why is not None}


@pytest.mark.parametrize("point", ["before-commit", "between"])
def test_killed_at_a_named_point(killer: Killer, tmp_path: Path, point: str) -> None:
    for batch in (1, 2, 3, 40, 90):
        journal = tmp_path / f"{batch}.sqlite3"
        seen = killer.kill(journal, point, batch=batch)
        assert seen["pipe"] or batch <= 2
        assert lost(journal, seen) == {}
        assert taken_up(journal) == {}


@pytest.mark.broker
@pytest.mark.parametrize("point", ["before-commit", "between"])
def test_killed_at_a_named_point_while_the_room_watches(killer: Killer, room: Room, tmp_path: Path, point: str) -> None:
    for batch in (5, 40, 90):
        journal = tmp_path / f"{batch}.sqlite3"
        seen = killer.kill_before(room, journal, point, batch=batch)
        assert {who: states[-1]["revision"] for who, states in seen.items()} == dict.fromkeys(
            ("pipe", "mqtt", "stream"), seen["pipe"][-1]["revision"]
        )
        assert lost(journal, seen) == {}
        assert taken_up(journal) == {}


def in_a_checkpoint(journal: Path) -> bool:
    """Whether the last program that wrote there has died in a checkpoint: it had begun one, and not yet ended it.

    SQLite notes in the index of its log how many frames a checkpoint means to bring home (at byte 128), before the first, and how
    many have come home (at byte 96), after the last: https://www.sqlite.org/walformat.html
    """
    index = Path(f"{journal}-shm").read_bytes()
    home, meant = (struct.unpack_from("=I", index, place)[0] for place in (96, 128))
    return bool(home < meant)


@pytest.mark.cc
@pytest.mark.broker
def test_killed_in_a_checkpoint(room: Room, tmp_path: Path) -> None:
    library = tmp_path / "kill.so"
    source = ROOT / "tests" / "kill_in_checkpoint.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    for write, watched in ((20, False), (61, False), (160, True)):
        journal = tmp_path / f"{write}.sqlite3"
        killer = Killer({"LD_PRELOAD": str(library), "KILL_FILE": journal.name, "KILL_AT": str(write)})
        seen = killer.kill_before(room, journal, "elsewhere") if watched else killer.kill(journal, "elsewhere")
        killer.close()
        assert all(seen.values())
        assert in_a_checkpoint(journal)
        assert lost(journal, seen) == {}
        assert taken_up(journal) == {}


def test_killed_at_random(killer: Killer, tmp_path: Path) -> None:
    rng = random.Random(6)
    shown = 0
    for run in range(180):
        # Half of the runs go on with the journal of the one before: a kill in the middle of taking a game up again.
        journal = tmp_path / f"{run // 2}.sqlite3"
        seen = killer.kill(journal, rng.randint(0, 60), seed=run)
        shown += len(seen["pipe"])
        assert lost(journal, seen) == {}
        assert taken_up(journal) == {}
    assert shown > 200


@pytest.mark.broker
def test_killed_at_random_while_the_room_watches(killer: Killer, room: Room, tmp_path: Path) -> None:
    """With those above these are two hundred."""
    rng = random.Random(7)
    heard = {"mqtt": 0, "stream": 0}
    for run in range(20):
        journal = tmp_path / f"{run // 2}.sqlite3"
        seen = killer.kill_before(room, journal, rng.randint(0, 60), seed=run)
        assert all(seen.values())
        assert lost(journal, seen) == {}
        assert taken_up(journal) == {}
        for who in heard:
            heard[who] += len(seen[who])
    # More than the first state of each run, which is waited for: how much more, depends on the machine.
    assert min(heard.values()) > 22, heard


@pytest.mark.broker
def test_a_loop_that_shows_before_it_commits_is_found_out(killer: Killer, room: Room, tmp_path: Path) -> None:
    found = []
    for batch in (3, 40, 90):
        journal = tmp_path / f"{batch}.sqlite3"
        found.append(lost(journal, killer.kill_before(room, journal, "before-commit", batch=batch, order="shows-first")))
    # By everybody, each time: what is shown before its commit has arrived before its commit.
    assert [set(why) for why in found] == [{"pipe", "mqtt", "stream"}] * 3, found
    assert all("rests on record" in text for why in found for text in why.values())


def test_a_kill_soon_after_a_wrong_order_is_found_out_by_whoever_is_nearest(killer: Killer, tmp_path: Path) -> None:
    journal = tmp_path / "table.sqlite3"
    assert set(lost(journal, killer.kill(journal, "before-commit", batch=40, order="shows-first"))) == {"pipe"}

"""Durable before visible: whenever the program is killed, what anybody has seen is in the journal."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.engine.engine import Engine
from controller.engine.journal import Journal, read_records
from controller.fitting import build_panel, fitted, rules_of, table_maker
from tests.table_kit import FULL, table_of

ROOT = Path(__file__).resolve().parents[3]


class Killer:
    """Gives orders to the program and gathers what the room saw of each child before it died."""

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.kill_program"],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kill(self, journal: Path, kill: str | int, *, batch: int = 0, seed: int = 1, order: str = "right") -> list[Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        text = {"journal": str(journal), "seed": seed, "kill": kill, "batch": batch, "order": order}
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        seen = []
        while (line := self.process.stdout.readline()) != "dead\n":
            assert line, "the program ended by itself"
            # The last line may have been cut by the kill: nobody can read that one.
            if line.endswith("}\n"):
                seen.append(json.loads(line))
        return seen

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


def lost(journal: Path, seen: list[Any]) -> str | None:
    """What the room has seen that the journal doesn't have; None when all of it is there and the game goes on from it."""
    if not seen:
        return None
    newest = seen[-1]
    kept = read_records(journal)
    last = kept[-1].id if kept else 0
    if last < newest["rests_on"]:
        return f"shown on record {newest['rests_on']}, kept to {last}"
    table = table_of(FULL)
    again = Journal(journal)
    engine = Engine(fitted(table), rules_of(table), build_panel(table), table_maker(table), again.kept())
    again.close()
    assert engine.faults == {}
    if last == newest["rests_on"] and engine.play is not None and newest["game"] == engine.play.start.body["game_id"]:
        snapshot, _ = engine.view([], durable=True, now=0)
        assert [side.score for side in snapshot.sides] == [score for score, _ in newest["scores"]]
    return None


@pytest.mark.parametrize("point", ["before-commit", "between"])
def test_killed_at_a_named_point(killer: Killer, tmp_path: Path, point: str) -> None:
    for batch in (1, 2, 3, 40, 90):
        journal = tmp_path / f"{batch}.sqlite3"
        seen = killer.kill(journal, point, batch=batch)
        assert seen or batch <= 2
        assert lost(journal, seen) is None


@pytest.mark.cc
def test_killed_in_a_checkpoint(tmp_path: Path) -> None:
    library = tmp_path / "kill.so"
    source = ROOT / "tests" / "kill_in_checkpoint.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    for write in (5, 60, 301):
        journal = tmp_path / f"{write}.sqlite3"
        killer = Killer({"LD_PRELOAD": str(library), "KILL_FILE": journal.name, "KILL_AT": str(write)})
        seen = killer.kill(journal, "elsewhere")
        killer.close()
        assert lost(journal, seen) is None


def test_killed_two_hundred_times_at_random(killer: Killer, tmp_path: Path) -> None:
    rng = random.Random(6)
    shown = 0
    for run in range(200):
        # Half of the runs go on with the journal of the one before: a kill in the middle of taking a game up again.
        journal = tmp_path / f"{run // 2}.sqlite3"
        seen = killer.kill(journal, rng.randint(0, 60), seed=run)
        shown += len(seen)
        assert lost(journal, seen) is None
    assert shown > 200


def test_a_loop_that_shows_before_it_commits_is_found_out(killer: Killer, tmp_path: Path) -> None:
    found = [
        lost(
            tmp_path / f"{batch}.sqlite3",
            killer.kill(tmp_path / f"{batch}.sqlite3", "before-commit", batch=batch, order="shows-first"),
        )
        for batch in (2, 3, 40, 90)
    ]
    assert any(found)

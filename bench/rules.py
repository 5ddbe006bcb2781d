"""Rules events a second of one processor for each game: transcript scoring with output, beside JSON alone on the same lines.

Prints a table of figures and ratios; exit status 1 if a game falls below the target.

    python bench/rules.py [GAME…]
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from controller.rules.registry import GAME_NAMES  # noqa: E402 - the checkout's own packages
from controller.transcript import Entry, entries, entry_json  # noqa: E402

TARGET = 20_000
"""Events a second, with output."""
ROUNDS = 15
"""The best of them counts: what else the machine does only ever slows a round."""
EVENTS = 4_000


def transcripts_of(game: str) -> list[list[bytes]]:
    """The transcripts of a game's cases, over and over, until they hold enough events."""
    cases = [
        json.loads(line) for line in (ROOT / "tests/cases" / f"{game}.jsonl").read_text(encoding="utf-8").splitlines() if line
    ]
    once = [[json.dumps(event).encode() for event in case["transcript"]] for case in cases]
    return once * math.ceil(EVENTS / count(once))


def count(transcripts: list[list[bytes]]) -> int:
    return sum(len(lines) - 1 for lines in transcripts)


def opened(transcripts: list[list[bytes]]) -> list[Iterator[Entry]]:
    """Each transcript read past its game line: what is measured is events."""
    games = [entries(lines) for lines in transcripts]
    for game in games:
        next(game)
    return games


def scored(games: list[Iterator[Entry]]) -> None:
    encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
    for game in games:
        for entry in game:
            encode(entry_json(entry))


def bare(transcripts: list[list[bytes]]) -> None:
    for lines in transcripts:
        for line in lines[1:]:
            json.dumps(json.loads(line))


def cpu_seconds(work: Callable[[Any], None], on: Any) -> float:
    begun = time.process_time()
    work(on)
    return time.process_time() - begun


def measure(game: str) -> bool:
    transcripts = transcripts_of(game)
    events = count(transcripts)
    ours, reference = [], []
    for _ in range(ROUNDS):  # taken in turns, so that a busy machine slows both
        ours.append(cpu_seconds(scored, opened(transcripts)))
        reference.append(cpu_seconds(bare, transcripts))
    rate, bare_rate = events / min(ours), events / min(reference)
    good = rate >= TARGET
    print(
        f"{game:14} {rate:10,.0f} {bare_rate:12,.0f} {bare_rate / rate:8.1f} {rate / TARGET:10.2f}  {'' if good else 'TOO SLOW'}"
    )
    return good


def main(games: list[str]) -> int:
    print(f"{'game':14} {'events/s':>10} {'json alone/s':>12} {'times it':>8} {'of target':>10}")
    here = games or [game for game in GAME_NAMES if (ROOT / "tests/cases" / f"{game}.jsonl").exists()]
    slow = [game for game in here if not measure(game)]
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Rules events a second for each game, through transcript scoring with output, beside the bare JSON work on the same lines.

Prints a table of figures and ratios; exit status 1 if a game falls below the target.

    python bench/rules.py [GAME…]
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from controller.rules.registry import GAME_NAMES  # noqa: E402 - the checkout's own packages
from controller.transcript import entries, entry_json  # noqa: E402

TARGET = 20_000
"""Events a second, with output."""
ROUNDS = 7
"""The best of them counts: what else the machine does only ever slows a round."""
EVENTS = 4_000


def lines_of(game: str) -> list[tuple[list[bytes], int]]:
    """The transcripts of a game's cases, over and over, until they hold enough events."""
    cases = [
        json.loads(line) for line in (ROOT / "tests/cases" / f"{game}.jsonl").read_text(encoding="utf-8").splitlines() if line
    ]
    transcripts = [[json.dumps(event).encode() for event in case["transcript"]] for case in cases]
    out, events = [], 0
    while events < EVENTS:
        for lines in transcripts:
            out.append((lines, len(lines)))
            events += len(lines)
    return out


def scored(transcripts: list[tuple[list[bytes], int]]) -> None:
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for lines, _ in transcripts:
        for entry in entries(lines):
            encode(entry_json(entry))


def bare(transcripts: list[tuple[list[bytes], int]]) -> None:
    for lines, _ in transcripts:
        for line in lines:
            json.dumps(json.loads(line))


def seconds(work: Callable[[Any], None], on: Any) -> float:
    begun = time.perf_counter()
    work(on)
    return time.perf_counter() - begun


def measure(game: str) -> bool:
    transcripts = lines_of(game)
    events = sum(count for _, count in transcripts)
    scored(transcripts[:50])
    ours, reference = [], []
    for _ in range(ROUNDS):  # taken in turns, so that a busy machine slows both
        ours.append(seconds(scored, transcripts))
        reference.append(seconds(bare, transcripts))
    rate, bare_rate = events / min(ours), events / min(reference)
    good = rate >= TARGET
    print(
        f"{game:14} {rate:10,.0f} {bare_rate:12,.0f} {bare_rate / rate:8.1f} {rate / TARGET:10.2f}  {'' if good else 'TOO SLOW'}"
    )
    return good


def main(games: list[str]) -> int:
    print(f"{'game':14} {'events/s':>10} {'json alone/s':>12} {'times it':>8} {'of target':>10}")
    here = [game for game in games or GAME_NAMES if importlib.util.find_spec(f"controller.rules.{game}")]
    slow = [game for game in here if not measure(game)]
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

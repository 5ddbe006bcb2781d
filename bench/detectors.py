"""Edges a second, and CPU an edge, from the panel's door through switch detectors to observations, with bounce and order right.

`python bench/detectors.py` prints one line and exits 1 below the floor: the figures of the Mission Pinball Framework's virtual
platform, measured on the same kind of machine (128,000 switch edges a second, 7.8 µs of CPU an edge).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hardware.detectors.switch import SwitchDetector
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, Signal

FLOOR_EDGES_PER_SECOND = 128_000
CEILING_CPU_MICROSECONDS = 7.8

INPUTS = 24
BATCH = 64
"""Signals between two advances: what waits in the queue under load."""
QUIET = 200 * MS
"""From the end of one train of an input to the start of the next at the least: longer than a switch settles."""

Truth = list[tuple[int, str, bool]]


def bouncing_inputs(changes: int, seed: int) -> tuple[list[Signal], Truth]:
    """The edges of inputs that bounce at every change, several at a time, in order of time; and the changes that are true."""
    chance = random.Random(seed)
    signals: list[Signal] = []
    truth: Truth = []
    free_at = [0] * INPUTS
    levels = [0] * INPUTS
    for turn in range(changes):
        line = chance.randrange(INPUTS)
        at = max(free_at[line], turn * 20 * MS) + chance.randrange(MS)
        # Four to twelve bounces within some 2 ms: what measured microswitches do.
        bounces = 2 * chance.randint(2, 6)
        for _ in range(bounces):
            levels[line] = 1 - levels[line]
            signals.append(Signal(at, f"gpio:{line}", levels[line]))
            at += 1 + int(chance.expovariate(1 / (MS / 5)))
        levels[line] = 1 - levels[line]
        signals.append(Signal(at, f"gpio:{line}", levels[line]))
        truth.append((at, f"gpio:{line}", bool(levels[line])))
        free_at[line] = at + QUIET
    return sorted(signals), sorted(truth)


def run(signals: list[Signal]) -> tuple[list[Observation], float, float]:
    """All signals through a fresh panel as the engine would feed them; gives observations, seconds and seconds of CPU."""
    panel = Panel(SwitchDetector(f"gpio:{line}", "cup", f"gpio:{line}", active_level=1) for line in range(INPUTS))
    panel.begin({f"gpio:{line}": 0 for line in range(INPUTS)}, at=0)
    observations: list[Observation] = []
    start, start_cpu = time.perf_counter(), time.process_time()
    for first in range(0, len(signals), BATCH):
        batch = signals[first : first + BATCH]
        for signal in batch:
            observations += panel.feed(signal)
        observations += panel.advance("gpio", batch[-1].at)
        panel.next_deadline()
    observations += panel.advance("gpio", signals[-1].at + QUIET)
    return observations, time.perf_counter() - start, time.process_time() - start_cpu


def main() -> int:
    """Print the figures; 1 if they are too low or the observations aren't the truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=20_000, help="true changes of level; each makes five to thirteen edges")
    parser.add_argument(
        "--runs", type=int, default=5, help="the best of so many runs counts: the others show what else the machine did"
    )
    parser.add_argument("--floor", type=int, default=FLOOR_EDGES_PER_SECOND, help="edges a second below which it fails")
    parser.add_argument(
        "--ceiling", type=float, default=CEILING_CPU_MICROSECONDS, help="CPU microseconds an edge above which it fails"
    )
    options = parser.parse_args()

    signals, truth = bouncing_inputs(options.changes, seed=1)
    rates: list[float] = []
    costs: list[float] = []
    for _ in range(options.runs):
        observations, seconds, cpu = run(signals)
        if [(seen.at, seen.sensor, seen.value) for seen in observations] != truth:
            print("the observations are not the true changes in their order")
            return 1
        rates.append(len(signals) / seconds)
        costs.append(cpu / len(signals) * 1e6)
    rate, cost = max(rates), min(costs)
    print(
        f"detectors: {len(signals):,} edges, {len(truth):,} changes: {rate:,.0f} edges/s, "
        f"{rate / options.floor:.1f} of the floor; "
        f"{cost:.2f} µs CPU/edge, {cost / options.ceiling:.2f} of the ceiling"
    )
    return int(rate < options.floor or cost > options.ceiling)


if __name__ == "__main__":
    sys.exit(main())

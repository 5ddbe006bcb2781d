"""How fast recorded games replay: simulated games of each kind, recorded and played again, beside the time that they took.

Prints two rows a game, without and with people who answer, and one for each golden trace; exit status 1 if one is below a
thousand times the speed at which it was recorded, or if a replay tells anything else than was told live. Opening the table file
isn't counted, reading the trace is.

    python bench/replay.py [GAME…]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from controller.engine.snapshot import Happening, Snapshot  # noqa: E402 - the checkout's own packages
from controller.fitting.detectors import build_detectors  # noqa: E402
from controller.replay import Replay  # noqa: E402
from controller.rules.registry import GAME_NAMES  # noqa: E402
from controller.simulation.stage import Stage, simulated_table  # noqa: E402
from hardware.recording import RecordingPanel  # noqa: E402
from hardware.signals import SECOND  # noqa: E402
from hardware.sources.trace_chain import TraceChain  # noqa: E402
from hardware.sources.trace_file import TraceWriter  # noqa: E402

TARGET = 1000
"""Times the speed of the game."""
ROUNDS = 5
"""The best of them counts: what else the machine does only ever slows a round."""
SEED = 5
LONGEST = 900 * SECOND
"""Of a simulated game, where it isn't over before: without a marker some wait for an answer."""

Told = list[tuple[object, ...]]


class Audience:
    """Keeps what is told of a game."""

    def __init__(self) -> None:
        self.told: Told = []
        self.last = 0

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:  # noqa: ARG002 - a publisher's signature
        """Take what has happened."""
        self.told += [(one.kind, one.event, one.ruling) for one in happenings]
        self.last = max([self.last, *(one.at for one in happenings)])


def record(game: str, path: Path, *, people: bool) -> tuple[float, Told]:
    """Play a game whose questions nobody answers, or the `people` who play it; gives its seconds and what was told of it.

    They are those up to the last thing told: nothing is gained by replaying players who wait for an answer.
    """
    table, audience = simulated_table(game), Audience()
    with TraceWriter(path, "simulated") as writer:
        panel = RecordingPanel(build_detectors(table), writer)
        stage = Stage(table, SEED, games=1, publishers=[audience], panel=panel, acts=writer if people else None)
        stage.evening.answers = people
        stage.open()
        began = stage.now
        stage.play_until(began + LONGEST)
    return (audience.last - began) / SECOND, audience.told


def length(trace: Path) -> float:
    """The seconds from its beginning to its last entry."""
    with TraceChain([trace]) as chain:
        return (max(getattr(entry, "at", 0) for entry in chain) - chain.at) / SECOND


def replay(game: str, trace: Path) -> tuple[float, Told]:
    """Play a trace; gives the seconds of processor that it took, and what it told."""
    table = simulated_table(game)
    begun = time.process_time()
    with TraceChain([trace]) as chain:
        happened = [one for one in Replay(table, chain).run() if isinstance(one, Happening)]
        told: Told = [(one.kind, one.event, one.ruling) for one in happened]
    return time.process_time() - begun, told


def measure(game: str, trace: Path, name: str, seconds: float, told: Told) -> bool:
    """Print a row; whether it is as fast as it should be, and tells the same each time."""
    took, same = [], True
    for _ in range(ROUNDS):
        one, again = replay(game, trace)
        took.append(one)
        same &= again == told
    times = seconds / min(took)
    trouble = "NOT WHAT WAS TOLD LIVE" if not same else "TOO SLOW" if times < TARGET else ""
    print(f"{name:24} {seconds:8.0f} s {len(told):7} {min(took) * 1000:8.0f} ms {times:8,.0f}  {trouble}")
    return not trouble


def main(games: list[str]) -> int:
    """Print the table; 1 if something is too slow or not the same."""
    print(f"{'recording':24} {'length':>10} {'told':>7} {'replay':>11} {'times':>8}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for game in games or GAME_NAMES:
            for people in (False, True):
                trace = Path(folder) / f"{game}-{people}.jsonl.gz"
                seconds, told = record(game, trace, people=people)
                name = f"{game}, answered" if people else f"a game of {game}"
                failed |= not measure(game, trace, name, seconds, told)
            for golden in sorted((ROOT / "tests/traces").glob(f"{game}-*.jsonl.gz")):
                failed |= not measure(
                    game, golden, golden.name.removesuffix(".jsonl.gz"), length(golden), replay(game, golden)[1]
                )
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""A whole table in memory for tests: simulated switches, real detectors, table, engine and journal; the test moves the clock."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

from controller.engine.engine import Engine
from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop, Keeper
from controller.engine.requests import Command, Reply, Request, StartGame
from controller.engine.snapshot import Happening, Snapshot
from controller.engine.takeup import take_up
from controller.fitting.detectors import build_detectors, build_panel
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.tablefile import TableFile
from hardware.recording import RecordingPanel
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource
from hardware.sources.trace_file import TraceWriter

CUPS = "\n".join(f'[[sensor]]\nkind = "switch"\nrole = "cup-{n}"\nsource = "sim"' for n in range(1, 10))
SPOT = '[[sensor]]\nkind = "switch"\nrole = "spot-a"\nsource = "sim"'
BEAMS = '[[sensor]]\nkind = "beam"\nrole = "half-way"\nsource = ["sim", "sim"]'
BUTTONS = "\n".join(
    f'[[sensor]]\nkind = "button"\nrole = "{role}"\nsource = "sim"' for role in ("next-ball", "end-of-turn", "new-game", "undo")
)
COLOURS = "\n".join(f'[[sensor]]\nkind = "switch"\nrole = "black-{n}"\nsource = "sim"' for n in range(1, 10))
HEAD = '[table]\nid = "test"\ngame = "bagatelle"\n'
FULL = f"{HEAD}\n{CUPS}\n{SPOT}\n{BEAMS}\n{BUTTONS}"

EPOCH = 1_000 * SECOND


def table_of(text: str = FULL) -> TableFile:
    """The table file of this TOML."""
    return TableFile.model_validate(tomllib.loads(text))


class FullDisk(Journal):
    """A journal on a disk that is full while `full` is set."""

    full = False

    def commit(self, records: Any, games: Any = (), answered: Any = ()) -> None:
        self._db.execute(f"pragma max_page_count={1 if self.full else 1_000_000}")
        super().commit(records, games, answered)


class Watcher:
    """A publisher that remembers."""

    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []
        self.happenings: list[Happening] = []

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:
        self.snapshots.append(snapshot)
        self.happenings += happenings


class Bench:
    """One table under test. Times are seconds since its start."""

    def __init__(
        self,
        table: TableFile | str = FULL,
        journal: Keeper | None = None,
        boot: str = "boot",
        *,
        kept: Any = None,
        sim: SimSource | None = None,
        tape: TraceWriter | None = None,
    ) -> None:
        self.table = table_of(table) if isinstance(table, str) else table
        self.journal = journal or Journal(":memory:")
        self.sim = sim or SimSource(clock=None)
        self.now = EPOCH
        for sensor in self.table.sensors:
            for channel in sensor.channels:
                self.sim.set(channel, 1 - sensor.active_level, self.now)
        for sensor in self.table.sensors:
            if sensor.role == "spot-a":
                self.sim.set(sensor.channels[0], sensor.active_level, self.now)
        self.watcher = Watcher()
        self.boot = boot
        self.by_role = {sensor.role: sensor for sensor in self.table.sensors}
        kept = kept or self.journal.kept()  # type: ignore[attr-defined]  # every journal of a test has it
        past = self.journal.find_game if isinstance(self.journal, Journal) else lambda _: None
        forget = self.journal.forget if isinstance(self.journal, Journal) else lambda _: 0
        panel = build_panel(self.table) if tape is None else RecordingPanel(build_detectors(self.table), tape)
        rules, maker = rules_of(self.table), table_maker(self.table)
        self.engine = Engine(fitted(self.table), rules, panel, maker, kept, find_past=past, forget=forget, acts=tape)
        self.loop = EngineLoop(
            self.engine, [self.sim], self.journal, [self.watcher], clock=lambda: self.now, wall=lambda: "2026-11-30T20:00:00Z"
        )

    def open(self) -> Bench:
        """Open the sources and write the boot record."""
        self.sim.advance(self.now)
        self.loop.open(self.boot, "test")
        return self

    # Moving things

    def set(self, role: str, *, on: bool, end: int = 0) -> None:
        """Bring an input to on or off now."""
        sensor = self.by_role[role]
        self.sim.set(sensor.channels[end], sensor.active_level if on else 1 - sensor.active_level, self.now)

    def wait(self, seconds: float) -> None:
        """Let time pass; the loop turns whenever it is due."""
        until = self.now + round(seconds * SECOND)
        while self.now < until:
            self.now = min(until, max(self.loop.next_due(), self.now + 1))
            self.turn()

    def turn(self) -> None:
        """One turn of the loop now."""
        self.sim.advance(self.now)
        self.loop.turn(self.now)

    def press(self, role: str, seconds: float = 0.1) -> None:
        """Press a button for so long, and leave it for as long as it might bounce."""
        self.set(role, on=True)
        self.wait(seconds)
        self.set(role, on=False)
        self.wait(0.2)

    def cross(self, direction: str = "up") -> None:
        """A ball rolls through the half-way beams."""
        for end in (0, 1) if direction == "up" else (1, 0):
            self.set("half-way", on=True, end=end)
            self.wait(0.012)
            self.set("half-way", on=False, end=end)
            self.wait(0.008)

    def play_ball(self, *cups: int, strike: bool = False, back: int = 0, rest: float = 3.0) -> None:
        """Play a ball: it crosses the line, strikes the black or not, fills cups, `back` balls come back."""
        self.cross()
        self.wait(0.5)
        if strike:
            self.set("spot-a", on=False)
        self.wait(0.5)
        for cup in cups:
            self.set(f"cup-{cup}", on=True)
            self.wait(0.1)
        for _ in range(back):
            self.cross("down")
        self.wait(rest)

    def collect(self) -> None:
        """Take all balls out of the cups and put the black on spot a."""
        for role in self.by_role:
            if role.startswith("cup-"):
                self.set(role, on=False)
        if "spot-a" in self.by_role:
            self.set("spot-a", on=True)
        self.wait(1)

    def ask(self, command: Command) -> Reply:
        """Ask something of the engine and give its reply."""
        replies: list[Reply] = []
        self.loop.submit(Request(command, "test", replies.append))
        self.wait(MS / SECOND)
        assert len(replies) == 1
        return replies[0]

    def start(self, **options: Any) -> Bench:
        """Start a game."""
        reply = self.ask(StartGame(options=options))
        assert reply.ok, reply.error
        self.wait(0.5)
        return self

    # What is shown

    @property
    def shown(self) -> Snapshot:
        """The newest snapshot."""
        return self.watcher.snapshots[-1]

    @property
    def score(self) -> dict[str, int]:
        """The banked score."""
        return {side.id: side.score for side in self.shown.sides}

    @property
    def pending(self) -> dict[str, int]:
        """Points that would be banked now."""
        return {side.id: side.pending for side in self.shown.sides if side.pending}

    def events(self, kind: str = "event") -> Sequence[Happening]:
        """What has happened."""
        return [h for h in self.watcher.happenings if h.kind == kind]

    def again(self, boot: str = "boot-2") -> Bench:
        """Switched off at the wall and on again, on the same journal."""
        return Bench(self.table, self.journal, boot)


def same_again(table: Bench) -> None:
    """Taken up from the journal it is the game that was left."""
    journal, left = table.journal, table.engine.play
    assert isinstance(journal, Journal)
    assert left is not None
    make = table_maker(table.table)
    play, difference = take_up(journal.kept().open_game, rules_of(table.table), (make(), make()))
    assert difference is None
    assert (play.asked, play.provisional, play.away, play.out) == (left.asked, left.provisional, left.away, left.out)
    assert play.fold.state == left.fold.state

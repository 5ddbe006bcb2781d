"""A simulated table with its engine on one clock: as fast as the machine can, or at a pace that people can watch."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from controller.engine.deeds import Acts
from controller.engine.engine import Engine
from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop, Keeper
from controller.engine.past import Find
from controller.engine.requests import Abandon, Request
from controller.engine.snapshot import Happening, Publisher, Snapshot
from controller.fitting.detectors import build_panel
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.resources import resource
from controller.simulation.evening import Evening
from controller.simulation.fortification import FortificationEvening
from controller.simulation.maw import MawEvening
from controller.simulation.players import Players
from controller.simulation.squails import SquailsEvening
from controller.tablefile import TableFile
from hardware.panel import Panel
from hardware.signals import SECOND
from hardware.sources.sim import SimSource

EPOCH = 1_000 * SECOND
"""Where the simulated clock begins: a machine that has been up for a while."""
EVENINGS: dict[str, type[Players]] = {
    "bagatelle": Evening,
    "fortification": FortificationEvening,
    "squails": SquailsEvening,
    "maw": MawEvening,
}
"""Who plays each game that can be simulated."""
TIDYING = 10 * SECOND
"""How long players take to clear the table."""
FRAME = SECOND // 25
"""How often a watched simulation moves on."""


def simulated_table(game: str) -> TableFile:
    """The shipped table file of a game, every input simulated, with neither broker nor web."""
    text = resource("config", f"{game}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    for sensor in data["sensor"]:
        sensor["source"] = "sim" if isinstance(sensor["source"], str) else ["sim"] * len(sensor["source"])
    kept = {key: data[key] for key in ("table", "rules", "sensor") if key in data}
    return TableFile.model_validate(kept)


class Stage:
    """Players, simulated inputs, detectors, table, engine and journal, turn by turn. The same seed plays the same games."""

    def __init__(
        self,
        table: TableFile,
        seed: int,
        *,
        games: int | None = None,
        journal: Keeper | None = None,
        publishers: Sequence[Publisher] = (),
        panel: Panel | None = None,
        acts: Acts | None = None,
        boot: str = "simulated",
    ) -> None:
        self.now = EPOCH
        self.shown: Snapshot | None = None
        self.sim = SimSource(clock=None)
        self.evening = EVENINGS[table.table.game](table, self.sim, seed, start=EPOCH, games=games)
        self._table = table
        self._seed = seed
        kept_by = journal or Journal(":memory:")
        kept = kept_by.kept() if isinstance(kept_by, Journal) else Journal(":memory:").kept()
        find: Find = kept_by.find_game if isinstance(kept_by, Journal) else lambda _: None
        panel = panel or build_panel(table)
        rules, maker = rules_of(table), table_maker(table)
        self.engine = Engine(fitted(table), rules, panel, maker, kept, find_past=find, acts=acts)
        self.loop = EngineLoop(self.engine, [self.sim], kept_by, [self, *publishers], clock=lambda: self.now, wall=self._wall)
        self._boot = boot

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:  # noqa: ARG002 - the signature of Publisher
        """The players look at the scoreboard."""
        self.shown = snapshot

    def open(self) -> None:
        """Switch the table on."""
        self.sim.advance(self.now)
        self.loop.open(self._boot, "simulated")

    @property
    def done(self) -> bool:
        """Whether the last game is over."""
        return self.evening.done

    def play_until(self, now: int) -> None:
        """Move on to this time of the simulated clock, or to the end of the last game."""
        while self.now < now and not self.done:
            self.step(now - self.now)

    def hurry_until(self, now: int) -> None:
        """The same without an audience: the loop turns only when a player looks up, and takes all that happened in one batch."""
        while self.now < now and not self.done:
            self._go_to(min(self.evening.next_time, now))

    def step(self, most: int = SECOND) -> None:
        """Move on to the next thing that is due, at most so far."""
        self._go_to(min(self.loop.next_due(), self.evening.next_time, self.now + most))

    def _go_to(self, due: int) -> None:
        self.now = max(due, self.now + 1)
        self.sim.advance(self.now)
        self.loop.turn(self.now)
        if self.now >= self.evening.next_time:
            assert self.shown is not None
            requests = self.evening.act(self.now, self.shown)
            for request in requests:
                self.loop.submit(request)
            if requests:
                self.loop.turn(self.now)

    def sit_down_again(self) -> None:
        """The players give the game up, clear the table and begin anew: somebody has meddled, and they have lost track of it."""
        self._seed += 1
        left = self.evening.games_left
        # What their hands have begun is over by then, and the table is as it should be at the start of a game.
        cleared = self.now + TIDYING
        self.evening = EVENINGS[self._table.table.game](self._table, self.sim, self._seed, start=cleared, games=left)
        self.evening.next_time = cleared + TIDYING // 2
        self.loop.submit(Request(Abandon(), "demo"))

    def close(self) -> None:
        """Switch the table off."""
        self.sim.close()

    def date(self) -> datetime:
        """When it is at the simulated table."""
        return datetime(2026, 11, 28, 20, tzinfo=UTC) + timedelta(microseconds=(self.now - EPOCH) // 1000)

    def _wall(self) -> str:
        return self.date().isoformat(timespec="seconds")

"""Leads a person through rings, knocks and presses at the table itself, and keeps what was heard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from controller.fitting.detectors import bells_alike
from controller.tablefile import TableFile
from controller.tablefile.sensors import AnySensor, BellSensor
from controller.tuning import bells
from controller.tuning.choices import group_of
from controller.tuning.takes import Take
from hardware.health import SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal

TIMES = 5
"""Each bell is rung and each contact pressed so often."""
STILL = 2 * SECOND
"""A step is over when it has been done so often, and nothing has moved for so long."""
REST = 300 * MS
"""A press comes after so long a stillness; what comes sooner is its bounce."""
KNOCKING = 15 * SECOND


class Guide:
    """A view that asks for one thing after the other. `names`: the sensors; with a bell among them also knocks."""

    def __init__(self, table: TableFile, names: Sequence[str], say: Callable[[str], object]) -> None:
        by_name = {sensor.name: sensor for sensor in table.sensors}
        self._say = say
        self._groups = {sensor.name: group for group in bells_alike(table) for sensor in group}
        self._steps: list[AnySensor | None] = [by_name[name] for name in names]
        if any(isinstance(step, BellSensor) for step in self._steps):
            self._steps.append(None)
        self._heard: list[Signal] = []
        self._since: int | None = None
        self.takes: list[Take] = []
        self._ask()

    @property
    def done(self) -> bool:
        """Whether all was heard."""
        return not self._steps

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Take what has come in; goes on to the next thing when this one is done."""
        if self._since is None:
            self._since = now
        self._heard += signals
        if self.done or not self._enough(now):
            return
        step = self._steps.pop(0)
        name = "knocks" if step is None else step.name
        self.takes.append(Take(name, None if step is None else step.name, {}, tuple(sorted(self._heard))))
        self._say(f"{name}: heard.")
        self._heard, self._since = [], now
        self._ask()

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:
        """Nothing to draw."""

    def end(self) -> bool:
        """Whether all was heard."""
        return self.done

    def _ask(self) -> None:
        if self.done:
            return
        step = self._steps[0]
        if step is None:
            self._say("Now knock on the table, its cushions and each fort, and stamp, for fifteen seconds. Ring nothing.")
        elif isinstance(step, BellSensor):
            self._say(f"Now ring {step.name}, {TIMES} times, soft and hard. Wait each time until it is silent.")
        else:
            self._say(f"Now press {step.name}, {TIMES} times. Hold it for a second, and let go for a second.")

    def _enough(self, now: int) -> bool:
        step, since = self._steps[0], self._since or now
        if step is None:
            return now - since >= KNOCKING
        mine = [signal for signal in self._heard if signal.channel in step.channels]
        if not mine or now - mine[-1].at < STILL:
            return False
        if isinstance(step, BellSensor):
            take = Take(step.name, step.name, {}, tuple(mine))
            return len(bells.blows(group_of(self._groups[step.name]), take)) >= TIMES
        return _presses(mine, step.active_level) >= TIMES


def _presses(signals: Sequence[Signal], active_level: int) -> int:
    """How often the contact went to its active level, or tried to, after a rest."""
    count, last = 0, -REST
    for signal in signals:
        if signal.at - last >= REST and signal.number == active_level:
            count += 1
        last = signal.at
    return count

"""Recordings that a person has labelled: what was rung, knocked or pressed while they were made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hardware.signals import Signal
from hardware.sources.trace_chain import TraceChain


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """One recording. `sensor`: what was rung or pressed in it; None: knocks, nothing in it is to count."""

    name: str
    sensor: str | None
    levels: Mapping[str, int]
    signals: tuple[Signal, ...]

    def of(self, channels: Iterable[str]) -> Take:
        """What these channels did in it."""
        wanted = frozenset(channels)
        levels = {channel: level for channel, level in self.levels.items() if channel in wanted}
        return replace(self, levels=levels, signals=tuple(signal for signal in self.signals if signal.channel in wanted))


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for some sensors. `settings`: lines for the table file, none where those that it has do well."""

    sensors: tuple[str, ...]
    reasons: tuple[str, ...]
    settings: Mapping[str, str]
    trouble: str | None = None
    """Why no setting does, with the remedy."""


def read_take(path: Path, sensor: str | None) -> Take:
    """A recording from its trace. Raises `TraceError`."""
    with TraceChain([path]) as chain:
        return Take(path.name, sensor, chain.levels, tuple(sorted(entry for entry in chain if isinstance(entry, Signal))))

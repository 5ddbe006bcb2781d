"""Recordings that a person has labelled: what was rung, knocked or pressed while they were made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for some sensors. `settings`: lines for the table file, none where those that it has do well."""

    sensors: tuple[str, ...]
    reasons: tuple[str, ...]
    settings: Mapping[str, str]
    trouble: str | None = None
    """Why no setting does, with the remedy."""


def read_take(path: Path, sensor: str | None, channels: Iterable[str]) -> Take:
    """What a trace has of some channels. Raises `TraceError`."""
    wanted = frozenset(channels)
    with TraceChain([path]) as chain:
        signals = tuple(sorted(entry for entry in chain if isinstance(entry, Signal) and entry.channel in wanted))
        return Take(path.name, sensor, {channel: level for channel, level in chain.levels.items() if channel in wanted}, signals)

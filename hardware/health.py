"""Health of sensors and sources, for the person who fits the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SensorHealth:
    """One sensor as it stands.

    `value`: the debounced value, None before its source opened; `since`: monotonic nanoseconds of its last change, None if it
    never changed; `edges`: raw edges seen; `accepted`: changes that stood; `late`: edges that came after their time; `lost`:
    edges that must have been missed in between; `faults`: sentences, each with its remedy ("cup-3 chatters: …"), empty when it
    is well; `notes`: sentences on what is no fault but worth to know ("cup-3 was never seen to move: …").
    """

    sensor: str
    value: bool | int | float | str | None
    since: int | None
    edges: int = 0
    accepted: int = 0
    late: int = 0
    lost: int = 0
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """One source as it stands: whether it is there, and what was lost and recovered.

    `lost`: signals known to be lost (gaps in sequence numbers); `recovered`: levels that had changed without a signal, found when
    levels were compared; `blind`: how often it came back without what had happened while it was away; `muted`: channels silenced
    because they stormed.
    """

    source: str
    up: bool
    lost: int = 0
    recovered: int = 0
    late: int = 0
    blind: int = 0
    muted: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

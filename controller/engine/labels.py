"""Wall times, ISO 8601 texts that label records for people: what can be made of one."""

from __future__ import annotations

from datetime import datetime


def clock_of(wall: str) -> str:
    """The time of day; the label itself where it is none."""
    return wall.partition("T")[2][:8] or wall


def microseconds(wall: str) -> int:
    """Microseconds since 1970; none where the label is no time."""
    try:
        return int(datetime.fromisoformat(wall).timestamp() * 1_000_000)
    except ValueError:
        return 0

"""What the page of the person with the screwdriver is told: every input once, then what they do, as one viewer follows them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from controller.rules.awards import Json
from controller.tablefile import TableFile
from controller.tablefile.sensors import AnySensor, BellSensor, ContactSensor, WiredSensor
from controller.tables.roles import roles_of
from hardware.detectors.bell import BellSettings, Verdict
from hardware.detectors.digital import Change, DigitalInput
from hardware.observations import Observation
from hardware.signals import MS, SECOND, Signal, source_of
from hardware.watching import Entry, WatchedPanel

SPAN = 10 * SECOND
"""How far back a new viewer sees."""
LONGEST = 80
"""Characters of a line of text, or of what was made of it, that a row has room for."""


class Installer:
    """The inputs of one table for any number of viewers, from any thread. `clock` gives monotonic nanoseconds."""

    def __init__(self, table: TableFile, panel: WatchedPanel, clock: Callable[[], int]) -> None:
        self._table = table
        self._panel = panel
        self._clock = clock

    def describe(self) -> str:
        """All inputs and outputs, as JSON: what each is called, where it is wired, how it is judged; times in milliseconds."""
        roles = roles_of(self._table.table.game)
        inputs = [_input(sensor, roles[sensor.role].text.partition(";")[0]) for sensor in self._table.sensors]
        outputs = [{"output": one.name, "kind": one.kind, "source": " ".join(one.source)} for one in self._table.outputs]
        return _json({"table": self._table.table.id, "span": _ms(SPAN), "inputs": inputs, "outputs": outputs})

    def look(self) -> Callable[[], str | None]:
        """Begin to look on: each call of what is given tells what is new, as JSON, or None."""
        return _Look(self._table, self._panel, self._clock).news


class _Look:
    """One viewer."""

    def __init__(self, table: TableFile, panel: WatchedPanel, clock: Callable[[], int]) -> None:
        self._panel = panel
        self._clock = clock
        self._last: Entry | None = None
        self._first = True
        # The debounced levels of the last seconds are worked out anew for whoever looks: those who play don't pay for it.
        self._inputs: dict[str, DigitalInput] = {}
        self._sensors = [sensor for sensor in table.sensors if isinstance(sensor, ContactSensor)]

    def news(self) -> str | None:
        marks = self._panel.marks()
        levels = self._panel.levels() if self._first else {}  # not newer than what comes after it
        entries = self._panel.since(self._last)
        self._last = entries[-1] if entries else self._last
        now = self._clock()
        told: dict[str, Json] = {"now": _ms(now)}
        if self._first:
            entries = [entry for entry in entries if entry.at >= now - SPAN]
            self._begin(entries, levels, now)
            told["levels"] = {channel: _short(level) for channel, level in levels.items()}
        signals = [entry for entry in entries if isinstance(entry, Signal)]
        news: dict[str, list[Json]] = {
            "signals": [[_ms(one.at), one.channel, _short(one.value)] for one in signals],
            "changes": self._changes(signals, marks),
            "seen": [_seen(one) for one in entries if isinstance(one, Observation)],
            "verdicts": [_verdict(one) for one in entries if isinstance(one, Verdict)],
        }
        told |= {name: rows for name, rows in news.items() if rows}
        nothing = len(told) == 1
        self._first = False
        return None if nothing else _json(told)

    def _begin(self, entries: Sequence[Entry], levels: dict[str, int | str], now: int) -> None:
        before: dict[str, int] = {}
        for entry in entries:
            if isinstance(entry, Signal) and isinstance(entry.value, int):
                before.setdefault(entry.channel, 1 - entry.value)
        for sensor in self._sensors:
            for channel in sensor.channels:
                level = before.get(channel, levels.get(channel))
                shadow = self._inputs[channel] = DigitalInput(sensor.active_level, sensor.timing)
                if isinstance(level, int):
                    shadow.begin(level, now - SPAN)

    def _changes(self, signals: Sequence[Signal], marks: dict[str, int]) -> list[Json]:
        changes: list[Json] = []
        for signal in signals:
            shadow = self._inputs.get(signal.channel)
            if shadow is not None:
                changes += [_change(signal.channel, change) for change in shadow.feed(signal.at, signal.number)]
        for channel, shadow in self._inputs.items():
            mark = marks.get(source_of(channel))
            if mark is not None:
                changes += [_change(channel, change) for change in shadow.advance(mark)]
        return changes


def _input(sensor: AnySensor, what: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "sensor": sensor.name,
        "role": sensor.role,
        "what": what,
        "kind": sensor.kind,
        "channels": list(sensor.channels),
        "active": sensor.active_level,
    }
    if isinstance(sensor, WiredSensor):
        told["pull"] = sensor.pull
    if isinstance(sensor, ContactSensor):
        timing = sensor.timing
        told["settle"] = {"on": _ms(timing.settle_on), "off": _ms(timing.settle_off)}
        told["lockout"] = {"on": _ms(timing.lockout_on), "off": _ms(timing.lockout_off)}
    if isinstance(sensor, BellSensor):
        usual = BellSettings()
        told |= {
            "form": sensor.form,
            "threshold": sensor.threshold,
            "weakest": sensor.weakest,
            "judge": [_ms(usual.judge), _ms(usual.judge + usual.look)],
            "keep": sensor.keep,
        }
    return told


def _change(channel: str, change: Change) -> list[Json]:
    return [_ms(change.at), _ms(change.known), channel, change.value]


def _seen(one: Observation) -> list[Json]:
    return [_ms(one.at), _ms(one.known), one.sensor, one.kind, _short(one.value), one.late]


def _verdict(one: Verdict) -> list[Json]:
    return [_ms(one.at), _ms(one.known), one.sensor, one.kind, one.peak, one.kept]


def _short(value: bool | float | str) -> Json:
    return value if not isinstance(value, str) or len(value) <= LONGEST else value[:LONGEST] + "…"


def _ms(ns: int) -> float:
    """Milliseconds, to the microsecond."""
    return round(ns / MS, 3)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

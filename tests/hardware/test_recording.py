"""A replay of what a panel was told gives what it gave, call for call."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.beam import BeamDetector
from hardware.detectors.button import ButtonDetector
from hardware.detectors.detector import Detector
from hardware.detectors.switch import SwitchDetector
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.recording import RecordingPanel, replay
from hardware.signals import MS, SECOND, Signal
from hardware.sources.trace_file import Advance, Begin, TraceReader, TraceWriter

CHANNELS = ("gpio:1", "gpio:2", "gpio:3", "board:left/1", "board:left/2")


def detectors() -> list[Detector]:
    return [
        SwitchDetector("cup-1", "cup-1", "gpio:1", 0),
        SwitchDetector("cup-2", "cup-2", "gpio:2", 1),
        ButtonDetector("new-game", "new-game", "gpio:3", 0, hold=SECOND, hold_only=True),
        BeamDetector("half-way", "half-way", ("board:left/1", "board:left/2"), 1),
    ]


Call = Signal | Advance | Begin


def make(calls: list[Call], panel: Panel) -> list[Observation]:
    observations: list[Observation] = []
    for call in calls:
        match call:
            case Signal():
                observations += panel.feed(call)
            case Advance(source, at):
                observations += panel.advance(source, at)
            case Begin(levels, at):
                observations += panel.begin(dict(levels), at)
    return observations


instants = st.integers(0, 5_000).map(lambda ms: ms * MS)
calls = st.lists(
    st.one_of(
        st.builds(Signal, instants, st.sampled_from(CHANNELS), st.integers(0, 1)),
        st.builds(Advance, st.sampled_from(["gpio", "board:left"]), instants),
        st.builds(Begin, st.dictionaries(st.sampled_from(CHANNELS), st.integers(0, 1)), instants),
    ),
    max_size=60,
)


@given(calls, st.booleans())
def test_replay_equals_live(tmp_path_factory: pytest.TempPathFactory, told: list[Call], in_order: bool) -> None:
    """Whatever the calls, late signals and all; a fresh panel without a recorder gives the same as well."""
    if in_order:
        told = sorted(told, key=lambda call: call.at)
    path = tmp_path_factory.mktemp("trace") / "t.jsonl.gz"
    opening = Begin(dict.fromkeys(CHANNELS, 0), 0)
    with TraceWriter(path, "boot") as writer:
        recording = RecordingPanel(detectors(), writer)
        live = make([opening, *told], recording)
    assert make([opening, *told], Panel(detectors())) == live
    again = Panel(detectors())
    with TraceReader(path) as reader:
        replayed = list(replay(reader, again))
    assert replayed == live
    assert again.health() == recording.health()
    assert again.next_deadline() == recording.next_deadline()

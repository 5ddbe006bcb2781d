"""Lines that a tracker sends to a topic of a real mosquitto become signals, in order; what the broker kept is no news."""

from __future__ import annotations

import pytest

from hardware.signals import Signal
from hardware.sources.lines import TopicSource
from tests.broker_kit import Mosquitto, client, eventually
from tests.controller.publish.conftest import StartTable
from tests.publish_kit import snapshot

pytestmark = pytest.mark.broker

TOPIC = "camera/places"


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_lines_of_a_topic_are_signals_and_an_outage_is_told(protocol: str, mosquitto: Mosquitto, start: StartTable) -> None:
    heard: list[Signal] = []
    source = TopicSource("lines:camera")
    source.open(["lines:camera"], heard.append)
    with client(mosquitto.port) as tracker:
        tracker.publish(TOPIC, "an old line", retain=True)
    table = start(mosquitto.port, hears={TOPIC: source}, protocol=protocol)
    table.link.offer(snapshot(1), ())
    with client(mosquitto.port) as tracker:

        def told() -> bool:
            tracker.publish(TOPIC, "first")
            return bool(heard)

        eventually(told, "the first line")
        tracker.publish(TOPIC, "one\ntwo")
        eventually(lambda: [signal.value for signal in heard][-2:] == ["one", "two"], "two lines of one message")
    assert {signal.value for signal in heard} == {"first", "one", "two"}
    assert [signal.at for signal in heard] == sorted(signal.at for signal in heard)
    assert source.health().up
    mosquitto.stop()
    eventually(lambda: not source.health().up, "the outage told")
    assert source.health().faults[0].startswith("lines:camera is away: ")

"""The link against a real mosquitto, over networks that freeze and break."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from controller.publish.mqtt import Connection
from controller.publish.session import Patience
from controller.publish.settings import MqttSettings, Tls
from hardware.signals import MS, SECOND
from tests.broker_kit import DEADLINE, Mosquitto, Proxy, client, eventually, free_port, retained
from tests.controller.publish.conftest import ALL, STATE, TOPICS, StartTable, revision, wait_online
from tests.publish_kit import happening, sensor, snapshot

pytestmark = pytest.mark.broker


def without_link(messages: dict[str, bytes]) -> dict[str, object]:
    """Retained messages, without what is said of the link: the one thing that a restart of the broker may change."""
    kept: dict[str, object] = dict(messages)
    health = json.loads(messages[TOPICS.health])
    del health["mqtt"]
    kept[TOPICS.health] = health
    return kept


def test_birth_first_then_all_state_and_listening_last(mosquitto: Mosquitto, start: StartTable) -> None:
    with client(mosquitto.port, ALL) as viewer:
        table = start(mosquitto.port)
        table.link.offer(snapshot(1), (happening(1),))
        viewer.wait(lambda message: message.topic == TOPICS.events, "the event")
        topics = [message.topic for message in viewer.seen]
    assert topics[0] == TOPICS.status
    assert set(topics[1:-1]) == STATE
    assert topics[-1] == TOPICS.events
    assert set(retained(mosquitto.port, ALL)) == {TOPICS.status, *STATE}


def test_online_waits_for_the_first_state(mosquitto: Mosquitto, start: StartTable) -> None:
    with client(mosquitto.port, ALL, "$SYS/broker/log/N") as viewer:
        table = start(mosquitto.port)
        eventually(lambda: "tablemarker-long-room" in mosquitto.log(), "the connection")
        viewer.publish(f"{TOPICS.prefix}/marker", b"after the connection")
        viewer.wait(lambda message: message.topic.endswith("/marker"))
        assert [message.topic for message in viewer.seen] == [f"{TOPICS.prefix}/marker"]
        table.link.offer(snapshot(1), ())
        assert viewer.wait(lambda _: True).payload == b"online"


def test_each_state_reaches_the_room_and_its_score_before_its_event(mosquitto: Mosquitto, start: StartTable) -> None:
    table = start(mosquitto.port)
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    with client(mosquitto.port, ALL) as viewer:
        for n in range(2, 40):
            table.link.offer(snapshot(n), (happening(n),))
            viewer.wait(lambda message: message.topic == TOPICS.events)
            shown = [json.loads(message.payload)["revision"] for message in viewer.seen if message.topic == TOPICS.score]
            assert shown[-1] == n


def test_small_messages_are_not_held_back_until_there_are_more(mosquitto: Mosquitto) -> None:
    connection = Connection(MqttSettings("127.0.0.1", mosquitto.port, "tablemarker-long-room"), "5", TOPICS.status)
    try:
        connection.open(DEADLINE)
        assert connection._client.socket().getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)  # type: ignore[union-attr]
    finally:
        connection.drop()


def test_a_clean_stop_says_offline_after_the_last_score(mosquitto: Mosquitto, start: StartTable) -> None:
    table = start(mosquitto.port)
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    with client(mosquitto.port, ALL) as viewer:
        table.link.offer(snapshot(2), ())
        table.link.close()
        viewer.wait(lambda message: message.payload == b"offline")
        topics = [message.topic for message in viewer.seen]
    assert topics.index(TOPICS.status, topics.index(TOPICS.score)) == len(topics) - 1
    kept = retained(mosquitto.port, ALL)
    assert kept[TOPICS.status] == b"offline"
    assert json.loads(kept[TOPICS.score])["revision"] == 2
    table.link.close()
    table.link.offer(snapshot(3), (happening(3),))


def test_the_last_will_says_offline_when_the_connection_breaks(mosquitto: Mosquitto, proxy: Proxy, start: StartTable) -> None:
    start(proxy.port).link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    with client(mosquitto.port, TOPICS.status) as viewer:
        proxy.cut()
        viewer.wait(lambda message: message.payload == b"offline", "the last will")
        viewer.wait(lambda message: message.payload == b"online", "the birth")


def test_who_comes_after_the_table_has_gone_finds_it_offline_too(mosquitto: Mosquitto, proxy: Proxy, start: StartTable) -> None:
    start(proxy.port).link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    proxy.close()
    eventually(lambda: retained(mosquitto.port, ALL)[TOPICS.status] == b"offline", "the last will, retained")


@pytest.mark.parametrize("keep", [False, True], ids=["without persistence", "with persistence"])
def test_a_broker_restarted_in_the_middle_of_a_game_has_the_whole_set_again(
    keep: bool, tmp_path: Path, start: StartTable
) -> None:
    mosquitto = Mosquitto(tmp_path, keep=keep)
    try:
        table = start(mosquitto.port)
        table.link.offer(snapshot(1), ())
        wait_online(mosquitto.port)
        table.link.offer(snapshot(2), ())
        eventually(lambda: revision(mosquitto.port) == 2, "the score")
        before = retained(mosquitto.port)
        mosquitto.stop()
        mosquitto.start()
        eventually(lambda: retained(mosquitto.port).get(TOPICS.status) == b"online", "the table online again")
        eventually(lambda: TOPICS.health in retained(mosquitto.port), "all of its state")
        after = retained(mosquitto.port)
    finally:
        mosquitto.stop()
    assert without_link(after) == without_link(before)


def test_what_changed_while_the_broker_was_away_is_there_when_it_is_back(mosquitto: Mosquitto, start: StartTable) -> None:
    table = start(mosquitto.port)
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    mosquitto.stop()
    eventually(lambda: table.link.faults, "the fault")
    table.link.offer(snapshot(5, sensors=(sensor("cup-1"),)), ())
    mosquitto.start()
    eventually(lambda: revision(mosquitto.port) == 5, "the newest score")
    assert TOPICS.sensor("cup-2") not in retained(mosquitto.port)


@pytest.mark.parametrize("lost", ["score", "acknowledgement"])
def test_a_connection_cut_with_a_score_unacknowledged_leaves_the_newest(
    lost: str, mosquitto: Mosquitto, proxy: Proxy, start: StartTable
) -> None:
    table = start(proxy.port)
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    eventually(lambda: revision(mosquitto.port) == 1, "the first score")
    frozen = proxy.frozen_up if lost == "score" else proxy.frozen_down
    frozen.set()
    table.link.offer(snapshot(2), ())
    if lost == "acknowledgement":
        eventually(lambda: revision(mosquitto.port) == 2, "the score that is never acknowledged")
    table.link.offer(snapshot(3), ())
    proxy.cut()
    frozen.clear()
    with client(mosquitto.port, TOPICS.score) as viewer:
        viewer.wait(lambda message: json.loads(message.payload)["revision"] == 3, "the newest score")
        table.link.offer(snapshot(3, phase="over"), ())
        viewer.wait(lambda message: json.loads(message.payload)["phase"] == "over", "the end")
        shown = [json.loads(message.payload)["revision"] for message in viewer.seen]
    assert shown == sorted(shown), "an older score came after a newer one"
    assert revision(mosquitto.port) == 3


def test_a_frozen_broker_holds_nothing_up_and_memory_stays_bounded(mosquitto: Mosquitto, proxy: Proxy, start: StartTable) -> None:
    table = start(proxy.port, patience=Patience(acknowledge=60 * SECOND))
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    proxy.frozen_down.set()
    slowest, most = 0.0, 0
    desk = table.link._desk
    for n in range(2, 5000):
        began = time.perf_counter()
        table.link.offer(snapshot(n), (happening(n),))
        slowest = max(slowest, time.perf_counter() - began)
        most = max(most, len(desk.outbox) + len(desk.events) + len(desk.replies))
    assert slowest < 2  # far above what it takes on a busy machine, far below any time-out
    assert most <= desk.events.limit + len(STATE) + 1 + 20
    proxy.frozen_down.clear()
    eventually(lambda: revision(mosquitto.port) == 4999, "the newest score")
    eventually(lambda: json.loads(retained(mosquitto.port)[TOPICS.health])["mqtt"]["events_dropped"] > 4000, "the count")


def test_a_broker_that_stops_acknowledging_is_noticed_and_left(mosquitto: Mosquitto, proxy: Proxy, start: StartTable) -> None:
    table = start(proxy.port, patience=Patience(acknowledge=100 * MS, healthy=SECOND))
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    proxy.frozen_down.set()
    table.link.offer(snapshot(2), ())
    eventually(lambda: any("acknowledged nothing" in fault for fault in table.link.faults), "the fault")
    proxy.frozen_down.clear()
    eventually(lambda: revision(mosquitto.port) == 2, "the score by a new connection")
    eventually(lambda: not table.link.faults, "the end of the fault")


def test_a_broker_that_falls_silent_is_noticed_though_nothing_is_sent(
    mosquitto: Mosquitto, proxy: Proxy, start: StartTable
) -> None:
    table = start(proxy.port, keepalive=1)
    table.link.offer(snapshot(1), ())
    eventually(lambda: set(retained(mosquitto.port)) >= STATE, "all of the state")
    proxy.frozen_down.set()
    eventually(lambda: table.link.faults, "the fault")
    where = f"the broker at 127.0.0.1:{proxy.port}"
    assert table.link.faults == (f"{where} has fallen silent: check the network between, and whether it runs",)
    proxy.frozen_down.clear()
    proxy.cut()
    eventually(lambda: not table.link.faults, "a new connection")


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_topics_of_sensors_that_the_table_no_longer_has_are_cleared(
    protocol: str, mosquitto: Mosquitto, start: StartTable
) -> None:
    gone = TOPICS.sensor("bell-of-last-year")
    with client(mosquitto.port) as earlier:
        earlier.publish(gone, b"{}", retain=True)
        earlier.publish("tablemarker/other/sensors/bell", b"{}", retain=True)
    table = start(mosquitto.port, protocol=protocol)
    table.link.offer(snapshot(1), ())
    eventually(lambda: gone not in retained(mosquitto.port), "the clearing")
    assert {"tablemarker/other/sensors/bell", *STATE} <= set(retained(mosquitto.port))


def test_a_mistake_in_the_loop_is_noticed_and_the_link_starts_again(
    mosquitto: Mosquitto, start: StartTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    died: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: died.append(args.exc_value))
    table = start(mosquitto.port)
    bad = happening(1, event={"event": object()})
    table.link.offer(snapshot(1), (bad,))
    eventually(lambda: died, "the end of the loop")
    assert isinstance(died[0], TypeError)
    eventually(lambda: table.reported, "the fault")
    assert table.reported[0] == ("the MQTT loop ended by a mistake in the program; it starts again. Please report it",)
    eventually(lambda: not table.link.faults, "a new connection")
    with client(mosquitto.port, TOPICS.events) as viewer:
        table.link.offer(snapshot(2), (happening(2),))
        viewer.wait(lambda message: json.loads(message.payload)["revision"] == 2, "the next event")
    assert len(died) == 1


def test_events_that_waited_too_long_are_not_sent_after_a_reconnect(mosquitto: Mosquitto, start: StartTable) -> None:
    table = start(mosquitto.port)
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    mosquitto.stop()
    eventually(lambda: table.link.faults, "the fault")
    long_ago = time.monotonic_ns() - 31 * SECOND
    table.link._desk.put_state(snapshot(2), (happening(2),), long_ago)
    table.link.offer(snapshot(3), (happening(3),))
    mosquitto.start()
    with client(mosquitto.port, ALL) as viewer:
        eventually(lambda: revision(mosquitto.port) == 3, "the score")
        table.link.offer(snapshot(4), (happening(4),))
        viewer.wait(lambda message: message.topic == TOPICS.events and json.loads(message.payload)["revision"] == 4)
        sent = [json.loads(message.payload)["revision"] for message in viewer.seen if message.topic == TOPICS.events]
    assert 2 not in sent
    eventually(lambda: json.loads(retained(mosquitto.port)[TOPICS.health])["mqtt"]["events_late"] == 1, "the count")


# paho leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning")
def test_an_encrypted_link(tmp_path: Path, start: StartTable) -> None:
    def openssl(words: str) -> None:
        subprocess.run(["openssl", *words.split()], check=True, capture_output=True, cwd=tmp_path)

    key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    openssl(f"req -x509 {key} -days 2 -keyout ca.key -out ca.pem -subj /CN=authority")
    openssl(f"req {key} -keyout broker.key -out broker.csr -subj /CN=broker")
    (tmp_path / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("x509 -req -days 2 -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out broker.pem -extfile names")
    port = free_port()
    mosquitto = Mosquitto(
        tmp_path,
        extra=f"allow_anonymous true\nlistener {port} 127.0.0.1\ncertfile {tmp_path}/broker.pem\nkeyfile {tmp_path}/broker.key",
    )
    try:
        trusting = start(port, tls=Tls(ca_file=tmp_path / "ca.pem"))
        for n in range(1, 50):
            trusting.link.offer(snapshot(n), (happening(n),))
        eventually(lambda: revision(mosquitto.port) == 49, "the score")
        trusting.link.close()
        doubting = start(port, tls=Tls())
        doubting.link.offer(snapshot(1), ())
        eventually(lambda: doubting.link.faults, "the fault")
        assert f"no encrypted link to 127.0.0.1:{port}" in doubting.link.faults[0]
        assert "ca_file" in doubting.link.faults[0]
    finally:
        mosquitto.stop()

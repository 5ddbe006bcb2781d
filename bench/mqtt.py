"""From a state handed over to its score at a subscriber, beside a bare paho message of the same size at QoS 1, in the same run.

`python bench/mqtt.py [N]` prints a table and exits 1 if the median is more than the stated factor behind the bare message.
Both go through one mosquitto on loopback to one subscriber, turn by turn.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from controller.intake import Intake  # noqa: E402 - the checkout's own packages
from controller.publish.link import MqttPublisher  # noqa: E402
from controller.publish.messages import encode, score_message  # noqa: E402
from controller.publish.settings import MqttSettings  # noqa: E402
from controller.publish.topics import Topics  # noqa: E402
from tests.broker_kit import Mosquitto  # noqa: E402
from tests.publish_kit import happening, sensor, snapshot  # noqa: E402

FACTOR = 1.6
"""The median may be this many times the bare message's."""
ROUNDS = 2000
BARE = "bare/message"
TOPICS = Topics.of_table("long-room")
SENSORS = tuple(sensor(f"cup-{n}") for n in range(1, 25))


class Subscriber:
    """Waits for one message at a time and notes when it came."""

    def __init__(self, port: int) -> None:
        self._came = threading.Semaphore(0)
        self._topic = ""
        self.at = 0
        self._client = client(port, "subscriber", [TOPICS.score, BARE], self._take)

    def _take(self, _client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
        if message.topic == self._topic:
            self.at = time.perf_counter_ns()
            self._came.release()

    def expect(self, topic: str) -> None:
        self._topic = topic

    def wait(self) -> int:
        if not self._came.acquire(timeout=10):
            raise SystemExit("a message was lost")
        return self.at

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def client(port: int, name: str, topics: list[str], take: object = None) -> paho.Client:
    """A plain paho client, connected and subscribed."""
    ready = threading.Event()
    one = paho.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv5)
    one.on_socket_open = lambda _client, _data, link: link.setsockopt(6, 1, 1)
    one.on_connect = lambda *_: one.subscribe([(topic, 1) for topic in topics]) if topics else ready.set()
    one.on_subscribe = lambda *_: ready.set()
    one.on_message = take
    one.connect("127.0.0.1", port)
    one.loop_start()
    if not ready.wait(10):
        raise SystemExit("no connection to mosquitto")
    return one


def shown(name: str, nanoseconds: list[int]) -> tuple[float, float]:
    cuts = statistics.quantiles(nanoseconds, n=100)
    middle, late = statistics.median(nanoseconds) / 1e6, cuts[98] / 1e6
    print(f"{name:<44} p50 {middle:7.3f} ms   p99 {late:7.3f} ms")
    return middle, late


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        subscriber = Subscriber(broker.port)
        bare = client(broker.port, "bare", [])
        link = MqttPublisher(MqttSettings("127.0.0.1", broker.port, "table"), TOPICS, Intake(lambda _: None))
        link.start()
        base = snapshot(1, sensors=SENSORS)
        payload = encode(score_message(base))
        subscriber.expect(TOPICS.score)
        link.offer(base, ())
        subscriber.wait()
        ours: list[int] = []
        theirs: list[int] = []
        offers: list[int] = []
        gc.collect()
        for n in range(2, rounds + 2):
            state, event = replace(base, revision=n), happening(n)
            subscriber.expect(TOPICS.score)
            began = time.perf_counter_ns()
            link.offer(state, (event,))
            offers.append(time.perf_counter_ns() - began)
            ours.append(subscriber.wait() - began)
            subscriber.expect(BARE)
            began = time.perf_counter_ns()
            bare.publish(BARE, payload, qos=1, retain=True)
            theirs.append(subscriber.wait() - began)
        cpu, began = time.process_time(), time.perf_counter()
        for n in range(rounds + 2, 2 * rounds + 2):
            link.offer(replace(base, revision=n), ())
        flood = (time.perf_counter() - began) / rounds * 1e6
        link.close()
        flood_cpu = (time.process_time() - cpu) / rounds * 1e6
        bare.disconnect()
        bare.loop_stop()
        subscriber.close()
        broker.stop()
    print(f"score of {len(payload)} bytes and its event, {len(json.loads(payload)['sides'])} sides, {len(SENSORS)} sensors")
    middle, late = shown("offer → score at a subscriber", ours)
    bare_middle, bare_late = shown("bare paho publish, QoS 1 → the same", theirs)
    print(f"{'ratio':<44} p50 {middle / bare_middle:7.2f}      p99 {late / bare_late:7.2f}")
    print(f"{'offer() itself, for the engine':<44} p50 {statistics.median(offers) / 1e3:7.1f} µs")
    print(f"{'in a flood, a state':<44}     {flood:7.1f} µs, {flood_cpu:.1f} µs of CPU in all threads")
    if middle > FACTOR * bare_middle:
        print(f"the median is more than {FACTOR} times the bare message's", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""From an edge to the score at a subscriber: ours and a bare reference, each in a process of its own, edge by edge in turn.

The reference makes one SQLite commit (WAL, FULL) and publishes one paho message at QoS 1 of the size of a score, nothing else.
The edges are those of a game: balls that fall into cups, the next-ball button, the end of the turn, cups that are emptied. They
come faster than in play, so a stroke is over as soon as the next begins: each makes its event alone, as it does in play.
"""

from __future__ import annotations

import itertools
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from controller.engine.engine import Engine  # noqa: E402 - the checkout's own packages
from controller.engine.journal import Journal  # noqa: E402
from controller.engine.loop import EngineLoop  # noqa: E402
from controller.engine.requests import Request, StartGame  # noqa: E402
from controller.fitting.detectors import build_panel  # noqa: E402
from controller.fitting.tables import fitted, rules_of  # noqa: E402
from controller.intake import Intake  # noqa: E402
from controller.publish.link import MqttPublisher  # noqa: E402
from controller.publish.settings import MqttSettings  # noqa: E402
from controller.publish.topics import Topics  # noqa: E402
from controller.service import wall_now  # noqa: E402
from controller.tables.bagatelle import BagatelleTable  # noqa: E402
from controller.tables.turn import Timing  # noqa: E402
from hardware.sources.sim import SimSource  # noqa: E402
from tests.broker_kit import Mosquitto  # noqa: E402
from tests.table_kit import HEAD, table_of  # noqa: E402

TURNS = 30
"""Of a game that goes on: about as many edges as an evening's longest."""
SWITCHES = ("spot-a", *(f"cup-{n}" for n in range(1, 10)), *(f"black-{n}" for n in range(1, 10)))
BUTTONS = ("next-ball", "end-of-turn")
SENSORS = "\n".join(
    f'[[sensor]]\nkind = "{kind}"\nrole = "{role}"\nsource = "sim"\nsettle = "0ms"\nlockout = "0ms"'
    for kind, roles in (("switch", SWITCHES), ("button", BUTTONS))
    for role in roles
)
TABLE = f"{HEAD}\n[rules]\ntarget = 100000\n{SENSORS}"
TOPICS = Topics.of_table("test")
BARE = "bare/message"
SIZE = 2900
"""Bytes, of the reference's message: those of the score in the middle of this game."""
ROW = 330
"""Bytes, of what the reference commits: those of the records of an edge, in the mean."""
PATIENCE = 10


class Subscriber:
    """Waits for one message at a time and notes when it came."""

    def __init__(self, port: int) -> None:
        self._came = threading.Semaphore(0)
        self.at = 0
        self.client = client(port, "subscriber")
        self.client.on_message = self._take
        self.client.subscribe([(TOPICS.score, 1), (BARE, 1)])

    def _take(self, _client: paho.Client, _data: object, _message: paho.MQTTMessage) -> None:
        self.at = time.monotonic_ns()
        self._came.release()

    def wait(self, what: str) -> int:
        """When the next message came."""
        if not self._came.acquire(timeout=PATIENCE):
            raise SystemExit(f"no message came within {PATIENCE} s of {what}")
        return self.at

    def settle(self, seconds: float) -> None:
        """Forget what comes until nothing more does for so long."""
        while self._came.acquire(timeout=seconds):
            pass


def client(port: int, name: str) -> paho.Client:
    """A paho client without Nagle's delay."""
    made = paho.Client(CallbackAPIVersion.VERSION2, name)
    made.on_socket_open = lambda _client, _data, link: link.setsockopt(6, 1, 1)
    made.connect("127.0.0.1", port)
    made.loop_start()
    return made


@contextmanager
def running(broker: Mosquitto) -> Iterator[Mosquitto]:
    """A broker until the end of the block."""
    try:
        yield broker
    finally:
        broker.stop()


class Child:
    """One of the two programs: an edge for each line it is sent; it says when the edge was."""

    def __init__(self, which: str, port: int, folder: Path) -> None:
        command = [sys.executable, __file__, which, str(port), str(folder)]
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("ready")

    def edge(self, what: str) -> int:
        """Make an edge; gives its time, in nanoseconds of the monotonic clock that all processes share."""
        return int(self._say(what))

    def _say(self, what: str) -> str:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(f"{what}\n")
        self._program.stdin.flush()
        return self._program.stdout.readline()

    def stop(self) -> None:
        """End it."""
        self._program.communicate()


def turn() -> Iterator[str]:
    """The edges of a turn, `ROLE LEVEL`; a `!` before one that need not change what is shown."""
    yield from ("!next-ball 0", "!next-ball 1", "!spot-a 1", "cup-5 0")
    for cup in (1, 9, 3, 7, 2, 8):
        yield from ("next-ball 0", "!next-ball 1", f"cup-{cup} 0")
    yield from ("end-of-turn 0", "!end-of-turn 1")
    for cup in (5, 1, 9, 3, 7, 2, 8):
        yield f"cup-{cup} 1"
    yield "spot-a 0"


def latency(folder: Path) -> tuple[list[float], list[float]]:
    """Milliseconds from an edge to the score at a subscriber, and of the bare reference, made in turn."""
    with running(Mosquitto(folder)) as broker:
        children = [Child(which, broker.port, folder) for which in ("ours", "bare")]
        ours, bare = children
        subscriber = Subscriber(broker.port)
        subscriber.settle(0.3)
        found: list[tuple[float, float]] = []
        for what in itertools.chain.from_iterable(turn() for _ in range(TURNS)):
            at = ours.edge(what.lstrip("!"))
            if what.startswith("!"):
                subscriber.settle(0.02)
                continue
            first = subscriber.wait(what) - at
            at = bare.edge("edge")
            found.append((first / 1e6, (subscriber.wait("the reference's") - at) / 1e6))
        for child in children:
            child.stop()
        subscriber.client.loop_stop()
    warm = found[len(found) // 10 :]
    return [one for one, _ in warm], [other for _, other in warm]


def serve_ours(port: int, folder: Path) -> None:
    """Engine, journal and publisher, as `tablemarker run` has them, with simulated inputs."""
    table = table_of(TABLE)
    journal = Journal(folder / "ours.sqlite3")
    sim = SimSource()
    for sensor in table.sensors:
        sim.set(sensor.channels[0], 0 if sensor.role == "spot-a" else 1)
    roles = [sensor.role for sensor in table.sensors]

    def make_table() -> BagatelleTable:
        return BagatelleTable(roles, Timing(linger=0))

    engine = Engine(fitted(table), rules_of(table), build_panel(table), make_table, journal.kept())
    loop = EngineLoop(engine, [sim], journal, [], clock=time.monotonic_ns, wall=wall_now)
    link = MqttPublisher(MqttSettings("127.0.0.1", port, "bench"), TOPICS, Intake(loop.submit))
    link.start()
    loop.publishers.append(link)
    loop.open("bench", "bench")
    loop.start()
    loop.submit(Request(StartGame(), "bench"))

    def edge(what: str) -> None:
        role, level = what.split()
        sim.set(f"sim:{role}", int(level))

    serve(edge)
    link.close()
    loop.stop()


def serve_bare(port: int, folder: Path) -> None:
    """The reference."""
    db = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.execute("create table r(id integer primary key, body text)")
    link = client(port, "bare")
    text, row = "x" * SIZE, "x" * ROW

    def edge(_what: str) -> None:
        db.execute("insert into r(body) values (?)", (row,))
        link.publish(BARE, text, qos=1)

    serve(edge)
    link.disconnect()
    link.loop_stop()


def serve(edge: Any) -> None:
    """Make an edge for each line that comes in, and say when it was."""
    for line in sys.stdin:
        at = time.monotonic_ns()
        if line.strip() != "ready":
            edge(line)
        print(at, flush=True)


if __name__ == "__main__":
    {"ours": serve_ours, "bare": serve_bare}[sys.argv[1]](int(sys.argv[2]), Path(sys.argv[3]))

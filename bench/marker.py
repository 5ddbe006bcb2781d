"""The whole service: from an edge to a subscriber, idle, memory over a day's play, and how soon it is ready.

Prints a table of figures, references and ratios; exit status 1 if one falls behind its target. The reference for latency is one
SQLite commit (WAL, FULL) and one paho message at QoS 1, made in turn with ours in the same run.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
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
from controller.engine.records import Record  # noqa: E402
from controller.engine.requests import Request, StartGame  # noqa: E402
from controller.fitting import build_panel, fitted, rules_of, table_maker  # noqa: E402
from controller.intake import Intake  # noqa: E402
from controller.publish.link import MqttPublisher  # noqa: E402
from controller.publish.settings import MqttSettings  # noqa: E402
from controller.publish.topics import Topics  # noqa: E402
from controller.service import wall_now  # noqa: E402
from controller.simulation.stage import Stage, simulated_table  # noqa: E402
from hardware.signals import SECOND  # noqa: E402
from hardware.sources.sim import SimSource  # noqa: E402
from tests.broker_kit import Mosquitto, free_port  # noqa: E402
from tests.table_kit import HEAD, table_of  # noqa: E402

ROUNDS = 1000
P50_FACTOR = 1.3
P99_MS = 19 / 4
"""A quarter of what mqtt-io's interrupts took."""
IDLE_SECONDS = 20
IDLE_CPU = 0.5
IDLE_WAKEUPS = 5.0
RSS_MB = 60.0
READY_SECONDS = 1.0
RECORDS = 1_000_000

CUPS = "\n".join(f'[[sensor]]\nkind = "switch"\nrole = "cup-{n}"\nsource = "sim"\nsettle = "0ms"' for n in range(1, 10))
TOPICS = Topics.of_table("test")
BARE = "bare/message"


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

    def wait(self) -> int:
        """When the next message came."""
        if not self._came.acquire(timeout=10):
            raise SystemExit("a message did not come within ten seconds")
        return self.at

    def settle(self) -> None:
        """Forget what came meanwhile."""
        while self._came.acquire(timeout=0.3):
            pass


@contextmanager
def running(broker: Mosquitto) -> Iterator[Mosquitto]:
    """A broker until the end of the block."""
    try:
        yield broker
    finally:
        broker.stop()


def client(port: int, name: str) -> paho.Client:
    """A paho client without Nagle's delay."""
    made = paho.Client(CallbackAPIVersion.VERSION2, name)
    made.on_socket_open = lambda _client, _data, link: link.setsockopt(6, 1, 1)
    made.connect("127.0.0.1", port)
    made.loop_start()
    return made


def latency(folder: Path) -> tuple[list[float], list[float]]:
    """Milliseconds from an edge to the score at a subscriber, and of the bare reference, made in turn."""
    with running(Mosquitto(folder)) as broker:
        table = table_of(f"{HEAD}\n{CUPS}")
        journal = Journal(folder / "ours.sqlite3")
        sim = SimSource()
        for sensor in table.sensors:
            sim.set(sensor.channels[0], 1)
        engine = Engine(fitted(table), rules_of(table), build_panel(table), table_maker(table), journal.kept())
        loop = EngineLoop(engine, [sim], journal, [], clock=time.monotonic_ns, wall=wall_now)
        link = MqttPublisher(MqttSettings("127.0.0.1", broker.port, "bench"), TOPICS, Intake(loop.submit))
        link.start()
        loop.publishers.append(link)
        loop.open("bench", "bench")
        loop.start()
        loop.submit(Request(StartGame(), "bench"))
        bare_db = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
        bare_db.execute("pragma journal_mode=wal")
        bare_db.execute("pragma synchronous=full")
        bare_db.execute("create table r(id integer primary key, body text)")
        bare = client(broker.port, "bare")
        subscriber = Subscriber(broker.port)
        subscriber.settle()
        payload = b"x" * 1500
        ours, reference = [], []
        for number in range(ROUNDS):
            at = time.monotonic_ns()
            sim.set("sim:cup-5", number % 2)
            ours.append((subscriber.wait() - at) / 1e6)
            at = time.monotonic_ns()
            bare_db.execute("insert into r(body) values (?)", (payload.decode(),))
            bare.publish(BARE, payload, qos=1)
            reference.append((subscriber.wait() - at) / 1e6)
        link.close()
        loop.stop()
        bare.loop_stop()
        subscriber.client.loop_stop()
        return ours[ROUNDS // 10 :], reference[ROUNDS // 10 :]


def service_table(folder: Path, port: int) -> Path:
    """A table file with 24 inputs, web and MQTT."""
    roles = ["spot-a", *(f"cup-{n}" for n in range(1, 10)), *(f"black-{n}" for n in range(1, 10))]
    sensors = "".join(f'[[sensor]]\nkind = "switch"\nrole = "{role}"\nsource = "sim"\n' for role in roles)
    for role in ("next-ball", "end-of-turn", "new-game", "undo"):
        sensors += f'[[sensor]]\nkind = "button"\nrole = "{role}"\nsource = "sim"\n'
    sensors += '[[sensor]]\nkind = "beam"\nrole = "half-way"\nsource = "sim"\n'
    path = folder / "table.toml"
    path.write_text(f'{HEAD}\n[mqtt]\nbroker = "127.0.0.1:{port}"\n[web]\nlisten = "127.0.0.1:{free_port()}"\n{sensors}')
    return path


def start_service(path: Path) -> tuple[subprocess.Popen[str], float]:
    """`tablemarker run`, and the seconds until it said that it is ready."""
    began = time.monotonic()
    program = subprocess.Popen([sys.executable, "-m", "controller", "run", path], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert program.stderr is not None
    said = ""
    for line in program.stderr:
        if "is ready" in line:
            return program, time.monotonic() - began
        said += line
    raise SystemExit(f"the service did not start: {said}")


def idle(folder: Path) -> dict[str, float]:
    """CPU share, wake-ups a second and memory of the service while nothing happens."""
    with running(Mosquitto(folder)) as broker:
        path = service_table(folder, broker.port)
        program, ready = start_service(path)
        threading.Event().wait(3)
        cpu, wakes, at = cpu_seconds(program.pid), wakeups(program.pid), time.monotonic()
        threading.Event().wait(IDLE_SECONDS)
        took = time.monotonic() - at
        found = {
            "cpu": (cpu_seconds(program.pid) - cpu) / took * 100,
            "wakeups": (wakeups(program.pid) - wakes) / took,
            "rss": rss_mb(program.pid),
            "ready": ready,
        }
        program.terminate()
        program.wait(10)
        fill_journal(folder / "test.sqlite3")
        program, found["ready on a million"] = start_service(path)
        program.terminate()
        program.wait(10)
        return found


def cpu_seconds(pid: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wakeups(pid: int) -> int:
    """How often its threads have waited for something and woken."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


def rss_mb(pid: int) -> float:
    """Resident memory of a process in megabytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def fill_journal(path: Path) -> None:
    """Put a million records of finished games into a journal."""
    journal = Journal(path)
    first = journal.kept().last_id + 1
    body: dict[str, Any] = {
        "sensor": "cup-5",
        "role": "cup-5",
        "kind": "level",
        "value": True,
        "at": 1,
        "known": 2,
        "late": False,
    }
    for start in range(first, first + RECORDS, 50_000):
        journal.commit(Record(start + n, "observation", 1 + start // 1000, 1, "", body) for n in range(50_000))
    journal.commit([], [(game, "over", "") for game in range(1, RECORDS // 1000)])
    journal.close()


def day_of_play() -> tuple[float, float, int]:
    """Memory after a tenth of a day's play and at its end, in megabytes, and the games played. On a journal in a file."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(simulated_table("bagatelle"), 1, journal=Journal(Path(folder) / "day.sqlite3", synchronous="NORMAL"))
        stage.open()
        began = stage.now
        stage.play_until(began + 24 * 360 * SECOND)
        early = rss_mb(os.getpid())
        stage.play_until(began + 24 * 3600 * SECOND)
        return early, rss_mb(os.getpid()), len(stage.evening.finished)


def main() -> int:
    """Measure, print, judge."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "latency").mkdir()
        (Path(folder) / "idle").mkdir()
        ours, bare = latency(Path(folder) / "latency")
        quiet = idle(Path(folder) / "idle")
    early, late, games = day_of_play()
    p50, p99 = statistics.median(ours), statistics.quantiles(ours, n=100)[98]
    bare50, bare99 = statistics.median(bare), statistics.quantiles(bare, n=100)[98]
    rows = [
        ("edge to subscriber, p50 ms", p50, bare50, p50 / bare50, P50_FACTOR),
        ("edge to subscriber, p99 ms", p99, bare99, p99 / P99_MS, 1.0),
        ("idle with 24 inputs, CPU %", quiet["cpu"], None, quiet["cpu"] / IDLE_CPU, 1.0),
        ("idle wake-ups a second", quiet["wakeups"], None, quiet["wakeups"] / IDLE_WAKEUPS, 1.0),
        ("memory with web and MQTT, MB", quiet["rss"], None, quiet["rss"] / RSS_MB, 1.0),
        ("ready, s", quiet["ready"], None, quiet["ready"] / READY_SECONDS, 1.0),
        ("ready on a million records, s", quiet["ready on a million"], None, quiet["ready on a million"] / READY_SECONDS, 1.0),
        (f"memory after a day ({games} games), MB", late, early, late / early, 1.1),
    ]
    print("| figure | ours | reference | share of the target | at most | |\n|---|--:|--:|--:|--:|---|")
    behind = 0
    for name, value, reference, ratio, most in rows:
        good = ratio <= most
        behind += not good
        shown = "" if reference is None else f"{reference:.2f}"
        print(f"| {name} | {value:.2f} | {shown} | {ratio:.2f} | {most:.2f} | {'' if good else 'behind'} |")
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())

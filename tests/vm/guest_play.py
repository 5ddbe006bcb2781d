"""Inside the virtual machine: `tablemarker run` on real GPIO lines and mosquitto; a turn is played by moving the lines, and a
separate MQTT client reads the score. Says what it found as one JSON line.

    python guest_play.py FACTORY
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import gpiod

from controller.simulation.bounce import Contact, Edge, beam_break
from controller.tablefile import load_table
from hardware.signals import MS
from tests.vm.guest_gpio import LABEL, SimChip
from tests.vm.guest_watcher import PORT, Watcher

TABLE = """
[table]
id = "vm"
game = "bagatelle"
roll = "3s"
[mqtt]
broker = "127.0.0.1:{port}"
[web]
listen = "off"
[gpio]
factory = "{factory}"
{chip}
"""
PINS = {"spot-a": 13, "new-game": 4, "end-of-turn": 21} | {
    f"cup-{n}": pin for n, pin in enumerate((17, 27, 22, 23, 24, 25, 5, 6, 12), 1)
}
BEAMS = (19, 26)
RUN = (sys.executable, "-m", "controller", "run")
ENVIRONMENT = {"PYTHONPATH": str(Path.cwd()), "PATH": "/usr/bin:/usr/sbin"}
PIPES: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
HOLDER = """
import sys, gpiod
with gpiod.request_lines(sys.argv[1], consumer="door-bell", config={int(sys.argv[2]): None}):
    print("held", flush=True)
    sys.stdin.read()
"""


LATE = 25 * MS
"""What moves later than this, since the machine had no time for it, is no ball any more: a beam seems broken twice."""


class Table:
    """The lines of the table, moved as balls and fingers move them: with bounce."""

    def __init__(self, chip: SimChip) -> None:
        self.chip = chip
        self.rng = random.Random(4)
        self.contact = Contact(6.2)
        self.latest = 0
        """By how much the edge that came latest of all was late, in nanoseconds."""

    def run(self, line: int, edges: list[Edge]) -> None:
        """Drive a line through these edges, by the clock."""
        began = time.monotonic_ns() - edges[0][0]
        for at, on in edges:
            wait(began + at - time.monotonic_ns())
            self.chip.set(line, 1 - on)
            self.latest = max(self.latest, time.monotonic_ns() - began - at)

    def change(self, role: str, on: int) -> None:
        """A contact closes or opens."""
        self.run(PINS[role], self.contact.change(self.rng, 0, on))

    def ball(self, *cups: int, strike: bool = False) -> None:
        """A ball is played: over the line, at the black or not, into cups."""
        for beam in BEAMS:
            self.run(beam, beam_break(self.rng, 0, 30 * MS))
        wait(400 * MS)
        if strike:
            self.change("spot-a", 0)
        for cup in cups:
            wait(200 * MS)
            self.run(PINS[f"cup-{cup}"], self.contact.rattle(self.rng, 0))
        wait(800 * MS)


def wait(ns: int) -> None:
    """Let real time pass: balls roll."""
    threading.Event().wait(max(ns, 0) / 1e9)


def sensors() -> str:
    """The sensors' part of the table file."""
    kinds = {"new-game": "button", "end-of-turn": "button"}
    text = "".join(
        f'[[sensor]]\nrole = "{role}"\nkind = "{kinds.get(role, "switch")}"\nsource = "gpio:{pin}"\n'
        for role, pin in PINS.items()
    )
    return text + f'[[sensor]]\nrole = "half-way"\nkind = "beam"\nsource = ["gpio:{BEAMS[0]}", "gpio:{BEAMS[1]}"]\n'


def busy(chip: SimChip, table: Path, line: int) -> dict[str, object]:
    """What the program says at a start while another has one of its lines, and who has its lines afterwards."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, f"/dev/{chip.name}", str(line)], **PIPES) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        refused = subprocess.run(
            [*RUN, table.name], cwd=table.parent, capture_output=True, text=True, check=False, env=ENVIRONMENT
        )
        with gpiod.Chip(f"/dev/{chip.name}") as direct:
            infos = {pin: direct.get_line_info(pin) for pin in PINS.values()}
    return {
        "busy": refused.stdout + refused.stderr,
        "busy code": refused.returncode,
        "held": {str(pin): info.consumer for pin, info in infos.items() if info.used},
    }


def main() -> None:
    """Play a turn; again, at most twice, if this machine was too busy to move the lines as a ball does."""
    factory = sys.argv[1]
    for attempt in range(3):
        with SimChip() as chip:
            table = Table(chip)
            try:
                found = play(factory, Path("/dev/shm") / f"{factory}-{attempt}", table)
                break
            except AssertionError:
                if table.latest < LATE or attempt == 2:
                    raise
    print(json.dumps({"factory": factory} | found))


def play(factory: str, folder: Path, table: Table) -> dict[str, object]:
    """A start that fails and one that doesn't, a turn, the end: what was found."""
    folder.mkdir()
    # gpiozero can't tell lgpio which chip: it takes the first, which is this one.
    chip_line = f'chip = "{LABEL}"' if factory == "gpiod" else ""
    path = folder / "table.toml"
    path.write_text(TABLE.format(port=PORT, factory=factory, chip=chip_line) + sensors())
    load_table(path)
    broker = subprocess.Popen(["/usr/sbin/mosquitto", "-p", str(PORT)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        found = busy(table.chip, path, PINS["cup-9"])
        with subprocess.Popen([*RUN, path], stderr=subprocess.PIPE, text=True, cwd="/dev/shm", env=ENVIRONMENT) as program:
            try:
                return found | turn(table, program)
            finally:
                program.terminate()
    finally:
        broker.terminate()
        broker.wait(10)


def turn(table: Table, program: subprocess.Popen[str]) -> dict[str, object]:
    """A turn, until the program has ended."""
    assert program.stderr is not None
    ready = program.stderr.readline()
    assert "is ready" in ready, ready
    for line in (*PINS.values(), *BEAMS):
        table.chip.set(line, 1)
    table.chip.set(PINS["spot-a"], 0)
    watcher = Watcher("vm")
    watcher.score(phase="idle")
    wait(700 * MS)
    table.change("new-game", 1)
    wait(2500 * MS)
    table.change("new-game", 0)
    watcher.score(phase="playing")
    table.ball(5, strike=True)
    first = watcher.until("score", lambda score: score["sides"][0]["pending"] == 5)
    for cups in ((3,), (), (9,), (), (), (7,), ()):
        table.ball(*cups)
    banked = watcher.score(phase="clearing")
    late_comer = Watcher("vm")
    retained = late_comer.score(phase="clearing")
    status = late_comer.topics["status"]
    program.terminate()
    code = program.wait(20)
    complaints = program.stderr.read()
    at_the_end = late_comer.until_status("offline")
    return {
        "first": first["sides"][0]["pending"], "banked": [side["score"] for side in banked["sides"]], "status": status,
        "retained": retained == banked, "questions": json.loads(late_comer.topics["questions"]), "code": code,
        "at the end": at_the_end, "complaints": complaints,
    }  # fmt: skip


if __name__ == "__main__":
    main()

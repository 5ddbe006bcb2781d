"""Inside the virtual machine: `tablemarker run` with a board on USB, as udev finds it, and mosquitto; a separate MQTT client
reads the score and answers what is asked. The host moves the pins and pulls the plug: this says how far the program is, line by
line, and at last what it found as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from firmware_bridge.discovery import adapters
from tests.avr.pub_table import table_file
from tests.vm.guest_watcher import PORT, Watcher

FOLDER = Path("/dev/shm/board")
BY_ID = Path("/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_BOARD-1-if00-port0")
TOKEN = "long-enough-a-token"
TABLEMARKER = (sys.executable, "-m", "controller")
ENVIRONMENT = {"PYTHONPATH": str(Path.cwd()), "PATH": "/usr/bin:/usr/sbin"}


@contextmanager
def running(*command: str | Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A program of the machine, ended at the end."""
    with subprocess.Popen(command, text=True, cwd=FOLDER, env=ENVIRONMENT, **options) as program:
        try:
            yield program
        finally:
            program.terminate()


def start_udev() -> None:
    """As at the boot of a real machine; what is plugged in already is told again."""
    os.environ["SYSTEMD_IGNORE_CHROOT"] = "1"
    subprocess.run(["/lib/systemd/systemd-udevd", "--daemon"], check=True)
    subprocess.run(["udevadm", "trigger", "--action=add", "--subsystem-match=usb", "--subsystem-match=tty"], check=True)
    subprocess.run(["udevadm", "settle"], check=True)


def where() -> list[str]:
    """What udev made of the adapter: the name that stays, its maker and serial number, and the name of the socket it is in."""
    [adapter] = adapters()
    [socket] = Path("/dev/serial/by-path").iterdir()
    assert socket.resolve() == adapter.path.resolve() == adapter.device
    return [str(adapter.path), adapter.maker, str(adapter.usb_serial), socket.name]


def say(word: str) -> None:
    print(f"reached: {word}", flush=True)


def answer_all(watcher: Watcher, count: int) -> list[str]:
    """The marker, who was there, answers so many questions: the score is right, the black is in cup 7. Gives what was asked."""
    answered: dict[str, str] = {}
    watcher.until("questions", lambda said: len(said["questions"]) == count)
    for _ in range(count):
        open_now = watcher.until("questions", lambda said: not answered.keys() & {one["id"] for one in said["questions"]})
        question = open_now["questions"][0]
        answered[question["id"]] = question["text"]
        choice = "cup-7" if question["id"].startswith("black") else "yes"
        watcher.command(TOKEN, command="answer", question=question["id"], choice=choice)
    return list(answered.values())


def play(watcher: Watcher) -> dict[str, Any]:
    """What the table tells while the host plays."""
    found: dict[str, Any] = {}
    watcher.score(phase="idle")
    say("idle")
    watcher.score(phase="playing")
    say("playing")
    found["first ball"] = watcher.until("score", lambda score: score["sides"][0]["pending"] == 5)
    say("first ball")
    found["faults"] = watcher.until("health", lambda health: health["faults"])["faults"]
    found["away"] = watcher.score(provisional=True)
    say("away")
    watcher.until("health", lambda health: not health["faults"])
    found["plugged again"] = where()
    say("back")
    found["banked"] = watcher.score(turn="B")
    found["asked"] = answer_all(watcher, found["banked"]["questions"])
    found["final"] = watcher.score(provisional=False)
    found["retained"] = Watcher("pub").score(provisional=False)
    return found


def main() -> None:
    """Find the board, run the program, watch a turn."""
    FOLDER.mkdir()
    start_udev()
    plugged = where()
    boards = subprocess.run([*TABLEMARKER, "boards"], check=False, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT).stdout
    token, table = FOLDER / "token", FOLDER / "table.toml"
    token.write_text(TOKEN)
    token.chmod(0o600)
    table.write_text(table_file(PORT, f'port = "{BY_ID}"', 'commands = true\ntoken_file = "token"'))
    quiet = subprocess.DEVNULL
    with (
        running("/usr/sbin/mosquitto", "-p", str(PORT), stdout=quiet, stderr=quiet),
        running(*TABLEMARKER, "run", table, stderr=subprocess.PIPE) as program,
    ):
        assert program.stderr is not None
        ready = program.stderr.readline()
        assert "is ready" in ready, ready
        found = play(Watcher("pub"))
        program.terminate()
        complaints = program.stderr.read()
    print(json.dumps({"plugged": plugged, "boards": boards, "complaints": complaints, "code": program.returncode} | found))


if __name__ == "__main__":
    main()

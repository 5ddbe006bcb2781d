"""A running service records what sensors and people do: the replay is what its journal has, and nobody's name is in it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
from click.testing import CliRunner

from controller import flight_recorder
from controller.__main__ import cli
from controller.engine.journal import Journal
from controller.engine.records import TAKEN_BACK
from controller.service import Service
from controller.tablefile import load_table
from hardware.sources.sim import SimSource
from tests.broker_kit import eventually, free_port
from tests.console_kit import PIN
from tests.people_kit import Replayed, story_of, told
from tests.table_kit import BEAMS, BUTTONS, CUPS, SPOT, Watcher

TABLE = f"""
[table]
id = "snug"
game = "bagatelle"
quiet = "600ms"
roll = "600ms"
[rules]
target = 40
[mqtt]
broker = "none"
[marker]
pin_env = "PIN"
[record]
folder = "tapes"
[web]
listen = "127.0.0.1:%d"
{CUPS}
{SPOT}
{BEAMS}
{BUTTONS}
"""
SHOT = {"event": "shot", "ball": "white-3", "hit_black": False, "moves": [{"ball": "white-3", "to": "cup-2"}]}
NAMES = ("Zebulon", "Wilhelmina", "Ottokar", "Kunigunde", "the cat did it", "s3cret", PIN)


class Snug:
    """A service in a pub, its inputs simulated, and the phone of its marker."""

    def __init__(self, folder: Path, lying: tuple[str, ...] = ("spot-a",)) -> None:
        self.lying = lying
        self.path = folder / "table.toml"
        if not self.path.exists():
            self.path.write_text(TABLE % free_port(), "utf-8")
        self.table = load_table(self.path)
        self.service = Service(self.table, folder, {"PIN": PIN})
        self.watcher = Watcher()

    def __enter__(self) -> Self:
        self.service.start()
        assert self.service.loop is not None
        self.service.loop.publishers.append(self.watcher)
        (sim,) = self.service.loop.sources
        assert isinstance(sim, SimSource)
        self.sim = sim
        for sensor in self.table.sensors:
            for end, _ in enumerate(sensor.channels):
                self.set(sensor.role, on=sensor.role in self.lying, end=end)
        threading.Event().wait(0.4)
        return self

    def __exit__(self, *_: object) -> None:
        self.service.stop()

    def ask(self, command: str, **fields: Any) -> dict[str, Any]:
        listen = self.table.web.listen
        assert listen is not None
        body = {"command": command, "token": "s3cret", **fields}
        answer = httpx.post(
            f"http://127.0.0.1:{listen.port}/api/command", json=body, headers={"authorization": f"Bearer {PIN}"}, timeout=20
        )
        reply: dict[str, Any] = answer.json()
        return reply

    def do(self, command: str, **fields: Any) -> None:
        """It must be done."""
        reply = self.ask(command, **fields)
        assert reply["ok"], (command, reply)

    def set(self, role: str, *, on: bool, end: int = 0) -> None:
        sensor = next(sensor for sensor in self.table.sensors if sensor.role == role)
        self.sim.set(sensor.channels[end], sensor.active_level if on else 1 - sensor.active_level)

    def press(self, role: str) -> None:
        self.set(role, on=True)
        threading.Event().wait(0.1)
        self.set(role, on=False)
        threading.Event().wait(0.3)

    def ball(self, cup: int, *, strikes: bool = False) -> None:
        """A ball rolls through the beams, strikes the black or not, and drops into a cup."""
        for end in (0, 1):
            for on in (True, False):
                self.set("half-way", on=on, end=end)
                threading.Event().wait(0.012)
        threading.Event().wait(0.3)
        if strikes:
            self.set("spot-a", on=False)
            threading.Event().wait(0.3)
        self.set(f"cup-{cup}", on=True)

    def until(self, condition: Callable[[], Any], what: str) -> None:
        eventually(lambda: self.watcher.snapshots and condition(), what)

    def phase(self) -> str:
        return self.watcher.snapshots[-1].phase

    @property
    def revisions(self) -> list[int]:
        return [one.revision for one in self.watcher.happenings if one.kind == "event"]

    def question(self) -> str:
        return self.watcher.snapshots[-1].questions[0].id


def play(snug: Snug) -> None:
    """A turn with a question, an event that is entered, an undo and a correction in its middle, and much that is refused."""
    who = {"who": "Ottokar"}
    assert not snug.ask("start_game", sides=["Zebulon", "Kunigunde", "Ottokar"])["ok"]
    snug.do("start_game", sides=["Zebulon", "Wilhelmina"], options={"target": 60})
    snug.until(lambda: snug.phase() == "playing", "the game")
    snug.ball(5, strikes=True)
    snug.until(lambda: any(side.pending for side in snug.watcher.snapshots[-1].sides), "a ball in a cup")
    snug.do("event", event=SHOT, **who)
    snug.do("undo", why="the cat did it", **who)
    assert not snug.ask("event", event={"event": "shot", "by": "Kunigunde"}, **who)["ok"]
    assert not snug.ask("undo", if_revision=1, **who)["ok"]
    assert not snug.ask("answer", question="Zebulon", choice="Wilhelmina")["ok"]
    assert not snug.ask("quarantine", sensor="Zebulon")["ok"]
    assert not snug.ask("forget_player", name="Kunigunde")["ok"]
    snug.do("correct", revision=snug.revisions[0], remove=True, preview=True, **who)
    first = snug.watcher.happenings[0]
    other = {**first.event, "moves": [{"ball": str(first.event["ball"]), "to": "cup-6"}]}
    snug.do("correct", revision=first.revision, replace=other, why="the cat did it", **who)
    snug.do("pause")
    snug.do("resume")
    snug.do("quarantine", sensor="cup-9")
    snug.do("release", sensor="cup-9")
    snug.until(lambda: snug.phase() == "playing", "the game")
    snug.ball(3)
    threading.Event().wait(0.8)
    snug.press("end-of-turn")
    snug.until(lambda: snug.watcher.snapshots[-1].questions, "a question")
    choice = snug.watcher.snapshots[-1].questions[0].choices[-1][0]
    snug.do("answer", question=snug.question(), choice=choice, **who)


def finish(snug: Snug) -> None:
    """The next evening, as it were: the table asks whether to go on, and an event of before is corrected."""
    snug.until(lambda: snug.phase() == "paused", "the question whether to go on")
    ledger = snug.watcher.snapshots[-1].ledger
    assert ledger is not None
    first = next(event for event in ledger.events() if event.fate == "stands")
    snug.do("answer", question="go-on", choice="yes")
    snug.do("correct", revision=first.revision, remove=True, why="the cat did it")
    snug.until(lambda: snug.phase() != "paused", "the game")
    for role in ("cup-3", "cup-5"):
        snug.set(role, on=False)
    snug.set("spot-a", on=True)
    snug.until(lambda: snug.phase() == "playing", "the other side's turn")
    snug.ball(8)
    threading.Event().wait(0.8)
    snug.press("end-of-turn")
    snug.until(lambda: len(snug.revisions) > 1, "the end of the turn")


def replayed(snug: Snug, *tapes: Path) -> tuple[list[dict[str, Any]], str, int]:
    result = CliRunner().invoke(cli, ["replay", str(snug.path), *map(str, tapes)])
    assert not isinstance(result.exception, Exception), result.exception
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr, result.exit_code


def test_a_service_s_recording_is_its_journal_again_and_names_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also over a start in the middle of the game."""
    monkeypatch.setattr(flight_recorder, "GATHER_SECONDS", 0.02)
    with Snug(tmp_path) as first:
        play(first)
    with Snug(tmp_path, lying=("cup-3", "cup-5")) as second:
        finish(second)
    score = {side.id: {"score": side.score, "pending": side.pending} for side in second.watcher.snapshots[-1].sides}
    files = sorted((tmp_path / "tapes").iterdir())
    assert [path.name for path in files] == ["snug-000001.jsonl", "snug-000002.jsonl"]
    lines, errors, status = replayed(second, *files)
    assert status == 0, errors
    assert "don't follow one another" in errors
    assert lines[-1] == {"kind": "end", "sides": score, "provisional": second.watcher.snapshots[-1].provisional}
    commands = [line for line in lines if line["kind"] == "command"]
    assert [(line["command"], line.get("was")) for line in commands] == [
        ("start_game", "refused"),
        ("start_game", None),
        ("event", None),
        ("undo", None),
        ("event", "refused"),
        ("undo", "refused"),
        ("answer", "refused"),
        ("quarantine", "refused"),
        ("forget_player", "refused"),
        ("correct", "tried"),
        ("correct", None),
        ("pause", None),
        ("resume", None),
        ("quarantine", None),
        ("release", None),
        ("answer", None),
        ("answer", None),
        ("correct", None),
    ]
    assert {line["by"] for line in commands} == {"web"}
    live = told([*first.watcher.happenings, *second.watcher.happenings])
    again = [[line["kind"], line["event"]] for line in lines if line["kind"] not in ("command", "end")]
    # A reason that somebody gave is in no recording.
    unsaid = [[kind, {"why": ""} if event == {"why": "the cat did it"} else event] for kind, event, _, _ in live]
    plain = [[kind, {"why": ""} if event == {"why": "The latest event was taken back."} else event] for kind, event in again]
    assert plain == unsaid
    lines, errors, status = replayed(second, files[1])
    assert status == 1
    assert "begins in the middle of a game" in errors
    refused = [(line["command"], line["refused"]) for line in lines if "refused" in line]
    assert [command for command, _ in refused] == ["correct"]
    assert "before the recording began" in refused[0][1]
    text = b"".join(path.read_bytes() for path in files).decode()
    assert [name for name in NAMES if re.search(rf"\b{re.escape(name)}\b", text)] == []
    assert set(re.findall(r'"(\w+)":', text)).isdisjoint({"who", "why", "token", "if_revision", "id", "revision", "name"})
    journal = Journal(tmp_path / "snug.sqlite3")
    moves = [record for record in journal.kept().open_game if record.kind in TAKEN_BACK]
    journal.close()
    chain = Replayed(second.table, *files)
    assert chain.play is not None
    assert story_of(chain.play.moves) == story_of(moves)

"""A bagatelle table whose every input is on a microcontroller board: a turn from the pins of a fake one to the score."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.engine.requests import Answer, Command, EnterEvent, Reply, Request, StartGame
from controller.engine.snapshot import Snapshot
from controller.fitting.detectors import build_panel
from controller.fitting.sources import build_sources
from controller.service import Service
from controller.tablefile import TableFile, load_table
from controller.tablefile.model import Board
from firmware_bridge.fake_board import MEGA, FakeBoard
from firmware_bridge.fake_cable import FakeCable
from hardware.signals import MS, Signal
from hardware.sources.board import Mode, Setting
from tests.table_kit import BEAMS, BUTTONS, CUPS, FULL, SPOT, Bench, Watcher, table_of

HEAD = '[table]\nid = "bar"\ngame = "bagatelle"\nquiet = "600ms"\nroll = "600ms"\n[web]\nlisten = "off"\n'


def on_board(port: Path) -> TableFile:
    """The table of the kit, its inputs on the pins 2, 3, … of a board."""
    parts = f"{CUPS}\n{SPOT}\n{BEAMS}\n{BUTTONS}".split('"sim"')
    sensors = "".join(f'{part}"board:left/{pin}"' for pin, part in enumerate(parts[:-1], 2)) + parts[-1]
    return table_of(f'{HEAD}[[board]]\nname = "left"\nport = "{port}"\nid = "left"\n{sensors}')


class Player:
    """Moves the pins of the board as a player moves the inputs of the table."""

    def __init__(self, service: Service, cable: FakeCable) -> None:
        self.cable = cable
        self.sensors = {sensor.role: sensor for sensor in service.table.sensors}
        assert service.loop is not None
        self.loop = service.loop
        self.watcher = Watcher()
        self.loop.publishers.append(self.watcher)

    def set(self, role: str, *, on: bool, end: int = 0) -> None:
        sensor = self.sensors[role]
        level = sensor.active_level if on else 1 - sensor.active_level
        self.cable.set(int(sensor.channels[end].rpartition("/")[2]), level)

    def let_pass(self, seconds: float) -> None:
        threading.Event().wait(seconds)

    def press(self, role: str) -> None:
        self.set(role, on=True)
        self.let_pass(0.1)
        self.set(role, on=False)

    def cross(self) -> None:
        for end in (0, 1):
            self.set("half-way", on=True, end=end)
            self.let_pass(0.012)
            self.set("half-way", on=False, end=end)

    def ask(self, command: Command) -> None:
        replies: list[Reply] = []
        self.loop.submit(Request(command, "test", replies.append))
        self.until(lambda _: bool(replies), "the reply")
        assert replies[0].ok, replies[0].error

    def start(self) -> None:
        self.ask(StartGame())
        self.until(lambda shown: shown.phase == "playing", "the game under way")

    def until(self, condition: Callable[[Snapshot], bool], what: str) -> Snapshot:
        end = time.monotonic() + 20
        while not (self.watcher.snapshots and condition(self.watcher.snapshots[-1])):
            assert time.monotonic() < end, f"waited in vain: {what}: {self.watcher.snapshots[-1:]}"
            threading.Event().wait(0.01)
        return self.watcher.snapshots[-1]


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[FakeCable]:
    with FakeCable(FakeBoard("left", drift=2000), tmp_path / "usb-left", noise=0.02) as cable:
        for sensor in on_board(cable.path).sensors:
            for channel in sensor.channels:
                on = sensor.role == "spot-a"
                cable.set(int(channel.rpartition("/")[2]), sensor.active_level if on else 1 - sensor.active_level)
        yield cable


@pytest.fixture
def player(cable: FakeCable, tmp_path: Path) -> Iterator[Player]:
    service = Service(on_board(cable.path), tmp_path)
    service.start()
    try:
        yield Player(service, cable)
    finally:
        service.stop()


@pytest.fixture
def player_without_board(cable: FakeCable, tmp_path: Path) -> Iterator[Player]:
    cable.unplug()
    service = Service(on_board(cable.path), tmp_path)
    service.start()
    try:
        yield Player(service, cable)
    finally:
        service.stop()


def pending(shown: Snapshot) -> dict[str, int]:
    return {side.id: side.pending for side in shown.sides if side.pending}


def simulated() -> tuple[dict[str, int], dict[str, int]]:
    """What the same two balls give on a simulated table: after the first, and when the turn is over."""
    bench = Bench(FULL).open().start()
    bench.play_ball(5, strike=True)
    first = bench.pending
    bench.play_ball(3)
    bench.press("end-of-turn")
    bench.wait(1)
    return first, bench.pending | bench.score


def test_a_turn_with_the_cable_pulled_out_in_its_middle(player: Player) -> None:
    first, whole = simulated()
    assert first
    player.start()
    player.cross()
    player.set("spot-a", on=False)
    player.set("cup-5", on=True)
    player.until(lambda shown: pending(shown) == first, "the first ball's points")
    player.cable.unplug()
    away = player.until(lambda shown: any("board:left is away" in fault for fault in shown.faults), "the fault shown")
    assert pending(away) == first, "the score is kept"
    assert away.provisional
    player.cable.plug()
    back = player.until(lambda shown: shown.faults == (), "the board back")
    player.until(lambda shown: "was away from" in shown.questions[0].text, "what may have been missed, asked")
    player.cross()
    player.set("cup-3", on=True)
    player.until(lambda shown: sum(pending(shown).values()) > sum(first.values()), "the second ball's points")
    player.press("end-of-turn")
    shown = player.until(
        lambda shown: pending(shown) | {side.id: side.score for side in shown.sides} == whole, f"the turn: {whole}"
    )
    assert shown.provisional
    player.ask(Answer(back.questions[0].id, "yes"))
    player.until(lambda shown: all(not question.id.startswith("away") for question in shown.questions), "the doubt cleared")


def test_a_powered_board_that_kept_everything_leaves_no_doubt(player: Player) -> None:
    player.start()
    player.cross()
    player.set("spot-a", on=False)
    player.set("cup-5", on=True)
    player.until(lambda shown: pending(shown) == {"A": 5}, "the first ball's points")
    player.cable.unplug()
    player.until(lambda shown: shown.provisional, "the doubt")
    player.cross()
    player.set("cup-3", on=True)
    player.cable.plug(powered=True)
    shown = player.until(lambda shown: pending(shown) == {"A": 8} and not shown.provisional, "what the board had kept")
    assert shown.questions == ()


def test_a_table_starts_without_its_board_and_takes_it_up_when_it_comes(player_without_board: Player) -> None:
    player = player_without_board
    player.start()
    shown = player.until(lambda shown: any("board:left is away" in fault for fault in shown.faults), "the fault shown")
    (fault,) = shown.faults
    assert "there is no board at" in fault
    assert "plug it in, or put the table file right. Until it is back, enter what these would have seen: cup-1, cup-2" in fault
    player.ask(EnterEvent({"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]}))
    player.until(lambda shown: pending(shown) == {"A": 18}, "a shot that was entered")
    player.set("cup-9", on=True)
    player.set("spot-a", on=False)
    player.cable.plug()
    shown = player.until(lambda shown: shown.faults == (), "the board taken up")
    assert (pending(shown), shown.provisional, shown.questions) == ({"A": 18}, False, ())
    player.until(lambda shown: shown.seen == {"cups": {"9": "black"}}, "its levels, as they are")
    player.cross()
    player.set("cup-3", on=True)
    player.until(lambda shown: pending(shown) == {"A": 21}, "the next ball, seen")


def test_the_example_of_a_fortification_table_finds_its_inputs_on_a_mega(tmp_path: Path) -> None:
    table = load_table(Path(__file__).resolve().parents[2] / "config" / "fortification.toml")
    with FakeCable(FakeBoard(channels=MEGA, build="mega 0.1.0"), tmp_path / "usb-table") as cable:
        board = Board(name="table", port=str(cable.path))
        [source] = build_sources(table.model_copy(update={"boards": (board,)}))
        heard: list[Signal] = []
        channels = build_panel(table).channels
        levels = source.open(channels, heard.append)
        try:
            assert set(levels) == set(channels)
            bell, setting = next((s, cable.board.settings[int(s.channels[0].split("/")[1])]) for s in table.sensors)
            assert bell.kind == "bell"
            assert setting == Setting(Mode.BELL, bell.period // MS, bell.threshold, bell.tail // MS)
            cable.do(lambda board, now: board.read(54, 700, now))
            end = time.monotonic() + 10
            while not heard:
                assert time.monotonic() < end
                threading.Event().wait(0.005)
            assert (heard[0].channel, heard[0].value) == ("board:table/54", 700)
        finally:
            source.close()

"""The `board` source keeps the contract of sources over a fake board on a pseudo-terminal, and outlives what befalls boards."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from firmware_bridge.discovery import Wanted
from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.fake_cable import FakeCable
from firmware_bridge.messages import Failure
from hardware.signals import MS, SECOND
from hardware.sources.board import BoardSource, Bus, Form, Mode, Setting
from hardware.sources.source import Source, SourceError
from hardware.sources.storm import StormGuard
from tests.source_contract import CONTRACT, Check, Ear


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[FakeCable]:
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left") as cable:
        yield cable


class BoardBench:
    """Inputs of a fake board behind a pseudo-terminal, by the machine's clock."""

    channels: tuple[str, ...] = ("board:left/2", "board:left/3", "board:left/14")
    unknown = "board:left/60"
    storm_limit = 60

    def __init__(self, cable: FakeCable) -> None:
        self._cable = cable

    def make(self) -> Source:
        guard = StormGuard(self.storm_limit, 50 * MS)
        return BoardSource("board:left", Wanted(self._cable.path, board_id="left"), guard=guard)

    def now(self) -> int:
        return time.monotonic_ns()

    def let_pass(self, ns: int) -> None:
        threading.Event().wait(ns / SECOND)

    def drive(self, channel: str, level: int) -> None:
        self.let_pass(2 * MS)  # so exactly is a board's clock known on a busy machine, not better
        self._cable.set(_number(channel), level)

    def drive_unseen(self, channel: str, level: int) -> None:
        self._cable.do(lambda board, _: board.set_unseen(_number(channel), level))

    def lose_edges(self, channel: str, level: int) -> None:
        def overflow(board: FakeBoard, now: int) -> None:
            board.full = True
            for value in (level, 1 - level, level):
                board.set(_number(channel), value, now)
            board.full = False

        self._cable.do(overflow)


def _number(channel: str) -> int:
    return int(channel.rpartition("/")[2])


@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
def test_contract(check: Check, cable: FakeCable) -> None:
    check(BoardBench(cable))


@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
def test_contract_on_a_noisy_line(check: Check, tmp_path: Path) -> None:
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left", noise=0.05) as cable:
        check(BoardBench(cable))


CHANNELS = ("board:left/2", "board:left/3")


def until(condition: Callable[[], bool], what: str, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        threading.Event().wait(0.005)


def of_version(version: int) -> FakeBoard:
    """A board whose firmware speaks that version of the protocol."""
    board = FakeBoard("left")
    board.version = version
    return board


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def source(cable: FakeCable, ear: Ear) -> Iterator[BoardSource]:
    source = BoardSource("board:left", Wanted(cable.path))
    source.open(CHANNELS, ear.emit)
    yield source
    source.close()


def test_a_reset_is_a_normal_event(cable: FakeCable, source: BoardSource, ear: Ear) -> None:
    cable.set(2, 1)
    until(lambda: len(ear.signals) == 1, "an edge")
    cable.do(lambda board, now: (board.reset(now), board.set(3, 1, now))[0])
    until(lambda: len(ear.signals) == 2, "what changed meanwhile")
    assert (ear.signals[1].channel, ear.signals[1].value) == ("board:left/3", 1)
    assert source.health().recovered == 1
    cable.set(2, 0)
    until(lambda: len(ear.signals) == 3, "the next edge")
    assert source.health().up
    assert source.health().faults == ()


def test_unplugged_and_plugged_in_again(cable: FakeCable, source: BoardSource, ear: Ear) -> None:
    cable.unplug()
    until(lambda: not source.health().up, "the loss noticed")
    assert "unplugged" in source.health().faults[0]
    cable.set(2, 1)
    now = time.monotonic_ns()
    assert source.watermark(now) < now, "for a moment the board may come back with what it kept"
    assert source.watermark(now + 4 * SECOND) == now + 4 * SECOND, "play goes on without it"
    cable.plug()
    until(lambda: len(ear.signals) == 1, "the level that changed meanwhile")
    assert (ear.signals[0].channel, ear.signals[0].value) == ("board:left/2", 1)
    health = source.health()
    assert (health.up, health.recovered, health.faults) == (True, 1, ())


def test_a_powered_board_keeps_what_happened_while_the_cable_was_out(cable: FakeCable, source: BoardSource, ear: Ear) -> None:
    cable.set(2, 1)
    until(lambda: len(ear.signals) == 1, "an edge")
    cable.unplug()
    until(lambda: not source.health().up, "the loss noticed")
    pressed = time.monotonic_ns()
    cable.set(3, 1)
    cable.set(3, 0)
    cable.plug(powered=True)
    until(lambda: len(ear.signals) == 3, "the press during the absence")
    assert [(signal.channel, signal.value) for signal in ear.signals[1:]] == [("board:left/3", 1), ("board:left/3", 0)]
    assert all(abs(signal.at - pressed) < 50 * MS for signal in ear.signals[1:]), "with the times at which it was"
    assert (source.health().recovered, source.health().lost) == (0, 0)


def test_nothing_is_lost_on_a_line_full_of_noise(cable: FakeCable, source: BoardSource, ear: Ear) -> None:
    cable.noise = 0.3
    for turn in range(100):
        cable.set(2, 1 - turn % 2)
        threading.Event().wait(0.005)
    cable.noise = 0.0
    until(lambda: len(ear.signals) >= 100, "every edge", 20)
    assert ear.values("board:left/2") == [1, 0] * 50
    assert (source.health().lost, source.health().recovered) == (0, 0)


def test_a_board_that_boots_again_and_again_is_a_fault_with_the_cause(
    cable: FakeCable, source: BoardSource, mocker: MockerFixture
) -> None:
    for turn in range(1, 4):
        assert source.health().faults == ()
        cable.do(lambda board, now: board.reset(now, cause=4))
        until(lambda turn=turn: source.health().blind == turn, "the board set up anew")  # type: ignore[misc]  # of this turn
    (fault,) = source.health().faults
    assert fault.startswith(
        "board:left has booted 3 times within a minute (the last time: a dip of its supply): look at its supply"
    )
    mocker.patch("hardware.sources.board.BOOTS_WITHIN", 1)
    assert source.health().faults == ()


def test_readings_are_signals(cable: FakeCable, ear: Ear) -> None:
    source = BoardSource("board:left", Wanted(cable.path), settings={"board:left/14": Setting(Mode.BELL, 10, 300, 400)})
    try:
        assert source.open(["board:left/14"], ear.emit) == {"board:left/14": 0}
        cable.do(lambda board, now: board.read(14, 812, now))
        until(lambda: ear.values("board:left/14") == [812], "the reading")
        source.reconcile(time.monotonic_ns())
        cable.do(lambda board, now: board.read(14, 0, now))
        until(lambda: len(ear.signals) == 2, "the next one, and no level in between")
    finally:
        source.close()


def test_a_sensor_on_i2c_tells_readings_and_that_it_gives_none(cable: FakeCable, ear: Ear) -> None:
    gauge = Setting(Mode.SENSOR, 50, 1, bus=Bus(0x29, Form.HIGH_FIRST, b"\x5e"))
    source = BoardSource("board:left", Wanted(cable.path), settings={"board:left/22": gauge})
    try:
        source.open(["board:left/22", "board:left/2"], ear.emit)
        assert cable.board.settings[22] == gauge
        for why, words in ((Failure.NO_ANSWER, "no sensor answers on I²C at 0x29"), (Failure.STUCK, "something holds the wires")):
            cable.do(lambda board, now, why=why: board.fail(22, now, why))
            until(lambda words=words: any(words in fault for fault in source.health().faults), words)
            assert source.health().up, "the rest of the board is well"
            cable.do(lambda board, now, why=why: board.read(22, 900 + why, now))
            until(lambda: source.health().faults == (), "the fault to end")
        assert ear.values("board:left/22") == [901, 902]
        cable.do(lambda board, now: board.fail(22, now))
        until(lambda: source.health().faults != (), "the fault")
        cable.do(lambda board, now: board.reset(now))
        until(lambda: source.health().faults == () and source.health().up, "a board that was set up anew tells its own")
    finally:
        source.close()


def test_the_wires_of_i2c_can_be_nothing_else(cable: FakeCable) -> None:
    gauge = Setting(Mode.SENSOR, 50, 1, bus=Bus(0x29, Form.BYTE))
    source = BoardSource("board:left", Wanted(cable.path), settings={"board:left/22": gauge})
    with pytest.raises(SourceError, match=r"board:left/18: this pin .* belongs to I²C, on which board:left/22 hangs"):
        source.open(["board:left/22", "board:left/18"], Ear().emit)


def test_two_programs_want_one_port(cable: FakeCable, source: BoardSource) -> None:
    assert source.health().up
    other = BoardSource("board:left", Wanted(cable.path), patience=1)
    with pytest.raises(SourceError, match="is used by another program"):
        other.open(CHANNELS, Ear().emit)


def test_no_board_there(tmp_path: Path) -> None:
    source = BoardSource("board:left", Wanted(tmp_path / "usb-left"), patience=0.2)
    with pytest.raises(SourceError, match=r"board:left: there is no board at .*usb-left: plug it in"):
        source.open(CHANNELS, Ear().emit)
    assert not source.health().up


def test_a_port_whose_number_changes_is_no_name() -> None:
    with pytest.raises(SourceError, match="may be another board after the next start"):
        BoardSource("board:left", Wanted(Path("/dev/ttyUSB7"))).open(CHANNELS, Ear().emit)


def test_a_board_has_no_pull_down(cable: FakeCable) -> None:
    source = BoardSource("board:left", Wanted(cable.path), pulls={"board:left/2": "down"})
    with pytest.raises(SourceError, match='board:left/2: a board has no pull-down resistor: fit one, and write pull = "none"'):
        source.open(CHANNELS, Ear().emit)


def test_another_id_than_the_one_wanted(cable: FakeCable) -> None:
    source = BoardSource("board:right", Wanted(cable.path, board_id="right"))
    with pytest.raises(SourceError, match="is called left, and right is wanted"):
        source.open(["board:right/2"], Ear().emit)


@pytest.mark.parametrize(
    ("board", "stranger", "sentence"),
    [
        (FakeBoard("left"), b"$GPGGA,1234\r\n" * 50, "responds, but not with our protocol (it says '$GPGGA,1234"),
        (FakeBoard("left"), random.Random(3).randbytes(11_520), "responds, but not with our protocol"),
        (of_version(0), None, "speaks version 0 of the protocol"),
        (of_version(2), None, "speaks version 2 of the protocol"),
    ],
    ids=["another make", "random bytes", "too old", "too new"],
)
def test_what_is_wrong_at_the_port_is_told_with_the_remedy_and_ends_nothing(
    board: FakeBoard, stranger: bytes | None, sentence: str, tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch("firmware_bridge.session.PATIENCE", SECOND)
    with FakeCable(board, tmp_path / "usb-left", stranger=stranger) as cable:
        source = BoardSource("board:left", Wanted(cable.path), required=False)
        assert source.open(CHANNELS, Ear().emit) == {}
        try:
            until(lambda: sentence in source.health().faults[0], sentence)
            [fault] = source.health().faults
            assert "tablemarker flash" in fault
            assert not source.health().up
        finally:
            source.close()


def test_one_that_need_not_be_there_is_away_until_it_comes(cable: FakeCable, ear: Ear) -> None:
    cable.unplug()
    source = BoardSource("board:left", Wanted(cable.path), required=False)
    try:
        assert source.open(CHANNELS, ear.emit) == {}
        health = source.health()
        assert not health.up
        assert "there is no board at" in health.faults[0]
        now = time.monotonic_ns()
        assert source.watermark(now) == now, "nobody waits for it"
        cable.plug()
        cable.set(2, 1)
        until(lambda: source.health().up, "the board")
        until(lambda: source.levels() == {"board:left/2": 1, "board:left/3": 0}, "its levels")
        assert (source.health().faults, source.health().recovered, source.health().blind) == ((), 0, 0)
        cable.set(3, 1)
        until(lambda: ear.values("board:left/3") == [1], "an edge")
    finally:
        source.close()


def test_whether_it_kept_what_happened_while_it_was_away(cable: FakeCable, source: BoardSource) -> None:
    for powered, blind in ((True, 0), (False, 1)):
        cable.unplug()
        until(lambda: not source.health().up, "the loss noticed")
        cable.plug(powered=powered)
        until(lambda: source.health().up, "the board back")
        assert source.health().blind == blind

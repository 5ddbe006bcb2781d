"""The board source on the real firmware behind a pseudo-terminal: the contract of sources, and whatever befalls boards.

Both live by the simulated board's time, so that a busy machine slows both down alike.
"""

from __future__ import annotations

import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.fitting.detectors import build_detectors
from controller.fitting.sources import build_sources
from controller.tablefile import TableFile
from firmware_bridge.call import Call
from firmware_bridge.discovery import Wanted
from hardware.signals import MS, SECOND
from hardware.sources.board import BoardSource, Mode, Setting
from hardware.sources.source import Source
from hardware.sources.storm import StormGuard
from tests.avr.avr_kit import Board, BoardTime
from tests.source_contract import CONTRACT, Check, Ear, check_silent_change_is_recovered

pytestmark = pytest.mark.avr

CHANNELS = ("board:left/2", "board:left/3", "board:left/14")


def wanted(board: Board) -> Wanted:
    assert board.link is not None
    return Wanted(board.link)


def number(channel: str) -> int:
    return int(channel.rpartition("/")[2])


def until(condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        threading.Event().wait(0.005)


@pytest.fixture
def clock(live: Board, mocker: MockerFixture) -> BoardTime:
    clock = BoardTime(live)
    mocker.patch("firmware_bridge.port.time", clock)
    return clock


class AvrBench:
    """Inputs of a simulated Nano, by the machine's clock."""

    channels: tuple[str, ...] = CHANNELS
    unknown = "board:left/60"
    storm_limit = 60

    def __init__(self, board: Board, clock: BoardTime) -> None:
        self._board = board
        self._clock = clock

    def make(self) -> Source:
        return BoardSource("board:left", wanted(self._board), guard=StormGuard(self.storm_limit, 50 * MS))

    def now(self) -> int:
        return self._clock.monotonic_ns()

    def let_pass(self, ns: int) -> None:
        self._clock.wait(ns)

    def drive(self, channel: str, level: int) -> None:
        self.let_pass(2 * MS)  # it looks at its inputs each half millisecond
        self._board.pin(number(channel), level)

    def drive_unseen(self, channel: str, level: int) -> None:
        raise NotImplementedError("it looks at its inputs too often to miss a level: that check is left to the fake board")

    def lose_edges(self, channel: str, level: int) -> None:
        """The line is cut for a second in which the ring overflows."""
        self._board.do("noise 1")
        for turn in range(700):
            self._board.pin(number(channel), level if turn % 2 else 1 - level, after_us=1000 * (turn + 1))
        self.let_pass(900 * MS)
        self._board.do("noise 0")


@pytest.mark.parametrize(
    "check", [check for check in CONTRACT if check is not check_silent_change_is_recovered], ids=lambda check: check.__name__
)
def test_contract(check: Check, live: Board, clock: BoardTime) -> None:
    check(AvrBench(live, clock))


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def source(live: Board, ear: Ear, clock: BoardTime) -> Iterator[BoardSource]:  # noqa: ARG001 - the source lives by it
    source = BoardSource("board:left", wanted(live))
    source.open(CHANNELS, ear.emit)
    yield source
    source.close()


def play(board: Board, edges: int, gap_us: int = 5000) -> list[tuple[str, int]]:
    """Move two pins in turn; gives what should be told."""
    moves = [(2 + turn % 2, 1 - turn // 2 % 2) for turn in range(edges)]
    for turn, (channel, level) in enumerate(moves, 1):
        board.pin(channel, level, after_us=turn * gap_us)
    return [(f"board:left/{channel}", level) for channel, level in moves]


def heard(ear: Ear) -> list[tuple[str, int]]:
    return [(signal.channel, signal.value) for signal in ear.signals]


def test_noise_in_both_directions_loses_nothing(live: Board, source: BoardSource, ear: Ear) -> None:
    live.do("noise 300")
    moves = play(live, 400)
    until(lambda: len(ear.signals) >= 400, "all edges")
    assert heard(ear) == moves
    assert [signal.at for signal in ear.signals] == sorted(signal.at for signal in ear.signals)
    assert source.health().lost == 0


def test_a_reset_in_the_middle_of_play(live: Board, source: BoardSource, ear: Ear) -> None:
    live.pin(2, 1)
    until(lambda: heard(ear) == [("board:left/2", 1)], "the edge before")
    live.do("reset")
    live.pin(3, 1)
    until(lambda: len(ear.signals) == 2, "what changed meanwhile")
    assert heard(ear)[1] == ("board:left/3", 1)
    assert source.health().recovered == 1
    live.pin(2, 0)
    until(lambda: len(ear.signals) == 3, "the edge after")


def test_unplugged_and_plugged_in_again(live: Board, source: BoardSource, ear: Ear) -> None:
    live.do("unplug")
    until(lambda: not source.health().up, "the board away")
    assert any("unplugged" in fault or "not there" in fault for fault in source.health().faults)
    live.pin(14, 1)
    live.do("plug")
    until(lambda: source.health().up, "the board back")
    assert heard(ear) == [("board:left/14", 1)]
    live.pin(14, 0)
    until(lambda: len(ear.signals) == 2, "the edge after")


def test_a_host_that_was_away_for_two_seconds_gets_everything(
    live: Board, source: BoardSource, ear: Ear, clock: BoardTime
) -> None:
    link = source._link
    assert link is not None
    moves = play(live, 200, gap_us=9000)
    with link.lock:  # the thread that reads the port stands still
        clock.wait(2 * SECOND)
    until(lambda: len(ear.signals) >= 200, "all edges")
    assert heard(ear) == moves
    assert source.health().lost == 0


@pytest.mark.usefixtures("clock")
def test_bells_are_readings_with_their_envelope(live: Board, ear: Ear) -> None:
    source = BoardSource("board:left", wanted(live), settings={"board:left/15": Setting(Mode.BELL, 10, 300, 100)})
    source.open(["board:left/15"], ear.emit)
    try:
        for step in range(40):
            live.adc(1, 900 - 15 * step, after_us=300_000 + 5000 * step)
        until(lambda: len(ear.signals) >= 11, "the envelope")
    finally:
        source.close()
    values = [signal.value for signal in ear.signals][:11]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(900, abs=10)
    assert 500 < values[-1] < 800


@pytest.mark.usefixtures("clock")
def test_a_gauge_on_i2c_is_read_as_the_table_file_says_and_answers(live: Board, ear: Ear) -> None:
    text = f"""
        table = {{ id = "parlour", game = "squails" }}
        board = [{{ name = "left", port = "{live.link}" }}]
        sensor = [{{ role = "gauge", kind = "gauge", source = "board:left/22", still = "200ms", error = 2.0, i2c = {{
            address = 0x29, register = [0x5e], start = [0x10, 0x51], unit = 0.1, period = "20ms", threshold = 5 }} }}]
    """
    table = TableFile.model_validate(tomllib.loads(text.replace("\n            ", " ")))
    [source], [gauge] = build_sources(table), build_detectors(table)
    answers = []
    live.do("i2c 29 5e 2000")  # 819.2 mm: it is lifted
    source.open(gauge.channels, ear.emit)
    try:
        for count, registers in enumerate(("2000", "02ee", "2000", "0320"), 1):  # laid at 75 mm, too near to say; at 80 mm
            live.do(f"i2c 29 5e {registers}")
            until(lambda count=count: len(ear.signals) == count, "the reading")
    finally:
        source.close()
    for signal in ear.signals:
        answers += gauge.feed(signal)
    answers += gauge.advance(ear.signals[-1].at + SECOND)
    assert [(one.role, one.kind, one.value) for one in answers] == [("gauge", "gauge", False)]
    assert live.do("said 29") == ["1051"]


@pytest.mark.usefixtures("clock")
def test_a_call_gives_it_a_name_that_stays(live: Board) -> None:
    assert live.link is not None
    with Call(live.link) as call:
        assert call.hello.id == ""
        call.name("left-3")
    live.do("unplug")
    live.do("plug")
    with Call(Path(live.link)) as call:
        assert (call.hello.id, call.hello.boot) == ("left-3", 1)

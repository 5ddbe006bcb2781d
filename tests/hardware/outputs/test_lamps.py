"""Lamps in their thread, on simulated lines, mock pins, and a fake board on a pseudo-terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device  # type: ignore[import-untyped]  # gpiozero has no types
from pytest_mock import MockerFixture

from firmware_bridge.discovery import Wanted
from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.fake_cable import FakeCable
from hardware.outputs.board import BoardOutput
from hardware.outputs.gpio import GpioLines, GpioOutput
from hardware.outputs.lamps import Lamps
from hardware.outputs.output import Output, OutputError, SimOutput
from hardware.outputs.patterns import STEADY, flashes
from hardware.sources.board import BoardSource
from hardware.sources.source import SourceError
from tests.console_kit import wait_until
from tests.hardware.sources.gpio_mock import NsFactory

Faults = list[tuple[str, str | None]]


@contextmanager
def playing(**outputs: Output) -> Iterator[tuple[Lamps, Faults]]:
    faults: Faults = []
    lamps = Lamps(outputs, lambda *fault: faults.append(fault))
    lamps.start()
    try:
        yield lamps, faults
    finally:
        lamps.stop()


def test_a_pattern_is_played_and_the_lamp_is_dark_at_the_end() -> None:
    lamp, other = SimOutput(), SimOutput()
    with playing(lamp=lamp, other=other) as (lamps, faults):
        began = time.monotonic()
        lamps.play("lamp", flashes(["short", "short"]))
        wait_until(lambda: lamp.told == [True, False, True, False])
        assert time.monotonic() - began >= 0.45
        assert lamp.is_open
    assert other.told == []
    assert faults == []
    assert not lamp.is_open


def test_what_is_held_stays_until_it_is_taken_away() -> None:
    lamp = SimOutput()
    with playing(lamp=lamp) as (lamps, _):
        lamps.hold("lamp", STEADY)
        wait_until(lambda: lamp.told == [True])
        lamps.hold("lamp", None)
        wait_until(lambda: lamp.told == [True, False])
        lamps.test("lamp")
        wait_until(lambda: len(lamp.told) == 8)


class Broken(SimOutput):
    fault: str | None = "gpio:22 is used by another program"

    def open(self) -> None:
        if self.fault:
            raise OutputError(self.fault)
        super().open()


def test_one_that_fails_is_reported_and_tried_again_while_the_others_play_on() -> None:
    lamp, bad = SimOutput(), Broken()
    with playing(bad=bad, lamp=lamp) as (lamps, faults):
        wait_until(lambda: faults == [("bad", "The output bad doesn't work: gpio:22 is used by another program.")])
        lamps.hold("lamp", STEADY)
        wait_until(lambda: lamp.told == [True])
        bad.fault = None
        lamps.hold("bad", STEADY)
        wait_until(lambda: bad.told == [True])
        assert faults[-1] == ("bad", None)


def test_who_tries_one_that_fails_is_told_so() -> None:
    lamp, bad = SimOutput(), Broken()
    told: list[str | None] = []
    with playing(bad=bad, lamp=lamp) as (lamps, _):
        lamps.test("bad", told.append)
        wait_until(lambda: told == ["The output bad doesn't work: gpio:22 is used by another program."])
        lamps.test("lamp", told.append)
        wait_until(lambda: told[1:] == [None])
        bad.fault = None
        lamps.test("bad", told.append)
        wait_until(lambda: told[2:] == [None])
        lamps.hold("lamp", STEADY)


# Lines of the Pi


@pytest.fixture
def factory(mocker: MockerFixture) -> NsFactory:
    factory = NsFactory()
    mocker.patch("hardware.outputs.gpio.pin_factory", return_value=factory)
    return factory


def level(factory: Any, number: int) -> int:
    return int(factory.pin(number).state)


def test_lines_of_the_pi_are_switched_and_off_at_the_end_whichever_level_lights_them(factory: NsFactory) -> None:
    lines = GpioLines("gpiod")
    with playing(high=GpioOutput("gpio:22", lines), low=GpioOutput("gpio:23", lines, active_high=False)) as (lamps, faults):
        wait_until(lambda: factory.pin(23).function == "output")
        assert (level(factory, 22), level(factory, 23)) == (0, 1)
        lamps.hold("high", STEADY)
        lamps.hold("low", STEADY)
        wait_until(lambda: (level(factory, 22), level(factory, 23)) == (1, 0))
        assert factory.closed == 0
    assert faults == []
    assert factory.closed == 1
    assert Device.pin_factory is not factory


def test_a_line_that_another_holds_is_a_fault_that_names_it(factory: NsFactory) -> None:
    lines = GpioLines("gpiod")
    first = GpioOutput("gpio:22", lines)
    first.open()
    with pytest.raises(OutputError, match=r"^gpio:22: .*already in use"):
        GpioOutput("gpio:22", lines).open()
    first.close()
    first.close()
    assert factory.closed == 1


def test_a_chip_that_is_not_there_is_a_fault(mocker: MockerFixture) -> None:
    mocker.patch("hardware.outputs.gpio.pin_factory", side_effect=OSError("there is no GPIO chip"))
    with pytest.raises(OutputError, match="gpio:22: there is no GPIO chip"):
        GpioOutput("gpio:22", GpioLines("gpiod")).open()


# Pins of a board


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[FakeCable]:
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left") as cable:
        yield cable


@contextmanager
def board_of(cable: FakeCable, *outputs: str) -> Iterator[BoardSource]:
    source = BoardSource("board:left", Wanted(cable.path, board_id="left"), outputs=outputs)
    source.open(["board:left/2"], lambda _: None)
    try:
        yield source
    finally:
        source.close()


def lit(cable: FakeCable) -> dict[int, int]:
    return dict(cable.board.outputs)


def test_a_pin_of_a_board_is_switched_beside_its_inputs(cable: FakeCable) -> None:
    with board_of(cable, "board:left/9", "board:left/10") as source:
        outputs = {"lamp": BoardOutput("board:left/9", source), "low": BoardOutput("board:left/10", source, active_high=False)}
        with playing(**outputs) as (lamps, faults):
            wait_until(lambda: lit(cable) == {10: 255})
            lamps.hold("lamp", STEADY)
            lamps.hold("low", STEADY)
            wait_until(lambda: lit(cable) == {9: 255})
        wait_until(lambda: lit(cable) == {10: 255})
        assert faults == []
        assert source.levels().keys() == {"board:left/2"}


def test_a_lamp_that_should_be_lit_is_lit_again_when_the_board_is_back(cable: FakeCable) -> None:
    with board_of(cable, "board:left/9") as source:
        lamp = BoardOutput("board:left/9", source)
        lamp.set(on=True)
        wait_until(lambda: lit(cable) == {9: 255})
        cable.do(lambda board, now: board.reset(now))
        wait_until(lambda: lit(cable) == {9: 255})
        cable.unplug()
        wait_until(lambda: not source.health().up)
        lamp.set(on=False)
        cable.plug()
        wait_until(lambda: source.health().up)
        assert lit(cable) == {}


def test_a_pin_that_can_be_no_output_is_named(cable: FakeCable) -> None:
    with (
        pytest.raises(SourceError, match=r"board:left/20: this pin of the board .* can't be an output"),
        board_of(cable, "board:left/20"),
    ):
        pass


def test_an_output_of_a_closed_board_is_switched_by_nobody(cable: FakeCable) -> None:
    with board_of(cable, "board:left/9") as source:
        lamp = BoardOutput("board:left/9", source)
    lamp.set(on=True)
    lamp.close()

"""The whole program in a real kernel, with mosquitto: a turn by moving pins, the score by a separate client. Once on GPIO lines,
once on a board whose USB cable is pulled out in the middle of the turn.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.call import Call
from hardware.signals import MS
from tests.avr import avr_kit
from tests.avr.avr_kit import Board, BoardTime
from tests.avr.pub_table import PubTable
from tests.vm.machine import Job, Machine, python_command

pytestmark = [pytest.mark.vm, pytest.mark.broker, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.parametrize("factory", ["gpiod", pytest.param("lgpio", marks=pytest.mark.lgpio)])
def test_a_turn_on_real_lines(machine: Machine, factory: str) -> None:
    result = machine.python("tests/vm/guest_play.py", factory, seconds=400)
    assert result.status == 0, result.output
    seen = json.loads(result.output.splitlines()[-1])
    # The first start, while another program had the line of cup 9: one line that says whose it is, and every other line let go.
    assert seen["busy"] == (
        "table.toml: gpio:12: GPIO12 is in use by 'door-bell': stop that program, or move the wire to another line "
        "(gpioinfo shows the owner of each)\n"
    )
    assert (seen["busy code"], seen["held"]) == (1, {"12": "door-bell"})
    assert seen["first"] == 5
    assert seen["banked"] == [24, 0]
    assert seen["retained"]
    assert (seen["status"], seen["at the end"], seen["code"]) == ("online", "offline", 0)
    (question,) = seen["questions"]["questions"]
    assert [choice["choice"] for choice in question["choices"]] == ["none", "cup-3", "cup-5", "cup-7", "cup-9"]
    assert seen["complaints"] == ""


def play(job: Job, machine: Machine, board: Board, table: PubTable) -> dict[str, Any]:
    """The host's part: balls, fingers, and a foot that catches the cable."""
    assert board.link is not None
    job.wait_for("reached: idle", 120)
    table.clock.wait(700 * MS)
    table.press("new-game", 2500 * MS)
    job.wait_for("reached: playing")
    table.ball(5, strike=True)
    job.wait_for("reached: first ball")
    machine.usb.unplug()
    board.do("unplug")
    job.wait_for("reached: away")
    table.drop(7)  # the black, which the first ball has sent on its way
    board.do("plug")
    machine.usb.plug(board.link, "BOARD-1", port=2)
    job.wait_for("reached: back")
    table.ball(3)
    table.ball(9)
    table.press("end-of-turn")
    result = job.finish(120)
    assert result.status == 0, result.output
    found: dict[str, Any] = json.loads(result.output.splitlines()[-1])
    return found


@pytest.mark.avr
def test_a_turn_on_a_board_whose_cable_is_pulled_out(machine: Machine, tmp_path: Path) -> None:
    with Board(avr_kit.build(tmp_path), link=tmp_path / "cable") as board:
        assert board.link is not None
        table = PubTable(board, BoardTime(board))
        with Call(board.link) as call:
            call.name("left")
        machine.usb.plug(board.link, "BOARD-1")
        seen = play(machine.start(python_command("tests/vm/guest_board.py")), machine, board, table)
    by_id = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_BOARD-1-if00-port0"
    assert seen["plugged"] == [by_id, "FTDI", "BOARD-1", "pci-0000:00:03.0-usb-0:1:1.0-port0"]
    assert seen["boards"].startswith(f"{by_id} (FTDI)\n  left, nano 0.1.0, boot ")
    assert not seen["first ball"]["provisional"]
    [fault] = seen["faults"]
    assert fault.startswith(f"board:left is away: {by_id} ")
    assert seen["away"]["sides"][0]["pending"] == 5
    assert seen["plugged again"] == [by_id, "FTDI", "BOARD-1", "pci-0000:00:03.0-usb-0:2:1.0-port0"]
    assert seen["banked"]["provisional"]
    assert [text.split(" from ")[0] for text in seen["asked"]] == ["board:left was away", "Which cup holds the black?"]
    final = seen["final"]
    assert [side["score"] for side in final["sides"]] == [5 + 2 * 7 + 3 + 9, 0]
    assert (final["turn"], final["questions"]) == ("B", 0)
    assert seen["retained"] == final
    gone, back = seen["complaints"].splitlines()
    assert gone.startswith(f"WARNING hardware.sources.board: board:left is away: {by_id} ")
    assert back == "WARNING hardware.sources.board: board:left is back (it has reset): its levels are compared"
    assert seen["code"] == 0

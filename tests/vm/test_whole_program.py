"""The whole program on a real kernel's GPIO lines, with mosquitto: a turn by moving levels, the score by a separate client."""

from __future__ import annotations

import json

import pytest

from tests.vm.machine import Machine

pytestmark = [pytest.mark.vm, pytest.mark.broker, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.parametrize("factory", ["gpiod", pytest.param("lgpio", marks=pytest.mark.lgpio)])
def test_a_turn_on_real_lines(machine: Machine, factory: str) -> None:
    result = machine.python("tests/vm/guest_play.py", factory, seconds=240)
    assert result.status == 0, result.output
    seen = json.loads(result.output.splitlines()[-1])
    assert seen["first"] == 5
    assert seen["banked"] == [24, 0]
    assert seen["retained"]
    assert (seen["status"], seen["at the end"], seen["code"]) == ("online", "offline", 0)
    (question,) = seen["questions"]["questions"]
    assert [choice["choice"] for choice in question["choices"]] == ["none", "cup-3", "cup-5", "cup-7", "cup-9"]
    assert seen["complaints"] == ""

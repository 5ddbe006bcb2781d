"""GPIO lines of a real kernel: the contract of sources with both pin factories, and what ours does beyond it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.source_contract import CONTRACT
from tests.vm.machine import Machine

# The first time a kernel is made, which takes half a minute on a usual machine.
pytestmark = [pytest.mark.vm, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def contract(machine: Machine) -> dict[tuple[str, str], str]:
    """For each factory and check how it went, with the whole output where it went wrong."""
    result = machine.python("tests/vm/guest_contract.py", seconds=240)
    outcomes = re.findall(r"^(gpiod|lgpio) (check_\w+) (ok|failed.*)", result.output, re.MULTILINE)
    return {(factory, check): how if how == "ok" else result.output for factory, check, how in outcomes}


@pytest.mark.parametrize("check", [check.__name__ for check in CONTRACT])
@pytest.mark.parametrize("factory", ["gpiod", pytest.param("lgpio", marks=pytest.mark.lgpio)])
def test_contract(contract: dict[tuple[str, str], str], factory: str, check: str) -> None:
    assert contract.get((factory, check), "it wasn't run") == "ok"


@pytest.fixture(scope="module")
def scenes(machine: Machine) -> dict[str, dict[str, Any]]:
    result = machine.python("tests/vm/guest_gpiod.py", seconds=120)
    assert result.status == 0, result.output
    return {seen.pop("scene"): seen for seen in map(json.loads, result.output.splitlines())}


def test_every_edge_at_full_speed_in_order(scenes: dict[str, dict[str, Any]]) -> None:
    seen = scenes["full_speed"]
    assert seen["all in the order of driving"]
    assert seen["in order of time"]
    assert (seen["lost"], seen["late"]) == (0, 0)


def test_what_the_kernel_drops_is_counted_and_the_last_level_right(scenes: dict[str, dict[str, Any]]) -> None:
    seen = scenes["overflow"]
    assert seen == {"heard": 1024, "lost": 3001 - 1024, "last": False, "level": False}


def test_idle_wakes_for_nothing_but_the_reconciliation(scenes: dict[str, dict[str, Any]]) -> None:
    assert scenes["idle"]["wakeups"] <= 2


def test_owners_are_named(scenes: dict[str, dict[str, Any]]) -> None:
    seen = scenes["owners"]
    assert seen["our name"] == "tablemarker"
    busy = "GPIO5 is in use by 'other-program': stop that program"
    assert seen["busy"].startswith(f"LineBusy: {busy}")
    assert seen["busy for gpiod"].startswith(f"SourceError: gpio:5: {busy}")
    assert seen["busy for lgpio"].startswith(f"SourceError: gpio:5: {busy}")


def test_a_closed_device_frees_its_line_and_can_be_opened_again(scenes: dict[str, dict[str, Any]]) -> None:
    seen = scenes["owners"]
    assert seen["free after device.close()"]
    assert seen["opened again"] is True
    assert seen["two factories share nothing"]


def test_what_cannot_be_had_is_refused_in_a_sentence(scenes: dict[str, dict[str, Any]]) -> None:
    seen = scenes["owners"]
    assert seen["bounce"].startswith("PinInvalidBounce: GPIO6 reports every edge")
    assert seen["fixed pull"].startswith("PinFixedPull: GPIO2 has a pull-up resistor on the board")
    assert seen["two devices on a pin"].startswith("GPIOPinInUse: pin GPIO7")
    assert seen["no such chip"].startswith("ChipNotFound: no single GPIO chip labelled 'pinctrl-nowhere': there is gpiochip")
    assert "'pinctrl-bcm2835'" in seen["no such chip"]
    assert seen["forbidden"].startswith("ChipForbidden: /dev/gpiochip")
    assert "udev rule" in seen["forbidden"]


def test_gpiozeros_own_devices_work_on_it(scenes: dict[str, dict[str, Any]]) -> None:
    seen = scenes["devices"]
    assert seen["active for at most a second"]
    assert (seen["lamp off"], seen["lamp on"]) == (1, 0)
    assert "never" not in seen


def test_the_header_of_any_pi_is_assumed_where_the_machine_is_none(scenes: dict[str, dict[str, Any]]) -> None:
    assert scenes["devices"]["board"] == "3B"


def test_lamps_are_switched_beside_inputs_of_the_same_chip(scenes: dict[str, dict[str, Any]]) -> None:
    seen = scenes["outputs"]
    assert (seen["off"], seen["on"], seen["off again"]) == ([0, 1], [1, 0], [0, 1])
    assert seen["heard"] == ["gpio:17", 0]
    assert seen["busy"].startswith("gpio:17: GPIO17 is in use by 'tablemarker'")

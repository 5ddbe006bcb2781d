"""The GPIO source by itself, over mock pins; over real lines it is tested in the virtual machine (tests/vm)."""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from gpiozero import InputDevice  # type: ignore[import-untyped]  # gpiozero has no types
from pytest_mock import MockerFixture

from hardware.signals import MS
from hardware.sources.gpio import GpioSource
from hardware.sources.source import SourceError
from tests.hardware.sources.gpio_mock import MockBench
from tests.source_contract import CONTRACT, Check, Ear

ROOT = Path(__file__).parents[3]


@pytest.fixture
def bench(mocker: MockerFixture) -> MockBench:
    return MockBench(mocker)


@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
def test_contract(check: Check, bench: MockBench) -> None:
    check(bench)


def test_a_level_is_pulled_up_unless_the_table_file_says_otherwise(bench: MockBench) -> None:
    source = GpioSource("gpiod", pulls={"gpio:22": "down", "gpio:27": "none"})
    levels = source.open(["gpio:17", "gpio:22", "gpio:27"], Ear().emit)
    assert [bench.pin(channel).pull for channel in levels] == ["up", "down", "floating"]
    assert levels == {"gpio:17": 1, "gpio:22": 0, "gpio:27": 0}
    source.close()


def test_a_level_that_an_edge_may_still_explain_is_not_recovered_yet(bench: MockBench, mocker: MockerFixture) -> None:
    now = mocker.patch("hardware.sources.gpio.time.monotonic_ns", return_value=10 * MS)
    bench.factory.confirm_ns = 50 * MS
    ear = Ear()
    source = bench.make()
    source.open(["gpio:17"], ear.emit)
    bench.drive_unseen("gpio:17", 1)
    for at, heard in ((100, 0), (149, 0), (150, 1), (300, 1)):
        now.return_value = at * MS
        source.reconcile(at * MS)
        assert len(ear.signals) == heard
    assert ear.signals == [(150 * MS, "gpio:17", 1)]
    bench.drive_unseen("gpio:17", 0)
    now.return_value = 400 * MS
    source.reconcile(400 * MS)
    bench.drive("gpio:17", 1)  # an edge after all: the level is what it says
    now.return_value = 500 * MS
    source.reconcile(500 * MS)
    assert ear.values("gpio:17") == [1, 1]
    assert source.health().recovered == 1
    source.close()


def test_a_chip_that_fails_is_reported_and_nothing_else_breaks(bench: MockBench) -> None:
    source = bench.make()
    source.open(["gpio:17"], Ear().emit)
    bench.drive("gpio:17", 1)
    bench.factory.broken = OSError(19, "No such device")
    source.reconcile(bench.now())
    source.reconcile(bench.now())
    assert source.levels() == {"gpio:17": 1}
    health = source.health()
    assert not health.up
    assert health.faults == (
        "the GPIO chip /dev/gpiochip0 has failed: [Errno 19] No such device; if it is on USB, plug it in and start again",
    )
    bench.factory.broken = None
    source.close()


@pytest.mark.parametrize(
    ("channel", "sentence"),
    [
        ("gpio:seventeen", "gpio:seventeen: no GPIO line: an address here is gpio:NUMBER"),
        ("board:left/3", "board:left/3: no GPIO line: an address here is gpio:NUMBER"),
        ("gpio:2", "gpio:2: GPIO2 has a fixed pull resistor"),
        (
            "gpio:5",
            "gpio:5: pin GPIO5 is already in use by <gpiozero.InputDevice object on pin GPIO5, pull_up=False, is_active=False>",
        ),
    ],
)
def test_what_cannot_be_opened_is_named(bench: MockBench, channel: str, sentence: str) -> None:
    with InputDevice(5, pin_factory=bench.factory):
        source = GpioSource("gpiod", pulls={"gpio:2": "down"})
        with pytest.raises(SourceError) as refused:
            source.open(["gpio:17", channel], Ear().emit)
    assert str(refused.value) == sentence
    assert bench.factory.closed == 1
    assert not source.health().up


def test_it_opens_once(bench: MockBench) -> None:
    source = bench.make()
    source.open(["gpio:17"], Ear().emit)
    with pytest.raises(SourceError, match="gpio is open already"):
        source.open(["gpio:22"], Ear().emit)
    source.close()


def test_before_it_is_opened_and_after_it_is_closed_it_answers(bench: MockBench) -> None:
    source = bench.make()
    source.close()
    assert (source.watermark(7), source.levels(), source.health().up) == (7, {}, False)
    source.reconcile(7)


OPEN = """
from hardware.sources.gpio import GpioSource
try:
    GpioSource({!r}, chip_label="nowhere").open(["gpio:17"], print)
except Exception as error:
    print(type(error).__name__, error)
print("lgpio" in sys.modules)
"""


def opened_where(prelude: str, factory: str) -> str:
    """What opening says in a fresh Python after the prelude: libraries are imported once only in a process."""
    program = f"import sys, types\n{prelude}\n{OPEN.format(factory)}"
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_a_missing_library_is_named_with_the_command_that_gets_it() -> None:
    said = opened_where("sys.modules['gpiod'] = None", "gpiod")
    assert said.startswith(f"SourceError gpiod: libgpiod 2 isn't there for this Python ({sys.prefix})")
    assert "pip install 'gpiod>=2.1'" in said
    said = opened_where("sys.modules['gpiod'] = types.ModuleType('gpiod')", "gpiod")  # such as libgpiod 1
    assert "pip install 'gpiod>=2.1'" in said
    said = opened_where("sys.modules['lgpio'] = None", "lgpio")
    assert said.startswith(f"SourceError lgpio: lgpio isn't there for this Python ({sys.prefix})")
    assert "pip install 'lgpio>=0.2.2'" in said
    said = opened_where("sys.modules['lgpio'] = types.ModuleType('lgpio')", "lgpio")
    assert "is an empty stub" in said


def test_lgpio_is_not_imported_unless_asked_for() -> None:
    assert opened_where("", "gpiod").endswith("False\n")


def test_gpiozero_finds_the_factory_by_its_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    factory = pkgutil.resolve_name(project["entry-points"]["gpiozero_pin_factories"]["gpiod"])
    inspect.signature(factory).bind()  # gpiozero calls it without arguments

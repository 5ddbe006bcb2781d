"""The examples in docstrings and on the page about detectors are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from hardware.detectors import timing
from hardware.signals import MS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "detectors.md"


MODULES = (
    "detectors.bell",
    "detectors.switch",
    "detectors.frames",
    "detectors.gauge",
    "sources.line_splitter",
    "sources.sim",
    "sources.storm",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"hardware.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", [PAGE, DOCS / "squails-table.md"], ids=lambda page: page.name)
def test_examples_on_the_page(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("kind", ["cup", "flag", "beam", "button"])
def test_the_page_has_the_times_that_are_used(kind: str) -> None:
    times: timing.Timing = getattr(timing, kind.upper())
    locked = f"{times.lockout_on // MS} ms after a press, {times.lockout_off // MS} ms after its end"
    lockout = locked if times.lockout_on else "none"
    assert f"| {kind} | {times.settle_on // MS} ms, {times.settle_off // MS} ms | {lockout} |" in PAGE.read_text(encoding="utf-8")

"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["detectors.switch", "sources.sim", "sources.storm"])
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"hardware.{name}"))
    assert result.attempted > 0
    assert result.failed == 0

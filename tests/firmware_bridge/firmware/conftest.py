"""The firmware for the host, compiled once."""

from __future__ import annotations

import ctypes

import pytest

from tests.firmware_bridge.firmware import host_kit
from tests.firmware_bridge.schedules import RING


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return host_kit.build(tmp_path_factory.mktemp("firmware"))


@pytest.fixture(scope="session")
def cramped(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The same with a small ring."""
    return host_kit.build(tmp_path_factory.mktemp("cramped"), ring=RING)

"""The firmware for the host, compiled once."""

from __future__ import annotations

import ctypes

import pytest

from tests.firmware_bridge.firmware import host_kit


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return host_kit.build(tmp_path_factory.mktemp("firmware"))

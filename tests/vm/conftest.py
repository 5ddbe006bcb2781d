"""A virtual machine for the tests of a module: it boots with the first that asks for it and is off after the last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.vm.machine import Machine


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with Machine(tmp_path_factory.mktemp("share")) as machine:
        yield machine

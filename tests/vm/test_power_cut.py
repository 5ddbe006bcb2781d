"""The power goes in the middle of a game: what the room has seen is in the journal; if the journal doesn't sync, it isn't."""

from __future__ import annotations

import re

import pytest

from tests.vm.machine import python_command
from tests.vm.power_cut import Aftermath, cut_power_under

pytestmark = [pytest.mark.vm, pytest.mark.slow, pytest.mark.timeout(600)]

MODES = ("FULL", "NORMAL")


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    """Both in one cut, each on a disk of its own: a sync of one would flush the other."""
    writers = [
        python_command("tests/vm/guest_journal.py", f"/mnt/disk/{number}/table.sqlite3", mode)
        for number, mode in enumerate(MODES)
    ]
    write = " &\n".join(writers)
    check = "\n".join(f"{writer} check" for writer in writers)
    return cut_power_under(tmp_path_factory.mktemp("cut"), write, check, until=("FULL view 60", "NORMAL view 60"), disks=2)


def shown_and_found(aftermath: Aftermath, mode: str) -> tuple[int, int]:
    assert aftermath.found.status == 0, aftermath.found.output
    found = re.search(rf"{mode} found (\d+), integrity ok, taken up", aftermath.found.output)
    assert found, aftermath.found.output
    return max(map(int, re.findall(rf"{mode} shown (\d+)\n", aftermath.shown))), int(found[1])


def test_whoever_syncs_keeps_all_that_was_shown(aftermath: Aftermath) -> None:
    shown, found = shown_and_found(aftermath, "FULL")
    assert found >= shown >= 60


def test_whoever_does_not_sync_loses_some(aftermath: Aftermath) -> None:
    shown, found = shown_and_found(aftermath, "NORMAL")
    assert shown >= 60
    assert found < shown

"""The power goes in the middle of a game: what the room has seen is in the journal; if the journal doesn't sync, it isn't."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.durable_kit import State, missing
from tests.vm.machine import python_command
from tests.vm.power_cut import Aftermath, cut_power_under

pytestmark = [pytest.mark.vm, pytest.mark.slow, pytest.mark.timeout(600)]

MODES = ("FULL", "NORMAL")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cut")


@pytest.fixture(scope="module")
def aftermath(folder: Path) -> Aftermath:
    """Both in one cut, each on a disk of its own: a sync of one would flush the other."""
    writers = [
        python_command("tests/vm/guest_journal.py", f"/mnt/disk/{number}/table.sqlite3", mode)
        for number, mode in enumerate(MODES)
    ]
    write = " &\n".join(writers)
    check = "\n".join(f"{writer} check" for writer in writers)
    return cut_power_under(folder, write, check, until=("FULL view 60", "NORMAL view 60"), disks=2)


def shown_and_found(aftermath: Aftermath, mode: str) -> tuple[list[State], int]:
    """The states that had reached the room, and the last record that was there when the power was back."""
    assert aftermath.found.status == 0, aftermath.found.output
    found = re.search(rf"{mode} found (\d+), integrity ok, taken up", aftermath.found.output)
    assert found, aftermath.found.output
    shown = [json.loads(text) for text in re.findall(rf"{mode} shown ({{.*}})\n", aftermath.shown)]
    assert len(shown) >= 60
    return shown, int(found[1])


def wrong(folder: Path, mode: str, shown: list[State]) -> list[str]:
    """What the journal doesn't have, or tells differently, of all that was shown."""
    journal = folder / "share" / f"{mode}.sqlite3"
    states = [{key: value for key, value in state.items() if key != "rests_on"} for state in shown]
    return [why for state in states if (why := missing(journal, state, shown)) is not None]


def test_whoever_syncs_keeps_all_that_was_shown(aftermath: Aftermath, folder: Path) -> None:
    shown, found = shown_and_found(aftermath, "FULL")
    assert found >= shown[-1]["rests_on"]
    assert wrong(folder, "FULL", shown) == []
    # The score was on the board by then, and the game that goes on is the one that was shown.
    assert any(points for pair in shown[-1]["scores"] for points in pair)


def test_whoever_does_not_sync_loses_some(aftermath: Aftermath, folder: Path) -> None:
    shown, found = shown_and_found(aftermath, "NORMAL")
    assert found < shown[-1]["rests_on"]
    lost = wrong(folder, "NORMAL", shown)
    assert lost
    assert all("rests on record" in why for why in lost)

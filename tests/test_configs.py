from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.commands.check import understood
from controller.tablefile import TableFile, load_table
from controller.tables.roles import roles_of

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = sorted((ROOT / "config").glob("*.toml"))

# Where each GPIO line is on the 40-pin header of every Pi since the B+.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23, 8: 24, 7: 26,
    5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip


def wired(table: TableFile) -> dict[str, int]:
    """The GPIO line of each sensor that has one, as a wiring table names them."""
    lines = {}
    for sensor in table.sensors:
        if not sensor.channels[0].startswith("gpio:"):
            continue
        ends = [""] if len(sensor.channels) == 1 else [" near", " far"]
        for end, channel in zip(ends, sensor.channels, strict=True):
            lines[sensor.name + end] = int(channel.removeprefix("gpio:"))
    return lines


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_every_example_checks_clean_and_is_named_after_its_game(path: Path) -> None:
    table = load_table(path)
    assert path.stem == table.table.game


def test_there_is_an_example_for_bagatelle() -> None:
    assert ROOT / "config" / "bagatelle.toml" in CONFIGS


@pytest.mark.parametrize(
    ("path", "row", "game"),
    [
        (ROOT / "config" / "bagatelle.toml", r"([a-z][a-z0-9-]+(?: near| far)?) +(\d+) +(\d+)(?= |$)", "bagatelle"),
        (ROOT / "docs" / "wiring.md", r"\| ([a-z][a-z0-9-]+(?: near| far)?) \| (\d+) \| (\d+) ", "bagatelle"),
        (ROOT / "README.md", r"\| (cup-[0-9]) \| (\d+) \| (\d+) ", "bagatelle"),
        (ROOT / "config" / "maw.toml", r"([A-Ba-z][a-z-]+) +(\d+) +(\d+)(?= |$)", "maw"),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_the_wiring_that_people_read_is_the_wiring_of_the_example(path: Path, row: str, game: str) -> None:
    example = wired(load_table(ROOT / "config" / f"{game}.toml"))
    rows = re.findall(row, path.read_text(), re.MULTILINE)
    told = {name: int(line) for name, line, _ in rows}
    assert all(int(pin) == HEADER[int(line)] for _, line, pin in rows)
    if path.name == "README.md":
        example = {name: line for name, line in example.items() if name.startswith("cup-")}
    assert told == example


def test_the_bagatelle_example_fills_every_role_but_the_colours() -> None:
    filled = {sensor.role for sensor in load_table(ROOT / "config" / "bagatelle.toml").sensors}
    assert set(roles_of("bagatelle")) - filled == {"answer", *(f"black-{cup}" for cup in range(1, 10))}


def test_the_maw_example_fills_every_role_but_those_of_other_readers() -> None:
    filled = {sensor.role for sensor in load_table(ROOT / "config" / "maw.toml").sensors}
    assert set(roles_of("maw")) - filled == {"stock", "A-card", "B-card", "A-mate-card", "B-mate-card", "answer"}


def test_the_wiring_of_the_buttons_of_squails_is_that_of_their_sensors() -> None:
    path = ROOT / "config" / "squails.toml"
    rows = re.findall(r"([a-z]+(?:-[a-z]+)?) +(\d+) +(\d+)(?= |$)", path.read_text(), re.MULTILINE)
    assert all(int(pin) == HEADER[int(line)] for _, line, pin in rows)
    buttons = {s.role: s.channels[0] for s in load_table(path).sensors if s.kind == "button"}
    assert {name: f"gpio:{line}" for name, line, _ in rows} == buttons


def test_what_the_camera_of_squails_sees_besides_is_not_left_to_the_marker() -> None:
    assert "left to the marker: seat-1, seat-2, answer; " in understood(load_table(ROOT / "config" / "squails.toml"))


@pytest.mark.parametrize("game", ["bagatelle", "fortification", "squails", "maw"])
def test_every_game_has_roles_with_a_meaning_and_names_of_their_own(game: str) -> None:
    roles = roles_of(game)
    assert {"new-game", "undo", "answer"} <= set(roles)
    assert all(role.text and role.kinds for role in roles.values())

"""Readers in a table file: how they write, and the file that says what is on which card."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.fitting.detectors import build_detectors
from controller.tablefile import TableFileErrors, load_table
from controller.tablefile.sensors import ReaderSensor
from controller.tablefile.values import say_duration
from controller.tables.roles import names_read, roles_of
from hardware.signals import Signal

ROOT = Path(__file__).resolve().parents[3]
HEAD = '[table]\nid = "m"\ngame = "{}"\n[[lines]]\nname = "scanner"\nport = "/dev/serial/by-id/x"\n'
READER = '[[sensor]]\nkind = "reader"\nrole = "{}"\nsource = "lines:scanner"\n{}\n'


def table(folder: Path, more: str, role: str = "card", game: str = "maw") -> Path:
    path = folder / "table.toml"
    path.write_text(HEAD.format(game) + READER.format(role, more))
    return path


def wrong(path: Path) -> list[str]:
    with pytest.raises(TableFileErrors) as caught:
        load_table(path)
    return [str(fault).removeprefix(f"{path.parent}/") for fault in caught.value.faults]


def test_a_reader_of_names_needs_nothing_else(tmp_path: Path) -> None:
    (detector,) = build_detectors(load_table(table(tmp_path, "")))
    (seen,) = detector.feed(Signal(5, "lines:scanner", "qh"))
    assert (seen.kind, seen.value) == ("card", "QH")


def test_a_reader_of_tags_finds_its_file_beside_the_table_file(tmp_path: Path) -> None:
    (tmp_path / "pack.tags").write_text("".join(f"04 {place:02X} B2 1C\n" for place in range(52)))
    path = table(tmp_path, 'code = "uid"\ntags = "pack.tags"\nlockout = "500ms"')
    (detector,) = build_detectors(load_table(path))
    seen = [each for at in (0, 499, 999) for each in detector.feed(Signal(at * 10**6, "lines:scanner", "04:33:B2:1C"))]
    assert [(each.at, each.value) for each in seen] == [(0, "KS"), (999 * 10**6, "KS")]


def test_the_balls_of_fortification_are_read_in_the_same_way(tmp_path: Path) -> None:
    balls = names_read("fortification")
    (tmp_path / "balls.tags").write_text("".join(f"{ball} 04{place:02X}B21C\n" for place, ball in enumerate(balls)))
    path = table(tmp_path, 'code = "uid"\ntags = "balls.tags"', role="pocket-1-ball", game="fortification")
    (detector,) = build_detectors(load_table(path))
    (seen,) = detector.feed(Signal(5, "lines:scanner", "0405B21C"))
    assert seen.value == "french-defence-2"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('code = "ean8"', ['table.toml:7:3: tags is missing: the file that says which "ean8" code is on what']),
        ('tags = "pack.tags"', ["table.toml:7:3: tags is for codes that are numbers: leave it out, or say which code it is"]),
        ('code = "ean8"\ntags = "none.tags"', ["none.tags:1:1: can't be read: No such file or directory"]),
        ('code = "qr"', ["table.toml:11:8: "]),
        ('lockout = "20ms"', ["table.toml:11:11: 20ms is out of range: at least 200ms, at most 1min"]),
        ('pull = "up"', ["table.toml:11:1: "]),
    ],
    ids=["no tags", "tags for names", "no file", "no such code", "too short", "no pin"],
)
def test_what_is_wrong_with_a_reader_is_said_with_its_place(tmp_path: Path, more: str, says: list[str]) -> None:
    found = wrong(table(tmp_path, more))
    assert len(found) == len(says), found
    assert all(one.startswith(start) for one, start in zip(found, says, strict=True)), found


def test_every_mistake_in_a_file_of_tags_is_named_in_the_same_run_as_those_of_the_table_file(tmp_path: Path) -> None:
    (tmp_path / "pack.tags").write_text("QX 96385074\nQH 96385075\n")
    found = wrong(table(tmp_path, 'code = "ean8"\ntags = "pack.tags"\nlockout = "0ms"'))
    assert [one.partition(": ")[0] for one in found] == ["pack.tags:1:1", "pack.tags:2:1", "table.toml:13:11"]


def test_a_reader_on_a_pin_is_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(HEAD.format("maw") + READER.format("card", "").replace("lines:scanner", "gpio:17"))
    (found,) = wrong(path)
    assert "reads lines of text" in found


@pytest.mark.parametrize("players", [3, '"four"'])
def test_two_play_maw_or_four(tmp_path: Path, players: object) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[table]\nid = "m"\ngame = "maw"\nplayers = {players}\n')
    (found,) = wrong(path)
    assert found.startswith("table.toml:4:11: ")


def test_players_is_of_no_other_game(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nid = "m"\ngame = "bagatelle"\nplayers = 2\n')
    (found,) = wrong(path)
    assert found.startswith("table.toml:4:11: players is of maw alone")


def test_the_pages_name_every_role_and_the_default_of_the_lockout() -> None:
    page = (ROOT / "docs" / "maw-table.md").read_text()
    roles = [role for role in roles_of("maw") if not role.startswith("B-") or role.endswith("card")]
    assert [role for role in roles if f"`{role}`" not in page] == []
    default = say_duration(ReaderSensor.model_fields["lockout"].default)
    keys = (ROOT / "docs" / "table-file.md").read_text()
    assert re.search(rf"\| `lockout` \| .*Of a reader: .*`\"{default}\"` \|", keys)

from __future__ import annotations

from pathlib import Path

import pytest

from controller.tablefile import load_table, read_tables
from controller.tablefile.model import table_schema
from controller.tablefile.sensors import BeamSensor, ButtonSensor
from controller.tablefile.values import HostPort
from hardware.detectors.timing import BEAM, BUTTON, CUP, Timing
from hardware.signals import MS, SECOND

HEAD = '[table]\nid = "bar-1"\ngame = "bagatelle"\n'


@pytest.fixture
def write(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def test_a_whole_table_is_read_with_its_defaults(write: Path) -> None:
    write.write_text(
        HEAD
        + """
name = "by the fire"
sides = ["Ann", "Bob"]
quiet = "1500ms"
[rules]
target = 100
corner = "half_target"
[mqtt]
broker = "managed"
listen = "0.0.0.0:1884"
username = "table"
password_env = "PASSWORD"
commands = true
token_file = "secrets/token"
[web]
listen = "off"
[journal]
path = "/var/lib/games.sqlite3"
[[board]]
name = "left"
usb_serial = "95530343834351A0B091"
[[output]]
name = "winner"
kind = "lamp"
source = "gpio:22"
[[sensor]]
role = "cup-1"
kind = "switch"
source = "sim"
[[sensor]]
name = "door"
role = "half-way"
kind = "beam"
source = ["gpio:5", "board:left/3"]
active = "high"
settle = "1ms"
settle_off = "3ms"
[[sensor]]
role = "new-game"
kind = "button"
source = "sim:red"
"""
    )
    table = load_table(write)
    assert (table.table.name, table.table.sides, table.table.quiet) == ("by the fire", ("Ann", "Bob"), 1500 * MS)
    assert table.rules == {"target": 100, "corner": "half_target"}
    assert (table.mqtt.broker, table.mqtt.listen, table.web.listen) == ("managed", HostPort("0.0.0.0", 1884), None)
    assert (table.prefix, table.client_id) == ("tablemarker/bar-1", "tablemarker-bar-1")
    assert table.mqtt.token_file == write.parent / "secrets" / "token"
    assert table.journal_path(write.parent) == Path("/var/lib/games.sqlite3")
    cup, beam, button = table.sensors
    assert (cup.name, cup.channels, cup.active_level, cup.timing) == ("cup-1", ("sim:cup-1",), 0, CUP)
    assert isinstance(beam, BeamSensor)
    assert (beam.name, beam.channels, beam.active_level) == ("door", ("gpio:5", "board:left/3"), 1)
    assert beam.timing == Timing(1 * MS, 3 * MS, BEAM.lockout_on, BEAM.lockout_off)
    assert isinstance(button, ButtonSensor)
    assert (button.channels, button.hold, button.timing) == (("sim:red",), 2 * SECOND, BUTTON)


def test_the_shortest_table_is_one_without_sensors(write: Path) -> None:
    write.write_text(HEAD)
    table = load_table(write)
    assert (table.mqtt.broker, table.web.listen, table.gpio.factory) == ("none", HostPort("0.0.0.0", 8080), "gpiod")
    assert table.journal_path(write.parent) == write.parent / "bar-1.sqlite3"


def test_a_pair_on_the_sim_source_has_an_input_each(write: Path) -> None:
    write.write_text(HEAD + '[[sensor]]\nrole = "half-way"\nkind = "beam"\nsource = ["sim", "sim"]\n')
    assert load_table(write).sensors[0].channels == ("sim:half-way/near", "sim:half-way/far")


@pytest.mark.parametrize(
    "text",
    [
        'broker = "a:1"\ncommands = true\ntoken_file = "t"\n',
        'broker = "a:1"\ncommands = true\nusername = "x"\npassword_env = "P"\n',
    ],
)
def test_commands_are_taken_with_a_token_or_an_account(write: Path, text: str) -> None:
    write.write_text(HEAD + "[mqtt]\n" + text)
    assert load_table(write).mqtt.commands


def test_a_mark_of_windows_editors_is_passed_over(write: Path) -> None:
    write.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode())
    assert load_table(write).table.id == "bar-1"


CUP_1 = '[[sensor]]\nrole = "cup-1"\nkind = "switch"\nsource = "gpio:17"\n'
BOARD = '[[board]]\nname = "left"\nport = "/dev/serial/by-id/usb-nano"\n'


def test_of_several_files_the_later_one_is_told_what_is_taken(tmp_path: Path) -> None:
    one, two, three = (tmp_path / f"{name}.toml" for name in ("one", "two", "three"))
    one.write_text(HEAD + CUP_1 + '[journal]\npath = "games.sqlite3"\n')
    two.write_text(
        HEAD + CUP_1 + f'[journal]\npath = "{tmp_path}/x/../games.sqlite3"\n[web]\nlisten = "127.0.0.1:8080"\n' + BOARD
    )
    three.write_text(HEAD.replace("bar-1", "bar-3") + '[web]\nlisten = "off"\n' + BOARD)
    first, second, third = read_tables([one, two, three])
    assert (first.table is not None, first.faults) == (True, ())
    assert second.table is None
    assert [str(fault).removeprefix(f"{two}:") for fault in second.faults] == [
        f'2:6: the id "bar-1" is already taken by the table bar-1 at {one}:2',
        f"7:10: gpio:17 is already taken by the sensor cup-1 at {one}:7",
        f"9:8: the journal {tmp_path}/games.sqlite3 is already taken by the table bar-1 at {one}:9",
        f"11:10: port 8080 ([web] listen) is already taken by the scoreboard of bar-1 at {one}:1",
    ]
    assert [fault.message for fault in third.faults] == [
        f"the board at /dev/serial/by-id/usb-nano is already taken by the board left at {two}:14"
    ]


def test_the_schema_knows_every_key_and_says_what_it_is_for() -> None:
    schema = table_schema()
    assert set(schema["properties"]) == {
        "table", "rules", "mqtt", "web", "marker", "journal", "gpio", "board", "lines", "output", "record", "speech",
        "sensor",
    }  # fmt: skip
    button = schema["$defs"]["ButtonSensor"]["properties"]
    assert (button["hold"]["type"], button["hold"]["default"]) == ("string", "2s")
    assert schema["$defs"]["Mqtt"]["properties"]["listen"]["default"] == "127.0.0.1:1883"
    keys = [key for model in schema["$defs"].values() for name, key in model["properties"].items() if name != "kind"]
    assert all(key.get("description") for key in keys)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"target = {'9' * 5000}", ":6:10: the number is too large"),
        (f"target = 0x{'f' * 5000}", ":6:10: the number is too large"),
        ("target = 9223372036854775808", ":6:10: the number is too large"),
        (f"target = {'[' * 5000}{']' * 5000}", ":1:1: lists or tables stand in each other too deep"),
        (f"{'a.' * 5000}a = 1", ":1:1: lists or tables stand in each other too deep"),
    ],
    ids=["digits", "hexadecimal", "65 bits", "lists", "tables"],
)
def test_what_python_itself_can_not_read_is_named_like_any_other_mistake(write: Path, line: str, said: str) -> None:
    write.write_text(f"{HEAD}[rules]\n\n{line}\n")
    (reading,) = read_tables([write])
    assert reading.table is None
    assert said in str(reading.faults[0])

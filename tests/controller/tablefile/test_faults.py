from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tablefile import TableFileErrors, load_table, read_table
from controller.tablefile.model import table_schema

HEAD = '[table]\nid = "bar-1"\ngame = "bagatelle"\n'


@pytest.fixture
def write(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def faults(path: Path, text: str | bytes) -> list[str]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(TableFileErrors) as caught:
        load_table(path)
    return [str(fault).removeprefix(f"{path}:") for fault in caught.value.faults]


SENSOR = HEAD + "[[sensor]]\n"  # its keys begin in line 5
CUP_1 = 'role = "cup-1"\nkind = "switch"\nsource = "gpio:17"\n'
GAUGE = (
    HEAD.replace("bagatelle", "squails")
    + '[[board]]\nname = "left"\nport = "/dev/serial/by-id/usb-nano"\n\n[[sensor]]\nrole = "gauge"\nkind = "gauge"\n'
)  # its source is in line 11
BOARD = '[[board]]\nname = "left"\nport = "/dev/serial/by-id/usb-nano"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            'id = "x"\n', ["1:1: id doesn't belong in the file but in [table]", "1:1: the file lacks [table]"], id="no table"
        ),
        pytest.param('[table]\nid = "x"\n', ["1:2: [table] lacks game"], id="no game"),
        pytest.param(
            HEAD.replace("bagatelle", "bagatele"), ["3:8: unknown game 'bagatele'; did you mean 'bagatelle'?"], id="game"
        ),
        pytest.param(HEAD.replace("bar-1", "a/b"), ["2:6: a name is 1 to 40 letters"], id="id"),
        pytest.param(HEAD + 'quiett = "2s"\n', ["4:1: unknown key quiett in [table]; did you mean 'quiet'?"], id="unknown key"),
        pytest.param(HEAD + "quiet = 2\n", ['4:9: 2 has no unit: write "2ms" or "2s"'], id="no unit"),
        pytest.param(HEAD + 'quiet = "1us"\n', ["4:9: 1us is out of range: at least 100ms, at most 1min"], id="range"),
        pytest.param(HEAD + "name = 3\n", ["4:8: name is a text in quotation marks, not 3"], id="type"),
        pytest.param(HEAD + "sides = 3\n", ["4:9: sides is a list, not 3"], id="no list"),
        pytest.param(HEAD + 'sides = ["Ann", 3]\n', ["4:17: "], id="item of a list"),
        pytest.param(
            HEAD + 'name = "Long\\u202e"\nsides = ["Ann", "Bob\\u001b"]\n',
            ['4:8: "Long\\u202e" is no name for people: it has no line', '5:17: "Bob\\x1b" is no name of a side: it has no line'],
            id="unseen marks in names",
        ),
        pytest.param(
            HEAD + 'name = "\\u2800"\nsides = ["Ann", " "]\n',
            ['4:8: "\u2800" is no name for people: it has no line', "5:17: sides holds an empty text, which names nothing"],
            id="names of which nothing is seen",
        ),
        pytest.param(HEAD + 'sides = ["Ann"]\n', ["4:9: bagatelle has 2 sides (A, B); here are 1 names"], id="sides"),
        pytest.param(
            HEAD + "[rules]\ntraget = 3\n", ["5:10: unknown option 'traget' in bagatelle; did you mean 'target'?"], id="option"
        ),
        pytest.param(
            '[table]\nid = "x"\ngame = "fortification"\n'
            + "".join(f'[[sensor]]\nrole = "{one}-pass"\nkind = "beam"\nsource = "sim"\n' for one in ("english", "french")),
            ["9:8: the pass is one arch, and each ball that goes through it would count twice"],
            id="two passes",
        ),
        pytest.param(HEAD + "[rules]\ncorner = 61\n", ["5:10: option corner: 61; allowed: 60, half_target"], id="option's value"),
        pytest.param(
            HEAD + "[rules]\na = 1\ntarget = 0\n",
            ["5:5: unknown option 'a'", "6:10: option target is at least 1"],
            id="two options",
        ),
        pytest.param(
            HEAD + "[sensor]\n", ["4:2: there may be several: write [[sensor]], in double brackets"], id="single brackets"
        ),
        pytest.param("[[table]]\n", ["1:3: there is one: write [table], in single brackets"], id="double brackets"),
        pytest.param("rules = 3\n" + HEAD, ["1:1: there is one: write [rules], in single brackets"], id="no section"),
        pytest.param(
            HEAD + "[web]\nport = 80\n", ["5:1: port doesn't belong in [web] but in [[board]]"], id="where a key belongs"
        ),
        pytest.param(
            HEAD + '[web]\nlisten = "8080"\n', ['5:10: a host and its port are wanted, such as "192.168.1.20:1883"'], id="listen"
        ),
        pytest.param(
            HEAD + '[gpio]\nfactory = "pigpio"\n', ["5:11: factory can't be \"pigpio\"; did you mean 'lgpio'?"], id="choice"
        ),
        pytest.param(
            HEAD + '[gpio]\nfactory = "lgpio"\nchip = "x"\n',
            ["6:8: gpiozero's \"lgpio\" can't be told which chip"],
            id="lgpio's chip",
        ),
        pytest.param(
            HEAD + '[marker]\npin_file = "p"\npin_env = "P"\n', ["6:11: give pin_file or pin_env, not both"], id="two PINs"
        ),
        pytest.param(
            HEAD + '[journal]\npath = "~nosuchuser/games"\n',
            ['5:8: "~nosuchuser/games": there is no such user, or it has no home'],
            id="somebody's home",
        ),
        pytest.param(HEAD + '[journal]\npath = ""\n', ['5:8: the path of a file is wanted, not ""'], id="path"),
        pytest.param(
            HEAD + "[[board]]\nname = 'left'\n", ["4:3: a [[board]] is found by its port, its usb_serial or its id"], id="board"
        ),
        pytest.param(
            HEAD + "[[board]]\nname = 'left'\nport = '/dev/ttyUSB0'\n",
            ["6:8: /dev/ttyUSB0 may be another board after the next start: take its name in /dev/serial/by-id, or give its id"],
            id="counted port",
        ),
        pytest.param(
            HEAD + "[[lines]]\nname = 'camera'\n[[lines]]\nname = 'gauge'\nport = '/dev/ttyS0'\npipe = 'p'\n",
            ["4:3: a [[lines]] item comes from a port, a pipe or a topic: give one", "6:3: a [[lines]] item comes from"],
            id="lines from nowhere, and from two places",
        ),
        pytest.param(
            HEAD + "[mqtt]\nbroker = 'managed'\n[[lines]]\nname = 'camera'\ntopic = 'camera/places'\n",
            ["8:9: topic wants a broker of your own"],
            id="a topic of the managed broker",
        ),
        pytest.param(
            HEAD + "[mqtt]\nbroker = 'a:1'\n[[lines]]\nname = 'camera'\ntopic = 'camera/#'\n",
            ['8:9: "camera/#" is no topic'],
            id="a topic of many",
        ),
        pytest.param(
            HEAD + "[[lines]]\nname = 'camera'\npipe = 'p'\nbaud = 9600\n",
            ["7:8: baud is of a port; this one has none"],
            id="the speed of a pipe",
        ),
        pytest.param(
            HEAD + "[[lines]]\nname = 'gauge'\nport = '/dev/ttyACM0'\n",
            ["6:8: /dev/ttyACM0 may be another device after the next start: take its name in /dev/serial/by-id"],
            id="counted port of lines",
        ),
        pytest.param(
            GAUGE + 'source = "board:left/22"\n',
            ["8:3: a gauge on a board is read by I²C: i2c = { address = 0x29 } says where on board:left/22"],
            id="a gauge on a pin",
        ),
        pytest.param(
            GAUGE + 'source = "sim"\ni2c = { address = 0x29 }\n',
            ['12:7: i2c is of a board: its source is "board:NAME/22" there, not sim:gauge'],
            id="I²C of no board",
        ),
        pytest.param(
            GAUGE + 'source = "board:left/22"\ni2c = { adress = 0x29, address = 0x80, read = "word", register = [1, 2, 300] }\n',
            [
                "12:9: unknown key adress in i2c; did you mean 'address'?",
                "12:34: address is at most 119, not 128",
                '12:47: read can\'t be "word"; allowed: ',
                "12:73: register is at most 255, not 300",
            ],
            id="I²C",
        ),
        pytest.param(
            GAUGE + 'source = "board:left/22"\ni2c = { address = 0x29, register = [1, 2, 3], start = [1, 2, 3, 4, 5] }\n',
            ["12:36: register is a list of 2 at the most, not of 3", "12:55: start is a list of 4 at the most, not of 5"],
            id="I²C with more bytes than a board sends",
        ),
        pytest.param(
            HEAD + "[[lines]]\nname = 'gauge'\npipe = 'p'\n[[sensor]]\n" + CUP_1.replace("gpio:17", "lines:gage"),
            ["10:10: a switch can't be read from lines of text", "10:10: no [[lines]] is called gage; did you mean 'gauge'?"],
            id="a switch on lines that aren't there",
        ),
        pytest.param(
            HEAD + "[[board]]\nname = 'left'\nid = 'Not One'\n",
            ['6:6: a board\'s id is 1 to 16 of a-z, 0-9 and -, not "Not One"'],
            id="id of a board",
        ),
        pytest.param(
            SENSOR + CUP_1 + 'hold = "2s"\n',
            ['8:1: hold doesn\'t belong in a [[sensor]] of kind "switch" but in'],
            id="other kind's key",
        ),
        pytest.param(SENSOR + CUP_1 + 'pull = "upp"\n', ["8:8: pull can't be \"upp\"; did you mean 'up'?"], id="pull"),
        pytest.param(
            SENSOR + CUP_1.replace("cup-1", "cup1"), ["5:8: bagatelle knows no role cup1; did you mean 'cup-1'?"], id="role"
        ),
        pytest.param(
            SENSOR + CUP_1.replace("switch", "swich"),
            ["6:8: there is no kind \"swich\" of sensor; did you mean 'switch'?"],
            id="kind",
        ),
        pytest.param(
            SENSOR + CUP_1.replace("switch", "beam"),
            ["6:8: a beam can't be cup-1 (a ball lies in cup 1); allowed: switch"],
            id="role's kind",
        ),
        pytest.param(
            SENSOR + CUP_1.replace("gpio:17", "gpio:40"),
            ["7:10: gpio:40 is no pin for this: the header has GPIO2 to GPIO27"],
            id="pin",
        ),
        pytest.param(
            SENSOR + 'source = "gpio:40"\nname = "a b"\n',
            [
                "4:3: this [[sensor]] lacks kind; allowed: switch, beam, button",
                "4:3: this [[sensor]] lacks role",
                "5:10: ",
                "6:8: a name",
            ],
            id="no kind, and other faults",
        ),
        pytest.param(
            SENSOR + CUP_1.replace('"gpio:17"', '["gpio:17", "gpio:18"]'),
            ['7:10: one source is wanted, not a list: only a sensor of kind "beam" takes a pair'],
            id="pair",
        ),
        pytest.param(
            SENSOR + 'role = "half-way"\nkind = "beam"\nsource = ["gpio:5", "gpio:6", "gpio:7"]\n',
            ["7:10: a beam has one source or a pair, the one nearer the player first, not 3"],
            id="three beams",
        ),
        pytest.param(
            SENSOR + CUP_1.replace("17", "3") + 'pull = "none"\n',
            ['8:8: GPIO3 has a pull-up of 1.8 kΩ on the Pi itself: pull = "none" needs another pin (GPIO4 to GPIO27)'],
            id="fixed pull-up",
        ),
        pytest.param(
            SENSOR + CUP_1.replace("gpio:17", "board:left/3"),
            ['7:10: no [[board]] is called left; add one with name = "left"'],
            id="no board",
        ),
        pytest.param(
            SENSOR + CUP_1.replace("gpio:17", "board:left/72") + BOARD,
            ["7:10: board:left/72 is no channel of any board: they are 0 to 23 on a Nano, 0 to 71 on a Mega"],
            id="channel of no board",
        ),
        pytest.param(
            SENSOR
            + CUP_1.replace("gpio:17", "board:left/2")
            + "[[sensor]]\n"
            + CUP_1.replace("gpio:17", "board:left/02").replace("-1", "-2")
            + BOARD,
            ["11:10: board:left/2 is already taken by the sensor cup-1 in line 7"],
            id="one channel, written in two ways",
        ),
        pytest.param(
            SENSOR + CUP_1.replace("gpio:17", "board:lef/3") + BOARD,
            ["7:10: no [[board]] is called lef; did you mean 'left'?"],
            id="other board",
        ),
        pytest.param(
            SENSOR + CUP_1 + "[[sensor]]\n" + CUP_1,
            [
                "9:8: the role cup-1 is already taken by the sensor cup-1 in line 5",
                "11:10: gpio:17 is already taken by the sensor cup-1 in line 7",
            ],
            id="all twice",
        ),
        pytest.param(
            SENSOR + CUP_1 + '[[output]]\nname = "cup-1"\nkind = "lamp"\nsource = "gpio:017"\n',
            [
                "9:8: the name cup-1 is already taken by the [[sensor]] in line 5",
                "11:10: gpio:17 is already taken by the sensor cup-1 in line 7",
            ],
            id="an output on a sensor's pin",
        ),
        pytest.param(
            SENSOR + 'role = "half-way"\nkind = "beam"\nsource = ["gpio:5",\n  "gpio:5"]\n',
            ["8:3: gpio:5 is already taken by the sensor half-way in line 7"],
            id="one pin for a pair",
        ),
        pytest.param(
            HEAD + '[mqtt]\nbroker = "managed"\nlisten = "0.0.0.0:8080"\n',
            ["6:10: port 8080 ([mqtt] listen) is already taken by the scoreboard of bar-1 in line 1"],
            id="broker on the scoreboard's port",
        ),
    ],
)
def test_a_fault_is_a_place_and_a_sentence(write: Path, text: str, expected: list[str]) -> None:
    found = faults(write, text)
    assert len(found) == len(expected), found
    for fault, start in zip(found, expected, strict=True):
        assert fault.startswith(start)


MQTT = HEAD + "[mqtt]\n"  # its keys begin in line 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('broker = "10.0.0.2:1883"\nlisten = "0.0.0.0:1883"\n', ['6:10: listen is for broker = "managed" alone']),
        ('broker = "managed"\ntls = {}\n', ['6:7: tls is for a broker of your own (broker = "HOST:PORT")']),
        ('broker = "a:1"\ntls = { ca = "x" }\n', ["6:9: unknown key ca in [mqtt.tls]; allowed: ca_file, cert_file, key_file"]),
        ('broker = "none"\ncommands = false\n', ['6:12: commands is of no use with broker = "none"']),
        (
            'broker = "a:1"\ncommands = true\n',
            ["6:12: commands change games: they want a username with password_file or password_env, or a token"],
        ),
        ('broker = "a:1"\npassword_env = "P"\n', ["4:2: a password needs a username"]),
        ('broker = "a:1"\nusername = "x"\n', ["6:12: a username needs password_file or password_env"]),
        (
            'broker = "a:1"\nusername = "x"\npassword_env = "P"\npassword_file = "p"\n',
            ["7:16: give password_file or password_env, not both"],
        ),
        ('broker = "a:1"\nprefix = "a/#"\n', ['6:10: "a/#" is no topic: write it without +, #']),
        ('broker = "a:1"\nprefix = "a\\u0000b"\n', ['6:10: "a\\x00b" is no topic']),
        (f'broker = "a:1"\nprefix = "{"a" * 70000}"\n', [f'6:10: "{"a" * 200}…" is no topic']),
        ('broker = "a:1"\ndiscovery = "ha/#"\n', ['6:13: "ha/#" is neither a topic (without +, #, and a / at either end']),
        ('broker = "none"\ndiscovery = "off"\n', ['6:13: discovery is of no use with broker = "none"']),
        ("commands = 1\n", ["4:2: [mqtt] lacks broker", "5:12: commands is true or false, not 1"]),
    ],
)
def test_the_parts_of_mqtt_must_fit_one_another(write: Path, text: str, expected: list[str]) -> None:
    found = faults(write, MQTT + text)
    assert len(found) == len(expected), found
    for fault, start in zip(found, expected, strict=True):
        assert fault.startswith(start)


def test_a_file_that_cannot_be_read_is_one_line(write: Path, tmp_path: Path) -> None:
    assert faults(write, b"# fine\nname = 'Andr\xe9'\n") == [
        "2:13: byte 0xE9 is not UTF-8: save the file as UTF-8 (it looks like a file of an old Windows editor)"
    ]
    assert faults(write, "a = 1\nb = x\n") == ["2:5: not TOML: Invalid value; a text stands in quotation marks"]
    assert faults(write, "a = [1,\n") == ["2:1: not TOML: Invalid value at the end of the file"]
    write.unlink()
    for path, said in (
        (tmp_path / "bar.toml", "there is no such file, and no other table file in"),
        (tmp_path, "this is a folder, not a table file; it holds no table file"),
    ):
        with pytest.raises(TableFileErrors, match=f"^{path}:1:1: {said}"):
            load_table(path)
    with pytest.raises(TableFileErrors, match=r"^/dev/zero:1:1: can't be read: File too large, more than 1048576 bytes"):
        load_table("/dev/zero")
    write.write_text(HEAD)
    with pytest.raises(TableFileErrors, match=r"no such file; in .*: did you mean 'table\.toml'"):
        load_table(tmp_path / "tabel.toml")
    with pytest.raises(TableFileErrors, match=r"it holds table\.toml"):
        load_table(tmp_path)


SECTIONS = ("[table]", "[rules]", "[mqtt]", "[mqtt.tls]", "[web]", "[gpio]", "[journal]", "[[board]]", "[[output]]", "[[sensor]]")
KEYS = sorted({key for model in table_schema()["$defs"].values() for key in model["properties"]} | {"target", "sensor"})
VALUES = (
    "3", "-1.5", "true", '""', '"x"', '"gpio:4"', '"gpio:99"', '"board:x/1"', '"sim"', '["gpio:4", 3]', '["sim", "sim"]', "[]",
    "{}", "{x = []}", "[[]]", '"bagatelle"', '"squails"', '"cup-1"', '"half-way"', '"switch"', '"beam"', '"button"', '"20ms"',
    '"a:1"', '"managed"', "1979-05-27", '"none"', '"up"',
)  # fmt: skip
sections = st.tuples(st.sampled_from(SECTIONS), st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=6))


@settings(max_examples=100, deadline=None)
@given(st.lists(sections, max_size=6))
def test_whatever_stands_in_a_file_is_a_table_or_faults_at_places_that_exist(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[str, dict[str, str]]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.toml"
    text = "".join(f"{header}\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()) for header, keys in parts)
    path.write_text(text)
    reading = read_table(path)
    assert (reading.table is None) == bool(reading.faults)
    lines = [*text.split("\n"), ""]
    for fault in reading.faults:
        assert fault.column <= len(lines[fault.line - 1]) + 1
        assert fault.message


def test_names_of_sides_are_one_line(write: Path) -> None:
    (said,) = faults(write, HEAD + 'sides = ["Ann", "B\\u001b[2J"]\n')
    assert said.startswith('4:17: "B\\x1b[2J" is no name of a side')

"""What is read is what is there: real files, real pseudo-terminals, a real broker; and a machine with none of it."""

from __future__ import annotations

import errno
import os
import re
import socket
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pytest_mock import MockerFixture

from controller.__main__ import cli
from controller.commands._boards import ask_boards
from controller.doctor.lines import read_lines
from controller.doctor.machine import read_clock, read_power, read_software
from controller.doctor.network import ask_broker, port_trouble
from controller.doctor.ports import read_port
from controller.doctor.storage import check_journal, read_disk, read_journal
from controller.engine.journal import Journal
from controller.publish.mqtt import unreachable
from controller.publish.settings import MqttSettings, Tls
from controller.publish.topics import Topics
from controller.service import Service
from controller.tablefile import load_table
from firmware_bridge.discovery import probe
from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.fake_cable import FakeCable
from hardware.sources import gpio_chips
from tests.broker_kit import Mosquitto, eventually, free_port
from tests.broker_kit import client as mqtt_client
from tests.controller.commands.test_run import SENSOR, table_file
from tests.table_kit import HEAD, table_of

TOPICS = Topics("tablemarker/long-room")


def doctor(path: Path) -> Result:
    return CliRunner().invoke(cli, ["doctor", str(path)])


def states(result: Result) -> dict[str, str]:
    """What each check found."""
    lines = [re.fullmatch(r"(well|FAULT|-) +(.+?) {2,}.+|(well|FAULT|-) +(\S+) .+", line) for line in result.stdout.splitlines()]
    assert all(lines), result.stdout
    return {(match[2] or match[4]): (match[1] or match[3]) for match in lines if match}


def test_a_machine_without_hardware_is_told_plainly(tmp_path: Path) -> None:
    more = SENSOR.replace("sim", "gpio:17") + '[gpio]\nchip = "no such chip"\n'
    result = doctor(table_file(tmp_path, more=more))
    assert result.exit_code == 1
    found = states(result)
    assert found["gpio"] == "FAULT"
    assert found["disk"] == "well"
    assert found["software"] == "well"
    assert found["broker"] == found["scoreboard"] == "-"
    assert re.fullmatch(r"\d+ faults?: the remedy stands beside each\.\n", result.stderr)
    assert list(tmp_path.iterdir()) == [tmp_path / "long-room.toml"]


def test_a_table_file_with_mistakes_is_wrong_input(tmp_path: Path) -> None:
    path = table_file(tmp_path, more=SENSOR.replace("cup-1", "cup-12"))
    result = doctor(path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{path}:")


def test_the_machine_answers_without_an_error() -> None:
    read_power()
    assert read_clock().year >= 2026
    software = read_software(["paho-mqtt", "pyserial", "no-such-package"])
    assert [version is not None for version in software.versions.values()] == [True, True, False]


def test_a_folder_that_can_be_written_and_some_that_can_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_disk(Path()).folder == tmp_path, "named so that somebody else finds it"
    disk = read_disk(tmp_path)
    assert (disk.error, disk.damaged) == (None, False)
    assert disk.free > 0
    assert read_disk(tmp_path / "none").error == errno.ENOENT
    assert read_disk(Path("/proc")).error is not None
    assert read_disk(Path("/dev/shm")).kind == "tmpfs"


def test_a_journal_that_is_used_one_that_is_sound_and_one_that_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    assert not read_journal(path).there
    journal = Journal(path)
    assert read_journal(path).held
    journal.close()
    state = read_journal(path)
    assert (state.held, state.games, state.trouble) == (False, 0, None)
    with sqlite3.connect(path) as db:
        db.execute(
            "create table noise as with recursive n(x) as (values(1) union all select x+1 from n where x<9999) select x from n"
        )
    db.close()
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 9000] = bytes(9000)
    path.write_bytes(data)
    assert check_journal(read_journal(path)).state == "FAULT"
    path.write_text("a shopping list, and a long one at that; " * 99)
    assert "the file is no journal" in check_journal(read_journal(path)).sentence


def test_a_port_is_looked_at_without_opening_it(tmp_path: Path) -> None:
    near, far = os.openpty()
    path = Path(os.ttyname(far))
    link = tmp_path / "usb-left"
    link.symlink_to(path)
    found = read_port("board left", link)
    assert (found.there, found.serial, found.openable) == (True, True, True)
    assert not found.holders
    program = "import sys; port = open(sys.argv[1], 'rb'); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        (holder,) = read_port("board left", link).holders
        assert holder.endswith(f"(process {other.pid})")
    os.close(near)
    os.close(far)
    assert not read_port("board left", tmp_path / "none").there
    assert not read_port("board left", tmp_path).serial


def test_lines_that_nobody_wants_need_no_library() -> None:
    assert read_lines([], None).wanted == ()
    assert read_lines([17], "no such chip").trouble is not None


def test_each_line_is_asked_for_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    def owner(chip: Path, line: int) -> str | None:
        if line > 27:
            raise ValueError(f"{chip} has no offset {line}")
        return {17: "gpiomon"}.get(line)

    monkeypatch.setattr(gpio_chips, "find_chip", lambda label: Path(f"/dev/{label}"))
    monkeypatch.setattr(gpio_chips, "owner", owner)
    found = read_lines([27, 17, 27], "chip")
    assert (found.wanted, found.chip, found.owners) == ((17, 27), "/dev/chip", {17: "gpiomon", 27: None})
    assert "/dev/chip has no line 99" in str(read_lines([17, 99], "chip").trouble)


def table_with_board(port: Path, more: str = "") -> str:
    return f'{HEAD}[[board]]\nname = "left"\nport = "{port}"\n{more}'


def test_a_board_that_answers_one_that_is_another_and_one_that_is_none(tmp_path: Path) -> None:
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left") as cable:
        (well,) = ask_boards(table_of(table_with_board(cable.path)), running=False)
        assert well.state == "well"
        assert "answers: left, nano" in well.sentence
        (running,) = ask_boards(table_of(table_with_board(cable.path)), running=True)
        assert running.state == "-"
        (other,) = ask_boards(table_of(table_with_board(cable.path, 'id = "right"\n')), running=False)
        assert other.state == "FAULT"
        assert "called right answers" in other.sentence
    assert list(ask_boards(table_of(table_with_board(tmp_path / "none")), running=False)) == []
    near, far = os.openpty()
    silent = Path(os.ttyname(far))
    (told,) = ask_boards(table_of(table_with_board(silent)), running=False, ask=lambda path: probe(path, 0.3))
    assert told.state == "FAULT"
    assert "tablemarker flash" in told.sentence
    os.close(near)
    os.close(far)


def test_two_boards_of_one_name_are_told(tmp_path: Path, mocker: MockerFixture) -> None:
    with FakeCable(FakeBoard("left"), tmp_path / "usb-1") as one, FakeCable(FakeBoard("left"), tmp_path / "usb-2") as two:
        mocker.patch("controller.commands._boards.find", return_value=[one.path, two.path])
        table = table_of(table_with_board(one.path).replace(f'port = "{one.path}"', 'id = "left"'))
        (told,) = ask_boards(table, running=False)
    assert told.state == "FAULT"
    assert told.sentence.startswith(f"at {one.path} and {two.path} are boards called left: give all but one another id")


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert "is taken" in str(port_trouble("127.0.0.1", other.getsockname()[1]))
    assert port_trouble("127.0.0.1", free_port()) is None


def settings(port: int, **more: str) -> MqttSettings:
    return MqttSettings("127.0.0.1", port, "tablemarker-long-room", **more)  # type: ignore[arg-type]  # names of fields


def test_no_broker_and_something_that_is_none() -> None:
    port = free_port()
    assert f"no broker answers at 127.0.0.1:{port}" in str(ask_broker(settings(port), TOPICS))


@pytest.mark.broker
def test_a_broker_that_takes_us_in_is_left_as_it_was(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    with mqtt_client(broker.port, "#") as ear:
        assert ask_broker(settings(broker.port), TOPICS) is None
        ear.publish("after/it", b"")
        assert ear.wait(lambda message: message.topic == "after/it")
        assert {(message.topic, message.payload, message.retain) for message in ear.seen} == {
            ("tablemarker/long-room/doctor", b"", False),
            ("after/it", b"", False),
        }
    with mqtt_client(broker.port, "#") as later:
        later.publish("after/that", b"")
        assert later.wait(lambda message: not message.retain).topic == "after/that"
        assert [message.topic for message in later.seen] == ["after/that"]
    broker.stop()


def test_a_port_that_speaks_in_clear_is_no_partner_for_an_encrypted_link() -> None:
    """What mosquitto does to whoever begins with TLS on its plain port."""
    assert "see whether that port speaks TLS" in unreachable(replace(settings(1883), tls=Tls()), ConnectionResetError())
    assert "speaks TLS" not in unreachable(settings(1883), ConnectionResetError())


@pytest.mark.broker
def test_a_broker_that_refuses_says_what_it_wants(tmp_path: Path) -> None:
    accounts, access = tmp_path / "accounts", tmp_path / "access"
    subprocess.run(["mosquitto_passwd", "-c", "-b", accounts, "table", "right"], check=True, capture_output=True)
    access.write_text("user table\ntopic readwrite other/#\n")
    for file in (accounts, access):
        file.chmod(0o700)
    broker = Mosquitto(tmp_path, extra=f"allow_anonymous false\npassword_file {accounts}\nacl_file {access}")
    anonymous = str(ask_broker(settings(broker.port), TOPICS))
    assert "refuses clients without an account: check username and password_file" in anonymous
    assert "refuses the account 'table'" in str(ask_broker(settings(broker.port, username="table", password="wrong"), TOPICS))
    denied = str(ask_broker(settings(broker.port, username="table", password="right"), TOPICS))
    assert "doesn't let the account 'table' write" in denied
    assert "allow tablemarker/long-room/# in its access list" in denied
    broker.stop()


def test_it_can_be_run_beside_the_table(tmp_path: Path) -> None:
    path = table_file(tmp_path, web=f"127.0.0.1:{free_port()}")
    command = [sys.executable, "-m", "controller", "run", str(path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as table:
        assert table.stderr is not None
        assert table.stderr.readline().startswith("long-room is ready.")
        result = doctor(path)
        table.terminate()
    found = states(result)
    assert (found["journal"], found["scoreboard"]) == ("well", "well")
    assert "a tablemarker runs with it" in result.stdout
    eventually(lambda: table.returncode == 0, "the table to end well")


@pytest.mark.broker
def test_a_managed_broker_is_well_while_it_runs_and_a_fault_where_another_has_its_port(tmp_path: Path) -> None:
    port = free_port()
    path = table_file(tmp_path, mqtt="managed", more=f'listen = "127.0.0.1:{port}"\n{SENSOR}')
    assert states(doctor(path))["broker"] == "well"
    service = Service(load_table(path), tmp_path)
    service.start()
    running = doctor(path)
    service.stop()
    assert f"runs with the table at 127.0.0.1:{port}" in running.stdout
    with socket.create_server(("127.0.0.1", port)):
        assert states(doctor(path))["broker"] == "FAULT"


def test_a_secret_that_is_missing_or_open_to_all_is_told(tmp_path: Path) -> None:
    pin = tmp_path / "marker.pin"
    path = table_file(tmp_path, more='[marker]\npin_file = "marker.pin"\n')
    assert states(doctor(path))["marker's PIN"] == "FAULT"
    pin.write_text("1234\n")
    pin.chmod(0o644)
    assert states(doctor(path))["secrets"] == "FAULT"
    pin.chmod(0o600)
    found = states(doctor(path))
    assert "secrets" not in found
    assert "marker's PIN" not in found

"""What each check makes of what was read: facts in, a finding out. A fault names its remedy."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from controller.doctor.findings import Finding
from controller.doctor.lines import Lines, check_lines
from controller.doctor.machine import Clock, Power, Software, check_clock, check_power, check_software
from controller.doctor.network import check_broker, check_managed, check_web
from controller.doctor.ports import Port, check_port
from controller.doctor.storage import Disk, JournalState, check_disk, check_journal
from controller.web.errors import PortRefused, PortTaken

FOLDER = Path("/srv/table")
GIGABYTE = 1_000_000_000


@pytest.mark.parametrize(
    ("power", "state", "says"),
    [
        (Power(0x0), "well", "the supply holds"),
        (Power(0x50005), "FAULT", "below 4.63 V now"),
        (Power(0x50000), "FAULT", "was below 4.63 V since"),
        (Power(0x8), "FAULT", "too hot"),
        (Power(0x80000), "well", "was too hot for a while"),
        (Power(low=True), "FAULT", "below 4.63 V now"),
        (Power(low=False), "well", "the supply holds"),
        (Power(), "-", "doesn't tell"),
    ],
)
def test_power(power: Power, state: str, says: str) -> None:
    finding = check_power(power)
    assert (finding.state, says in finding.sentence) == (state, True)
    assert ("use a supply" in finding.sentence) == ("4.63 V" in finding.sentence)


@pytest.mark.parametrize(
    ("clock", "state", "says"),
    [
        (Clock(synchronised=True, year=2027), "well", "a time server keeps it"),
        (Clock(synchronised=False, year=2027), "FAULT", "timedatectl set-ntp true"),
        (Clock(synchronised=False, year=2027, chip=True), "well", "battery"),
        (Clock(synchronised=False, year=1970, chip=True), "FAULT", "the year 1970"),
        (Clock(synchronised=None, year=2027), "-", "doesn't tell"),
    ],
)
def test_clock(clock: Clock, state: str, says: str) -> None:
    finding = check_clock(clock)
    assert (finding.state, says in finding.sentence) == (state, True)


def test_software() -> None:
    there = check_software(Software((3, 13, 1), "/opt/tm", {"gpiod": "2.3.0"}))
    assert there == Finding("software", "well", "Python 3.13.1 in /opt/tm, gpiod 2.3.0")
    missing = check_software(Software((3, 13, 1), "/opt/tm", {"gpiod": "2.3.0", "lgpio": None, "pyserial": None}))
    assert missing.state == "FAULT"
    assert "/opt/tm/bin/python -m pip install lgpio pyserial" in missing.sentence
    assert "swig" in missing.sentence


@pytest.mark.parametrize(
    ("disk", "state", "says"),
    [
        (Disk(FOLDER, free=2 * GIGABYTE, kind="ext4"), "well", "2.0 GB are free"),
        (Disk(FOLDER, free=50_000_000), "FAULT", "50 MB are free at /srv/table, 100 MB are wanted"),
        (Disk(FOLDER, error=errno.EROFS), "FAULT", "is read-only"),
        (Disk(FOLDER, error=errno.EACCES, user="pi"), "FAULT", "sudo chown -R pi /srv/table"),
        (Disk(FOLDER, error=errno.ENOSPC), "FAULT", "is full: free some space"),
        (Disk(FOLDER, error=errno.EIO), "FAULT", "check the SD card"),
        (Disk(FOLDER, error=errno.ENOENT), "FAULT", "make it"),
        (Disk(FOLDER, free=GIGABYTE, damaged=True), "FAULT", "replace the SD card"),
        (Disk(FOLDER, free=GIGABYTE, kind="tmpfs"), "FAULT", "in memory (tmpfs)"),
    ],
)
def test_disk(disk: Disk, state: str, says: str) -> None:
    finding = check_disk(disk)
    assert (finding.state, says in finding.sentence) == (state, True)


def test_journal() -> None:
    path = FOLDER / "t.sqlite3"
    assert check_journal(JournalState(path, there=False)).state == "-"
    assert check_journal(JournalState(path, there=True, games=1)).sentence == "/srv/table/t.sqlite3 is sound, 1 game"
    running = check_journal(JournalState(path, there=True, held=True, games=3))
    assert running == Finding("journal", "well", "/srv/table/t.sqlite3 is sound, 3 games; a tablemarker runs with it")
    assert check_journal(JournalState(path, there=True, trouble="damaged: move it away")).state == "FAULT"


def test_lines() -> None:
    chip = "/dev/gpiochip0"
    assert [one.state for one in check_lines(Lines(), running=False)] == ["-"]
    assert check_lines(Lines((17,), trouble="no chip"), running=False) == [Finding("gpio", "FAULT", "no chip")]
    free = check_lines(Lines((17, 27), chip, owners={17: None, 27: None}), running=False)
    assert free == [Finding("gpio", "well", "/dev/gpiochip0: 2 of 2 lines are free")]
    held = check_lines(Lines((17, 27), chip, owners={17: "gpiomon", 27: None}), running=False)
    assert [str(one)[:20].split() for one in held] == [["FAULT", "gpio:17"], ["well", "gpio"]]
    assert "stop that program" in held[0].sentence
    overlay = check_lines(Lines((2,), chip, owners={2: "the kernel"}), running=False)
    assert [one.check for one in overlay] == ["gpio:2"]
    assert "config.txt" in overlay[0].sentence


def test_lines_of_a_table_that_runs_are_its_own() -> None:
    lines = Lines((17,), "/dev/gpiochip0", owners={17: "tablemarker"})
    (well,) = check_lines(lines, running=True)
    assert well.sentence.endswith("1 held by the tablemarker that runs")
    assert well.state == "well"
    (fault,) = check_lines(lines, running=False)
    assert fault.state == "FAULT"


THERE = Port(
    "board left", Path("/dev/ttyUSB0"), there=True, openable=True, user="pi", owner="root", group="dialout", mode="crw-rw----"
)


@pytest.mark.parametrize(
    ("changes", "state", "says"),
    [
        ({}, "well", "is there and may be opened"),
        ({"there": False, "others": ("/dev/serial/by-id/x",)}, "FAULT", "there are /dev/serial/by-id/x"),
        ({"there": False}, "FAULT", "no serial adapter is plugged in"),
        ({"serial": False}, "FAULT", "is no serial port"),
        ({"openable": False}, "FAULT", "(crw-rw---- root dialout) may not be opened by pi: sudo usermod -aG dialout pi"),
        ({"openable": False, "login": True}, "FAULT", "log in anew"),
        ({"openable": False, "group": "root"}, "FAULT", "60-serial.rules"),
        ({"holders": ("minicom (process 7)",)}, "FAULT", "is open in minicom (process 7): stop it"),
        ({"claimers": ("ModemManager",)}, "FAULT", "sudo systemctl disable --now ModemManager"),
        ({"claimers": ("brltty",)}, "FAULT", "sudo apt remove brltty"),
    ],
)
def test_ports(changes: dict[str, object], state: str, says: str) -> None:
    finding = check_port(replaced(THERE, **changes), running=False)
    assert (finding.state, says in finding.sentence) == (state, True), finding.sentence


def replaced(port: Port, **changes: object) -> Port:
    fields = {name: getattr(port, name) for name in Port.__dataclass_fields__}
    return Port(**{**fields, **changes})  # type: ignore[arg-type]  # the names are the fields'


def test_a_port_that_the_running_table_holds_is_well() -> None:
    finding = check_port(replaced(THERE, holders=("tablemarker (process 7)",)), running=True)
    assert (finding.state, finding.sentence) == (
        "well",
        "/dev/ttyUSB0 is there and may be opened, held by the tablemarker that runs",
    )


def test_broker_and_scoreboard() -> None:
    assert check_broker(None, None).state == "-"
    assert check_broker("here:1883", None).state == "well"
    assert check_broker("here:1883", "it refuses us: do this") == Finding("broker", "FAULT", "it refuses us: do this")
    assert "apt install mosquitto" in check_managed(None, "127.0.0.1:1883", taken=False, running=False).sentence
    assert check_managed("/usr/sbin/mosquitto", "127.0.0.1:1883", taken=True, running=True).state == "well"
    assert check_managed("/usr/sbin/mosquitto", "127.0.0.1:1883", taken=True, running=False).state == "FAULT"
    assert check_web(None, None, running=False).state == "-"
    assert check_web("0.0.0.0:80", PortTaken("port 80 is taken: stop it"), running=True).state == "well"
    assert check_web("0.0.0.0:80", PortTaken("port 80 is taken: stop it"), running=False).state == "FAULT"
    assert check_web("0.0.0.0:80", PortRefused("not open to this user"), running=True).state == "FAULT"

"""The port over pseudo-terminals: failures are sentences, the thread outlives them all, ports are found by names that stay."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import select
import stat
import termios
import threading
import time
import tracemalloc
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Self

import pytest
import serial
from pytest_mock import MockerFixture

from firmware_bridge.discovery import Adapter, Wanted, adapters, find, probe, stable, unstable
from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.fake_cable import FakeCable
from firmware_bridge.messages import Mode, Record, Setting
from firmware_bridge.port import Link, PortTrouble, close_port, open_port
from firmware_bridge.session import SECOND, Event, Gone, Ready, Session, State


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[FakeCable]:
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left") as cable:
        yield cable


class Listener:
    """A link, and what it delivered."""

    def __init__(self, path: Path, settings: dict[int, Setting] | None = None) -> None:
        self.heard: list[Event] = []
        session = Session("board:left", settings or {3: Setting(Mode.PULLED_UP)})
        self.link = Link(session, lambda: [path] if path.exists() else [], self._take)

    def _take(self, events: list[Event], now: int) -> None:
        assert now <= time.monotonic_ns()
        self.heard += events

    def __enter__(self) -> Self:
        self.link.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.link.stop()

    def until(self, kind: type[Event], count: int = 1) -> Event:
        def there() -> list[Event]:
            return [event for event in self.heard if isinstance(event, kind)]

        with self.link.changed:
            assert self.link.changed.wait_for(lambda: len(there()) >= count, 15), f"{kind} in vain: {self.heard}"
            return there()[count - 1]


def test_a_fault_of_ours_is_told_and_ends_no_thread(cable: FakeCable, mocker: MockerFixture) -> None:
    mocker.patch("firmware_bridge.port.IN_VAIN", 0.05)
    decode = mocker.patch("firmware_bridge.session.decode_hello", side_effect=ZeroDivisionError("by three"))
    with Listener(cable.path) as listener:
        gone = listener.until(Gone)
        assert isinstance(gone, Gone)
        assert (
            gone.why == "board:left: a fault of this program (ZeroDivisionError('by three')): please tell us; it is tried again"
        )
        mocker.stop(decode)
        listener.until(Ready)


def test_open_is_not_connected(tmp_path: Path) -> None:
    board = FakeBoard("left")
    board.mute = True
    with FakeCable(board, tmp_path / "usb-left") as cable, Listener(cable.path) as listener:
        end = time.monotonic() + 5
        while listener.link.path is None:
            assert time.monotonic() < end
            threading.Event().wait(0.005)
        assert listener.link.session.state is State.HELLO
        assert listener.heard == []


def test_unplugged_and_plugged_again_and_again(cable: FakeCable) -> None:
    with Listener(cable.path) as listener:
        for turn in range(1, 4):
            ready = listener.until(Ready, turn)
            assert isinstance(ready, Ready)
            assert not ready.resumed
            cable.unplug()
            gone = listener.until(Gone, turn)
            assert isinstance(gone, Gone)
            assert "unplugged" in gone.why
            assert listener.link.path is None
            cable.plug()
        listener.until(Ready, 4)
        cable.set(3, 1)
        record = listener.until(Record)
        assert isinstance(record, Record)
        assert (record.kind, record.channel, record.value) == ("edge", 3, 1)
        assert listener.link.session.counters.restarts == 3


def test_the_port_is_free_when_the_link_has_stopped(cable: FakeCable) -> None:
    for _ in range(3):
        with Listener(cable.path) as listener:
            listener.until(Ready)
            with pytest.raises(PortTrouble, match="is used by another program: only one can have it"):
                open_port(cable.path)
        assert listener.link.session.state is State.ABSENT
        assert not any(isinstance(event, Gone) for event in listener.heard)
    close_port(open_port(cable.path))


def test_a_program_that_starts_again_does_not_reset_the_board(cable: FakeCable) -> None:
    port = open_port(cable.path)
    assert not termios.tcgetattr(port.fd)[2] & termios.HUPCL
    close_port(port)
    close_port(port)


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PortTrouble, match=r"usb-left is not there: plug the board in"):
        open_port(tmp_path / "usb-left")


def test_what_is_no_serial_port(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PortTrouble, match="file can't be opened as a serial port: "):
        open_port(tmp_path / "file")


@contextmanager
def nobody() -> Iterator[None]:
    """Root may open everything: whoever runs the tests as root is somebody else for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_port_for_others_alone() -> None:
    ours, port = os.openpty()
    path = Path(os.ttyname(port))
    path.chmod(0)
    with (
        nobody(),
        pytest.raises(PortTrouble, match=f"{path} may not be opened: add the user of this program to the group {path.group()}"),
    ):
        open_port(path)
    os.close(ours)
    os.close(port)


def test_a_port_in_a_folder_that_is_closed_to_us(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    Path.group(tmp_path)  # what it imports may be closed to others too
    folder.chmod(0)
    with nobody():
        found = probe(folder / "usb-left")
        paths = find(Wanted(folder / "usb-left"))
    folder.chmod(0o700)
    assert (paths, found.sentence) == (
        [folder / "usb-left"],
        f"{folder / 'usb-left'} may not be opened: add the user of this program to its group",
    )


def test_a_port_of_a_group_without_a_name(tmp_path: Path, mocker: MockerFixture) -> None:
    port = tmp_path / "port"
    port.touch()
    mocker.patch("firmware_bridge.port.serial.Serial", side_effect=serial.SerialException(errno.EACCES, "no"))
    mocker.patch.object(Path, "group", side_effect=KeyError("getgrgid(): gid not found: 4711"))
    with pytest.raises(PortTrouble, match=f"to the group with the number {port.stat().st_gid}$"):
        open_port(port)
    mocker.patch.object(Path, "group", side_effect=FileNotFoundError("gone"))
    with pytest.raises(PortTrouble, match=r"to its group$"):
        open_port(port)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (serial.SerialException(errno.EACCES, "no"), "may not be opened: add the user of this program to the group "),
        (serial.SerialException(errno.EBUSY, "no"), "is used by another program"),
        (serial.SerialException("no number"), "can't be opened as a serial port: no number"),
        (termios.error(errno.EIO, "gone"), "can't be opened as a serial port: "),
        (OSError(errno.ENOENT, "gone"), "is not there: plug the board in"),
    ],
)
def test_whatever_opening_raises_is_a_sentence(error: Exception, sentence: str, tmp_path: Path, mocker: MockerFixture) -> None:
    (tmp_path / "port").touch()
    mocker.patch("firmware_bridge.port.serial.Serial", side_effect=error)
    with pytest.raises(PortTrouble, match=sentence):
        open_port(tmp_path / "port")


def test_an_unplug_while_the_port_is_being_opened(cable: FakeCable, mocker: MockerFixture) -> None:
    mocker.patch("firmware_bridge.port.fcntl", SimpleNamespace(ioctl=mocker.Mock(side_effect=OSError(errno.EIO, "gone"))))
    closed = mocker.spy(serial.Serial, "close")
    with pytest.raises(PortTrouble, match="can't be opened"):
        open_port(cable.path)
    assert closed.called


def test_a_port_that_takes_nothing_is_told(mocker: MockerFixture) -> None:
    ours, port = os.openpty()
    tty.setraw(port)
    mocker.patch("firmware_bridge.port.os.write", side_effect=BlockingIOError)
    mocker.patch.object(Session, "to_send", return_value=b"x" * 100)
    with Listener(Path(os.ttyname(port))) as listener:
        gone = listener.until(Gone)
        assert isinstance(gone, Gone)
        assert "takes no more bytes: the adapter hangs" in gone.why
        mocker.stopall()
    os.close(ours)
    os.close(port)


def test_random_bytes_at_full_speed(tmp_path: Path, mocker: MockerFixture) -> None:
    """Another device babbles without end; whoever plugs the board in afterwards has it."""
    mocker.patch("firmware_bridge.session.PATIENCE", SECOND)
    with (
        FakeCable(FakeBoard("left"), tmp_path / "usb-left", stranger=os.urandom(4000)) as cable,
        Listener(cable.path) as listener,
    ):
        gone = listener.until(Gone)
        assert isinstance(gone, Gone)
        assert "responds, but not with our protocol" in gone.why
        cable.stranger = None
        listener.until(Ready)


def test_an_hour_of_random_bytes_leaves_nothing_behind_in_the_port(tmp_path: Path, mocker: MockerFixture) -> None:
    """As fast as a pseudo-terminal takes them, to a link that was ready; its session doesn't give up meanwhile."""
    mocker.patch("firmware_bridge.session.SILENCE", 600 * SECOND)
    mocker.patch("firmware_bridge.session.PATIENCE", 600 * SECOND)
    end, far = os.openpty()
    tty.setraw(far)
    board, path = FakeBoard("left", now=time.monotonic_ns()), tmp_path / "usb-left"
    path.symlink_to(os.ttyname(far))
    os.set_blocking(end, False)

    def said() -> bytes:
        with contextlib.suppress(BlockingIOError):
            return os.read(end, 4096)
        return b""

    with Listener(path) as listener:
        while not any(isinstance(event, Ready) for event in listener.heard):
            board.receive(said(), time.monotonic_ns())
            board.advance(time.monotonic_ns())
            os.write(end, board.to_send())
        chance, sent, before = random.Random(1), 0, 0
        tracemalloc.start()
        while sent < HOUR:
            chunk = chance.randbytes(4096)
            while chunk:
                select.select([], [end], [], 60)
                written = os.write(end, chunk)
                sent, chunk = sent + written, chunk[written:]
            said()
            if not before and sent > HOUR // 100:
                before = tracemalloc.get_traced_memory()[0]
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        reader = listener.link.session.reader
        assert reader.bad > HOUR // 300
        assert grown < 50_000
        assert not [event for event in listener.heard if not isinstance(event, Ready)]
    os.close(end)
    os.close(far)


HOUR = 11_520 * 3600
"""Bytes that fit the line in one."""


# Discovery


def test_probing_says_who_is_there(cable: FakeCable) -> None:
    found = probe(cable.path)
    assert found.hello is not None
    assert (found.hello.id, found.sentence) == ("left", "left, nano 0.1.0")
    assert 0 < found.error < 50_000_000


def test_probing_says_what_a_stranger_is(tmp_path: Path) -> None:
    with FakeCable(FakeBoard(), tmp_path / "usb", stranger=b"Grbl 1.1h ['$' for help]\r\n") as cable:
        started = time.monotonic()
        found = probe(cable.path)
        assert time.monotonic() - started < 9
    assert found.hello is None
    assert "responds, but not with our protocol (it says \"Grbl 1.1h ['$' for help]" in found.sentence


def test_probing_is_bounded_in_time(tmp_path: Path) -> None:
    board = FakeBoard()
    board.mute = True
    with FakeCable(board, tmp_path / "usb") as cable:
        found = probe(cable.path, 0.3)
    assert found.hello is None
    assert "nothing could be found out in 0 s" in found.sentence


def test_probing_a_port_that_is_not_there(tmp_path: Path) -> None:
    assert "is not there" in probe(tmp_path / "usb").sentence


@pytest.fixture
def plugged(mocker: MockerFixture) -> None:
    """Three adapters and a modem."""
    ports = [
        SimpleNamespace(device="/dev/ttyUSB1", vid=0x1A86, serial_number=None),
        SimpleNamespace(device="/dev/ttyUSB0", vid=0x0403, serial_number="A50285BI"),
        SimpleNamespace(device="/dev/ttyACM0", vid=0x2341, serial_number="757363"),
        SimpleNamespace(device="/dev/ttyACM1", vid=0x12D1, serial_number="modem"),
        SimpleNamespace(device="/dev/ttyS0", vid=None, serial_number=None),
    ]
    mocker.patch("firmware_bridge.discovery.list_ports.comports", return_value=ports)


@pytest.mark.usefixtures("plugged")
def test_known_adapters_alone_are_probed() -> None:
    assert [(str(a.device), a.maker, a.usb_serial) for a in adapters()] == [
        ("/dev/ttyACM0", "Arduino", "757363"), ("/dev/ttyUSB0", "FTDI", "A50285BI"), ("/dev/ttyUSB1", "WCH CH340", None),
    ]  # fmt: skip
    assert find(Wanted(usb_serial="A50285BI")) == [Path("/dev/ttyUSB0")]
    assert find(Wanted(usb_serial="modem")) == []
    assert len(find(Wanted(board_id="left"))) == 3


@pytest.mark.parametrize("error", [TypeError("int() can't convert non-string with explicit base"), OSError(errno.ENODEV, "gone")])
def test_an_adapter_that_is_pulled_out_just_while_the_adapters_are_listed(
    error: Exception, cable: FakeCable, mocker: MockerFixture
) -> None:
    """The kernel's files of it are half gone, and so says pyserial; the thread outlives that and finds the board afterwards."""
    device = SimpleNamespace(device=str(cable.path), vid=0x1A86, serial_number=None)
    mocker.patch("firmware_bridge.discovery.list_ports.comports", side_effect=[error, [device]])
    heard: list[Event] = []
    link = Link(Session("board:left"), lambda: find(Wanted(board_id="left")), lambda events, _: heard.extend(events))
    link.start()
    with link.changed:
        assert link.changed.wait_for(lambda: any(isinstance(event, Ready) for event in heard), 30)
    link.stop()


def test_links_that_go_while_they_are_listed(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(Path, "is_dir", return_value=True)
    assert stable(tmp_path / "ttyUSB0", [tmp_path / "by-id"]) == tmp_path / "ttyUSB0"


def test_a_port_that_is_named_is_taken_as_it_is(tmp_path: Path) -> None:
    port = tmp_path / "usb-left"
    assert find(Wanted(port)) == []
    port.touch()
    assert find(Wanted(port, board_id="left")) == [port]


def test_names_that_stay(tmp_path: Path) -> None:
    by_id, by_path = tmp_path / "by-id", tmp_path / "by-path"
    device, other = tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"
    device.touch()
    other.touch()
    by_path.mkdir()
    (by_path / "usb-0:1.2").symlink_to(device)
    (by_path / "usb-0:1.3").symlink_to(other)
    assert stable(device, (by_id, by_path)) == by_path / "usb-0:1.2"
    by_id.mkdir()
    (by_id / "usb-FTDI_A50285BI").symlink_to(device)
    assert stable(device, (by_id, by_path)) == by_id / "usb-FTDI_A50285BI"
    assert stable(other, (by_id, by_path)) == by_path / "usb-0:1.3"
    assert stable(tmp_path, (by_id, by_path)) == tmp_path


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "/dev/ttyACM12"])
def test_names_that_do_not_stay(port: str) -> None:
    assert (unstable(Path(port)) or "").startswith(f"{port} may be another board after the next start: write ")


@pytest.mark.parametrize("port", ["/dev/ttyAMA0", "/dev/serial/by-id/usb-x", "/dev/serial/by-path/ttyUSB0"])
def test_names_that_do(port: str) -> None:
    assert unstable(Path(port)) is None


def test_what_is_wanted_reads_as_people_say_it() -> None:
    assert str(Wanted(Path("/dev/x"), "A5", "left")) == "at /dev/x with the USB serial number A5 called left"
    assert Adapter(Path("/a"), Path("/b"), "FTDI", None).usb_serial is None


def test_a_board_is_found_among_several_by_its_id(tmp_path: Path, mocker: MockerFixture) -> None:
    with (
        FakeCable(FakeBoard("right"), tmp_path / "usb-1") as other,
        FakeCable(FakeBoard("left"), tmp_path / "usb-2") as cable,
    ):
        both = [SimpleNamespace(device=str(each.path), vid=0x1A86, serial_number=None) for each in (other, cable)]
        mocker.patch("firmware_bridge.discovery.list_ports.comports", return_value=both)
        heard: list[Event] = []
        session = Session("board:left", {}, "left")
        link = Link(session, lambda: find(Wanted(board_id="left")), lambda events, _: heard.extend(events))
        link.start()
        with link.changed:
            assert link.changed.wait_for(lambda: session.state is State.READY, 10)
            assert link.path == cable.path
        link.stop()


def test_a_fake_port_is_a_character_device(cable: FakeCable) -> None:
    assert stat.S_ISCHR(cable.path.stat().st_mode)


def test_the_example_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text()
    section = page[page.index("## Without hardware") :]
    code = "\n".join(line[4:] for line in section.splitlines() if line.startswith("    "))
    assert "cable.unplug()" in code
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    faults = [fault for row in section.splitlines() if row.startswith("| ") for fault in row.split("`")[1::2]]
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left") as cable:
        for fault in faults:
            if fault.startswith(("cable.", "board.", "FakeBoard")):
                exec(fault, {"cable": cable, "board": cable.board, "FakeBoard": FakeBoard})
        assert (cable.board.full, cable.board.version, cable.board.mute, cable.noise) == (True, 2, True, 0.05)

"""The `lines` source over real pseudo-terminals and pipes: lines come in order, and it outlives whatever the other end does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.signals import MS, Signal
from hardware.sources.lines import LinesSource, StreamSource, TopicSource
from hardware.sources.lines_device import DeviceTrouble, PathDevice, SerialDevice
from hardware.sources.source import SourceError
from hardware.sources.storm import StormGuard

NAME = "lines:camera"


class Text(list[str]):
    """What a source of lines has told."""

    def __init__(self) -> None:
        super().__init__()
        self.signals: list[Signal] = []

    def emit(self, signal: Signal) -> None:
        self.signals.append(signal)
        self.append(signal.text)


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, f"waited ten seconds in vain: {what}"
        threading.Event().wait(0.005)


class Terminal:
    """A pseudo-terminal behind a link whose name stays when it is plugged out and in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plug_in()

    def plug_in(self) -> None:
        self.master, self.slave = os.openpty()
        self.path.symlink_to(os.ttyname(self.slave))

    def plug_out(self) -> None:
        self.path.unlink()
        os.close(self.master)
        os.close(self.slave)

    def send(self, data: bytes) -> None:
        os.write(self.master, data)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path / "camera")
    yield terminal
    if terminal.path.exists():
        terminal.plug_out()


@pytest.fixture(params=["serial", "path"])
def source(request: pytest.FixtureRequest, terminal: Terminal) -> Iterator[LinesSource]:
    device = SerialDevice(terminal.path) if request.param == "serial" else PathDevice(terminal.path)
    source = StreamSource(NAME, device, pause=50 * MS, guard=StormGuard(200, 50 * MS))
    yield source
    source.close()


def opened(source: LinesSource) -> Text:
    text = Text()
    assert source.open([NAME], text.emit) == {NAME: 0}
    until(lambda: source.health().up, "the device")
    return text


def test_lines_come_in_order_with_times_that_grow(source: LinesSource, terminal: Terminal) -> None:
    text = opened(source)
    before = time.monotonic_ns()
    for n in range(50):
        terminal.send(f"line {n}\r\n".encode())
    until(lambda: len(text) >= 50, "fifty lines")
    assert text == [f"line {n}" for n in range(50)]
    times = [signal.at for signal in text.signals]
    assert times == sorted(times)
    assert before <= times[0]
    assert times[-1] <= time.monotonic_ns()
    assert source.levels() == {NAME: 0}
    assert source.health().faults == ()


def test_after_a_watermark_no_older_line_comes(source: LinesSource, terminal: Terminal) -> None:
    text = opened(source)
    done = threading.Event()

    def load() -> None:
        for n in range(150):
            terminal.send(f"{n}\n".encode() if n % 3 else b"torn")
        done.set()

    thread = threading.Thread(target=load)
    thread.start()
    marks: list[tuple[int, int]] = []
    while not done.is_set():
        now = time.monotonic_ns()
        mark = source.watermark(now)
        marks.append((len(text), mark))
        assert mark <= now
    thread.join()
    last = time.monotonic_ns()
    until(lambda: source.watermark(time.monotonic_ns()) > last, "a watermark past the last line")
    assert all(signal.at >= mark for count, mark in marks for signal in text.signals[count:])
    assert [mark for _, mark in marks] == sorted(mark for _, mark in marks)


def test_a_pause_ends_a_line_and_it_is_of_the_time_of_its_last_byte(source: LinesSource, terminal: Terminal) -> None:
    text = opened(source)
    terminal.send(b"no line end")
    until(lambda: text == ["no line end"], "the line")
    assert text.signals[0].at <= time.monotonic_ns() - 50 * MS


def test_a_device_that_goes_away_is_told_and_comes_back_by_itself(source: LinesSource, terminal: Terminal) -> None:
    text = opened(source)
    terminal.send(b"one\n")
    until(lambda: text == ["one"], "a line before")
    terminal.plug_out()
    until(lambda: not source.health().up, "the device gone")
    assert any(fault.startswith(f"{NAME} is away: ") for fault in source.health().faults)
    terminal.plug_in()
    until(lambda: source.health().up, "the device back")
    terminal.send(b"two\n")
    until(lambda: text == ["one", "two"], "a line after")
    assert source.health().faults == ()
    assert source.health().blind == 1, "nobody knows what it would have sent meanwhile"


def test_a_line_that_is_torn_when_the_device_goes_is_counted_and_no_part_of_the_next(terminal: Terminal) -> None:
    source = StreamSource(NAME, PathDevice(terminal.path))
    text = opened(source)
    terminal.send(b'one\n{"target"')
    until(lambda: text == ["one"], "the whole line")
    terminal.plug_out()
    until(lambda: source.health().lost == 1, "the torn line counted")
    terminal.plug_in()
    until(lambda: source.health().up, "the device back")
    terminal.send(b"two\n")
    until(lambda: text == ["one", "two"], "a line after")
    source.close()


def test_rubbish_is_counted_and_told_and_the_next_line_is_heard(source: LinesSource, terminal: Terminal) -> None:
    text = opened(source)
    terminal.send(b"\xff\xfe\xfd\n" + b"good\n")
    until(lambda: text == ["good"], "the good line")
    health = source.health()
    assert (health.up, health.lost) == (True, 1)
    assert "1 not UTF-8" in health.faults[0]


def test_a_flood_is_muted_and_let_in_again(source: LinesSource, terminal: Terminal) -> None:
    text = opened(source)
    terminal.send("".join(f"{n}\n" for n in range(300)).encode())
    until(lambda: source.health().muted == (NAME,), "the flood muted")
    assert len(text) <= 200
    assert any("muted" in fault for fault in source.health().faults)

    def calm() -> bool:
        source.reconcile(time.monotonic_ns())
        return source.health().muted == ()

    until(calm, "let in again")
    terminal.send(b"after\n")
    until(lambda: text[-1] == "after", "a line after the flood")


def test_it_can_be_closed_and_opened_again(source: LinesSource, terminal: Terminal) -> None:
    first = opened(source)
    source.close()
    source.close()
    assert not source.health().up
    second = opened(source)
    terminal.send(b"again\n")
    until(lambda: second == ["again"], "a line after opening again")
    assert first == []


def test_another_address_is_named_and_leaves_nothing_behind(source: LinesSource) -> None:
    with pytest.raises(SourceError, match="gpio:17 is no input of lines:camera"):
        source.open([NAME, "gpio:17"], Text().emit)
    opened(source)
    with pytest.raises(SourceError, match="open already"):
        source.open([NAME], Text().emit)


def test_a_device_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    source = StreamSource(NAME, PathDevice(tmp_path / "camera"))
    text = Text()
    source.open([NAME], text.emit)
    until(lambda: any("is not there" in fault for fault in source.health().faults), "the fault told")
    terminal = Terminal(tmp_path / "camera")
    until(lambda: source.health().up, "the device")
    terminal.send(b"hello\n")
    until(lambda: text == ["hello"], "a line")
    source.close()
    terminal.plug_out()


def test_programs_may_write_to_a_pipe_one_after_the_other_and_no_line_is_lost(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    source = StreamSource(NAME, PathDevice(pipe))
    text = Text()
    source.open([NAME], text.emit)
    until(lambda: any("no program writes to" in fault for fault in source.health().faults), "nobody there told")
    for n in range(20):
        with pipe.open("w") as writer:
            writer.write(f"{n}\n")
    until(lambda: len(text) == 20, "twenty lines")
    assert text == [str(n) for n in range(20)]
    assert source.health().blind == 0
    until(lambda: not source.health().up, "the end of the last writer")
    assert any("has ended" in fault for fault in source.health().faults)
    source.close()


def test_a_pipe_that_another_program_reads_is_not_shared(tmp_path: Path) -> None:
    pipe = tmp_path / "camera"
    os.mkfifo(pipe)
    first, second = PathDevice(pipe), PathDevice(pipe)
    first.open()
    with pytest.raises(DeviceTrouble, match="is read by another program already: stop the other tablemarker"):
        second.open()
    second.close()
    for word in (b"one\n", b"two\n"):
        # After each writer the pipe is opened anew, and still ours alone.
        pipe_end = os.open(pipe, os.O_WRONLY)
        os.write(pipe_end, word)
        os.close(pipe_end)
        assert first.read(100) == word
        assert first.read(100) == b""
        with pytest.raises(DeviceTrouble):
            second.open()
        second.close()
    first.close()
    second.open()
    second.close()


def test_a_plain_file_is_no_device(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("line\n")
    source = StreamSource(NAME, PathDevice(tmp_path / "file"))
    text = Text()
    source.open([NAME], text.emit)
    until(lambda: any("neither a pipe nor a terminal" in fault for fault in source.health().faults), "the fault told")
    assert text == []
    source.close()


def test_a_topic_gives_its_messages_as_lines_and_says_when_its_link_is_lost() -> None:
    source = TopicSource(NAME)
    text = Text()
    source.take(b"too soon")
    source.open([NAME], text.emit)
    assert not source.health().up
    source.take(b"one")
    source.take(b"two\nthree\n")
    assert text == ["one", "two", "three"]
    assert source.health().up
    source.take(b"\xff")
    assert (source.health().lost, source.health().blind) == (1, 0)
    source.lost("the broker is away")
    assert source.health().faults[0] == f"{NAME} is away: the broker is away"
    now = time.monotonic_ns()
    assert source.watermark(now) == now
    source.close()
    source.take(b"too late")
    assert text == ["one", "two", "three"]


def test_nothing_is_told_of_a_device_that_nobody_listens_to(terminal: Terminal) -> None:
    source = StreamSource(NAME, PathDevice(terminal.path))
    text = Text()
    assert source.open([], text.emit) == {}
    until(lambda: source.health().up, "the device")
    terminal.send(b"one\n")
    until(lambda: source.watermark(time.monotonic_ns()) > 0, "a watermark")
    source.close()
    assert text == []

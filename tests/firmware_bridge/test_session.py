"""The session meets a board, loses nothing, and says in a sentence why it can't."""

from __future__ import annotations

import pytest

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.frames import encode_frame
from firmware_bridge.messages import Mode, Setting, Statistics, decode_statistics, encode_output
from firmware_bridge.session import LEAVE, MS, SECOND, Answer, Ready, Session, State
from tests.firmware_bridge.line_kit import INPUT, Line


def test_a_board_is_absent_opened_greeted_ready() -> None:
    line = Line()
    assert line.session.state is State.ABSENT
    line.session.opening(line.now)
    assert line.session.state is State.OPENING
    line.session.opened(line.now)
    assert line.session.state is State.HELLO
    line.set(3, 1)
    line.exchange()
    line.run(SECOND)
    assert line.session.state is State.READY
    [ready] = line.heard
    assert isinstance(ready, Ready)
    assert (ready.hello.id, ready.hello.build, len(ready.hello.channels)) == ("left", "nano 0.1.0", 24)
    assert (ready.levels, ready.resumed) == (1 << 3, False), "levels without an edge"


def test_edges_carry_the_time_at_which_the_pin_moved() -> None:
    line = Line(FakeBoard("left", drift=4_000, now=990 * SECOND), delay=2 * MS)
    line.connect()
    line.run(30 * SECOND)
    driven = []
    for turn in range(10):
        driven.append(line.now)
        line.set(2, 1 - turn % 2)
        line.run(37 * MS)
    records = line.records
    assert [record.value for record in records] == [1, 0] * 5
    # Both ways take the same time, so the clock is right to what the rate can still be off.
    assert all(abs(record.at - at) < MS for record, at in zip(records, driven, strict=True))
    assert line.session.clock.rate == pytest.approx(1000 / 1.004, rel=1e-4)


def test_times_survive_the_wrap_of_the_boards_clock() -> None:
    line = Line(FakeBoard("left", now=1_000 * SECOND - (1 << 32) * 1000 + 3 * SECOND))
    line.connect()
    driven = []
    for turn in range(6):
        driven.append(line.now)
        line.set(2, 1 - turn % 2)
        line.run(SECOND)
    assert [abs(record.at - at) < 20 * MS for record, at in zip(line.records, driven, strict=True)] == [True] * 6


def test_the_watermark_follows_a_question_for_the_time() -> None:
    line = Line()
    line.connect()
    line.run(10 * SECOND + 500 * MS)
    assert line.session.watermark < line.now - 400 * MS
    asked = line.now
    line.session.ask_time(line.now)
    line.run(10 * MS)
    error = line.session.clock.error(asked)
    assert asked - error <= line.session.watermark <= line.now
    assert error <= 2 * MS


def test_the_watermark_waits_for_records_that_were_lost_on_the_way() -> None:
    line = Line()
    line.connect()
    line.to_host = lambda chunk: [] if b"E" in chunk[:3] else [chunk]
    line.set(2, 1)
    moved = line.now
    line.run(MS // 2)
    line.session.ask_time(line.now)
    line.run(20 * MS)
    assert line.session.watermark <= moved
    line.to_host = lambda chunk: [chunk]
    line.run(200 * MS)
    assert line.edges == [(2, 1)]
    line.session.ask_time(line.now)
    line.run(20 * MS)
    assert line.session.watermark > moved


def test_overflow_is_told_with_the_number_then_the_levels() -> None:
    line = Line()
    line.connect()
    line.board.full = True
    for turn in range(7):
        line.set(2, 1 - turn % 2)
    line.board.full = False
    line.run(50 * MS)
    assert [(record.kind, record.value) for record in line.records] == [("lost", 7), ("levels", 1 << 2)]
    assert line.session.counters.lost == 7


def test_a_silent_change_shows_in_the_levels() -> None:
    line = Line()
    line.connect()
    line.board.set_unseen(3, 1)
    line.session.ask("l", b"", line.now)
    line.run(20 * MS)
    assert [(record.kind, record.value) for record in line.records] == [("levels", 1 << 3)]


def test_a_reset_is_a_normal_event() -> None:
    line = Line()
    line.connect()
    line.set(2, 1)
    line.run(50 * MS)
    line.board.reset(line.now, cause=8)
    line.run(SECOND)
    last = line.heard[-1]
    assert isinstance(last, Ready)
    assert (last.resumed, last.levels, last.hello.why) == (False, 1 << 2, "its watchdog")
    line.set(2, 0)
    line.run(50 * MS)
    assert line.edges == [(2, 1), (2, 0)]
    assert line.session.counters.restarts == 1


def test_a_reset_shows_though_its_hello_was_lost() -> None:
    line = Line()
    line.connect()
    line.board.reset(line.now)
    line.board.to_send()
    line.run(2 * SECOND)
    assert line.session.counters.restarts == 1
    line.set(2, 1)
    line.run(50 * MS)
    assert line.edges == [(2, 1)]


def test_a_reset_shows_though_the_boot_counter_is_worn_out() -> None:
    line = Line()
    line.connect()
    line.set(2, 1)
    line.run(SECOND)
    line.board.boot -= 1
    line.board.reset(line.now)
    line.run(2 * SECOND)
    assert line.session.counters.restarts == 1
    line.set(2, 0)
    line.run(50 * MS)
    assert line.edges == [(2, 1), (2, 0)]


def test_a_board_whose_clock_stood_still_is_no_new_one() -> None:
    """An emulated board on a busy machine."""
    line = Line()
    line.connect()
    line.run(5 * SECOND)
    line.board._booted += 400 * MS
    line.set(2, 1)
    line.run(2 * SECOND)
    moved = line.now
    line.set(2, 0)
    line.run(SECOND)
    assert line.edges == [(2, 1), (2, 0)]
    assert abs(line.records[1].at - moved) < 20 * MS
    assert (line.session.counters.restarts, line.session.counters.lost) == (0, 0)


def test_what_a_former_life_said_is_not_believed() -> None:
    line = Line()
    line.connect()
    line.set(2, 1)
    line.board.advance(line.now)
    old = line.board.to_send()
    line.board.reset(line.now)
    line.run(SECOND)
    line.session.receive(old, line.now)
    line.run(SECOND)
    assert line.edges == []


def test_a_board_with_its_own_supply_goes_on_where_it_was() -> None:
    line = Line()
    line.connect()
    line.set(2, 1)
    line.run(50 * MS)
    line.unplug()
    for level in (0, 1, 0):
        line.set(2, level)
        line.run(SECOND)
    line.board.to_send()
    line.open()
    line.run(SECOND)
    assert line.edges == [(2, 1), (2, 0), (2, 1), (2, 0)]
    last = line.heard[-1]
    assert isinstance(last, Ready)
    assert last.resumed


def test_records_that_somebody_else_took_are_announced() -> None:
    line = Line()
    line.connect()
    line.unplug()
    for level in (1, 0, 1):
        line.set(2, level)
    line.board.receive(encode_frame("a", line.board.boot & 0xFF, (line.board.next_number - 1).to_bytes(2, "little")), line.now)
    line.open()
    line.run(SECOND)
    assert [(record.kind, record.value) for record in line.records] == [("lost", 2), ("edge", 1), ("levels", 1 << 2)]


def test_a_host_that_sleeps_for_two_seconds_loses_nothing() -> None:
    line = Line()
    line.connect()
    for turn in range(20):
        line.set(2, 1 - turn % 2)
        line.now += 100 * MS
        line.board.advance(line.now)  # the host does nothing
    line.run(SECOND)
    assert line.edges == [(2, 1), (2, 0)] * 10
    assert line.gone == []


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({99: INPUT}, "board:left/99: the board (nano 0.1.0) has no such channel; they are 0 to 23"),
        ({0: INPUT}, "board:left/0: this pin of the board (nano 0.1.0) can't be an input with a pull-up"),
        ({3: Setting(Mode.BELL, 10, 300, 400)}, "board:left/3: this pin of the board (nano 0.1.0) can't be a bell"),
    ],
)
def test_a_channel_that_the_board_does_not_have(settings: dict[int, Setting], sentence: str) -> None:
    line = Line(settings=settings)
    line.open()
    line.run(SECOND)
    [gone] = line.gone
    assert (gone.why, gone.misfit) == (sentence, True)


@pytest.mark.parametrize("version", [0, 3], ids=["too old", "too new"])
def test_another_version_is_named_with_the_remedy(version: int) -> None:
    line = Line()
    line.board.version = version
    line.open()
    line.run(SECOND)
    [gone] = line.gone
    assert gone.misfit
    assert f"version {version}" in gone.why
    assert "version 1" in gone.why
    assert "tablemarker flash" in gone.why


def test_the_wrong_board_is_named() -> None:
    line = Line(board_id="right")
    line.open()
    line.run(SECOND)
    [gone] = line.gone
    assert gone.misfit
    assert "is called left, and right is wanted" in gone.why


def test_silence_and_strangers_are_told_apart() -> None:
    line = Line()
    line.board.mute = True
    line.open()
    line.run(10 * SECOND)
    assert "nothing answers" in line.gone[0].why
    for words in (b"$GPGGA,1234\r\n", b"$GPGGA,1234\r\n" * 30):
        stranger = Session("board:left")
        stranger.opened(0)
        stranger.receive(words, MS)
        stranger.advance(10 * SECOND)
        [gone] = stranger.events()
        assert "responds, but not with our protocol (it says '$GPGGA,1234" in gone.why  # type: ignore[union-attr]


def test_a_boot_loader_that_waits_for_a_programmer_is_told_to_leave() -> None:
    session, said = Session("board:left"), []
    session.opened(0)
    for tenth in range(35):
        session.advance(tenth * SECOND // 10)
        said.append(LEAVE in session.to_send())
    assert [tenth for tenth, left in enumerate(said) if left] == [10, 20, 30]


def test_a_board_does_not_mind_what_is_meant_for_a_boot_loader() -> None:
    line = Line()
    line.connect()
    line.board.mute = True
    line.session.ask_time(line.now)
    line.run(1500 * MS)
    line.board.mute = False
    line.run(SECOND)
    assert (line.session.state, line.gone) == (State.READY, [])
    assert line.board.reader.bad == 2


def test_a_board_that_falls_silent_is_lost() -> None:
    line = Line()
    line.connect()
    line.board.mute = True
    line.run(5 * SECOND)
    assert line.session.state is State.LOST
    assert "has been silent for 3 s" in line.gone[0].why


@pytest.mark.parametrize("milliseconds", [5, 20])
def test_a_board_that_boots_again_and_again_before_it_is_set_up_is_lost(milliseconds: int) -> None:
    line = Line(settings=dict.fromkeys(range(2, 14), INPUT))
    line.connect()
    for _ in range(10 * SECOND // (milliseconds * MS)):
        line.board.reset(line.now, cause=4)
        line.run(milliseconds * MS)
        if line.gone:
            break
    (gone,) = line.gone
    assert gone.why == (
        "board:left boots again and again (a dip of its supply) before it can be set up: look at its supply, and at what "
        "hangs on its pins"
    )
    line.unplug()
    assert not line.connect().resumed
    assert line.session.counters.restarts > 3


def test_a_setting_is_said_until_it_is_confirmed() -> None:
    line = Line()
    line.to_board = lambda chunk: [] if b"c" in chunk else [chunk]
    line.open()
    line.run(SECOND)
    assert line.session.state is State.HELLO
    line.to_board = lambda chunk: [chunk]
    line.run(SECOND)
    assert line.session.state is State.READY
    line.set(3, 1)
    line.run(50 * MS)
    assert line.edges == [(3, 1)]
    assert line.session.counters.repeats >= 8


def test_outputs_statistics_and_id_are_asked_and_answered() -> None:
    line = Line(settings={4: Setting(Mode.OUTPUT)})
    line.connect()
    for kind, payload in (("o", encode_output(4, 255, 0)), ("s", b""), ("i", b"right-2"), ("i", b"Not One")):
        line.session.ask(kind, payload, line.now)
        line.run(50 * MS)
    answers = [event for event in line.heard if isinstance(event, Answer)]
    assert [(answer.kind, answer.refused) for answer in answers] == [
        ("o", None), ("s", None), ("i", None), ("i", "a value makes no sense"),
    ]  # fmt: skip
    assert line.board.outputs == {4: 255}
    assert decode_statistics(answers[1].payload) == Statistics(0, 0, 0, line.board._fullest, 0)
    assert line.board.id == "right-2"


def test_outputs_go_off_when_the_host_is_gone() -> None:
    line = Line(settings={4: Setting(Mode.OUTPUT)})
    line.connect()
    line.session.ask("o", encode_output(4, 255, 0), line.now)
    line.run(10 * SECOND)
    assert line.board.outputs == {4: 255}
    line.unplug()
    line.run(6 * SECOND)
    assert line.board.outputs == {}


def test_readings_arrive_in_order_with_edges() -> None:
    line = Line(settings={2: INPUT, 14: Setting(Mode.BELL, 10, 300, 400)})
    line.connect()
    line.board.read(14, 1023, line.now)
    line.set(2, 1)
    line.board.read(14, 511, line.now)
    line.run(50 * MS)
    assert [(record.kind, record.channel, record.value) for record in line.records] == [
        ("reading", 14, 1023), ("edge", 2, 1), ("reading", 14, 511),
    ]  # fmt: skip

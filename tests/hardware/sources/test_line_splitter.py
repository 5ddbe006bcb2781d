"""Bytes in whatever pieces become the same lines, and what is no line is counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.sources.line_splitter import LineSplitter

LINES = st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=("Cs", "Zs", "Zl", "Zp", "Cc")), min_size=1))


@given(lines=LINES, end=st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\r\n\r\n"]), size=st.integers(1, 7))
def test_a_stream_gives_its_lines_however_it_is_cut(lines: list[str], end: str, size: int) -> None:
    splitter = LineSplitter()
    data = "".join(line + end for line in lines).encode()
    found = [line for start in range(0, len(data), size) for line in splitter.feed(data[start : start + size])]
    assert found == lines
    assert splitter.dropped.total == 0
    assert not splitter.begun


@given(pieces=st.lists(st.binary(max_size=30), max_size=20))
def test_any_bytes_give_lines_that_are_short_enough_and_never_an_error(pieces: list[bytes]) -> None:
    splitter = LineSplitter(longest=16)
    found = [line for piece in pieces for line in splitter.feed(piece)] + splitter.end()
    assert all(line.strip() and len(line.encode()) <= 16 and not set(line) & {"\r", "\n"} for line in found)


def test_a_line_that_is_too_long_is_dropped_and_counted_once_and_the_next_is_heard() -> None:
    splitter = LineSplitter(longest=8)
    found = [line for _ in range(100) for line in splitter.feed(b"0123456789")]
    assert found + splitter.feed(b"\nnext\n") == ["next"]
    assert (splitter.dropped.oversized, splitter.dropped.total) == (1, 1)


def test_a_line_that_is_just_long_enough_is_heard() -> None:
    assert LineSplitter(longest=8).feed(b"01234567\n") == ["01234567"]


def test_bytes_that_are_no_text_cost_their_own_line_alone() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"one\n\xff\xfe\ntwo\n") == ["one", "two"]
    assert (splitter.dropped.not_utf8, str(splitter.dropped)) == (1, "1 not UTF-8")


def test_a_line_that_broke_off_is_no_part_of_the_next() -> None:
    splitter = LineSplitter()
    splitter.feed(b'{"target"')
    splitter.break_off()
    assert splitter.feed(b"whole\n") == ["whole"]
    assert splitter.dropped.torn == 1
    splitter.break_off()
    assert splitter.dropped.torn == 1


def test_frames_of_a_tag_that_is_held_are_lines_of_their_own_though_no_line_end_comes() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"\x0262E3086CED08\x03\x0262E3086CED08\x03\x0262E3") == ["\x0262E3086CED08"] * 2
    assert splitter.feed(b"086CED08\x03") == ["\x0262E3086CED08"]

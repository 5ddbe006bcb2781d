"""Transcripts: what comes out for each line, which lines can't be read, and that nothing piles up."""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import tracemalloc
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.strict_json import NotStrict, read_object
from controller.transcript import LONGEST_MESSAGE, Unreadable, entries, entry_json, outcome_json
from tests.long_games import LONG_GAMES
from tests.rules_kit import GAMES, load_cases

OPENING = b'{"event":"game","game":"bagatelle"}\n'
HIT = b'{"event":"shot","ball":"white-1","hit_black":true,"moves":[{"ball":"black","to":"cup-9"}]}\n'
END = b'{"event":"end_turn"}\n'


def scored(*lines: bytes, positions: bool = False) -> list[dict[str, Any]]:
    return [entry_json(entry, positions=positions) for entry in entries(lines)]


def test_output_has_the_words_of_the_format_and_no_others() -> None:
    opening, hit, end, again, position = scored(OPENING, HIT, END, HIT, HIT, positions=True)
    assert list(opening) == ["line", "ok", "awards", "unbanked", "notices", "score", "over", "position"]
    assert {name: value for name, value in opening.items() if name != "position"} == {
        "line": 1,
        "ok": True,
        "awards": [],
        "unbanked": [],
        "notices": [],
        "score": {"A": 0, "B": 0},
        "over": None,
    }
    assert hit["unbanked"] == [{"side": "A", "points": 18, "rule": "BAG-12", "why": "The black in cup 9 counts double."}]
    assert (hit["awards"], hit["score"]) == ([], {"A": 0, "B": 0})
    assert end["awards"] == hit["unbanked"]
    assert end["notices"] == [{"rule": "BAG-04", "text": "Collect the balls and set the black on spot a: B plays eight."}]
    assert (end["score"], end["unbanked"]) == ({"A": 18, "B": 0}, [])
    assert again["ok"]
    assert list(position) == ["line", "ok", "error", "awards", "unbanked", "notices", "score", "over", "position"]
    assert position["error"]["rule"] == "BAG-10"
    assert (position["ok"], position["awards"], position["unbanked"]) == (False, [], again["unbanked"])
    assert position["position"] == again["position"]


def test_the_end_of_a_game_has_its_words() -> None:
    opening = b'{"event":"game","game":"bagatelle","position":{"score":{"A":0,"B":119},"turn":"B"}}'
    *_, last = scored(opening, HIT, END)
    assert last["over"] == {"winner": "B", "draw": False, "double": True, "rule": "BAG-14b"}
    [finished] = scored(b'{"event":"game","game":"bagatelle","position":{"score":{"A":120}}}')
    assert finished["over"]["winner"] == "A"


def test_positions_only_when_asked_for() -> None:
    assert all("position" not in line for line in scored(OPENING, HIT))


def test_what_a_ruling_says_is_the_same_without_its_line() -> None:
    *_, entry = entries([OPENING, HIT])
    assert {"line": 2, **outcome_json(entry.game, entry.state, entry.outcome)} == entry_json(entry)


def test_blank_lines_and_comments_are_counted_but_skipped() -> None:
    lines = [b"# a comment\n", b"\n", b"  \t\r\n", OPENING.replace(b"\n", b"\r\n"), b"  # indented\n", HIT]
    assert [line["line"] for line in scored(*lines)] == [4, 6]


def test_a_byte_order_mark_at_the_start_is_no_fault() -> None:
    assert len(scored(b"\xef\xbb\xbf" + OPENING)) == 1


def test_the_last_line_needs_no_line_end() -> None:
    assert len(scored(OPENING, HIT.rstrip())) == 2


def test_what_any_event_may_carry_has_no_effect() -> None:
    carried = {"id": 7, "at": 1_767_225_600_123_456_789, "origin": "sensor", "evidence": [1, 2], "note": {"by": "Ann"}}
    plain, full = json.loads(HIT), {**json.loads(HIT), **carried}
    assert scored(OPENING, json.dumps(full).encode()) == scored(OPENING, json.dumps(plain).encode())
    assert len(scored(json.dumps({**json.loads(OPENING), **carried}).encode())) == 1


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        ([], 1, "there is no game line"),
        ([b"# nothing else\n", b"\n"], 2, "there is no game line"),
        ([HIT], 1, "begins with its game line"),
        ([b'{"event":"game","game":"billiards"}'], 1, "unknown game 'billiards'"),
        ([b'{"event":"game","game":"bagatele"}'], 1, "did you mean 'bagatelle'"),
        ([b'{"event":"game"}'], 1, "names its game"),
        ([b'{"event":"game","game":["bagatelle"]}'], 1, "names its game"),
        ([b'{"event":"game","game":"bagatelle","option":{}}'], 1, "unknown field 'option'"),
        ([b'{"event":"game","game":"bagatelle","options":[]}'], 1, "are objects"),
        ([b'{"event":"game","game":"bagatelle","options":{"traget":60}}'], 1, "did you mean 'target'"),
        ([b'{"event":"game","game":"bagatelle","options":{"target":0}}'], 1, "at least 1"),
        ([b'{"event":"game","game":"bagatelle","position":{"turn":"C"}}'], 1, "position.turn"),
        ([OPENING, OPENING], 2, "unknown event 'game'"),
        ([OPENING, b"\n", b"shot\n"], 3, "not JSON"),
        ([OPENING, b'{"event":"shot",\n'], 2, "not JSON"),
        ([OPENING, b'["shot"]\n'], 2, "a JSON object is wanted"),
        ([OPENING, b'{"event":"end_turn"} {"event":"end_turn"}\n'], 2, "not JSON: Extra data"),
        ([OPENING, b'{"event":"end_turn","event":"end_turn"}\n'], 2, "'event' stands twice"),
        ([OPENING, b'{"event":"end_turn","note":{"a":1,"a":1}}\n'], 2, "'a' stands twice"),
        ([OPENING, b'{"event":"end_turn","note":NaN}\n'], 2, "NaN"),
        ([OPENING, b'{"event":"end_turn","note":-Infinity}\n'], 2, "-Infinity"),
        ([OPENING, b'{"event":"end_turn","note":1e999}\n'], 2, "too large"),
        ([OPENING, b'{"event":"end_turn","note":' + b"1" * 5000 + b"}\n"], 2, "too many digits"),
        ([OPENING, b'{"event":"end_turn","note":' + b"1" * 310 + b"}\n"], 2, "too many digits"),
        ([OPENING, b'{"event":"end_turn","note":' + b"[" * 100_000 + b"}\n"], 2, "nested too deeply"),
        ([OPENING, b'{"event":"end_turn","note":"\xff"}\n'], 2, "not UTF-8: byte 0xff at place 29"),
        ([OPENING, b'{"event":"end_turn","side":"C"}\n'], 2, "side: unknown 'C'"),
        ([OPENING, b'{"event":"end_turn","sides":"A"}\n'], 2, "unknown field 'sides'"),
        ([OPENING, b'{"note":1}\n'], 2, "names its kind"),
    ],
)
def test_lines_that_cannot_be_read(lines: list[bytes], line: int, says: str) -> None:
    with pytest.raises(Unreadable) as error:
        scored(*lines)
    assert error.value.line == line
    assert says in error.value.message
    assert "\n" not in error.value.message


def test_lines_before_an_unreadable_one_are_given_first() -> None:
    played = entries([OPENING, HIT, b"}", HIT])
    assert [next(played).line, next(played).line] == [1, 2]
    with pytest.raises(Unreadable):
        next(played)


def test_a_refused_event_changes_nothing_and_reading_goes_on() -> None:
    lines = scored(OPENING, HIT, HIT, END, positions=True)
    assert [line["ok"] for line in lines] == [True, True, False, True]
    assert lines[2]["position"] == lines[1]["position"]


@pytest.mark.parametrize("name", GAMES)
def test_memory_stays_constant_however_long_a_transcript_is(name: str) -> None:
    lines = [json.dumps(obj).encode() for obj in LONG_GAMES[name]]
    played = entries(itertools.chain(lines[:1], itertools.cycle(lines[1:])))
    for _ in itertools.islice(played, 300):
        pass
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in itertools.islice(played, 3000):
        pass
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 10_000


@pytest.mark.parametrize("text", ['{"a": 1, "b": [1.5, {"c": null}]}', "{}"])
def test_strict_json_reads_what_json_reads(text: str) -> None:
    assert read_object(text) == json.loads(text)


@pytest.mark.parametrize("text", ["", "[]", "1", "null", '"a"', "{'a': 1}", '{"a": Infinity}', '{"a": 1,}'])
def test_strict_json_refuses_the_rest(text: str) -> None:
    with pytest.raises(NotStrict):
        read_object(text)


@settings(max_examples=200, deadline=None)
@given(chance=st.randoms(use_true_random=False), name=st.sampled_from(GAMES))
def test_damaged_transcripts_are_read_or_unreadable(chance: Random, name: str) -> None:
    case = chance.choice(load_cases(name))
    text = bytearray("\n".join(json.dumps(event) for event in case["transcript"]).encode())
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(text))
        damage = chance.choice(
            (b"", b"0", b"-", b"[", b"}", b'"', b",", b"null", b"1e9999", b"\xff", b"\n", b"9" * 20, b"\\ud800")
        )
        text[place : place + chance.choice((0, 1, 1, 8))] = damage
    with contextlib.suppress(Unreadable):
        for entry in entries(bytes(text).splitlines(keepends=True)):
            json.dumps(entry_json(entry, positions=True)).encode()


def test_a_message_is_one_line_whatever_a_transcript_calls_things() -> None:
    assert Unreadable(2, "gaps_mm.a\nb\u2028c: a number is wanted").message == "gaps_mm.a b c: a number is wanted"


def test_a_message_may_quote_the_line_but_not_all_of_a_long_one() -> None:
    message = Unreadable(2, f"unknown event {'shot' * 100_000!r} in bagatelle; allowed: shot").message
    assert message.startswith("unknown event 'shotshot")
    assert message.endswith("' in bagatelle; allowed: shot")
    assert len(message) == LONGEST_MESSAGE + len(" … ")
    assert Unreadable(2, "x" * LONGEST_MESSAGE).message == "x" * LONGEST_MESSAGE

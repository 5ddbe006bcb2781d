from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.command_models import LONGEST, BadCommand, read_command
from controller.engine import requests
from controller.engine.requests import Command, Reply, Request
from controller.intake import BYTES_WINDOW, ID_WINDOW, MOST_REMEMBERED, MOST_WAITING, Intake
from controller.publish.schemas import schema_of
from hardware.signals import MS, SECOND

SHOT = {"event": "shot", "ball": "white-1"}

GOOD: list[tuple[dict[str, Any], Command]] = [
    ({"command": "start_game"}, requests.StartGame()),
    (
        {"command": "start_game", "sides": ["Ann", "Bob"], "options": {"target": 60}, "position": {"turn": "B"}},
        requests.StartGame(("Ann", "Bob"), {"target": 60}, {"turn": "B"}),
    ),
    ({"command": "event", "event": SHOT}, requests.EnterEvent(SHOT)),  # type: ignore[arg-type]  # invariance of dict
    ({"command": "answer", "question": "q7", "choice": "9"}, requests.Answer("q7", "9")),
    ({"command": "answer", "question": "q7", "choice": "9", "if_revision": 4}, requests.Answer("q7", "9", 4)),
    ({"command": "undo"}, requests.Undo()),
    ({"command": "undo", "if_revision": 0}, requests.Undo(0)),
    (
        {"command": "correct", "revision": 4, "remove": True, "why": "it was red"},
        requests.Correct(4, remove=True, why="it was red"),
    ),
    ({"command": "correct", "revision": 4, "replace": SHOT}, requests.Correct(4, replace=SHOT)),  # type: ignore[arg-type]  # as above
    ({"command": "correct", "revision": 4, "insert_before": SHOT}, requests.Correct(4, insert_before=SHOT)),  # type: ignore[arg-type]  # as above
    ({"command": "explain"}, requests.Explain()),
    ({"command": "explain", "game": "b-7", "revision": 4}, requests.Explain("b-7", 4)),
    ({"command": "explain", "after": 4}, requests.Explain(after=4)),
    ({"command": "pause"}, requests.Pause()),
    ({"command": "resume"}, requests.Resume()),
    ({"command": "abandon"}, requests.Abandon()),
    ({"command": "quarantine", "sensor": "cup-3"}, requests.Quarantine("cup-3")),
    ({"command": "release", "sensor": "cup-3"}, requests.Release("cup-3")),
    ({"command": "test_output", "output": "lamp"}, requests.TestOutput("lamp")),
    ({"command": "forget_player", "name": "Zoë"}, requests.ForgetPlayer("Zoë")),
    # Of the days when a name could hold anything; and joiners are letters.
    ({"command": "forget_player", "name": "Zoë\u202e"}, requests.ForgetPlayer("Zoë\u202e")),
    ({"command": "start_game", "sides": [" Ann\u00a0", "Jo Bob ❤\ufe0f"]}, requests.StartGame(("Ann", "Jo Bob ❤\ufe0f"))),
    ({"command": "start_game", "sides": ["A\u200cB", "👩\u200d🚀"]}, requests.StartGame(("A\u200cB", "👩\u200d🚀"))),
]


@pytest.mark.parametrize(("given", "command"), GOOD)
@pytest.mark.parametrize("more", [{}, {"id": "a"}, {"schema": 1, "token": "t"}])
def test_every_command_reaches_the_engine_as_it_was_meant(given: dict[str, Any], more: dict[str, Any], command: Command) -> None:
    whole = given | more
    assert read_command(json.dumps(whole).encode()).request() == command
    jsonschema.validate(whole, schema_of("command"))


BAD = [
    ({}, "the field 'command' is missing; allowed: start_game, event, answer"),
    ({"command": "udno"}, "unknown command 'udno'; did you mean 'undo'? Allowed: start_game,"),
    ({"command": 5}, "unknown command '5'; allowed: start_game,"),
    ({"command": "undo", "if_revison": 4}, "undo: unknown field 'if_revison'; did you mean 'if_revision'?"),
    ({"command": "pause", "if_revision": 4}, "pause: unknown field 'if_revision'; allowed: schema, id, token"),
    ({"command": "undo", "if_revision": "4"}, "undo: if_revision: a whole number is wanted, not a text"),
    ({"command": "undo", "if_revision": True}, "undo: if_revision: a whole number is wanted, not true or false"),
    ({"command": "undo", "if_revision": -1}, "undo: if_revision: a number from 0 on is wanted"),
    ({"command": "undo", "id": 5}, "undo: id: a text is wanted, not a whole number"),
    ({"command": "undo", "id": ""}, "undo: id: an empty text names nothing"),
    ({"command": "undo", "id": "x" * 129}, "undo: id: at most 128 characters"),
    ({"command": "undo", "schema": 2}, "undo: schema: 1 is the one value allowed here"),
    ({"command": "answer", "question": "q7"}, "answer: the field 'choice' is missing"),
    ({"command": "event"}, "event: the field 'event' is missing"),
    ({"command": "event", "event": "shot"}, "event: event: an object is wanted, not a text"),
    ({"command": "start_game", "sides": "Ann"}, "start_game: sides: a list is wanted, not a text"),
    ({"command": "start_game", "sides": ["Ann", None]}, "start_game: sides.1: a text is wanted, not null"),
    ({"command": "start_game", "sides": ["Ann", "\x1b[2J"]}, "start_game: sides.1: a name has no line breaks"),
    ({"command": "start_game", "sides": ["Ann\u202e"]}, "start_game: sides.0: a name has no line breaks, other control"),
    ({"command": "start_game", "sides": ["Ann", " \u00a0"]}, "start_game: sides.1: an empty text names nothing"),
    ({"command": "start_game", "sides": ["\u3164"]}, "start_game: sides.0: a name has no line breaks, other control"),
    ({"command": "start_game", "sides": ["Ann", "\u200d\ufe0f"]}, "start_game: sides.1: a name has no line breaks"),
    ({"command": "undo", "who": "\u2066Ann"}, "undo: who: a name has no line breaks"),
    ({"command": "undo", "why": "\x1b[2J"}, "undo: why: this text has no line breaks"),
    ({"command": "start_game", "sides": ["Ann"] * 17}, "start_game: sides: at most 16 are allowed"),
    ({"command": "correct", "revision": 4}, "correct: exactly one of replace, remove and insert_before is wanted"),
    ({"command": "correct", "revision": 4, "remove": True, "replace": SHOT}, "correct: exactly one of"),
    ({"command": "correct", "revision": 4, "remove": False}, "correct: exactly one of"),
    ({"command": "undo", "x" * 50: 1}, f"undo: unknown field '{'x' * 40}…'"),
]


@pytest.mark.parametrize(("given", "said"), BAD)
def test_a_command_that_cannot_be_read_names_the_field_and_the_nearest_right_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadCommand) as error:
        read_command(json.dumps(given).encode()).request()
    assert str(error.value).startswith(said)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(
        BadCommand, match=r"'question' is missing; answer: the field 'choice' is missing; answer: unknown field 'q'"
    ):
        read_command(b'{"command":"answer","q":1}')


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "a command is a JSON object"),
        (b"[]", "a command is a JSON object"),
        (b"\xff", "text in UTF-8"),
        (b'{"command":"undo"', "can't be read"),
        (b'{"command":"undo","command":"pause"}', "'command' stands twice"),
        (b'{"command":"undo","if_revision":NaN}', "NaN"),
        (b'{"command":"event","event":{"x":1e999}}', "too large"),
        (b'{"command":"event","event":{"x":' + b"9" * 5000 + b"}}", "too many digits"),
        (b'{"command":"undo","if_revision":9007199254740992}', "too many digits"),
        (b'{"command":"event","event":{"x":1e17}}', "too large"),
        (b'{"a":' * 3000, "nested too deeply"),
        (b'{"command":"event","event":{"x":' + b"[" * 60 + b"]" * 60 + b"}}", "nested too deeply"),
        (b'{"command":"start_game","sides":["\\ud800"]}', "half of a surrogate pair"),
        (b'{"command":"undo"}' + b" " * LONGEST, f"at most {LONGEST} bytes; this one has {LONGEST + 18}"),
    ],
    ids=str,
)
def test_bytes_that_are_no_command(data: bytes, said: str) -> None:
    with pytest.raises(BadCommand, match=said):
        read_command(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(
    [
        "command",
        "id",
        "schema",
        "token",
        "if_revision",
        "revision",
        "replace",
        "remove",
        "sides",
        "event",
        "why",
        "sensor",
        "other",
    ]
)
commands = st.dictionaries(names, json_values, max_size=6).flatmap(
    lambda rest: st.sampled_from([given["command"] for given, _ in GOOD]).map(lambda name: rest | {"command": name})
)


@given(
    st.binary(max_size=60)
    | commands.map(lambda obj: json.dumps(obj).encode())
    | json_values.map(lambda obj: json.dumps(obj).encode())
)
def test_whatever_comes_is_a_command_or_an_error_of_one_line(data: bytes) -> None:
    said: list[str] = []
    try:
        read_command(data).request()
    except BadCommand as error:
        said.append(str(error))
    assert all(line and "\n" not in line for line in said)


class Engine:
    """Takes requests as the engine's queue does, and answers when told."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.replies: list[Mapping[str, Any]] = []
        self.intake = Intake(self.requests.append)

    def take(self, text: str, now: int = 0, token: str | None = None) -> None:
        self.intake.take(text.encode(), self.replies.append, now=now, via="test", token=token)

    def answer(self, number: int = -1, reply: Reply | None = None) -> None:
        give = self.requests[number].reply
        assert give is not None
        give(reply or Reply(ok=True, revision=3))


@pytest.fixture
def engine() -> Engine:
    return Engine()


UNDO = '{"command":"undo"}'
UNDO_X = '{"command":"undo","id":"x"}'


def test_the_reply_bears_the_id_of_its_command(engine: Engine) -> None:
    engine.take(UNDO_X)
    assert engine.replies == []
    engine.answer()
    assert engine.replies == [{"schema": 1, "id": "x", "ok": True, "error": None, "revision": 3, "detail": None}]
    assert (engine.requests[0].command, engine.requests[0].via) == (requests.Undo(), "test")


def test_a_bad_command_is_refused_at_once_with_its_id(engine: Engine) -> None:
    engine.take('{"command":"udno","id":"x"}')
    assert (engine.replies[0]["id"], engine.replies[0]["ok"]) == ("x", False)
    assert engine.requests == []


def test_a_repeated_id_gets_the_first_reply_for_ten_minutes(engine: Engine) -> None:
    engine.take(UNDO_X)
    engine.answer(reply=Reply(ok=False, error="nothing to undo"))
    engine.take('{"command":"pause","id":"x"}', now=ID_WINDOW)
    assert len(engine.requests) == 1
    assert engine.replies[0] == engine.replies[1]
    engine.take(UNDO_X, now=ID_WINDOW + 1)
    assert len(engine.requests) == 2


def test_a_repeated_id_waits_for_the_first_reply_if_need_be(engine: Engine) -> None:
    engine.take(UNDO_X)
    engine.take(UNDO_X, now=1)
    assert engine.replies == []
    engine.answer()
    assert len(engine.replies) == 2
    assert len(engine.requests) == 1


def test_the_same_bytes_within_half_a_second_count_once(engine: Engine) -> None:
    engine.take(UNDO)
    engine.take(UNDO, now=BYTES_WINDOW)
    assert len(engine.requests) == 1
    engine.take(UNDO, now=BYTES_WINDOW + 1)
    assert len(engine.requests) == 2
    engine.answer(0)
    engine.answer(1)
    assert len(engine.replies) == 3


def test_other_bytes_are_another_command(engine: Engine) -> None:
    engine.take(UNDO)
    engine.take('{"command": "undo"}')
    assert len(engine.requests) == 2


def test_a_command_with_if_revision_guards_itself(engine: Engine) -> None:
    for _ in range(2):
        engine.take('{"command":"undo","if_revision":4}')
    assert len(engine.requests) == 2


def test_two_ids_are_two_commands(engine: Engine) -> None:
    engine.take(UNDO_X)
    engine.take('{"command":"undo","id":"y"}')
    assert len(engine.requests) == 2


def test_a_token_is_wanted_where_one_is_set(engine: Engine) -> None:
    for text in (UNDO, '{"command":"undo","token":"wrong"}', '{"command":"undo","token":"wröng"}'):
        engine.take(text, token="right")
    assert [reply["error"] for reply in engine.replies] == ["the command lacks the right token in its field 'token'"] * 3
    engine.take('{"command":"undo","token":"right"}', token="right")
    assert len(engine.requests) == 1


def test_an_engine_that_does_not_answer_is_not_flooded(engine: Engine) -> None:
    for n in range(3 * MOST_WAITING):
        engine.take(json.dumps({"command": "undo", "id": str(n)}))
    assert len(engine.requests) == MOST_WAITING
    assert {reply["error"] for reply in engine.replies} == {
        f"{MOST_WAITING} commands wait for an answer already; try again in a moment"
    }
    engine.answer(0)
    engine.take('{"command":"undo","id":"later"}')
    assert len(engine.requests) == MOST_WAITING + 1


def test_those_who_wait_for_one_reply_are_bounded_too(engine: Engine) -> None:
    for _ in range(3 * MOST_WAITING):
        engine.take(UNDO_X)
    assert len(engine.replies) == 2 * MOST_WAITING
    engine.answer()
    assert len(engine.replies) == 3 * MOST_WAITING


def test_memory_is_bounded(engine: Engine) -> None:
    for n in range(2 * MOST_REMEMBERED):
        engine.take(json.dumps({"command": "undo", "id": str(n)}), now=n * MS)
        engine.answer()
        engine.take(json.dumps({"command": "event", "event": {"n": n}}), now=n * MS)
        engine.answer()
    assert len(engine.intake._by_id) == MOST_REMEMBERED
    assert len(engine.intake._by_bytes) <= BYTES_WINDOW // MS + 1
    engine.take(UNDO, now=1000 * SECOND)
    engine.take(UNDO_X, now=1000 * SECOND)
    assert (len(engine.intake._by_id), len(engine.intake._by_bytes)) == (1, 1)

"""Recordings that were cut, damaged or made up: a deed that can't be read is told with its line, and the rest is played."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.__main__ import cli
from controller.engine.deeds import WORDS
from controller.engine.requests import StartGame as NewGame
from controller.fitting.detectors import build_detectors
from controller.flight_recorder import FlightRecorder
from controller.recorded import (
    Answer,
    BadDeed,
    Boot,
    Correct,
    EnterEvent,
    ForgetPlayer,
    Found,
    Gap,
    LeftOut,
    NotDone,
    OfSensor,
    StartGame,
    read_deed,
)
from controller.simulation.stage import Stage, simulated_table
from controller.tablefile import load_table
from hardware.recording import RecordingPanel
from hardware.signals import SECOND
from hardware.sources import trace_ring
from hardware.sources.trace_file import Act, TraceWriter
from hardware.sources.trace_ring import TraceRing
from tests.controller.test_replay import simulated_file
from tests.people_kit import Meddler, Replayed

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A table file, and the text of a recording of half a game that people had a hand in."""
    folder, table = tmp_path_factory.mktemp("tapes"), simulated_table("bagatelle")
    with TraceWriter(folder / "game.jsonl", "simulated") as writer:
        stage = Stage(table, 3, panel=RecordingPanel(build_detectors(table), writer), acts=writer)
        meddler = Meddler(stage, Random(3))
        stage.open()
        for _ in range(8):
            stage.play_until(stage.now + 9 * SECOND)
            meddler.meddle()
    return simulated_file("bagatelle", folder), (folder / "game.jsonl").read_text()


def replay(table: Path, *traces: Path) -> tuple[Lines, list[str], int]:
    result = CliRunner().invoke(cli, ["replay", str(table), *map(str, traces)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr.splitlines(), result.exit_code


def act(said: object, at: object = 1_000_000_000_000) -> str:
    return json.dumps({"act": said, "at": at})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (act({"command": "sing", "by": "web"}), "'sing'"),
        (act({}), "'command'"),
        (act([]), '"act" is an object, not []'),
        (act("undo"), '"act" is an object, not "undo"'),
        (act({"command": "undo", "by": "web"}, -1), '"at" is a whole number from 0 on'),
        ('{"act": {"command": "undo", "by": "web"}}', '"at" is missing'),
        ('{"act": {"command": "undo", "by": "web"}, "at": 1, "who": "Ann"}', 'unknown key "who"'),
        (act({"command": "undo"}), "'by'"),
        (act({"command": "undo", "by": "web", "why": "so"}), "'why'"),
        (act({"command": "event", "by": "web", "event": 7}), "'event'"),
        (act({"command": "answer", "by": "web", "question": "black-1", "choice": None}), "'choice'"),
        (act({"command": "answer", "by": "web", "question": "black-1", "choice": "5", "asked": [1]}), "'asked'"),
        (act({"command": "correct", "by": "web", "of": [1, 0]}), "exactly one of replace, remove and insert_before"),
        (act({"command": "correct", "by": "web", "of": [], "remove": True}), "'of'"),
        (act({"command": "correct", "by": "web", "of": [1, 0], "remove": True, "replace": {}}), "exactly one"),
        (act({"command": "undo", "by": "web", "was": "lost"}), "'was'"),
        (act({"command": "undo", "by": "web", "was": "refused", "finished": 10**9}), "'finished'"),
        (act({"command": "boot", "missing": [1]}), "'missing'"),
        (act({"command": "event", "by": "web", "event": json.loads('{"a":' * 40 + "1" + "}" * 40)}), "nested more than 20 deep"),
    ],
)
def test_a_deed_that_can_not_be_read_is_told_with_its_line(
    recording: tuple[Path, str], tmp_path: Path, line: str, says: str
) -> None:
    table, text = recording
    whole, trace = tmp_path / "whole.jsonl", tmp_path / "game.jsonl"
    whole.write_text(text)
    lines = text.splitlines(keepends=True)
    place = len(lines) // 2
    trace.write_text("".join([*lines[:place], f"{line}\n", *lines[place:]]))
    told, errors, status = replay(table, trace)
    assert (told, [], 0) == replay(table, whole)
    assert status == 1
    (error,) = errors
    assert error.startswith(f"{trace}:{place + 1}: what people did can't be read: ")
    assert error.endswith("; the rest was played")
    assert says in error


@pytest.mark.parametrize("standing", ['{"command": "sing"}', '{"command": "undo"}', '{"command": "start_game", "options": 7}'])
def test_a_header_that_tells_nonsense_of_the_game_is_told(recording: tuple[Path, str], tmp_path: Path, standing: str) -> None:
    table, text = recording
    trace = tmp_path / "game.jsonl"
    trace.write_text(text.replace('"standing":{}', f'"standing":{standing}', 1))
    told, errors, status = replay(table, trace)
    assert status == 1
    assert len(told) > 10
    assert errors[0].startswith(f"{trace}:1: how things stood can't be read: ")


def test_a_line_that_a_power_cut_has_cut_off_is_said_and_what_came_before_is_played(
    recording: tuple[Path, str], tmp_path: Path
) -> None:
    table, text = recording
    trace, before = tmp_path / "game.jsonl", tmp_path / "before.jsonl"
    lines = text.splitlines(keepends=True)
    last = max(n for n, line in enumerate(lines) if line.startswith('{"act"'))
    trace.write_text("".join(lines[:last]) + lines[last][:-9])
    before.write_text("".join(lines[:last]))
    told, errors, status = replay(table, trace)
    assert status == 0
    assert errors == [f"{trace}:{last + 1}: the line is cut off, as by a power cut; what came before it was played"]
    assert told == replay(table, before)[0]


def test_what_this_game_does_not_have_is_refused_with_a_sentence(recording: tuple[Path, str], tmp_path: Path) -> None:
    table, text = recording
    trace = tmp_path / "game.jsonl"
    at = max(json.loads(line)["at"] for line in text.splitlines()[-3:])
    made = [
        {"command": "correct", "of": [7, 0], "remove": True},
        {"command": "answer", "question": "black-3", "choice": "cup-3", "asked": [7, 0]},
        {"command": "answer", "question": "away-1", "choice": "yes"},
        {"command": "answer", "question": "go-on", "choice": "yes"},
        {"command": "correct", "of": [7, 0], "remove": True, "game": 7},
        {"command": "quarantine", "sensor": "the third cup"},
        {"command": "event", "event": {"event": "shot", "ball": "white-9"}},
        {"command": "start_game", "options": {"target": "far"}},
        {"command": "resume"},
    ]
    trace.write_text(text + "".join(f"{act({**one, 'by': 'web'}, at)}\n" for one in made))
    told, errors, status = replay(table, trace)
    refused = [(line["command"], line["refused"]) for line in told if "refused" in line]
    assert [command for command, _ in refused] == [one["command"] for one in made]
    for (_, said), word in zip(
        refused,
        (
            "no such event",
            "no such question",
            "'away-1'",
            "nobody asks",
            "no game",
            "third cup",
            "white-9",
            "target",
            "not paused",
        ),
        strict=True,
    ):
        assert word in said
    assert status == 1
    assert errors == ['Of what people did then, 9 could not be done here: see the lines with "refused"']


words = st.sampled_from([*WORDS.values(), "boot", "found", "source", "slow", "leave_out"])
models = [StartGame, EnterEvent, Answer, Correct, NotDone, OfSensor, ForgetPlayer, Boot, Found, Gap, LeftOut]
keys = st.sampled_from(sorted({name for model in models for name in model.model_fields} - {"command"}))
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 1 << 70)
    | st.text(max_size=5)
    | st.floats()
    | st.sampled_from(["sim", "cup-3", "shot"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | keys, inner, max_size=3),
    max_leaves=8,
)
likely = {
    "by": st.just("web"),
    "event": st.just({"event": "end_turn"}),
    "question": st.sampled_from(["go-on", "away-1"]),
    "choice": st.sampled_from(["yes", "no"]),
    "of": st.just([1, 0]),
    "sensor": st.sampled_from(["cup-3", "half-way"]),
    "source": st.just("sim"),
    "what": st.sampled_from(["away", "back"]),
    "since": st.just("20:00"),
    "why": st.just("it rattles"),
    "remove": st.just(value=True),
    "gone": st.booleans(),
}


@st.composite
def deeds(draw: st.DrawFn) -> dict[str, Any]:
    said: dict[str, Any] = {"command": draw(words)}
    for key in draw(st.lists(keys, max_size=6)):
        said[key] = draw(likely[key] if key in likely and draw(st.integers(0, 3)) else anything)
    return {"by": "web", **said} if draw(st.booleans()) else said


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(st.lists(deeds(), min_size=1, max_size=12), st.integers(0, 1 << 62))
def test_whatever_people_are_said_to_have_done_is_done_or_refused(
    recording: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory, made: Lines, chance: int
) -> None:
    table, text = recording
    lines = text.splitlines(keepends=True)[:900]
    for n, one in enumerate(made):
        place = 2 + (chance + n * 37) % (len(lines) - 2)
        lines.insert(place, act(one, chance) + "\n")
    trace = tmp_path_factory.mktemp("made") / "game.jsonl"
    trace.write_text("".join(lines))
    again = Replayed(load_table(table), trace)
    unread = 0
    for one in made:
        try:
            read_deed(Act(json.loads(json.dumps(one)), chance))
        except BadDeed:
            unread += 1
    assert len(again.replay.faults) == unread


def test_files_whose_beginning_is_gone_are_played_under_their_own_house_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What names events and questions of before is refused, each with a sentence."""
    monkeypatch.setattr(trace_ring, "SMALLEST", 1)
    table = simulated_table("bagatelle")
    ring = TraceRing(tmp_path / "game.jsonl", "simulated", size=6_000, keep=80)
    recorder = FlightRecorder(lambda: ring, lambda _: None)
    recorder.start()
    stage = Stage(table, 4, panel=RecordingPanel(build_detectors(table), recorder), acts=recorder)
    stage.evening._between_games = lambda _: []  # type: ignore[method-assign,attr-defined]
    meddler = Meddler(stage, Random(4))
    stage.open()
    meddler.ask(NewGame(options={"target": 31}))
    for _ in range(14):
        stage.play_until(stage.now + 9 * SECOND)
        meddler.meddle()
    recorder.stop()
    files = ring.files
    assert len(files) > 3
    path = simulated_file("bagatelle", tmp_path)
    whole, errors, status = replay(path, *files)
    assert (errors, status) == ([], 0)
    assert stage.shown is not None
    assert whole[-1]["sides"] == {side.id: {"score": side.score, "pending": side.pending} for side in stage.shown.sides}
    told, errors, status = replay(path, *files[len(files) // 2 :])
    assert errors[0].startswith(f"{files[len(files) // 2]} begins in the middle of a game: another begins with it here, ")
    assert status == 1
    assert any("before the recording began" in line.get("refused", "") for line in told)
    again = Replayed(table, *files[len(files) // 2 :])
    assert again.shown.options["target"] == 31

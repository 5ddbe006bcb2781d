"""`tablemarker score` as a program: exit status, what goes where, and files that can't be read."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from controller.commands.score import LONGEST_LINE, command
from tests.long_games import LONG_GAMES
from tests.rules_kit import case_params, load_cases

OPENING = '{"event":"game","game":"bagatelle"}'
HIT = '{"event":"shot","ball":"white-1","hit_black":true,"moves":[{"ball":"black","to":"cup-9"}]}'
END = '{"event":"end_turn"}'


def score(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(command, list(arguments), input=stdin)


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_all_events_stood(tmp_path: Path) -> None:
    result = score(written(tmp_path / "game.jsonl", OPENING, HIT, END))
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["line"] for line in lines] == [1, 2, 3]
    assert lines[-1]["score"] == {"A": 18, "B": 0}


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input(arguments: list[str]) -> None:
    result = score(*arguments, stdin=f"{OPENING}\n{HIT}\n{END}\n")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3


def test_refused_events_give_status_1() -> None:
    result = score("--positions", stdin=f"{OPENING}\n{HIT}\n{HIT}\n")
    assert result.exit_code == 1
    last = json.loads(result.stdout.splitlines()[-1])
    assert (last["ok"], last["error"]["rule"], last["position"]["balls_left"]) == (False, "BAG-10", 7)


def test_an_unreadable_line_gives_status_2_and_its_place(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", OPENING, "", HIT, "}", HIT)
    result = score(path)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}:4: not JSON")
    assert len(result.stderr.splitlines()) == 1
    assert [json.loads(line)["line"] for line in result.stdout.splitlines()] == [1, 3]


@pytest.mark.parametrize("case", case_params("malformed"))
def test_malformed_case(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(case["text"], encoding="utf-8")
    result = score(str(path))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}:{case['line']}: ")
    assert len(result.stderr.splitlines()) == 1


def test_messages_name_standard_input() -> None:
    assert score(stdin="{").stderr.startswith("<stdin>:1: not JSON")
    assert score(stdin="").stderr.startswith("<stdin>:1: there is no game line")


@pytest.mark.parametrize("kind", ["missing", "folder"])
def test_a_file_that_cannot_be_read_is_one_line(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    if kind == "folder":
        path.mkdir()
    result = score(str(path))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"{path}: can't be read: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_file_without_line_ends_does_not_fill_the_memory() -> None:
    result = score(stdin=b"[" * (LONGEST_LINE + 1))
    assert result.exit_code == 2
    assert result.stderr.startswith("<stdin>:1: the line is longer")


def test_the_account_tells_each_point_with_its_rule() -> None:
    lost = '{"event":"shot","ball":"white-1","hit_black":false,"moves":[{"ball":"white-1","to":"cup-2"}]}'
    hit = HIT.replace("white-1", "white-2")
    opening = '{"event":"game","game":"bagatelle","position":{"score":{"A":110,"B":109}}}'
    result = score("--account", stdin=f"{opening}\n{lost}\n{lost}\n{hit}\n{END}\n{END}\n{HIT}\n")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "bagatelle: A 110, B 109",
        "line 2: shot, ball white-1",
        "    White 1 missed the black and is lost for this turn: lift it from cup 2. [BAG-06]",
        "line 3: shot, ball white-1 - refused",
        "    White 1 has been played already in this turn: play another. [BAG-10]",
        "line 5: end turn",
        "    +18 A  The black in cup 9 counts double. [BAG-12]",
        "    Collect the balls and set the black on spot a: B plays eight. [BAG-04]",
        "    A has 128, 120 or more: this is B's last turn, the larger total wins. [BAG-15a]",
        "    A 128, B 109",
        "line 7: shot, ball white-1 - refused",
        "    The game is over: start a new one. [BAG-15b]",
        "A wins: A 128, B 109. [BAG-15b]",
    ]


def test_the_account_of_an_unfinished_game_says_what_is_not_banked() -> None:
    result = score("--account", stdin=f"{OPENING}\n{HIT}\n")
    assert result.stdout.splitlines() == [
        "bagatelle: A 0, B 0",
        "Not banked yet:",
        "    +18 A  The black in cup 9 counts double. [BAG-12]",
        "Not over: A is to play.",
    ]


def test_the_account_of_an_unreadable_transcript_still_says_where() -> None:
    result = score("--account", stdin=f"{OPENING}\n}}\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("<stdin>:2: ")
    assert score("--account", stdin="").exit_code == 2


def program(*arguments: str, **more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "controller", "score", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **more,
    )


def test_each_line_from_standard_input_is_answered_at_once() -> None:
    with program() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (OPENING, HIT):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["ok"] is True
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    path = written(tmp_path / "long.jsonl", OPENING, *[HIT, END] * 20_000)
    with program(path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=20) == 1


def memory_kb(process: subprocess.Popen[bytes]) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_transcript_without_end_takes_no_more_memory() -> None:
    events, rounds = [json.dumps(event) for event in LONG_GAMES["bagatelle"]], 70_000
    opening, *rest = events
    with program() as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def feed(rounds: int) -> None:
            """Feed and read by turns, so that neither pipe fills up."""
            assert process.stdin is not None
            assert process.stdout is not None
            for _ in range(rounds // 100):
                process.stdin.write("".join(line + "\n" for line in rest * 100).encode())
                process.stdin.flush()
                for _ in range(len(rest) * 100):
                    last = process.stdout.readline()
                assert last

        process.stdin.write(f"{opening}\n".encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["ok"]
        feed(2_000)
        early = memory_kb(process)
        feed(rounds)
        assert len(rest) * rounds > 200_000
        assert memory_kb(process) - early < 512
        process.stdin.close()
        assert process.wait(timeout=60) == 1


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", OPENING, HIT)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "controller", "score", path], stdout=full, stderr=subprocess.PIPE, timeout=20, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"tablemarker: can't write the output: No space left on device\n"


def test_a_closed_standard_input_is_one_line() -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m controller score <&-"], capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 1


def test_a_closed_standard_output_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", OPENING)
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m controller score '{path}' >&-"], capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"tablemarker: can't write the output: standard output is closed\n")


def heed_ctrl_c() -> None:
    """What a shell starts in the background ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_it_without_a_traceback() -> None:
    with program(preexec_fn=heed_ctrl_c) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(OPENING.encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 1
        assert process.stderr.read().split() == [b"Aborted!"]


def test_the_account_has_what_people_are_asked() -> None:
    opening = '{"event":"game","game":"maw","options":{"strict_seed":true}}'
    result = score("--account", stdin=f'{opening}\n{{"event":"game_won","by":"A"}}\n')
    assert "    A has won a game: what is it worth? [M-13]" in result.stdout.splitlines()


def test_what_an_event_carries_is_not_told_to_people() -> None:
    carried = {"id": "i", "at": "t", "origin": "o", "evidence": "e", "note": "n"}
    result = score("--account", stdin=f"{OPENING}\n{HIT}\n{json.dumps({'event': 'end_turn', **carried})}\n")
    assert result.stdout.splitlines()[1] == "line 3: end turn"


@pytest.mark.parametrize("game", ["bagatelle", "maw"])
def test_what_cannot_be_printed_is_escaped_for_people(game: str) -> None:
    ruling = {"event": "ruling", "ask": "\ud800\n\x1b[1m", "by": "A", "value": "\udfff"}
    result = score("--account", stdin=f'{{"event":"game","game":"{game}"}}\n{json.dumps(ruling)}\n')
    assert result.exit_code == 1
    assert all(line.isprintable() for line in result.stdout.splitlines())
    assert len(result.stdout.splitlines()) == 4


def test_cases_of_the_kit_are_the_ones_the_program_scores(tmp_path: Path) -> None:
    case = next(case for case in load_cases("bagatelle") if case["expect"]["awards"])
    path = written(tmp_path / "case.jsonl", *[json.dumps(event) for event in case["transcript"]])
    last = json.loads(score(path).stdout.splitlines()[-1])
    assert last["score"] == case["expect"]["score"]

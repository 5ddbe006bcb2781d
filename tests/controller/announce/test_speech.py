"""The voice, with real child processes in the place of a speech program."""

from __future__ import annotations

import sys
import time
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.announce.sentences import Call
from controller.announce.speech import Voice
from tests.console_kit import wait_until

Faults = list[str | None]


@contextmanager
def voice(*command: str, patience: float = 20.0) -> Iterator[tuple[Voice, Faults]]:
    faults: Faults = []
    voice = Voice(command, faults.append, patience)
    voice.start()
    try:
        yield voice, faults
    finally:
        voice.stop()


def program(code: str) -> tuple[str, str, str]:
    return sys.executable, "-c", code


def writer(path: Path) -> tuple[str, str, str]:
    return program(f"import sys; open({str(path)!r}, 'a').write(sys.stdin.read())")


def test_a_call_comes_whole_on_the_programs_standard_input(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with voice(*writer(said)) as (speaker, faults):
        speaker.say(Call("score", '--help; $(touch harm) "Ann" & Bob 5, Zoë'))
        wait_until(lambda: faults == [None])
    assert said.read_text(encoding="utf-8") == '--help; $(touch harm) "Ann" & Bob 5, Zoë\n'


def test_line_breaks_and_orders_to_a_terminal_are_not_said(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with voice(*writer(said)) as (speaker, faults):
        speaker.say(Call("score", "Ann\n\x1b[2J 5"))
        wait_until(lambda: faults == [None])
    assert said.read_text(encoding="utf-8") == "Ann  [2J 5\n"


def test_a_newer_score_takes_the_place_of_one_that_waits(tmp_path: Path) -> None:
    said, started, gate = tmp_path / "said", tmp_path / "started", tmp_path / "gate"
    slow = program(
        f"import pathlib, sys, time; pathlib.Path({str(started)!r}).touch()\n"
        f"while not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.01)\n"
        f"open({str(said)!r}, 'a').write(sys.stdin.read())"
    )
    with voice(*slow) as (speaker, faults):
        speaker.say(Call("score", "first"))
        wait_until(started.exists)
        for n in range(1000):
            speaker.say(Call("score", f"score {n}"))
        speaker.say(Call("over", "Ann wins"))
        speaker.say(Call("score", "newest"))
        gate.touch()
        wait_until(lambda: len(faults) == 3)
    assert said.read_text(encoding="utf-8").split("\n") == ["first", "Ann wins", "newest", ""]


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (
            ("no-such-voice", "-v", "en"),
            "no program no-such-voice. Install it (sudo apt install espeak-ng), or put another",
        ),
        (program("import sys; sys.stderr.write('no\\n sound card'); sys.exit(3)"), "ended with 3 (no sound card): try it in a"),
        (("/etc/passwd",), "/etc/passwd can't be started (Permission denied); try it in a terminal: echo hello | /etc/passwd"),
    ],
    ids=["missing", "complains", "no program"],
)
def test_a_program_that_fails_is_a_fault_with_its_remedy(command: tuple[str, ...], fault: str) -> None:
    with voice(*command) as (speaker, faults):
        speaker.say(Call("score", "Ann 5"))
        wait_until(lambda: faults)
        assert fault in str(faults[0])


def test_a_program_that_hangs_is_ended_and_the_next_call_is_said(tmp_path: Path) -> None:
    said, hung = tmp_path / "said", tmp_path / "hung"
    once = program(
        f"import sys, time, pathlib; h = pathlib.Path({str(hung)!r})\n"
        f"if not h.exists(): h.touch(); time.sleep(1000)\n"
        f"open({str(said)!r}, 'a').write(sys.stdin.read())"
    )
    with voice(*once, patience=1.5) as (speaker, faults):
        speaker.say(Call("score", "lost"))
        wait_until(lambda: faults)
        assert "had not finished after 1.5 s and was ended: try it in a terminal" in str(faults[0])
        speaker.say(Call("score", "Ann 5"))
        wait_until(lambda: faults[1:] == [None])
    assert said.read_text() == "Ann 5\n"


def test_saying_never_blocks_and_stopping_ends_the_child_at_once(tmp_path: Path) -> None:
    started = tmp_path / "started"
    hangs = program(f"import pathlib, time; pathlib.Path({str(started)!r}).touch(); time.sleep(1000)")
    speaker = Voice(hangs, lambda _: None)
    speaker.start()
    began = time.monotonic()
    for n in range(1000):
        speaker.say(Call("score", "x" * n))
    assert time.monotonic() - began < 1
    wait_until(started.exists)
    child = speaker._child
    assert child is not None
    speaker.stop()
    assert child.returncode is not None
    assert time.monotonic() - began < 10


def test_a_program_that_does_not_read_is_no_fault_when_it_ends_well() -> None:
    with voice(*program("pass")) as (speaker, faults):
        speaker.say(Call("score", "x" * 1_000_000))
        wait_until(lambda: faults == [None])


# espeak-ng itself


@pytest.mark.speech
def test_espeak_says_a_call_as_sound(tmp_path: Path) -> None:
    heard = tmp_path / "heard.wav"
    with voice("espeak-ng", "-v", "en-gb", "-w", str(heard)) as (speaker, faults):
        speaker.say(Call("score", "--help; Zoë scores 22. Zoë 22, Bob 0."))
        wait_until(lambda: faults == [None])
    with wave.open(str(heard)) as sound:
        assert sound.getnframes() / sound.getframerate() > 1, "it says more than a word"


@pytest.mark.speech
def test_espeak_without_a_device_for_sound_is_a_fault_though_it_ends_well(monkeypatch: pytest.MonkeyPatch) -> None:
    # Neither of the ways that it knows leads anywhere, whatever this machine has.
    monkeypatch.setenv("PULSE_SERVER", "/nowhere")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/dev/null")
    with voice("espeak-ng", "-v", "en-gb") as (speaker, faults):
        for _ in range(2):
            faults.clear()
            speaker.say(Call("score", "Ann 22, Bob 0."))
            wait_until(lambda: len(faults) == 1)
            assert str(faults[0]).startswith("The score can't be called: espeak-ng complains (error: ")
            assert "Is there a device for sound?" in str(faults[0])


def test_a_warning_is_no_fault() -> None:
    with voice(*program("import sys; print('ALSA underrun occurred', file=sys.stderr)")) as (speaker, faults):
        speaker.say(Call("score", "Ann 22, Bob 0."))
        wait_until(lambda: faults == [None])

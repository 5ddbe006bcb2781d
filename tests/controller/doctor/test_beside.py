"""Pipes, the voice and the recordings: what is read is what is there, and each fault names its remedy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

import controller.doctor.beside
from controller.__main__ import cli
from controller.doctor.beside import Pipe, Speaker, check_pipe, check_recordings, check_speaker, read_pipe, read_speaker
from controller.doctor.storage import read_disk
from tests.controller.commands.test_run import SENSOR, table_file


def test_a_pipe_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    assert "mkfifo" in check_pipe(read_pipe("lines camera", path)).sentence
    path.write_text("a file")
    assert "neither a pipe nor a terminal" in check_pipe(read_pipe("lines camera", path)).sentence
    path.unlink()
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    found = read_pipe("lines camera", path)
    os.close(reader)
    assert found == Pipe("lines camera", path, there=True, fits=True, readable=True, user=str(os.geteuid()))
    assert check_pipe(found).state == "well"


def test_a_pseudo_terminal_will_do() -> None:
    ours, theirs = os.openpty()
    found = read_pipe("lines camera", Path(os.ttyname(theirs)))
    os.close(ours)
    os.close(theirs)
    assert check_pipe(found).state == "well"


def test_a_pipe_that_we_may_not_read() -> None:
    finding = check_pipe(Pipe("lines camera", Path("/run/p"), there=True, fits=True, user="pi"))
    assert (finding.state, finding.sentence) == ("FAULT", "user pi may not read /run/p: sudo chown pi /run/p")


@pytest.mark.parametrize(
    ("speaker", "state", "says"),
    [
        (Speaker(("espeak-ng",)), "FAULT", "there is no program espeak-ng: sudo apt install espeak-ng, or put another one"),
        (Speaker(("./say",)), "FAULT", "there is no program ./say: install it, or make it executable"),
        (
            Speaker(("say", "-v x"), "/bin/say", plays=True),
            "well",
            "/bin/say is there; whether it is heard you hear: echo hello | say '-v x'",
        ),
        (Speaker(("say",), "/bin/say", plays=False), "-", "this machine shows no device for sound"),
        (Speaker(("say",), "/bin/say"), "-", "this machine shows no device for sound"),
    ],
)
def test_the_voice(speaker: Speaker, state: str, says: str) -> None:
    finding = check_speaker(speaker)
    assert (finding.state, says in finding.sentence) == (state, True), finding


def test_the_voice_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.doctor.beside, "PLAYBACK", tmp_path / "pcm")
    assert read_speaker(["sh", "-c", "cat"]) == Speaker(("sh", "-c", "cat"), read_speaker(["sh"]).found)
    assert read_speaker(["sh"]).found is not None
    assert read_speaker(["no-such-program"]).found is None
    (tmp_path / "pcm").write_text("00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8\n")
    assert read_speaker(["sh"]).plays is True


def test_where_recordings_go(tmp_path: Path) -> None:
    assert check_recordings(read_disk(tmp_path)).state == "well"
    finding = check_recordings(read_disk(tmp_path / "none"))
    assert (finding.state, "set folder in [record] to another place" in finding.sentence) == ("FAULT", True)


def test_the_whole_examination_looks_at_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "camera")
    more = (
        f'{SENSOR}[[lines]]\nname = "camera"\npipe = "camera"\n[[lines]]\nname = "other"\npipe = "nowhere"\n'
        '[speech]\ncommand = ["no-such-voice"]\n[record]\nfolder = "camera/recordings"\n'
    )
    told = CliRunner().invoke(cli, ["doctor", str(table_file(tmp_path, more=more))]).stdout
    assert f"well   lines camera   {tmp_path / 'camera'} is there and may be read" in told
    assert f"FAULT  lines other    {tmp_path / 'nowhere'} is not there: mkfifo" in told
    assert "FAULT  speech         there is no program no-such-voice" in told
    assert f"FAULT  recordings     there is no folder {tmp_path / 'camera'}: make it, or set folder in [record]" in told

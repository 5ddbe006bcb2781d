"""`tablemarker demo` as a program: what it prints, and what it says when it can't begin."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import paho.mqtt.client as paho
import pytest

from tests.broker_kit import client

FREE = ("--port", "0", "--mqtt-port", "0")


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller", "demo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


def test_it_prints_where_to_look_and_how_the_game_ended() -> None:
    done = demo("bagatelle", "--once", "--speed", "100000", *FREE)
    assert done.returncode == 0, done.stderr
    board, topics, *rest = done.stderr.splitlines()
    assert board.startswith("The scoreboard:  http://127.0.0.1:")
    assert topics.startswith("The topics:      mosquitto_sub -p ")
    assert topics.endswith("-t 'tablemarker/bagatelle-1/#'")
    assert ("mosquitto-clients" in done.stderr) is (shutil.which("mosquitto_sub") is None)
    assert "There too:       /history, /sensors, and /marker with the PIN 1234" in rest
    (result,) = done.stdout.splitlines()
    assert result.startswith("bagatelle: Player A ")
    assert "(BAG-1" in result


def test_the_same_seed_ends_in_the_same_line_and_another_in_another() -> None:
    with ThreadPoolExecutor() as pool:
        runs = [("bagatelle", "--once", "--speed", "200", "--seed", seed) for seed in ("12", "12", "5")]
        done = [*pool.map(lambda words: demo(*words, *FREE), runs)]
    assert [one.returncode for one in done] == [0, 0, 0], done
    once, again, other = (one.stdout.splitlines()[-1] for one in done)
    assert once == again != other
    assert once.startswith("bagatelle: Player A ")


@pytest.mark.parametrize("game", ["fortification", "squails", "maw"])
def test_the_same_seed_ends_in_the_same_line(game: str) -> None:
    command = [sys.executable, "-m", "controller", "demo", game, "--once", "--speed", "1000", "--seed", "7", *FREE]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        (one, said), (other, _) = (process.communicate(timeout=100) for process in both)
    finally:
        for process in both:
            process.kill()
    assert [process.returncode for process in both] == [0, 0], said
    assert one == other
    (result,) = one.splitlines()
    assert re.fullmatch(rf"{game}: .+ \d+, .+ \d+; .+ wins \([A-Z]+-\w+\)", result)


def test_it_is_a_device_in_home_assistant_as_any_table_is() -> None:
    command = [sys.executable, "-m", "controller", "demo", *FREE]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            told = "".join(process.stderr.readline() for _ in range(2))
            port = int(told.partition("mosquitto_sub -p ")[2].split()[0])
            with client(port, "homeassistant/#", version=paho.MQTTv311) as viewer:
                viewer.wait(lambda message: message.topic == "homeassistant/event/tablemarker_bagatelle-1/call/config")
        finally:
            process.kill()


@pytest.mark.parametrize(("option", "other"), [("--port", "--mqtt-port"), ("--mqtt-port", "--port")])
def test_a_port_that_is_taken_is_one_line_with_the_remedy(option: str, other: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = demo("--once", option, str(port), other, "0")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert f"port {port}" in line
    assert "choose another" in line
    assert line.endswith(f" with {option}")


@pytest.mark.parametrize("arguments", [("whist",), ("--speed", "0"), ("--speed", "nan"), ("--seed", "x")])
def test_wrong_use_is_status_2(arguments: tuple[str, ...]) -> None:
    done = demo(*arguments, *FREE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr

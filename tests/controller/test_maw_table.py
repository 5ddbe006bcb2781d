"""A real table of maw: the program, a serial port with a tag reader that behaves as they do, and a marker with a phone."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.rules.maw.words import CARDS
from tests.broker_kit import free_port

TABLE = """
[table]
id = "maw"
game = "maw"
[web]
listen = "127.0.0.1:{web}"
[marker]
pin_file = "pin"
[[lines]]
name = "reader"
port = "{port}"
[[sensor]]
role = "card"
kind = "reader"
source = "lines:reader"
code = "rdm6300"
tags = "pack.tags"
"""


def frame(card: str) -> bytes:
    """What the reader sends for the tag on this card."""
    number = CARDS.index(card) + 0x0300
    data = number.to_bytes(5, "big")
    return f"\x02{data.hex().upper()}{data[3] ^ data[4]:02X}\x03".encode()


@contextmanager
def program(path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, "-m", "controller", "run", path], stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


class House:
    """The reader's wire and the marker's phone."""

    def __init__(self, folder: Path) -> None:
        self.wire, other = pty.openpty()
        tty.setraw(other)
        self.web = free_port()
        self.path = folder / "table.toml"
        self.path.write_text(TABLE.format(web=self.web, port=os.ttyname(other)))
        (folder / "pin").write_text("4711\n")
        (folder / "pack.tags").write_bytes(b"\n".join(map(frame, CARDS)))

    def send(self, data: bytes) -> None:
        os.write(self.wire, data)

    def command(self, **body: Any) -> None:
        reply = httpx.post(
            f"http://127.0.0.1:{self.web}/api/command", json=body, headers={"authorization": "Bearer 4711"}, timeout=20
        )
        assert reply.status_code == 200, reply.text

    def answer(self, choice: str) -> str:
        """Answer the one open question; gives its text."""
        with httpx.stream("GET", f"http://127.0.0.1:{self.web}/api/stream", timeout=20) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line == "event: questions")
            (question,) = json.loads(next(lines).removeprefix("data: "))["questions"]
        self.command(command="answer", question=question["id"], choice=choice)
        return str(question["text"])

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The score once it is as wanted."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            score: dict[str, Any] = httpx.get(f"http://127.0.0.1:{self.web}/api/score", timeout=20).json()
            if holds(score):
                return score
            time.sleep(0.02)
        raise AssertionError(f"not within half a minute: {score}")


@pytest.mark.timeout(120)
def test_a_deal_is_read_from_a_real_port_and_a_question_answered(tmp_path: Path) -> None:
    house = House(tmp_path)
    with program(house.path) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("maw is ready.")
        house.command(command="start_game", sides=["Ann", "Bob"])
        house.until(lambda score: score["phase"] == "playing")
        # Held, torn, and with a wrong digit in between.
        house.send(frame("6D") + frame("6D")[:7])
        house.send(frame("6D")[7:] + frame("6D") + frame("QC").replace(b"25", b"26", 1))
        house.send(frame("KC") + frame("KC")[3:] + frame("10C"))
        score = house.until(lambda score: len(score["seen"]["trick"]) == 2)
        assert score["seen"]["turned_up"] == "6D"
        assert score["seen"]["trick"] == [{"by": "A", "card": "KC"}, {"by": "B", "card": "10C"}]
        assert house.answer("B") == "Who dealt, when the 6D was turned up?"
        house.until(lambda score: score["questions"] == 0)
        for card in ("KS", "10S", "5D", "2D"):
            house.send(frame(card))
        score = house.until(lambda score: score["questions"] == 1)
        assert score["provisional"]
        assert house.answer("A") == "Who has won the game? Tricks by the cards: A 3, B 0."
        score = house.until(lambda score: not score["provisional"])
        assert {side["name"]: side["score"] for side in score["sides"]} == {"Ann": 4, "Bob": 0}
    os.close(house.wire)

"""What is put down for the link: commands that are refused by the thousand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.intake import refusal
from controller.publish.desk import Desk
from controller.publish.sparing import Sparing
from controller.publish.topics import Topics
from hardware.signals import SECOND

MINUTE = 60 * SECOND


@pytest.fixture
def desk() -> Iterator[Desk]:
    one = Desk(Topics.of_table("long-room"), str, None)
    yield one
    one.close()


def test_a_flood_of_commands_that_are_refused_fills_no_log(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(3000):
        desk.put_reply(refusal(None, f"no {number}"), number * SECOND // 1000, None, None)
    assert caplog.messages == [f"a command by MQTT was refused: no {number}" for number in range(20)]
    assert len(desk.replies) == desk.replies.limit
    desk.put_reply(refusal(None, "no more"), MINUTE, None, None)
    assert caplog.messages[20:] == ["a command by MQTT was refused: no more (2980 before it were refused without a line here)"]


def test_a_quiet_while_earns_the_lines_back() -> None:
    sparing = Sparing(at_once=2, every=MINUTE)
    assert [sparing.let(now) for now in (0, 1, 2, 3)] == [0, 0, None, None]
    assert [sparing.let(MINUTE + now) for now in (0, 1)] == [2, None]
    assert [sparing.let(9 * MINUTE + now) for now in (0, 1, 2)] == [1, 0, None]

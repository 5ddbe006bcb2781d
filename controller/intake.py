"""Commands from outside, by MQTT or HTTP: bytes become one request to the engine.

Whoever isn't sure that a command arrived sends it again, and so does MQTT by itself: the same command counts once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.command_models import BadCommand, CommandModel, read_command
from controller.engine.answered import Answered
from controller.engine.requests import Reply, Request
from controller.publish.messages import ReplyMessage, plain
from hardware.signals import MS, SECOND

ID_WINDOW = 600 * SECOND
BYTES_WINDOW = 500 * MS
MOST_REMEMBERED = 2000
"""Commands whose replies are kept: older ones are forgotten before their time."""
MOST_WAITING = 64
"""Commands that the engine has yet to answer, and askers that wait for the same answer."""

GiveReply = Callable[[Mapping[str, Any]], None]
"""Takes a reply, as the JSON object of `ReplyMessage`; called from any thread, and must not block."""


@dataclass(slots=True)
class _Asked:
    """A command that the engine has: its reply once there is one, and who waits for it."""

    at: int
    reply: Mapping[str, Any] | None = None
    askers: list[GiveReply] = field(default_factory=list)


class _Memory:
    """Commands of the last `window` nanoseconds."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._asked: dict[str | bytes, _Asked] = {}

    def find(self, key: str | bytes, now: int) -> _Asked | None:
        found = self._asked.get(key)
        return found if found is not None and now - found.at <= self._window else None

    def add(self, key: str | bytes, asked: _Asked) -> None:
        self._asked.pop(key, None)
        self._asked[key] = asked
        # Kept in order of time: what is too old, or too much, lies in front.
        while len(self._asked) > MOST_REMEMBERED or asked.at - next(iter(self._asked.values())).at > self._window:
            del self._asked[next(iter(self._asked))]

    def __len__(self) -> int:
        return len(self._asked)


class Intake:
    """Takes commands from any thread and hands each on once. `submit` puts a request on the engine's queue.

    `answered`: the commands with an id that were answered before this start, oldest first, with times of this boot.
    """

    def __init__(self, submit: Callable[[Request], None], answered: Iterable[Answered] = ()) -> None:
        self._submit = submit
        self._lock = threading.Lock()
        self._by_id = _Memory(ID_WINDOW)
        for one in answered:
            self._by_id.add(one.id, _Asked(one.at, _message(one.id, one.reply)))
        self._by_bytes = _Memory(BYTES_WINDOW)
        self._waiting = 0

    def take(self, data: bytes, give: GiveReply, *, now: int, via: str, token: str | None = None) -> None:
        """Take one command; `give` gets its reply once, at once or later.

        `now`: monotonic nanoseconds. `via`: how it came, for the journal. `token`: what the command must carry; None where its
        sender was let in already.
        """
        try:
            model = read_command(data, token)
            request = model.request()
        except BadCommand as error:
            give(refusal(error.id, str(error)))
            return
        with self._lock:
            asked, known = self._place(model, data, now)
            if asked is not None and asked.reply is None:
                if len(asked.askers) < MOST_WAITING:
                    asked.askers.append(give)
                else:
                    asked = None
        if asked is None:
            give(refusal(model.id, f"{MOST_WAITING} commands wait for an answer already; try again in a moment"))
        elif not known:
            kept_as = model.id if model.changes else None
            self._submit(Request(request, via, lambda reply: self._replied(asked, model.id, reply), kept_as))
        elif asked.reply is not None:
            give(asked.reply)

    def _place(self, model: CommandModel, data: bytes, now: int) -> tuple[_Asked | None, bool]:
        """Where the command is remembered, and whether it was before; no place when too many wait."""
        memory, key = (self._by_bytes, data) if model.id is None else (self._by_id, model.id)
        by_itself = model.id is None and getattr(model, "if_revision", None) is not None
        found = None if by_itself else memory.find(key, now)
        if found is not None:
            return found, True
        if self._waiting >= MOST_WAITING:
            return None, False
        self._waiting += 1
        asked = _Asked(now)
        if not by_itself:
            memory.add(key, asked)
        return asked, False

    def _replied(self, asked: _Asked, command_id: str | None, reply: Reply) -> None:
        message = _message(command_id, reply)
        with self._lock:
            self._waiting -= 1
            asked.reply = message
            askers, asked.askers = asked.askers, []
        for give in askers:
            give(message)


def _message(command_id: str | None, reply: Reply) -> Mapping[str, Any]:
    return plain(ReplyMessage(id=command_id, ok=reply.ok, error=reply.error, revision=reply.revision, detail=reply.detail))


def refusal(command_id: str | None, error: str) -> Mapping[str, Any]:
    """The reply to a command that isn't taken."""
    return plain(ReplyMessage(id=command_id, ok=False, error=error))

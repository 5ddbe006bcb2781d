"""Transcripts: a game written down as its events, one JSON object a line, and what the rules say of each.

Pure over lines of bytes, and streaming: no more than one line and one state are held.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from controller.rules.awards import Ask, Award, Json, Notice, Over, Refusal, Ruling
from controller.rules.errors import RulesError
from controller.rules.game import Event, Game
from controller.rules.registry import find_game
from controller.strict_json import NotStrict, read_object

GAME_LINE = '{"event":"game","game":"bagatelle"}'


LARGEST_NUMBER = sys.float_info.max
"""What other programs write beside an event is kept, such as a time in nanoseconds; but the rules divide and compare."""

LONGEST_MESSAGE = 1000
"""Characters."""


class Unreadable(ValueError):
    """A transcript that can't be read on: the line, counted from 1, and what is wrong there."""

    def __init__(self, line: int, message: str) -> None:
        # A name from the transcript may hold line ends, but the message is one line.
        self.message = shortened(" ".join(message.splitlines()))
        self.line = line
        super().__init__(f"{line}: {self.message}")


def shortened(message: str) -> str:
    """A message whose middle is left out if it is too long to be read: it may quote what was found in the line."""
    spare = len(message) - LONGEST_MESSAGE
    return message if spare <= 0 else f"{message[: LONGEST_MESSAGE // 2]} … {message[LONGEST_MESSAGE // 2 + spare :]}"


class Entry(NamedTuple):
    """A line of a transcript and what came of it. The game line has no event and no outcome."""

    line: int
    game: Game[Any]
    state: Any
    """After the line."""
    event: Event | None = None
    outcome: Ruling[Any] | Refusal | None = None

    @property
    def refused(self) -> bool:
        """Whether the rules refused the event."""
        return isinstance(self.outcome, Refusal)


def entries(lines: Iterable[bytes]) -> Iterator[Entry]:
    """Play a transcript line by line. Raises `Unreadable` at the first line that can't be read."""
    number = 0
    game: Game[Any] | None = None
    state: Any = None
    for number, raw in enumerate(lines, start=1):
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if not text or text.startswith("#"):
                continue
            obj = read_object(text, LARGEST_NUMBER)
            if game is None:
                game, state = _open(obj)
                yield Entry(number, game, state)
                continue
            event = game.read_in(state, obj)
        except UnicodeDecodeError as error:
            raise Unreadable(number, f"not UTF-8: byte {error.object[error.start]:#04x} at place {error.start + 1}") from None
        except (NotStrict, RulesError) as error:
            raise Unreadable(number, str(error)) from None
        outcome = game.apply(state, event)
        if isinstance(outcome, Ruling):
            state = outcome.state
        yield Entry(number, game, state, event, outcome)
    if game is None:
        raise Unreadable(max(number, 1), f"there is no game line: a transcript begins with {GAME_LINE}")


def _open(obj: dict[str, Json]) -> tuple[Game[Any], Any]:
    """The game that the first line opens, and its first state. Raises `RulesError`, `NotStrict`."""
    if obj.get("event") != "game":
        raise NotStrict(f"a transcript begins with its game line, such as {GAME_LINE}")
    for key in obj:
        if key not in _GAME_KEYS:
            raise NotStrict(f"unknown field {key!r} in the game line; allowed: {', '.join(sorted(_GAME_KEYS))}")
    name = obj.get("game")
    if not isinstance(name, str):
        raise NotStrict(f"the game line names its game, such as {GAME_LINE}")
    game = find_game(name)
    options, position = obj.get("options", {}), obj.get("position", {})
    if not isinstance(options, dict) or not isinstance(position, dict):
        raise NotStrict("options and position are objects")
    return game, game.start(options, position)


_GAME_KEYS = {"event", "game", "options", "position", "id", "at", "origin", "evidence", "note"}


def entry_json(entry: Entry, *, positions: bool = False) -> dict[str, Json]:
    """The output object of a line."""
    return _told({"line": entry.line}, entry.game, entry.state, entry.outcome, positions=positions)


def outcome_json(
    game: Game[Any], state: Any, outcome: Ruling[Any] | Refusal | None, *, positions: bool = False
) -> dict[str, Json]:
    """What the rules said of an event, as a transcript's output has it but for the line number.

    `state` is the state after the event. No outcome: the opening of the game.
    """
    return _told({}, game, state, outcome, positions=positions)


def _told(
    out: dict[str, Json], game: Game[Any], state: Any, outcome: Ruling[Any] | Refusal | None, *, positions: bool
) -> dict[str, Json]:
    if isinstance(outcome, Ruling):
        out["ok"] = True
        out["awards"] = [award_json(award) for award in outcome.awards]
        unbanked, notices, asks, over = outcome.unbanked, outcome.notices, outcome.asks, outcome.over
    else:
        out["ok"] = outcome is None
        if outcome is not None:
            out["error"] = {"rule": outcome.rule, "text": outcome.text}
        out["awards"] = []
        unbanked, notices, asks, over = game.unbanked(state), (), game.asks(state), game.over(state)
    if unbanked is not None:
        out["unbanked"] = [award_json(award) for award in unbanked]
    out["notices"] = [notice_json(notice) for notice in notices]
    if asks:
        out["asks"] = [ask_json(ask) for ask in asks]
    out["score"] = dict(game.score(state))
    out["over"] = over_json(over) if over else None
    if positions:
        out["position"] = game.position(state)
    return out


def award_json(award: Award) -> Json:
    """An award as the transcript's output has it."""
    return {"side": award.side, "points": award.points, "rule": award.rule, "why": award.why}


def notice_json(notice: Notice) -> Json:
    """A notice as the transcript's output has it."""
    return {"rule": notice.rule, "text": notice.text}


def ask_json(ask: Ask) -> Json:
    """An ask as the transcript's output has it."""
    return {"ask": ask.ask, "text": ask.text, "choices": list(ask.choices)}


def over_json(over: Over) -> Json:
    """The end of a game as the transcript's output has it."""
    return {"winner": over.winner, "draw": over.draw, "double": over.double, "rule": over.rule}

"""What people do with one game, be it in play or of an earlier day: enter an event, answer, undo, correct."""

from __future__ import annotations

from controller.engine.corrections import Action
from controller.engine.play import GameInPlay
from controller.engine.requests import Answer, Correct, EnterEvent, Undo
from controller.engine.trial import preview
from controller.rules.awards import Json

OnGame = EnterEvent | Answer | Undo | Correct
"""The commands about one game."""


def act(play: GameInPlay, command: OnGame, via: str, at: int) -> dict[str, Json] | None:
    """Do it; gives what was asked for, where the command only asks. Raises `Refused`."""
    by = f"{command.who} ({via})" if command.who else via
    if isinstance(command, EnterEvent):
        play.enter(command.event, by, at)
    elif isinstance(command, Answer):
        play.answer(command.question, command.choice, by, at)
    elif isinstance(command, Undo):
        play.undo(by, at, why=command.why)
    else:
        return _correct(play, command, by, at)
    return None


def _correct(play: GameInPlay, command: Correct, by: str, at: int) -> dict[str, Json] | None:
    event = command.replace or command.insert_before
    action: Action = "remove" if command.remove else "replace" if command.replace is not None else "insert_before"
    if not command.preview:
        play.correct(command.revision, action, event, why=command.why, by=by, at=at)
        return None
    found = preview(play, command.revision, action, event, by=by, at=at)
    scores: dict[str, dict[str, int]] = {
        "before": found.before,
        "after": found.after,
        "stake_before": found.stake_before,
        "stake_after": found.stake_after,
    }
    fallen: list[Json] = [{"revision": revision, "event": event} for revision, event in found.fallen]
    return {**{name: dict(sums) for name, sums in scores.items()}, "fallen": fallen, "saving": found.saving}

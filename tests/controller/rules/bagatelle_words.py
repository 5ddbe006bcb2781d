"""Shots and turns of bagatelle in few words."""

from __future__ import annotations

from typing import Any

from tests.rules_kit import Played, play

EIGHT = ["white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4"]


def shot(ball: str, moves: dict[str, str] | None = None, *, hit: bool = False, **more: Any) -> dict[str, Any]:
    listed = [{"ball": one, "to": to} for one, to in (moves or {}).items()]
    return {"event": "shot", "ball": ball, "hit_black": hit, "moves": listed, **more}


def turn_of(*cups: int, black: int | None = None) -> list[dict[str, Any]]:
    """A whole turn that fills these cups: with the black, and with as many of the eight."""
    first: dict[str, str] = {"black": f"cup-{black}" if black else "board"}
    shots = []
    for number, ball in enumerate(EIGHT):
        moves = first if number == 0 else {}
        if number < len(cups):
            moves = {**moves, ball: f"cup-{cups[number]}"}
        shots.append(shot(ball, moves, hit=number == 0))
    return shots


def bagatelle(*events: dict[str, Any], position: dict[str, Any] | None = None, **options: Any) -> Played:
    opening: dict[str, Any] = {"event": "game", "game": "bagatelle", "options": options}
    if position is not None:
        opening["position"] = position
    return play([opening, *events])


def refusal(played: Played) -> str:
    """The rule of the one refusal, which must be of the last event."""
    [(_, refused)] = played.refused.items()
    assert refused.text.endswith("."), refused.text
    return refused.rule


STRUCK = shot("white-1", {"black": "board"}, hit=True)

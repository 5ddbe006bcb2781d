"""Games by name."""

from __future__ import annotations

from typing import Any

from controller.rules.errors import UnknownGame, nearest
from controller.rules.game import Game

GAME_NAMES = ("bagatelle", "fortification", "squails", "maw")


def find_game(name: str) -> Game[Any]:
    """The rules of a game. Raises `UnknownGame` with the nearest right name."""
    # Imported when asked for: `tablemarker score` of one game needn't load the others.
    if name == "bagatelle":
        from controller.rules.bagatelle import Bagatelle  # noqa: PLC0415

        return Bagatelle()
    if name == "fortification":
        from controller.rules.fortification import Fortification  # noqa: PLC0415

        return Fortification()
    if name == "squails":
        from controller.rules.squails.game import Squails  # noqa: PLC0415

        return Squails()
    if name == "maw":
        from controller.rules.maw.game import Maw  # noqa: PLC0415

        return Maw()
    raise UnknownGame(f"unknown game {name!r}; {nearest(name, GAME_NAMES)}")

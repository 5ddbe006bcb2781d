"""Fortification billiards: thirty-eight articles, in `seeds/fortification.md` with their ids."""

from controller.rules.fortification.game import Fortification

__all__ = ["Fortification"]

"""Squails: discs struck over a round table at a small target. Rules SQU-01 … SQU-28, ledger S-01 … S-24."""

from controller.rules.squails.game import Squails

__all__ = ["Squails"]

"""What a check has found: well, a fault with its remedy, or something that this machine can't tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["well", "FAULT", "-"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the examination. `state`: the dash where there is nothing to look at, or no way to look."""

    check: str
    state: State
    sentence: str

    def __str__(self) -> str:
        """As it is printed."""
        return f"{self.state:<6} {self.check:<14} {self.sentence}"


def well(check: str, sentence: str) -> Finding:
    """Nothing is wrong."""
    return Finding(check, "well", sentence)


def fault(check: str, sentence: str) -> Finding:
    """Something is wrong; the sentence ends with the remedy."""
    return Finding(check, "FAULT", sentence)


def untold(check: str, sentence: str) -> Finding:
    """There is nothing to look at, or it can't be looked at here."""
    return Finding(check, "-", sentence)

"""Readings of balls of fortification: which of them tell whose ball it was that did something at a place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.rules.fortification.words import Ball
from controller.tables.signs import Sign
from hardware.signals import MS, SECOND

IDENTITY = 300 * MS
"""A ball that is read so close to a bell, an arch or a pocket is the one that was there."""
MEMORY = 10 * SECOND
"""Readings of balls are kept so long."""


@dataclass(frozen=True, slots=True)
class Read:
    """A ball was read at a place. `id` is the journal's id of the observation."""

    place: str
    ball: Ball
    at: int
    id: int


def near_reads(sign: Sign, reads: Iterable[Read]) -> list[Read]:
    """The readings where and when a sign was, the nearest to it first."""
    near = [read for read in reads if read.place == sign.place and abs(read.at - sign.at) <= IDENTITY]
    return sorted(near, key=lambda read: abs(read.at - sign.at))


def late_reads(sign: Sign, signs: Iterable[Sign], reads: Iterable[Read], until: int | None) -> list[Read]:
    """The readings of what lay there after a sign: until something else was there, or the next stroke began at `until`."""
    others = [one.at for one in signs if one.place == sign.place and one.at > sign.at]
    before = min([*(at - IDENTITY for at in others), *([] if until is None else [until])], default=None)
    return [
        read
        for read in reads
        if read.place == sign.place and read.at > sign.at + IDENTITY and (before is None or read.at < before)
    ]


def balls_of(reads: Sequence[Read]) -> list[Ball]:
    """The balls that were read, each once."""
    return [*dict.fromkeys(read.ball for read in reads)]

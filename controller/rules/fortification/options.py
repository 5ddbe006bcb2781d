"""The house rules: what the old text leaves open, with the defaults that the rule book argues for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.rules.game import Option

OPTIONS: tuple[Option, ...] = (
    Option("target", 20, "The score that wins the game.", item="FORT-00c"),
    Option(
        "loss",
        "deduct",
        "Where lost points go: off the loser's score, which may fall below zero; off it, but never below zero; "
        "or on to the adversary's score.",
        ("deduct", "deduct_floor_zero", "credit_adversary"),
        item="F-01",
    ),
    Option(
        "finish",
        "at_least",
        "Whether the target may be passed: reaching or passing it wins, or only that very score does and play goes on beyond it.",
        ("at_least", "exact"),
        item="F-02",
    ),
    Option(
        "attack_without_pass",
        "penalty",
        "A fort rung before the pass was ever made: two lost, or nothing at all.",
        ("penalty", "void"),
        item="F-06",
    ),
    Option(
        "mixed_stroke",
        "cancel",
        "A stroke with both gains and faults: a fault cancels every gain, or gains and losses are added up.",
        ("cancel", "sum"),
        item="F-08",
    ),
    Option(
        "overlap",
        "once",
        "Several articles that price one ball in one stroke: they count once, or each of them counts.",
        ("once", "each"),
        item="F-09",
    ),
    Option(
        "ball_in_fort",
        "respot",
        "A ball driven into a fort where no article says what becomes of it: back to its spot, or it stays there.",
        ("respot", "stay"),
        item="F-10",
    ),
    Option(
        "unspotted_fort",
        "falls",
        "A fort taken while the striker owes a ball its spot: it falls without pay, or it stays standing.",
        ("falls", "stands"),
        item="F-13",
    ),
    Option(
        "art33",
        "both",
        "Article 33 costs two when own and enemy balls leave the bed by one stroke; or as printed, when either does; "
        "or as the first, but only if a fort is taken too.",
        ("both", "literal", "with_fort_only"),
        item="F-33",
    ),
    Option(
        "own_fort_on_declared",
        "any",
        "A declared stroke that hits and sends an own ball into an own fort costs two: any own fort, or only a fallen one.",
        ("any", "fallen"),
        item="F-38",
    ),
    Option(
        "turn",
        "alternate",
        "Who strikes next: the sides in strict turns, or the striker again after a stroke that won points.",
        ("alternate", "continue_on_score"),
        item="F-18",
    ),
)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """One value for each option."""

    target: int
    loss: Literal["deduct", "deduct_floor_zero", "credit_adversary"]
    finish: Literal["at_least", "exact"]
    attack_without_pass: Literal["penalty", "void"]
    mixed_stroke: Literal["cancel", "sum"]
    overlap: Literal["once", "each"]
    ball_in_fort: Literal["respot", "stay"]
    unspotted_fort: Literal["falls", "stands"]
    art33: Literal["both", "literal", "with_fort_only"]
    own_fort_on_declared: Literal["any", "fallen"]
    turn: Literal["alternate", "continue_on_score"]

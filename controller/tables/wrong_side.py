"""A stroke of fortification that the sensors give to the side not in turn: its balls moved, and none of the side in turn did.

Either a stroke of the side in turn was missed, or it played a wrong ball, or a spot's sensor is wrong, or hands did it. The
rules know all of these, and no sensor can tell which, so people are asked. A stroke that was missed is an event of its own,
which stands under that answer alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.rules.awards import Json
from controller.rules.fortification.words import ATTACK, BALL_SIDE, ENEMY, NAME, SIDE_NAME, Ball, Side
from controller.tables.readings import Read
from controller.tables.siege import Stroke, cued_ball, draft
from controller.tables.table import Choice, Draft, Question

MISSED, OWN, NONE = "missed", "own", "none"


def played_by(stroke: Stroke, turn: Side) -> Side:
    """The side whose stroke it was, or most likely was: that in turn, unless the sensors and the key say otherwise."""
    # A key that names a ball of the side in turn speaks for it.
    return ENEMY[turn] if _contradicts(stroke, turn) and _named_of(stroke, turn) is None else turn


def drafts(stroke: Stroke, turn: Side, reads: Sequence[Read]) -> list[Draft]:
    """The stroke as an event, with the questions that bind its unknowns; before it the stroke that may have been missed."""
    likely = played_by(stroke, turn)
    told = draft(stroke, likely, reads)
    if not _contradicts(stroke, turn):
        return [told]
    question = _question(stroke, turn, OWN if likely == turn else MISSED)
    side, ball, missed = _unknowns(stroke)
    lapsed = tuple(stroke.lapsed.values()) if _lapsed(stroke, turn) else ()
    miss: dict[str, Json] = {"event": "stroke", "side": turn, "ball": missed, "facts": []}
    told = replace(told, event={**told.event, "side": side, "ball": ball}, questions=(*told.questions, question))
    if likely == turn:
        return [told]
    # Both hold an unknown of it: the first brings the question.
    return [
        Draft(miss, stroke.start, lapsed or tuple(stroke.evidence), questions=(question,)),
        told,
    ]


def _contradicts(stroke: Stroke, turn: Side) -> bool:
    moved = stroke.may_have_moved
    if not moved or any(BALL_SIDE[ball] == turn for ball in stroke.left):
        return False
    if any(BALL_SIDE[ball] == turn for ball in moved):
        # It may have been played from where it lay; not when it has only just left its spot, and nothing was seen since.
        return bool(stroke.left) and bool(_lapsed(stroke, turn))
    # With no button a beam alone doesn't say that anybody played.
    beams = stroke.called or stroke.missed
    return bool(stroke.left) or any(
        sign.what == "bell" or (beams and sign.what in ("pass", "pocket") and not sign.maybe_hand) for sign in stroke.signs
    )


def _named_of(stroke: Stroke, side: Side) -> Ball | None:
    return stroke.cued if stroke.cued is not None and BALL_SIDE[stroke.cued] == side else None


def _lapsed(stroke: Stroke, turn: Side) -> list[Ball]:
    return [ball for ball in stroke.lapsed if BALL_SIDE[ball] == turn]


def _unknowns(stroke: Stroke) -> tuple[str, str, str]:
    """The side and the ball of the stroke, and the ball of the one that was missed."""
    return f"?side-{stroke.key}", f"?cue-{stroke.key}", f"?before-{stroke.key}"


def _question(stroke: Stroke, turn: Side, likely: str) -> Question:
    enemy, name = ENEMY[turn], SIDE_NAME[turn]
    lapsed = _lapsed(stroke, turn)
    of_turn = lapsed[0] if len(lapsed) == 1 else ATTACK[turn]
    # The key may name a ball of either side.
    of_enemy, own = (cued_ball(replace(stroke, cued=_named_of(stroke, side)), side) for side in (enemy, turn))

    def binds(side: Side | None, ball: Ball | None, missed: Ball | None) -> dict[str, Json]:
        return dict(zip(_unknowns(stroke), (side, ball, missed), strict=True))

    choices = [
        Choice(MISSED, f"A stroke of the {SIDE_NAME[enemy]}; one of the {name} was missed", binds(enemy, of_enemy, of_turn)),
        Choice(of_enemy, f"A stroke of the {name}, with a wrong ball, {NAME[of_enemy]}", binds(turn, of_enemy, None)),
        Choice(OWN, f"A stroke of the {name}, with a ball of their own", binds(turn, own, None)),
        Choice(NONE, "No stroke: a hand did it", binds(None, None, None)),
    ]
    if likely == OWN:
        # Whoever named a ball of the side in turn knew of the strokes before it.
        choices = [choices[2], choices[1], choices[3]]
    why = "but only balls of the {} left their spots" if lapsed else "but none of their balls left its spot"
    text = f"It is the turn of the {name}, {why.format(SIDE_NAME[enemy])}. Whose stroke was it?"
    return Question(f"played-{stroke.key}", text, tuple(choices), likely, due=True)

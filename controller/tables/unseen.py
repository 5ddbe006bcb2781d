"""What a table of maw does not see of calls and tricks: questions in the place of buttons and readers. Pure."""

from __future__ import annotations

from controller.rules.maw.words import OTHER, Side
from controller.tables import suspicions
from controller.tables.places import Places
from controller.tables.table import Draft, Seen, Standing

CALLS = {"ask": "ask", "vie": "vie", "pledge": "pledge", "give-back": "give_back", "rob": "rob"}
"""Buttons that are calls, with their events."""
NOT_NOW = {
    "ask": ("M-06", "ask of a card"),
    "vie": ("MAW-11a", "vie"),
    "pledge": ("M-07", "pledge"),
    "give_back": ("M-07", "giving back"),
    "rob": ("M-08", "rob"),
}
"""Calls that the laws may forbid: the rule, and the call in words."""


def unseen_winner(standing: Standing, places: Places, seen: Seen) -> list[Draft]:
    """Who won the game before cards are dealt anew, where nothing tells of tricks; a deal of which nothing was seen was none."""
    if places.reads_both or places.trick_button or not standing.events:
        return []
    if standing.events[-1][1]["event"] in ("new_deal", "game_won"):
        return []
    question = suspicions.won_unseen(f"won-{seen.id}")
    return [Draft({"event": "game_won", "by": f"?{question.id}"}, seen.observation.at, (seen.id,), 0, (question,))]


def unseen_answer(vied: Side | None, places: Places, seen: Seen) -> list[Draft]:
    """What became of a vied card, where a button for it is missing: by now it is pledged or given back."""
    if vied is None or all(places.has(f"{OTHER[vied]}-{key}") for key in ("pledge", "give-back")):
        return []
    question = suspicions.answered(f"vied-{seen.id}", OTHER[vied])
    return [Draft({"event": f"?{question.id}", "by": OTHER[vied]}, seen.observation.at, (seen.id,), 0, (question,))]

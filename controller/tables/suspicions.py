"""What a table of maw can only suppose, as questions for people: who dealt, who led, who won, and whether a law was broken.

A suspicion is one event of either kind: under yes the offence, under no the card as it was played, which is likely. So nothing is
lost before somebody has said so.
"""

from __future__ import annotations

from dataclasses import replace

from controller.rules.awards import Json
from controller.rules.maw.words import OTHER, SIDES, Card, Side
from controller.tables.table import LEFT_OUT, Choice, Draft, Question

Event = dict[str, Json]


def sides_question(name: str, text: str, likely: Side, also: str = "") -> Question:
    """Which side it was: binds `?NAME`, and the other side to `?NAME.other`. `also`: the text of a choice that it was neither."""
    choices = [Choice(side, side, {f"?{name}": side, f"?{name}.other": OTHER[side]}) for side in (likely, OTHER[likely])]
    if also:
        choices.append(Choice("neither", also, {f"?{name}": None, f"?{name}.other": None}))
    return Question(name, text, tuple(choices), likely, due=True)


def ace_of_hearts(number: int, likely: Side) -> Question:
    """MAW-08: it gains four, so people say that it was turned up, and by whom."""
    return sides_question(f"ace-{number}", "The ace of hearts: which side turned it up?", likely, "It was not turned up")


def winner(name: str, tally: dict[Side, int], likely: Side) -> Question:
    """M-13: who has won the game, as the cards have it."""
    told = ", ".join(f"{side} {tally[side]}" for side in SIDES)
    return sides_question(name, f"Who has won the game? Tricks by the cards: {told}.", likely, "Nobody yet: play goes on")


def won_unseen(name: str) -> Question:
    """M-13: a deal is over, and nothing was seen of its tricks."""
    return sides_question(name, "Cards are dealt anew: who has won the game before?", "A", "Nobody: the deal was lost")


def answered(name: str, by: Side) -> Question:
    """M-07: play goes on, so the vied card was pledged or given back; binds the kind of the event."""
    choices = (Choice("pledge", "Pledged", {f"?{name}": "pledge"}), Choice("give_back", "Given back", {f"?{name}": "give_back"}))
    return Question(name, f"Was the vied card pledged or given back by {by}?", choices, "pledge", due=True)


def helps(name: str, by: Side) -> Question:
    """MAW-10, MAW-16a: the asker vies before the first trick has been played."""
    text = f"{by} has asked a card and vies: does {by} mean to lead a help that is still in hand?"
    yes = Choice("yes", "Yes", {f"?{name}": True, f"?{name}.in-hand": True})
    no = Choice("no", "No: the vie is not allowed", {f"?{name}": False, f"?{name}.in-hand": None})
    return Question(name, text, (yes, no), "yes", due=True)


def audit(name: str, by: Side, what: str, *, due: bool) -> Question:
    """MAW-06a: whether whoever robbed held the ace of trumps. `what`: what the cards told of it."""
    text = f"{by} has robbed{what}. Did {by} hold the ace of trumps?"
    return Question(name, text, (Choice("yes", "Yes", {f"?{name}": True}), Choice("no", "No", {f"?{name}": False})), "yes", due)


def denied(name: str, by: Side, what: str, evidence: tuple[int, ...]) -> Question:
    """The same where the cards say no: `evidence` are their observations. Play goes on as it did until people have said it."""
    return replace(audit(name, by, what, due=True), likely="no", firm=True, evidence=evidence)


def audited(name: str, by: Side, evidence: tuple[int, ...]) -> Question:
    """The same, settled: the ace was seen."""
    text = f"{by} has robbed, and played the ace of trumps."
    return Question(name, text, (Choice("yes", "Yes", {f"?{name}": True}),), "yes", due=False, evidence=evidence)


def suspected(law: int, text: str, played: Draft) -> Draft:
    """A card under suspicion: under no it is played, under yes it is the offence. Of two that fit alike the likely one stands."""
    name, event = f"law-{law}-{played.key}", played.event
    no = Choice("no", "No", {f"?{name}": event["event"], f"?{name}.card": event["card"], f"?{name}.law": LEFT_OUT})
    yes = Choice(
        "yes", f"Yes: {event['by']} broke law {law}", {f"?{name}": "offence", f"?{name}.card": LEFT_OUT, f"?{name}.law": law}
    )
    question = Question(name, text, (no, yes), "no", due=True)
    either: Event = {"event": f"?{name}", "by": event["by"], "card": f"?{name}.card", "law": f"?{name}.law"}
    return replace(played, event=either, questions=(question,))


def renounce(by: Side, led: Card, card: Card) -> str:
    """MAW-02, M-18, in words."""
    return f"{by} threw another suit away when the {led} was led, and now plays the {card}. Was that a renounce?"


def wrong_mate(by: Side) -> str:
    """MAW-03, in words."""
    return f"{by} leads, but it was the mate who took the last trick and should lead. Did {by} lead in the mate's place?"

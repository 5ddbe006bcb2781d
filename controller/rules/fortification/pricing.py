"""What the findings of a stroke cost and win: faults and gains are netted as the house does it."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.rules.awards import Notice
from controller.rules.fortification.findings import Findings
from controller.rules.fortification.state import FORT_POINTS
from controller.rules.fortification.words import NAME, SIDE_NAME, TITLE, Fort

HAZARDS_LOST = frozenset({"FORT-29", "FORT-31"})
HAZARDS_WON = frozenset({"FORT-28", "FORT-30"})
INTO_FORT = frozenset({"FORT-34a", "FORT-34b"})

# F-09: where several articles price one ball, the first of these is named for it.
CITED_FIRST = (
    "FORT-06",
    "FORT-09a",
    "FORT-18a",
    "FORT-22a",
    "FORT-29",
    "FORT-31",
    "FORT-34a",
    "FORT-34b",
    "FORT-36",
    "FORT-38a",
)


@dataclass(slots=True)
class Price:
    """What a stroke wins and loses, and the fort that it takes (`paid`: for points)."""

    gains: list[tuple[str, int, str]] = field(default_factory=list)
    """Rule, points, why."""
    losses: list[tuple[str, str]] = field(default_factory=list)
    """Rule and why; each costs two. FORT-13: a miss is neither gain nor loss."""
    taken: Fort | None = None
    paid: bool = True
    notices: list[Notice] = field(default_factory=list)


def price(found: Findings, *, owes: bool) -> Price:
    """Net the findings. `owes`: the striker had a ball to put back when he struck (FORT-23b)."""
    rules = found.rules
    result = Price(taken=found.taken, paid=not owes)
    if found.taken is not None:
        _fort(found, result, owes=owes)
    if found.forced and rules.art33 == "literal" and found.taken is None:
        # Beside a fort regularly taken 32a stands, which is the more exact. The stroke loses two in all, which 29 or 31
        # may have taken already.
        for articles in found.gains.values():
            for rule in HAZARDS_WON:
                articles.pop(rule, None)
        if not found.own_forced:
            result.losses.append(("FORT-33", "An enemy ball was holed or forced off the bed"))
    _gains(found, result)
    _faults(found, result)
    if found.declared:
        _declared(found, result)
    if result.losses and rules.mixed_stroke == "cancel":
        _cancel(found, result)
    return result


def _fort(found: Findings, result: Price, *, owes: bool) -> None:
    fort = found.taken
    assert fort is not None
    if not owes:
        result.gains.append(("FORT-11", FORT_POINTS, f"The {SIDE_NAME[found.side]} attacking ball took {NAME[fort]}"))
        return
    falls = found.rules.unspotted_fort == "falls"
    outcome = "it falls unpaid" if falls else "it stands"
    result.notices.append(Notice("FORT-23b", f"{TITLE[fort]} counts nothing, since a ball was not on its spot: {outcome}."))
    if not falls:
        result.taken = None


def _gains(found: Findings, result: Price) -> None:
    with_fort = " (FORT-32a: six, with the fort)" if found.taken is not None and result.paid else ""
    for articles in found.gains.values():
        if found.rules.overlap == "once" and len(articles) > 1:
            # F-09, F-11: once for each ball, by the article that pays best.
            best = max(articles, key=lambda rule: articles[rule][0])
            articles = {best: articles[best]}  # noqa: PLW2901 - from here on that article alone counts
        for rule, (points, why) in articles.items():
            result.gains.append((rule, points, why + with_fort if rule in HAZARDS_WON else why))


def _faults(found: Findings, result: Price) -> None:
    for articles in found.faults.values():
        mixed = found.forced and not INTO_FORT.isdisjoint(articles)
        if found.rules.overlap == "each":
            result.losses += [(rule, why + _named(found, rule)) for rule, why in articles.items()]
            if mixed:
                result.losses.append(("FORT-32b", "An enemy ball was forced off the bed by the same stroke"))
        else:
            rule = next(rule for rule in CITED_FIRST if rule in articles)
            result.losses.append((rule, articles[rule] + _named(found, rule)))


def _named(found: Findings, rule: str) -> str:
    """Articles of mixed strokes that agree with the price."""
    named = []
    if found.forced and rule in INTO_FORT:
        named.append("FORT-32b")
    if found.forced and rule in HAZARDS_LOST and (found.rules.art33 != "with_fort_only" or found.taken is not None):
        named.append("FORT-33")
    if found.hidden_hit and rule in HAZARDS_LOST | INTO_FORT:
        named.append("FORT-38a")
    return f" ({', '.join(named)})" if named else ""


def _declared(found: Findings, result: Price) -> None:
    ball = found.hidden_hit
    if ball is None:
        # F-15: on top of whatever else went wrong.
        result.losses.append(("FORT-37c", "The hidden ball was not hit off the cushion"))
    else:
        before_fort = " (FORT-38b)" if "FORT-25" in found.gains.get(ball, {}) else ""
        result.gains.append(("FORT-37b", 2, f"{TITLE[ball]} was hidden and was hit off the cushion{before_fort}"))


def _cancel(found: Findings, result: Price) -> None:
    """F-08: a fault cancels every gain of the stroke, the fort among them."""
    kept: list[tuple[str, int, str]] = []
    unpriced = found.taken is None and found.hidden_hit is None and all(r in HAZARDS_LOST for r, _ in result.losses)
    if found.rules.art33 == "with_fort_only" and unpriced:
        # Article 33 then has no say in this stroke, nor has 38, so 28 to 31 are each reckoned.
        kept = [gain for gain in result.gains if gain[0] in HAZARDS_WON]
    if len(kept) < len(result.gains) or result.taken is not None:
        fort = f"; {NAME[result.taken]} stays up" if result.taken else ""
        result.notices.append(Notice("F-08", f"The fault cancels what the stroke would have won{fort}."))
    result.gains, result.taken = kept, None

"""Who took the tricks of a game of maw: by buttons, by what people say of leads, and by the cards; and what was seen of it."""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules.maw.words import OTHER, SIDES, Side
from controller.tables import suspicions
from controller.tables.deal import Deal, contradicted, takers, tally
from controller.tables.leads import Leads
from controller.tables.table import Draft, Seen, Standing

TRICKS, WINS = 5, 3


class Tricks:
    """The tricks of all deals of one game. A deal is known by the record that began it, a trick by its place in it from 0."""

    def __init__(self) -> None:
        self.leads = Leads()
        self.led: dict[int, tuple[int, ...]] = {}
        """By record: the observations behind an event of this table."""
        self._answers: Mapping[str, str] = {}
        self._pressed: dict[tuple[int, int], Side] = {}
        """By deal and trick: who took it, where a button told it."""
        self._told_by: dict[tuple[int, int], int] = {}
        """By deal and trick, -1 for who deals: the observation of that button."""

    def follow(self, standing: Standing) -> None:
        """Take where the rules stand: which leads count, and what people say of them."""
        self._answers = standing.answers
        self.leads.stand = frozenset(record for record, _ in standing.events)

    # What buttons tell

    def dealt(self, record: int, seen: int) -> None:
        """A button told who deals, in the deal of this record; `seen` is its observation."""
        self._told_by[record, -1] = seen

    def press(self, deal: Deal, place: int, by: Side, seen: int) -> None:
        """A side says by its button that it has taken this trick."""
        self._pressed[deal.record, place] = by
        self._told_by[deal.record, place] = seen

    def pressed(self, deal: Deal, place: int) -> Side | None:
        """Who took this trick, where a button told it."""
        return self._pressed.get((deal.record, place))

    # Who took them

    def takers(self, deal: Deal) -> list[Side | None]:
        """Who took each trick that is over."""
        pressed = {place: side for (record, place), side in self._pressed.items() if record == deal.record}
        led = {n: self.leads.rightly((deal.record, n + 1), self._answers) for n in range(len(deal.tricks))}
        return takers(deal, pressed | {place: side for place, side in led.items() if side is not None})

    def leader(self, deal: Deal) -> Side | None:
        """Whose lead it is: of the side that took the last trick, at first of the one that didn't deal."""
        if not deal.tricks:
            return deal.dealer and OTHER[deal.dealer]
        return self.takers(deal)[-1]

    def won(self, deal: Deal, seen: Seen) -> list[Draft]:
        """A game that is won, or over: known where buttons told each trick of it, else asked."""
        taken = self.takers(deal)
        counted = tally(taken)
        best = max(SIDES, key=lambda side: counted[side])
        if counted[best] < WINS and len(deal.tricks) < TRICKS:
            return []
        tricks = (number for place, by in enumerate(taken) if by == best for number in self.seen_of(deal, place))
        evidence = tuple(dict.fromkeys([*tricks, seen.id]))
        if self._told(deal, best) >= WINS:
            return [Draft({"event": "game_won", "by": best}, seen.observation.at, evidence)]
        question = suspicions.winner(f"won-{seen.id}", counted, best)
        return [Draft({"event": "game_won", "by": f"?{question.id}"}, seen.observation.at, evidence, 0, (question,))]

    def _told(self, deal: Deal, by: Side) -> int:
        """How many tricks a button gave to this side and the cards don't deny."""
        told = 0
        for place in range(len(deal.tricks)):
            led = self.leads.rightly((deal.record, place + 1), self._answers, told=True)
            given = self.pressed(deal, place) == by and not contradicted(deal.tricks[place], deal.trump, by)
            told += led == by or (led is None and given)
        return told

    # What was seen of them

    def seen_of(self, deal: Deal, place: int) -> tuple[int, ...]:
        """The observations that tell of a trick; before the first, at -1, who deals."""
        cards = deal.tricks[place] if place >= 0 else ()
        pressed = [self._told_by[deal.record, place]] if (deal.record, place) in self._told_by else []
        return (*(number for laid in cards for number in self.led.get(laid.record, ())), *pressed)

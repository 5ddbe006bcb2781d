"""The table of maw: one card reader or one at each place, and buttons at each side, as calls, cards and tricks.

The first card of a deal is the one turned up, the others are played in turn. Who takes a trick follows from the cards
or from a button (`tricks.py`); it says who leads next and whose card a shared reader has read. What would score by it is asked.
Where the rules stand is taken from the events that stand, so an undo or a correction changes what the next card means.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from controller.rules.awards import Json, Notice
from controller.rules.maw.words import CARDS, OTHER, Card, Side
from controller.tables import suspicions
from controller.tables.audit import Audit
from controller.tables.deal import (
    SEAT_SIDE,
    Deal,
    Laid,
    contradicted,
    deal_of,
    leading_seat,
    next_seat,
    renounced,
    tally,
)
from controller.tables.life import Life
from controller.tables.lying import Lying
from controller.tables.places import SEATS, Places
from controller.tables.suspicions import Event
from controller.tables.table import Draft, Out, Press, Question, Seen, Standing
from controller.tables.tricks import TRICKS, Tricks
from controller.tables.unseen import CALLS, NOT_NOW, unseen_answer, unseen_winner


class MawTable(Life):
    """One table of maw for two players or four. Roles are those of `roles.py`; any may be missing."""

    def __init__(self, roles: Iterable[str], players: int = 2) -> None:
        super().__init__()
        self._places = Places(roles, players)
        self._standing = Standing({}, over=False, turn_number=0)
        self._deal = Deal()
        self._seats: dict[int, int] = {}
        """By record: the place whose reader read the card."""
        self._dealers: dict[int, Side] = {}
        """By the record that began a deal: who deals, where a button told it."""
        self._tricks = Tricks()
        self._unsure: dict[tuple[int, int], str] = {}
        """By deal and trick: the question that says who leads to it."""
        self._keys: dict[int, Any] = {}
        """By the key of a draft that waits for its record: the seat or the dealer that goes with it."""
        self._call: tuple[int, str, Side] | None = None
        """The record of the latest call, until it is seen whether it stood."""
        self._audit = Audit()
        self._lying = Lying()
        self._doubted: set[tuple[int, int]] = set()
        """Deals and seats that were asked about once."""
        self._remarks: dict[str, Notice] = {}

    # What is shown

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What people must do now, and what was not counted."""
        if self._phase != "playing":
            return ()
        notices = list(self._remarks.values())
        if self._over:
            notices.append(Notice("M-13", f"The game is played: deal anew{self._how_to_deal}."))
        elif self._deal.untouched and self._places.turns_up:
            where = "on the stock" if self._places.has("stock") else "to the reader"
            notices.append(Notice("MAW-08", f"Deal, turn up a card and show it {where}."))
        return tuple(notices)

    @property
    def sees(self) -> frozenset[str]:
        """Nothing that a rule's notice asks for."""
        return frozenset()

    @property
    def seen(self) -> dict[str, Json]:
        """The card turned up, the trick on the table and the tricks taken, as the readers saw them."""
        trick: list[Json] = [{"by": laid.by, "card": laid.card} for laid in self._deal.trick]
        taken: dict[str, Json] = dict(tally(self._tricks.takers(self._deal)).items())
        return {"turned_up": self._deal.turned, "trick": trick, "taken": taken}

    # A table's life

    def baseline(self, levels: dict[str, bool], at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Neither cards nor buttons have a level."""
        return []

    def begin(self, standing: Standing, at: int) -> list[Out]:
        """A new game: play begins at once."""
        self._phase = "playing"
        return self.follow(standing, at)

    def lost(self, roles: frozenset[str]) -> None:
        """These roles are out of use."""
        self._places.lost = roles

    def next_deadline(self) -> int | None:
        """Never: every call and every card counts at once."""
        return None

    def advance(self, t: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Time changes nothing."""
        return []

    def finish(self, at: int, *, entering: bool) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Nothing is ever open."""
        return []

    def drafts(self) -> list[Draft]:
        """Nothing is ever open."""
        return []

    def recorded(self, draft: Draft, record: int) -> None:
        """A card, a deal or a call of this table has become an event."""
        self._tricks.led[record] = draft.evidence
        for question in draft.questions:
            self._tricks.leads.recorded(question.id, record)
        event, kind = draft.event, draft.event["event"]
        if kind == "new_deal" and draft.key in self._keys:
            self._dealers[record] = self._keys.pop(draft.key)
            self._tricks.dealt(record, draft.key)
        elif "card" in event and draft.key in self._keys:
            self._seats[record] = self._keys.pop(draft.key)
        elif kind in NOT_NOW:
            by = cast(Side, event["by"])
            self._call = record, str(kind), by
            if kind == "rob":
                self._audit.begin(record, draft.questions[0].id, by)

    def follow(self, standing: Standing, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Take where the rules stand now; a rob is audited by what has been seen of the ace."""
        self._standing = standing
        self._tricks.follow(standing)
        self._deal = self._deal_now()
        if self._call is not None:
            (record, kind, by), self._call = self._call, None
            if record not in {one for one, _ in standing.events}:
                rule, what = NOT_NOW[kind]
                self._remark("call", rule, f"{by}'s {what} is not allowed now, and counts nothing: the game's list says why.")
        self._to("over" if standing.over else "playing")
        return [*self._audit.look(self._deal, self._tricks.led, over=self._over, answered=standing.answered)]

    # Observations

    def observe(self, seen: Seen) -> list[Out]:
        """Take one observation."""
        o = seen.observation
        if o.role in self._places.lost:
            return []
        if o.kind in ("press", "held"):
            return self._button(seen)
        if o.kind == "card" and o.value in CARDS and self._phase == "playing":
            self._remarks.clear()
            return self._card(seen, o.value)
        return []

    def _button(self, seen: Seen) -> list[Out]:
        o = seen.observation
        if (common := self._common(o)) is not None:
            return [common]
        if o.role == "undo":
            self._remarks.clear()
            return [Press("undo", o.sensor)]
        if self._phase == "paused":
            return [Press("resume", o.sensor)]
        if self._phase != "playing":
            return []
        self._remarks.clear()
        side, _, key = o.role.partition("-")
        by = cast(Side, side)
        if key == "deal":
            return self._dealt(seen, by)
        if key == "trick":
            return self._took(seen, by)
        return self._called(seen, by, CALLS[key])

    def _dealt(self, seen: Seen, by: Side) -> list[Out]:
        if self._deal.untouched and not self._over and not any(self._words[key] for key in ("asked", "crossed", "pending")):
            # The first deal needs no event, and of two presses the later one is right.
            self._dealers[self._deal.record] = by
            self._tricks.dealt(self._deal.record, seen.id)
            self._deal = self._deal_now()
            return []
        self._keys[seen.id] = by
        winner = [] if self._over else unseen_winner(self._standing, self._places, seen)
        answer = self._unseen_answer(seen) if winner else []
        return [*answer, *winner, self._draft({"event": "new_deal"}, seen, seen.id)]

    def _unseen_answer(self, seen: Seen) -> list[Out]:
        return [*unseen_answer(self._words["pending"], self._places, seen)]

    def _called(self, seen: Seen, by: Side, kind: str) -> list[Out]:
        outs, deal = self._trick_over(self._deal, seen)
        if kind not in ("pledge", "give_back"):
            outs = [*self._unseen_answer(seen), *outs]
        event: Event = {"event": kind, "by": by}
        questions: tuple[Question, ...] = ()
        if kind == "vie" and self._words["asked"] == by and not deal.tricks and not deal.trick:
            question = suspicions.helps(f"help-{seen.id}", by)
            questions = (question,)
            event |= {"leads_help": f"?{question.id}", "help_in_hand": f"?{question.id}.in-hand"}
        if kind == "rob":
            ace_up = deal.turned is not None and deal.turned.startswith("A")
            what = ", but the ace of trumps is the card turned up" if ace_up else ""
            question = suspicions.audit(f"rob-{seen.id}", by, what, due=ace_up)
            questions = (question,)
            event["has_ace"] = f"?{question.id}"
        return [*outs, self._draft(event, seen, seen.id, questions)]

    def _took(self, seen: Seen, by: Side) -> list[Out]:
        """A side says that it has taken the trick. With readers, a press with no card since puts the one before right."""
        deal = self._deal
        if self._over:
            return []
        if deal.tricks and not deal.trick and (self._places.reads or len(deal.tricks) == TRICKS):
            self._tricks.press(deal, len(deal.tricks) - 1, by, seen.id)
            return [*self._tricks.won(deal, seen)]
        self._tricks.press(deal, len(deal.tricks), by, seen.id)
        told = self._draft({"event": "trick_over"}, seen)
        return [*self._unseen_answer(seen), told, *self._tricks.won(deal.trick_over(), seen)]

    # Cards

    def _card(self, seen: Seen, card: Card) -> list[Out]:
        role, deal = seen.observation.role, self._deal
        outs: list[Out] = []
        if self._over:
            if self._places.deal_button or (self._places.has("stock") and role != "stock"):
                self._remark("deal", "M-14", f"The {card} was read, but the deal has ended: deal anew{self._how_to_deal}.")
                return []
            if self._lying.still(card, seen.observation.at):
                self._remark(
                    "twice", "M-20", f"The {card} lies there from the deal that has ended: read once more, it counts nothing."
                )
                return []
            deal = Deal(-1, deal.number + 1, deal.dealer and OTHER[deal.dealer])
            outs = [self._draft({"event": "new_deal"}, seen)]
        if role == "stock" or (role == "card" and not self._places.has("stock") and deal.untouched):
            return [*outs, *self._turned_up(deal, card, seen)]
        if card in {laid.card for laid in deal.laid}:
            self._remark("twice", "M-20", f"The {card} lies in this deal already: read once more, it counts nothing.")
            return outs
        if card == deal.turned and deal.robber is None:
            self._remark("turned", "M-08", f"The {card} is the card turned up, and nobody has robbed: it counts nothing.")
            return outs
        return [*outs, *self._laid(deal, card, seen)]

    def _turned_up(self, deal: Deal, card: Card, seen: Seen) -> list[Out]:
        if not deal.untouched:
            if card != deal.turned:
                self._remark("stock", "MAW-08", f"The {card} was read on the stock after the card turned up: it counts nothing.")
            return []
        by = deal.dealer or "B"
        event: Event = {"event": "turn_up", "by": by, "card": card}
        if card != "AH":
            if deal.dealer is not None:
                return [self._draft(event, seen)]
            # A plays first, so B is the likelier dealer.
            name = f"dealt-{seen.id}"
            self._unsure[deal.record, 0] = name
            question = suspicions.sides_question(name, f"Who dealt, when the {card} was turned up?", by)
            return [self._draft({**event, "by": f"?{name}"}, seen, 0, (question,))]
        question = suspicions.ace_of_hearts(seen.id, by)
        return [self._draft({**event, "by": f"?{question.id}"}, seen, 0, (question,))]

    def _laid(self, deal: Deal, card: Card, seen: Seen) -> list[Out]:
        """A card led or played: after the trick before it, if that is over."""
        seat = SEATS.get(seen.observation.role)
        outs, deal = self._trick_over(deal, seen, seat)
        if len(deal.tricks) == TRICKS:
            self._remark("all", "M-13", f"The {card} was read, but all tricks of this deal have been played.")
            return outs
        by, told, questions = self._whose(deal, card, seat, seen)
        if self._words["pending"] == OTHER[by]:
            # It had to be answered before this card (MAW-16b).
            outs += self._unseen_answer(seen)
        laid = Laid(by, next_seat(deal, by, self._places.players) if seat is None else seat, card)
        place = deal.record, len(deal.tricks)
        kind = "play" if deal.trick else "lead"
        if len(deal.trick) == 1:
            kind = self._tricks.leads.second(place) or kind
        draft = self._draft({"event": kind, "by": told, "card": card}, seen, seen.id, questions)
        if told == by:
            draft = self._suspected(deal, laid, draft)
        self._keys[seen.id] = laid.seat
        self._lying.laid(card, deal.number, seen.observation.at)
        after = deal.with_laid(laid)
        if self._complete(after) and not self._places.trick_button:
            return [*outs, draft, *self._tricks.won(after.trick_over(), seen)]
        return [*outs, draft]

    def _whose(self, deal: Deal, card: Card, seat: int | None, seen: Seen) -> tuple[Side, str, tuple[Question, ...]]:
        """The side of a card: the likely one, what stands in the event, and the question where nobody knows it."""
        if seat is not None:
            return SEAT_SIDE[seat], SEAT_SIDE[seat], ()
        place = deal.record, len(deal.tricks)
        name = self._unsure.get(place)
        if deal.trick:
            by = OTHER[deal.trick[-1].by]
            return by, by if name is None else self._of_leader(name, leader=by == deal.trick[0].by), ()
        leader = self._tricks.leader(deal)
        if name is not None and leader is not None:
            return leader, f"?{name}.other", ()
        if leader is not None:
            return leader, leader, ()
        name = self._unsure[place] = f"led-{seen.id}"
        question = suspicions.sides_question(name, f"Who led the {card}?", "A")
        return "A", f"?{name}", (question,)

    @staticmethod
    def _of_leader(name: str, *, leader: bool) -> str:
        """The unknown that stands for the side that led, or for the other; the dealer's side doesn't lead."""
        return f"?{name}" if leader != name.startswith("dealt-") else f"?{name}.other"

    def _suspected(self, deal: Deal, laid: Laid, draft: Draft) -> Draft:
        """The card with the question whether a law was broken by it, or a turn; as it is where nothing is suspicious."""
        place, trick = (deal.record, len(deal.tricks)), len(deal.tricks) - 1
        leader = self._tricks.leader(deal)
        unsure = place in self._unsure
        if not deal.trick and leader is not None and leader != laid.by and not unsure:
            # Who deals and who takes a trick are told by buttons, or by the cards, or only supposed.
            told = deal.record in self._dealers if trick < 0 else self._tricks.pressed(deal, trick) == leader
            known = told or (trick >= 0 and contradicted(deal.tricks[trick], deal.trump, laid.by))
            evidence = (*self._tricks.seen_of(deal, trick), *draft.evidence)
            return self._tricks.leads.ask(replace(draft, evidence=evidence), place, laid.by, leader, known=known)
        found = self._suspicion(deal, laid)
        if found is None:
            return draft
        law, text, because = found
        return suspicions.suspected(law, text, replace(draft, evidence=tuple(dict.fromkeys([*because, *draft.evidence]))))

    def _suspicion(self, deal: Deal, laid: Laid) -> tuple[int, str, tuple[int, ...]] | None:
        """A law that this card may break, the question, and what was seen before of it; a renounce once a deal and seat."""
        if deal.tricks and not deal.trick and self._places.each_seat:
            leads = leading_seat(deal)
            if leads is not None and leads != laid.seat and SEAT_SIDE[leads] == laid.by == self._tricks.takers(deal)[-1]:
                return 3, suspicions.wrong_mate(laid.by), self._tricks.seen_of(deal, len(deal.tricks) - 1)
        led = renounced(deal, laid)
        if led is None or laid.card is None or (deal.record, laid.seat) in self._doubted:
            return None
        self._doubted.add((deal.record, laid.seat))
        trick = next(place for place, trick in enumerate(deal.tricks) if trick and trick[0].card == led)
        return 2, suspicions.renounce(laid.by, led, laid.card), self._tricks.seen_of(deal, trick)

    # The end of a trick

    def _trick_over(self, deal: Deal, seen: Seen, seat: int | None = None) -> tuple[list[Out], Deal]:
        """End the trick under way if all its cards are there, or if `seat` plays, which has played to it already."""
        if not self._complete(deal):
            if seat is None or not self._places.played_already(deal.trick, seat):
                return [], deal
            self._remark("missed", "M-20", "A card of the trick before was not read; who took it is told by people.")
        return [self._draft({"event": "trick_over"}, seen)], deal.trick_over()

    def _complete(self, deal: Deal) -> bool:
        return len(deal.trick) >= self._places.players

    # Where the rules stand, and what is fitted

    @property
    def _words(self) -> dict[str, Any]:
        return cast(dict[str, Any], self._standing.position["deal"])

    @property
    def _over(self) -> bool:
        return bool(self._words["over"])

    def _deal_now(self) -> Deal:
        first = self._tricks.leads.first(self._standing.answers)
        deal = deal_of(self._standing.events, self._seats, self._dealers, self._places.players, first)
        # A game that was begun in the middle of a deal has tricks that nobody told.
        untold = 0 if deal.number else self._words["tricks"] - len(deal.tricks)
        return replace(deal, tricks=((),) * untold + deal.tricks) if untold > 0 else deal

    @property
    def _how_to_deal(self) -> str:
        if self._places.deal_button:
            return ", and press DEAL"
        return " and show the card turned up" if self._places.turns_up else ""

    def _draft(self, event: Event, seen: Seen, key: int = 0, questions: tuple[Question, ...] = ()) -> Draft:
        return Draft(event, seen.observation.at, (seen.id,), key, questions)

    def _remark(self, key: str, rule: str, text: str) -> None:
        self._remarks[key] = Notice(rule, text)

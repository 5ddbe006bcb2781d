"""A simulated set of maw for two: the hands, how they are played, and the true score that follows.

This is the world, not the program: it shares no code with the table and the rules, so that its score can judge theirs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Literal

SIDES = ("A", "B")
OTHER = {"A": "B", "B": "A"}
PIPS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK = tuple(pips + suit for suit in "HDCS" for pips in PIPS)
OUT, LIVINGS, GAME = 27, 2, 4

Thing = Literal["deal", "turned up", "ask", "vie", "pledge", "give-back", "rob", "card", "trick", "tell"]


@dataclass(frozen=True, slots=True)
class Deed:
    """What people at the table do: press a button, show a card, or tell the marker of an offence (`event`).

    `truth`: what they would answer from now on, by the first word of a question's id.
    """

    thing: Thing
    by: str
    card: str = ""
    event: dict[str, Any] = field(default_factory=dict)
    truth: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Hands:
    """One set. `deal` plays the next deal and gives what people did in it."""

    rng: random.Random
    score: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    dealer: str = "B"
    winner: str | None = None
    deciding: bool = False
    """Whether the next game has the set, whatever it counts: somebody got out by the ace of hearts."""
    asked: bool = False
    crossed: int = 0

    def deal(self) -> list[Deed]:
        """Play a deal to its end. The other one deals the next."""
        rng, dealer, elder = self.rng, self.dealer, OTHER[self.dealer]
        self.dealer = elder
        self.asked, self.crossed = False, 0
        if rng.random() < 0.02:
            return [Deed("deal", dealer), self._misdeal(dealer)]
        cards = rng.sample(PACK, 11)
        turned, hands = cards[0], {elder: cards[1:6], dealer: cards[6:]}
        deeds = [Deed("deal", dealer), Deed("turned up", dealer, turned, truth={"ace": dealer, "dealt": dealer})]
        if turned == "AH":
            self._ace_of_hearts(dealer)
            if self.winner:
                return deeds
        return deeds + _Play(self, turned, hands, elder).play()

    def lose(self, side: str, points: int) -> None:
        """The other side gains what a side loses."""
        self.gain(OTHER[side], points)

    def gain(self, side: str, points: int) -> None:
        """Points for a side; from twenty-seven on it has the set, unless a game must decide it."""
        self.score[side] += points
        if self.score[side] >= OUT and not self.deciding:
            self.winner = side

    def end(self, better: str, points: int) -> None:
        """A game is over, and with it the set if this one decides it."""
        self.gain(better, points)
        if self.deciding:
            self.winner = better

    def _misdeal(self, dealer: str) -> Deed:
        again = self.rng.random() < 0.5
        if again:
            self.lose(dealer, 4)
            self.dealer = dealer
        return Deed("tell", dealer, event={"event": "offence", "law": 4, "by": dealer, "deals_again": again})

    def _ace_of_hearts(self, dealer: str) -> None:
        self.score[dealer] += 4
        if self.score[dealer] >= OUT:
            if self.score[OTHER[dealer]] >= OUT - LIVINGS:
                self.deciding = True
            else:
                self.score[OTHER[dealer]] += LIVINGS
                self.winner = dealer


class _Play:
    """One deal from the card turned up to its end."""

    def __init__(self, world: Hands, turned: str, hands: dict[str, list[str]], elder: str) -> None:
        self.world = world
        self.rng = world.rng
        self.turned = turned
        self.trump = turned[-1]
        self.hands = hands
        self.elder = elder
        self.deeds: list[Deed] = []
        self.tricks = dict.fromkeys(SIDES, 0)
        self.cheat: str | None = None
        """Who has robbed without the ace."""
        self.denied: dict[str, set[str]] = {side: set() for side in SIDES}
        """By side: suits that it didn't follow though it could."""
        self.held_back: set[str] = set()
        """Who has held a help back."""
        self.asker: str | None = None
        self.robber: str | None = None

    def play(self) -> list[Deed]:
        """All that is done."""
        self._rob()
        self._ask()
        leader = self.elder
        while max(self.tricks.values()) < 3:
            taker = self._trick(leader)
            if taker is None:
                return self.deeds
            leader = taker
        self._end(leader)
        return self.deeds

    def _end(self, better: str) -> None:
        if self.cheat is not None:
            self.world.end(OTHER[self.cheat], 4)
        else:
            self.world.end(better, GAME + self.world.asked + self.world.crossed)

    def _rob(self) -> None:
        ace = f"A{self.trump}"
        for side in SIDES:
            has = ace in self.hands[side]
            if self.turned != ace and self.rng.random() < (0.9 if has else 0.02):
                worst = min(self.hands[side], key=self._worth)
                self.hands[side].remove(worst)
                self.hands[side].append(self.turned)
                self.robber = side
                self.cheat = None if has else side
                self.deeds.append(Deed("rob", side, truth={"rob": "yes" if has else "no"}))
                return

    def _ask(self) -> None:
        """Whoever feels strong and may: with the asked card this game brings nobody to his livings."""
        score = self.world.score
        for side in (self.elder, OTHER[self.elder]):
            behind = score[OTHER[side]] >= OUT - GAME and score[side] < score[OTHER[side]]
            allowed = score[side] + GAME + 1 < OUT - LIVINGS and (score[OTHER[side]] + GAME + 1 < OUT - LIVINGS or behind)
            if allowed and self._strength(side) > 1.7 and self.rng.random() < 0.5:
                self.asker = side
                self.world.asked = True
                self.deeds.append(Deed("ask", side))
                return

    def _trick(self, leader: str) -> str | None:
        """Who takes it; None where the deal is over meanwhile."""
        rng, follower = self.rng, OTHER[leader]
        first = not sum(self.tricks.values())
        if first and self.asker == leader and self._helps(leader) and rng.random() < 0.5:
            led = rng.choice(self._helps(leader))
            self._vie(leader, {"help": "yes"})
        else:
            led = self._lead(leader)
            vier = rng.choice(SIDES)
            if not (first and self.asker == vier):
                self._maybe_vie(vier)
        if self._show(leader, led):
            return None
        if rng.random() < 0.03:
            # Too late: his card is led. It is refused, and he takes it back.
            self.deeds.append(Deed("vie", leader))
        if not (first and self.asker == follower):
            self._maybe_vie(follower)
        if rng.random() < 0.004:
            looked = {"event": "offence", "law": 5, "by": follower, "looked_at": "bottom_card"}
            self.deeds.append(Deed("tell", follower, event=looked))
            self._end(leader)
            return None
        played = self._follow(follower, led)
        taker = leader if self._power(led, led) > self._power(played, led) else follower
        self.tricks[taker] += 1
        if self._show(follower, played, taker if self.tricks[taker] == 3 else "neither"):
            return None
        self.deeds.append(Deed("trick", taker))
        return taker

    def _show(self, by: str, card: str, won: str = "neither") -> bool:
        """Put a card on the table; whether what it gives away ends the deal. `won`: who has won the game by it."""
        self.hands[by].remove(card)
        found_out = self._suit(card) in self.denied[by] and not (card == self.turned and self.robber == by)
        self.deeds.append(Deed("card", by, card, truth={"law": "yes" if found_out else "no", "won": won}))
        if self.cheat is not None:
            # Of a deal that ended with the rob nothing counts, a renounce in it least of all.
            if card == f"A{self.trump}" and by != self.cheat:
                self.world.end(by, 4)
                return True
            return False
        if found_out:
            self.world.winner = OTHER[by]
        return found_out

    # How they think

    def _lead(self, side: str) -> str:
        hand = self.hands[side]
        return max(hand, key=self._worth) if self.rng.random() < 0.7 else self.rng.choice(hand)

    def _follow(self, side: str, led: str) -> str:
        hand, suit = self.hands[side], self._suit(led)
        following = [card for card in hand if self._suit(card) == suit]
        held = [card for card in following if self._is_help(card)]
        others = [card for card in hand if self._suit(card) not in (suit, self.trump)]
        if suit == self.trump and held and held == following and others and self.rng.random() < 0.3:
            # A help may be held back: it looks like a renounce and is none.
            self.held_back.add(side)
            return min(others, key=self._worth)
        if following and others and side not in self.held_back and self.rng.random() < 0.03:
            self.denied[side].add(suit)
            return min(others, key=self._worth)
        allowed = [card for card in hand if self._suit(card) in (suit, self.trump)] if following else hand
        winning = [card for card in allowed if self._power(card, led) > self._power(led, led)]
        return min(winning or allowed, key=self._worth)

    def _maybe_vie(self, side: str) -> None:
        if self._strength(side) > 1.9 and self.rng.random() < 0.3:
            self._vie(side)

    def _vie(self, side: str, truth: dict[str, str] | None = None) -> None:
        other = OTHER[side]
        self.deeds.append(Deed("vie", side, truth=truth or {}))
        if self.world.crossed >= 3 or self._strength(other) > 0.9:
            self.world.crossed += 1
            self.deeds.append(Deed("pledge", other))
        else:
            self.deeds.append(Deed("give-back", other))

    def _strength(self, side: str) -> float:
        """Tricks taken and to be hoped for."""
        return self.tricks[side] + sum(self._hope(card) for card in self.hands[side])

    def _hope(self, card: str) -> float:
        if self._is_help(card):
            return 0.9
        return 0.6 if self._suit(card) == self.trump else self._worth(card) / 60

    def _helps(self, side: str) -> list[str]:
        return [card for card in self.hands[side] if self._is_help(card)]

    # How cards rank

    def _suit(self, card: str) -> str:
        return self.trump if card == "AH" else card[-1]

    def _is_help(self, card: str) -> bool:
        return card == "AH" or (card[-1] == self.trump and card[:-1] in ("5", "A", "J"))

    def _worth(self, card: str) -> float:
        """Out of the play: the better, the higher."""
        trumps = 40 if self._suit(card) == self.trump else 0
        if self._is_help(card):
            return trumps + {"5": 40, "AH": 30, "A": 25, "J": 20}["AH" if card == "AH" else card[:-1]]
        pips = PIPS.index(card[:-1]) + 1
        red = card[-1] in "HD"
        return trumps + (pips if red or pips > 10 else 11 - pips)

    def _power(self, card: str, led: str) -> float:
        """In a trick: what is neither of the suit led nor a trump takes nothing."""
        return self._worth(card) if self._suit(card) in (self._suit(led), self.trump) else 0.0

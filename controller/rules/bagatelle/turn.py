"""One turn of eight balls: what a shot does to the balls on the bed, and which shots can't have happened."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from controller.rules.awards import Award, Notice, Refusal
from controller.rules.bagatelle.words import (
    BLACK,
    CUP_NUMBER,
    CUPS,
    EIGHT,
    House,
    Seen,
    Shot,
    cup_award,
    cups_named,
    listed,
    sentence,
    title,
)

NO_CUPS: tuple[str | None, ...] = (None,) * 9


@dataclass(frozen=True, slots=True)
class Turn:
    """The balls of a turn. A new one has the black on spot a and eight balls to play (BAG-04, BAG-10, B-11)."""

    balls_left: int = 8
    in_hand: tuple[str, ...] = EIGHT
    """Balls that may be played; more than `balls_left` where an opening position left open which of them."""
    black: str = "spot-a"
    """Where the black lies: `spot-a`, `removed`, or `board`, which a black in a cup counts as too."""
    struck: bool = False
    cups: tuple[str | None, ...] = NO_CUPS
    """The ball in each cup, cup 1 first; each cup has room for one (BAG-02)."""
    off: tuple[tuple[str, str], ...] = ()
    """White and red balls taken off for this turn, each with the rule that took it."""
    made: tuple[tuple[int, bool], ...] = ()
    """Under `scoring: as_made` each holing so far: the cup, and whether it was the black."""
    carried: int = 0
    """Under `scoring: as_made` points that an opening position brought along."""

    @property
    def begun(self) -> bool:
        """Whether a ball of this turn has been played."""
        return self.balls_left < 8 or self.struck


@dataclass(frozen=True, slots=True)
class Played:
    """A turn after an event, and what people should do or know."""

    turn: Turn
    notices: tuple[Notice, ...] = ()


def points_of(house: House, turn: Turn, side: str) -> tuple[Award, ...]:
    """The awards that would be banked now (BAG-11, BAG-12, B-01), the highest cup first."""
    if house.scoring == "final":
        return tuple([cup_award(side, n, turn.cups[n - 1] == BLACK) for n in range(9, 0, -1) if turn.cups[n - 1]])
    earlier = (Award(side, turn.carried, "BAG-11", "Holed earlier in this turn."),) if turn.carried else ()
    return earlier + tuple([cup_award(side, cup, black) for cup, black in turn.made])


def play_shot(house: House, turn: Turn, shot: Shot) -> Played | Refusal:
    """Play one ball."""
    played = _played(house, turn, shot)
    again = _played_again(house, turn, shot)
    return played if again is None or isinstance(played, Refusal) else Played(turn, (again,))


def _played_again(house: House, turn: Turn, shot: Shot) -> Notice | None:
    """Why the shot is void and its ball played again: from the wrong place (BAG-09, B-13), or too weak (B-08)."""
    ball = sentence(title(shot.ball))
    if shot.from_ == "ahead_of_b" or (shot.from_ == "behind_b" and not turn.struck):
        where = "from spot b or behind it" if turn.struck else "from spot b"
        return Notice("BAG-09", f"{ball} was played from the wrong place: put every ball back and play it again {where}.")
    if house.short_ball == "replay" and any(move.ball == shot.ball and move.to == "short" for move in shot.moves):
        return Notice("B-08", f"{ball} fell short of the half-way line: play it again.")
    return None


def _played(house: House, turn: Turn, shot: Shot) -> Played | Refusal:
    moves: dict[str, str] = {move.ball: move.to for move in shot.moves}
    refusal = _impossible(turn, shot, moves)
    if refusal is not None:
        return refusal
    in_hand = _left_in_hand(turn, shot.ball, moves)
    if isinstance(in_hand, Refusal):
        return in_hand
    notices: list[Notice] = []
    seen_black = shot.cups is not None and BLACK in shot.cups.values()
    if not (turn.struck or shot.hit_black):
        if BLACK not in moves and not seen_black:
            return _missed(turn, in_hand, shot, moves)
        # Nothing but the played ball can have moved it: each ball that missed was taken off.
        notices.append(Notice("BAG-05", "The black has left spot a, so this stroke counts as a hit."))
    placed = _place(house, turn, in_hand, shot.ball, moves, notices=notices)
    if isinstance(placed, Refusal):
        return placed
    return Played(placed, tuple(notices)) if shot.cups is None else _adopt(placed, shot.cups, notices)


def see(turn: Turn, cups: Seen | None) -> Played | Refusal:
    """Take the cups as seen when no ball was played: at the end of a turn, or before its first ball."""
    if cups is None:
        return Played(turn)
    if not turn.begun:
        text = f"Lift what lies in {cups_named(cups)} before play."
        return Played(turn, (Notice("BAG-04", text),) if cups else ())
    if turn.struck:
        return _adopt(turn, cups, [])
    if BLACK in cups.values():
        struck = Notice("BAG-05", "The black is in a cup, so the last stroke counts as a hit.")
        return _adopt(turn, cups, [struck])
    return Played(turn, _ignored(cups))


def _impossible(turn: Turn, shot: Shot, moves: Mapping[str, str]) -> Refusal | None:
    ball = shot.ball
    if ball == BLACK:
        return Refusal("BAG-05", "The black is never the played ball: play one of the eight.")
    if ball not in turn.in_hand:
        return Refusal("BAG-10", f"{sentence(title(ball))} has been played already in this turn: play another.")
    if len(moves) < len(shot.moves):
        return Refusal("BAG-01", "A ball comes to rest in one place alone, but one is named twice.")
    if turn.black == "removed" and (shot.hit_black or BLACK in moves):
        return Refusal("BAG-08", "The black is off the bed for the rest of this turn: it can't be struck or moved.")
    if turn.black == "spot-a" and (moves.get(BLACK) == "short" or (shot.hit_black and moves.get(ball) == "short")):
        text = "The black on spot a lies beyond the half-way line: neither it nor a ball that struck it can be short of the line."
        return Refusal("BAG-05", text + " One that came back over the line is past_half_way.")
    for moved in moves:
        if moved in (ball, BLACK):
            continue
        for gone, rule in turn.off:
            if moved == gone:
                return Refusal(rule, f"{sentence(title(moved))} is off the bed for the rest of this turn: it can't move.")
        if not turn.struck:
            text = f"{sentence(title(moved))} isn't on the bed: until the black is struck each ball played is taken off."
            return Refusal("BAG-07", text)
    return None


def _left_in_hand(turn: Turn, played: str, moves: Mapping[str, str]) -> tuple[str, ...] | Refusal:
    """The balls left to play. Where it was open which balls are in hand, those that moved weren't."""
    in_hand = tuple([ball for ball in turn.in_hand if ball != played and ball not in moves])
    if len(in_hand) < turn.balls_left - 1:
        unplayed = listed([title(ball) for ball in turn.in_hand if ball in moves and ball != played])
        return Refusal("BAG-10", f"{sentence(unplayed)} can't move: in hand, not yet played in this turn.")
    return in_hand


def _missed(turn: Turn, in_hand: tuple[str, ...], shot: Shot, moves: Mapping[str, str]) -> Played:
    """The black still waits to be struck: the ball is lost for this turn (BAG-06, BAG-07), though it be the eighth (B-03)."""
    rule = "BAG-06" if turn.balls_left == 8 else "BAG-07"
    to = moves.get(shot.ball, "board")
    where = f" from cup {CUP_NUMBER[to]}" if to in CUP_NUMBER else ""
    notices = [Notice(rule, f"{sentence(title(shot.ball))} missed the black and is lost for this turn: lift it{where}.")]
    notices += _ignored([cup for cup in shot.cups or () if f"cup-{cup}" != to])
    off = (*turn.off, (shot.ball, rule))
    after = replace(turn, balls_left=turn.balls_left - 1, in_hand=in_hand, off=off)
    return Played(after, tuple(notices))


def _ignored(cups: Collection[str]) -> tuple[Notice, ...]:
    text = f"Lift what lies in {cups_named(cups)}: nothing counts until the black has been struck."
    return (Notice("B-15", text),) if cups else ()


def _place(
    house: House, turn: Turn, in_hand: tuple[str, ...], played: str, moves: Mapping[str, str], *, notices: list[Notice]
) -> Turn | Refusal:
    """Set every ball that moved where it came to rest, and add to the notices what people must do.

    A ball exactly on the half-way line stays on the board (B-06).
    """
    cups = [None if ball in moves else ball for ball in turn.cups]
    off, made = turn.off, turn.made
    black = turn.black if turn.struck else "board"
    for ball, to in moves.items():
        gone = None
        cup = CUP_NUMBER.get(to)
        if cup is not None:
            there = cups[cup - 1]
            if there is not None:
                return Refusal("BAG-02", f"Cup {cup} holds one ball: {title(ball)} can't lie there beside {title(there)}.")
            cups[cup - 1] = ball
            if house.scoring == "as_made" and turn.cups[cup - 1] != ball:
                made += ((cup, ball == BLACK),)
        elif to == "past_half_way" and house.takes_off(ball, played):
            gone = "BAG-08"
            text = f"{sentence(title(ball))} came back past the half-way line: lift it, it is out for this turn."
        elif to == "off_table":
            gone, text = "B-07", f"{sentence(title(ball))} left the table: it is out for this turn."
        elif to == "short" and ball == played and house.short_ball == "removed":
            gone, text = "B-08", f"{sentence(title(ball))} fell short of the half-way line: lift it, it is out for this turn."
        if gone:
            notices.append(Notice(gone, text))
        if ball == BLACK:
            black = "removed" if gone else "board"
        elif gone:
            off += ((ball, gone),)
    return Turn(turn.balls_left - 1, in_hand, black, True, tuple(cups), off, made, turn.carried)


def _adopt(turn: Turn, seen: Seen, notices: list[Notice]) -> Played | Refusal:
    """Let the cups as seen stand in place of those that the moves make. Which white or red it is, nobody can see for sure."""
    if list(seen.values()).count(BLACK) > 1:
        return Refusal("BAG-01", "There is one black ball, but it is seen in two cups.")
    played = 8 - turn.balls_left
    if len(seen) - (BLACK in seen.values()) > played:
        text = f"Balls lie in {cups_named(seen)}, more than the {played} that have been played in this turn."
        return Refusal("BAG-10", text)
    cups = _named(turn, seen)
    differ = [f"cup {n} is {'filled' if cups[n - 1] else 'empty'}" for n in CUPS if bool(cups[n - 1]) != bool(turn.cups[n - 1])]
    black_at = cups.index(BLACK) + 1 if BLACK in cups else None
    if black_at != (turn.cups.index(BLACK) + 1 if BLACK in turn.cups else None):
        differ.append(f"the black is in cup {black_at}" if black_at else "the black is in no cup")
    if differ:
        notices.append(Notice("B-01", f"What was seen differs from the moves, and stands: {listed(differ)}."))
    seen_turn = replace(
        turn,
        cups=cups,
        black="board" if black_at else turn.black,
        in_hand=tuple([ball for ball in turn.in_hand if ball not in cups]),
        off=tuple([one for one in turn.off if one[0] not in cups]),
    )
    return Played(seen_turn, tuple(notices))


def _named(turn: Turn, seen: Seen) -> tuple[str | None, ...]:
    """Name the balls in the cups as seen: by the name seen where that ball was played, else by one that was."""
    open_names = len(turn.in_hand) - turn.balls_left
    cups: list[str | None] = [None] * 9
    strays = []
    for cup, ball in sorted(seen.items()):
        if ball in cups or (ball in turn.in_hand and not open_names):
            strays.append(int(cup) - 1)
            continue
        cups[int(cup) - 1] = ball
        open_names -= ball in turn.in_hand
    off = [ball for ball, _ in turn.off]
    spare = [ball for ball in (*turn.cups, *EIGHT) if ball and ball != BLACK and ball not in (*turn.in_hand, *off)] + off
    if open_names:
        spare += turn.in_hand
    for place in strays:
        cups[place] = next(ball for ball in spare if ball not in cups)
    return tuple(cups)

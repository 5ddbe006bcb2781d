"""The end of a round: measured, claimed, disputed, gauged, allowed, touched too soon; and the round after it.

Every event of a settlement changes what is known of the round and has it counted anew; the difference to what was scored
is the award, under the rule of that event. So a correction may come after a winning round and take the win back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat

from controller.rules.awards import Award, Notice, Refusal, Ruling
from controller.rules.squails.count import count, next_to_begin, on_table
from controller.rules.squails.events import Allow, Claim, CryOut, Dispute, Gauge, NewRound, RoundEnded, Touch
from controller.rules.squails.play import Outcome, cannot_cry, round_is_over
from controller.rules.squails.state import RoundEnd, State, changed, fresh_round, ruled, turns_done
from controller.rules.squails.words import Player, Side, Status, listed, sentence, spoken


def open_sides(state: State, end: RoundEnd) -> tuple[Side, ...]:
    """Sides that have something for this round, or claim it, and that nobody has allowed yet."""
    own = zip(state.seats.sides, end.counts, end.claims, strict=True)
    return tuple([side for side, points, claim in own if (points or claim) and side not in end.allowed])


def settled(state: State) -> bool:
    """Whether nothing can change the latest round any more, short of a new one: all is allowed, or the target went out."""
    end = state.end
    if end is None or end.how in ("target_out", "unsaid"):
        return True
    return bool(end.allowed) and not open_sides(state, end)


def unheard_claims(state: State, end: RoundEnd) -> tuple[Side, ...]:
    """S-20: claims of a round that nothing measured, neither allowed nor disputed. They would be lost in a new round."""
    if end.how != "uncounted":
        return ()
    return tuple([side for side in open_sides(state, end) if side not in end.disputed])


def measure(state: State, event: RoundEnded) -> Outcome:
    """End the round: squails not yet struck stood unrecorded; what the distances give is scored at once (SQU-08 … SQU-11)."""
    if state.end is not None:
        return round_is_over(state)
    table, measured = state.seats, bool(event.gaps_mm)
    gaps = tuple(map(event.gaps_mm.get, table.squails))
    if any(gap is not None and gap < 0 for gap in gaps):
        return Refusal("S-19", "A clear distance is never below 0: a squail that touches the target has 0.")
    squails = tuple(map(_at_the_end, state.squails, gaps, repeat(measured)))
    end = RoundEnd(
        how="measured" if measured else "uncounted",
        next_begins=None,
        counts=(0,) * len(table.sides),
        gaps=gaps,
        gauged=(None,) * len(gaps),
        claims=(None,) * len(table.sides),
    )
    after = _scored(state, squails, end)
    counts = [now - before for before, now in zip(state.score, after.score, strict=True)]
    level = max(counts) < sum(counts)
    awards = [
        award for side, points in zip(table.sides, counts, strict=True) for award in _round_awards(side, points, level=level)
    ]
    return ruled(after, tuple(awards), tuple(_said_of_round(after, gaps, measured=measured, blank=not awards)))


def claim(state: State, event: Claim) -> Outcome:
    """A captain claims so many in (SQU-17). More than was measured waits until it is allowed, or gauged."""
    table, name = state.seats, sentence(spoken(event.by))
    side = table.side_of[event.by]
    end = _in_settlement(state, "SQU-17", event.by)
    if isinstance(end, Refusal):
        return end
    if side in end.allowed:
        return Refusal("SQU-17", f"{sentence(spoken(side))}'s squails have been allowed already.")
    if not 0 <= event.count <= state.house.squails_each:
        return Refusal("SQU-17", f"A claim is from 0 to {state.house.squails_each}, the squails of a side, not {event.count}.")
    place = table.sides.index(side)
    claims = changed(end.claims, place, event.count)
    outcome = _correct(state, replace(end, claims=claims), "SQU-17", f"{name} claims {event.count} in.")
    points = end.counts[place] + sum(award.points for award in outcome.awards if award.side == side)
    if points >= event.count:
        return outcome
    text = f"{name} claims {event.count}, {points} so far: the other captain allows or disputes it."
    return replace(outcome, notices=(Notice("SQU-17", text),))


def dispute(state: State, event: Dispute) -> Outcome:
    """The captain of another side disputes what is claimed, and so may lay the gauge (SQU-18)."""
    end = _in_settlement(state, "SQU-18", event.by)
    if isinstance(end, Refusal):
        return end
    others = _claims_against(state, end, event.by)
    if not others:
        return Refusal("SQU-18", f"{sentence(spoken(event.by))} may dispute what another side claims; there is no such claim.")
    return ruled(replace(state, end=replace(end, disputed=end.disputed.union(others))))


def gauge(state: State, event: Gauge) -> Outcome:
    """The gauge decides whether a disputed squail is within it (SQU-18)."""
    end = _in_settlement(state, "SQU-18")
    if isinstance(end, Refusal):
        return end
    table, name = state.seats, sentence(spoken(event.squail))
    side, place = table.side_of[event.squail], table.place[event.squail]
    if side not in end.disputed or side in end.allowed:
        return Refusal("SQU-18", f"{name} isn't in dispute: the gauge is for what the other captain disputes.")
    if place not in on_table(state.house, state.squails, end, side):
        return Refusal("SQU-18", f"{name} is out: there is nothing to measure.")
    gauged = changed(end.gauged, place, event.touches)
    why = f"The gauge {'touches' if event.touches else 'does not touch'} {spoken(event.squail)}."
    return _correct(state, replace(end, gauged=gauged), "SQU-18", why)


def allow(state: State, event: Allow) -> Outcome:
    """The captain of another side allows what is claimed: so it stands (SQU-02), and a touch has no price any more (SQU-19).

    Without sides it is any other player (S-23).
    """
    end = _in_settlement(state, "SQU-17", event.by)
    if isinstance(end, Refusal):
        return end
    others = _claims_against(state, end, event.by)
    if not others:
        text = "a captain can't allow his own claim" if open_sides(state, end) else "nothing is claimed"
        return Refusal("SQU-19", f"{sentence(spoken(event.by))} has nothing to allow: {text}.")
    why = f"{sentence(spoken(event.by))} allows what {listed(others)} claimed."
    return _correct(state, replace(end, allowed=end.allowed.union(others)), "SQU-17", why)


def touch(state: State, event: Touch) -> Outcome:
    """SQU-19: a captain's own squails, touched after the round before they are allowed, are null."""
    table, side, end = state.seats, event.by, state.end
    if end is None and not (turns_done(state) and not state.replay):
        return Refusal("SQU-19", "The round isn't finished: touched squails are null only between its end and the allowance.")
    if end is not None and (settled(state) or side in end.allowed):
        return ruled(state, notices=(Notice("SQU-19", "A touch has no price any more."),))
    lying: tuple[Status, ...] = ("played", "short") if end is None else ("played", "over")
    touched = {table.place[one] for one in event.squails if table.side_of[one] == side}
    squails = tuple(["null" if n in touched and status in lying else status for n, status in enumerate(state.squails)])
    strange = tuple([one for one in event.squails if table.side_of[one] != side])
    notices = (Notice("SQU-19", f"{sentence(spoken(side))} touching {listed(strange)} has no price."),) if strange else ()
    if end is None:
        return ruled(replace(state, squails=squails), notices=notices)
    why = f"{sentence(spoken(side))} touched {listed(event.squails)} before it was allowed."
    outcome = _correct(state, end, "SQU-19", why, squails)
    return replace(outcome, notices=notices)


def late_cry(state: State, event: CryOut) -> Outcome:
    """Cry the last squail of a round that has been measured: until the first claim (S-10)."""
    end = state.end
    if end is None or end.how in ("target_out", "unsaid"):
        return round_is_over(state)
    if end.allowed or any(one is not None for one in end.claims):
        return Refusal("S-10", "It is too late: the last squail of a round is cried before the first claim.")
    refusal = cannot_cry(state, event)
    if refusal is not None:
        return refusal
    squails = changed(state.squails, state.seats.place[event.squail], "out")
    return _correct(state, end, "SQU-26", f"{sentence(spoken(event.squail))} was cried out.", squails)


def new_round(state: State, event: NewRound) -> Outcome:
    """Begin a round, once the target is back in the centre (SQU-16). Its leader is the winner of the last (SQU-20, SQU-22)."""
    end = state.end
    if end is None:
        return Refusal("SQU-08", "The round isn't finished.")
    if unheard := unheard_claims(state, end):
        text = "is all that is known of this round: the other captain allows or disputes it."
        return Refusal("SQU-17", f"The claim of {listed(unheard)} {text}")
    if event.target_at != "centre":
        return Refusal("SQU-16", "Put the target back in the centre first.")
    lead = end.next_begins
    if lead is not None:
        table = state.seats
        lead = lead if lead in table.following else table.sole(table.side_of[lead])
    return ruled(fresh_round(state.house, state.score, state.round + 1, lead))


def _at_the_end(status: Status, gap: float | None, measured: bool) -> Status:
    if status in ("out", "null", "over"):  # S-24: one that went across uncried lies where it lies, and may yet be cried
        return status
    return "played" if gap is not None or not measured else "out"


def _said_of_round(state: State, gaps: tuple[float | None, ...], *, measured: bool, blank: bool) -> Iterator[Notice]:
    if "out" in state.squails:
        for squail, status, gap in zip(state.seats.squails, state.squails, gaps, strict=True):
            if status == "out" and gap is not None:
                yield Notice("SQU-26", f"{sentence(spoken(squail))} was cried out: it doesn't count.")
    if not measured:
        yield Notice("S-20", "Nothing was measured: the captains claim and allow.")
    elif blank:
        yield Notice("S-03", "A blank round: nothing lies nearest alone and within the gauge.")
    if state.target != "centre":
        yield Notice("SQU-16", "Put the target back in the centre before the next round.")


def _round_awards(side: Side, points: int, *, level: bool) -> list[Award]:
    if points == 0:
        return []
    name = sentence(spoken(side))
    if level:
        return [Award(side, points, "SQU-09", f"{name} lies level as nearest (S-02): each such squail counts one.")]
    awards = [Award(side, 1, "SQU-09", f"{name} lies nearest to the target, within the gauge.")]
    if points > 1:
        more = f"Another of {name}'s lies" if points == 2 else f"{points - 1} more of {name}'s lie"
        awards.append(Award(side, points - 1, "SQU-10", f"{more} nearer than any other side's, within the gauge."))
    return awards


def _scored(state: State, squails: tuple[Status, ...], end: RoundEnd) -> State:
    """The state with the round counted anew, and the difference to what was counted before put to the score."""
    result = count(state.house, squails, end)
    score = tuple([had + now - before for had, now, before in zip(state.score, result.points, end.counts, strict=True)])
    # Built whole: `replace` would cost as much as all the rest.
    return State(
        house=state.house,
        score=score,
        round=state.round,
        lead=state.lead,
        to_play=None,
        last=state.last,
        target=state.target,
        squails=squails,
        struck_by=state.struck_by,
        end=RoundEnd(
            how=end.how,
            next_begins=next_to_begin(state, end, result),
            counts=result.points,
            gaps=end.gaps,
            gauged=end.gauged,
            claims=end.claims,
            disputed=end.disputed,
            allowed=end.allowed,
        ),
    )


def _correct(state: State, end: RoundEnd, rule: str, why: str, squails: tuple[Status, ...] | None = None) -> Ruling[State]:
    after = _scored(state, squails or state.squails, end)
    changes = zip(state.seats.sides, state.score, after.score, strict=True)
    awards = tuple([Award(side, now - before, rule, why) for side, before, now in changes if now != before])
    return ruled(after, awards)


def _claims_against(state: State, end: RoundEnd, captain: Player) -> tuple[Side, ...]:
    own = state.seats.side_of[captain]
    return tuple([side for side in open_sides(state, end) if side != own])


def _in_settlement(state: State, rule: str, speaker: Player | None = None) -> RoundEnd | Refusal:
    """The end of a round that can still be corrected, by a captain where one speaks (SQU-01)."""
    end = state.end
    if end is None:
        return Refusal(rule, "Squails are claimed, disputed and allowed at the end of a round: this one isn't measured yet.")
    if end.how == "target_out":
        return Refusal("SQU-21", "The target went out: no squail counts in this round.")
    if settled(state):
        return Refusal(rule, "The round is settled: nothing of it is open any more.")
    captain = speaker and state.seats.captain(state.seats.side_of[speaker])
    if speaker != captain:
        return Refusal("SQU-01", f"That is for the captain, {spoken(captain or '')}, to say, not for {spoken(speaker or '')}.")
    return end

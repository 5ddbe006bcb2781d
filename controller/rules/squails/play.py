"""The strokes of a round: the lead, turns, the line of demarcation, the target, cries and squails played again."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.awards import Award, Notice, Refusal, Ruling
from controller.rules.squails.events import ClaimReplay, CryOut, LeadTrial, StandTarget, Strike, TakeBack
from controller.rules.squails.state import RoundEnd, State, changed, owner, ruled, turns_done, untouched
from controller.rules.squails.words import Player, Seats, Side, Squail, Starter, Status, Target, listed, sentence, spoken

Outcome = Ruling[State] | Refusal

REPLAYS = 2
"""How often one squail is played again in a round: once, and once more if it goes out again (S-17)."""


def round_is_over(state: State) -> Refusal:
    """Refuse a stroke, or what belongs to one, in a round that has ended."""
    if state.target == "out":
        return Refusal("SQU-21", "The target went out, which ended the round: begin a new one.")
    return Refusal("SQU-08", "The round is finished: begin a new one.")


def lead_trial(state: State, event: LeadTrial) -> Outcome:
    """Decide who begins: one squail of each captain, or of each player, and the nearer leads (SQU-03, SQU-04)."""
    table = state.seats
    rule = "SQU-04" if table.solo else "SQU-03"
    if state.end is not None or state.round > 1 or state.to_play is not None or not untouched(state):
        return Refusal(rule, "The lead is settled: it is played for once, before the first stroke of the game.")
    missing = tuple([side for side in table.sides if side not in event.gaps_mm])
    if missing:
        return Refusal(
            rule, f"Every {'player' if table.solo else 'captain'} plays one squail for the lead; missing: {listed(missing)}."
        )
    gaps = {side: gap for side, gap in event.gaps_mm.items() if gap is not None}
    if min(gaps.values(), default=0) < 0:
        return Refusal("S-19", "A clear distance is never below 0: a squail that touches the target has 0.")
    nearest = [side for side, gap in gaps.items() if gap == min(gaps.values())]
    if len(nearest) != 1:
        return ruled(state, notices=(Notice("S-12", "The trial is level: play it again."),))
    leader = table.captain(nearest[0])
    return ruled(replace(state, lead=leader, to_play=leader))


def strike(state: State, event: Strike) -> Outcome:
    """Play one squail (SQU-05, SQU-07)."""
    refusal = _no_stroke(state, event)
    if refusal is not None:
        return refusal
    table, player, squail = state.seats, event.player, event.squail
    place = table.place[squail]
    short = _is_short(state, event)
    now = list(state.squails)
    # SQU-26, SQU-27, S-21: once the next squail has been played it is too late to cry the one before.
    if "over" in now and (not short or "short" in now):
        _close_cry(state, now)
    if "short" in now:
        now[now.index("short")] = "played"
    now[place] = "short" if short else "over" if event.crossed_far_line else "played"
    again = state.replay[:1] == (squail,)
    replay = state.replay[1:] if again else state.replay
    squails, struck_by = tuple(now), changed(state.struck_by, place, player)
    out = event.target == "out"
    after = State(
        house=state.house,
        score=state.score,
        round=state.round,
        lead=player if untouched(state) else state.lead,
        to_play=None if out else _next_to_play(table, player, squails, struck_by, replay),
        last=player,
        target=_target_after(state, event),
        squails=squails,
        struck_by=struck_by,
        outs=(*[one for one in state.outs if one != squail], squail) if event.crossed_far_line else state.outs,
        replay=replay,
        replayed=(*state.replayed, squail) if again else state.replayed,
    )
    return _target_out(after, player) if out else ruled(after, notices=_said_of_stroke(after, event))


def take_back(state: State, event: TakeBack) -> Outcome:
    """Take back a squail that fell short, until the next is struck (SQU-25b, S-22)."""
    table, squail = state.seats, event.squail
    place = table.place[squail]
    status = state.squails[place]
    if state.end is not None:
        return round_is_over(state)
    if status == "in_hand":
        return Refusal("SQU-25b", f"{sentence(spoken(squail))} has not been struck: there is nothing to take back.")
    if status != "short":
        return Refusal("SQU-25", f"{sentence(spoken(squail))} has been played: it can't be taken back.")
    again = squail in state.replayed
    replayed = list(state.replayed)
    if again:
        replayed.remove(squail)
    return ruled(
        replace(
            state,
            squails=changed(state.squails, place, "claimable" if again else "in_hand"),
            struck_by=state.struck_by if again else changed(state.struck_by, place, None),
            to_play=owner(state, squail),
            replay=(squail, *state.replay) if again else state.replay,
            replayed=tuple(replayed),
        )
    )


def cannot_cry(state: State, event: CryOut) -> Refusal | None:
    """Say why a squail can't be cried out, if it can't (SQU-26)."""
    table, name = state.seats, sentence(spoken(event.squail))
    status = state.squails[table.place[event.squail]]
    if status == "claimable":
        return Refusal("SQU-26", f"It is too late: {spoken(event.squail)} had to be cried before the next squail was played.")
    if status != "over":
        return Refusal("SQU-26", f"{name} {'is out already' if status == 'out' else 'has not passed the far line'}.")
    if table.side_of[event.squail] == event.by:
        return Refusal("SQU-26", f"{name} is cried by an opponent, not by {spoken(event.by)}.")
    return None


def cry_out(state: State, event: CryOut) -> Outcome:
    """Cry a squail out for the round (SQU-26). Until the next is played, or a claim where none is left to play (S-10)."""
    refusal = cannot_cry(state, event)
    if refusal is not None:
        return refusal
    return ruled(replace(state, squails=changed(state.squails, state.seats.place[event.squail], "out")))


def claim_replay(state: State, event: ClaimReplay) -> Outcome:
    """Call for a squail that went out uncried: it is struck afresh when the turns are done (SQU-27, SQU-28)."""
    refusal = _cannot_claim(state, event)
    if refusal is not None:
        return refusal
    done = turns_done(state)
    squails = list(state.squails)
    if done:
        _close_cry(state, squails)  # S-10
    waiting = (*state.replay, event.squail)
    replay_order = tuple([one for one in state.outs if one in waiting])
    to_play = owner(state, replay_order[0]) if done else state.to_play
    return ruled(replace(state, squails=tuple(squails), replay=replay_order, to_play=to_play))


def stand_target(state: State, event: StandTarget) -> Outcome:
    """The next player, and he alone, may stand an unsteady target where he finds it (SQU-14)."""
    table, player = state.seats, event.by
    if state.end is not None:
        return Refusal("SQU-16", "The round is finished: before the next one the target goes back to the centre.")
    if state.target != "unsteady":
        return Refusal("SQU-13", "The target stands: it stays where it is until the round is over.")
    following = state.to_play or (owner(state, state.replay[0]) if turns_done(state) and state.replay else None)
    if following is None and state.last is not None:
        following = table.following[state.last][0]
    if following not in (None, player, table.side_of[player]):
        return Refusal("SQU-14", f"Only the next player may stand the target: {spoken(str(following))}.")
    if event.where == "elsewhere":
        return Refusal("SQU-14", "The target is stood where it was found, nowhere else.")
    # Who stands it is the next player, where that was open.
    to_play = state.to_play if turns_done(state) or "in_hand" not in _own(state, player) else player
    return ruled(replace(state, target="moved", to_play=to_play))


def _own(state: State, player: Player) -> tuple[Status, ...]:
    table = state.seats
    return state.squails[table.span[table.side_of[player]]]


def _close_cry(state: State, squails: list[Status]) -> None:
    for place, status in enumerate(squails):
        if status == "over":
            spent = state.replayed.count(state.seats.squails[place]) >= REPLAYS
            squails[place] = "played" if spent else "claimable"


def _no_stroke(state: State, event: Strike) -> Refusal | None:
    table, player, squail = state.seats, event.player, event.squail
    if state.end is not None:
        return round_is_over(state)
    if table.side_of[player] != table.side_of[squail]:
        return Refusal("SQU-05", f"A player strikes one of his own squails: {spoken(squail)} isn't {spoken(player)}'s.")
    if turns_done(state):
        return _no_replay(state, event)
    if state.to_play not in (None, player, table.side_of[player]):
        return Refusal(
            "SQU-07", f"It is {spoken(str(state.to_play))}'s turn, not {spoken(player)}'s: play goes round one at a time."
        )
    status = state.squails[table.place[squail]]
    if status != "in_hand":
        rule, text = _USED[status]
        return Refusal(rule, f"{sentence(spoken(squail))} {text}")
    return _irregular(state, event)


_USED: dict[Status, tuple[str, str]] = {
    "short": ("SQU-25b", "lies on the table: take it back first, or let it lie."),
    "played": ("SQU-25", "has been played."),
    "over": ("SQU-27", "went across the table: uncried it may be claimed, and is played again when all turns are done."),
    "claimable": ("SQU-27", "is played again when it is claimed and all turns are done."),
    "out": ("SQU-26", "was cried out: it is out for this round."),
    "null": ("SQU-19", "was touched: it is null for this round."),
}


def _no_replay(state: State, event: Strike) -> Refusal | None:
    if not state.replay:
        return Refusal("SQU-08", "Every squail has been played: the round is finished, measure it.")
    if event.squail != state.replay[0]:
        text = f"Squails are played again in the order in which they went out: {spoken(state.replay[0])} is next."
        return Refusal("SQU-28", text)
    if owner(state, event.squail) not in (event.player, state.seats.side_of[event.player]):
        return Refusal(
            "SQU-27", f"{sentence(spoken(event.squail))} is played again by {spoken(owner(state, event.squail))}, who struck it."
        )
    return _irregular(state, event)


def _irregular(state: State, event: Strike) -> Refusal | None:
    if event.rose:  # S-13
        return Refusal(
            "SQU-12", f"{sentence(spoken(event.player))} rose or moved the chair: take the squail back and strike again."
        )
    if event.crossed_far_line and _is_short(state, event):
        return Refusal(
            "SQU-26", "A squail that lies short of the line on its own side can't have passed the one across the table."
        )
    return None


def _is_short(state: State, event: Strike) -> bool:
    """SQU-25, S-09: what the gauge, laid from the edge, touches has not passed the line of demarcation."""
    return event.in_from_edge_mm is not None and event.in_from_edge_mm <= state.house.gauge_mm


def _target_after(state: State, event: Strike) -> Target:
    if event.target != "still":
        return event.target
    # SQU-13, SQU-15, S-16: it stays where it stopped; the right to stand it was the next player's alone, and he has struck.
    return "moved" if state.target == "unsteady" else state.target


def _target_out(state: State, player: Player) -> Outcome:
    """SQU-21, S-08: the round is over and no squail counts. SQU-22: the sender begins the next. SQU-23: one to the adversary."""
    table = state.seats
    side = table.side_of[player]
    gainers: tuple[Side, ...] = table.others(side)
    if table.solo and state.house.solo_target_out == "none":
        gainers = ()
    why = f"{sentence(spoken(player))} struck the target over the line: one to the adversary."
    gains = tuple([int(one in gainers) for one in table.sides])
    end = RoundEnd("target_out", player, gains)
    score = tuple([had + gain for had, gain in zip(state.score, gains, strict=True)])
    awards = tuple([Award(one, 1, "SQU-23", why) for one in gainers])
    after = replace(state, score=score, replay=(), end=end)
    return ruled(after, awards, (Notice("SQU-16", "The target went out: put it back in the centre for the next round."),))


def _next_to_play(
    table: Seats, player: Player, squails: tuple[Status, ...], struck_by: tuple[Player | None, ...], replay: tuple[Squail, ...]
) -> Starter | None:
    if "in_hand" in squails:
        return next(one for one in table.following[player] if "in_hand" in squails[table.span[table.side_of[one]]])
    return struck_by[table.place[replay[0]]] or table.sole(table.side_of[replay[0]]) if replay else None


def _said_of_stroke(state: State, event: Strike) -> tuple[Notice, ...]:
    name, said = spoken(event.squail), []
    if _is_short(state, event):
        said.append(
            Notice("SQU-25b", f"{sentence(name)} has not passed the line: it may be taken back until the next is struck.")
        )
    elif event.crossed_far_line:
        opponents = listed(state.seats.others(state.seats.side_of[event.player]))
        said.append(Notice("SQU-26", f"{sentence(name)} went across the table: it is out if {opponents} cry it in time."))
    if event.target == "unsteady":
        said.append(Notice("SQU-14", "The target is unsteady: the next player may stand it where it is."))
    if state.to_play is None:
        said.append(Notice("SQU-08", "Every squail has been played: measure the round."))
    return tuple(said)


def _cannot_claim(state: State, event: ClaimReplay) -> Refusal | None:
    table, squail, name = state.seats, event.squail, sentence(spoken(event.squail))
    status = state.squails[table.place[squail]]
    if state.end is not None:
        return round_is_over(state)
    if table.side_of[squail] != event.by:
        return Refusal("SQU-27", f"{name} may be claimed by its owner alone.")
    if squail in state.replay:
        return Refusal("SQU-27", f"{name} has been claimed already.")
    if status == "out":
        return Refusal("SQU-26", f"{name} was cried out: it is out for this round.")
    if squail in state.outs and state.replayed.count(squail) >= REPLAYS:
        return Refusal("S-17", f"{name} has been played again twice: no more.")
    if status == "over" and not turns_done(state):
        return Refusal("SQU-27", f"{name} may still be cried: it is claimed once the next squail has been played.")
    if status not in ("over", "claimable"):
        return Refusal("SQU-27", f"{name} has not gone out.")
    return None

"""A game told for people: every point, notice and refusal with its rule, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from controller.rules.awards import Award, Over, Refusal, Ruling
from controller.rules.game import Event, Game

WITHOUT_EFFECT = frozenset({"event", "id", "at", "origin", "evidence", "note"})


def account(game: Game[Any], state: Any, told: Iterable[tuple[str, Event, Ruling[Any] | Refusal]]) -> Iterator[str]:
    """Tell a game from its first state, line by line. Each thing told has a label for the place where it stands.

    Events that changed nothing worth a word are passed over.
    """
    yield f"{game.name}: {score_text(game.score(state))}"
    for label, event, outcome in told:
        head = f"{label}: {event_text(game, event)}"
        if isinstance(outcome, Refusal):
            yield f"{head} - refused"
            yield f"    {outcome.text} [{outcome.rule}]"
            continue
        state = outcome.state
        lines = [award_text(award) for award in outcome.awards]
        lines += [f"{notice.text} [{notice.rule}]" for notice in outcome.notices]
        lines += [f"{ask.text} [{ask.ask}]" for ask in outcome.asks]
        if lines:
            yield head
            yield from (f"    {line}" for line in lines)
        if outcome.awards:
            yield f"    {score_text(game.score(state))}"
    yield from _ending(game, state)


def _ending(game: Game[Any], state: Any) -> Iterator[str]:
    over = game.over(state)
    if over is not None:
        yield over_text(over, game.score(state))
        return
    pending = game.unbanked(state) or ()
    if pending:
        yield "Not banked yet:"
        yield from (f"    {award_text(award)}" for award in pending)
    turn = game.turn(state)
    yield f"Not over: {turn} is to play." if turn else "Not over."


def award_text(award: Award) -> str:
    """One award: `+18 A  The black in cup 9 counts double. [BAG-12]`."""
    return f"{award.points:+d} {award.side}  {award.why} [{award.rule}]"


def score_text(score: Mapping[str, int]) -> str:
    """The score: `A 18, B 0`."""
    return ", ".join(f"{side} {points}" for side, points in score.items())


def over_text(over: Over, score: Mapping[str, int]) -> str:
    """How a game ended, in a sentence."""
    if over.winner is None:
        return f"A draw: {score_text(score)}. [{over.rule}]"
    double = ", a double" if over.double else ""
    return f"{over.winner} wins{double}: {score_text(score)}. [{over.rule}]"


def event_text(game: Game[Any], event: Event) -> str:
    """An event in a few words: its kind and its plain fields. A text that can't be printed is escaped."""
    written = game.write(event)
    plain = [
        f"{name.replace('_', ' ')} {value if str(value).isprintable() else ascii(value)}"
        for name, value in written.items()
        if name not in WITHOUT_EFFECT and isinstance(value, str | int | float) and not isinstance(value, bool)
    ]
    return ", ".join([str(written["event"]).replace("_", " "), *plain])

"""Where the rules stand in a game of squails, in the words that its table needs. Pure."""

from __future__ import annotations

from functools import cached_property
from typing import cast

from controller.rules.awards import Json, Notice
from controller.rules.squails.words import Seats, Squail, seats
from controller.tables.demarcation import Ground
from controller.tables.eyes import Eyes
from controller.tables.table import Standing
from hardware.places import Place

CENTRE = Place(0.0, 0.0)


class SquailsStanding:
    """A standing of the game."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing

    @property
    def statuses(self) -> dict[str, Json]:
        """What each squail is: in hand, played, out."""
        return cast(dict[str, Json], self.standing.position.get("squails", {}))

    @cached_property
    def in_hand(self) -> list[Squail]:
        """The squails still to be played."""
        return [cast(Squail, one) for one, status in self.statuses.items() if status == "in_hand"]

    @property
    def replay(self) -> list[Json]:
        """The squails to be played again, in order."""
        return cast(list[Json], self.standing.position.get("replay", []))

    @property
    def records(self) -> tuple[int, ...]:
        """The records of the events that stand."""
        return tuple(record for record, _ in self.standing.events)

    @cached_property
    def began(self) -> int:
        """The record of the event that began the round; 0 for a game's first."""
        return next((record for record, event in reversed(self.standing.events) if event["event"] == "new_round"), 0)

    @cached_property
    def struck(self) -> bool:
        """Whether any stroke of the round stands."""
        kinds = [event["event"] for _, event in self.standing.events]
        begins = len(kinds) - kinds[::-1].index("new_round") if "new_round" in kinds else 0
        return "strike" in kinds[begins:]

    @cached_property
    def end(self) -> int:
        """The record of the event that ended the round by measure or by the captains' word; 0 where none has."""
        kinds = ("round_end", "new_round")
        record, kind = next(((r, e["event"]) for r, e in reversed(self.standing.events) if e["event"] in kinds), (0, ""))
        return record if kind == "round_end" else 0

    @property
    def since_end(self) -> list[dict[str, Json]]:
        """What has been said of the round since it ended."""
        records = self.records
        return [event for _, event in self.standing.events[records.index(self.end) + 1 :]] if self.end else []

    def corrected(self, before: Standing, newest: int) -> bool:
        """Whether events were taken away, put in or brought back since, by no answer. `newest`: the last record seen yet."""
        old, now = SquailsStanding(before).records, self.records
        goes_on = now[: len(old)] == old and all(record > newest for record in now[len(old) :])
        return self.standing.answered == before.answered and not goes_on

    @property
    def untouched(self) -> bool:
        """Whether nothing of the round has been played."""
        return not self.ended and all(status == "in_hand" for status in self.statuses.values())

    @property
    def waits(self) -> bool:
        """Whether a squail may still be cried, called for to be played again, or taken back because it is short."""
        return any(status in ("over", "claimable", "short") for status in self.statuses.values())

    def called_for(self, side: str) -> Squail | None:
        """The first squail of a side that went across uncried and may be called for."""
        waits = ("claimable",) if self.in_hand else ("over", "claimable")
        own = (one for one, status in self.statuses.items() if status in waits and one.startswith(f"{side}-"))
        return next((cast(Squail, one) for one in own if one not in self.replay), None)

    def to_play(self, squail: Squail) -> Json:
        """Whose turn it is; none where the rules wait for another side: then the turn says nothing of who struck."""
        to_play, sides = self.standing.position.get("to_play"), self.seats.side_of
        return to_play if isinstance(to_play, str) and sides[to_play] == sides[squail] else None

    @property
    def seats(self) -> Seats:
        """Who plays."""
        options = self.standing.options
        return seats(cast(int, options["players"]), cast(int, options["squails_each"]))

    @property
    def gauge(self) -> float:
        """The gauge's length in millimetres."""
        return float(cast(float, self.standing.options["gauge_mm"]))

    @property
    def ended(self) -> bool:
        """Whether the round has ended."""
        if self.standing.position.get("target") == "out":
            return True
        ends = [event["event"] for _, event in self.standing.events if event["event"] in ("round_end", "new_round")]
        return ends[-1:] == ["round_end"] or self.standing.position.get("next_begins") is not None

    def until_clear(self, eyes: Eyes, ground: Ground | None, centred: float) -> tuple[Notice, ...]:
        """What must be done before the first stroke of a round (SQU-16), as far as it is seen."""
        if eyes.away:
            return ()
        if eyes.scene is None and eyes.target is None:
            return (Notice("SQU-06", "Wait until the table has been seen."),) if eyes.sees_squails else ()
        if not self.ended and any(status != "in_hand" for status in self.statuses.values()):
            return ()
        target, notices = eyes.target, []
        if target is None and eyes.sees_target:
            notices.append(Notice("SQU-16", "The target isn't seen: put it in the centre."))
        elif target is not None and target.far_from(CENTRE) > centred + target.error:
            notices.append(Notice("SQU-16", f"The target is {target.far_from(CENTRE):.0f} mm off: put it back in the centre."))
        places = {} if eyes.scene is None or ground is None else eyes.scene.places
        lying = [one for one, place in places.items() if one in self.statuses and ground is not None and ground.lies(place)]
        if lying:
            notices.append(Notice("SQU-08", f"Take the squails off the table: {len(lying)} lie there."))
        return tuple(notices)

"""The table of squails: places of the target and the squails, the gauge and buttons, put together into strokes and rounds.

A stroke is told when everything lies still again. A round is measured when all squails have been played and nothing has moved for
`quiet`; it scores at once, and what the captains press afterwards corrects it (SQU-17). What lies within the errors of the places
is asked, and the gauge answers it. A captain's own claim is an event like any other: it never answers a question.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import asdict, replace
from typing import cast

from controller.rules.awards import Json, Notice
from controller.rules.squails.words import listed
from controller.tables.demarcation import Ground
from controller.tables.presses import SEATS, Presses, Timing
from controller.tables.rounds import deciding, distances, end_of_round, unmeasured
from controller.tables.slides import Stroke, Struck, draft, find, players_of, target_now
from controller.tables.squails_standing import SquailsStanding
from controller.tables.squails_words import NO_STROKE, not_of_round, not_standing, out_of_use, unseen
from controller.tables.table import Draft, Out, Seen, Standing
from controller.tables.whereabouts import Whereabouts
from hardware.places import Scene
from hardware.signals import SECOND

MOST_LEFT = 64
"""So many states that were left are kept: who takes back more finds that nothing is told of itself there."""


class SquailsTable(Presses):
    """One table of squails. Roles are those of `roles.py`; any may be missing."""

    def __init__(self, roles: Iterable[str], ground: Ground | None, timing: Timing | None = None) -> None:
        super().__init__(roles, ground, timing or Timing())
        self._own: int | None = None  # the record of an event of this table, until the rules have moved by it
        self._newest = 0  # the latest record of an event yet
        self._led: dict[int, tuple[int, ...]] = {}  # by record: the observations behind an event of this table
        # By the records of events, when they were left by no event of this table: what was told of itself at how many.
        self._left: dict[tuple[int, ...], dict[str, int]] = {}
        self._changed = 0  # when people last entered, corrected or took back something
        self._lying = Whereabouts()
        self._found = 0  # when the sensors were last taken as they are
        self._anew = True  # whether no scene has come since
        self._followed = 0  # when the rules last moved

    # What is shown

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What people must do now."""
        if self._phase in ("arming", "clearing"):
            return (*self._until_clear(), *self._by_hand(), *self._to_gauge, *self._said_of_presses)
        if self._phase not in ("playing", "over"):
            return ()
        silent = [
            Notice("SQU-06", f"The {role} sensor tells nothing: enter what is played until it does.")
            for role in sorted(self._eyes.away)
        ]
        if self._phase == "playing" and (role := self._eyes.left_out) is not None:
            silent.append(out_of_use(role, seats=any(map(self._has, SEATS))))
        if self._phase == "playing" and self._may_end and self._told.get("end") == self._events:
            text = "All have been played, and a correction ends no round of itself: enter its end, or correct once more."
            silent.append(Notice("SQU-08", text))
        lying = self._of_those_lying() if self._phase == "playing" else ()
        return (*silent, *lying, *self._to_gauge, *self._remarks.values())

    def _of_those_lying(self) -> tuple[Notice, ...]:
        """What is to be said of squails that lie there though the rules have them in hand."""
        lying = [one for one in self._rules.in_hand if self._eyes.scene is not None and self._lying.lies(one)]
        counting = [one for one in lying if self._lying.of_round(one, self._rules.began)]
        seen = [one for one in counting if self._lying.was_seen_struck(one)]
        blind = [one for one in counting if one not in seen]
        strange = [one for one in lying if one not in counting]
        notices = []
        if blind:
            notices.append(unseen(blind))
        if seen:
            notices.append(not_standing(seen, target=not self._round.moved_target.isdisjoint(seen)))
        if strange:
            notices.append(not_of_round(strange))
        if self._all_played and not self._rules.struck:
            notices.append(NO_STROKE)
        return tuple(notices)

    @property
    def sees(self) -> frozenset[str]:
        """Where the target is seen, whether it is back in the centre."""
        return frozenset({"SQU-16"}) if self._target is not None else frozenset()

    @property
    def seen(self) -> dict[str, Json]:
        """Where everything lies, in millimetres from the middle, and the measures of the table and its pieces if known."""
        places = {} if self._eyes.scene is None else self._eyes.scene.places
        told: dict[str, Json] = {"squails": {name: [p.x, p.y] for name, p in places.items() if name != "target"}}
        target, ground = self._target, self._ground
        if ground is not None:
            told["ground"] = {**asdict(ground.extent), "squail": ground.squail, "target": ground.target}
        return {**told, "target": None if target is None else [target.x, target.y]}

    # A table's life

    def baseline(self, levels: dict[str, bool], at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Levels tell nothing here: buttons have none, and places come as observations. What they tell first was there."""
        self._found, self._anew = at, True
        return []

    def begin(self, standing: Standing, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """A new game: arming until the target stands in the centre and no squail lies."""
        self._rules = SquailsStanding(standing)
        self._phase = "arming"
        self._look_again()
        return []

    def resume(self, at: int) -> list[Out]:
        """Go on; what lies elsewhere by now was not played there."""
        self._followed = at
        if self._phase == "paused":
            self._round.stood = self._target
        return super().resume(at)

    def lost(self, roles: frozenset[str]) -> None:
        """These roles are out of use."""
        if self._sees_squails and "squails" in roles:
            # What was pressed told whose stroke would be seen.
            self._seat = None
        self._eyes.lost(roles)
        super().lost(roles)

    # Observations

    def observe(self, seen: Seen) -> list[Out]:
        """Take one observation."""
        o = seen.observation
        if not self._has(o.role):
            # A journal may tell of sensors that the table file no longer has.
            return []
        if o.kind == "position":
            return self._look(seen)
        if o.kind == "gauge":
            return self._gauge(seen, touches=bool(o.value))
        return self._button(seen)

    def _look(self, seen: Seen) -> list[Out]:
        scene = self._eyes.look(seen)
        outs: list[Out] = []
        if scene is not None:
            self._lying.look_at_target(self._target, by=seen.id)
            lay = self._whereabouts(seen, scene) if seen.observation.role == "squails" else None
            if self._phase != "playing":
                if self._phase in ("arming", "clearing"):
                    self._round.stood = self._target
            elif lay is None:
                self._round.stood = self._round.stood or self._target
            elif scene.blind or self._found >= seen.observation.known:
                # Nobody knows what was played until now: it lies where it lies, and is measured there.
                self._round.stood = self._target
            else:
                outs = self._struck(seen, scene, lay)
        self._look_again()
        return outs

    def _whereabouts(self, seen: Seen, scene: Scene) -> AbstractSet[str]:
        """Note where the squails lie; gives those that can't have been struck since the scene before."""
        found, anew = self._found >= seen.observation.known, self._anew
        self._anew = False
        round_ = self._rules.began if self._phase == "playing" else None
        return self._lying.look(scene, self._sure_ground, round_, by=seen.id, found=found, anew=anew)

    def _struck(self, seen: Seen, scene: Scene, lay: AbstractSet[str]) -> list[Out]:
        self._remarks.clear()
        found = find(scene, lay, self._rules.statuses, self._rules.replay, ground=self._sure_ground, gauge=self._rules.gauge)
        target = self._what_the_target_did(scene)
        at, evidence = seen.observation.at, self._eyes.evidence
        outs: list[Out] = [Draft({"event": "take_back", "squail": one}, at, evidence, seen.id) for one in found.taken]
        for place, struck in enumerate(found.struck):
            last = place == len(found.struck) - 1
            outs.append(self._stroke(seen, struck, target if last else ("still",)))
        if len(found.struck) > 1 and target[0] == "out":
            names = listed(tuple(one.squail for one in found.struck))
            self._remark(
                "who", "SQU-22", f"{names} were struck as one, and the target is out: see that the sender is the right one."
            )
        if not found.struck and target != ("still",):
            text = "The target was moved by no stroke that was seen: put it back, or enter the stroke."
            self._remark("target", "SQU-13", text)
        if found.struck:
            self._round.stood, self._seat = self._target, None
        return outs

    def _stroke(self, seen: Seen, struck: Struck, target: tuple[str, ...]) -> Draft:
        pressed = self._seat[0] if self._seat else None
        players = players_of(struck.squail, self._rules.seats, pressed, self._rules.to_play(struck.squail))
        stroke = Stroke(struck, players, target, f"{seen.id}-{struck.squail}")
        saw = self._eyes.evidence if target == ("still",) else self._eyes.basis
        evidence = saw if self._seat is None else (*saw, self._seat[2])
        drafted = draft(stroke, seen.observation.at, evidence, seen.id)
        (self._round.moved_target.discard if target == ("still",) else self._round.moved_target.add)(struck.squail)
        self._keep(drafted)
        return drafted

    def _what_the_target_did(self, scene: Scene) -> tuple[str, ...]:
        now = self._target
        ways = target_now(self._round.stood, now, self._sure_ground, self._rules.gauge)
        other = scene.places.get("target")
        if now is not None and other is not None and now.far_from(other) > now.error + other.error + self._timing.centred:
            # Two sensors of the target that contradict each other: neither is believed.
            also = target_now(self._round.stood, other, self._sure_ground, self._rules.gauge)
            self._remark("two", "SQU-13", f"The sensors of the target are {now.far_from(other):.0f} mm at odds: look at both.")
            ways = tuple(dict.fromkeys([*ways, *also]))
        return ways

    # Rounds

    def next_deadline(self) -> int | None:
        """When a claim is complete, a stroke that was called may be told, a round be measured, or the next begun."""
        if self._phase in ("idle", "abandoned", "paused", "arming"):
            return None
        due = [] if self._captains.due is None else [self._captains.due]
        if self._seat is not None and not self._sees_squails and not self._eyes.moving:
            due.append(self._seat[1] + self._timing.linger)
        still = self._eyes.still_since
        if still is not None and not self._eyes.away and not self._rules.standing.over:
            still = max(still, self._changed)
            if self._phase == "playing" and self._may_end and self._told.get("end") != self._events:
                due.append(still + (self._timing.grace if self._rules.waits else self._timing.quiet))
            elif self._cleared and self._told.get("new") != self._events:
                due.append(still + SECOND)
        if self._unmeasured and self._told.get("end") != self._events:
            due.append(self._followed + self._timing.grace)
        return min(due, default=None)

    def advance(self, t: int) -> list[Out]:
        """Do what is due; changes nothing unless it gives something."""
        due = self.next_deadline()
        if due is None or due > t:
            return []
        if self._captains.due == due:
            self._told.pop("new", None)
            return [*self._captains.claimed()]
        if self._seat is not None and not self._sees_squails and self._seat[1] + self._timing.linger == due:
            return self._call()
        if self._phase == "clearing":
            self._told["new"] = self._events
            return [Draft({"event": "new_round", "target_at": "centre"}, due, self._eyes.basis)]
        self._told["end"] = self._events
        return self._ask_what_counts(due) if self._unmeasured else self._measure(due)

    @property
    def _unmeasured(self) -> bool:
        """Whether all has been played, nothing can measure it, and no button is there to claim it."""
        blind = not self._sees_squails and (any(map(self._has, SEATS)) or "squails" in self._roles)
        claimed = any(self._has(f"{side}-claim") for side in self._rules.seats.sides)
        waits = bool(self._rules.in_hand or self._rules.replay)
        return self._phase == "playing" and blind and not claimed and not waits and not self._rules.ended

    def _ask_what_counts(self, at: int) -> list[Out]:
        key = f"{self._rules.standing.position['round']}-{self._events}"
        sides = cast(dict[str, str], self._rules.seats.side_of)
        return [unmeasured(self._rules.statuses, sides, key=key, at=at, evidence=self._of_the_round)]

    @property
    def _of_the_round(self) -> tuple[int, ...]:
        """The observations behind the events of the round in play."""
        led: list[int] = []
        for record, event in self._rules.standing.events:
            led = [] if event["event"] == "new_round" else [*led, *self._led.get(record, ())]
        return tuple(dict.fromkeys(led))

    def finish(self, at: int, *, entering: bool) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Tell a claim that is being pressed; what still moves can't be told."""
        return [*self._captains.claimed()] or ([] if self._sees_squails else self._call())

    def _measure(self, at: int) -> list[Out]:
        """The round as it lies (SQU-08)."""
        scene, target = self._eyes.scene, self._target
        assert scene is not None
        assert target is not None
        sides = cast(dict[str, str], self._rules.seats.side_of)
        self._measuring, wrong = distances(scene, target, self._sure_ground, self._rules.statuses, sides)
        key = f"{self._rules.standing.position['round']}-{self._events}"
        level = str(self._rules.standing.options["level"])
        drafted = end_of_round(self._measuring, wrong, self._rules.statuses, self._rules.gauge, level, key=key, at=at)
        self._keep(drafted)
        came = self._lying.came(deciding(self._measuring, wrong, self._rules.gauge))
        return [replace(drafted, evidence=tuple(dict.fromkeys([*came, *self._eyes.rests])))]

    @property
    def _may_end(self) -> bool:
        """Whether every squail has been played, as the rules or the places have it, and the target is there to measure from.

        Without any stroke people say what was played.
        """
        return self._all_played and self._rules.struck

    @property
    def _all_played(self) -> bool:
        if self._eyes.scene is None or self._target is None or self._rules.replay or self._rules.ended:
            return False
        return all(self._lying.of_round(one, self._rules.began) for one in self._rules.in_hand)

    def drafts(self) -> list[Draft]:
        """None: a stroke is told when all lies still, and until then nothing can be said of it."""
        return []

    def recorded(self, draft: Draft, record: int) -> None:
        """A draft has become the event of this record."""
        super().recorded(draft, record)
        self._own = record
        self._led[record] = draft.evidence

    def follow(self, standing: Standing, at: int) -> list[Out]:
        """Take where the rules stand now."""
        self._followed = at
        old, self._rules = self._rules, SquailsStanding(standing)
        if self._own is not None:
            # The game goes on: what was about to be told before corrections is so no longer.
            self._left.clear()
        elif self._rules.records != old.records:
            self._changed = at
            self._left[old.records] = {**self._told}
            if len(self._left) > MOST_LEFT:
                del self._left[next(iter(self._left))]
            if self._rules.corrected(old.standing, self._newest):
                # What lies there lay there before: of itself a correction ends and begins no round.
                # Events that come back are as they were left.
                self._told = {**self._left.get(self._rules.records, {"end": self._events, "new": self._events})}
        self._own = None
        self._newest = max([self._newest, *(record for record, _ in standing.events)])
        self._refused(self._rules.records)
        self._look_again()
        return []

    @property
    def _cleared(self) -> bool:
        """Whether a round is over and its table is seen to be clear for the next."""
        seen = self._eyes.still_since is not None and not self._eyes.away
        return self._phase == "clearing" and seen and not self._until_clear()

    def _by_hand(self) -> tuple[Notice, ...]:
        """What people must enter, since nothing has moved that would tell it."""
        if not self._cleared or self._told.get("new") != self._events:
            return ()
        text = "The table is clear, and a correction begins no round of itself: enter the new round, or correct once more."
        return (Notice("SQU-08", text),)

    def _until_clear(self) -> tuple[Notice, ...]:
        return self._rules.until_clear(self._eyes, self._ground, self._timing.centred)

    # Phases

    def _look_again(self) -> None:
        phase = self._paused_from if self._phase == "paused" else self._phase
        if phase in ("idle", "abandoned"):
            return
        if self._rules.standing.over:
            phase = "over"
        elif self._rules.ended:
            phase = "clearing"
            if self._until_clear():
                # That it will be cleared is something that moves.
                self._told.pop("new", None)
        else:
            clear = not self._until_clear()
            self._round.armed = self._round.armed or (clear and self._rules.untouched)
            phase = "playing" if clear or self._round.armed else "arming"
        self._to(phase)

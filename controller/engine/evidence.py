"""Why points were given: each event's awards with their rules, what sensors saw, how its unknowns were filled, who entered it.

Pure: a game as the journal keeps it in, sentences and their parts out. The command line and the service tell the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.engine.archive import Kept
from controller.engine.console import gained
from controller.engine.fold import Entry, Fold, Step
from controller.engine.grounds import Ground, Grounds
from controller.engine.labels import clock_of
from controller.engine.occurrences import DEADLINE
from controller.engine.questions import find_choice
from controller.engine.records import Record
from controller.engine.wording import event_text, evidence_text, gaps_text, value_text
from controller.rules.awards import Json, Refusal
from controller.tables.table import LEFT_OUT, Choice, Question

MOST_SEEN = 12
"""Observations of one event that are told in words; of more it is said how many there are."""
MOST_EVENTS = 20
MOST_BYTES = 24 * 1024
"""Events of one answer, and their size as JSON: a whole game is told in pages."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Points that an event gave or took.

    `name`: of the side; not `banked`: they are at stake in a turn still out; `because`: what led to them; `rests_on`: the earlier
    events that they rest on, by revision.
    """

    side: str
    name: str
    points: int
    rule: str
    why: str
    banked: bool
    because: str
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """One event with its reasons, in people's words.

    `seen`: the observations that led to it, by the journal's numbers; `unseen`: so many more; `filled`: what the sensors could
    not tell, and how it was filled; `entered`: by whom, where no sensor saw it, and why if that was said; `own`: all in a line.
    """

    revision: int
    event: dict[str, Json]
    gains: tuple[Gain, ...]
    refusal: Refusal | None
    seen: tuple[tuple[int, str], ...]
    unseen: int
    filled: tuple[str, ...]
    entered: str
    own: str

    @property
    def because(self) -> str:
        """What led to it, and to those of its points that rest on earlier events."""
        return "; ".join([self.own, *(f"{g.points:+d} {g.rule}: {g.because}" for g in self.gains if g.rests_on)])

    @property
    def sentences(self) -> tuple[str, ...]:
        """One for each award: "+4 FORT-11: bell of french-grand, peak 412, decay 0.8 s"."""
        if self.refusal is not None:
            return (f"doesn't stand, {self.refusal.rule}: {self.refusal.text} By: {self.own}",)
        told = tuple(
            f"{gain.points:+d} {gain.rule}: {gain.because}"
            if gain.banked
            else f"{gain.points:+d} at stake {gain.rule}: {gain.because}"
            for gain in self.gains
        )
        return told or (f"no points: {self.own}",)


def explain(kept: Kept, only: Iterable[int] | None = None) -> Iterator[Explained]:
    """The events of a game, in the order in which they count. `only`: those of these revisions."""
    wanted = None if only is None else frozenset(only)
    grounds = Grounds(kept.game, kept.opening, kept.steps)
    for place, step in enumerate(kept.steps):
        if wanted is None or step.entry.revision in wanted:
            yield _explained(kept, grounds, place, step)


def _explained(kept: Kept, grounds: Grounds, place: int, step: Step) -> Explained:
    gains: tuple[Gain, ...] = ()
    own = _own(kept, step)
    if not isinstance(step.outcome, Refusal):
        before = kept.steps[place - 1].state if place else kept.opening
        awards, banked = gained(kept.game, before, step)
        rest = grounds.of(place, awards) if banked else (Ground(),) * len(awards)
        gains = tuple(
            Gain(
                a.side,
                kept.names[a.side],
                a.points,
                a.rule,
                a.why,
                banked,
                _because(kept, own, a.why, ground),
                tuple(kept.steps[n].entry.revision for n in ground.places),
            )
            for a, ground in zip(awards, rest, strict=True)
        )
    there = [number for number in kept.led_to(step) if number in kept.observations]
    return Explained(
        revision=step.entry.revision,
        event=step.event,
        gains=gains,
        refusal=step.outcome if isinstance(step.outcome, Refusal) else None,
        seen=tuple((number, evidence_text(kept.observations[number])) for number in there[:MOST_SEEN]),
        unseen=len(there[MOST_SEEN:]),
        filled=tuple(_filled(kept, step)),
        entered=_entered(kept, step),
        own=own,
    )


def _because(kept: Kept, own: str, why: str, ground: Ground) -> str:
    """What led to an award. `own`: what led to its event."""
    earlier = ", ".join(dict.fromkeys(_own(kept, kept.steps[place]) for place in ground.places))
    what = f"an event {own}" if own.startswith("entered by") else own
    if ground.how == "banked":
        return f"{earlier}; banked by {what}"
    if ground.how == "settled":
        return f"{why.removesuffix('.')}: {earlier}; settled by {what}"
    return f"{own}; with {earlier}" if earlier else own


def _own(kept: Kept, step: Step) -> str:
    """What led to an event: what was seen, who entered it, what was filled in, what was measured."""
    told = [*_brought(kept, step), *_measured(step), *_filled(kept, step)]
    return ", ".join(told) or "nothing that the journal kept"


def _brought(kept: Kept, step: Step) -> list[str]:
    """What was seen of an event, or who entered it; what was seen later is told with what it filled."""
    there = [number for number in step.entry.evidence if number in kept.observations]
    seen = dict.fromkeys(evidence_text(kept.observations[number]) for number in there[:MOST_SEEN])
    more = [f"and {len(there) - MOST_SEEN} more"] if len(there) > MOST_SEEN else []
    entered = _entered(kept, step)
    return [*seen, *more, *([entered] if entered else [])]


def _measured(step: Step) -> Iterator[str]:
    gaps = step.entry.event.get("gaps_mm")
    known = {key: gap for key, gap in gaps.items() if not isinstance(gap, str)} if isinstance(gaps, dict) else {}
    if known and step.entry.origin == "sensor":
        yield f"measured: {gaps_text(known)}"


# What was filled in


def _filled(kept: Kept, step: Step) -> Iterator[str]:
    told: set[str] = set()
    for name in sorted(step.entry.unknown):
        value = kept.settled.binds.get(name)
        asked = kept.asked_of(name)
        nothing = value is None and asked is not None and _only(asked, name)
        if value == LEFT_OUT or nothing:
            continue
        said = None if asked is None else _said(kept, step, asked)
        if said is None:
            said = _value_text(_field(step.entry.event, name), value, _others(asked, name, value))
        if said not in told:
            told.add(said)
            how = _how(kept, step, asked, name)
            # After a whole sentence "by" would be read as a part of it.
            run_on = how.startswith("by ") and (not _is_fact(value) or said.startswith("ball "))
            yield f"{said} {how}" if run_on else f"{said}, {how}"


def _said(kept: Kept, step: Step, asked: Question) -> str | None:
    """The question with the choice that fills it; None where what it fills says it better: a ball, what became of balls."""
    names = [name for name in sorted(step.entry.unknown) if any(name in choice.binds for choice in asked.choices)]
    values = [kept.settled.binds.get(name) for name in names]
    field = _field(step.entry.event, names[0]) if names else ""
    if not names or (len(names) == 1 and (field in ("ball", "moves") or _is_fact(values[0]))):
        return None
    text = _chosen(kept, asked, names).text
    # What it says after it has asked is for whoever answers.
    question = asked.text[: asked.text.rfind("?") + 1] or asked.text
    return f"{question} {kept.names.get(text, text)}"


def _chosen(kept: Kept, asked: Question, names: list[str]) -> Choice:
    answer = kept.answered.get(asked.id)
    binds = kept.settled.binds
    fits = [choice for choice in asked.choices if all(choice.binds.get(name) == binds.get(name) for name in names)]
    answered = find_choice(asked, str(answer.body["choice"])) if answer is not None else None
    likely = find_choice(asked, asked.likely)
    for choice in (answered, likely):
        if choice is not None and (choice in fits or not fits):
            return choice
    return fits[0] if fits else asked.choices[0]


def _is_fact(value: Json) -> bool:
    return isinstance(value, dict) and "fact" in value


def _others(asked: Question | None, name: str, value: Json) -> list[dict[str, Json]]:
    """What else an unknown might have been, of objects."""
    values = [] if asked is None else [choice.binds.get(name) for choice in asked.choices]
    return [other for other in values if isinstance(other, dict) and other != value]


def _field(event: Json, name: str, here: str = "") -> str:
    """The field of an event in which an unknown stands; empty where it stands in none."""
    if isinstance(event, dict):
        return next((found for key, item in event.items() if (found := _field(item, name, key))), "")
    if isinstance(event, list):
        return next((found for item in event if (found := _field(item, name, here))), "")
    return here if event == name else ""


def _value_text(field: str, value: Json, others: Sequence[Mapping[str, Json]]) -> str:
    """A field with its value, of an object as far as it was in question. `others`: what else it might have been."""
    name = field.replace("_", " ")
    if isinstance(value, list):
        moves = [value_text(field, item) for item in value if isinstance(item, dict) and {"ball", "to"} <= item.keys()]
        return ", ".join(moves) or f"no {name}"
    if isinstance(value, dict):
        asked = {key: item for key, item in value.items() if any(other.get(key) != item for other in others)}
        if _is_fact(value) and asked.keys() != {"ball"}:
            heard = any(other.get("fact") == "bell" for other in others)
            # Only where a bell was in question does it say something that none rang.
            return value_text(field, value) + (" without ringing" if value["fact"] == "in_fort" and heard else "")
        return ", ".join(f"{key} {item}" if key == "ball" else value_text(key, item) for key, item in (asked or value).items())
    return f"no {name}" if value is None else f"{name} {value}"


def _how(kept: Kept, step: Step, asked: Question | None, name: str) -> str:
    if asked is None:
        return "by nothing that the journal kept"
    later = ", ".join(evidence_text(kept.observations[number]) for number in asked.evidence if number in kept.observations)
    answer = kept.answered.get(asked.id)
    if answer is not None and find_choice(asked, str(answer.body["choice"])) is not None:
        by = str(answer.body["by"])
        return "by nobody's answer in time" if by == DEADLINE else f"by answer of the marker {_who(by, answer)}"
    if _only(asked, name):
        return f"by {later}" if later else "the only one possible"
    likely = find_choice(asked, asked.likely)
    if likely is None or likely.binds.get(name) == kept.settled.binds.get(name):
        return f"likely by {later}, not answered" if later else "likely, not answered"
    if asked.firm:
        return "as long as nobody answers"
    came = _stands_by_it(kept, step, likely)
    return f"by what came after it ({came}), not answered" if came else "by what came after it, not answered"


def _stands_by_it(kept: Kept, step: Step, likely: Choice) -> str:
    """What led to the first later event that the rules would refuse if the likely choice were so; empty where none is."""
    body: dict[str, Any] = kept.start.body
    fold = Fold(kept.game, body["options"], body["position"])
    fold.run([one.entry for one in kept.steps], kept.settled.binds | likely.binds)
    for now, then in zip(kept.steps, fold.steps, strict=True):
        if now.entry.revision > step.entry.revision and now.stood and not then.stood:
            return ", ".join(_brought(kept, now))
    return ""


def _only(asked: Question, name: str) -> bool:
    values = [choice.binds.get(name) for choice in asked.choices]
    return all(value == values[0] for value in values)


# Who entered it


def _who(by: str, record: Record) -> str:
    named = re.fullmatch(r"(?P<name>.+) \([^()]*\)", by)
    clock = clock_of(record.wall)[:5]
    return f"({', '.join(part for part in (named['name'] if named else '', clock) if part)})"


def _entered(kept: Kept, step: Step) -> str:
    record = kept.moves.get(step.entry.id)
    if record is None or step.entry.origin == "sensor":
        return ""
    who = f"the marker {_who(str(record.body['by']), record)}"
    if record.kind != "correct":
        return f"entered by {who}"
    why = f", because: {record.body['why']}" if record.body.get("why") else ""
    if record.body["action"] == "insert_before":
        return f"put in by {who}{why}"
    target = record.body["target"]
    old = kept.moves.get(target) if isinstance(target, int) else None
    was = old.body["event"] if old is not None else None
    text = f" from: {event_text(Entry(0, was, '').filled(kept.settled.binds))}" if isinstance(was, dict) else ""
    return f"corrected by {who}{text}{why}"


# As a message


class NoSuchEvent(LookupError):
    """The game has no event of that revision; the message is for people."""


def tell(kept: Kept, revision: int | None, after: int | None) -> dict[str, Json]:
    """The answer to "why these points": of one event, or a page of the game's, those that come after the event `after`.

    `more`: the revision to give as `after` for the next page; null on the last. Raises `NoSuchEvent`.
    """
    there = [step.entry.revision for step in kept.steps]
    for wanted in (revision, after):
        if wanted is not None and wanted not in there:
            raise NoSuchEvent(f"game {kept.start.body['game_id']} has no event {wanted} that counts")
    if revision is not None:
        there = [revision]
    elif after is not None:
        there = there[there.index(after) + 1 :]
    events: list[Json] = []
    lines: list[Json] = []
    size = 0
    for one in explain(kept, there[:MOST_EVENTS]):
        event = _message(one)
        size += len(json.dumps(event)) + len(json.dumps(one.sentences))
        if events and size > MOST_BYTES:
            break
        events.append(event)
        lines += one.sentences
    more = there[len(events) - 1] if len(events) < len(there) else None
    return {"game_id": kept.start.body["game_id"], "events": events, "lines": lines, "more": more}


def _message(one: Explained) -> dict[str, Json]:
    gains: list[Json] = [
        {
            "side": g.side,
            "points": g.points,
            "rule": g.rule,
            "why": g.why,
            "banked": g.banked,
            "because": g.because,
            "rests_on": [*g.rests_on],
        }
        for g in one.gains
    ]
    seen: list[Json] = [{"id": number, "text": text} for number, text in one.seen]
    return {
        "revision": one.revision,
        "event": one.event,
        "awards": gains,
        "refusal": None if one.refusal is None else {"rule": one.refusal.rule, "text": one.refusal.text},
        "seen": seen,
        "unseen": one.unseen,
        "filled": [*one.filled],
        "entered": one.entered,
        "because": one.because,
    }

"""Why points were given: each event's awards with their rules, what sensors saw, how its unknowns were filled, who entered it.

Pure: a game as the journal keeps it in, sentences and their parts out. The command line and the service tell the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from controller.engine.archive import Kept
from controller.engine.console import gained
from controller.engine.fold import Step
from controller.engine.labels import clock_of
from controller.engine.occurrences import DEADLINE
from controller.engine.questions import find_choice
from controller.engine.records import Record
from controller.rules.awards import Json, Refusal
from controller.tables.table import LEFT_OUT, Question

MOST_SEEN = 12
"""Observations of one event that are told in words; of more it is said how many there are."""
MOST_EVENTS = 20
MOST_BYTES = 24 * 1024
"""Events of one answer, and their size as JSON: a whole game is told in pages."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Points that an event gave or took. `name`: of the side; not `banked`: they are at stake in a turn still out."""

    side: str
    name: str
    points: int
    rule: str
    why: str
    banked: bool


@dataclass(frozen=True, slots=True)
class Explained:
    """One event with its reasons, in people's words.

    `seen`: the observations that led to it, by the journal's numbers; `unseen`: so many more; `filled`: what the sensors could
    not tell, and how it was filled; `entered`: by whom, where no sensor saw it, and why if that was said.
    """

    revision: int
    event: dict[str, Json]
    gains: tuple[Gain, ...]
    refusal: Refusal | None
    seen: tuple[tuple[int, str], ...]
    unseen: int
    filled: tuple[str, ...]
    entered: str

    @property
    def because(self) -> str:
        """What led to it: what was seen, what was filled in, who said so."""
        more = (f"and {self.unseen} more",) if self.unseen else ()
        entered = (self.entered,) if self.entered else ()
        seen = dict.fromkeys(text for _, text in self.seen)
        return ", ".join([*seen, *more, *entered, *self.filled]) or "nothing that the journal kept"

    @property
    def sentences(self) -> tuple[str, ...]:
        """One for each award: "+4 FORT-11: bell of french-grand, peak 412, decay 0.8 s"."""
        if self.refusal is not None:
            return (f"doesn't stand, {self.refusal.rule}: {self.refusal.text} By: {self.because}",)
        told = tuple(
            f"{gain.points:+d} {gain.rule}: {self.because}"
            if gain.banked
            else f"{gain.points:+d} at stake {gain.rule}: {self.because}"
            for gain in self.gains
        )
        return told or (f"no points: {self.because}",)


def explain(kept: Kept) -> Iterator[Explained]:
    """The events of a game, in the order in which they count."""
    before = kept.opening
    for step in kept.steps:
        yield _explained(kept, before, step)
        before = step.state


def _explained(kept: Kept, before: Any, step: Step) -> Explained:
    gains: tuple[Gain, ...] = ()
    if not isinstance(step.outcome, Refusal):
        awards, banked = gained(kept.game, before, step)
        gains = tuple(Gain(a.side, kept.names[a.side], a.points, a.rule, a.why, banked) for a in awards)
    there = [number for number in step.entry.evidence if number in kept.observations]
    return Explained(
        revision=step.entry.revision,
        event=step.event,
        gains=gains,
        refusal=step.outcome if isinstance(step.outcome, Refusal) else None,
        seen=tuple((number, evidence_text(kept.observations[number])) for number in there[:MOST_SEEN]),
        unseen=len(there[MOST_SEEN:]),
        filled=tuple(_filled(kept, step)),
        entered=_entered(kept, step),
    )


# What was seen

_LEVELS = {
    r"cup-\d": ("filled", "emptied"),
    r"black-\d": ("saw the black", "sees no black"),
    r"spot-.*|.*-spot": ("has its ball", "lost its ball"),
    r".*-colours": ("up", "down"),
}
"""By role: a level that is on, and one that is off."""


def evidence_text(seen: dict[str, Json]) -> str:
    """An observation for people, from its record: "cup-5 filled", "bell of french-grand, peak 412, decay 0.8 s"."""
    late = ", told late" if seen.get("late") else ""
    return _seen(str(seen["sensor"]), str(seen["role"]), str(seen["kind"]), seen) + late


def _seen(sensor: str, role: str, kind: str, seen: dict[str, Json]) -> str:
    value = seen["value"]
    if kind == "ring":
        return ", ".join([f"bell of {sensor}", *_sound(seen.get("sound"))])
    if kind == "level":
        on, off = next((words for roles, words in _LEVELS.items() if re.fullmatch(roles, role)), ("on", "off"))
        return f"{sensor} {on if value else off}"
    if kind == "gauge":
        return f"{sensor} touches" if value else f"{sensor} doesn't touch"
    if kind == "position":
        return f"where things lay, by {sensor}"
    if kind in ("card", "reading"):
        return f"{value} read by {sensor}"
    if kind == "crossing":
        return f"{sensor} crossing {value}" if value else f"{sensor} crossed"
    words = {"press": "pressed", "held": "held", "blocked": "blocked", "bump": "and the whole table shaken"}
    return f"{sensor} {words.get(kind) or f'{kind} {value}'.strip()}"


def _sound(sound: Json) -> Iterator[str]:
    if not isinstance(sound, dict):
        return
    peak, decay, coupled = sound["peak"], sound["decay"], sound["coupled"]
    if peak is not None:
        yield f"peak {peak}"
    if isinstance(decay, int | float):
        yield f"{'heard for' if peak is None else 'decay'} {decay:.1f} s"
    if isinstance(coupled, list | tuple) and coupled:
        yield f"only heard by {' and '.join(map(str, coupled))}"


# What was filled in


def _filled(kept: Kept, step: Step) -> Iterator[str]:
    for name in sorted(step.entry.unknown):
        value = kept.settled.binds.get(name)
        asked = _asked(kept, name)
        nothing = value is None and asked is not None and _only(asked, name)
        if value != LEFT_OUT and not nothing:
            told = _value_text(_field(step.entry.event, name), _in_question(value, name, asked))
            yield f"{told} {_how(kept, asked, name, value)}"


def _asked(kept: Kept, name: str) -> Question | None:
    """The question that binds an unknown, or did before what it is about was corrected."""
    asking = [one for one in kept.questions.values() if any(name in choice.binds for choice in one.choices)]
    return asking[-1] if asking else kept.bound.get(name)


def _in_question(value: Json, name: str, asked: Question | None) -> Json:
    """What of a value was in question: of an object the fields in which the choices differ, where they do."""
    if asked is None or not isinstance(value, dict):
        return value
    others = [bound for choice in asked.choices if isinstance(bound := choice.binds.get(name), dict)]
    return {key: item for key, item in value.items() if any(other.get(key) != item for other in others)} or value


def _field(event: Json, name: str, here: str = "") -> str:
    """The field of an event in which an unknown stands; empty where it stands in none."""
    if isinstance(event, dict):
        return next((found for key, item in event.items() if (found := _field(item, name, key))), "")
    if isinstance(event, list):
        return next((found for item in event if (found := _field(item, name, here))), "")
    return here if event == name else ""


def _value_text(field: str, value: Json) -> str:
    field = field.replace("_", " ")
    if isinstance(value, list):
        moves = [f"{item['ball']} to {item['to']}" for item in value if isinstance(item, dict) and {"ball", "to"} <= item.keys()]
        return ", ".join(moves) or f"no {field}"
    if isinstance(value, bool):
        return f"{field} {'yes' if value else 'no'}"
    if isinstance(value, dict):
        # What kind of fact it is goes without saying: it stands in the event.
        return ", ".join(f"{key} {item}" for key, item in value.items() if key != "fact" or len(value) == 1)
    return f"no {field}" if value is None else f"{field} {value}"


def _how(kept: Kept, asked: Question | None, name: str, value: Json) -> str:
    if asked is None:
        return "by nothing that the journal kept"
    answer = kept.answered.get(asked.id)
    if answer is not None and find_choice(asked, str(answer.body["choice"])) is not None:
        by = str(answer.body["by"])
        return "by nobody's answer in time" if by == DEADLINE else f"by answer of the marker {_who(by, answer)}"
    if _only(asked, name):
        return "the only one possible"
    likely = find_choice(asked, asked.likely)
    fits = likely is not None and likely.binds.get(name) == value
    return "likely, not answered" if fits else "by what came after it, not answered"


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
    return f"corrected by {who}{f' from: {event_text(was)}' if isinstance(was, dict) else ''}{why}"


def event_text(event: dict[str, Json]) -> str:
    """An event in a line: "shot, ball white-3, white-3 to cup-7"."""
    fields = [f"{key} {value}" for key, value in event.items() if key not in ("event", "moves")]
    moves = event.get("moves")
    if isinstance(moves, list):
        fields += [f"{move['ball']} to {move['to']}" for move in moves if isinstance(move, dict)]
    return ", ".join([str(event["event"]), *fields])


# As a message


class NoSuchEvent(LookupError):
    """The game has no event of that revision; the message is for people."""


def tell(kept: Kept, revision: int | None, after: int | None) -> dict[str, Json]:
    """The answer to "why these points": of one event, or a page of the game's, those that come after the event `after`.

    `more`: the revision to give as `after` for the next page; null on the last. Raises `NoSuchEvent`.
    """
    told = [*explain(kept)]
    for wanted in (revision, after):
        if wanted is not None and all(one.revision != wanted for one in told):
            raise NoSuchEvent(f"game {kept.start.body['game_id']} has no event {wanted} that counts")
    if revision is not None:
        told = [one for one in told if one.revision == revision]
    elif after is not None:
        told = told[next(place for place, one in enumerate(told) if one.revision == after) + 1 :]
    events: list[Json] = []
    lines: list[Json] = []
    size = 0
    for one in told[:MOST_EVENTS]:
        event = _message(one)
        size += len(json.dumps(event)) + len(json.dumps(one.sentences))
        if events and size > MOST_BYTES:
            break
        events.append(event)
        lines += one.sentences
    more = told[len(events) - 1].revision if len(events) < len(told) else None
    return {"game_id": kept.start.body["game_id"], "events": events, "lines": lines, "more": more}


def _message(one: Explained) -> dict[str, Json]:
    gains: list[Json] = [
        {"side": g.side, "points": g.points, "rule": g.rule, "why": g.why, "banked": g.banked} for g in one.gains
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

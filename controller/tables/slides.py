"""What one scene shows of a stroke of squails: what was struck, what became of the target, what can't be told. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import cast

from controller.rules.awards import Json
from controller.rules.squails.words import Player, Seats, Squail, sentence, spoken
from controller.tables.demarcation import Ground, Passage, outs, passages
from controller.tables.table import Choice, Draft, Question
from hardware.places import Place, Scene

_WORDS: Mapping[Passage, str] = {
    "in": "It passed the line and lies there",
    "short": "It is short of the line",
    "across": "It went right across",
    "set": "It was taken back in hand: no stroke",
}


@dataclass(frozen=True, slots=True)
class Struck:
    """A squail that was struck: where it may have got to, the likely first.

    `rim`: how far in from the edge its rim lies, at most a gauge.
    """

    squail: Squail
    passages: tuple[Passage, ...]
    rim: float


@dataclass(frozen=True, slots=True)
class Found:
    """What a scene shows: squails that were struck, in order, and those that a hand took back."""

    struck: tuple[Struck, ...] = ()
    taken: tuple[Squail, ...] = ()


def find(
    scene: Scene, lay: AbstractSet[str], statuses: Mapping[str, Json], replay: Sequence[Json], *, ground: Ground, gauge: float
) -> Found:
    """What was struck and taken back until this scene at rest.

    `lay`: what lay on the table before: though nobody saw it struck, it has been hit when it moves.
    """
    struck: list[Struck] = []
    taken: list[Squail] = []
    may_be_struck = {one for one, status in statuses.items() if status == "short" or (status == "in_hand" and one not in lay)}
    if replay and not {one for one, status in statuses.items() if status == "in_hand"} - {*scene.moved, *scene.gone}:
        # Taken up first: one that moves from where it lay has been hit.
        may_be_struck |= {str(replay[0])} - lay
    for name in dict.fromkeys([*scene.moved, *scene.gone]):
        if name not in may_be_struck:
            continue
        one = cast(Squail, name)
        place = scene.places.get(name) or scene.gone.get(name)
        if place is None:
            continue
        got_to = passages(ground, gauge, scene.moved.get(name, place), place)
        if name in scene.gone:
            # A hand takes what lies on the player's side; what vanishes elsewhere slid off, or was taken too.
            got_to = _vanished(got_to)
        if got_to != ("set",):
            struck.append(Struck(one, got_to, min(ground.in_from_edge(place), gauge)))
        elif statuses[name] == "short":
            taken.append(one)
    fresh = [one for one in struck if statuses[one.squail] != "short"]
    if fresh:
        # One that lay short and moved while another was struck was hit by it.
        struck = fresh
    # One that lay short and moves by itself was taken back, and struck again before it lay still.
    taken += [one.squail for one in struck if statuses[one.squail] == "short"]
    return Found(tuple(struck), tuple(taken))


def _vanished(got_to: tuple[Passage, ...]) -> tuple[Passage, ...]:
    if set(got_to) <= {"set", "short"}:
        return ("set",)
    return ("across",) if got_to == ("across",) else ("across", "set")


def target_now(before: Place | None, now: Place | None, ground: Ground, gauge: float) -> tuple[str, ...]:
    """What a stroke may have done to the target, the likely first."""
    if before is None:
        return ("still",)
    if now is None:
        return ("out", "moved", "still")
    if not now.is_surely_apart_from(before):
        return ("still",)
    return tuple("out" if out else "moved" for out in outs(ground, gauge, now))


@dataclass(frozen=True, slots=True)
class Stroke:
    """One squail struck: by whom it may have been, and what it may have done to the target, the likely first."""

    struck: Struck
    players: tuple[Player, ...]
    target: tuple[str, ...]
    key: str
    """Names its questions."""


def player_question(stroke: Stroke) -> Question:
    """Who struck it."""
    name = f"player-{stroke.key}"
    choices = tuple(Choice(one, sentence(spoken(one)), {f"?{name}": one}) for one in stroke.players)
    return Question(name, f"Who struck {spoken(stroke.struck.squail)}?", choices, choices[0].key, due=True)


def draft(stroke: Stroke, at: int, evidence: tuple[int, ...], key: int) -> Draft:
    """The stroke as an event, with the questions that bind its unknowns."""
    squail, questions = stroke.struck.squail, []
    event: dict[str, Json] = {"event": "strike", "player": stroke.players[0], "squail": squail}
    if len(stroke.players) > 1:
        asked = player_question(stroke)
        event["player"] = f"?{asked.id}"
        questions.append(asked)
    if len(stroke.struck.passages) == 1:
        event |= _fields(stroke.struck, stroke.struck.passages[0])
    else:
        name = f"line-{stroke.key}"
        choices = tuple(Choice(way, _WORDS[way], _bound(stroke.struck, way, name)) for way in stroke.struck.passages)
        text = f"What became of {spoken(squail)}? The gauge, laid from the edge, tells whether it passed the line."
        questions.append(Question(name, text, choices, choices[0].key, due=True))
        event |= {"squail": f"?{name}.squail", "in_from_edge_mm": f"?{name}.rim", "crossed_far_line": f"?{name}.across"}
    if len(stroke.target) == 1:
        event |= {} if stroke.target[0] == "still" else {"target": stroke.target[0]}
    else:
        asked = target_question(f"target-{stroke.key}", stroke.target)
        event["target"] = f"?{asked.id}"
        questions.append(asked)
    return Draft(event, at, evidence, key, tuple(questions))


def target_question(name: str, ways: tuple[str, ...]) -> Question:
    """What became of the target."""
    words = {
        "out": "It is out: over the line, or the gauge touches it",
        "moved": "It was moved, but not over the line",
        "still": "It was not moved",
    }
    choices = tuple(Choice(way, words[way], {f"?{name}": way}) for way in ways)
    text = "What became of the target? The gauge, laid from the edge, tells whether it is out."
    return Question(name, text, choices, ways[0], due=True)


def _fields(struck: Struck, way: Passage) -> dict[str, Json]:
    if way == "short":
        return {"in_from_edge_mm": round(max(struck.rim, 0.0), 1)}
    return {"crossed_far_line": True} if way == "across" else {}


def _bound(struck: Struck, way: Passage, name: str) -> dict[str, Json]:
    """`set` binds the squail to nothing: then there was no stroke, and the rules refuse it."""
    fields = _fields(struck, way)
    return {
        f"?{name}.squail": None if way == "set" else struck.squail,
        f"?{name}.rim": fields.get("in_from_edge_mm"),
        f"?{name}.across": fields.get("crossed_far_line", False),
    }


def players_of(squail: Squail, seats: Seats, pressed: Player | None, to_play: Json) -> tuple[Player, ...]:
    """Who may have struck a squail, the likely first: who pressed the button of his seat, else whose turn it is."""
    own = seats.players_of[seats.side_of[squail]]
    if pressed in own:
        return (pressed,)
    if pressed is None and to_play in own:
        return (to_play,)
    first = [one for one in own if one == to_play]
    return (*first, *(one for one in own if one not in first))

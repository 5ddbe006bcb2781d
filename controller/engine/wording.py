"""Observations and events of all games in people's words, without the names that a program gives things."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from controller.rules.awards import Json
from hardware.places import Place, Scene, scene_of

# What was seen

_LEVELS = {
    r"cup-\d": ("filled", "emptied"),
    r"black-\d": ("saw the black", "sees no black"),
    r"spot-.*|.*-spot": ("has its ball", "lost its ball"),
    r".*-colours": ("up", "down"),
}
"""By role: a level that is on, and one that is off."""


def evidence_text(seen: Mapping[str, Json]) -> str:
    """An observation, from its record: "cup-5 filled", "bell of french-grand, peak 412, decay 0.8 s"."""
    late = ", told late" if seen.get("late") else ""
    return _seen(str(seen["sensor"]), str(seen["role"]), str(seen["kind"]), seen) + late


def _seen(sensor: str, role: str, kind: str, seen: Mapping[str, Json]) -> str:
    value = seen["value"]
    if kind == "ring":
        return ", ".join([f"bell of {sensor}", *_sound(seen.get("sound"))])
    if kind == "level":
        on, off = next((words for roles, words in _LEVELS.items() if re.fullmatch(roles, role)), ("on", "off"))
        return f"{sensor} {on if value else off}"
    if kind == "gauge":
        return f"{sensor} touches" if value else f"{sensor} doesn't touch"
    if kind == "position":
        return f"{sensor} {_scene(str(value))}"
    if kind in ("card", "reading"):
        return f"{value} read by {sensor}"
    if kind == "crossing":
        return f"{sensor} crossing {value}" if value else f"{sensor} crossed"
    if role in ("gauge-yes", "gauge-no"):
        return f"{sensor} pressed: the gauge {'touches' if role == 'gauge-yes' else 'does not touch'}"
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


def _scene(value: str) -> str:
    scene = scene_of(value)
    if scene.away:
        return "told nothing"
    if not scene.rest:
        return f"saw {_and([spoken(name) for name in scene.moved]) or 'something'} move"
    told = [*(_came_to_rest(name, scene) for name in scene.moved if name in scene.places)]
    told += [f"{spoken(name)} gone" for name in scene.gone]
    return f"saw {_and(told)}" if told else "saw everything lie still"


def _came_to_rest(name: str, scene: Scene) -> str:
    target = scene.places.get("target")
    place = scene.places[name]
    if name == "target":
        return f"the target {place.far_from(Place(0.0, 0.0)):.0f} mm off the centre"
    if target is None:
        return f"{spoken(name)} {math.hypot(place.x, place.y):.0f} mm from the centre"
    return f"{spoken(name)} {place.far_from(target):.0f} mm from the middle of the target"


def _and(words: list[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


# Events

_PARTS = {
    "english": "English",
    "french": "French",
    "attack": "attacking ball",
    "defence": "defending ball",
    "advanced": "advanced fort",
    "reserved": "reserved fort",
    "grand": "grand fort",
    "in_fort": "into a fort",
    "on_fort": "on a fort",
    "on_cushion": "on the cushion",
    "own_side": "from its own side",
    "enemy_side": "from the enemy's side",
    "cup": "in cup",
    "board": "on the board",
    "half_way_line": "on the line",
    "past_half_way": "back over the line",
    "short": "short of the line",
    "off_table": "off the table",
    "i_do_not_see": "I do not see",
    "as_found": "as it was found",
    "target": "the target",
}

_FACTS = {
    "pass": "{ball} through the pass, {from}",
    "bell": "{ball} rings the {fort}",
    "in_fort": "{ball} into the {fort}",
    "holed": "{ball} holed",
    "off_table": "{ball} off the table",
    "on_fort": "{ball} on a fort",
    "on_cushion": "{ball} on the cushion",
    "hit": "{ball} hit, {cushion_first}",
}

_FLAGS = {
    "cushion_first": ("off a cushion", "direct"),
    "touches": ("it touches", "it doesn't touch"),
    "hit_black": ("struck the black", "missed the black"),
    "crossed_far_line": ("right across the table", "not across the far line"),
    "has_ace": ("with the ace of trumps", "without the ace of trumps"),
}

_EVENTS = {
    "end_turn": "The rest of the turn given up",
    "turn": "{side}'s turn begins",
    "lag": "Strokes for the first turn",
    "colours_down": "{of} colours taken down by {by}",
    "respotted": "{ball} back on its spot",
    "ball_lifted": "{ball} lifted out of the {fort}",
    "demand_respot": "{by} asks the {ball} back",
    "lead_trial": "Trial for the lead: {gaps_mm}",
    "strike": "{player} strikes {squail}",
    "take_back": "{squail} taken back",
    "cry_out": "{squail} is out, cried by {by}",
    "claim_replay": "{by} plays {squail} again",
    "stand_target": "{by} stands the target {where}",
    "claim": "{by} claims {count}",
    "dispute": "{by} disputes it",
    "allow": "{by} allows it",
    "gauge": "Gauge on {squail}: {touches}",
    "touch": "{by} touched {squails}",
    "new_round": "New round",
    "new_deal": "New deal",
    "turn_up": "{by} turns up {card}",
    "ask": "{by} asks a card",
    "vie": "{by} vies",
    "pledge": "{by} pledges the vied card",
    "give_back": "{by} gives the vied card back",
    "rob": "{by} robs, {has_ace}",
    "lead": "{by} leads {card}",
    "play": "{by} plays {card}",
    "trick_over": "The trick is over",
    "game_won": "{by} has won the game",
    "offence": "Law {law} broken by {by}",
    "ruling": "{ask}, {by} says: {value}",
}

_KEPT = frozenset({"event", "id", "at", "origin", "evidence", "note"})


def event_text(event: Mapping[str, Json]) -> str:
    """An event in a line: "White 3 struck the black; white 3 in cup 7"."""
    kind = str(event["event"])
    if kind == "shot":
        said = _shot(event)
    elif kind == "stroke":
        said = _stroke(event)
    elif kind == "round_end":
        said = round_text(event)
    else:
        said = _said(kind, event)
    return said[:1].upper() + said[1:]


def _said(kind: str, event: Mapping[str, Json]) -> str:
    form = _EVENTS.get(kind, kind.replace("_", " "))
    words = {key: value_text(key, value) for key, value in event.items()}
    said = re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], ""), form).strip(" ,")
    more = [
        f"{'' if isinstance(value, bool) else _name(key)} {words[key]}".strip()
        for key, value in event.items()
        if key not in _KEPT and f"{{{key}}}" not in form and value is not False and value != "still"
    ]
    return ", ".join([said, *more])


def _name(key: str) -> str:
    return {"in_from_edge_mm": "from the edge in mm:", "cups": "cups seen:"}.get(key, key.replace("_", " "))


def _shot(event: Mapping[str, Json]) -> str:
    ball, moves = event.get("ball"), event.get("moves")
    told = [spoken(ball) + (" struck the black" if event.get("hit_black") else " played")]
    told += [_move(move) for move in moves if isinstance(move, dict)] if isinstance(moves, list) else []
    if event.get("cups"):
        told.append(f"seen {value_text('cups', event['cups'])}")
    return "; ".join(told)


def _move(move: Mapping[str, Json]) -> str:
    return f"{spoken(move.get('ball'))} {spoken(move.get('to'))}"


def _stroke(event: Mapping[str, Json]) -> str:
    side, ball = event.get("side"), event.get("ball")
    cue = "" if ball == f"{side}-attack" else f" with the {spoken(ball)}"
    call = "" if not event.get("declared") else f" I do not see ({'hidden' if event.get('hidden') else 'not hidden'})"
    return f"{spoken(side)}{cue}{call}: {value_text('facts', event.get('facts'))}"


def round_text(event: Mapping[str, Json]) -> str:
    """The end of a round of squails; distances are told only where somebody measured them."""
    gaps = event.get("gaps_mm")
    if not isinstance(gaps, dict) or not gaps:
        return "round ended, not measured"
    return f"round {'counted by people' if event.get('note') else 'measured'}: {gaps_text(gaps, counted=bool(event.get('note')))}"


def gaps_text(gaps: Mapping[str, Json], *, counted: bool = False) -> str:
    """Distances by squail, the nearest first. `counted`: 0 only says that a squail counts."""
    if counted:
        counts = [side for squail, gap in gaps.items() if gap is not None for side in [squail.partition("-")[0]]]
        return _and([f"{spoken(side)} {counts.count(side)}" for side in dict.fromkeys(counts)]) or "none"
    known = [(gap, squail) for squail, gap in gaps.items() if isinstance(gap, int | float)]
    told = [f"{spoken(squail)} {gap:.1f} mm" for gap, squail in sorted(known)]
    told += [f"{spoken(squail)} out" for squail, gap in gaps.items() if gap is None]
    return ", ".join(told)


# Values


def value_text(key: str, value: Json) -> str:
    """A value of an event, as it is said of that field."""
    if isinstance(value, bool):
        yes, no = _FLAGS.get(key, (_name(key), f"not {_name(key)}"))
        return yes if value else no
    if isinstance(value, list):
        return "; ".join(value_text(key, one) for one in value) or "nothing"
    if isinstance(value, dict):
        return _object(key, value)
    return "nothing" if value is None else spoken(value)


def _object(key: str, value: Mapping[str, Json]) -> str:
    if "fact" in value:
        words = {one: value_text(one, said) for one, said in value.items()}
        form = _FACTS.get(str(value["fact"]), "{fact}")
        return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], ""), form).strip(" ,")
    if {"ball", "to"} <= value.keys():
        return _move(value)
    if key == "gaps_mm":
        return gaps_text(value)
    if key == "cups":
        return ", ".join(f"{spoken(ball)} in cup {cup}" for cup, ball in value.items()) or "empty cups"
    return ", ".join(
        value_text(one, said) if isinstance(said, bool) else f"{_name(one)} {spoken(said)}" for one, said in value.items()
    )


def spoken(value: Json) -> str:
    """A name as people say it: "french-advanced-1" is "French advanced fort 1", "light-s3" is "light squail 3"."""
    if not isinstance(value, str):
        return "nothing" if value is None else str(value)
    if value.isupper():
        return value
    return " ".join(_part(part) for part in value.split("-"))


def _part(word: str) -> str:
    squail = re.fullmatch(r"s(\d)", word)
    return f"squail {squail[1]}" if squail else _PARTS.get(word, word.replace("_", " "))

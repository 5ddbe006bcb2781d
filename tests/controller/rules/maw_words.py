"""Short words for writing cases of maw: `vie A; pledge B; lead A AH; won A`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules_kit import check_case, play

Json = dict[str, Any]

SIMPLE = {"ask", "vie", "pledge", "give_back", "lead", "play", "turn_up", "game_won"}
LONG = {"won": "game_won", "back": "give_back", "turn": "turn_up", "trick": "trick_over", "deal": "new_deal"}
ANSWERS: Json = {"true": True, "false": False}


def event(short: str) -> Json:
    """An event in short: `rob A no-ace back mate`, `offence 4 A again`, `ruling MAW-09c B no`, `vie A help` or `gone`."""
    word, *rest = short.split()
    kind = LONG.get(word, word)
    if kind in ("trick_over", "new_deal"):
        return {"event": kind}
    if kind == "rob":
        made: Json = {"event": "rob", "by": rest[0], "has_ace": "no-ace" not in rest}
        made |= {"same_card_back": True} if "back" in rest else {}
        return made | ({"made_out_by": "mate"} if "mate" in rest else {})
    if kind == "offence":
        made = {"event": "offence", "law": int(rest[0]), "by": rest[1]}
        told = {"again": ("deals_again", True), "passes": ("deals_again", False)}
        for one in rest[2:]:
            name, value = told.get(one, ("looked_at", f"{one}_card"))
            made[name] = value
        return made
    if kind == "ruling":
        value = int(rest[2]) if rest[2].lstrip("-").isdigit() else ANSWERS.get(rest[2], rest[2])
        return {"event": "ruling", "ask": rest[0], "by": rest[1], "value": value}
    assert kind in SIMPLE, short
    made = {"event": kind, "by": rest[0]}
    if kind == "vie" and rest[1:]:
        return made | {"leads_help": True, "help_in_hand": rest[1] == "help"}
    return made | ({"card": rest[1]} if rest[1:] else {})


def events(script: str) -> list[Json]:
    """Events in short, between semicolons."""
    return [event(short) for short in script.split(";") if short.strip()]


def transcript(script: str, score: str = "0-0", deal: Json | None = None, options: Json | None = None) -> list[Json]:
    """A whole transcript; the score like `24-25`, A's first."""
    a, b = score.split("-")
    position = {"score": {"A": int(a), "B": int(b)}, "deal": deal or {}}
    return [{"event": "game", "game": "maw", "options": options or {}, "position": position}, *events(script)]


def case(
    rule: str,
    why: str,
    script: str,
    *,
    score: str = "0-0",
    deal: Json | None = None,
    options: Json | None = None,
    awards: str = "",
    refused: Json | None = None,
    holds: Json | None = None,
    over: str | None = None,
    asks: str = "",
) -> Any:
    """One case. `awards` like "A+4 MAW-08, B-2 MAW-03"; `refused` rule ids by event, counted from 1; `over` like "A MAW-09b";
    `holds` a part of the deal at the end; `asks` what waits at the end.
    """
    refused = refused or {}
    wanted = []
    for one in filter(None, awards.split(", ")):
        points, cited = one.split()
        wanted.append({"side": points[0], "points": int(points[1:]), "rule": cited})
    winner, _, by_rule = (over or "").partition(" ")
    expect: Json = {
        "awards": wanted,
        "refused": [n + 1 for n in refused],
        "over": {"winner": winner, "draw": False, "double": False, "rule": by_rule} if over else None,
    }
    if holds:
        expect["position"] = {"deal": holds}
    made = {"rule": rule, "transcript": transcript(script, score, deal, options), "why": why, "expect": expect}
    made |= {"refused_by": list(refused.values()), "asks": asks.split()}
    return pytest.param(made, id=f"{rule}: {why}")


def check(made: Json) -> None:
    """Assert that a case of this module's holds."""
    check_case(made)
    played = play(made["transcript"])
    assert [refusal.rule for refusal in played.refused.values()] == made["refused_by"]
    assert [ask.ask for ask in played.game.asks(played.state)] == made["asks"]


BOTH = "MAW-09c MAW-09c"
STRICT = {"strict_seed": True}

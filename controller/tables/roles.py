"""What sensors mean: the roles that each game knows, and the kinds of sensor that may fill each.

A role that no sensor fills is left to the marker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from controller.rules.awards import Json
from controller.rules.fortification.words import NAME, SIDE_NAME
from controller.rules.maw.words import CARDS
from controller.rules.squails.words import SIDES as SQUAIL_SIDES
from controller.rules.squails.words import seats


@dataclass(frozen=True, slots=True)
class Role:
    """One thing that a table may see: its name in a table file, what it means in one line, and which kinds may fill it."""

    name: str
    text: str
    kinds: tuple[str, ...] = ("switch",)
    also: tuple[str, ...] = ()
    """Roles that need no sensor of their own where this one has one."""


def _button(name: str, text: str) -> Role:
    return Role(name, text, ("button",))


_COMMON = (
    _button("new-game", "held down: begins a new game"),
    _button("undo", "takes back the latest thing that counted"),
    _button("answer", "gives the answer that is offered; held down: offers the next one"),
)

_CUPS = range(1, 10)

BAGATELLE = (
    *(Role(f"cup-{n}", f"a ball lies in cup {n}") for n in _CUPS),
    Role("spot-a", "the black stands on spot a, beyond the half-way line"),
    Role("half-way", "a ball crosses the half-way line; a pair of beams tells which way", ("beam",)),
    *(Role(f"black-{n}", f"the ball in cup {n} is the black") for n in _CUPS),
    _button("next-ball", "the next ball is played"),
    _button("end-of-turn", "the turn is given up, or its last ball has come to rest"),
    *_COMMON,
)

_BALLS_A_SIDE = ("attack", "defence-1", "defence-2")
_BALLS = tuple(f"{side}-{ball}" for side in ("english", "french") for ball in _BALLS_A_SIDE)
_FORTS = ("advanced-1", "advanced-2", "reserved-1", "reserved-2", "grand")
_NAMES: dict[str, str] = {
    **{str(side): name for side, name in SIDE_NAME.items()},
    **{str(one): name for one, name in NAME.items()},
}


def _fortification_side(side: str) -> tuple[Role, ...]:
    whose = _NAMES[side]
    forts = (
        role
        for fort in (f"{side}-{fort}" for fort in _FORTS)
        for role in (
            Role(fort, f"the bell of {_NAMES[fort]} rings", ("bell",)),
            Role(f"{fort}-arch", f"a ball goes into the arch of {_NAMES[fort]}", ("beam",)),
            Role(f"{fort}-colours", f"the colours of {_NAMES[fort]} are up"),
            Role(f"{fort}-ball", f"which ball is in {_NAMES[fort]}", ("reader",)),
        )
    )
    return (
        *forts,
        Role(f"{side}-pass", f"a ball goes through the pass; of a pair of beams the {whose} one is the first", ("beam",)),
        Role(f"{side}-pass-colours", f"the {whose} colours of the pass are up"),
        *(Role(f"{side}-{ball}-spot", f"{_NAMES[f'{side}-{ball}']} stands on its spot") for ball in _BALLS_A_SIDE),
    )


FORTIFICATION = (
    *_fortification_side("english"),
    *_fortification_side("french"),
    *(Role(f"pocket-{n}", f"a ball falls into pocket {n}", ("beam", "switch")) for n in range(1, 7)),
    *(Role(f"pocket-{n}-ball", f"which ball fell into pocket {n}", ("reader",)) for n in range(1, 7)),
    _button("stroke", "the next stroke is played"),
    *(_button(f"{ball}-key", f"the next stroke is played, with {_NAMES[ball]}") for ball in _BALLS),
    *_COMMON,
)


def _captain(side: str) -> str:
    """SQU-01; without sides each player speaks for himself (SQU-04)."""
    return f"the captain of {side}" if side in ("light", "dark") else f"player {side}, where an odd number play,"


SQUAILS = (
    Role("target", "where the target stands", ("position",)),
    Role("squails", "where the squails lie, and the target unless another sensor tells that", ("position",), also=("target",)),
    Role("gauge", "whether the gauge touches", ("gauge",), also=("gauge-yes", "gauge-no")),
    _button("gauge-yes", "the gauge touches"),
    _button("gauge-no", "the gauge doesn't touch"),
    *(_button(f"seat-{n}", f"the player of seat {n} has struck") for n in range(1, 9)),
    *(
        _button(f"{side}-{key}", f"{_captain(side)} {says}")
        for side in SQUAIL_SIDES
        for key, says in (
            ("claim", "claims one more squail; during a round, calls for one that went out to play it again"),
            ("allow", "allows the claim"),
            ("dispute", "disputes the claim"),
            ("out", "cries that a squail is out"),
        )
    ),
    *_COMMON,
)

MAW = (
    Role("card", "a card shown to the reader that all share: the one turned up, then each as it is played", ("reader",)),
    Role("stock", "the card turned up on the stock", ("reader",)),
    *(
        role
        for side in ("A", "B")
        for role in (
            Role(f"{side}-card", f"a card played by side {side}", ("reader",)),
            Role(f"{side}-mate-card", f"a card played by the mate of side {side}", ("reader",)),
            *(
                _button(f"{side}-{key}", f"side {side} {says}")
                for key, says in (
                    ("ask", "asks a card"),
                    ("vie", "vies"),
                    ("pledge", "pledges a vied card"),
                    ("give-back", "gives back a vied card"),
                    ("rob", "robs"),
                    ("trick", "has taken the trick"),
                    ("deal", "deals anew"),
                )
            ),
        )
    ),
    *_COMMON,
)

_ROLES = {"bagatelle": BAGATELLE, "fortification": FORTIFICATION, "squails": SQUAILS, "maw": MAW}

_READ: dict[str, tuple[str, ...]] = {"fortification": _BALLS, "maw": CARDS}


def names_read(game: str) -> tuple[str, ...]:
    """What the readers of a game tell from one another, in the order of the pack; nothing where a game has no readers."""
    return _READ.get(game, ())


def idle_roles(game: str, options: Mapping[str, Json]) -> tuple[str, ...]:
    """The roles that mean nothing under these house rules: in squails those of sides and seats that nobody plays.

    `options`: all of the game.
    """
    if game != "squails":
        return ()
    table = seats(cast(int, options["players"]), cast(int, options["squails_each"]))
    places = {f"seat-{n}" for n in range(1, len(table.players) + 1)}
    playing = {role.name for role in SQUAILS if role.name.partition("-")[0] not in ("seat", *SQUAIL_SIDES)} | places
    return tuple(r.name for r in SQUAILS if r.name not in playing and r.name.partition("-")[0] not in table.sides)


def roles_of(game: str) -> dict[str, Role]:
    """The roles of a game by their names, in the order in which people wire them; `game` is one that the rules know."""
    return {role.name: role for role in _ROLES[game]}

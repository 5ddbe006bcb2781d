"""What Home Assistant is told of a table, so that it has a device with its entities: topics and messages, pure.

Each entity has a message of its own. One message for the whole device would be shorter, but older Home Assistants don't know it,
and an entity that is gone could be taken out of it only by someone who still has the message from before; a topic of its own is
found at the broker and cleared. Values are picked from the topics that everyone reads, by templates: nothing is sent twice.
"""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from controller.publish.messages import encode
from controller.publish.topics import Topics
from controller.tables.table import Phase

USUAL_PREFIX = "homeassistant"
"""Where Home Assistant listens, if nobody has changed it."""

SIDE = """{% set side = value_json.sides[SLOT] if value_json.sides | count > SLOT else none %}"""
SCORE = SIDE + """{{ side.score if side else none }}"""
SCORE_MORE = SIDE + """{{ {'side': side.id, 'player': side.name, 'pending': side.pending} | tojson if side else '{}' }}"""
PLAYER = """
{% set side = value_json.sides | selectattr('id', 'eq', value_json.turn) | first | default(none) %}
{{ side.name[:255] if side else none }}"""
PHASE_MORE = """
{% set over = value_json.over or {} %}
{{ {
  'game': value_json.game,
  'game_id': value_json.game_id,
  'notices': value_json.notices | map(attribute='text') | list,
  'questions': value_json.questions,
  'winner': value_json.sides | selectattr('id', 'eq', over.get('winner')) | map(attribute='name') | first | default(none),
  'draw': over.get('draw', false)
} | tojson }}"""
LAST = """
{% set awards = value_json.last.awards if value_json.last else [] %}
{% set ns = namespace(said=[]) %}
{% for side in value_json.sides %}
  {% set given = awards | selectattr('side', 'eq', side.id) | map(attribute='points') | list %}
  {% if given %}{% set ns.said = ns.said + [side.name ~ ' ' ~ '%+d' | format(given | sum)] %}{% endif %}
{% endfor %}
{{ (ns.said | join(', '))[:255] if ns.said else none }}"""
REASONS = """'points': awards | selectattr('side', 'eq', awards[0].side) | map(attribute='points') | sum,
  'side': awards[0].side,
  'rules': awards | map(attribute='rule') | list,
  'why': awards | map(attribute='why') | join(' '),
  'awards': awards"""
LAST_MORE = """
{% set awards = value_json.last.awards if value_json.last else [] %}
{% if awards %}{{ {
  'banked': value_json.last.banked,
  'event_id': value_json.last.event_id,
  REASONS
} | tojson }}{% else %}{}{% endif %}""".replace("REASONS", REASONS)
CALL = """
{% set awards = value_json.ruling.awards if value_json.kind == 'event' else [] %}
{% if awards %}{{ {
  'event_type': 'award',
  'game_id': value_json.game_id,
  'event_id': value_json.event_id,
  REASONS
} | tojson }}{% elif value_json.kind == 'result' %}{% set over = value_json.ruling.over or {} %}{{ {
  'event_type': 'game_over',
  'game_id': value_json.game_id,
  'winner': over.get('winner'),
  'draw': over.get('draw', false),
  'double': over.get('double', false),
  'rule': over.get('rule'),
  'score': value_json.ruling.score
} | tojson }}{% endif %}""".replace("REASONS", REASONS)
AWAY = """value_json.sources | rejectattr('up') | map(attribute='source') | list"""
# Home Assistant keeps the attributes of a button, and lets its command see them.
UNDO = """{"command":"undo","if_revision":{{ this.attributes.revision | default(0) }}}"""


@dataclass(frozen=True, slots=True)
class TableDevice:
    """What no message says of a table, and its device should.

    `sides`: how many a game by the table file's house rules has; each has its score in a slot of its own, whoever plays.
    `buttons`: whether buttons are offered. Not where commands want a token: everyone could read it in their messages.
    """

    table: str
    name: str
    game: str
    sides: int
    buttons: bool
    version: str


class Discovery:
    """The discovery messages of a table under `prefix`; none where that is None.

    `messages`: what to retain where. `births`: where Home Assistant says `online` when it has started. `filters`: every topic
    at which such messages of this table can be, from whatever table file.
    """

    def __init__(self, prefix: str | None, device: TableDevice, topics: Topics) -> None:
        self.node = f"tablemarker_{device.table}"
        """What stands for the table in topics and ids; the same as long as the table file's `id` is."""
        self.prefix = prefix
        self._device = device
        self._topics = topics
        # The usual prefix is looked at too, where another or none is set: what was once said there should go.
        self._prefixes = tuple(dict.fromkeys((prefix or USUAL_PREFIX, USUAL_PREFIX)))
        self.filters = tuple(f"{one}/+/{self.node}/+/config" for one in self._prefixes)
        # Home Assistant's birth stays at its usual topic when the prefix alone is changed there. Our own birth is none of its.
        births = () if prefix is None else (f"{one}/status" for one in self._prefixes)
        self.births = tuple(birth for birth in births if birth != topics.status)
        self.messages = {} if prefix is None else dict(self._messages(prefix))

    def concerns(self, topic: str) -> bool:
        """Whether the topic or filter is there for Home Assistant."""
        return topic in self.births or self.owns(topic)

    def owns(self, topic: str) -> bool:
        """Whether nobody but this table has anything to retain there."""
        for prefix in self._prefixes:
            if topic.startswith(f"{prefix}/"):
                match topic[len(prefix) + 1 :].split("/"):
                    case [_, self.node, _, "config"]:
                        return True
        return False

    def _messages(self, prefix: str) -> Iterator[tuple[str, bytes]]:
        entities = list(self._entities())
        device, called = self._device, self._device.name
        if any(config["name"].startswith(called) for _, config in entities):
            # An entity that begins with its device's name is logged as a mistake, and loses that beginning.
            called = f"Table {called}"
        shared = {
            "availability_topic": self._topics.status,
            "qos": 1,
            "device": {
                "identifiers": [self.node],
                "name": called,
                "manufacturer": "tablemarker",
                "model": device.game.capitalize(),
                "sw_version": device.version,
            },
            "origin": {"name": "tablemarker", "sw_version": device.version},
        }
        for (component, thing), config in entities:
            yield (
                f"{prefix}/{component}/{self.node}/{thing}/config",
                encode({"unique_id": f"{self.node}_{thing}", **config, **shared}),
            )

    def _entities(self) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
        """The entities, by their kind and the last part of their id."""
        for slot in range(self._device.sides):
            yield ("sensor", f"score_{slot + 1}"), self._score(slot)
        yield (
            ("sensor", "current_player"),
            {"name": "Current player", "icon": "mdi:account", **_picked(self._topics.score, PLAYER)},
        )
        phases = list(typing.get_args(Phase))
        yield (
            ("sensor", "phase"),
            {
                "name": "Phase",
                "icon": "mdi:progress-clock",
                "device_class": "enum",
                "options": phases,
                **_picked(self._topics.score, "{{ value_json.phase }}", PHASE_MORE),
            },
        )
        yield (
            ("sensor", "last_award"),
            {"name": "Last award", "icon": "mdi:plus-minus-variant", **_picked(self._topics.score, LAST, LAST_MORE)},
        )
        yield from self._problems()
        if self._device.buttons:
            yield from self._buttons()
        yield (
            ("event", "call"),
            {
                "name": "Call",
                "icon": "mdi:bullhorn",
                "event_types": ["award", "game_over"],
                **_picked(self._topics.events, CALL),
            },
        )

    def _score(self, slot: int) -> dict[str, Any]:
        value, more = (template.replace("SLOT", str(slot)) for template in (SCORE, SCORE_MORE))
        return {
            "name": f"Score {slot + 1}",
            "icon": "mdi:scoreboard",
            "state_class": "measurement",
            "unit_of_measurement": "points",
            **_picked(self._topics.score, value, more),
        }

    def _problems(self) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
        score, health = self._topics.score, self._topics.health
        yield _problem("provisional", "Provisional", score, "value_json.provisional")
        rest = {"entity_category": "diagnostic"}
        for thing, name, topic, when, more in (
            ("not_saved", "Not saved", score, "not value_json.durable", ""),
            ("board_away", "Board away", health, AWAY, f"{{{{ {{'sources': {AWAY}}} | tojson }}}}"),
            ("stuck_input", "Stuck input", health, "value_json.sensors", "{{ {'sensors': value_json.sensors} | tojson }}"),
        ):
            at, config = _problem(thing, name, topic, when, more)
            yield at, {**config, **rest}

    def _buttons(self) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
        undo = {
            "name": "Undo",
            "icon": "mdi:undo",
            "command_topic": self._topics.command,
            "command_template": UNDO,
            "json_attributes_topic": self._topics.score,
            "json_attributes_template": "{{ {'revision': value_json.revision} | tojson }}",
        }
        yield ("button", "undo"), undo
        for thing, name, icon, command in (
            ("pause", "Pause", "mdi:pause", "pause"),
            ("resume", "Resume", "mdi:play", "resume"),
            ("new_game", "New game", "mdi:flag-checkered", "start_game"),
        ):
            press = json.dumps({"command": command}, separators=(",", ":"))
            yield (
                ("button", thing),
                {"name": name, "icon": icon, "command_topic": self._topics.command, "payload_press": press},
            )


def _picked(topic: str, value: str, more: str = "") -> dict[str, Any]:
    """A value from a message, and more of it as attributes."""
    picked = {"state_topic": topic, "value_template": value.strip()}
    if more:
        picked |= {"json_attributes_topic": topic, "json_attributes_template": more.strip()}
    return picked


def _problem(thing: str, name: str, topic: str, when: str, more: str = "") -> tuple[tuple[str, str], dict[str, Any]]:
    value = f"{{{{ 'ON' if {when} else 'OFF' }}}}"
    return ("binary_sensor", thing), {"name": name, "device_class": "problem", **_picked(topic, value, more)}

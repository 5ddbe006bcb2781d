"""The MQTT topics of one table: a prefix, and fixed names under it."""

from __future__ import annotations

from dataclasses import dataclass

from controller.publish.settings import MqttMisuse

ONLINE = b"online"
OFFLINE = b"offline"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics under `prefix` (`tablemarker/long-room`). Raises `MqttMisuse` for a prefix that can't start a topic."""

    prefix: str

    def __post_init__(self) -> None:
        if not publishable(self.prefix) or self.prefix.startswith("/") or self.prefix.endswith("/"):
            raise MqttMisuse(f"{self.prefix!r} can't start a topic: write it without +, #, $ in front, and a / at either end")

    @classmethod
    def of_table(cls, table: str) -> Topics:
        """The topics that a table has where nothing else is set."""
        return cls(f"tablemarker/{table}")

    @property
    def status(self) -> str:
        """`online` or `offline`, retained."""
        return f"{self.prefix}/status"

    @property
    def score(self) -> str:
        """The score, retained."""
        return f"{self.prefix}/score"

    @property
    def events(self) -> str:
        """Each event with its ruling."""
        return f"{self.prefix}/events"

    @property
    def questions(self) -> str:
        """The open questions, retained."""
        return f"{self.prefix}/questions"

    @property
    def health(self) -> str:
        """Links, counters and faults, retained."""
        return f"{self.prefix}/health"

    @property
    def command(self) -> str:
        """Where commands come in."""
        return f"{self.prefix}/command"

    @property
    def reply(self) -> str:
        """What became of each command."""
        return f"{self.prefix}/reply"

    @property
    def every_sensor(self) -> str:
        """A filter for the topics of all sensors."""
        return f"{self.prefix}/sensors/+"

    @property
    def shown(self) -> tuple[str, ...]:
        """Filters for all that a table tells: everything but commands."""
        return self.status, self.score, self.events, self.questions, self.every_sensor, self.health, self.reply

    def of_sensor(self, topic: str) -> bool:
        """Whether it is the topic of a sensor, of this table or of earlier days."""
        return topic.startswith(f"{self.prefix}/sensors/")

    def sensor(self, name: str) -> str:
        """One sensor, retained. Raises `MqttMisuse` for a name that can't stand in a topic."""
        if not publishable(name) or "/" in name:
            raise MqttMisuse(f"the sensor's name {name!r} can't stand in a topic: write it without /, + and #")
        return f"{self.prefix}/sensors/{name}"


def publishable(topic: str) -> bool:
    """Whether a message may be published there: a topic, not a filter, and not one of the broker's own (`$SYS/…`)."""
    return (
        0 < len(topic.encode("utf-8", "replace")) <= 65_535 and topic.isprintable() and topic[0] != "$" and not {*"+#"} & {*topic}
    )

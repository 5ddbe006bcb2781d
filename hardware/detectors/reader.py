"""A reader of codes: bar codes or tags on cards or balls, one line of text a reading."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.detectors.codes import Form, line_reader
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import SECOND, Signal

LOCKOUT = 2 * SECOND
"""A card that is held before a reader is read several times a second, with gaps while a hand moves it."""

FAULT_AFTER = 3
"""So many lines in a row of which nothing could be used are no accident."""


class ReaderDetector:
    """Gives `card` when a card comes to the reader: once, until it has been away for `lockout` (nanoseconds).

    `tags`: what each code is on, the code in capitals and without what checks it (see `codes.py`). A line that isn't whole, whose
    check is wrong or whose code is on nothing is counted and told as health; nothing of it is used.

    >>> reader = ReaderDetector("card", "card", "lines:scanner", "names", {"QH": "QH", "5S": "5S"}, lockout=2000)
    >>> lines = [(100, "QH"), (400, "QH"), (500, "Q"), (2300, "QH"), (3000, "5S"), (4400, "QH")]
    >>> seen = [each for at, line in lines for each in reader.feed(Signal(at, "lines:scanner", line))]
    >>> [(each.at, each.value) for each in seen]
    [(100, 'QH'), (3000, '5S'), (4400, 'QH')]
    """

    def __init__(
        self, sensor: str, role: str, channel: str, form: Form, tags: Mapping[str, str], *, lockout: int = LOCKOUT
    ) -> None:
        self._sensor = sensor
        self._role = role
        self._channel = channel
        self._tags = tags
        self._lockout = lockout
        self._read = line_reader(form, tags)
        self._now = -1
        self._last_read: dict[str, int] = {}
        self._value: str | None = None
        self._since: int | None = None
        self._lines = self._accepted = self._late = 0
        self._torn = self._unchecked = self._unknown = 0
        self._bad_in_a_row = 0
        self._last_unknown: str | None = None

    @property
    def channels(self) -> tuple[str, ...]:
        """The one address that it listens to."""
        return (self._channel,)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:  # noqa: ARG002 - the signature of every detector
        """Nothing: lines have no level."""
        return []

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one line."""
        at, late = signal.at, signal.at < self._now
        self._now = max(self._now, at)
        self._lines += 1
        self._late += late
        codes = self._read(signal.text)
        if codes == "not whole":
            self._torn += 1
            self._bad_in_a_row += 1
            return []
        if codes == "wrong check":
            self._unchecked += 1
            self._bad_in_a_row += 1
            return []
        observations = []
        for code in codes:
            self._bad_in_a_row = 0
            card = self._tags.get(code)
            self._last_unknown = None if card is not None else code
            if card is None:
                self._unknown += 1
            elif self._comes(card, at):
                observations.append(Observation(at, self._now, self._sensor, self._role, "card", card, late))
        return observations

    def advance(self, t: int) -> list[Observation]:
        """Every line before `t` has been fed."""
        self._now = max(self._now, t)
        return []

    def next_deadline(self) -> int | None:
        """Never: a card is told when it comes, and nothing when it goes."""
        return None

    def health(self) -> SensorHealth:
        """The card that came last, how many lines and cards there were, what couldn't be used."""
        return SensorHealth(
            self._sensor,
            self._value,
            self._since,
            edges=self._lines,
            accepted=self._accepted,
            late=self._late,
            faults=self._faults(),
            notes=self._notes(),
        )

    def _comes(self, card: str, at: int) -> bool:
        last = self._last_read.get(card)
        self._last_read[card] = at if last is None else max(at, last)
        if last is not None and at - last < self._lockout:
            return False
        self._accepted += 1
        self._value, self._since = card, at
        return True

    def _faults(self) -> tuple[str, ...]:
        faults = []
        if self._bad_in_a_row >= FAULT_AFTER:
            faults.append(
                f"{self._sensor} gave {self._bad_in_a_row} lines in a row that are no whole code: look at its code and the baud "
                "rate in the table file, at the reader's own settings, and at its cable"
            )
        if self._last_unknown is not None:
            faults.append(
                f"{self._sensor} read {self._last_unknown}, which is on nothing of this table: put it into the file of tags, or "
                "keep strange cards away from it"
            )
        return tuple(faults)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if self._lines == 0:
            notes.append(f"{self._sensor} has not read anything yet: hold a card before it")
        unused = (
            (self._torn, "not whole"),
            (self._unchecked, "with a wrong check digit"),
            (self._unknown, "on no card known here"),
        )
        told = [f"{count} {why}" for count, why in unused if count]
        if told:
            notes.append(f"{self._sensor} gave {self._lines} lines, of which these were not used: {', '.join(told)}")
        if self._late:
            notes.append(f"{self._sensor} had {self._late} lines that came late: the machine was overloaded")
        return tuple(notes)

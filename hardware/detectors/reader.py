"""A reader of codes: bar codes or tags on cards or balls, one line of text a reading."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.detectors.codes import Form, line_reader
from hardware.detectors.teller import Teller
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import SECOND, Signal

LOCKOUT = 2 * SECOND
"""A card that is held before a reader is read several times a second, with gaps while a hand moves it."""

FAULT_AFTER = 3
"""So many lines in a row of which nothing could be used are no accident."""


class ReaderDetector(Teller):
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
        super().__init__(sensor, role, channel, "card")
        self._tags = tags
        self._lockout = lockout
        self._read = line_reader(form, tags)
        self._last_read: dict[str, int] = {}
        self._torn = self._unchecked = self._unknown = 0
        self._bad_in_a_row = 0
        self._last_unknown: str | None = None

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one line."""
        at, late = signal.at, self._heard(signal)
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
                observations.append(self._observe(card, at, late=late))
        return observations

    def health(self) -> SensorHealth:
        """The card that came last, how many lines and cards there were, what couldn't be used."""
        return self._health(faults=self._faults(), notes=self._notes())

    def _comes(self, card: str, at: int) -> bool:
        last = self._last_read.get(card)
        self._last_read[card] = at if last is None else max(at, last)
        return last is None or at - last >= self._lockout

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
        if self._told == 0:
            notes.append(f"{self._sensor} has not read anything yet: hold a card before it")
        unused = (
            (self._torn, "not whole"),
            (self._unchecked, "with a wrong check digit"),
            (self._unknown, "on no card known here"),
        )
        told = [f"{count} {why}" for count, why in unused if count]
        if told:
            notes.append(f"{self._sensor} gave {self._told} lines, of which these were not used: {', '.join(told)}")
        if self._late:
            notes.append(f"{self._sensor} had {self._late} lines that came late: the machine was overloaded")
        return tuple(notes)

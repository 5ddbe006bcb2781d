"""The scribe: gives every record its id and every published state its revision."""

from __future__ import annotations

from controller.engine.journal import Kept
from controller.engine.labels import microseconds
from controller.engine.records import Record, RecordKind
from controller.rules.awards import Json

REVISIONS_A_BOOT = 10_000_000
"""Revisions that a boot reserves before it shows anything: none is ever used twice."""
REVISIONS_AHEAD = 10_000
"""So many before the last one more are reserved, which are on the disk long before they are wanted."""


class Scribe:
    """Writes records one after another; they wait until `take`. `kept`: what the journal holds already."""

    def __init__(self, kept: Kept) -> None:
        self.boot = ""
        self.wall = ""
        """The label of what is written now."""
        self.revision = kept.last_revision
        self.reserved = kept.last_revision
        self.next_id = kept.last_id + 1
        self._version: str | None = None
        self._records: list[Record] = []

    @property
    def ready(self) -> bool:
        """Whether revisions were reserved."""
        return self._version is not None

    @property
    def waiting(self) -> bool:
        """Whether records wait to be kept."""
        return bool(self._records)

    def begin(self, boot: str, now: int, wall: str, version: str) -> None:
        """Write the boot record, with the revisions that it reserves. `version` of the program."""
        self.boot, self.wall, self._version = boot, wall, version
        self._reserve(self.reserved, now)
        self.revision = self.reserved - REVISIONS_A_BOOT + 1

    def leap(self, now: int) -> None:
        """The boot record could not be kept: go on with revisions that no start before this one, kept or not, has shown.

        The wall clock alone can tell such starts apart: revisions go on from its microseconds.
        """
        self._reserve(max(self.reserved, microseconds(self.wall)), now)
        self.revision = self.reserved - REVISIONS_A_BOOT + 1

    def next_revision(self, now: int) -> int:
        """One that was never used."""
        self.revision += 1
        if self.revision + REVISIONS_AHEAD >= self.reserved:
            self._reserve(self.reserved, now)
        return self.revision

    def note(self, kind: RecordKind, body: dict[str, Json], at: int, game: int | None) -> Record:
        """Write one record."""
        if kind in ("event", "correct"):
            # An event's own revision, by which people name it when they correct it.
            body = {**body, "revision": self.next_revision(at)}
        record = Record(self.next_id, kind, game, at, self.wall, body)
        self.next_id += 1
        self._records.append(record)
        return record

    def since(self, record_id: int) -> list[Record]:
        """The records from that id on that weren't taken yet."""
        return [record for record in self._records if record.id >= record_id]

    def take(self) -> list[Record]:
        """The records written since the last call, to be kept."""
        records, self._records = self._records, []
        return records

    def _reserve(self, after: int, now: int) -> None:
        self.reserved = after + REVISIONS_A_BOOT
        body: dict[str, Json] = {"boot": self.boot, "revisions": [after + 1, self.reserved], "version": self._version}
        self.note("boot", body, now, None)

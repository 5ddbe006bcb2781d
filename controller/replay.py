"""A recorded trace through detectors, table and rules: the same game events and the same score every time.

A recording of a running table holds what people did too, at its place among the calls, and says which game was in play when it
began. One that holds the sensors alone (`tablemarker record`) begins a game by itself, under the table file's house rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.engine.deeds import QuestionPlaces, event_at
from controller.engine.engine import Batch, Engine
from controller.engine.journal import GameState, Kept
from controller.engine.records import Record
from controller.engine.requests import Again, Request, StartGame
from controller.engine.snapshot import Happening, Snapshot
from controller.fitting.detectors import build_panel
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.recorded import (
    Answer,
    Asked,
    BadDeed,
    Boot,
    Correct,
    Deed,
    Found,
    Gap,
    LeftOut,
    OfGame,
    Slow,
    began,
    read_deed,
    read_standing,
)
from controller.tablefile import TableFile
from hardware.signals import Signal, source_of
from hardware.sources.trace_chain import TraceChain
from hardware.sources.trace_file import Act, Advance, Begin, Entry, TraceReader


@dataclass(frozen=True, slots=True)
class Done:
    """What people did, done again. `refused`: why it couldn't be, though it was done when it was recorded."""

    at: int
    said: Mapping[str, Any]
    refused: str | None = None


@dataclass(slots=True)
class _Turn:
    """The calls that were worked together."""

    begins: list[Begin] = field(default_factory=list)
    signals: list[Signal] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    deeds: list[tuple[int, Deed]] = field(default_factory=list)
    boot: tuple[int, Boot] | None = None
    """The program was started anew, after the begins; nothing else is in such a turn."""

    @property
    def complete(self) -> bool:
        """Whether it was worked: each turn ends with the marks of its sources, and then what people did."""
        return bool(self.marks or self.deeds)

    def ends_before(self, entry: Entry, deed: Deed | None) -> bool:
        """Whether an entry belongs to the next turn. `deed`: what it says that people did."""
        if isinstance(entry, Advance):
            return entry.source in self.marks
        return self.complete and (isinstance(entry, Signal | Begin) or isinstance(deed, Boot))


class Replay:
    """One trace on its way through the table of a table file. `shown` is the state after what has been told so far."""

    def __init__(self, table: TableFile, reader: TraceReader | TraceChain) -> None:
        self._table = table
        self._reader = reader
        self._channels = build_panel(table).channels
        self._texts = {channel for sensor in table.sensors if sensor.reads_text for channel in sensor.channels}
        self.missing = [channel for channel in self._channels if channel not in reader.levels]
        """Inputs of the table that the trace knows nothing of."""
        self.faults: list[str] = []
        """Sentences on what people did and can't be read, each with its file and line; the rest was played."""
        self.midway = False
        """Whether a game was in play when the recording began: what came before is missing."""
        self._marks: dict[str, int] = {}
        self._levels: Mapping[str, int] = reader.levels
        self._games: dict[str, list[Record]] = {}
        """The records of each game of the recording, by when it began."""
        self._states: dict[int, GameState] = {}
        self._names: dict[int, str] = {}
        self._engine = self._engine_after(Kept(0, 0, ()))
        self._now = reader.at
        self.shown: Snapshot | None = None

    def _engine_after(self, kept: Kept) -> Engine:
        table = self._table
        return Engine(fitted(table), rules_of(table), build_panel(table), table_maker(table), kept, find_past=self._find)

    def _find(self, name: str) -> tuple[GameState, Sequence[Record]] | None:
        """A game of the recording that isn't in play any more, as a journal would find it."""
        records = self._games.get(name)
        return None if records is None else (self._states.get(records[0].id, "open"), records)

    def run(self) -> Iterator[Happening | Done]:
        """What happened in the game, in order. Raises `TraceError`."""
        reader = self._reader
        self._engine.boot(reader.boot, reader.levels, self._now, "", "replay")
        if (start := self._first()) is not None:
            yield from self._work(_Turn(), [(self._now, Request(start, "replay"))])
        for turn in self._turns():
            if turn.boot is not None:
                self._restart(turn)
            else:
                yield from self._finish(turn)
        yield from self._view()

    def _turns(self) -> Iterator[_Turn]:
        """The entries of the trace as they were worked. What was told and not worked any more is left out."""
        turn = _Turn()
        for entry in self._reader:
            deed = self._read(entry) if isinstance(entry, Act) else None
            if turn.ends_before(entry, deed):
                yield turn
                turn = _Turn()
            if isinstance(entry, Signal):
                if self._fits(entry):
                    turn.signals.append(entry)
            elif isinstance(entry, Advance):
                turn.marks[entry.source] = entry.at
            elif isinstance(entry, Begin):
                turn.begins.append(entry)
            elif isinstance(entry, Act) and isinstance(deed, Boot):
                yield _Turn(begins=turn.begins, boot=(entry.at, deed))
                turn = _Turn()
            elif isinstance(entry, Act) and deed is not None:
                turn.deeds.append((entry.at, deed))
        if turn.complete:
            yield turn

    def _fits(self, signal: Signal) -> bool:
        """Whether a value is of the kind that its input gives; a damaged file may say else."""
        wanted, given = ("a line of text", "a number") if signal.channel in self._texts else ("a number", "a line of text")
        fits = signal.channel not in self._channels or isinstance(signal.value, str) is (signal.channel in self._texts)
        if not fits:
            place = f"{self._reader.path}: feed of {signal.channel} at {signal.at}"
            self.faults.append(f"{place}: {given}, where this input of the table file gives {wanted}; left out")
        return fits

    def _first(self) -> StartGame | None:
        reader = self._reader
        try:
            start = read_standing(reader.standing)
        except BadDeed as fault:
            self.faults.append(f"{reader.path}:1: how things stood can't be read: {fault}")
            return StartGame()
        self.midway = bool(reader.standing)
        return start

    def _read(self, act: Act) -> Deed | None:
        try:
            return read_deed(act)
        except BadDeed as fault:
            self.faults.append(f"{act.place}: what people did can't be read: {fault}")
            return None

    def _restart(self, turn: _Turn) -> None:
        """The program was started anew in the middle of the recording: the open game is taken up from its records."""
        assert turn.boot is not None
        (at, boot), play, scribe = turn.boot, self._engine.play, self._engine.scribe
        for begin in turn.begins:
            self._levels = begin.levels
        self._keep(scribe.take())
        if not self._games and not boot.missing:
            return
        open_game = self._games[self._names[play.start.id]] if play is not None and play.kept_as == "open" else []
        self._engine = self._engine_after(Kept(scribe.next_id - 1, scribe.reserved, tuple(open_game)))
        self._marks.clear()
        self._now = at
        self._engine.boot(self._reader.boot, self._levels, at, "", "replay", missing=boot.missing)

    def _finish(self, turn: _Turn) -> Iterator[Happening | Done]:
        late = [at for at, deed in turn.deeds if isinstance(deed, Slow)]
        if turn.marks or late:
            self._now = max(*turn.marks.values(), *late, 0)
        self._marks |= turn.marks
        requests = [(at, deed.request()) for at, deed in turn.deeds if isinstance(deed, Asked)]
        yield from self._work(turn, requests)

    def _work(self, turn: _Turn, requests: list[tuple[int, Request]]) -> list[Happening | Done]:
        engine = self._engine
        found = {deed.source for _, deed in turn.deeds if isinstance(deed, Found)}
        for begin in turn.begins:
            sources = {source_of(channel) for channel in begin.levels}
            for source in sources & found:
                engine.current.take_in(source, begin.levels, begin.at)
            if not sources & found:
                engine.panel.begin(dict(begin.levels), begin.at)
        self._keep(engine.work(Batch(self._now, "", turn.signals, requests, dict(self._marks))))
        for at, deed in turn.deeds:
            if isinstance(deed, Gap) and engine.play is not None:
                engine.play.gap(deed.model_dump(exclude={"command"}), at)
            elif isinstance(deed, LeftOut):
                engine.current.leave_out(deed.sensor, deed.why, at)
        play = engine.play
        # Nobody looks on: to make the state ready for showing at each entry would cost more than all the rest.
        happened = self._view() if turn.deeds or (play is not None and play.occurrences) else ()
        return _in_order(self._done(turn.deeds), happened)

    def _keep(self, records: Sequence[Record]) -> None:
        """Keep the records of all games: for a start of the program in one's middle, and for what people do to it afterwards."""
        for record in records:
            if record.kind == "start":
                self._names[record.id] = began(record.at)
            if record.game is not None:
                self._games.setdefault(self._names[record.game], []).append(record)
        self._states |= {game: state for game, state, _ in self._engine.games()}

    def _done(self, deeds: list[tuple[int, Deed]]) -> list[Done]:
        asked = [(at, deed) for at, deed in deeds if isinstance(deed, Asked)]
        replies = [reply for request, reply in self._engine.replies() if isinstance(request.command, Again)]
        return [Done(at, self._said(deed), reply.error) for (at, deed), reply in zip(asked, replies, strict=True)]

    def _said(self, deed: Asked) -> dict[str, Any]:
        """It as people read it: with the event that it corrects, and the question in its words, since its name tells nothing."""
        said = deed.model_dump(exclude={"of", "asked", "finished", "entering", "gone"}, exclude_defaults=True)
        if isinstance(deed, Answer) and deed.asked is not None:
            records = self._records_of(deed)
            name = QuestionPlaces(records).at(deed.asked)
            asked = (r.body for r in records if r.kind == "question")
            said["question"] = next((body["text"] for body in asked if body["id"] == name), deed.question)
        elif isinstance(deed, Correct) and (event := event_at(self._records_of(deed), deed.of)) is not None:
            said["event"] = event.body["event"]
        return said

    def _records_of(self, deed: OfGame) -> Sequence[Record]:
        play = self._engine.play
        name = deed.about or ("" if play is None else self._names[play.start.id])
        return self._games.get(name, [])

    def _view(self) -> tuple[Happening, ...]:
        self.shown, happenings = self._engine.view([], durable=True, now=self._now)
        return happenings


def _in_order(done: list[Done], happened: Sequence[Happening]) -> list[Happening | Done]:
    """What people did before what came of it; what happened in the order in which it is told."""
    told: list[Happening | Done] = []
    waiting = deque(done)
    for one in happened:
        while waiting and waiting[0].at <= one.at:
            told.append(waiting.popleft())
        told.append(one)
    return [*told, *waiting]

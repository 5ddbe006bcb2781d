"""Asks a person at the table for each sensor in turn, and prints the table file's sensors with the inputs that they are on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from controller.fitting.detectors import build_detectors
from controller.learning.contacts import Contacts, Move
from controller.learning.fragment import LEVELS, Item, fragment
from controller.learning.lesson import Found, Lesson, Step, request
from controller.learning.rings import Heard, Rings
from controller.tablefile import TableFile
from controller.tablefile.sensors import BeamSensor, ContactSensor
from controller.tables.roles import roles_of
from hardware.health import SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import SECOND, Signal, source_of

Say = Callable[[str], object]

EMPTY = {
    "switch": "no ball in a cup or on a spot, no flag up",
    "beam": "nothing in a beam",
    "button": "nothing pressed",
}
"""How things must be at the start, by what kinds of sensor a table has."""
KEYS = "Each with Enter: s skips what is asked, b takes the last back, q ends."
MOST = 6
"""So many names stand in one line."""


class Learner:
    """A view that asks. `items`: the sensors as the file has them; `say`: where to ask.

    `keys`: whether somebody sits at a keyboard: what they type is given to `type`, and they end it.
    """

    def __init__(self, table: TableFile, items: Sequence[Item], say: Say, *, keys: bool = False) -> None:
        self._table = table
        self._items = items
        self._say = say
        self._keys = keys
        self._lesson = Lesson(table)
        self._roles = roles_of(table.table.game)
        self._rings = Rings(table)
        self._contacts = Contacts(c for sensor in table.sensors if isinstance(sensor, ContactSensor) for c in sensor.channels)
        places = {sensor.channels[0]: place for place, sensor in enumerate(table.sensors) if sensor.reads_text}
        self._texts = {channel for channel, place in places.items() if place not in self._lesson.left}
        self._typed: deque[str] = deque()
        self._began = self._since = 0
        self._suspects: frozenset[str] = frozenset()
        self._told: set[str] = set()
        self._away: set[str] = set()
        self._waits = False
        """For things to come to rest, after something was taken back."""
        self._over = False

    def type(self, line: str) -> None:
        """Somebody has typed a line; from any thread."""
        self._typed.append(line)

    def begin(self, levels: Mapping[str, int], now: int) -> None:
        """The sources are open, and their inputs have these levels."""
        self._began = now
        self._contacts.begin(levels)
        self._rings.begin(levels, now)
        kinds = {sensor.kind for sensor in self._table.sensors}
        rest = ", ".join(how for kind, how in EMPTY.items() if kind in kinds)
        self._say(f"{f'Begin with all at rest: {rest}. ' if rest else ''}Do what is asked, one thing at a time.")
        if self._keys:
            self._say(KEYS)
        sensors = [sensor for sensor in self._table.sensors if isinstance(sensor, ContactSensor)]
        on = [sensor.name for sensor in sensors for c in sensor.channels if levels.get(c) == sensor.active_level]
        if on:
            self._say(
                f"By the table file these are on now: {_some(on)}. If something is there, take it away"
                f"{', then type b' if self._keys else ' and begin again'}. If not, never mind: how they go is learnt too."
            )
        self._ask(now)

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Take what has come in, and what was typed."""
        while self._typed:
            self._do(self._typed.popleft().strip().lower(), now)
        for signal in signals:
            self._rings.feed(signal)
            self._contacts.feed(signal)
            self._read(signal, now)
        for channel in self._contacts.restless(now):
            self._say(f"{channel} never rests: see to its wire. It is left out until it does.")
        step = self._lesson.step
        moves = self._contacts.moved(now, self._lesson.known, self._since)
        if step is None or self._waits:
            return
        if step.sort == "contact":
            if moves:
                self._take_moves(step, moves, now)
        elif step.sort != "text":
            heard = self._rings.judged(now, step.sort, self._since)
            if heard is not None:
                self._take_ring(step, heard, now)

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:  # noqa: ARG002 - a View's
        """Say which source has gone, since nothing can be learnt of it."""
        for source in sources:
            if source.up and source.source in self._away:
                self._away.remove(source.source)
                self._say(f"{source.source} is back.")
            elif not source.up and source.source not in self._away and now - self._began > SECOND:
                self._away.add(source.source)
                self._say("; ".join(source.faults) or f"{source.source} is away")

    @property
    def done(self) -> bool:
        """Whether there is nothing left to ask, or somebody wants no more."""
        return self._over or (self._lesson.step is None and not self._keys)

    def end(self) -> bool:
        """Whether all that can be learnt is."""
        return not self._lesson.missing

    @property
    def text(self) -> str | None:
        """The `[[sensor]]` items; None where nothing was learnt."""
        lesson = self._lesson
        return fragment(self._items, self._table.sensors, lesson.learnt, lesson.left) if lesson.learnt else None

    @property
    def last_line(self) -> str:
        """What was learnt and what wasn't, by name."""
        lesson, sensors = self._lesson, self._table.sensors
        count, of = len(lesson.learnt), lesson.count[1]
        left = ", ".join(sensors[place].name for place in lesson.left)
        also = f" Left as in the file, since touching can't tell them: {left}." if left else ""
        if not lesson.missing:
            return f"Learnt {count} of {of}: all that was asked for.{also}"
        owned = {one.channel for inputs in lesson.learnt.values() for one in inputs}
        lost = [place for place in lesson.missing if any(channel in owned for channel in sensors[place].channels)]
        kept = [place for place in lesson.missing if place not in lost]
        said = [f"Learnt {count} of {of}."]
        if kept:
            names = ", ".join(sensors[place].name for place in kept)
            said.append(f"Not learnt{', and left as in the file' if count else ''}: {names}.")
        if lost:
            said.append(f"Not learnt, and now without an input: {', '.join(sensors[place].name for place in lost)}.")
        return " ".join(said) + also + ("" if count else " Nothing is printed.")

    # What is asked

    def _ask(self, now: int) -> None:
        self._since, self._suspects = now, frozenset()
        self._told.clear()
        step = self._lesson.step
        if step is not None:
            count, of = self._lesson.count
            self._say(f"\n{count} of {of}: {step.name}. {request(step, self._roles[step.sensor.role])}")
        elif self._keys:
            self._say("\nAll has been asked for. Enter ends and prints; b takes the last back.")

    def _once(self, said: str) -> None:
        """Say it, but no more than once while the same is asked for."""
        if said not in self._told:
            self._told.add(said)
            self._say(said)

    def _do(self, typed: str, now: int) -> None:
        """What was typed."""
        if typed == "q":
            self._over = True
        elif self._waits:
            self._waits = typed != ""
            if self._waits:
                self._say("Enter alone goes on.")
            else:
                self._contacts.rest()
                self._rings.rest(now)
                self._ask(now)
        elif typed == "b":
            name = self._lesson.back()
            self._waits = True
            self._say(
                f"{'There is nothing to take back' if name is None else f'{name} is taken back'}. Let all come to rest: nothing "
                "lies there, nothing is pressed. Then Enter."
            )
        elif typed == "s" and (name := self._lesson.skip()) is not None:
            self._say(f"{name} is skipped.")
            self._ask(now)
        elif typed == "" and self._lesson.step is None:
            self._over = True
        else:
            self._say(KEYS)
            self._ask(now)

    # What was found

    def _take(self, step: Step, found: Sequence[Found], now: int) -> None:
        """This is it."""
        self._lesson.take(found)
        said = f"{step.sensor.name if len(found) > 1 else step.name} is {' and '.join(one.channel for one in found)}"
        if len(found) > 1:
            said += ", in the order in which they were broken"
        active = found[0].active
        if active is not None and active != step.sensor.active_level:
            said += f". It is on when {LEVELS[active]}; the file says when {LEVELS[1 - active]}"
        self._say(f"{said}.")
        self._ask(now)

    def _take_moves(self, step: Step, moves: Sequence[Move], now: int) -> None:
        known = self._lesson.known
        new = list({move.channel: move for move in moves if move.channel not in known}.values())
        if not new:
            for channel in dict.fromkeys(move.channel for move in moves):
                self._once(f"{channel} is {known[channel]} already.")
            return
        if self._suspects:
            again = [move for move in new if move.channel in self._suspects]
            self._suspects = frozenset(move.channel for move in again or new)
            new = again
        if step.end == 0 and isinstance(step.sensor, BeamSensor) and len(step.sensor.channels) == 2 and _crossed(new):
            self._take(step, [Found(move.channel, move.level) for move in new], now)
        elif len(new) == 1:
            self._take_one(step, new[0], now)
        elif new:
            self._suspects = frozenset(move.channel for move in new)
            self._say(f"{_some([move.channel for move in new])} moved at once. Once more, and this one alone.")
        else:
            self._say("That was another one than before. Once more.")

    def _take_one(self, step: Step, move: Move, now: int) -> None:
        beside = self._lesson.beside
        if beside is not None and (unlike := _unlike(beside, move)):
            self._lesson.back()
            self._say(f"{unlike} Both once more.")
            self._ask(now)
            return
        self._take(step, [Found(move.channel, move.level)], now)

    def _take_ring(self, step: Step, heard: Heard, now: int) -> None:
        known = self._lesson.known
        if heard.kind != "ring":
            why = {
                "knock": "but as a knock: it died at once. Ring the bell itself, and hard",
                "faint": f"but its peak was {heard.peak}, and a ring has {heard.weakest}. Ring it harder, or lower its weakest",
                "coupled": "but no louder than a bell that hears another one. Ring it harder",
                "bump": "and all others as well: the table was shaken. Ring that bell alone",
            }
            self._say(f"{heard.channel} was heard, {why[heard.kind]}.")
        elif heard.channel in known:
            self._say(f"{heard.channel} is {known[heard.channel]} already.")
        else:
            self._take(step, [Found(heard.channel, heard.active)], now)

    def _read(self, signal: Signal, now: int) -> None:
        """A line of text: it tells which reader or gauge it came from, if that one can use it."""
        step = self._lesson.step
        if signal.channel not in self._texts or step is None or step.sort != "text" or self._waits or signal.at < self._since:
            return
        owner = self._lesson.known.get(signal.channel)
        if owner is not None:
            self._once(f"{signal.channel} is {owner} already.")
            return
        sensor = step.sensor.model_copy(update={"source": (signal.channel,)})
        (detector,) = build_detectors(self._table.model_copy(update={"sensors": (sensor,)}))
        if detector.feed(signal):
            self._take(step, [Found(signal.channel)], now)
        else:
            health = detector.health()
            self._once(f"{signal.channel} sent what {step.name} can't use: {'; '.join(health.faults + health.notes)}.")


def _crossed(moves: Sequence[Move]) -> bool:
    """Whether it was a ball that rolled through two beams: it came to the one first, and left it first."""
    if len(moves) != 2:
        return False
    first, second = moves
    if first.cleared is None or second.cleared is None or _unlike(Found(first.channel, first.level), second):
        return False
    return first.began < second.began and first.cleared < second.cleared


def _unlike(first: Found, second: Move) -> str:
    """Why two inputs can't be a pair of beams; empty where they can."""
    if source_of(first.channel) != source_of(second.channel):
        return f"{first.channel} and {second.channel} can't be a pair: both beams of one are on the same board, or on the Pi."
    if first.active != second.level:
        level = LEVELS[first.active or 0]
        return (
            f"{first.channel} went {level} and {second.channel} the other way: both beams of a pair go the same way. See that "
            "nothing stands in either."
        )
    return ""


def _some(names: Sequence[str]) -> str:
    """A list of names that isn't too long."""
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more

"""The thread that plays all lamps and sounders of a table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from hardware.outputs.output import Output, OutputError
from hardware.outputs.patterns import Pattern, PatternPlayer, flashes
from hardware.signals import SECOND

TEST = flashes(["short", "short", "long"])
"""What an output plays when somebody tries it."""

Tested = Callable[[str | None], None]
"""Takes what is wrong with an output that was tried, as a sentence; None when it showed itself. Called from the lamps' thread."""

Report = Callable[[str, str | None], None]
"""Takes an output's name and what is wrong with it, as a sentence; None when it is well again."""


class Lamps:
    """Plays patterns on outputs, by name. `play`, `hold` and `test` may be called from any thread and never block.

    An output that can't be opened or switched is reported, and tried again with its next change; the others play on.
    """

    def __init__(self, outputs: Mapping[str, Output], report: Report, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._outputs = dict(outputs)
        self._report = report
        self._clock = clock
        self._players = {name: PatternPlayer() for name in outputs}
        self._shown: dict[str, bool] = {}
        self._open: set[str] = set()
        self._faulty: dict[str, str] = {}
        self._tested: dict[str, list[Tested]] = {}
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)

    @property
    def names(self) -> tuple[str, ...]:
        """What the outputs are called."""
        return tuple(self._outputs)

    def start(self) -> None:
        """Take the lines, and play from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Switch all off and free their lines."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def play(self, name: str, pattern: Pattern) -> None:
        """Play it once, now. Raises `KeyError` for an output that isn't there."""
        with self._changed:
            self._players[name].play(pattern, self._clock())
            self._changed.notify()

    def hold(self, name: str, pattern: Pattern | None) -> None:
        """Show it while nothing else is played; None: stay off. Raises `KeyError` for an output that isn't there."""
        with self._changed:
            self._players[name].hold(pattern, self._clock())
            self._changed.notify()

    def test(self, name: str, done: Tested = lambda _: None) -> None:
        """Let it show itself; `done` is called once it was switched, or could not be. Raises `KeyError` where there is none."""
        with self._changed:
            self._players[name].play(TEST, self._clock())
            self._tested.setdefault(name, []).append(done)
            self._changed.notify()

    # The thread

    def _run(self) -> None:
        for name in self._outputs:
            self._take(name)
        while True:
            with self._changed:
                if self._stopping:
                    break
                now = self._clock()
                levels = {name: player.advance(now) for name, player in self._players.items()}
                changes = {name: on for name, on in levels.items() if self._shown.get(name, False) != on}
                if not changes:
                    due = [at for player in self._players.values() if (at := player.next_deadline()) is not None]
                    self._changed.wait(max(0, min(due) - now) / SECOND if due else None)
                    continue
            # A board's link or a chip may take its time: nobody who only says what to play waits for it.
            for name, on in changes.items():
                self._switch(name, on=on)
                self._tell(name, self._faulty.get(name))
        for name in self._outputs:
            self._tell(name, "the table is being stopped")
        for name, output in self._outputs.items():
            if name in self._open:
                output.close()

    def _take(self, name: str) -> bool:
        try:
            self._outputs[name].open()
        except OutputError as error:
            self._blame(name, error)
            return False
        self._open.add(name)
        return True

    def _switch(self, name: str, *, on: bool) -> None:
        self._shown[name] = on
        if name not in self._open and not self._take(name):
            return
        try:
            self._outputs[name].set(on=on)
        except OutputError as error:
            self._blame(name, error)
            return
        if self._faulty.pop(name, None) is not None:
            self._report(name, None)

    def _blame(self, name: str, error: OutputError) -> None:
        self._faulty[name] = f"The output {name} doesn't work: {error}."
        self._report(name, self._faulty[name])

    def _tell(self, name: str, fault: str | None) -> None:
        with self._changed:
            waiting = self._tested.pop(name, [])
        for done in waiting:
            done(fault)

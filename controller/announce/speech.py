"""The voice: a program of the system, such as espeak-ng, that reads a text from its standard input and says it."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence

from controller.announce.sentences import Call

PATIENCE = 30.0
"""Seconds that one call may take: the longest takes ten."""
SAID = 200
"""Characters of what a program complains of."""
MOST_READ = 4000
"""Bytes of it that are looked at: the libraries for sound have much to say before."""


class Voice:
    """Says calls one after the other, in a thread of its own. `say` may be called from any thread and never blocks.

    A newer call takes the place of one on the same topic that still waits: so at most one of each waits. The text goes to the
    program's standard input: as an argument it would be read as an option where it begins with a dash, and whoever lists
    processes would see it. No shell is between. `report` is told what is wrong, with the remedy, and None when it is well again.
    """

    def __init__(self, command: Sequence[str], report: Callable[[str | None], None], patience: float = PATIENCE) -> None:
        self._command = list(command)
        self._report = report
        self._patience = patience
        self._waiting: dict[str, str] = {}
        self._changed = threading.Condition()
        self._child: subprocess.Popen[bytes] | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)

    def start(self) -> None:
        """Speak from now on."""
        self._thread.start()

    def say(self, call: Call) -> None:
        """Say it as soon as what is being said is over."""
        with self._changed:
            self._waiting.pop(call.topic, None)
            self._waiting[call.topic] = call.text
            self._changed.notify()

    def stop(self) -> None:
        """Fall silent, in the middle of a word if need be."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
            if self._child is not None:
                _end(self._child)
        self._thread.join()

    # The thread

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or self._waiting)
                if self._stopping:
                    return
                topic = next(iter(self._waiting))
                text = self._waiting.pop(topic)
            fault = self._speak(text)
            if not self._stopping:
                self._report(fault)

    def _speak(self, text: str) -> str | None:
        """Say it; what went wrong, as a sentence."""
        spoken = "".join(letter if letter.isprintable() else " " for letter in text) + "\n"
        with tempfile.TemporaryFile() as complaints:
            try:
                child = subprocess.Popen(  # noqa: S603 - the command is the table file's own
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=complaints,
                    start_new_session=True,
                )
            except OSError as error:
                return self._not_started(error)
            with self._changed:
                self._child = child
                if self._stopping:
                    _end(child)
            fault = self._wait(child, spoken)
            with self._changed:
                self._child = None
            complaints.seek(0)
            lines = complaints.read(MOST_READ).decode("utf-8", "replace").splitlines()
            return fault or self._complained(child.returncode, lines)

    def _complained(self, status: int, lines: Sequence[str]) -> str | None:
        """What to make of how it ended. espeak-ng ends with 0 where there is nothing to play on: its complaint alone tells."""
        errors = [line for line in lines if line.lower().startswith("error")]
        if not status and not errors:
            return None
        said = " ".join(" ".join(errors[:1] or lines).split())[:SAID]
        if status:
            return f"{self._named} ended with {status}{f' ({said})' if said else ''}: {self._try_it}"
        return f"{self._named} complains ({said}). Is there a device for sound? Otherwise {self._try_it}"

    def _wait(self, child: subprocess.Popen[bytes], spoken: str) -> str | None:
        try:
            # A program that doesn't read ends by itself, and its status tells more than a broken pipe.
            with contextlib.suppress(BrokenPipeError):
                child.communicate(spoken.encode(), timeout=self._patience)
            child.wait(self._patience)
        except subprocess.TimeoutExpired:
            _end(child)
            child.wait()
            return f"{self._named} had not finished after {self._patience:g} s and was ended: {self._try_it}"
        return None

    def _not_started(self, error: OSError) -> str:
        if isinstance(error, FileNotFoundError):
            return (
                f"The score can't be called: there is no program {self._command[0]}. Install it (sudo apt install espeak-ng), "
                "or put another one into the table file under [speech]."
            )
        return f"The score can't be called: {self._command[0]} can't be started ({error.strerror}); {self._try_it}"

    @property
    def _named(self) -> str:
        return f"The score can't be called: {self._command[0]}"

    @property
    def _try_it(self) -> str:
        return f"try it in a terminal: echo hello | {shlex.join(self._command)}"


def _end(child: subprocess.Popen[bytes]) -> None:
    """End it and whatever it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)

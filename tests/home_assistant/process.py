"""A Home Assistant that runs, as a test asks it: see `core`, which is its other end."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.home_assistant.environment import home_assistant

CORE = Path(__file__).with_name("core.py")
DEADLINE = 30.0


class HomeAssistant:
    """One folder's Home Assistant, on the broker at a port of this machine; may be stopped and started again."""

    def __init__(self, folder: Path, port: int) -> None:
        self.version = ""
        self._folder = folder
        self._port = port
        self._process: subprocess.Popen[str] | None = None
        folder.mkdir(exist_ok=True)
        (folder / "configuration.yaml").touch()
        self.start()

    def start(self) -> None:
        command = [home_assistant(), "-I", CORE, self._folder, str(self._port)]
        with (self._folder / "errors").open("a") as errors:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=self._folder
            )
        self.version = self._hear()

    def stop(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.communicate(timeout=DEADLINE)
            assert process.returncode == 0, self.log()

    def ask(self, ask: str, **more: Any) -> Any:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"ask": ask, **more}) + "\n")
        self._process.stdin.flush()
        return self._hear()

    def _hear(self) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self.log()
        return json.loads(line)

    def entities(self) -> dict[str, Any]:
        """What it knows, by unique ids."""
        found: dict[str, Any] = self.ask("entities")
        return found

    def wait(self, accept: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
        """Its entities, as soon as `accept` takes them."""
        until = time.monotonic() + DEADLINE
        while True:
            found = self.entities()
            if accept(found):
                return found
            states = {name: one["state"] for name, one in found.items()}
            assert time.monotonic() < until, f"in vain waited for {what}: {states}\n{self.log()}"
            time.sleep(0.02)  # between two questions

    def log(self) -> str:
        """All that it has complained of since its folder was made."""
        return "".join(file.read_text() for name in ("home-assistant.log", "errors") if (file := self._folder / name).exists())

"""A real Node-RED with a flow of ours."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.broker_kit import DEADLINE, eventually, free_port
from tests.kept import kept, run

VERSION = "4.1.15"
"""The newest of those that run on Debian's Node; it names what it depends on by exact versions itself."""


def node_red() -> Path:
    """Its folder, fetched if it isn't there yet. Raises `CannotFetch`."""

    def make(folder: Path) -> None:
        quiet = ("--no-audit", "--no-fund", "--no-save", "--no-package-lock", "--omit=optional", "--loglevel=error")
        run("npm", "install", *quiet, "--prefix", folder, f"node-red@{VERSION}", cwd=folder)

    return kept("node-red", VERSION, make)


class NodeRed:
    """Runs a flow whose broker is at a port of this machine. `start` returns when the flow is connected."""

    def __init__(self, folder: Path, flow: list[dict[str, Any]], port: int) -> None:
        self._log = folder / "node-red.log"
        for node in flow:
            if node["type"] == "mqtt-broker":
                node["broker"], node["port"] = "127.0.0.1", str(port)
        (folder / "flows.json").write_text(json.dumps(flow))
        settings = {"flowFile": "flows.json", "uiHost": "127.0.0.1", "uiPort": free_port(), "telemetry": {"enabled": False}}
        (folder / "settings.js").write_text(f"module.exports = {json.dumps(settings)};")
        program = node_red() / "node_modules" / "node-red" / "red.js"
        command = ["node", program, "--userDir", folder, "--settings", folder / "settings.js"]
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, env={**os.environ, "HOME": str(folder)}
            )
        try:
            eventually(lambda: "Connected to broker" in self.log() or self._process.poll() is not None, "the flow", 60)
            assert self._process.poll() is None, self.log()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(DEADLINE)

    def log(self) -> str:
        return self._log.read_text()

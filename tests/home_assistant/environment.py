"""A Home Assistant in an environment of its own: the newest that a Python of this machine can run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.kept import kept, run

HERE = Path(__file__).parent
PINS = {(3, 13): "2026.2.3", (3, 12): "2024.3.3", (3, 11): "2024.3.3"}
"""For each Python a Home Assistant that runs on it; NAME.txt beside this file holds what of its packages its MQTT needs."""


def missing() -> str | None:
    """What this machine lacks, as a sentence; None if nothing."""
    if _python() is None:
        return f"there is no Python {' or '.join(f'{a}.{b}' for a, b in PINS)} that could run Home Assistant"
    return None


def home_assistant() -> Path:
    """The Python of the environment, made if it isn't there yet. Raises `CannotFetch`."""
    found = _python()
    assert found is not None
    python, version = found
    requirements = HERE / f"{version}.txt"

    def make(folder: Path) -> None:
        run(python, "-m", "venv", "--without-pip", folder)
        pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "--disable-pip-version-check")
        # The list is whole; what those packages want besides is for integrations that aren't loaded. Home Assistant asks for
        # the very newest fixes of a Python, which its core and its MQTT do without.
        run(*pip, "install", "--quiet", "--no-deps", "--no-compile", "--ignore-requires-python", "-r", requirements)

    return kept("home-assistant", f"{python}\n{requirements.read_text()}", make) / "bin" / "python"


@cache
def _python() -> tuple[str, str] | None:
    """A Python, and the Home Assistant that runs on it; the newest first."""
    for (major, minor), version in PINS.items():
        name = f"python{major}.{minor}"
        known = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(f"versions/{major}.{minor}.*/bin/{name}")
        for candidate in (shutil.which(name), *map(str, sorted(known)), sys.executable):
            if candidate is not None and _is(candidate, f"{major}.{minor}"):
                return candidate, version
    return None


def _is(python: str, version: str) -> bool:
    tell = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    # pyenv puts names on the PATH that run nothing.
    done = subprocess.run([python, "-c", tell], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version

"""What some tests need of the machine, and a list at the end of what was left out for want of it.

A test marked `avr`, `broker`, `browser`, `cc`, `home_assistant`, `lgpio`, `node_red`, `speech`, `vm` or `wheel` runs wherever its
tools are. Where they are missing it is left out, and the summary says why and how to get it; with `CI=true` in the environment
nothing is left out: the test fails instead.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.home_assistant import environment
from tests.vm import kernel

SYSTEM_FOLDERS = "/usr/sbin:/sbin"
"""Debian keeps mosquitto and mkfs there, where the PATH of an ordinary user doesn't look."""


def program(name: str) -> str | None:
    """Where a program is; None if this machine doesn't have it."""
    return shutil.which(name) or shutil.which(name, path=SYSTEM_FOLDERS)


def _program_missing(*names: str, package: str) -> Callable[[], str | None]:
    def missing() -> str | None:
        if any(program(name) for name in names):
            return None
        return f"{' or '.join(names)} is not installed: apt-get install {package}"

    return missing


def _wheel_missing() -> str | None:
    return None if importlib.util.find_spec("build") else "the package 'build' is not installed: pip install build"


def _avr_missing() -> str | None:
    programs = {"gcc": "gcc", "avr-gcc": "gcc-avr", "simavr": "simavr", "avrdude": "avrdude"}
    packages = [package for name, package in programs.items() if not program(name)]
    files = {
        "/usr/lib/avr/include/avr/io.h": "avr-libc",
        "/usr/include/simavr/sim_avr.h": "libsimavr-dev",
        "/usr/share/arduino/hardware/arduino/avr/bootloaders": "arduino-core-avr",
    }
    packages += [package for file, package in files.items() if not Path(file).exists()]
    return f"the firmware can't be built or simulated: apt-get install {' '.join(packages)}" if packages else None


def _cc_missing() -> str | None:
    # The headers are a package of their own, which gcc only recommends.
    packages = [] if program("cc") else ["gcc"]
    packages += [] if Path("/usr/include/stdio.h").exists() else ["libc6-dev"]
    return f"a library in C can't be built: apt-get install {' '.join(packages)}" if packages else None


def _lgpio_missing() -> str | None:
    # An empty stand-in of the same name installs where there is no wheel: it has no version of its own.
    real = importlib.util.find_spec("lgpio") is not None and importlib.util.find_spec("_lgpio") is not None
    return None if real else "lgpio has no ready-made package for this Python: pip install 'lgpio>=0.2.2' wants swig and gcc"


def _node_missing() -> str | None:
    missing = [package for name, package in (("node", "nodejs"), ("npm", "npm")) if not program(name)]
    return f"Node-RED can't be fetched or run: apt-get install {' '.join(missing)}" if missing else None


NEEDS: dict[str, Callable[[], str | None]] = {
    "avr": _avr_missing,
    "broker": _program_missing("mosquitto", package="mosquitto"),
    "browser": _program_missing("chromium", "chromium-browser", "google-chrome", package="chromium"),
    "cc": _cc_missing,
    "home_assistant": environment.missing,
    "lgpio": _lgpio_missing,
    "node_red": _node_missing,
    "speech": _program_missing("espeak-ng", package="espeak-ng"),
    "vm": kernel.missing,
    "wheel": _wheel_missing,
}
"""For each marker what is missing for it here, as a sentence with the remedy; None if nothing is."""


@cache
def _missing(marker: str) -> str | None:
    return NEEDS[marker]()


_LEFT_OUT = pytest.StashKey[Counter[str]]()
_MISSING = pytest.StashKey[str]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = config.stash[_LEFT_OUT] = Counter[str]()
    kept, dropped = [], []
    for item in items:
        wanted = (marker for marker in NEEDS if item.get_closest_marker(marker))
        reason = next((f"{marker}: {why}" for marker in wanted if (why := _missing(marker))), None)
        if reason is None or os.environ.get("CI") == "true":
            if reason is not None:
                item.stash[_MISSING] = reason
            kept.append(item)
        else:
            left_out[reason] += 1
            dropped.append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
    # The virtual machines first: they take longest, and would have one process work alone at the end.
    items[:] = sorted(kept, key=lambda item: item.get_closest_marker("vm") is None)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where tests run in several processes, each tells the one that people see what it has left out."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left_out"] = dict(session.config.stash.get(_LEFT_OUT, Counter()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    # Each of them has collected everything.
    node.config.stash[_LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if reason := item.stash.get(_MISSING, None):
        pytest.fail(f"CI=true leaves nothing out, but {reason}", pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash.get(_LEFT_OUT, None)
    if left_out:
        terminalreporter.section("left out on this machine")
        for reason, count in left_out.items():
            terminalreporter.line(f"{count} test{'s' if count > 1 else ''} ({reason})")

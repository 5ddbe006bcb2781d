"""Programs of others that tests use: fetched once, each under its pinned version, and kept in the checkout's cache."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class CannotFetch(Exception):
    """What the tests need can't be had; the sentence says what failed."""


def cache() -> Path:
    """Where such things are kept between runs."""
    outside = os.environ.get("XDG_CACHE_HOME")
    return Path(outside) / "tablemarker" if outside else ROOT / ".cache"


def kept(name: str, recipe: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` has filled for this recipe, now or in an earlier run. Raises `CannotFetch`."""
    folder = cache() / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    whole = folder / "made-by"
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists() or whole.read_text() != recipe:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            whole.write_text(recipe)  # at the end: a folder without it was left half-made
    return folder


def run(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a program that fetches something. Raises `CannotFetch` with its last words."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        words = " ".join(map(str, command))
        raise CannotFetch(f"{words} failed: {(done.stderr or done.stdout).strip()[-2000:]}")

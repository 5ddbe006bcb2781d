"""The files of PIN, password and token, where they are there: a table file that is written elsewhere has them not yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.publish.settings import SHORTEST_TOKEN, pin_fault
from controller.tablefile.positions import KeyPath
from controller.tablefile.raw import Data, get
from controller.whole_file import read_whole

_FILES = (("marker", "pin_file", "PIN"), ("mqtt", "password_file", "password"), ("mqtt", "token_file", "token"))


def check_secrets(data: Data, folder: Path) -> Iterator[tuple[KeyPath, str]]:
    """What a start would refuse of the secrets that can be read here."""
    for section, key, what in _FILES:
        name = get(data, section, key)
        if not isinstance(name, str) or not name or "\0" in name:
            continue
        try:
            lines = read_whole(folder / name).decode("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue  # not there, or not ours to read here; a start says so
        if not lines or not lines[0]:
            yield (section, key), f"{name} should hold the {what} in its first line, which is empty"
        elif what == "token" and len(lines[0]) < SHORTEST_TOKEN:
            yield (section, key), f"the token in {name} has {len(lines[0])} characters; use {SHORTEST_TOKEN} or more"
        elif what == "PIN" and (fault := pin_fault(lines[0])) is not None:
            yield (section, key), f"the PIN in {name} {fault}"

"""`tablemarker score`: a transcript in, what the rules say of each event out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

import click

from controller.commands.group import Failed, WrongInput
from controller.rules.account import account
from controller.transcript import Entry, Unreadable, entries, entry_json

LONGEST_LINE = 1 << 20
"""Bytes. A transcript's lines are a few hundred; a file without line ends would fill the memory."""

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@click.command("score")
@click.option("--positions", is_flag=True, help="Add the position after each event.")
@click.option("--account", "for_people", is_flag=True, help="Tell the game for people: each point with the rule that gave it.")
@click.argument("file", default="-")
def command(file: str, *, positions: bool, for_people: bool) -> None:
    """Score a transcript: one JSON object a line, from FILE or standard input.

    Prints one JSON object for each. Exit status 0: every event stood; 1: some were refused; 2: the transcript can't be
    read, and FILE:LINE says where.
    """
    name = "<stdin>" if file == "-" else file
    refused = False

    def watched(played: Iterable[Entry]) -> Iterator[Entry]:
        nonlocal refused
        for entry in played:
            refused = refused or entry.refused
            yield entry

    with _opened(file, name) as stream:
        played = watched(entries(_lines(stream, name)))
        texts = _told(played) if for_people else (_encode(entry_json(entry, positions=positions)) for entry in played)
        try:
            # Whoever feeds us line by line waits for each answer.
            _print(texts, at_once=file == "-")
        except Unreadable as error:
            raise WrongInput(f"{name}:{error.line}: {error.message}") from None
    if refused:
        raise SystemExit(1)


def _told(played: Iterator[Entry]) -> Iterator[str]:
    """The game for people."""
    first = next(played)
    told = ((f"line {entry.line}", entry.event, entry.outcome) for entry in played)
    yield from account(first.game, first.state, ((label, event, outcome) for label, event, outcome in told if event and outcome))


def _print(texts: Iterable[str], *, at_once: bool) -> None:
    """Print each text on a line of its own. What came before an unreadable line is printed all the same."""
    if sys.stdout is None:
        raise Failed("tablemarker: can't write the output: standard output is closed")
    try:
        try:
            for text in texts:
                sys.stdout.write(text + "\n")
                if at_once:
                    sys.stdout.flush()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        raise  # whoever read our output has seen enough; click ends quietly
    except OSError as error:
        # The interpreter would try once more at its end, and complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Failed(f"tablemarker: can't write the output: {error.strerror}") from None


def _opened(file: str, name: str) -> AbstractContextManager[BinaryIO]:
    if file == "-":
        if sys.stdin is None:
            raise WrongInput(f"{name}: standard input is closed")
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise WrongInput(f"{name}: can't be read: {error.strerror}") from None


def _lines(stream: BinaryIO, name: str) -> Iterator[bytes]:
    number = 0
    try:
        while line := stream.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise Unreadable(number, f"the line is longer than {LONGEST_LINE} bytes")
            yield line
    except OSError as error:
        raise WrongInput(f"{name}:{number + 1}: can't be read: {error.strerror}") from None

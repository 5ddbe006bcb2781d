"""What the doctor asks of boards: whether each that a table file names is there and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from controller.doctor.findings import Finding, fault, untold, well
from controller.tablefile import TableFile
from controller.tablefile.model import Board
from firmware_bridge.discovery import Found, Wanted, find, probe, unstable
from firmware_bridge.port import is_there


def ask_boards(table: TableFile, *, running: bool, ask: Callable[[Path], Found] = probe) -> Iterator[Finding]:
    """A finding for each board. `running`: a tablemarker runs with this table and keeps them to itself."""
    for board in table.boards:
        port = None if board.port is None else Path(board.port)
        if port is not None and (why := unstable(port)):
            yield fault(f"board {board.name}", why)
        if port is not None and not is_there(port):
            continue  # that is told of the port
        if running:
            yield untold(f"board {board.name}", "isn't asked, since the tablemarker that runs has it: see /sensors")
            continue
        yield _ask(board, Wanted(port, board.usb_serial, board.id), ask)


def _ask(board: Board, wanted: Wanted, ask: Callable[[Path], Found]) -> Finding:
    name = f"board {board.name}"
    answers = [ask(path) for path in find(wanted)]
    right = [one for one in answers if one.hello is not None and wanted.board_id in (None, one.hello.id)]
    if len(right) > 1:
        places = " and ".join(str(one.path) for one in right)
        return fault(
            name, f"at {places} are boards {wanted}: give all but one another id (tablemarker flash --id), or name the port"
        )
    if right:
        return well(name, f"{right[0].path} answers: {right[0].sentence}")
    if not answers:
        return fault(name, f"no board {wanted} is there: plug it in (`tablemarker boards` lists those that are)")
    said = "; ".join(f"{answer.path}: {answer.sentence.removeprefix(f'{answer.path}: ')}" for answer in answers)
    return fault(name, f"no board {wanted} answers ({said}): `tablemarker flash` writes its firmware and gives it its id")

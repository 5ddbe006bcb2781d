"""A bagatelle table whose every input is a pin of one board in the simulator, and the balls and fingers that move them."""

from __future__ import annotations

import random

from controller.simulation.bounce import Contact, Edge, beam_break
from hardware.signals import MS
from tests.avr.avr_kit import Board, BoardTime

TABLE = """
[table]
id = "pub"
game = "bagatelle"
roll = "3s"
[mqtt]
broker = "127.0.0.1:{port}"
{mqtt}
[web]
listen = "off"
[[board]]
name = "left"
{where}
id = "left"
"""
CUPS = {f"cup-{n}": n + 1 for n in range(1, 10)}
PINS = CUPS | {"spot-a": 11, "new-game": 15, "end-of-turn": 16}
BEAMS = (12, 14)
KINDS = {"new-game": "button", "end-of-turn": "button"}


def table_file(port: int, where: str, mqtt: str = "") -> str:
    """The table, with a broker at this port of the machine. `where` the board is, and more of `mqtt`, as a table file says it."""
    sensors = "".join(
        f'[[sensor]]\nrole = "{role}"\nkind = "{KINDS.get(role, "switch")}"\nsource = "board:left/{pin}"\n'
        for role, pin in PINS.items()
    )
    beam = f'[[sensor]]\nrole = "half-way"\nkind = "beam"\nsource = ["board:left/{BEAMS[0]}", "board:left/{BEAMS[1]}"]\n'
    return TABLE.format(port=port, where=where, mqtt=mqtt) + sensors + beam


class PubTable:
    """The pins of the table, moved as balls and fingers move them: with bounce."""

    def __init__(self, board: Board, clock: BoardTime) -> None:
        self.board = board
        self.clock = clock
        self.rng = random.Random(4)
        self.contact = Contact(6.2)
        for pin in (*PINS.values(), *BEAMS):
            board.pin(pin, 1)
        board.pin(PINS["spot-a"], 0)

    def run(self, pin: int, edges: list[Edge]) -> None:
        """Drive a pin through these edges, and wait until that is done."""
        for at, on in edges:
            self.board.pin(pin, 1 - on, after_us=20_000 + (at - edges[0][0]) // 1000)
        self.clock.wait(20 * MS + edges[-1][0] - edges[0][0])

    def change(self, role: str, on: int) -> None:
        self.run(PINS[role], self.contact.change(self.rng, 0, on))

    def press(self, role: str, ns: int = 150 * MS) -> None:
        self.change(role, 1)
        self.clock.wait(ns)
        self.change(role, 0)

    def drop(self, cup: int) -> None:
        """A ball drops into a cup."""
        self.run(PINS[f"cup-{cup}"], self.contact.rattle(self.rng, 0))

    def ball(self, *cups: int, strike: bool = False) -> None:
        for beam in BEAMS:
            self.run(beam, beam_break(self.rng, 0, 30 * MS))
        self.clock.wait(400 * MS)
        if strike:
            self.change("spot-a", 0)
        for cup in cups:
            self.clock.wait(200 * MS)
            self.drop(cup)
        self.clock.wait(800 * MS)

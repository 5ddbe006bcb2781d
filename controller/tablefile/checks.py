"""What no single value shows: whether roles and rules are the game's, and whether the parts fit one another.

These look at the raw file, so that they find their faults in the same run as the model finds its own.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from controller.rules.errors import BadOption, UnknownGame, nearest
from controller.rules.game import Game
from controller.rules.registry import find_game
from controller.tablefile.families import no_such_role
from controller.tablefile.positions import KeyPath
from controller.tablefile.raw import Data, addresses, get, items, sources
from controller.tablefile.sensors import KINDS
from controller.tablefile.values import PULLED_UP_PINS
from controller.tables.roles import roles_of

Found = tuple[KeyPath, str]

_COUNTED = re.compile(r"/dev/tty(USB|ACM)\d+")
"""Names that follow the order of plugging in."""


def check_game(data: Data) -> Iterator[Found]:
    """The game is known; its rules take these options, its sides these names, its roles these sensors."""
    name = get(data, "table", "game")
    if not isinstance(name, str):
        return
    try:
        game = find_game(name)
    except UnknownGame as error:
        yield ("table", "game"), str(error)
        return
    options = yield from _check_options(game, data.get("rules", {}))
    sides = get(data, "table", "sides")
    if options is not None and isinstance(sides, list) and sides:
        wanted = game.sides(game.start(options))
        if len(sides) != len(wanted):
            yield ("table", "sides"), f"{name} has {len(wanted)} sides ({', '.join(wanted)}); here are {len(sides)} names"
    if options is not None:
        yield from _check_outputs(game.sides(game.start(options)), data)
    if name != "maw" and get(data, "table", "players") is not None:
        yield ("table", "players"), f"players is of maw alone: how many play {name} is a house rule, or always the same"
    yield from _check_roles(name, data)


def _check_options(game: Game[Any], rules: object) -> Generator[Found, None, dict[str, Any] | None]:
    """Gives the options where they are sound."""
    if not isinstance(rules, dict):
        return None
    sound = True
    for option, value in rules.items():
        try:
            game.read_options({option: value})
        except BadOption as error:
            sound = False
            yield ("rules", option), str(error)
    if not sound:
        return None
    try:
        game.start(rules)
    except BadOption as error:  # two options that don't go together
        yield ("rules",), str(error)
        return None
    return rules


def _check_outputs(sides: Sequence[str], data: Data) -> Iterator[Found]:
    for index, output in items(data, "output"):
        side = output.get("side")
        if isinstance(side, str) and side not in sides:
            yield ("output", index, "side"), f"there is no side {side}; {nearest(side, sides)}"
        if not output.get("on"):
            for key in ("side", "pattern"):
                if key in output:
                    yield ("output", index, key), f"{key} is of no use where nothing lights it: say what does with on"


def _check_roles(game: str, data: Data) -> Iterator[Found]:
    roles = roles_of(game)
    for index, sensor in items(data, "sensor"):
        name, kind = sensor.get("role"), sensor.get("kind")
        if not isinstance(name, str):
            continue
        role = roles.get(name)
        if role is None:
            yield ("sensor", index, "role"), no_such_role(name, game, roles)
        elif str(kind) in KINDS and kind not in role.kinds:
            yield ("sensor", index, "kind"), f"a {kind} can't be {name} ({role.text}); {nearest(kind, role.kinds)}"
    passes = [index for index, sensor in items(data, "sensor") if sensor.get("role") in ("english-pass", "french-pass")]
    if game == "fortification" and len(passes) > 1:
        yield (
            ("sensor", passes[1], "role"),
            "the pass is one arch, and each ball that goes through it would count twice: fit english-pass or french-pass",
        )


def check_parts(data: Data) -> Iterator[Found]:
    """The keys of each section go together."""
    mqtt = data.get("mqtt", {})
    if isinstance(mqtt, dict) and "broker" in mqtt:
        yield from _check_mqtt(mqtt)
    for section, key in (("mqtt", "password"), ("marker", "pin")):
        if None not in (get(data, section, f"{key}_file"), get(data, section, f"{key}_env")):
            yield (section, f"{key}_env"), f"give {key}_file or {key}_env, not both"
    if get(data, "gpio", "factory") == "lgpio" and get(data, "gpio", "chip") is not None:
        yield ("gpio", "chip"), 'gpiozero\'s "lgpio" can\'t be told which chip to use: leave chip out, or take factory = "gpiod"'
    for index, board in items(data, "board"):
        if "port" in board and "usb_serial" in board:
            yield ("board", index), "a [[board]] is found by its port or by its usb_serial: give one of the two"
        elif not {"port", "usb_serial", "id"} & board.keys():
            yield ("board", index), "a [[board]] is found by its port, its usb_serial or its id: give one of them"
        yield from _check_counted(("board", index, "port"), board.get("port"), "board", ", or give its id")
    yield from _check_lines(data)


def _check_lines(data: Data) -> Iterator[Found]:
    for index, one in items(data, "lines"):
        if len({"port", "pipe", "topic"} & one.keys()) != 1:
            yield ("lines", index), "a [[lines]] item comes from a port, a pipe or a topic: give one of the three"
        if "topic" in one and get(data, "mqtt", "broker", "none") in ("none", "managed"):
            yield (
                ("lines", index, "topic"),
                'topic wants a broker of your own (broker = "HOST:PORT" in [mqtt]): the managed one lets nobody write there',
            )
        for key in ("baud", "pause"):
            if key in one and "port" not in one:
                yield ("lines", index, key), f"{key} is of a port; this one has none"
        yield from _check_counted(("lines", index, "port"), one.get("port"), "device")


def _check_counted(where: KeyPath, port: object, what: str, otherwise: str = "") -> Iterator[Found]:
    if isinstance(port, str) and _COUNTED.fullmatch(port):
        yield where, f"{port} may be another {what} after the next start: take its name in /dev/serial/by-id{otherwise}"


def _check_mqtt(mqtt: Data) -> Iterator[Found]:
    broker = mqtt["broker"]
    if broker == "none":
        for key in mqtt:
            if key != "broker":
                yield ("mqtt", key), f'{key} is of no use with broker = "none"'
        return
    if broker != "managed" and "listen" in mqtt:
        yield ("mqtt", "listen"), 'listen is for broker = "managed" alone: another broker listens where it was told to'
    if broker == "managed" and "tls" in mqtt:
        yield ("mqtt", "tls"), 'tls is for a broker of your own (broker = "HOST:PORT"): the managed one speaks plain MQTT'
    has_password = "password_file" in mqtt or "password_env" in mqtt
    if has_password and "username" not in mqtt:
        yield ("mqtt",), "a password needs a username"
    if "username" in mqtt and not has_password:
        yield ("mqtt", "username"), "a username needs password_file or password_env"
    if mqtt.get("commands") is True and not (has_password and "username" in mqtt) and "token_file" not in mqtt:
        yield (
            ("mqtt", "commands"),
            "commands change games: they want a username with password_file or password_env, or a token_file",
        )


def check_sources(data: Data) -> Iterator[Found]:
    """Boards have the names that sources give them, and no pin is asked for a pull that it can't have."""
    boards = [str(board.get("name")) for _, board in items(data, "board")]
    lines = [str(one.get("name")) for _, one in items(data, "lines")]
    for at, item in sources(data):
        pull = item.get("pull")
        for where, address in addresses(at, item):
            scheme, _, rest = address.partition(":")
            board = rest.split("/")[0]
            if scheme == "board" and board not in boards:
                hint = nearest(board, boards) if boards else f'add one with name = "{board}"'
                yield where, f"no [[board]] is called {board}; {hint}"
            if scheme == "lines" and rest not in lines:
                hint = nearest(rest, lines) if lines else f'add one with name = "{rest}"'
                yield where, f"no [[lines]] is called {rest}; {hint}"
            reads_text = str(kind := item.get("kind")) in KINDS and KINDS[str(kind)].reads_text
            if scheme == "lines" and not reads_text:
                yield where, f"a {kind} can't be read from lines of text: its source is a pin"
            if scheme == "board" and kind == "gauge":
                if "i2c" not in item:
                    yield (*at, "i2c"), f"a gauge on a board is read by I²C: i2c = {{ address = 0x29 }} says where on {address}"
            elif "i2c" in item:
                yield (*at, "i2c"), f'i2c is of a board: its source is "board:NAME/22" there, not {address}'
            elif reads_text and scheme not in ("lines", "sim"):
                yield where, f'a {kind} reads lines of text: its source is a [[lines]] item, "lines:NAME", not {address}'
            if scheme == "gpio" and int(rest) in PULLED_UP_PINS and pull in ("down", "none"):
                yield (
                    (*at, "pull"),
                    f'GPIO{rest} has a pull-up of 1.8 kΩ on the Pi itself: pull = "{pull}" needs another pin (GPIO4 to GPIO27)',
                )

"""The commands that people send by MQTT or HTTP: their fields, and how one is read, or an error that a person can act on."""

from __future__ import annotations

import dataclasses
import hmac
import json
import typing
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from controller.engine import requests
from controller.names import NAME, NOT_PLAIN, PLAIN
from controller.rules.errors import nearest
from controller.strict_json import NotStrict, read_object

LONGEST = 16 * 1024
"""Bytes of a command: a position with every ball named takes less than a quarter of it."""

Name = Annotated[str, Field(min_length=1, max_length=128)]
SideName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64, pattern=NAME)]
"""Without blanks around it, by which one player would be two in the history."""
Revision = Annotated[int, Field(ge=0)]


class BadCommand(ValueError):
    """A command that can't be read; the message names the field and what is allowed. `id` is the command's own, if it has one."""

    def __init__(self, message: str, command_id: str | None = None) -> None:
        super().__init__(message)
        self.id = command_id


class CommandModel(BaseModel):
    """What every command has: a name of its sender for it, a token."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    makes: ClassVar[type[Any]]
    """The engine's own class for it, whose fields have the same names."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    id: Name | None = None
    token: str | None = None

    @property
    def changes(self) -> bool:
        """Whether it changes a game or the table: then its reply must outlast a restart."""
        return True

    def request(self) -> requests.Command:
        """The command as the engine takes it."""
        command: requests.Command = self.makes(**{f.name: getattr(self, f.name) for f in dataclasses.fields(self.makes)})
        return command


class _OfGame(CommandModel):
    game: Name | None = None
    who: Annotated[str, Field(max_length=64, pattern=PLAIN)] = ""


class _Revised(_OfGame):
    if_revision: Revision | None = None


class StartGame(CommandModel):
    """A new game; a game in play is abandoned. `sides`: names, in their order of play."""

    makes = requests.StartGame
    command: Literal["start_game"]
    sides: Annotated[tuple[SideName, ...], Field(strict=False, max_length=16)] = ()
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}


class EnterEvent(_OfGame):
    """A transcript event from the marker."""

    makes = requests.EnterEvent
    command: Literal["event"]
    event: dict[str, Any]


class Answer(_Revised):
    """The answer to a question: one of its choices."""

    makes = requests.Answer
    command: Literal["answer"]
    question: Name
    choice: Name


class Undo(_Revised):
    """Take back the latest effective record; an undo undone is a redo."""

    makes = requests.Undo
    command: Literal["undo"]
    why: Annotated[str, Field(max_length=500, pattern=PLAIN)] = ""


class Correct(_Revised):
    """Change the event of a revision: exactly one of `replace`, `remove`, `insert_before`."""

    makes = requests.Correct
    command: Literal["correct"]
    revision: Revision
    replace: dict[str, Any] | None = None
    remove: bool = False
    insert_before: dict[str, Any] | None = None
    why: Annotated[str, Field(max_length=500, pattern=PLAIN)] = ""
    preview: bool = False

    @property
    def changes(self) -> bool:
        """A preview changes nothing."""
        return not self.preview

    def request(self) -> requests.Command:
        """The command as the engine takes it. Raises `BadCommand` when it says more than one thing, or none."""
        if (self.replace is not None) + self.remove + (self.insert_before is not None) != 1:
            raise BadCommand("correct: exactly one of replace, remove and insert_before is wanted", self.id)
        return super().request()


class Explain(CommandModel):
    """Only say why points were given: by the event `revision`, or by all events, in pages: those after the event `after`."""

    makes = requests.Explain
    command: Literal["explain"]
    game: Name | None = None
    revision: Revision | None = None
    after: Revision | None = None

    @property
    def changes(self) -> bool:
        """It only tells."""
        return False


class Pause(CommandModel):
    """The cleaning cloth: signals are recorded, not scored."""

    makes = requests.Pause
    command: Literal["pause"]


class Resume(CommandModel):
    """Go on after a pause, or after a boot."""

    makes = requests.Resume
    command: Literal["resume"]


class Abandon(CommandModel):
    """End the game without a result."""

    makes = requests.Abandon
    command: Literal["abandon"]


class Quarantine(CommandModel):
    """Leave a sensor out: its role is asked of the marker."""

    makes = requests.Quarantine
    command: Literal["quarantine"]
    sensor: Name


class Release(CommandModel):
    """Take a sensor back in."""

    makes = requests.Release
    command: Literal["release"]
    sensor: Name


class TestOutput(CommandModel):
    """Light a lamp, sound a sounder."""

    makes = requests.TestOutput
    command: Literal["test_output"]
    output: Name

    @property
    def changes(self) -> bool:
        """Nothing of it stays."""
        return False


class ForgetPlayer(CommandModel):
    """Take a player's name out of all games of the journal, between games."""

    makes = requests.ForgetPlayer
    command: Literal["forget_player"]
    name: Annotated[str, Field(min_length=1, max_length=64)]


AnyCommand = (
    StartGame
    | EnterEvent
    | Answer
    | Undo
    | Correct
    | Explain
    | Pause
    | Resume
    | Abandon
    | Quarantine
    | Release
    | TestOutput
    | ForgetPlayer
)
ADAPTER: TypeAdapter[CommandModel] = TypeAdapter(Annotated[AnyCommand, Field(discriminator="command")])
_MODELS: dict[str, type[CommandModel]] = {
    typing.get_args(model.model_fields["command"].annotation)[0]: model for model in typing.get_args(AnyCommand)
}


def read_command(data: bytes, token: str | None = None) -> CommandModel:
    """Read one command, which must carry `token` if one is given. Raises `BadCommand`."""
    given = _read_object(data)
    told = given.get("id")
    command_id = told if isinstance(told, str) and 0 < len(told) <= 128 else None
    try:
        model = ADAPTER.validate_python(given)
    except ValidationError as error:
        raise BadCommand("; ".join(_sentence(fault) for fault in error.errors(include_url=False)), command_id) from None
    if token is not None and not hmac.compare_digest(token.encode(), (model.token or "").encode()):
        raise BadCommand("the command lacks the right token in its field 'token'", command_id)
    return model


def _read_object(data: bytes) -> dict[str, Any]:
    if len(data) > LONGEST:
        raise BadCommand(f"a command has at most {LONGEST} bytes; this one has {len(data)}")
    try:
        text = data.decode("utf-8")
        if not text.lstrip().startswith("{"):
            raise BadCommand('a command is a JSON object: {"command":"undo"}')
        given = read_object(text)
        if "\\u" in text:
            # An escape can name half of a surrogate pair, which neither the journal nor a screen can hold.
            json.dumps(given, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError:
        raise BadCommand("a command is text in UTF-8; this one isn't") from None
    except UnicodeEncodeError:
        raise BadCommand("the command holds half of a surrogate pair, which is no character") from None
    except NotStrict as error:
        raise BadCommand(f"the command can't be read: {error}") from None
    return given


def _sentence(fault: ErrorDetails) -> str:
    context = fault.get("ctx", {})
    match fault["type"]:
        case "union_tag_not_found":
            return f"the field 'command' is missing; {nearest('', _MODELS)}"
        case "union_tag_invalid":
            return f"unknown command {_shown(context['tag'])}; {nearest(context['tag'], _MODELS)}"
    command, *path = map(str, fault["loc"])
    place = f"{command}: {'.'.join(path)}"
    match fault["type"]:
        case "extra_forbidden":
            fields = [info.alias or name for name, info in _MODELS[command].model_fields.items() if name != "command"]
            return f"{command}: unknown field {_shown(path[0])}; {nearest(path[0], fields)}"
        case "missing":
            return f"{command}: the field {path[0]!r} is missing"
        case "string_too_short":
            return f"{place}: an empty text names nothing"
        case "string_too_long" | "too_long" as kind:
            most = context["max_length"]
            return f"{place}: at most {most} {'characters' if kind == 'string_too_long' else 'are allowed'}"
        case "string_pattern_mismatch":
            return f"{place}: {'this text' if path[-1] == 'why' else 'a name'} has {NOT_PLAIN}"
        case "greater_than_equal":
            return f"{place}: a number from {context['ge']} on is wanted"
        case "literal_error":
            return f"{place}: {context['expected']} is the one value allowed here"
        case other:
            return f"{place}: {_WANTED.get(other, fault['msg'])} is wanted, not {_kind(fault['input'])}"


_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "dict_type": "an object",
    "tuple_type": "a list",
}


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list", dict: "an object"}
    return kinds.get(type(value), "null")


def _shown(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:40] + "…")

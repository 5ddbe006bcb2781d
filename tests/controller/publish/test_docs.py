"""The examples in the documentation are messages that the schemas take."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from controller.command_models import read_command
from controller.publish.schemas import schema_of

EXAMPLES = re.findall(
    r"^```json (\w+)\n(.*?)^```", (Path(__file__).parents[3] / "docs/mqtt.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)


def test_there_are_examples_of_what_programs_use_most() -> None:
    assert {name for name, _ in EXAMPLES} == {"score", "event", "question", "command", "reply"}


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_is_as_its_schema_says(name: str, example: str) -> None:
    jsonschema.validate(json.loads(example), schema_of(name))
    if name == "command":
        read_command(example.encode())

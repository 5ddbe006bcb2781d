from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.publish.schemas import NAMES, schema_of


@pytest.mark.parametrize("name", NAMES)
def test_each_schema_is_printed(name: str) -> None:
    result = CliRunner().invoke(cli, ["schema", name])
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == schema_of(name)


def test_without_a_name_they_are_listed() -> None:
    result = CliRunner().invoke(cli, ["schema"])
    assert result.exit_code == 0
    assert result.stdout.split() == ["table", "score", "event", "question", "sensor", "health", "reply", "command"]


def test_a_wrong_name_gets_the_nearest_right_one() -> None:
    result = CliRunner().invoke(cli, ["schema", "scores"])
    assert result.exit_code == 2
    assert "there is no schema 'scores'; did you mean 'score'?" in result.stderr

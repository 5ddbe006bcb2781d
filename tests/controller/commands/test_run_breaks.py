"""`tablemarker run` when a part of it breaks: it ends with the reason, for whoever starts it again, and never stands still."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.commands.run import command
from controller.engine.engine import Batch, Engine

TABLE = """[table]
id = "bar"
game = "bagatelle"
[web]
listen = "127.0.0.1:{port}"
[[sensor]]
kind = "switch"
role = "cup-1"
source = "sim"
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = tmp_path / "bar.toml"
    path.write_text(TABLE.format(port=port))
    return path


def test_when_its_engine_breaks_it_ends_and_says_so(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work, turns = Engine.work, 0

    def breaking(self: Engine, batch: Batch) -> Any:
        nonlocal turns
        turns += 1
        if turns > 1:
            raise ZeroDivisionError("a mistake of ours")
        return work(self, batch)

    monkeypatch.setattr(Engine, "work", breaking)
    ended = CliRunner().invoke(command, [str(table)])
    assert ended.exit_code == 1
    assert "ZeroDivisionError: a mistake of ours" in ended.stderr
    assert "the thread 'engine' has ended by a mistake" in ended.stderr.splitlines()[-1]


async def _break(server: Any) -> None:
    server.ready.set()
    raise ZeroDivisionError("a mistake of ours")


def test_when_its_scoreboard_breaks_it_ends_too(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.web.server._Server.main_loop", _break)
    ended = CliRunner().invoke(command, [str(table)])
    assert ended.exit_code == 1
    assert "the thread 'web' has ended by a mistake" in ended.stderr.splitlines()[-1]


def test_a_damaged_journal_is_named_with_the_remedy(table: Path) -> None:
    with sqlite3.connect(table.parent / "bar.sqlite3") as made:
        made.execute("create table records(id integer primary key, kind text, game integer, at integer, wall text, body text)")
        made.execute("insert into records values (1, 'boot', null, 0, '', '{')")
    made.close()
    ended = CliRunner().invoke(command, [str(table)])
    assert ended.exit_code == 1
    assert "bar.sqlite3" in ended.stderr
    assert "the file is damaged; move it away" in ended.stderr

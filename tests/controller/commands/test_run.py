"""`tablemarker run` as a program: what stops it says so in one line, what doesn't leaves the game going on."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.engine.journal import Journal
from tests.broker_kit import free_port

ROOT = Path(__file__).parents[3]
SENSOR = '[[sensor]]\nrole = "cup-1"\nkind = "switch"\nsource = "sim"\n'


def table_file(folder: Path, *, web: str = "off", mqtt: str = "none", more: str = SENSOR) -> Path:
    path = folder / "long-room.toml"
    path.write_text(
        f'[table]\nid = "long-room"\ngame = "bagatelle"\n[web]\nlisten = "{web}"\n[mqtt]\nbroker = "{mqtt}"\n{more}', "utf-8"
    )
    return path


@contextmanager
def program(path: Path, cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", "from controller.__main__ import main; main()", "run", path]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(path: Path) -> tuple[int, str, list[str]]:
    """Exit status, standard output, and the lines on standard error of a run that can't go on."""
    with program(path) as process:
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err.splitlines()


def test_paths_start_from_the_folder_of_the_table_file_wherever_it_is_named_from(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    table = table_file(tmp_path / "tables", more=f'{SENSOR}[journal]\npath = "games.sqlite3"\n')
    with program(table.relative_to(tmp_path), tmp_path) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "long-room is ready.\n"
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60) == ("", "")
    assert (tmp_path / "tables" / "games.sqlite3").exists()


def test_it_is_ready_and_a_signal_ends_it_in_order(tmp_path: Path) -> None:
    with program(table_file(tmp_path)) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "long-room is ready.\n"
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60) == ("", "")
        assert process.returncode == 0
    assert (tmp_path / "long-room.sqlite3").exists()
    assert not (tmp_path / "long-room.sqlite3-wal").exists()


def test_a_wrong_table_file_is_told_whole(tmp_path: Path) -> None:
    path = table_file(tmp_path, more=SENSOR.replace("cup-1", "cup-12") + SENSOR.replace("switch", "swich"))
    status, out, lines = ended(path)
    assert (status, out) == (2, "")
    assert len(lines) == 2
    assert lines[0].startswith(f"{path}:9:8: ")
    assert lines[1].startswith(f"{path}:14:8: ")


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        path = table_file(tmp_path, web=f"127.0.0.1:{port}")
        status, out, (line,) = ended(path)
    assert (status, out) == (1, "")
    assert line.startswith(f"{path}: port {port} on 127.0.0.1 is taken")
    assert "choose another port" in line
    assert [*tmp_path.iterdir()] == [path], "a start that failed leaves nothing behind"


def test_a_journal_that_another_program_writes_is_one_line(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "long-room.sqlite3")
    status, out, (line,) = ended(table_file(tmp_path))
    journal.close()
    assert (status, out) == (1, "")
    assert "stop the other tablemarker first" in line


def test_without_its_broker_the_table_goes_on_and_says_so_once(tmp_path: Path) -> None:
    port = free_port()
    with program(table_file(tmp_path, mqtt=f"127.0.0.1:{port}")) as process:
        assert process.stderr is not None
        lines = {process.stderr.readline().strip() for _ in range(2)}
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)
        assert process.returncode == 0
    assert "long-room is ready." in lines
    (said,) = lines - {"long-room is ready."}
    assert f"no broker answers at 127.0.0.1:{port}" in said
    assert rest == ("", "")

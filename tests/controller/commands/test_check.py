from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.__main__ import cli
from controller.tablefile.families import shortened

SOUND = """
[table]
id = "bar-1"
game = "bagatelle"

[[sensor]]
role = "cup-1"
kind = "switch"
source = "gpio:17"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*args: str) -> Result:
    return CliRunner().invoke(cli, ["check", *args])


def test_a_sound_file_is_one_line_that_says_what_was_understood(folder: Path) -> None:
    (folder / "a.toml").write_text(SOUND)
    result = check("a.toml")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "a.toml: bagatelle table bar-1; 1 sensor; left to the marker: cup-2…cup-9, spot-a, half-way, "
        "black-1…black-9, next-ball, end-of-turn, new-game, undo, answer; "
        "no PIN: nothing can be entered at /marker until [marker] names one\n"
    )
    (folder / "a.toml").write_text(f'{SOUND}[marker]\npin_env = "PIN"\n')
    assert "PIN" not in check("a.toml").stdout


@pytest.mark.parametrize(
    ("keys", "held", "said"),
    [
        (
            '[mqtt]\nbroker = "h:1"\ncommands = true\ntoken_file = "secret"',
            "short",
            "13:14: the token in secret has 5 characters; use 16",
        ),
        ('[marker]\npin_file = "secret"', "\n4711", "11:12: secret should hold the PIN in its first line, which is empty"),
        ('[marker]\npin_file = "secret"', "47 11", "11:12: the PIN in secret has a blank or a letter that no browser can send"),
        ('[marker]\npin_file = "secret"', "käse", "11:12: the PIN in secret has a blank or a letter that no browser can send"),
        ('[mqtt]\nbroker = "h:1"\nusername = "u"\npassword_file = "secret"', "", "13:17: secret should hold the password in its"),
    ],
)
def test_a_secret_that_a_start_would_refuse_is_refused_where_it_can_be_read(
    folder: Path, keys: str, held: str, said: str
) -> None:
    (folder / "a.toml").write_text(SOUND + keys)
    assert check("a.toml").exit_code == 0, "it may be written on another machine"
    (folder / "secret").write_text(held)
    result = check("a.toml")
    assert (result.exit_code, result.stderr.startswith(f"a.toml:{said}")) == (2, True), result.stderr
    (folder / "secret").write_text("long-enough-for-anything")
    assert check("a.toml").exit_code == 0


def test_all_mistakes_of_all_files_come_in_one_run_and_the_sound_file_is_still_named(folder: Path) -> None:
    (folder / "a.toml").write_text(SOUND)
    (folder / "b.toml").write_text(SOUND.replace("bagatelle", "bagatele").replace('"gpio:17"', '"gpio:99"'))
    result = check("a.toml", "b.toml", "c.toml")
    assert result.exit_code == 2
    assert result.stdout.startswith("a.toml: bagatelle")
    lines = result.stderr.splitlines()
    assert [line.split(": ", 1)[0] for line in lines] == ["b.toml:1:1", "b.toml:3:6", "b.toml:4:8", "b.toml:9:10", "c.toml:1:1"]
    assert "did you mean 'bagatelle'?" in lines[2]


def test_without_a_file_it_says_how_it_is_used() -> None:
    result = check()
    assert result.exit_code == 2
    assert "TABLE.toml" in result.stderr


def test_rows_of_numbered_names_are_shortened() -> None:
    assert shortened(["cup-2", "cup-3", "cup-4", "cup-6", "spot-a", "x-1", "x-2"]) == [
        "cup-2…cup-4",
        "cup-6",
        "spot-a",
        "x-1, x-2",
    ]
    assert shortened([]) == []

"""Lamps, sounders and the voice in a table file."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.tablefile import TableFile, TableFileErrors, load_table

HEAD = '[table]\nid = "snug"\ngame = "bagatelle"\n'
LAMP = '[[output]]\nname = "lamp"\nkind = "lamp"\nsource = "gpio:22"\n'


def load(tmp_path: Path, text: str) -> TableFile:
    path = tmp_path / "table.toml"
    path.write_text(HEAD + text)
    return load_table(path)


def test_an_output_says_what_it_is_lit_for_and_how(tmp_path: Path) -> None:
    table = load(tmp_path, f'{LAMP}on = ["award", "turn"]\nside = "B"\npattern = "short short  long"\n')
    (lamp,) = table.outputs
    assert (lamp.on, lamp.side, lamp.pattern) == (("award", "turn"), "B", ("short", "short", "long"))


def test_a_voice_is_a_program_with_its_arguments(tmp_path: Path) -> None:
    assert load(tmp_path, "").speech is None
    table = load(tmp_path, '[speech]\ncommand = ["espeak-ng", "-v", "en-gb"]\n')
    assert table.speech is not None
    assert table.speech.command == ("espeak-ng", "-v", "en-gb")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f'{LAMP}on = ["award"]\npattern = "short lang"\n',
            'a pattern is 1 to 12 flashes, such as "short short long"',
        ),
        (f'{LAMP}on = ["award"]\nside = "C"\n', "there is no side C"),
        (f'{LAMP}on = ["awards"]\n', "on can't be \"awards\"; did you mean 'award'? Allowed: award, turn"),
        (f'{LAMP}side = "A"\n', "side is of no use where nothing lights it: say what does with on"),
        (f'{LAMP}source = "gpio:17"\n[[sensor]]\nkind = "switch"\nrole = "cup-1"\nsource = "gpio:17"\n', ""),
        ("[speech]\ncommand = []\n", "a program and its arguments are a list of texts"),
        ('[speech]\ncommand = "espeak-ng"\n', 'such as ["espeak-ng", "-v", "en-gb"], not "espeak-ng"'),
    ],
)
def test_what_makes_no_sense_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(TableFileErrors) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)
    assert "table.toml:" in str(caught.value)

"""Whatever stands at whatever key: what is said of it is ours, short, and on one line."""

from __future__ import annotations

import re
import typing
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from controller.tablefile import read_table
from controller.tablefile.model import Table, TableFile
from controller.tablefile.sensors import KINDS

OTHERS_WORDS = re.compile(r"[Ii]nput|[Vv]alid |instance|greater than|less than|pydantic|unable|parse")
VALUES = [
    "1.5",
    '"x"',
    '""',
    "true",
    "[]",
    "[1]",
    "{}",
    "{ x = 1 }",
    "-1",
    "99999999999",
    "nan",
    '"' + "y" * 5000 + '"',
    '"\\u001b[2J"',
]
HEAD = '[table]\nid = "bar-1"\ngame = "bagatelle"\n'


def sections() -> list[tuple[str, type[BaseModel]]]:
    """Headers and models of all sections; the keys that each needs beside."""
    found: list[tuple[str, type[BaseModel]]] = [("", Table)]
    for name, field in TableFile.model_fields.items():
        key = field.alias or name
        models = _models(field.annotation)
        if key == "sensor":
            found += [(f'[[sensor]]\nrole = "cup-1"\nsource = "sim"\nkind = "{kind}"\n', model) for kind, model in KINDS.items()]
        elif key not in {"rules", "table"}:
            doubled = "tuple" in str(field.annotation)
            found += [(f"[[{key}]]\n" if doubled else f"[{key}]\n", models[0])]
    return found


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in typing.get_args(annotation) for model in _models(inner)]


@pytest.mark.parametrize(("header", "model"), sections(), ids=lambda value: "" if isinstance(value, str) else value.__name__)
def test_whatever_a_key_holds_is_told_in_our_words(header: str, model: type[BaseModel], tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    for name in model.model_fields:
        if f"\n{name} = " in f"{HEAD}{header}":
            continue
        for value in VALUES:
            path.write_text(f"{HEAD}{header}{name} = {value}\n")
            for fault in read_table(path).faults:
                assert not OTHERS_WORDS.search(fault.message), f"{name} = {value}: {fault.message}"
                assert len(fault.message) < 700, f"{name}: {fault.message}"
                assert fault.message.isprintable()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[record]\nkeep = 1.5", "5:8: keep is a whole number, not 1.5"),
        ("[record]\nkeep = 1", "5:8: keep is at least 2, not 1"),
        ("[record]\nsize = 1001", "5:8: size is at most 1000, not 1001"),
        ('sides = ["", "Bob"]', "4:10: sides holds an empty text, which names nothing"),
    ],
)
def test_numbers_have_their_bounds_told(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(f"{HEAD}{line}\n")
    (fault,) = read_table(path).faults
    assert str(fault) == f"{path}:{said}"


@pytest.mark.parametrize(
    ("game", "role", "said"),
    [
        ("bagatelle", "cup1", "did you mean 'cup-1'? There are cup-1…cup-9; docs/bagatelle-table.md has all."),
        ("bagatelle", "undoo", "did you mean 'undo'?"),
        (
            "fortification",
            "french-grnd",
            (
                "did you mean 'french-grand'? There are french-grand, french-grand-arch, french-grand-colours, french-grand-ball;"
                " docs/fortification-table.md has all."
            ),
        ),
        (
            "fortification",
            "english-advanced-1-arsch",
            (
                "did you mean 'english-advanced-1-arch'? There are english-advanced-1, english-advanced-1-arch, "
                "english-advanced-1-colours, english-advanced-1-ball; docs/fortification-table.md has all."
            ),
        ),
    ],
)
def test_a_wrong_role_has_its_nearest_and_that_ones_family_told(game: str, role: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(f'[table]\nid = "a"\ngame = "{game}"\n[[sensor]]\nrole = "{role}"\nkind = "switch"\nsource = "sim"\n')
    (fault,) = [one for one in read_table(path).faults if "knows no role" in one.message]
    assert fault.message == f"{game} knows no role {role}; {said}"


def test_a_role_like_none_has_some_told(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('[table]\nid = "a"\ngame = "fortification"\n[[sensor]]\nrole = "xyz"\nkind = "switch"\nsource = "sim"\n')
    (fault,) = read_table(path).faults
    assert fault.message.endswith(", …; docs/fortification-table.md has all")
    assert len(fault.message) < 500

"""The mutation run: which faults it makes, and that it tells those that tests find from those that they don't."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from bench.mutants import mutants_of
from bench.mutation import RULES, accepted

ROOT = Path(__file__).parents[2]

SOURCE = '''
"""A docstring."""
from typing import Literal
Side = Literal["A", "B"]
LIMIT = 3

def judged(side: Side, points: int) -> str | None:
    if points > LIMIT and side != "A":
        return Refusal("BAG-10", f"{points + 1}.")
    told.append("Too many words.")
    return None
'''


def test_faults_are_put_into_what_the_machine_reads_and_not_into_words_or_types(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(SOURCE, encoding="utf-8")
    mutants = list(mutants_of(path, tmp_path))
    head = "some.py judged: if points > LIMIT and side != 'A': → "
    assert [mutant.name for mutant in mutants] == [
        "some.py module: LIMIT = 3 → LIMIT = 4",
        head + "if False:",
        head + "if points > LIMIT or side != 'A':",
        head + "if side != 'A':",
        head + "if points > LIMIT:",
        head + "if points >= LIMIT and side != 'A':",
        head + "if points > LIMIT and side == 'A':",
        head + "if points > LIMIT and side != 'A?':",
        "some.py judged: return Refusal('BAG-10', f'{points + 1}.') → return None",
        "some.py judged: return Refusal('BAG-10', f'{points + 1}.') → return Refusal('BAG-10?', f'{points + 1}.')",
        "some.py judged: told.append('Too many words.') → pass",
    ]
    texts = {ast.unparse(mutant.tree()) for mutant in mutants}
    assert len(texts) == len(mutants)
    assert ast.unparse(ast.parse(SOURCE)) not in texts


def test_every_survivor_that_is_listed_is_still_a_mutant() -> None:
    listed = accepted()
    modules = {RULES / name.split(" ")[0] for name in listed}
    known = {mutant.name for path in modules for mutant in mutants_of(path, RULES)}
    assert listed
    assert [name for name in listed if name not in known] == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_fault_in_a_law_is_found_and_a_listed_survivor_fails_nothing() -> None:
    named = ["--named", "maw/bars.py ended: ", "--named", "maw/questions.py asks: "]
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "mutation.py", *named], capture_output=True, text=True, timeout=600, check=False
    )
    lines = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line.startswith("maw/")}
    assert done.returncode == 0, done.stdout + done.stderr
    found, survive = lines["maw/bars.py"]
    assert (int(found) > 0, survive) == (True, "0")
    assert lines["maw/questions.py"][1] == "1"

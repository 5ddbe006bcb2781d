"""Faults put into the rules one at a time: do the tests of their game find each of them?

A sample of the mutants (`mutants.py`), the same on every run; `--all` tries every one. Each runs in a process of its own:
first the adjudicated cases of its game, then the tests, until one fails. Mutants that no test finds are listed with the
reason in `docs/mutations.md`; exit status 1 if one survives that isn't, or if the page names one that is no more.

    python bench/mutation.py [--all | --sample N | --named TEXT] [--jobs N] [GAME…]
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import NoReturn

# Loaded once, before anything is forked; of our own only what isn't tried here.
import hypothesis
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.mutants import Mutant, mutants_of  # noqa: E402 - the checkout's own packages

RULES = ROOT / "controller" / "rules"
TESTS = ROOT / "tests" / "controller"
LIST = ROOT / "docs" / "mutations.md"
GAMES = ("bagatelle", "fortification", "squails", "maw")
SHARED = "shared"
"""The modules that all games have in common."""
SAMPLE = 400
CPU_SECONDS = 60
"""A mutant that computes longer has been found: the tests of a game take a few seconds."""
MEMORY = 2 << 30
SLOW = re.compile(r"properties|any_events")

ENTRY = re.compile(r"^- `(.+)`: \S")


class OneModule(MetaPathFinder, SourceFileLoader):
    """Finds and loads one module, as the code given, and no other."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        super().__init__(name, str(path))
        self._code = code

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002 - the signature is Python's
        """The module, if it is the one."""
        if fullname != self.name:
            return None
        folder = [str(Path(self.path).parent)] if Path(self.path).stem == "__init__" else None
        return spec_from_file_location(fullname, self.path, loader=self, submodule_search_locations=folder)

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the signature is Python's
        """The code given."""
        return self._code


def game_of(path: Path) -> str:
    return path.parent.name if path.parent.name in GAMES else SHARED


def tests_of(game: str) -> list[str]:
    """Test files, the quick ones first."""
    rules = TESTS / "rules"
    if game == SHARED:
        found = [TESTS / "test_transcript.py", TESTS / "commands" / "test_score.py", *rules.glob("test_[bms][ah]*.py")]
    else:
        found = list(rules.glob(f"test_{game}*.py"))
    found.sort(key=lambda path: (bool(SLOW.search(path.name)), path.name))
    return [str(path) for path in (*found, rules / "test_every_game.py")]


def found_by_tests(game: str) -> bool:
    """Whether a case or a test of a game fails, in this process."""
    from tests.rules_kit import CASES, check_case, load_cases  # noqa: PLC0415 - imports what is tried here

    for path in sorted(CASES.glob("*.jsonl" if game == SHARED else f"{game}*.jsonl")):
        if path.stem != "malformed":
            for case in load_cases(path.stem):
                check_case(case)
    hypothesis.settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        phases=[hypothesis.Phase.generate],
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),  # a busy machine finds no faults
    )
    hypothesis.settings.load_profile("mutation")
    only = [] if game == SHARED else ["-k", f"{game} or not test_every_game"]
    quiet = ["-x", "-q", "--no-header", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "--timeout=0"]
    return pytest.main([*quiet, *only, *tests_of(game)]) != pytest.ExitCode.OK


def in_child(game: str, mutant: Mutant | None) -> NoReturn:
    """Try a mutant, or none; exit status 0 if nothing was found."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    found = True
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            if mutant is not None:
                name = ".".join(mutant.path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                sys.meta_path.insert(0, OneModule(name, mutant.path, compile(mutant.tree(), mutant.path, "exec")))
            found = found_by_tests(game)
        finally:  # whatever the fault raised has found it
            os._exit(int(found))


def tried(work: Iterable[tuple[str, Mutant | None]], jobs: int) -> Iterator[tuple[str, Mutant | None, bool]]:
    """Each game and mutant with whether it was found, as they come."""
    running: dict[int, tuple[str, Mutant | None]] = {}
    for game, mutant in work:
        if len(running) >= jobs:
            yield _ended(running)
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            in_child(game, mutant)
        running[pid] = (game, mutant)
    while running:
        yield _ended(running)


def _ended(running: dict[int, tuple[str, Mutant | None]]) -> tuple[str, Mutant | None, bool]:
    pid, status = os.wait()
    return *running.pop(pid), status != 0


def accepted() -> list[str]:
    """The survivors that the page lists."""
    if not LIST.exists():
        return []
    return [match[1] for line in LIST.read_text(encoding="utf-8").splitlines() if (match := ENTRY.match(line))]


def chosen(mutants: Sequence[Mutant], arguments: argparse.Namespace) -> list[Mutant]:
    """Those to try, in an order that doesn't hang on the modules."""
    some = [one for one in mutants if game_of(one.path) in (arguments.games or (*GAMES, SHARED))]
    if arguments.named:
        return [one for one in some if any(text in one.name for text in arguments.named)]
    some.sort(key=lambda one: one.draw)
    return some if arguments.all else some[: arguments.sample]


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Try the tests of the rules with faults.")
    parser.add_argument("--all", action="store_true", help="every mutant")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many (%(default)s)")
    parser.add_argument("--named", action="append", help="those whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("games", nargs="*", choices=(*GAMES, SHARED, []), help="their modules alone")
    arguments = parser.parse_args(words)
    begun = time.monotonic()
    mutants = [one for path in sorted(RULES.rglob("*.py")) for one in mutants_of(path, RULES)]
    some, listed = chosen(mutants, arguments), set(accepted())
    games = dict.fromkeys(game_of(one.path) for one in some)
    failing = [game for game, _, found in tried(((game, None) for game in games), arguments.jobs) if found]
    if failing:
        print(f"Tests fail without any fault, mend that first: {', '.join(failing)}")
        return 1
    found_in, lived_in = Counter[str](), Counter[str]()
    unlisted, revived = [], []
    for _, mutant, found in tried(((game_of(one.path), one) for one in some), arguments.jobs):
        assert mutant is not None
        module = str(mutant.path.relative_to(RULES))
        (found_in if found else lived_in)[module] += 1
        if found and mutant.name in listed:
            revived.append(mutant.name)
        if not found and mutant.name not in listed:
            unlisted.append(mutant.name)
            print(f"survives: {mutant.name}", flush=True)
    gone = sorted(listed - {one.name for one in mutants})
    print(f"{'module':32} {'found':>6} {'survive':>8}")
    for module in sorted(found_in | lived_in):
        print(f"{module:32} {found_in[module]:6} {lived_in[module]:8}")
    print(
        f"{len(some)} of {len(mutants)} mutants: {found_in.total()} found, {lived_in.total()} survive, {len(unlisted)} of them"
        f" unlisted; {time.monotonic() - begun:.0f} s"
    )
    for title, names in (("No mutant any more", gone), ("Found now, need not be listed", sorted(revived))):
        print("".join(f"{title}: {name}\n" for name in names), end="")
    return 1 if unlisted or gone else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

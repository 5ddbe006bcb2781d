"""How often bells are missed, and rings told that were none, over synthesised bells: the table of docs/detectors.md.

`python bench/bells.py` measures and prints it, and exits 1 if it isn't what the page has; `--write` puts it there. The trials are
the same each time. Settings are chosen on other seeds (`--seeds NAME`), and frozen before this is run.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import Pool
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hardware.detectors.bell import Form  # noqa: E402 - the checkout's own packages
from tests.bell_events import KINDS  # noqa: E402
from tests.bell_kit import PAGE, SEEDS, Rates, rates_of, sample, table_on  # noqa: E402

UNTRIED = "– | –"  # noqa: RUF001 - dashes for people
FORMS: tuple[Form, ...] = get_args(Form)


def measured(case: tuple[Form, str, str, int]) -> Rates:
    """The rates of one kind of trial."""
    form, what, seeds, trials = case
    return rates_of(form, what, seeds, trials)


def main() -> int:
    """Measure; 1 if the page has anything else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    parser.add_argument("--seeds", default=SEEDS, help="what the trials begin from: another name gives other trials")
    parser.add_argument("--trials", type=int, help="of each kind")
    options = parser.parse_args()
    cases = [
        (form, what, options.seeds, options.trials or kind.trials)
        for what, kind in KINDS.items()
        for form in FORMS
        if kind.heard_by(form)
    ]
    with Pool() as pool:
        found = {case[:2]: rates.said for case, rates in zip(cases, pool.imap(measured, cases), strict=True)}
    rows = [f"| {what} | {' | '.join(found.get((form, what), UNTRIED) for form in FORMS)} |" for what in KINDS]
    again = ", ".join(f"{form} {sample(form)}" for form in FORMS)
    table = "\n".join([*rows, "", f"What the tests try again each time, false and missed: {again}."])
    print(table)
    page = PAGE.read_text(encoding="utf-8")
    if options.write:
        PAGE.write_text(page.replace(table_on(page), table), encoding="utf-8")
        return 0
    same = options.seeds != SEEDS or bool(options.trials) or table == table_on(page)
    if not same:
        print("docs/detectors.md has another table: look why, and then write it with --write")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from controller.commands.check import understood
from controller.tablefile import load_table
from controller.tablefile.model import table_schema
from controller.tablefile.sensors import KINDS, BeamSensor, BellSensor, ContactSensor, PositionSensor
from controller.tablefile.values import say_duration
from controller.tables.roles import roles_of
from controller.tables.turn import Timing
from hardware.detectors.beam import BeamDetector

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "table-file.md").read_text()


def test_every_key_of_the_table_file_is_explained() -> None:
    schema = table_schema()
    keys = {key for model in schema["$defs"].values() for key in model["properties"]}
    assert {key for key in keys if f"`{key}`" not in PAGE} == set()
    assert {section for section in schema["properties"] if f"[{section}]" not in PAGE} == set()


@pytest.mark.parametrize("kind", [kind for kind, model in KINDS.items() if issubclass(model, ContactSensor)])
def test_the_defaults_of_a_kind_are_those_in_the_table(kind: str) -> None:
    model = KINDS[kind]
    assert issubclass(model, ContactSensor)
    timing = model.defaults
    times = (timing.settle_on, timing.settle_off, timing.lockout_on, timing.lockout_off)
    assert f"| {kind} | {' | '.join(map(say_duration, times))} |" in PAGE


def test_the_times_of_bagatelle_are_those_of_its_table() -> None:
    assert f"(bagatelle: {Timing().quiet // 10**9} s)" in PAGE
    assert f"(bagatelle: {Timing().roll // 10**9} s)" in PAGE


def test_every_role_of_bagatelle_is_listed_with_its_kind() -> None:
    rows = re.findall(r"\| `([a-z-]+)(1?)`(?: … `[a-z]+-9`)? \| .+ \| (\w+) \|", PAGE)
    listed = {f"{stem}{n}": kind for stem, first, kind in rows for n in (range(1, 10) if first else [""])}
    assert listed == {name: role.kinds[0] for name, role in roles_of("bagatelle").items()}


def test_what_check_says_of_the_example_is_quoted_as_it_is() -> None:
    assert f"my-table.toml: {understood(load_table(ROOT / 'config' / 'bagatelle.toml'))}" in PAGE


def test_what_a_beam_does_by_default_is_the_same_in_the_page_the_file_and_the_detector() -> None:
    detector = inspect.signature(BeamDetector).parameters
    for key in ("window", "blocked_after"):
        default = BeamSensor.model_fields[key].default
        assert detector[key].default == default
        assert re.search(rf'\| `{key}` \| .*`"{say_duration(default)}"` \|', PAGE)


def test_what_a_bell_does_by_default_is_the_same_in_the_page_and_the_file() -> None:
    for key in ("threshold", "weakest", "period", "tail", "coupling", "keep", "least"):
        default = BellSensor.model_fields[key].default
        said = default if key in ("threshold", "weakest", "keep") else f'"{say_duration(default)}"'
        assert re.search(rf"\| `{key}` \| of a bell.*`{said}` \|", PAGE)


@pytest.mark.parametrize("key", ["squail", "target", "error", "still", "gone", "silence"])
def test_what_a_position_sensor_does_by_default_is_the_same_in_the_page_and_the_file(key: str) -> None:
    default = PositionSensor.model_fields[key].default
    said = f'"{say_duration(default)}"' if isinstance(default, int) else f"{default}"
    assert re.search(rf"\| .*`{key}`.* \| of a position sensor.*`{said}`", PAGE)

"""The `sim` source keeps the contract of every source, live and driven, and has the faults it offers."""

from __future__ import annotations

import pytest

from hardware.signals import MS, SECOND, Signal
from hardware.sources.sim import SimSource
from hardware.sources.source import SourceError
from tests.hardware.sources.benches import SimBench
from tests.source_contract import CONTRACT, Check, Ear


@pytest.mark.parametrize("driven", [False, True], ids=["live", "driven"])
@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
def test_contract(check: Check, driven: bool) -> None:
    check(SimBench(driven=driven))


def test_changes_planned_in_any_order_happen_in_order_of_time() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:a", "sim:b"], ear.emit)
    sim.set("sim:b", 1, at=30)
    sim.set("sim:a", 1, at=10)
    sim.set("sim:a", 0, at=20)
    sim.advance(9)
    assert ear.signals == []
    sim.advance(20)
    assert ear.signals == [Signal(10, "sim:a", 1), Signal(20, "sim:a", 0)]
    assert sim.levels() == {"sim:a": 0, "sim:b": 0}
    sim.advance(30)
    assert ear.signals[2:] == [Signal(30, "sim:b", 1)]


def test_a_line_of_text_is_told_in_its_place_and_leaves_the_level_alone() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:a", "sim:text"], ear.emit)
    sim.tell("sim:text", "hello", at=20)
    sim.tell("sim:text", "hello", at=20)
    sim.set("sim:a", 1, at=10)
    sim.advance(30)
    assert ear.signals == [Signal(10, "sim:a", 1), Signal(20, "sim:text", "hello"), Signal(20, "sim:text", "hello")]
    assert sim.levels() == {"sim:a": 1, "sim:text": 0}


def test_changes_of_one_instant_happen_in_the_order_of_setting() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:b", "sim:a"], ear.emit)
    sim.set("sim:b", 1, at=5)
    sim.set("sim:a", 1, at=5)
    sim.set("sim:a", 0, at=5)
    sim.advance(5)
    assert ear.signals == [Signal(5, "sim:b", 1), Signal(5, "sim:a", 1), Signal(5, "sim:a", 0)]


def test_levels_are_compared_neither_while_held_back_nor_when_closed() -> None:
    now = SECOND
    ear = Ear()
    sim = SimSource(clock=lambda: now)
    sim.open(["sim:a"], ear.emit)
    sim.drop("sim:a", 1)
    sim.set("sim:a", 1)
    sim.hold()
    sim.reconcile(now)
    assert ear.signals == []
    sim.release()
    sim.reconcile(now)
    assert ear.signals == [Signal(SECOND, "sim:a", 1)]
    sim.close()
    sim.reconcile(now)
    assert len(ear.signals) == 1


def test_watermark_is_what_the_driver_declared_and_never_after_now() -> None:
    sim = SimSource(clock=None)
    sim.open(["sim:a"], Ear().emit)
    assert sim.watermark(50) == 0
    sim.advance(40)
    assert (sim.watermark(50), sim.watermark(30)) == (40, 30)


def test_a_level_that_does_not_change_is_no_edge() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:a"], ear.emit)
    sim.set("sim:a", 0, at=1)
    sim.set("sim:a", 1, at=2)
    sim.set("sim:a", 1, at=3)
    sim.advance(3)
    assert ear.signals == [Signal(2, "sim:a", 1)]


def test_what_comes_after_its_time_was_declared_is_counted_as_late() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:a"], ear.emit)
    sim.advance(100)
    sim.set("sim:a", 1, at=60)
    sim.advance(101)
    assert ear.signals == [Signal(60, "sim:a", 1)]
    assert sim.health().late == 1


def test_holding_back_keeps_the_watermark_true() -> None:
    now = SECOND
    ear = Ear()
    sim = SimSource(clock=lambda: now)
    sim.open(["sim:a"], ear.emit)
    assert sim.watermark(now) == SECOND
    now += MS
    sim.hold()
    now += MS
    sim.set("sim:a", 1)
    now += MS
    sim.reconcile(now)
    assert sim.watermark(now) == SECOND + MS
    assert ear.signals == []
    sim.release()
    assert ear.signals == [Signal(SECOND + 2 * MS, "sim:a", 1)]
    assert sim.watermark(now) == now
    assert sim.health().late == 0


def test_a_driven_source_holds_back_until_the_next_advance() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:a"], ear.emit)
    sim.hold()
    sim.set("sim:a", 1, at=5)
    sim.advance(10)
    assert (ear.signals, sim.watermark(20)) == ([], 0)
    sim.release()
    sim.advance(11)
    assert (ear.signals, sim.watermark(20)) == ([Signal(5, "sim:a", 1)], 11)


def test_a_storm_is_let_in_again_when_it_is_quiet() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:a"], ear.emit)
    for edge in range(1_101):
        sim.set("sim:a", 1 - edge % 2, at=edge * 100_000)
    sim.advance(SECOND)
    assert len(ear.signals) == 1_000
    assert sim.health().muted == ("sim:a",)
    sim.reconcile(SECOND)
    assert len(ear.signals) == 1_000
    sim.advance(4 * SECOND)
    sim.reconcile(4 * SECOND)
    assert ear.signals[1_000:] == [Signal(4 * SECOND, "sim:a", 1)]
    assert sim.health().muted == ()


def test_sources_share_nothing() -> None:
    one, other = SimSource(clock=None), SimSource(clock=None)
    one.set("sim:a", 1, at=0)
    assert one.open(["sim:a"], Ear().emit) == {"sim:a": 1}
    assert other.open(["sim:a"], Ear().emit) == {"sim:a": 0}


def test_changes_planned_before_closing_are_the_levels_found_afterwards() -> None:
    ear = Ear()
    sim = SimSource(clock=None)
    sim.open(["sim:a"], ear.emit)
    sim.set("sim:a", 1, at=5)
    sim.close()
    assert ear.signals == []
    assert sim.open(["sim:a"], ear.emit) == {"sim:a": 1}


def test_misuse_is_explained() -> None:
    live, driven = SimSource(clock=lambda: 100), SimSource(clock=None)
    with pytest.raises(ValueError, match="a level is 0 or 1"):
        live.set("sim:a", 2)
    with pytest.raises(ValueError, match="say when sim:a changes"):
        driven.set("sim:a", 1)
    with pytest.raises(ValueError, match="still to come"):
        live.set("sim:a", 1, at=101)
    with pytest.raises(ValueError, match="follows a clock"):
        live.advance(100)
    live.open(["sim:a"], Ear().emit)
    with pytest.raises(SourceError, match="open already"):
        live.open(["sim:a"], Ear().emit)

"""Which inputs have moved, edge by edge."""

from __future__ import annotations

from controller.learning.contacts import Contacts, Move
from hardware.signals import MS, Signal


def test_what_had_begun_before_it_was_asked_for_is_no_answer() -> None:
    contacts = Contacts(["gpio:4"])
    contacts.begin({"gpio:4": 1})
    contacts.feed(Signal(10 * MS, "gpio:4", 0))
    contacts.feed(Signal(250 * MS, "gpio:4", 1))
    assert contacts.moved(600 * MS, (), since=100 * MS) == ()
    assert contacts.moved(700 * MS, ()) == (), "nor is it kept for later"


def test_two_moves_that_come_in_one_batch_are_two() -> None:
    contacts = Contacts(["gpio:4"])
    contacts.begin({"gpio:4": 1})
    for at, level in ((10, 0), (60, 1), (1000, 0), (1050, 1)):
        contacts.feed(Signal(at * MS, "gpio:4", level))
    assert contacts.moved(1100 * MS, ()) == (), "the second isn't over"
    assert contacts.moved(1400 * MS, ()) == (
        Move("gpio:4", 0, 10 * MS, 60 * MS),
        Move("gpio:4", 0, 1000 * MS, 1050 * MS),
    )


def test_an_input_whose_level_was_never_told_was_at_the_other_one() -> None:
    contacts = Contacts(["gpio:4"])
    contacts.feed(Signal(10 * MS, "gpio:4", 1))
    assert contacts.moved(400 * MS, ()) == (Move("gpio:4", 1, 10 * MS, None),)

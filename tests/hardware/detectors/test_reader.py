"""The reader: a card that comes is told once until it has been away, and what isn't whole is counted, never used."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.codes import Form, line_reader
from hardware.detectors.reader import ReaderDetector
from hardware.observations import Observation
from hardware.signals import MS, SECOND, Signal

CHANNEL = "lines:scanner"
PACK = [f"{pips}{suit}" for suit in "HDCS" for pips in ("A", *range(2, 11), "J", "Q", "K")]
NAMES = {name: name for name in PACK}


def reader(form: Form = "names", tags: dict[str, str] | None = None, lockout: int = 2 * SECOND) -> ReaderDetector:
    return ReaderDetector("card", "card", CHANNEL, form, NAMES if tags is None else tags, lockout=lockout)


def hear(detector: ReaderDetector, *lines: tuple[int, str]) -> list[Observation]:
    return [seen for at, line in lines for seen in detector.feed(Signal(at, CHANNEL, line))]


def cards(observations: list[Observation]) -> list[tuple[int, object]]:
    return [(seen.at // MS, seen.value) for seen in observations]


def ean8(number: int) -> str:
    digits = f"{number:07d}"
    weighed = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(digits))
    return f"{digits}{-weighed % 10}"


def rdm6300(number: int) -> str:
    data = number.to_bytes(5, "big")
    check = data[0] ^ data[1] ^ data[2] ^ data[3] ^ data[4]
    return f"{data.hex().upper()}{check:02X}"


def test_a_card_that_is_held_is_one_card_however_often_it_is_read() -> None:
    held = [(at * MS, "QH") for at in range(0, 6000, 110)]
    assert cards(hear(reader(), *held)) == [(0, "QH")]


def test_it_is_another_reading_once_it_has_been_away_for_the_lockout() -> None:
    assert cards(hear(reader(), (0, "QH"), (1999 * MS, "QH"), (3998 * MS, "QH"))) == [(0, "QH")]
    assert cards(hear(reader(), (0, "QH"), (2000 * MS, "QH"))) == [(0, "QH"), (2000, "QH")]


def test_another_card_is_told_at_once_and_two_held_together_are_told_once_each() -> None:
    lines = [(at * MS, "QH" if at % 200 else "5S") for at in range(0, 3000, 100)]
    assert cards(hear(reader(), *lines)) == [(0, "5S"), (100, "QH")]


@pytest.mark.parametrize("line", ["H", "0H", "1", "Q", "QH5", "QQH", "QH,", "11H", "QX", "\ufffdQH"])
def test_a_name_that_is_not_whole_is_counted_and_not_used(line: str) -> None:
    detector = reader()
    assert hear(detector, (0, line)) == []
    assert detector.health().notes == ("card gave 1 lines, of which these were not used: 1 not whole",)


@pytest.mark.parametrize("line", ["qh", " QH ", "QH\r", "\x02QH\x03", "QHQH", "QH\x03\x02QH"])
def test_cases_blanks_frames_and_lost_line_ends_do_no_harm(line: str) -> None:
    assert cards(hear(reader(), (0, line))) == [(0, "QH")]


def test_two_cards_in_one_line_are_two_cards() -> None:
    assert cards(hear(reader(), (0, "QH10H"))) == [(0, "QH"), (0, "10H")]


def test_an_empty_line_is_nothing() -> None:
    detector = reader()
    assert hear(detector, (0, ""), (1, "\r"), (2, " ")) == []
    assert detector.health().faults == ()
    assert len(detector.health().notes) == 0


def test_a_bar_code_with_a_wrong_digit_is_counted_and_not_used() -> None:
    good = ean8(2900007)
    detector = reader("ean8", {good: "QH"})
    for place in range(8):
        wrong = good[:place] + str((int(good[place]) + 1) % 10) + good[place + 1 :]
        assert hear(detector, (place, wrong)) == []
    assert "8 with a wrong check digit" in detector.health().notes[0]
    assert cards(hear(detector, (9 * MS, good))) == [(9, "QH")]


def test_the_check_digits_are_those_of_the_standards() -> None:
    # The EAN-8 that is shown everywhere, and a tag from the data sheet of the RDM6300.
    assert line_reader("ean8")("96385074") == ("96385074",)
    assert line_reader("rdm6300")("\x0262E3086CED08\x03") == ("62E3086CED",)
    assert line_reader("rdm6300")("\x0262E3086CED09\x03") == "wrong check"


@pytest.mark.parametrize("line", ["04a3b21c", "04:A3:B2:1C", "04 A3 B2 1C", "04-A3-B2-1C"])
def test_a_tag_s_bytes_may_have_something_between_them(line: str) -> None:
    assert line_reader("uid")(line) == ("04A3B21C",)


@pytest.mark.parametrize("line", ["04A3B2", "04A3B21", "04A3B21C04", "04A3B21C04A3B21C", "04A3B21G"])
def test_a_tag_that_has_not_four_seven_or_ten_bytes_is_not_whole(line: str) -> None:
    assert line_reader("uid")(line) == "not whole"


def test_a_tag_of_seven_bytes_that_lost_three_is_on_nothing_and_people_are_told_its_number() -> None:
    detector = reader("uid", {"04A3B21C5D6E80": "QH"})
    assert hear(detector, (0, "04A3B21C")) == []
    (fault,) = detector.health().faults
    assert "read 04A3B21C, which is on nothing of this table" in fault
    assert cards(hear(detector, (MS, "04A3B21C5D6E80"))) == [(1, "QH")]
    assert detector.health().faults == ()


def test_three_lines_of_rubbish_in_a_row_are_a_fault_until_something_is_read() -> None:
    detector = reader()
    hear(detector, (0, "x"), (1, "y"))
    assert detector.health().faults == ()
    hear(detector, (2, "z"))
    (fault,) = detector.health().faults
    assert "3 lines in a row" in fault
    assert "baud rate" in fault
    hear(detector, (3, "QH"))
    assert detector.health().faults == ()


def test_a_line_that_comes_late_says_so_and_is_not_known_before_what_was_told() -> None:
    detector = reader()
    detector.advance(50)
    (seen,) = hear(detector, (20, "QH"))
    assert (seen.at, seen.known, seen.late) == (20, 50, True)
    assert detector.health().late == 1


def test_health_tells_the_last_card_and_a_reader_that_never_read() -> None:
    detector = reader()
    assert "has not read anything yet" in detector.health().notes[0]
    hear(detector, (5, "QH"), (7, "5S"))
    health = detector.health()
    assert (health.value, health.since, health.edges, health.accepted) == ("5S", 7, 2, 2)


TIMES = st.lists(st.integers(0, 400), min_size=1, max_size=60).map(lambda gaps: [sum(gaps[: n + 1]) for n in range(len(gaps))])


@given(st.data())
def test_readings_of_one_card_are_never_closer_than_the_lockout_and_none_is_missed(data: st.DataObject) -> None:
    """The definition, worked slowly: a reading counts where the same card wasn't read for the lockout before it."""
    lines = [(at, data.draw(st.sampled_from(["QH", "5S", "Q", "10H10H", "\x02"]))) for at in data.draw(TIMES)]
    expected = []
    for place, (at, line) in enumerate(lines):
        card = {"QH": "QH", "5S": "5S", "10H10H": "10H"}.get(line)
        before = [t for t, other in lines[:place] if other == line]
        if card is not None and all(at - t >= 300 for t in before[-1:]):
            expected.append((at, card))
    assert [(seen.at, seen.value) for seen in hear(reader(lockout=300), *lines)] == expected


@given(st.text(max_size=40), st.sampled_from(["names", "ean8", "rdm6300", "uid"]))
def test_whatever_comes_nothing_but_known_cards_comes_out(line: str, form: Form) -> None:
    tags = {"names": NAMES, "ean8": {ean8(1): "QH"}, "rdm6300": {rdm6300(1)[:10]: "QH"}, "uid": {"04A3B21C": "QH"}}[form]
    detector = reader(form, tags)
    assert {seen.value for seen in hear(detector, (0, line))} <= set(tags.values())
    assert detector.health().sensor == "card"


@given(st.integers(0, 9_999_999), st.integers(0, 7), st.integers(1, 9))
def test_no_single_wrong_digit_of_a_bar_code_gets_through(number: int, place: int, added: int) -> None:
    good = ean8(number)
    wrong = good[:place] + str((int(good[place]) + added) % 10) + good[place + 1 :]
    assert line_reader("ean8")(good) == (good,)
    assert line_reader("ean8")(wrong) == "wrong check"


@given(st.integers(0, 2**40 - 1), st.integers(0, 11), st.integers(1, 15))
def test_no_single_wrong_digit_of_a_tag_gets_through(number: int, place: int, added: int) -> None:
    good = rdm6300(number)
    wrong = good[:place] + f"{int(good[place], 16) ^ added:X}" + good[place + 1 :]
    assert line_reader("rdm6300")(good) == (good[:10],)
    assert line_reader("rdm6300")(wrong) == "wrong check"


@given(st.sampled_from(PACK), st.integers(0, 3), st.integers(0, 3))
def test_no_part_of_a_card_s_name_is_another_card(card: str, start: int, end: int) -> None:
    part = card[start : len(card) - end]
    if part and part != card:
        assert line_reader("names", PACK)(part) == "not whole"

from __future__ import annotations

from pathlib import Path

import pytest

from controller.rules.maw.words import CARDS
from controller.tablefile.faults import TableFileErrors
from controller.tablefile.tags import load_tags, own_names
from hardware.detectors.codes import Form


def ean8(number: int) -> str:
    digits = f"{number:07d}"
    weighed = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(digits))
    return f"{digits}{-weighed % 10}"


CODES = [ean8(2_900_000 + place) for place in range(52)]
NAMED = [f"{name} {code}" for name, code in zip(CARDS, CODES, strict=True)]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return tmp_path / "pack.tags"


def load(pack: Path, lines: list[str], form: Form = "ean8", end: str = "\n") -> dict[str, str]:
    pack.write_text(end.join(lines), newline="")
    return load_tags(pack, form, CARDS)


def faults(pack: Path, lines: list[str], form: Form = "ean8") -> list[str]:
    with pytest.raises(TableFileErrors) as caught:
        load(pack, lines, form)
    return [str(fault).removeprefix(f"{pack}:") for fault in caught.value.faults]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\n\r\n"])
def test_a_pack_that_was_scanned_in_order_needs_no_names(pack: Path, end: str) -> None:
    tags = load(pack, CODES, end=end)
    assert (tags[CODES[0]], tags[CODES[11]], tags[CODES[51]]) == ("AH", "QH", "KS")
    assert len(tags) == 52


def test_a_card_that_was_held_before_the_reader_for_a_while_is_one(pack: Path) -> None:
    lines = [code for code in CODES for _ in range(3)]
    assert load(pack, lines) == load(pack, CODES)


def test_named_lines_may_come_in_any_order_with_remarks_and_two_labels_on_a_card(pack: Path) -> None:
    lines = ["# the old pack", "", *reversed(NAMED), f"qh = {ean8(7)}  # the label on the other edge"]
    tags = load(pack, lines)
    assert tags[ean8(7)] == tags[CODES[11]] == "QH"


def test_a_tag_s_bytes_with_blanks_are_no_name_though_the_first_is_a_card_too(pack: Path) -> None:
    written = [f"AD {place:02X} B2 1C" for place in range(52)]
    assert load(pack, written, "uid")["AD00B21C"] == "AH"
    named = [f"{name} 04 {place:02X} B2 1C" for place, name in enumerate(CARDS)]
    assert load(pack, named, "uid")["0400B21C"] == "AH"


def test_frames_of_a_125_khz_reader_are_taken_as_they_came(pack: Path) -> None:
    def frame(number: int) -> str:
        return f"\x0200000000{number:02X}{number:02X}\x03"

    for end in ("\n", ""):
        assert load(pack, [frame(place) for place in range(52)], "rdm6300", end)["0000000033"] == "KS"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (CODES[:-1], ["51:1: 52 codes are wanted, AH to KS in order, or each with its name; here are 51"]),
        ([], ["1:1: 52 codes are wanted, AH to KS in order, or each with its name; here are 0"]),
        ([*CODES[:51], CODES[0]], [f"52:1: {CODES[0]} is on AH already"]),
        ([CODES[0], *NAMED[1:]], ["1:1: names nothing, other lines do: name all, or none and keep the pack's order"]),
        (NAMED[:-2], ["1:1: no code is given for QS, KS"]),
        (
            [*NAMED[:-1], "KX 29000518", f"KS {CODES[51][:-1]}{(int(CODES[51][-1]) + 1) % 10}", "KS 123"],
            [
                '52:1: nothing is called "KX" here; allowed: AH, 2H, ',
                "53:1: ",
                '54:1: "123" is no whole code of the form that the table file names',
            ],
        ),
    ],
    ids=["one short", "empty", "one twice", "some named", "two missing", "three slips"],
)
def test_what_is_wrong_is_named_with_its_line(pack: Path, lines: list[str], said: list[str]) -> None:
    found = faults(pack, lines)
    assert len(found) == len(said)
    assert all(one.startswith(start) for one, start in zip(found, said, strict=True)), found


def test_a_file_that_is_not_there_or_no_text_is_one_fault(pack: Path) -> None:
    with pytest.raises(TableFileErrors, match="can't be read: No such file"):
        load_tags(pack, "ean8", CARDS)
    with pytest.raises(TableFileErrors, match="can't be read: File too large"):
        load_tags(Path("/dev/zero"), "ean8", CARDS)
    pack.write_bytes(b"\xff\xfe")
    with pytest.raises(TableFileErrors, match="not UTF-8"):
        load_tags(pack, "ean8", CARDS)


def test_cards_that_bear_their_names_may_write_a_ten_as_t() -> None:
    assert own_names(CARDS)["TH"] == own_names(CARDS)["10H"] == "10H"
    assert set(own_names(CARDS).values()) == set(CARDS)

"""What a reader's line says: the whole codes in it, or what is wrong with it.

Four forms. `names`: the name itself (`QH`), printed as a bar code or a QR code. `ean8`: eight digits, the last of which checks
the others (GS1's modulo 10). `rdm6300`: the ten hexadecimal digits of a 125 kHz tag and two that check them (exclusive or of the
bytes), between the control characters STX and ETX. `uid`: the four, seven or ten bytes of a 13.56 MHz tag in hexadecimal digits,
with or without something between them; nothing in it checks it.

Lines come torn, doubled and glued together. A line counts when all of it is whole codes; one that is lost is read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

Form = Literal["names", "ean8", "rdm6300", "uid"]
"""How a reader writes what it reads."""

Wrong = Literal["not whole", "wrong check"]
"""Why nothing of a line is used."""

Codes = tuple[str, ...]
"""The codes of a line, in capitals, without what checks them; none in an empty line."""

_CONTROL = re.compile(r"[\x00-\x20\x7f]+")
_EAN8 = re.compile(r"[0-9]{8}")
_RDM6300 = re.compile(r"[0-9A-F]{12}")
_UID = re.compile(r"(?:[0-9A-F]{2}){4}(?:(?:[0-9A-F]{2}){3}){0,2}")
_BETWEEN_BYTES = re.compile(r"[ :-]")


def line_reader(form: Form, names: Iterable[str] = ()) -> Callable[[str], Codes | Wrong]:
    """A function that reads lines of this form; `names` are those that a line of names may hold.

    >>> line_reader("names", ["QH", "10H"])("QH")
    ('QH',)
    >>> line_reader("names", ["QH", "10H"])("0H")
    'not whole'
    >>> line_reader("ean8")("96385074"), line_reader("ean8")("96385075")
    (('96385074',), 'wrong check')
    """
    if form == "names":
        longest_first = sorted((re.escape(name.upper()) for name in names), key=len, reverse=True)
        return partial(_whole, re.compile("|".join(longest_first) or r"(?!)"), _unchecked)
    if form == "ean8":
        return partial(_whole, _EAN8, _ean8)
    if form == "rdm6300":
        return partial(_whole, _RDM6300, _rdm6300)
    return _uid


def _whole(code: re.Pattern[str], check: Callable[[str], str | None], line: str) -> Codes | Wrong:
    """One code, or several where line ends were lost."""
    text = _CONTROL.sub("", line).upper()
    found, end = [], 0
    while end < len(text):
        match = code.match(text, end)
        if match is None:
            return "not whole"
        found.append(match[0])
        end = match.end()
    checked = [sound for one in found if (sound := check(one)) is not None]
    return tuple(checked) if len(checked) == len(found) else "wrong check"


def _uid(line: str) -> Codes | Wrong:
    """One tag alone: where two are glued together their lengths don't tell where one ends."""
    text = _CONTROL.sub("", _BETWEEN_BYTES.sub("", line)).upper()
    if not text:
        return ()
    return (text,) if _UID.fullmatch(text) else "not whole"


def _unchecked(code: str) -> str:
    return code


def _ean8(code: str) -> str | None:
    weighed = sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(code))
    return code if weighed % 10 == 0 else None


def _rdm6300(code: str) -> str | None:
    combined = 0
    for byte in bytes.fromhex(code):
        combined ^= byte
    return code[:10] if combined == 0 else None

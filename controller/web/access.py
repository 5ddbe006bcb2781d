"""Who may change a game over HTTP: whoever knows the marker's PIN or token, asking from a page of ours.

A page of somebody else's, opened by a person in the house, can send requests to the table from inside; it can also point its
own name at the table's address. So a command must name the table by an address or a name of the house, and come from no
other page.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

FREE_TRIES = 5
"""Wrong tries before the table makes people wait."""
FIRST_WAIT_NS = 10_000_000_000
"""The first wait; each further wrong try doubles it."""
MOST_DOUBLINGS = 6
"""Ten seconds doubled six times: the longest wait is under eleven minutes."""
HOUSE_SUFFIXES = (".local", ".lan", ".internal", ".home.arpa", ".localhost")
"""Ends of names that nobody can register on the internet."""


_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::[0-9]{1,5})?")
"""A name or an address, and a port: no user before it, as an address of a page may have."""


@dataclass(frozen=True, slots=True)
class Denied:
    """A request that is turned away: HTTP status, sentence, and seconds to wait where waiting helps."""

    status: int
    text: str
    wait_seconds: int | None = None


class Access:
    """The gate of one table. `token` None: commands over HTTP are off. `clock` gives monotonic nanoseconds."""

    def __init__(self, token: str | None, clock: Callable[[], int]) -> None:
        self._token = token.encode() if token else None
        self._clock = clock
        self._wrong = 0
        self._shut_until = 0

    def check(self, host: str, origin: str | None, authorization: str | None) -> Denied | None:
        """Say why a request with these headers is turned away, or None."""
        return check_place(host, origin, "commands are taken") or self._check_token(authorization)

    def _check_token(self, authorization: str | None) -> Denied | None:
        if self._token is None:
            return Denied(403, "commands over HTTP are off until the table file names a PIN under [marker]")
        wait = self._shut_until - self._clock()
        if wait > 0:
            seconds = -(-wait // 1_000_000_000)
            return Denied(429, f"too many wrong tries; wait {seconds} seconds", seconds)
        scheme, _, given = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not given:
            return Denied(401, "the marker's PIN is wanted: Authorization: Bearer PIN")
        if hmac.compare_digest(given.strip().encode(), self._token):
            self._wrong = 0
            return None
        self._wrong += 1
        if self._wrong >= FREE_TRIES:
            wait = FIRST_WAIT_NS << min(self._wrong - FREE_TRIES, MOST_DOUBLINGS)
            self._shut_until = self._clock() + wait
        return Denied(401, "that is not the marker's PIN")


def check_place(host: str, origin: str | None, what: str) -> Denied | None:
    """Say why a request under this name, from a page of that origin, is turned away, or None. `what`: "commands are taken"."""
    if not is_of_the_house(host):
        return Denied(421, f"{what} under the table's address or its .local name, not under {host!r}")
    if origin is not None and _place_of(origin) != host.lower():
        return Denied(403, f"{what} from this table's own pages alone")
    return None


def is_of_the_house(host: str) -> bool:
    """Whether a Host header is an address, or a name that nobody can register on the internet."""
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    if match["six"] is not None:
        return _is_address(match["six"])
    name = match["name"].lower()
    return "." not in name or name.endswith(HOUSE_SUFFIXES) or _is_address(name)


def _place_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

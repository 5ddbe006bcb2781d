from __future__ import annotations

import pytest

from controller.web.access import Access, Denied, is_of_the_house

SECOND = 1_000_000_000
HOUSE = "192.168.1.5:8080"


class Clock:
    now = 0

    def __call__(self) -> int:
        return self.now


def status(denied: Denied | None) -> int | None:
    return None if denied is None else denied.status


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8080",
        "192.168.1.5",
        "[::1]:8080",
        "localhost:8080",
        "raspberrypi",
        "table.local:8080",
        "table.lan",
        "t.home.arpa",
    ],
)
def test_addresses_and_names_of_the_house_are_ours(host: str) -> None:
    assert is_of_the_house(host)


@pytest.mark.parametrize(
    "host",
    [
        *["", "evil.example", "evil.com:8080", "table.local.evil.com", "[bad", "127.0.0.1.evil.com", ":80"],
        *["evil.com@127.0.0.1", "evil.com@localhost", "localhost/evil.com", "local host", "localhost:", "localhost:80:80"],
        *["[::1", "::1", "[]", "[1.2]"],
    ],
)
def test_a_name_that_somebody_could_own_is_not(host: str) -> None:
    assert not is_of_the_house(host)


def test_the_right_pin_opens() -> None:
    access = Access("4711", Clock())
    assert access.check(HOUSE, None, "Bearer 4711") is None
    assert access.check(HOUSE, f"http://{HOUSE}", "bearer 4711") is None


def test_without_a_pin_in_the_table_file_nothing_opens() -> None:
    assert status(Access(None, Clock()).check(HOUSE, None, "Bearer ")) == 403
    assert status(Access("", Clock()).check(HOUSE, None, "Bearer ")) == 403


@pytest.mark.parametrize(
    "given", [None, "", "4711", "Basic 4711", "Bearer", "Bearer ", "Bearer 471", "Bearer 47111", "Bearer 471\u0661"]
)
def test_anything_else_does_not(given: str | None) -> None:
    assert status(Access("4711", Clock()).check(HOUSE, None, given)) == 401


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://192.168.1.5:9999", "http://192.168.1.5", "http://[bad", ""]
)
def test_another_pages_request_is_turned_away_even_with_the_pin(origin: str) -> None:
    assert status(Access("4711", Clock()).check(HOUSE, origin, "Bearer 4711")) == 403


def test_a_rebound_name_is_turned_away_even_with_the_pin() -> None:
    assert status(Access("4711", Clock()).check("evil.example", "http://evil.example", "Bearer 4711")) == 421


def test_after_five_wrong_tries_all_wait_and_longer_each_time() -> None:
    clock = Clock()
    access = Access("4711", clock)
    for _ in range(5):
        assert status(access.check(HOUSE, None, "Bearer 0")) == 401
    denied = access.check(HOUSE, None, "Bearer 4711")
    assert denied is not None
    assert (denied.status, denied.wait_seconds) == (429, 10)
    clock.now += 10 * SECOND
    assert status(access.check(HOUSE, None, "Bearer 0")) == 401
    denied = access.check(HOUSE, None, "Bearer 4711")
    assert denied is not None
    assert (denied.status, denied.wait_seconds) == (429, 20)
    clock.now += 20 * SECOND
    assert access.check(HOUSE, None, "Bearer 4711") is None
    for _ in range(4):
        assert status(access.check(HOUSE, None, "Bearer 0")) == 401
    assert access.check(HOUSE, None, "Bearer 4711") is None


def test_the_wait_stops_growing() -> None:
    clock = Clock()
    access = Access("4711", clock)
    waits = []
    for _ in range(40):
        access.check(HOUSE, None, "Bearer 0")
        denied = access.check(HOUSE, None, "Bearer 0")
        assert denied is not None
        waits.append(denied.wait_seconds or 0)
        clock.now += waits[-1] * SECOND
    assert max(waits) == waits[-1] == 640


def test_a_request_without_any_pin_is_no_try() -> None:
    access = Access("4711", Clock())
    for _ in range(20):
        assert status(access.check(HOUSE, None, None)) == 401
    assert access.check(HOUSE, None, "Bearer 4711") is None

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.tablefile.values import HostPort, Span, read_duration, read_host_port, read_source, say_duration


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("800us", 800_000),
        ("800 µs", 800_000),
        ("20ms", 20_000_000),
        ("0.3ms", 300_000),
        ("2s", 2_000_000_000),
        ("1.5s", 1_500_000_000),
        ("1min", 60_000_000_000),
        ("7ns", 7),
        ("0s", 0),
    ],
)
def test_durations_are_numbers_with_units(text: str, ns: int) -> None:
    assert read_duration(text) == ns


@given(st.integers(0, 10**15))
def test_what_is_said_of_a_duration_reads_back_as_the_same(ns: int) -> None:
    assert read_duration(say_duration(ns)) == ns


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (20, '20 has no unit: write "20ms" or "20s"'),
        (0.5, '0.5 has no unit: write "0.5ms" or "0.5s"'),
        ("20", 'a number with its unit .* not "20"'),
        ("-1ms", 'not "-1ms"'),
        ("1h", "us, ms, s, min"),
        ("", 'not ""'),
        (True, "not true"),
        (["1ms"], "not a list"),
    ],
)
def test_anything_else_is_told_what_a_duration_is(value: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_duration(value)


def test_a_range_states_the_value_and_both_ends() -> None:
    span = Span("1ms", "2s")
    assert (span.read("1ms"), span.read("2s")) == (1_000_000, 2_000_000_000)
    for value in ("999us", "2001ms"):
        with pytest.raises(ValueError, match=f"^{value} is out of range: at least 1ms, at most 2s$"):
            span.read(value)


def test_hosts_have_ports() -> None:
    assert read_host_port("0.0.0.0:8080") == HostPort("0.0.0.0", 8080)
    assert read_host_port("[::1]:1883") == HostPort("::1", 1883)
    assert str(read_host_port("[::1]:1883")) == "[::1]:1883"
    for value, said in (
        ("localhost", "host and its port"),
        (":80", 'not ":80"'),
        ("a:0", "port 0"),
        ("a:65536", "65536"),
        (80, "80"),
    ):
        with pytest.raises(ValueError, match=said):
            read_host_port(value)


def test_sources_are_addresses_of_one_input() -> None:
    assert [read_source(text) for text in ("gpio:17", "gpio:04", "board:left/3", "sim", "sim:half-way/near")] == [
        "gpio:17",
        "gpio:4",
        "board:left/3",
        "sim",
        "sim:half-way/near",
    ]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("gpio:28", "GPIO2 to GPIO27"),
        ("gpio:1", "EEPROM"),
        ("GPIO17", 'did you mean "gpio:17"'),
        (17, 'did you mean "gpio:17"'),
        ("gpoi:17", 'not "gpoi:17"'),
        ("board:left", 'not "board:left"'),
        ("board:/3", 'not "board:/3"'),
        (None, "not"),
    ],
)
def test_other_sources_are_told_what_one_looks_like(value: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_source(value)

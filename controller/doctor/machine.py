"""The machine itself: its power, its clock, its Python."""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import gmtime

from controller.doctor.findings import Finding, fault, untold, well

SUPPLY = "use a supply made for this Pi (5.1 V, 3 A; for a Pi 5: 5 A), on a short cable, and give lamps their own"
_HWMON = Path("/sys/class/hwmon")
_UNDER_VOLTAGE, _CAPPED, _THROTTLED, _HOT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_SINCE_START = 16
"""The same bits so much higher: what has happened since the Pi was switched on."""
STA_UNSYNC = 0x40
"""Of `adjtimex(2)`: nobody has set the clock right."""
FIRST_YEAR = 2026
"""A clock that shows an earlier one was never set."""


@dataclass(frozen=True, slots=True)
class Power:
    """The supply. `throttled`: the bits of `vcgencmd get_throttled`; `low`: the kernel's alarm; None where it isn't told."""

    throttled: int | None = None
    low: bool | None = None


def read_power() -> Power:
    """Ask the firmware, and the kernel's sensor of the Pi's voltage."""
    return Power(_throttled(), _low_voltage())


def _throttled() -> int | None:
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    try:
        told = subprocess.run([program, "get_throttled"], capture_output=True, text=True, timeout=5, check=True)  # noqa: S603 - by its path
        return int(told.stdout.strip().removeprefix("throttled="), 16)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None  # no Pi, or no access to its firmware: it isn't told


def _low_voltage() -> bool | None:
    for sensor in sorted(_HWMON.glob("hwmon*")):
        try:
            if (sensor / "name").read_text().strip() == "rpi_volt":
                return (sensor / "in0_lcrit_alarm").read_text().strip() == "1"
        except OSError:
            continue  # it went away while it was read
    return None


def check_power(power: Power) -> Finding:
    """Whether the supply holds its voltage, and the Pi runs at its speed."""
    bits = power.throttled or 0
    if power.low or bits & _UNDER_VOLTAGE:
        return fault("power", f"the supply is below 4.63 V now: sensors and the SD card become unreliable; {SUPPLY}")
    if bits & (_UNDER_VOLTAGE << _SINCE_START):
        return fault("power", f"the supply was below 4.63 V since the Pi was switched on; {SUPPLY}")
    if bits & (_CAPPED | _THROTTLED | _HOT):
        return fault("power", "the Pi is too hot and runs slower: give its case air, or fit a heat sink or fan")
    if power.throttled is None and power.low is None:
        return untold("power", "this machine doesn't tell how its supply does (on a Pi, `vcgencmd get_throttled` would)")
    if bits & ((_CAPPED | _THROTTLED | _HOT) << _SINCE_START):
        return well("power", "the supply holds; the Pi was too hot for a while since it was switched on, and isn't now")
    return well("power", "the supply holds, and the Pi isn't slowed down by heat")


@dataclass(frozen=True, slots=True)
class Clock:
    """The wall clock. `synchronised` None: the kernel doesn't tell; `chip`: whether there is a clock chip."""

    synchronised: bool | None
    year: int
    chip: bool = False


class _Timex(ctypes.Structure):
    """The beginning of `struct timex`, see `adjtimex(2)`; the rest is room."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("numbers", ctypes.c_long * 4),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_char * 256),
    )


def read_clock() -> Clock:
    """Ask the kernel whether somebody keeps its clock."""
    told = _Timex()
    known = ctypes.CDLL(None).adjtimex(ctypes.byref(told)) >= 0
    return Clock(not told.status & STA_UNSYNC if known else None, gmtime().tm_year, Path("/dev/rtc0").exists())


def check_clock(clock: Clock) -> Finding:
    """Whether the dates of games can be right. What happens in a game never hangs on the wall clock."""
    remedy = "`timedatectl set-ntp true` and a network, or a clock chip with a battery. Games are scored all the same"
    if clock.year < FIRST_YEAR:
        return fault("clock", f"it shows the year {clock.year}, so the dates of games will be wrong: {remedy}")
    if clock.synchronised is None:
        return untold("clock", "the kernel doesn't tell whether its clock is kept by a time server")
    if not clock.synchronised and clock.chip:
        return well("clock", "no time server keeps it, but there is a clock chip: see that its battery is fitted")
    if not clock.synchronised:
        return fault("clock", f"no time server keeps it, so the dates of games may be wrong: {remedy}")
    return well("clock", "a time server keeps it")


@dataclass(frozen=True, slots=True)
class Software:
    """This Python. `versions`: of each package that the table needs; None: it isn't there."""

    python: tuple[int, int, int]
    prefix: str
    versions: Mapping[str, str | None]


MODULES = {"paho-mqtt": "paho.mqtt", "pyserial": "serial", "lgpio": "_lgpio"}
"""What is imported of a package, where it isn't called so itself; an empty stand-in of lgpio has no `_lgpio`."""


def read_software(packages: list[str]) -> Software:
    """Which of these packages are there."""
    found = sys.version_info
    return Software((found.major, found.minor, found.micro), sys.prefix, {name: _version(name) for name in packages})


def _version(package: str) -> str | None:
    try:
        there = importlib.util.find_spec(MODULES.get(package, package)) is not None
        return importlib.metadata.version(package) if there else None
    except (ImportError, importlib.metadata.PackageNotFoundError):
        return None


def check_software(software: Software) -> Finding:
    """Whether all is there that this table needs."""
    python = ".".join(map(str, software.python))
    missing = [name for name, version in software.versions.items() if version is None]
    if missing:
        install = f"{software.prefix}/bin/python -m pip install {' '.join(missing)}"
        more = "; lgpio must be built on some Pythons, with swig and gcc: gpiod needn't" if "lgpio" in missing else ""
        return fault("software", f"not installed for this Python: {', '.join(missing)}; get it with: {install}{more}")
    there = ", ".join(f"{name} {version}" for name, version in software.versions.items())
    return well("software", f"Python {python} in {software.prefix}{', ' if there else ''}{there}")

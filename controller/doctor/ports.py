"""Serial ports: whether each is there, who may open it, and who else wants it."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from controller.doctor.findings import Finding, fault, well

CLAIMERS = {
    "ModemManager": "sudo systemctl disable --now ModemManager",
    "brltty": "sudo apt remove brltty",
}
"""Programs that take every new serial port for a modem or a braille display, and how to be rid of them."""


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port that the table file names. `holders`: programs that have it open, as far as this user is told."""

    name: str
    path: Path
    there: bool = False
    serial: bool = True
    openable: bool = False
    user: str = ""
    owner: str = ""
    group: str = ""
    mode: str = ""
    login: bool = False
    """Whether the user is in the group by now, and only has to log in anew."""
    holders: tuple[str, ...] = ()
    claimers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Ports that are there instead."""


def read_port(name: str, path: Path) -> Port:
    """Look at one port without opening it: opening resets an Arduino."""
    user = _user(os.geteuid())
    port = Port(name, path, user=user, claimers=tuple(sorted(_running(CLAIMERS))), others=_others())
    try:
        found = path.stat()
    except OSError:
        return port
    group = _group(found.st_gid)
    return replace(
        port,
        there=True,
        serial=stat.S_ISCHR(found.st_mode),
        openable=os.access(path, os.R_OK | os.W_OK),
        owner=_user(found.st_uid),
        group=group,
        mode=stat.filemode(found.st_mode),
        login=found.st_gid not in os.getgroups() and _is_member(user, group),
        holders=tuple(sorted(holders(path.resolve()))),
    )


def check_port(port: Port, *, running: bool) -> Finding:
    """Whether a port can be had. `running`: a tablemarker runs with this table, so that it holds the port."""
    path = port.path
    if not port.there:
        instead = f"; there are {', '.join(port.others)}" if port.others else "; no serial adapter is plugged in"
        return fault(port.name, f"{path} is not there: plug it in, with a cable that carries data{instead}")
    if not port.serial:
        return fault(port.name, f"{path} is no serial port: see its name in the table file")
    if not port.openable:
        whose = f"{path} ({port.mode} {port.owner} {port.group}) may not be opened by {port.user}"
        if port.group in ("root", port.owner):
            rule = 'SUBSYSTEM=="tty", SUBSYSTEMS=="usb", GROUP="dialout", MODE="0660"'
            return fault(
                port.name, f"{whose}: no group has it; write {rule} to /etc/udev/rules.d/60-serial.rules and plug it in anew"
            )
        if port.login:
            return fault(port.name, f"{whose} yet: log in anew, or start the service again, since the group {port.group} is new")
        return fault(
            port.name,
            f"{whose}: sudo usermod -aG {port.group} {port.user}, then log in anew (a service: SupplementaryGroups={port.group})",
        )
    if port.holders and not running:
        return fault(port.name, f"{path} is open in {', '.join(port.holders)}: stop it, since only one program can have a port")
    if port.claimers:
        remedy = "; ".join(CLAIMERS[one] for one in port.claimers)
        return fault(port.name, f"{path} is there, but {' and '.join(port.claimers)} takes new ports for its own: {remedy}")
    held = ", held by the tablemarker that runs" if running and port.holders else ""
    return well(port.name, f"{path} is there and may be opened{held}")


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _is_member(user: str, group: str) -> bool:
    try:
        return user in grp.getgrnam(group).gr_mem
    except KeyError:
        return False


def _others() -> tuple[str, ...]:
    folder = Path("/dev/serial/by-id")
    return tuple(sorted(map(str, folder.iterdir()))) if folder.is_dir() else ()


def _running(names: Iterable[str]) -> set[str]:
    return set(names) & {name for _, name in _processes()}


def _processes() -> Iterable[tuple[Path, str]]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            yield process, (process / "comm").read_text().strip()
        except OSError:
            continue  # it has ended


def holders(device: Path) -> Iterable[str]:
    """The programs that have a device or pipe open, as far as this user is told."""
    for process, name in _processes():
        if process.name == str(os.getpid()):
            continue
        try:
            if any(Path(handle).readlink() == device for handle in (process / "fd").iterdir()):
                yield f"{name} (process {process.name})"
        except OSError:
            continue  # it has ended, or is another user's

"""A broker of our own: mosquitto as a child, with a configuration made for this table, alive as long as we are."""

from __future__ import annotations

import base64
import hashlib
import logging
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from controller.publish.backoff import Backoff
from controller.publish.discovery import Discovery
from controller.publish.settings import MqttMisuse
from controller.publish.topics import Topics

log = logging.getLogger(__name__)

READY_SECONDS = 5.0
STOP_SECONDS = 5.0
LARGEST_MESSAGE = 256 * 1024
DROP_TO = "mosquitto"
"""The user that Debian's package makes for it; a service that runs as root starts it as that one."""
SYSTEM_FOLDERS = "/usr/local/sbin:/usr/sbin:/sbin"
"""Where Debian keeps mosquitto, and an ordinary user's PATH doesn't look."""


@dataclass(frozen=True, slots=True)
class Account:
    """A name and password at the broker. Raises `MqttMisuse` for a name that its files can't hold."""

    username: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.username or not self.username.isprintable() or ":" in self.username:
            raise MqttMisuse(f"username {self.username!r} in [mqtt] can't be used: write it without : and control characters")


class ManagedBroker:
    """mosquitto, started and watched by a thread; when it dies it is started again. Strangers may read what the table tells.

    `listen`: address and port; port 0 takes a free one. `marker`: an account that may read all and send commands.
    `open_commands`: strangers may send commands too, for a table that wants a token in each. `discovery`: what a Home Assistant
    reads, and where one with the marker's account may say that it has started. `report` is told what keeps it from
    running, with the remedy, and None once it runs. `account` is ours.
    """

    def __init__(
        self,
        topics: Topics,
        listen: tuple[str, int] = ("127.0.0.1", 1883),
        *,
        marker: Account | None = None,
        open_commands: bool = False,
        discovery: Discovery | None = None,
        report: Callable[[str | None], None] | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        self.account = Account(f"tablemarker-{secrets.token_hex(4)}", secrets.token_urlsafe(24))
        self._topics = topics
        self._listen = listen
        self._marker = marker
        self._open_commands = open_commands
        self._discovery = discovery
        self._report = report
        self._backoff = backoff or Backoff()
        self._fault: str | None = None
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._tried = threading.Event()
        # The kernel ends mosquitto with the thread that started it, which therefore lives as long as we do.
        self._thread = threading.Thread(target=self._keep, name="mosquitto", daemon=True)

    @property
    def host(self) -> str:
        """Where we reach it ourselves."""
        address = self._listen[0]
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104 - compared, not bound

    @property
    def port(self) -> int:
        """Its port; right once `start` has returned."""
        return self._listen[1]

    @property
    def fault(self) -> str | None:
        """What keeps it from running, with the remedy; None while it runs."""
        return self._fault

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        with self._lock:
            return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, and wait a moment until it is ready or has failed; `fault` tells which."""
        if self.port == 0:
            self._listen = (self._listen[0], _free_port(self._listen[0]))
        self._thread.start()
        self._tried.wait(READY_SECONDS)

    def stop(self) -> None:
        """End it. May be called twice."""
        self._stopping.set()
        with self._lock:
            if self._process is not None:
                self._process.kill()
        if self._thread.ident is not None:
            self._thread.join(STOP_SECONDS)

    def _keep(self) -> None:
        with tempfile.TemporaryDirectory(prefix="tablemarker-", dir=os.environ.get("RUNTIME_DIRECTORY")) as folder:
            while not self._stopping.is_set():
                began = time.monotonic_ns()
                fault = self._run(Path(folder))
                self._tried.set()
                if not self._stopping.is_set():
                    self._say(fault)
                    self._stopping.wait(self._backoff.after(time.monotonic_ns() - began))

    def _run(self, folder: Path) -> str:
        """Run it once, to its end; gives what is wrong with it."""
        mosquitto, setpriv = find_program("mosquitto"), find_program("setpriv")
        if mosquitto is None:
            return "mosquitto isn't installed: sudo apt install mosquitto, or set broker in [mqtt] to a broker elsewhere"
        if setpriv is None:
            return "setpriv isn't installed: sudo apt install util-linux"
        config = self._configure(folder)
        # setpriv has the kernel end it with us, also when we are killed. By SIGKILL: it has nothing to save, and loses
        # a SIGTERM that comes while it starts.
        command = [setpriv, "--pdeathsig", "KILL", mosquitto, "-c", str(config)]
        owner = _drop_to()
        if owner is not None:
            for file in (folder, *folder.iterdir()):
                os.chown(file, owner.pw_uid, owner.pw_gid)
            command[1:1] = [f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"]
        with self._lock:
            if self._stopping.is_set():
                return ""
            self._process = subprocess.Popen(  # noqa: S603 - a program by its path, and arguments of our own
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                process_group=0,  # a Ctrl-C is for us: the last word to the room still goes through it
            )
        last = self._listen_to(self._process)
        with self._lock:
            self._process = None
        return self._failure(last)

    def _listen_to(self, process: subprocess.Popen[str]) -> str:
        """Read what it says until it ends; gives the last error."""
        last = ""
        assert process.stderr is not None
        with process:
            for line in process.stderr:
                _, _, said = line.strip().partition(": ")
                if said.startswith("Error"):
                    last = said.removeprefix("Error: ")
                elif said.endswith(" running"):
                    self._say(None)
                    self._tried.set()
                log.debug("mosquitto: %s", said)
        return last or f"ended with status {process.returncode}"

    def _failure(self, said: str) -> str:
        host, port = self._listen
        if "Address already in use" in said:
            return (
                f"port {port} at {host} is taken, perhaps by Debian's own mosquitto service: use that one "
                f'(broker = "localhost:{port}" in [mqtt]), end it (sudo systemctl disable --now mosquitto), '
                "or set listen to another port"
            )
        if "Cannot assign requested address" in said or "Unable to resolve" in said:
            return f"{host} is no address of this machine: check listen in [mqtt]"
        return f"mosquitto failed: {said}; it is started again"

    def _configure(self, folder: Path) -> Path:
        """Write its configuration, accounts and access list, which nobody else may read."""
        host, port = self._listen
        accounts, access, config = folder / "accounts", folder / "access", folder / "mosquitto.conf"
        lines = {
            accounts: [_hashed(account) for account in (self.account, self._marker) if account is not None],
            access: self._access_list(),
            config: [
                f"listener {port} {host}",
                "set_tcp_nodelay true",
                "persistence false",  # what it should retain is sent to it on each connection
                f"message_size_limit {LARGEST_MESSAGE}",
                "allow_anonymous true",
                f"password_file {accounts}",
                f"acl_file {access}",
                "log_dest stderr",
                *(f"log_type {kind}" for kind in ("error", "warning", "notice", "information")),
                "connection_messages false",
            ],
        }
        for file, said in lines.items():
            file.touch(mode=0o600)
            file.write_text("".join(f"{line}\n" for line in said), "utf-8")
        return config

    def _access_list(self) -> list[str]:
        commands, discovery = self._topics.command, self._discovery
        announced = [f"{discovery.prefix}/#"] if discovery is not None and discovery.prefix is not None else []
        # Those before the first `user` are for strangers, who don't read commands: they may carry the token.
        lines = [f"topic read {topic}" for topic in (*self._topics.shown, *announced)]
        if self._open_commands:
            lines.append(f"topic write {commands}")
        if self._marker is not None:
            lines += [f"user {self._marker.username}", "topic read #", f"topic write {commands}"]
            lines += [f"topic write {birth}" for birth in (discovery.births if discovery is not None else ())]
        return [*lines, f"user {self.account.username}", "topic readwrite #"]

    def _say(self, fault: str | None) -> None:
        if fault == self._fault:
            return
        self._fault = fault
        if fault is not None:
            log.warning("%s", fault)
        if self._report is not None:
            self._report(fault)


def find_program(name: str) -> str | None:
    """Where a program is, also where an ordinary user's PATH doesn't look; None if it isn't installed."""
    return shutil.which(name) or shutil.which(name, path=SYSTEM_FOLDERS)


def _drop_to() -> pwd.struct_passwd | None:
    """Who mosquitto should run as, if we are root and that user exists."""
    if os.geteuid() != 0:
        return None
    return next((user for user in pwd.getpwall() if user.pw_name == DROP_TO), None)


def _hashed(account: Account) -> str:
    """A line of mosquitto's password file: PBKDF2 with SHA-512, as mosquitto_passwd writes it."""
    salt, rounds = secrets.token_bytes(12), 101
    digest = hashlib.pbkdf2_hmac("sha512", account.password.encode(), salt, rounds)
    return f"{account.username}:$7${rounds}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def _free_port(host: str) -> int:
    with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        port: int = listener.getsockname()[1]
        return port

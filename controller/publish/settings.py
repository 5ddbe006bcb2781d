"""How to reach the broker, and who we are there."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from controller.whole_file import read_whole

Protocol = Literal["5", "3.1.1"]

SHORTEST_TOKEN = 16
SENDABLE = re.compile("[!-~]+")
"""What a browser can send as a PIN: visible ASCII."""


class MqttMisuse(ValueError):
    """Settings that can't be used; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Tls:
    """An encrypted link: the authority that signs the broker's certificate (else the system's), and a certificate of our own."""

    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None

    def context(self) -> ssl.SSLContext:
        """What the link is encrypted with. Raises `MqttMisuse` naming the file."""
        for name in (self.ca_file, self.cert_file, self.key_file):
            if name is not None:
                _readable(name)
        try:
            context = ssl.create_default_context(cafile=self.ca_file)
        except ssl.SSLError:
            raise MqttMisuse(f"{self.ca_file} holds no certificate in PEM form; set ca_file in [mqtt.tls] to one") from None
        if self.cert_file is not None:
            try:
                context.load_cert_chain(self.cert_file, self.key_file)
            except ssl.SSLError as error:
                raise MqttMisuse(
                    f"{self.cert_file} and its key can't be used ({error.reason or error}); "
                    "set cert_file and key_file in [mqtt.tls] to a certificate and its own key, in PEM form"
                ) from None
        return context


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """The broker's address and our account there. `protocol` None: MQTT 5, and 3.1.1 with a broker that doesn't know it.

    `commands`: whether commands over MQTT are taken, which wants an account at the broker or a token in each command.
    Raises `MqttMisuse`.
    """

    host: str
    port: int
    client_id: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: Tls | None = None
    protocol: Protocol | None = None
    keepalive: int = 20
    """Seconds, at most 30: half again as long after a power cut the room is told that the table is gone."""
    commands: bool = False
    token: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not 1 <= self.keepalive <= 30:
            raise MqttMisuse(f"keepalive is from 1 to 30 seconds, not {self.keepalive}")
        if self.commands and self.username is None and self.token is None:
            raise MqttMisuse(
                "commands = true lets whoever reaches the broker change a game: "
                "set username and password_file, or token_file, in [mqtt]"
            )
        if self.token is not None and len(self.token) < SHORTEST_TOKEN:
            raise MqttMisuse(f"the token in token_file has {len(self.token)} characters; use {SHORTEST_TOKEN} or more")

    @property
    def address(self) -> str:
        """The broker, as people write it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def pin_fault(pin: str) -> str | None:
    """What keeps people from entering a PIN, as the end of a sentence that begins with it; None if nothing does."""
    if SENDABLE.fullmatch(pin):
        return None
    return "has a blank or a letter that no browser can send, so that nobody could enter it: use digits, or letters from a to z"


def read_secret(what: str, file: Path | None, variable: str | None, environment: Mapping[str, str]) -> str | None:
    """A password or token from the environment or the first line of a file; None if neither is set. Raises `MqttMisuse`."""
    if variable is not None:
        value = environment.get(variable)
        if not value:
            raise MqttMisuse(f"the {what} is to come from the environment, but {variable} isn't set there")
        return value
    if file is None:
        return None
    lines = _readable(file).splitlines()
    if not lines or not lines[0]:
        raise MqttMisuse(f"{file} should hold the {what} in its first line, which is empty")
    return lines[0]


def _readable(file: Path) -> str:
    try:
        return read_whole(file).decode("utf-8")
    except OSError as error:
        raise MqttMisuse(f"{file} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise MqttMisuse(f"{file} isn't a text in UTF-8") from None

"""The whole examination of the machine for one table: reads each part, and gives what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from controller.doctor.beside import check_pipe, check_recordings, check_speaker, read_pipe, read_speaker
from controller.doctor.findings import Finding, fault, untold
from controller.doctor.lines import check_lines, read_lines
from controller.doctor.machine import check_clock, check_power, check_software, read_clock, read_power, read_software
from controller.doctor.network import ask_broker, check_broker, check_managed, check_web, port_trouble
from controller.doctor.ports import check_port, read_port
from controller.doctor.storage import NEEDED, check_disk, check_journal, read_disk, read_journal
from controller.flight_recorder import MEGABYTE
from controller.publish.broker import find_program
from controller.publish.settings import MqttMisuse, MqttSettings, Tls, read_secret
from controller.publish.topics import Topics
from controller.tablefile import TableFile
from hardware.signals import source_of


class Examination:
    """Examines the machine for a table. `folder` is that of the table file; `running`: a tablemarker runs with this table."""

    def __init__(self, table: TableFile, folder: Path, environment: Mapping[str, str]) -> None:
        self._table = table
        self._folder = folder
        self._environment = environment
        self._journal = read_journal(table.journal_path(folder))
        self.running = self._journal.held

    def findings(self) -> Iterator[Finding]:
        """One after the other, as they are found. Of boards only their ports: whoever knows their language asks them."""
        table = self._table
        yield check_software(read_software(self._packages()))
        yield check_power(read_power())
        yield check_clock(read_clock())
        record = table.record
        recordings = 0 if record is None else record.size * record.keep * MEGABYTE
        yield check_disk(read_disk(self._journal.path.parent, NEEDED + recordings))
        yield check_journal(self._journal)
        if record is not None:
            folder = self._folder / record.folder
            # It is made by the first start, with what is missing above it.
            yield check_recordings(read_disk(next(there for there in (folder, *folder.parents) if there.exists())))
        channels = [
            *(each for one in table.sensors for each in one.channels),
            *(each for one in table.outputs for each in one.source),
        ]
        wanted = [int(channel.partition(":")[2]) for channel in channels if source_of(channel) == "gpio"]
        yield from check_lines(read_lines(wanted, table.gpio.chip), running=self.running)
        named = [(f"board {one.name}", one.port) for one in table.boards] + [
            (f"lines {one.name}", one.port) for one in table.lines
        ]
        for name, port in named:
            if port is not None:
                yield check_port(read_port(name, self._folder / port), running=self.running)
        for one in table.lines:
            if one.pipe is not None:
                yield check_pipe(read_pipe(f"lines {one.name}", self._folder / one.pipe))
        yield self._broker()
        yield self._web()
        if table.speech is not None:
            yield check_speaker(read_speaker(table.speech.command))
        yield from self._secrets()

    def _packages(self) -> list[str]:
        table = self._table
        packages = []
        if any(source_of(channel) == "gpio" for sensor in table.sensors for channel in sensor.channels):
            packages += ["gpiozero", table.gpio.factory]
        if table.boards or any(one.port is not None for one in table.lines):
            packages.append("pyserial")
        if table.mqtt.broker != "none":
            packages.append("paho-mqtt")
        if table.web.listen is not None:
            packages += ["starlette", "uvicorn"]
        return packages

    def _broker(self) -> Finding:
        mqtt, table = self._table.mqtt, self._table
        if mqtt.broker == "none":
            return check_broker(None, None)
        if mqtt.broker == "managed":
            taken = port_trouble(mqtt.listen.host, mqtt.listen.port) is not None
            return check_managed(find_program("mosquitto"), str(mqtt.listen), taken, running=self.running)
        assert not isinstance(mqtt.broker, str)
        files = mqtt.tls
        try:
            password = read_secret("broker's password", self._path(mqtt.password_file), mqtt.password_env, self._environment)
            tls = None if files is None else Tls(*(self._path(one) for one in (files.ca_file, files.cert_file, files.key_file)))
            settings = MqttSettings(mqtt.broker.host, mqtt.broker.port, table.client_id, mqtt.username, password, tls=tls)
        except MqttMisuse as error:
            return check_broker(str(mqtt.broker), str(error))
        return check_broker(settings.address, ask_broker(settings, Topics(table.prefix)))

    def _web(self) -> Finding:
        listen = self._table.web.listen
        if listen is None:
            return check_web(None, None, running=self.running)
        return check_web(str(listen), port_trouble(listen.host, listen.port), running=self.running)

    def _secrets(self) -> Iterator[Finding]:
        marker, mqtt = self._table.marker, self._table.mqtt
        secrets = {
            "marker's PIN": (marker.pin_file, marker.pin_env),
            "token": (mqtt.token_file, None),
            "password": (mqtt.password_file, mqtt.password_env) if mqtt.broker == "managed" else (None, None),
        }
        for what, (file, variable) in secrets.items():
            try:
                read_secret(what, self._path(file), variable, self._environment)
            except MqttMisuse as error:
                yield fault(what, str(error))
        for file in (marker.pin_file, mqtt.token_file, mqtt.password_file):
            path = self._path(file)
            if path is not None and path.exists() and path.stat().st_mode & 0o004:
                yield fault("secrets", f"everybody on this machine can read {path}: chmod o-r {path}")
        if marker.pin_file is None and marker.pin_env is None:
            yield untold("marker's PIN", "there is none, so no command is taken over HTTP: see [marker] in docs/table-file.md")

    def _path(self, path: Path | None) -> Path | None:
        return None if path is None else self._folder / path

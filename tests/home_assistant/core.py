"""Home Assistant's own core and its MQTT integration, without a web server; runs in an environment of its own.

    python core.py FOLDER PORT

It is asked on standard input and answers on standard output, one JSON object a line. Its log is FOLDER/home-assistant.log.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import sys
from pathlib import Path
from typing import Any

from homeassistant import bootstrap, config_entries, const, core, loader
from homeassistant.components import automation
from homeassistant.components.mqtt import client as mqtt_client
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import parse_yaml

NOT_OURS = {"http", "file_upload", "websocket_api"}
"""The MQTT integration wants these for its forms alone, and they would open a port: they count as set up."""


# How long it waits when the broker is gone, and for more devices before it says that it has started: no test need wait so long.
mqtt_client.RECONNECT_INTERVAL_SECONDS = 1
mqtt_client.DISCOVERY_COOLDOWN = 1


class NoWeb:
    """Where the platforms of older ones leave their pages."""

    def register_view(self, view: Any) -> None:
        """Show it to nobody."""


async def start(folder: Path, port: int) -> core.HomeAssistant:
    """Home Assistant with a broker, as if somebody had entered its address."""
    hass = core.HomeAssistant(str(folder))
    hass.config.skip_pip = True
    hass.config.components.update(NOT_OURS)
    hass.http = NoWeb()
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    if not hass.config_entries.async_entries("mqtt"):
        await hass.config_entries.async_add(_entry(port))
    await async_setup_component(hass, "mqtt", {})
    await hass.async_start()
    await hass.async_block_till_done()
    return hass


def _entry(port: int) -> config_entries.ConfigEntry:
    fields: dict[str, Any] = {
        "version": 1,
        "minor_version": 2,
        "domain": "mqtt",
        "title": "broker",
        "data": {"broker": "127.0.0.1", "port": port},
        "options": {},
        "source": config_entries.SOURCE_USER,
        "unique_id": None,
        "discovery_keys": {},
        "subentries_data": None,
    }
    taken = inspect.signature(config_entries.ConfigEntry).parameters  # not the same in every version
    return config_entries.ConfigEntry(**{name: value for name, value in fields.items() if name in taken})


class Desk:
    """Answers what it is asked."""

    def __init__(self, hass: core.HomeAssistant) -> None:
        self._hass = hass
        self._calls: list[dict[str, Any]] = []

    async def answer(self, ask: str, **more: Any) -> Any:
        return await getattr(self, f"_{ask}")(**more)

    async def _entities(self) -> dict[str, Any]:
        """All entities of its registry, by their unique ids, with their states."""
        found = {}
        devices = device_registry.async_get(self._hass)
        for entry in entity_registry.async_get(self._hass).entities.values():
            state = self._hass.states.get(entry.entity_id)
            device = devices.async_get(entry.device_id) if entry.device_id else None
            found[entry.unique_id] = {
                "entity": entry.entity_id,
                "name": entry.original_name,
                "category": entry.entity_category,
                "device": None if device is None else {"name": device.name, "model": device.model, "id": device.id},
                "state": None if state is None else state.state,
                "attributes": {} if state is None else dict(state.attributes),
            }
        return found

    async def _press(self, entity: str) -> None:
        await self._hass.services.async_call("button", "press", {"entity_id": entity}, blocking=True)

    async def _automate(self, automations: str) -> int:
        """Set up automations, written in YAML; gives how many there are. What they do to lights is noted."""

        async def note(call: core.ServiceCall) -> None:
            self._calls.append({"action": f"{call.domain}.{call.service}", **call.data})

        for domain, service in (("light", "turn_on"), ("tts", "speak")):
            self._hass.services.async_register(domain, service, note)
        await async_setup_component(self._hass, "automation", {"automation": parse_yaml(automations)})
        await self._hass.async_block_till_done()
        return len([one for one in self._hass.states.async_all(automation.DOMAIN) if one.state == "on"])

    async def _done(self) -> list[dict[str, Any]]:
        """What automations have done."""
        return self._calls


async def main(folder: Path, port: int) -> None:
    hass = await start(folder, port)
    desk = Desk(hass)
    print(json.dumps(const.__version__), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(await desk.answer(**json.loads(line)), default=list), flush=True)
    await hass.async_stop(force=True)


if __name__ == "__main__":
    logging.basicConfig(filename=Path(sys.argv[1]) / "home-assistant.log", level=logging.WARNING)
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))

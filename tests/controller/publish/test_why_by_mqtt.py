"""The whole sentence behind a point of each game, asked for and answered over a real broker."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from controller.engine.journal import Journal
from controller.publish.schemas import schema_of
from tests.broker_kit import DEADLINE, Mosquitto, client
from tests.controller.publish.conftest import TOPICS, StartTable
from tests.controller.publish.test_commands_by_mqtt import reply_of, running
from tests.sentences_kit import SENTENCES

pytestmark = pytest.mark.broker


def test_why_points_were_given_is_told_in_whole_sentences(mosquitto: Mosquitto, start: StartTable, tmp_path: Path) -> None:
    link = running(start, mosquitto)
    for game, told in SENTENCES.items():
        journal = Journal(tmp_path / f"{game}.sqlite3")
        table = told.play(journal)
        with client(mosquitto.port, TOPICS.reply) as sender:
            sender.publish(TOPICS.command, json.dumps({"command": "explain", "id": game}))
            request = link.requests.get(timeout=DEADLINE)
            assert request.reply is not None
            request.reply(table.ask(request.command))
            reply = reply_of(sender)
        jsonschema.validate(reply, schema_of("reply"))
        assert (reply["id"], reply["ok"]) == (game, True)
        assert told.sentence in reply["detail"]["lines"]
        journal.close()

"""Home Assistant's own core and MQTT integration, with real tables at a real mosquitto."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.engine.snapshot import SideView
from controller.publish.discovery import Discovery, TableDevice
from controller.publish.topics import Topics
from controller.service import Service
from controller.tablefile import load_table
from hardware.health import SourceHealth
from tests.broker_kit import Mosquitto, client, command, eventually, retained
from tests.controller.publish.conftest import StartTable
from tests.home_assistant.process import HomeAssistant
from tests.publish_kit import sensor, snapshot

pytestmark = [pytest.mark.broker, pytest.mark.home_assistant, pytest.mark.timeout(600)]

PAGE = (Path(__file__).parents[3] / "docs" / "home-assistant.md").read_text("utf-8")
BUTTONS = {"undo", "pause", "resume", "new_game"}
THINGS = BUTTONS | {
    *("score_1", "score_2", "current_player", "phase", "last_award", "call"),
    *("provisional", "not_saved", "board_away", "stuck_input"),
}
PRISONER = {
    "event": "stroke",
    "side": "english",
    "ball": "english-defence-1",
    "facts": [{"fact": "in_fort", "fort": "english-advanced-1", "ball": "french-attack"}],
}
NOTHING = ("unknown", "None")
"""Of a text; older ones show the word."""
OURS = re.compile(r"tablemarker|fort|ERROR|CRITICAL|Traceback", re.IGNORECASE)
"""What no line of Home Assistant's log may hold: our names, and faults in general."""
BROKER_GONE = re.compile(r"failed to receive on socket|connection was lost|Failed to connect to MQTT server", re.IGNORECASE)
"""But for those of a broker that a test has stopped."""

Entities = dict[str, Any]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    one = Mosquitto(tmp_path_factory.mktemp("broker"))
    yield one
    one.stop()


@pytest.fixture(scope="module")
def house(broker: Mosquitto, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HomeAssistant]:
    """One Home Assistant for all these tests."""
    one = HomeAssistant(tmp_path_factory.mktemp("house"), broker.port)
    yield one
    one.stop()


_numbers = itertools.count(1)


class Fort:
    """A table of fortification billiards of this test alone, as Home Assistant sees it."""

    def __init__(self, house: HomeAssistant, broker: Mosquitto, folder: Path) -> None:
        number = next(_numbers)
        self.id = f"fort-{number}"
        self.called = f"Fortification {number}"
        self.slug = f"fortification_{number}"
        self.topics = Topics.of_table(self.id)
        self._house = house
        self._port = broker.port
        self._folder = folder

    @contextmanager
    def open(self, *, commands: bool = True) -> Iterator[Service]:
        """Run the service, without sensors."""
        (self._folder / "password").write_text("opensesame")
        account = 'username = "fort"\npassword_file = "password"\ncommands = true\n' if commands else ""
        path = self._folder / "fort.toml"
        path.write_text(
            f'[table]\nid = "{self.id}"\ngame = "fortification"\nname = "{self.called}"\nsides = ["English", "French"]\n'
            f'[web]\nlisten = "off"\n[mqtt]\nbroker = "127.0.0.1:{self._port}"\n{account}'
        )
        service = Service(load_table(path), self._folder)
        try:
            service.start()
            yield service
        finally:
            service.stop()

    def discovery(self, sides: int = 2) -> Discovery:
        device = TableDevice(self.id, self.called, "fortification", sides=sides, buttons=True, version="1")
        return Discovery("homeassistant", device, self.topics)

    def command(self, **fields: Any) -> None:
        """Have a command carried out."""
        command(self._port, self.topics, **fields)

    def wait(self, accept: Callable[[Entities], object], what: str) -> Entities:
        """The table's entities by the last part of their ids, as soon as `accept` takes them."""

        def ours(found: Entities) -> Entities:
            prefix = f"tablemarker_{self.id}_"
            return {unique.removeprefix(prefix): one for unique, one in found.items() if unique.startswith(prefix)}

        return ours(self._house.wait(lambda found: accept(ours(found)), what))

    def wait_state(self, thing: str, wanted: str) -> Entities:
        return self.wait(lambda found: found.get(thing, {}).get("state") == wanted, f"{thing} to be {wanted}")

    def wait_ready(self, things: set[str] = THINGS) -> Entities:
        """The entities once all are there, and the first score is."""

        def ready(found: Entities) -> bool:
            up = {thing for thing, one in found.items() if one["state"] not in (None, "unavailable")}
            return found.keys() == things == up and found["phase"]["state"] != "unknown"

        return self.wait(ready, "every entity and no other")

    def press(self, thing: str) -> None:
        self._house.ask("press", entity=f"button.{self.slug}_{thing}")


@pytest.fixture
def fort(house: HomeAssistant, broker: Mosquitto, tmp_path: Path) -> Iterator[Fort]:
    """A table; nothing that Home Assistant logs may name it."""
    yield Fort(house, broker, tmp_path)
    # Where in its code it was says nothing, and the folders on the way there may be called anything.
    said = [line for line in house.log().splitlines() if not line.lstrip().startswith('File "')]
    assert [line for line in said if OURS.search(line) and not BROKER_GONE.search(line)] == []


def test_a_table_is_a_device_whose_entities_follow_the_game(fort: Fort) -> None:
    with fort.open():
        found = fort.wait_ready()
        assert len({one["device"]["id"] for one in found.values()}) == 1
        assert (found["phase"]["device"]["name"], found["phase"]["device"]["model"]) == (fort.called, "Fortification")
        assert found["phase"]["state"] == "idle"
        assert [found[f"score_{n}"]["state"] for n in (1, 2)] == ["0", "0"]
        assert found["last_award"]["state"] in NOTHING
        assert found["call"]["state"] == "unknown"

        fort.press("new_game")
        assert fort.wait_state("phase", "playing")["current_player"]["state"] == "English"
        fort.command(command="event", event=PRISONER)
        found = fort.wait_state("score_1", "6")
        assert found["score_1"]["attributes"]["player"] == "English"
        assert found["score_1"]["attributes"]["unit_of_measurement"] == "points"
        found = fort.wait(lambda found: found["call"]["state"] != "unknown", "the call")
        assert found["last_award"]["state"] == "English +6"
        for thing in ("last_award", "call"):
            more = found[thing]["attributes"]
            assert (more["side"], more["points"], more["rules"]) == ("english", 6, ["FORT-25"])
            assert more["why"].startswith("The French attacking ball is a prisoner of war")
        assert found["call"]["attributes"]["event_type"] == "award"

        fort.press("pause")
        fort.wait_state("phase", "paused")
        fort.press("resume")
        fort.wait_state("phase", "playing")
        fort.press("undo")
        fort.wait_state("score_1", "0")


def test_the_page_names_these_entities(fort: Fort) -> None:
    named = set(re.findall(r"\b((?:binary_)?sensor|button|event)\.fortification_(\w+)", PAGE))
    row_of_several = re.findall(r"^\| `(\w+)\.fortification_(\w+?)(?:_1)?`((?:, `…_\w+`)+)", PAGE, re.MULTILINE)
    for kind, first, others in row_of_several:
        for other in re.findall(r"…_(\w+)`", others):
            named.add((kind, f"{first}_{other}" if other.isdigit() else other))
    with fort.open():
        found = fort.wait_ready()
    assert {one["entity"] for one in found.values()} == {f"{kind}.{fort.slug}_{name}" for kind, name in named}


def test_undo_acts_on_the_score_that_was_seen(fort: Fort, broker: Mosquitto, start: StartTable) -> None:
    one = start(broker.port, topics=fort.topics, discovery=fort.discovery(), commands=True, username="a", password="b")

    def shows(revision: int) -> Callable[[Entities], bool]:
        return lambda found: found.get("undo", {}).get("attributes", {}).get("revision") == revision

    for revision in (41, 42):
        one.link.offer(snapshot(revision, table=fort.id), ())
        fort.wait(shows(revision), "the revision")
        fort.press("undo")
        assert getattr(one.carry_out().command, "if_revision", None) == revision


def test_each_problem_is_told_and_ends(fort: Fort, broker: Mosquitto, start: StartTable) -> None:
    problems = ("provisional", "not_saved", "board_away", "stuck_input")

    def all_are(wanted: str) -> Callable[[Entities], bool]:
        return lambda found: {found.get(problem, {}).get("state") for problem in problems} == {wanted}

    one = start(broker.port, topics=fort.topics, discovery=fort.discovery())
    well = snapshot(1, table=fort.id)
    one.link.offer(well, ())
    fort.wait(all_are("off"), "a table that is well")
    ill = replace(
        well,
        revision=2,
        provisional=True,
        durable=False,
        sources=(SourceHealth("gpio", up=True), SourceHealth("board:left", up=False)),
        sensors=(sensor("cup-1", faults=("cup-1 chatters",)), sensor("cup-2")),
    )
    one.link.offer(ill, ())
    found = fort.wait(all_are("on"), "all problems")
    assert found["board_away"]["attributes"]["sources"] == ["board:left"]
    assert found["stuck_input"]["attributes"]["sensors"] == ["cup-1"]
    assert {found[thing]["category"] for thing in problems[1:]} == {"diagnostic"}
    one.link.offer(replace(well, revision=3), ())
    fort.wait(all_are("off"), "the end of all problems")


def test_a_game_that_has_less_to_show_leaves_its_places_empty(fort: Fort, broker: Mosquitto, start: StartTable) -> None:
    one = start(broker.port, topics=fort.topics, discovery=fort.discovery())
    full = snapshot(7, table=fort.id)
    one.link.offer(full, ())
    assert fort.wait_state("score_1", "7")["last_award"]["state"] == "Ann +18"
    long_name = "None" + "ö" * 300
    sides = (replace(full.sides[0], name=long_name),)
    one.link.offer(replace(full, revision=8, sides=sides, last=None, sources=(), sensors=()), ())
    found = fort.wait_state("score_2", "unknown")
    assert found["last_award"]["state"] in NOTHING
    assert found["current_player"]["state"] == long_name[:255]
    one.link.offer(replace(full, revision=9, sides=(), turn=None), ())
    assert fort.wait_state("score_1", "unknown")["current_player"]["state"] in NOTHING


def test_a_game_of_four_sides_has_a_place_for_each_and_leaves_empty_what_fewer_players_dont_take(
    fort: Fort, broker: Mosquitto, start: StartTable
) -> None:
    one = start(broker.port, topics=fort.topics, discovery=fort.discovery(sides=4))
    four = snapshot(7, table=fort.id, turn="D")
    sides = tuple(SideView(side, f"Player {side}", points) for side, points in zip("ABCD", (7, 0, -2, 12), strict=True))
    one.link.offer(replace(four, sides=sides), ())
    found = fort.wait_state("score_4", "12")
    assert [found[f"score_{n}"]["state"] for n in range(1, 5)] == ["7", "0", "-2", "12"]
    assert [found[f"score_{n}"]["attributes"]["player"] for n in range(1, 5)] == [f"Player {side}" for side in "ABCD"]
    assert found["current_player"]["state"] == "Player D"
    one.link.offer(replace(four, revision=8, sides=sides[:3], turn="C"), ())
    found = fort.wait_state("score_4", "unknown")
    assert (found["score_3"]["state"], found["current_player"]["state"]) == ("-2", "Player C")
    one.link.close()
    # The table file has two sides again.
    two = start(broker.port, topics=fort.topics, discovery=fort.discovery())
    two.link.offer(replace(four, revision=9, sides=sides[:2], turn="A"), ())
    fort.wait_ready()


def test_everything_is_there_again_after_a_restart_of_either_and_of_the_broker(
    fort: Fort, house: HomeAssistant, broker: Mosquitto
) -> None:
    def known() -> dict[str, Any]:
        found = fort.wait_ready()
        return {thing: (one["entity"], one["device"]) for thing, one in found.items()}

    with fort.open():
        first = known()
        fort.command(command="start_game")
        fort.command(command="event", event=PRISONER)
        fort.wait_state("score_1", "6")

        house.stop()
        house.start()
        assert known() == first
        fort.wait_state("score_1", "6")

        house.stop()
        with client(broker.port) as one:  # a broker that has kept nothing of it
            for topic in retained(broker.port, "homeassistant/#"):
                one.publish(topic, b"", retain=True)
        house.start()
        assert known() == first

        broker.stop()
        fort.wait_state("score_1", "unavailable")
        broker.start()
        assert known() == first
        fort.wait_state("score_1", "6")
    fort.wait_state("score_1", "unavailable")
    with fort.open():
        assert known() == first
        fort.wait_state("score_1", "6")


def test_what_another_table_file_no_longer_has_is_gone_there_too(fort: Fort) -> None:
    with fort.open():
        fort.wait_ready()
    with fort.open(commands=False):
        fort.wait_ready(THINGS - BUTTONS)


def in_older_words(automations: str) -> str:
    """The same automations as Home Assistant wrote them before 2024.10, where an item's kind had other names."""
    for newer, older in (("- trigger: ", "- platform: "), ("- action: ", "- service: ")):
        automations = automations.replace(newer, older)
    return re.sub(r"\b(trigger|condition|action)s:", r"\1:", automations)


def test_the_automations_of_the_page_answer_a_prisoner_of_war_and_the_end_of_a_game(fort: Fort, house: HomeAssistant) -> None:
    (example,) = re.findall(r"^```yaml automation\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    if tuple(map(int, house.version.split(".")[:2])) < (2024, 10):
        example = in_older_words(example)
    with fort.open():
        fort.wait_ready()
        assert house.ask("automate", automations=example.replace("fortification", fort.slug)) == 2
        fort.command(command="start_game", options={"target": 6})
        assert house.ask("done") == []
        fort.command(command="event", event=PRISONER)
        eventually(lambda: len(house.ask("done")) >= 3, "the lamp and the voice")
        short, long, voice = house.ask("done")
        lamp = {"action": "light.turn_on", "entity_id": ["light.bar"]}
        assert (short, long) == ({**lamp, "flash": "short"}, {**lamp, "flash": "long"})
        assert voice["message"] == "English has won."

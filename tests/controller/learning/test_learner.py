"""A person learns whole tables with `sensors --learn`, and what is printed is put in place."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.learning.lesson import Step
from controller.rules.registry import GAME_NAMES
from controller.tablefile import TableFile
from tests.learn_kit import Person, Wiring, config, in_place, mixed_up, wired_as, without_usual

ROOT = Path(__file__).resolve().parents[3]
SEEDS = (1, 2, 3)
PULSES = '[table]\nid = "t"\ngame = "fortification"\n' + "".join(
    f'[[sensor]]\nkind = "bell"\nform = "pulses"\nrole = "{role}"\nsource = "gpio:{pin}"\npull = "none"\nleast = "150ms"\n'
    f'[[sensor]]\nkind = "beam"\nrole = "{role}-arch"\nsource = "gpio:{pin + 10}"\n'
    for pin, role in enumerate(("english-grand", "french-grand", "french-advanced-1"), start=4)
)


def learnt(person: Person) -> list[dict[str, object]]:
    text = person.learner.text
    assert text is not None
    return without_usual(tomllib.loads(text)["sensor"])


def checked(text: str, fragment: str | None, folder: Path) -> None:
    """`tablemarker check` takes it in its place."""
    assert fragment is not None
    path = folder / "mine.toml"
    path.write_text(in_place(text, fragment), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(path)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_sensor_of_a_shipped_table_is_learnt_on_whatever_input_it_is(game: str, seed: int, tmp_path: Path) -> None:
    text = config(game)
    person = Person.at(text, f"{game} {seed}")
    person.all()
    assert learnt(person) == wired_as(text, person.wiring)
    assert person.learner.end()
    checked(text, person.learner.text, tmp_path)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_way_that_the_docs_tell_puts_it_in_place(game: str) -> None:
    script = re.search(r"sed '(.+)' table", (ROOT / "docs" / "installer.md").read_text(encoding="utf-8"))
    assert script is not None
    cleared = subprocess.run(["sed", script[1]], input=config(game), capture_output=True, text=True, check=True).stdout
    assert "sensor" not in tomllib.loads(cleared)
    assert tomllib.loads(cleared) == {key: value for key, value in tomllib.loads(config(game)).items() if key != "sensor"}


def test_what_touching_cannot_tell_is_left_as_it_was_and_said() -> None:
    person = Person.at(config("squails"), 1)
    person.all()
    assert person.learner.last_line == (
        "Learnt 11 of 11: all that was asked for. Left as in the file, since touching can't tell them: squails."
    )
    said = (
        '# Left as it was: a camera tells of everything at once, so no touch shows which one it is.\n[[sensor]]\nrole = "squails"'
    )
    assert said in (person.learner.text or "")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_clumsy_person_gets_there_too(game: str, seed: int, tmp_path: Path) -> None:
    """Two are brushed at once, one that is known moves again, a wrong one is moved and taken back."""
    text = config(game)
    person = Person.at(text, f"clumsy {game} {seed}")
    rng = person.rng

    def mischief(step: Step) -> bool:
        contacts = [one.name for one in person.table.sensors if one.kind in ("button", "switch") and one.name != step.sensor.name]
        unknown = [name for name in contacts if person.wiring.inputs[name][0] not in person.learner._lesson.known]
        known = [name for name in contacts if name not in unknown]
        what = rng.choice(("nothing", "two", "again", "wrong"))
        if what == "again" and known:
            person.press(rng.choice(known))
            person.wait(2)
        elif step.sort == "contact" and what == "two" and unknown:
            person.press(step.sensor.name, end=step.end)
            person.press(rng.choice(unknown))
            person.wait(2)
            assert "moved at once" in person.said[-1]
        elif step.sort == "contact" and what == "wrong" and unknown and step.end == 0:
            wrong = rng.choice(unknown)
            person.set(wrong, 1)
            person.wait(2)
            person.type("b")
            person.set(wrong, 0)
            person.wait(2)
            person.type("")
            assert person.step == step
        return True

    person.all(mischief)
    assert learnt(person) == wired_as(text, person.wiring)
    checked(text, person.learner.text, tmp_path)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_one_that_is_skipped_is_told_and_never_shares_an_input(game: str, tmp_path: Path) -> None:
    text = config(game)
    person = Person.at(text, game)
    skipped = next(s.name for s in person.table.sensors if s.kind in ("button", "beam"))

    def skip(step: Step) -> bool:
        if step.sensor.name == skipped:
            person.type("s")
        return True

    person.all(skip)
    assert not person.learner.end()
    assert f"Not learnt, and now without an input: {skipped}." in person.learner.last_line
    assert f'# role = "{skipped}"' in (person.learner.text or "")
    assert learnt(person) == [one for one in wired_as(text, person.wiring) if one["role"] != skipped]
    checked(text, person.learner.text, tmp_path)


@pytest.mark.parametrize("seed", SEEDS)
def test_bells_of_comparators_are_learnt_with_the_level_at_which_they_sound(seed: int, tmp_path: Path) -> None:
    person = Person.at(PULSES, seed)
    person.all()
    assert learnt(person) == wired_as(PULSES, person.wiring)
    checked(PULSES, person.learner.text, tmp_path)


def test_a_resistor_goes_with_its_input() -> None:
    text = (
        '[table]\nid = "t"\ngame = "bagatelle"\n'
        '[[sensor]]\nrole = "cup-1"\nkind = "switch"\nsource = "gpio:17"\nsettle = "99ms"\n'
        '[[sensor]]\nrole = "undo"\nkind = "button"\nsource = "gpio:27"\npull = "down"\nactive = "high"\nhold = "3s"\n'
    )
    person = Person.at(text, 1)
    person.wiring.inputs.update({"cup-1": ("gpio:27",), "undo": ("gpio:17",)})
    person.wiring.high.update({"cup-1": True, "undo": False})
    person.learner.begin(person.levels(), person.now)
    person.all()
    assert person.learner.text == (
        '[[sensor]]\nrole = "cup-1"\nkind = "switch"\nsource = "gpio:27"\npull = "down"\nactive = "high"\nsettle = "99ms"\n\n'
        '[[sensor]]\nrole = "undo"\nkind = "button"\nsource = "gpio:17"\npull = "up"\nactive = "low"\nhold = "3s"'
    )


def test_mixed_up_wiring_is_mixed_up() -> None:
    person = Person.at(config("bagatelle"), 1)
    assert sum(person.wiring.inputs[s.name] != s.channels for s in person.table.sensors) > 10
    assert mixed_up(person.table, person.rng) != person.wiring


SMALL = (
    '[table]\nid = "t"\ngame = "bagatelle"\n'
    '[[sensor]]\nrole = "cup-1"\nkind = "switch"\nsource = "gpio:17"\n'
    '[[sensor]]\nrole = "half-way"\nkind = "beam"\nsource = ["gpio:19", "gpio:26"]\nactive = "high"\n'
    '[[sensor]]\nrole = "undo"\nkind = "button"\nsource = "gpio:27"\n'
)
BELLS = (
    '[table]\nid = "t"\ngame = "fortification"\n[[board]]\nname = "b"\nid = "b"\n'
    '[[sensor]]\nrole = "english-grand-arch"\nkind = "beam"\nsource = "board:b/2"\nactive = "high"\n'
    '[[sensor]]\nrole = "english-grand"\nkind = "bell"\nsource = "board:b/54"\n'
    '[[sensor]]\nrole = "french-grand"\nkind = "bell"\nsource = "board:b/55"\n'
)


def as_written(text: str, *, keys: bool = True) -> Person:
    """A person at a table that is wired as its file says."""
    data = tomllib.loads(text)
    table = TableFile.model_validate(data)
    wiring = Wiring({s.name: s.channels for s in table.sensors}, {s.name: s.active_level == 1 for s in table.sensors})
    return Person.at(text, 1, wiring, keys=keys)


def test_a_bell_rung_by_the_ball_that_crosses_the_arch_is_no_answer_to_either() -> None:
    person = as_written(BELLS)
    person.wait(1)  # what sounds when the sources are opened is nothing
    person.cross("english-grand-arch")
    person.ring("english-grand")
    person.wait(1.0)
    assert "english-grand-arch is board:b/2." in person.said
    person.wait(4)  # that ring dies away, and was before the bell was asked for
    assert person.asked().name == "english-grand"
    person.ring("english-grand")
    person.wait(0.5)
    assert person.asked().name == "english-grand", "a ring is judged first"
    person.wait(1)
    assert "english-grand is board:b/54." in person.said


def test_of_a_bell_that_was_not_rung_well_it_is_told_why() -> None:
    person = as_written(BELLS)
    person.type("s")
    person.ring("english-grand", peak=200, tau=0.02)
    person.wait(3)
    assert person.said[-1] == "board:b/54 was heard, but as a knock: it died at once. Ring the bell itself, and hard."
    person.ring("english-grand", peak=50)
    person.wait(3)
    assert person.said[-1].startswith("board:b/54 was heard, but its peak was ")
    person.ring("english-grand")
    person.wait(3)
    person.ring("english-grand")
    person.wait(3)
    assert person.said[-1] == "board:b/54 is english-grand already."


def test_both_beams_of_a_pair_are_told_by_a_ball_or_one_after_the_other() -> None:
    for rolled in (True, False):
        person = as_written(SMALL)
        person.drop("cup-1")
        person.wait(2)
        if rolled:
            person.cross("half-way")
            person.wait(2)
            assert "half-way is gpio:19 and gpio:26, in the order in which they were broken." in person.said
        else:
            person.press("half-way", end=0)
            person.wait(2)
            assert person.asked().name == "half-way (second beam)"
            person.press("half-way", end=0)
            person.wait(2)
            assert person.said[-1] == "gpio:19 is half-way (first beam) already."
            person.press("half-way", end=1)
            person.wait(2)
        assert person.asked().name == "undo"


def test_beams_of_which_one_goes_low_and_one_high_are_no_pair() -> None:
    person = as_written(SMALL)
    person.type("s")
    person.press("half-way", end=0)
    person.wait(2)
    person.press("undo")  # low, on another input
    person.wait(2)
    assert any("gpio:19 went high and gpio:27 the other way" in said for said in person.said)
    assert person.asked().name == "half-way (first beam)"


def test_a_ball_that_lay_there_from_the_start_is_told_and_does_not_turn_the_level_round() -> None:
    person = as_written(SMALL)
    person.set("cup-1", 1)
    person.wait(1)
    levels = person.levels() | {"gpio:17": 0}
    person.learner.begin(levels, person.now)
    assert "By the table file these are on now: cup-1. If something is there, take it away, then type b." in person.said[-2]
    person.set("cup-1", 0)
    person.type("b")
    person.wait(1)
    person.type("")
    person.drop("cup-1")
    person.wait(2)
    assert person.said[-2] == "cup-1 is gpio:17."


def test_a_wire_that_never_rests_holds_nothing_up_and_is_no_answer() -> None:
    person = as_written(SMALL)
    person.move("undo", 0, [(person.now + n * 50 * 1_000_000, (n + 1) % 2) for n in range(200)])
    person.wait(5)
    assert [said for said in person.said if "never rests" in said] == [
        "gpio:27 never rests: see to its wire. It is left out until it does."
    ]
    person.drop("cup-1")
    person.wait(2)
    assert person.asked().name == "half-way (first beam)"
    person.wait(9)
    assert person.asked().name == "half-way (first beam)"


def test_two_at_once_are_told_apart_by_what_moves_the_second_time() -> None:
    person = as_written(SMALL)
    person.drop("cup-1")
    person.press("undo")
    person.wait(2)
    assert person.said[-1] == "gpio:17, gpio:27 moved at once. Once more, and this one alone."
    person.set("cup-1", 0)
    person.wait(2)
    person.press("half-way", end=0)
    person.wait(2)
    assert person.said[-1] == "That was another one than before. Once more."
    for _ in range(2):
        person.drop("cup-1")
        person.wait(1)
        person.set("cup-1", 0)
        person.wait(1)
    assert "cup-1 is gpio:17." in person.said


def test_the_last_one_can_be_taken_back_too_where_somebody_has_a_keyboard() -> None:
    person = as_written(SMALL)
    person.all()
    assert not person.learner.done
    assert person.said[-1] == "\nAll has been asked for. Enter ends and prints; b takes the last back."
    person.type("b")
    person.type("")
    assert person.asked().name == "undo"
    person.press("undo")
    person.wait(2)
    person.type("")
    assert person.learner.done


def test_without_a_keyboard_it_ends_with_the_last_one() -> None:
    person = as_written(SMALL, keys=False)
    person.all()
    assert person.learner.done


def test_somebody_who_ends_it_early_is_told_what_is_missing() -> None:
    person = as_written(SMALL)
    person.drop("cup-1")
    person.wait(2)
    person.press("half-way", end=0)
    person.wait(2)
    person.type("q")
    assert person.learner.done
    assert person.learner.last_line == "Learnt 1 of 3. Not learnt, and left as in the file: half-way, undo."
    assert as_written(SMALL).learner.last_line == "Learnt 0 of 3. Not learnt: cup-1, half-way, undo. Nothing is printed."


def test_a_reader_is_learnt_by_a_card_that_it_can_use_and_no_other() -> None:
    text = (
        '[table]\nid = "t"\ngame = "maw"\n'
        + "".join(f'[[lines]]\nname = "{side}"\nport = "/dev/serial/by-id/{side}"\n' for side in "ab")
        + '[[sensor]]\nrole = "A-card"\nkind = "reader"\nsource = "lines:b"\nlockout = "3s"\n'
        + '[[sensor]]\nrole = "B-card"\nkind = "reader"\nsource = "lines:a"\n'
    )
    person = as_written(text)
    person.send("lines:a", "Q\ufffd?", person.now)
    person.wait(1)
    assert person.said[-1].startswith("lines:a sent what A-card can't use: ")
    person.send("lines:a", "QH", person.now)
    person.wait(1)
    person.send("lines:a", "QH", person.now)
    person.wait(1)
    assert person.said[-1] == "lines:a is A-card already."
    person.type("b")
    person.send("lines:b", "QH", person.now)
    person.wait(1)
    person.type("")
    assert person.asked().name == "A-card", "while things come to rest nothing is taken"
    person.send("lines:a", "QH", person.now)
    person.wait(1)
    person.send("lines:b", "5S", person.now)
    person.wait(1)
    assert [(item["source"], item.get("lockout")) for item in learnt(person)] == [("lines:a", "3s"), ("lines:b", None)]


def test_a_pair_of_which_one_beam_is_skipped_gives_the_other_free() -> None:
    person = as_written(SMALL)
    person.type("s")
    person.press("half-way", end=0)
    person.wait(2)
    person.type("s")
    assert person.said[-2] == "half-way is skipped."
    person.press("half-way", end=0)
    person.wait(2)
    assert [one["source"] for one in learnt(person)] == ["gpio:17", "gpio:19"]
    person.type("b")
    person.type("")
    person.type("b")
    person.type("")
    assert person.asked().name == "half-way (second beam)"


def test_beams_on_two_boards_are_no_pair() -> None:
    text = SMALL.replace('"gpio:27"', '"board:b/3"') + '[[board]]\nname = "b"\nid = "b"\n'
    person = as_written(text)
    person.type("s")
    person.press("half-way", end=0)
    person.wait(2)
    person.press("undo")
    person.wait(2)
    assert any("gpio:19 and board:b/3 can't be a pair" in said for said in person.said)
    assert person.asked().name == "half-way (first beam)"


def test_a_ball_that_rolls_back_is_no_order() -> None:
    """It breaks the first beam, then the second, and leaves the first one last."""
    person = as_written(SMALL)
    person.drop("cup-1")
    person.wait(2)
    at = person.now
    person.move("half-way", 0, [(at, 1), (at + 200_000_000, 0)])
    person.move("half-way", 1, [(at + 50_000_000, 1), (at + 100_000_000, 0)])
    person.wait(2)
    assert person.said[-1] == "gpio:19, gpio:26 moved at once. Once more, and this one alone."


def test_an_active_level_that_is_not_the_files_is_told() -> None:
    person = as_written(SMALL)
    person.wiring.high["cup-1"] = True
    person.learner.begin(person.levels(), person.now)
    person.drop("cup-1")
    person.wait(2)
    assert "cup-1 is gpio:17. It is on when high; the file says when low." in person.said

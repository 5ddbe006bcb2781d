"""The wheel works outside the tree: with what it carries, and nothing else of ours."""

from __future__ import annotations

import json
import os
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = [pytest.mark.wheel, pytest.mark.slow, pytest.mark.timeout(600)]


def run(*command: str | Path, cwd: Path, given: str | None = None) -> subprocess.CompletedProcess[str]:
    # Without what this process knows of the tree.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, input=given)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, as an index would."""
    out = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a fresh environment with the wheel: in CI with all it asks for, else beside the packages that are here."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(place, with_pip=True)
    pip = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if os.environ.get("CI") == "true":
        done = run(*pip, f"{wheel}[demo]", cwd=place)
    else:
        done = run(*pip, "--no-deps", wheel, cwd=place)
        (packages,) = place.glob("lib/python*/site-packages")
        (packages / "borrowed.pth").write_text("\n".join(site.getsitepackages()))
    assert done.returncode == 0, done.stderr
    return place / "bin"


def test_the_wheel_carries_code_rule_books_examples_pages_and_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"controller", "hardware", "firmware_bridge"}
    wanted = {f"{package}/py.typed" for package in ("controller", "hardware", "firmware_bridge")}
    wanted |= {f"controller/_data/config/{path.name}" for path in (ROOT / "config").glob("*.toml")}
    wanted |= {f"controller/_data/seeds/{path.name}" for path in (ROOT / "seeds").glob("*.md")}
    for folder in ("controller/web/static", "firmware_bridge/firmware"):
        wanted |= {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert wanted - names == set()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_it_tells_its_version(installed: Path, tmp_path: Path) -> None:
    done = run(installed / "tablemarker", "--version", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("tablemarker 0.")
    assert run(installed / "python", "-m", "controller", "--version", cwd=tmp_path).stdout == done.stdout


def test_it_scores_a_transcript(installed: Path, tmp_path: Path) -> None:
    lines = (
        {"event": "game", "game": "bagatelle"},
        {
            "event": "shot",
            "ball": "white-1",
            "hit_black": True,
            "moves": [{"ball": "white-1", "to": "cup-5"}, {"ball": "black", "to": "cup-9"}],
        },
        {"event": "end_turn"},
    )
    done = run(installed / "tablemarker", "score", cwd=tmp_path, given="".join(json.dumps(line) + "\n" for line in lines))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[-1])["score"] == {"A": 23, "B": 0}


def test_its_own_examples_check_clean(installed: Path, tmp_path: Path) -> None:
    where = run(installed / "python", "-c", "from controller.resources import folder; print(folder('config'))", cwd=tmp_path)
    examples = sorted(Path(where.stdout.strip()).glob("*.toml"))
    assert [path.name for path in examples] == sorted(path.name for path in (ROOT / "config").glob("*.toml"))
    assert not any(path.is_relative_to(ROOT) for path in examples)
    for path in examples:
        done = run(installed / "tablemarker", "check", path, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")


def test_its_demo_plays_a_game_to_its_end(installed: Path, tmp_path: Path) -> None:
    demo = [
        installed / "tablemarker",
        "demo",
        "bagatelle",
        "--once",
        "--speed",
        "1000",
        "--seed",
        "7",
        "--port",
        "0",
        "--mqtt-port",
        "0",
    ]
    done = run(*demo, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("bagatelle: Player A ")
    assert run(*demo, cwd=tmp_path).stdout == done.stdout

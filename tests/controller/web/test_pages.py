from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from controller.resources import folder
from controller.web.assets import Assets
from controller.web.server import ScoreServer
from tests.browser_kit import address, bagatelle

Serve = Callable[..., ScoreServer]
STATIC = folder("static")


def test_the_page_is_asked_for_each_time_and_its_files_are_kept_for_ever(server: ScoreServer) -> None:
    page = httpx.get(address(server))
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    files = re.findall(r'(?:href|src)="(/[^"]+)"', page.text)
    assert len(files) >= 4
    for path in files:
        answer = httpx.get(address(server, path))
        assert answer.status_code == 200, path
        assert "immutable" in answer.headers["cache-control"]
    assert 'content="' + Assets().version + '"' in page.text


def test_a_version_that_is_gone_is_not_found_and_not_kept(server: ScoreServer) -> None:
    answer = httpx.get(address(server, "/static/000000000000/main.js"))
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "index.html", "nothing.js", ""])
def test_nothing_but_its_files_is_served(server: ScoreServer, name: str) -> None:
    assert httpx.get(address(server, f"/static/{Assets().version}/{name}")).status_code == 404


def test_the_version_changes_with_any_file(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    first = Assets(tmp_path).version
    assert Assets(tmp_path).version == first
    (tmp_path / "a.js").write_text("2")
    assert Assets(tmp_path).version != first


@pytest.mark.parametrize("path", ["/", "/api/score", "/api/rules/bagatelle", "/healthz", "/nothing", "/api/command"])
def test_every_answer_is_under_strict_headers(server: ScoreServer, path: str) -> None:
    headers = httpx.get(address(server, path)).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_before_the_first_state_the_table_is_starting(server: ScoreServer) -> None:
    assert httpx.get(address(server, "/api/score")).status_code == 503
    assert httpx.get(address(server, "/healthz")).json() == {"ok": False, "revision": None, "viewers": 0}
    server.offer(bagatelle(5))
    assert httpx.get(address(server, "/api/score")).json()["revision"] == 5
    assert httpx.get(address(server, "/healthz")).json() == {"ok": True, "revision": 5, "viewers": 0}


def test_the_rules_are_given_in_words(server: ScoreServer) -> None:
    assert httpx.get(address(server, "/api/rules/bagatelle")).json()["BAG-12"] == "The black counts double."
    assert httpx.get(address(server, "/api/rules/chess")).status_code == 404


def files(*endings: str) -> list[Path]:
    return [path for path in STATIC.rglob("*") if path.suffix in endings]


@pytest.mark.parametrize("path", files(".js", ".css", ".html"), ids=lambda path: path.name)
def test_no_file_names_another_server(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"https?://|url\((?!\"#)|@import|//[\w.]+\.\w+/", text) == []


def test_every_text_that_is_used_is_in_the_catalogue_and_every_text_there_is_used() -> None:
    catalogue = (STATIC / "texts.js").read_text(encoding="utf-8")
    body = catalogue[catalogue.index("en: {") : catalogue.index("};")]
    known = set(re.findall(r"^    (\w+):", body, re.MULTILINE))
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in files(".js") if path.name != "texts.js")
    used = {name.split(".")[0] for name in re.findall(r'\bt\([`"]([\w.]+)', scripts)}
    used |= set(re.findall(r'\bt\([^)"`]*\? "(\w+)" : "\w+"', scripts)) | set(
        re.findall(r'\bt\([^)"`]*\? "\w+" : "(\w+)"', scripts)
    )
    assert used <= known
    assert known <= used


def test_no_script_writes_markup_or_runs_text() -> None:
    for path in files(".js"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text) == [], path.name

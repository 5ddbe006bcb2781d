from __future__ import annotations

from pathlib import Path

import pytest

from controller.resources import ResourceMissing, folder, resource

ROOT = Path(__file__).resolve().parents[1]


def test_in_a_checkout_they_are_those_at_the_top() -> None:
    assert folder("config") == ROOT / "config"
    assert folder("seeds") == ROOT / "seeds"
    assert resource("config", "bagatelle.toml") == ROOT / "config" / "bagatelle.toml"
    assert resource("static", "index.html").is_file()


def test_in_a_wheel_they_are_inside_the_package(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "controller"
    (package / "_data" / "config").mkdir(parents=True)
    (tmp_path / "site-packages" / "config").mkdir()  # somebody else's
    assert folder("config", package) == package / "_data" / "config"


def test_what_is_missing_is_named_with_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match=rf"folder seeds is missing; looked for {tmp_path}/_data/seeds and .*install"):
        folder("seeds", tmp_path)


def test_a_wrong_name_gets_the_nearest_right_one() -> None:
    with pytest.raises(ResourceMissing, match=r"no bagatele\.toml in .*config; did you mean 'bagatelle\.toml'"):
        resource("config", "bagatele.toml")

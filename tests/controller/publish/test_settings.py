from __future__ import annotations

from pathlib import Path

import pytest

from controller.publish.settings import MqttMisuse, MqttSettings, Tls, read_secret


def test_commands_want_an_account_or_a_token() -> None:
    with pytest.raises(MqttMisuse, match="username and password_file, or token_file"):
        MqttSettings("broker", 1883, "tm", commands=True)
    assert MqttSettings("broker", 1883, "tm", commands=True, username="bar").commands
    assert MqttSettings("broker", 1883, "tm", commands=True, token="a-token-of-16-chars").commands


def test_a_token_that_can_be_guessed() -> None:
    with pytest.raises(MqttMisuse, match="has 4 characters; use 16 or more"):
        MqttSettings("broker", 1883, "tm", commands=True, token="1234")


def test_secrets_are_never_shown() -> None:
    shown = repr(MqttSettings("broker", 1883, "tm", username="bar", password="opensesame", token="a-token-of-16-chars"))
    assert "opensesame" not in shown
    assert "a-token" not in shown


@pytest.mark.parametrize("seconds", [0, 31])
def test_keepalive_is_short_enough_to_notice_a_power_cut(seconds: int) -> None:
    with pytest.raises(MqttMisuse, match=f"from 1 to 30 seconds, not {seconds}"):
        MqttSettings("broker", 1883, "tm", keepalive=seconds)


@pytest.mark.parametrize(("host", "shown"), [("broker", "broker:1883"), ("::1", "[::1]:1883")])
def test_the_address_as_people_write_it(host: str, shown: str) -> None:
    assert MqttSettings(host, 1883, "tm").address == shown


def test_a_secret_is_the_first_line_of_a_file_or_comes_from_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("opensesame\n")
    assert read_secret("password", file, None, {}) == "opensesame"
    assert read_secret("password", file, "MQTT_PASSWORD", {"MQTT_PASSWORD": "from-there"}) == "from-there"
    assert read_secret("password", None, None, {}) is None


def test_a_secret_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MqttMisuse, match="MQTT_PASSWORD isn't set there"):
        read_secret("password", None, "MQTT_PASSWORD", {})
    with pytest.raises(MqttMisuse, match="/dev/zero can't be read: File too large"):
        read_secret("token", Path("/dev/zero"), None, {})
    with pytest.raises(MqttMisuse, match=r"missing can't be read: No such file"):
        read_secret("password", tmp_path / "missing", None, {})
    (tmp_path / "empty").write_text("")
    with pytest.raises(MqttMisuse, match=r"empty should hold the password in its first line"):
        read_secret("password", tmp_path / "empty", None, {})
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(MqttMisuse, match=r"binary isn't a text in UTF-8"):
        read_secret("password", tmp_path / "binary", None, {})


def test_certificates_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(MqttMisuse, match=r"ca\.pem holds no certificate"):
        Tls(ca_file=tmp_path / "ca.pem").context()
    with pytest.raises(MqttMisuse, match=r"key\.pem can't be read"):
        Tls(cert_file=tmp_path / "ca.pem", key_file=tmp_path / "key.pem").context()
    with pytest.raises(MqttMisuse, match=r"ca\.pem and its key can't be used"):
        Tls(cert_file=tmp_path / "ca.pem", key_file=tmp_path / "ca.pem").context()

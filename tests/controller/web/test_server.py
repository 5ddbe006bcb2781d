from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable

import httpx
import pytest
from pytest_mock import MockerFixture

from controller.web.errors import PortRefused, PortTaken, WebError
from controller.web.server import ScoreServer
from tests.browser_kit import address, make_server

Serve = Callable[..., ScoreServer]


def test_port_nought_takes_any_free_one(server: ScoreServer) -> None:
    assert server.port > 0
    assert httpx.get(address(server)).status_code == 200


def test_a_port_that_is_taken_is_named_with_the_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortTaken) as error:
            make_server(port).start()
    assert str(error.value) == (
        f"port {port} on 127.0.0.1 is taken by another program: "
        f"stop it (`ss -ltnp 'sport = :{port}'` names it) or choose another port"
    )


def test_a_port_that_this_user_may_not_open(mocker: MockerFixture) -> None:
    mocker.patch.object(socket.socket, "bind", side_effect=PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    with pytest.raises(PortRefused, match=r"port 80 on 127\.0\.0\.1 is not open to this user: choose a port of 1024 or more"):
        make_server(80).start()


def test_any_other_reason_is_given_as_the_system_says_it(mocker: MockerFixture) -> None:
    mocker.patch.object(socket.socket, "listen", side_effect=OSError(errno.ENOBUFS, os.strerror(errno.ENOBUFS)))
    with pytest.raises(WebError, match="can't be served: No buffer space available"):
        make_server().start()


@pytest.mark.parametrize("host", ["203.0.113.7", "not a host"])
def test_an_address_that_is_not_this_machines(host: str) -> None:
    server = ScoreServer(host, 0, wall=str)
    with pytest.raises(WebError, match=r"0\.0\.0\.0"):
        server.start()


def test_stopping_twice_or_before_the_start_is_no_fault(serve: Serve) -> None:
    make_server().stop()
    server = serve()
    server.stop()
    server.stop()


def test_it_can_be_started_again_on_its_port(serve: Serve) -> None:
    server = serve()
    port = server.port
    server.stop()
    server.start()
    assert server.port == port
    assert httpx.get(address(server)).status_code == 200

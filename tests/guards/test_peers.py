"""Whose the other end of a loopback connection is."""

import socket
import sys
from collections.abc import Iterator

import pytest

from biblicus.guards.network.addresses import is_own_user

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture(params=["127.0.0.1", "::1"])
def connected(request: pytest.FixtureRequest) -> Iterator[Pair]:
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    try:
        listening = socket.create_server((request.param, 0), family=family)
    except OSError:
        pytest.skip(f"{request.param} is not there")
    with listening, socket.create_connection(listening.getsockname()[:2]) as client:
        yield client, listening.accept()[0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists it")
def test_a_connection_of_this_user_is_its_own(connected: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    client, server = connected
    ends = client.getsockname()[:2], server.getsockname()[:2]

    assert is_own_user(*ends) is True
    monkeypatch.setattr("biblicus.guards.network.addresses.user_id", lambda: 4_242)
    assert is_own_user(*ends) is False


def test_of_a_connection_that_is_not_listed_nothing_is_said(connected: Pair) -> None:
    _, server = connected

    assert is_own_user(("127.0.0.1", 1), server.getsockname()[:2]) is None
    assert is_own_user(("nowhere", 1), ("nowhere", 2)) is None

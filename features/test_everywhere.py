from collections.abc import Iterator

import pytest
from pytest_bdd import scenarios

from biblicus.contracts import Call
from biblicus.service import daemon
from features.surfaces import CommandLine, Daemon, Http, Python, Surface

pytestmark = pytest.mark.usefixtures("surface")


@pytest.fixture(scope="module")
def running_daemon(home: object) -> Iterator[None]:
    daemon.start(Call())
    yield
    daemon.stop(Call())


@pytest.fixture(params=["python", "cli", "daemon", "http"])
def surface(request: pytest.FixtureRequest, command_line: CommandLine) -> Surface:
    """Every way to ask."""
    if request.param == "daemon":
        request.getfixturevalue("running_daemon")
        return Daemon(command_line)
    if request.param == "http":
        return Http(command_line)
    return Python() if request.param == "python" else command_line


scenarios("hosting/everywhere.feature")

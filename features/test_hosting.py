import pytest
from pytest_bdd import scenarios

from features.surfaces import CommandLine


@pytest.fixture
def surface(command_line: CommandLine, own_daemon: None) -> CommandLine:
    """Commands alone."""
    return command_line


scenarios("hosting/daemon.feature", "hosting/places.feature")

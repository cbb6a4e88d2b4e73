import pytest
from pytest_bdd import scenarios

from features.surfaces import CommandLine


@pytest.fixture
def surface(command_line: CommandLine) -> CommandLine:
    """What leads to a scenario is typed; what it is about is asked over HTTP."""
    return command_line


scenarios("hosting/service.feature")

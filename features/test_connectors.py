import pytest
from pytest_bdd import scenarios

from features.surfaces import CommandLine


@pytest.fixture
def surface(command_line: CommandLine) -> CommandLine:
    """Commands alone."""
    return command_line


scenarios("connectors")

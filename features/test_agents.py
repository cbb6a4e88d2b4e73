import pytest
from pytest_bdd import scenarios

from features.agents import Agent


@pytest.fixture
def surface() -> Agent:
    """The tools of the MCP server."""
    return Agent()


scenarios("hosting/agents.feature")

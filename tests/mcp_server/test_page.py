"""docs/mcp.md: its configurations are valid, start what there is, and its tables are those of the tools."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus.connectors.mcp.tools import TOOLS
from tests.docs.console import blocks
from tools import cli_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "mcp.md"
TABLES = ("mcpServers", "servers", "context_servers", "mcp_servers")
COMMAND = dict(cli_page.commands())["mcp"]


def documents() -> list[dict[str, Any]]:
    return [*map(json.loads, blocks(PAGE, "json")), *map(tomllib.loads, blocks(PAGE, "toml"))]


def servers() -> Iterator[dict[str, Any]]:
    for document in documents():
        (table,) = (document[name] for name in TABLES if name in document)
        yield from table.values()


def test_there_is_a_configuration_of_every_form():
    assert {name for document in documents() for name in document if name in TABLES} == set(TABLES)


@pytest.mark.parametrize("server", list(servers()), ids=str)
def test_a_configuration_starts_what_there_is_or_names_an_address(server: dict[str, Any]):
    if "url" in server:
        assert server["url"].endswith("/mcp")
        assert server.get("type", "http") == "http"
        return
    assert server["command"] == "biblicus"
    name, *words = server["args"]
    assert name == "mcp"
    COMMAND.make_context("mcp", list(words), help_option_names=["-h", "--help"])  # as below the whole, which is kept
    assert server.keys() <= {"type", "command", "args", "env"}


def test_the_table_has_every_tool_with_its_parameters():
    filters = {"toolkit", "tag", "where", "path"}
    text = PAGE.read_text("utf-8")
    for tool in TOOLS:
        (row,) = re.findall(rf"^\| `{tool.name}` \|[^|]*\|([^|]*)\|$", text, re.MULTILINE)
        shown = set(re.findall(r"`([a-z_0-9]+)`", row)) | (filters if "filters" in row else set())
        properties = tool.listed().input_schema["properties"]
        assert shown == properties.keys() - {"corpus"}, tool.name
        for name in shown:
            default = properties[name].get("default")
            if isinstance(default, int) and not isinstance(default, bool):
                assert f"`{name}` ({default:,})" in row

"""What the tools say of themselves, and what an agent pays for it."""

import json
from pathlib import Path

import jsonschema
import pytest
from mcp import Client, types

from biblicus.connectors.mcp import parameters, tools
from biblicus.connectors.mcp.parameters import names_of
from biblicus.connectors.mcp.server import INSTRUCTIONS
from biblicus.connectors.mcp.tools import TOOLS, Tool
from biblicus.errors import UsageError
from biblicus.models.requests.query import FILTERS
from biblicus.service.verbs import Scope
from biblicus.text.tokens import estimate
from tests.mcp_server.conftest import Served, said

PINNED = Path(__file__).with_name("tools.json")
EVERYTHING: frozenset[Scope] = frozenset({"read", "ingest"})
READS = ["query", "answer", "get", "list", "tree", "stats"]


def shown(listed: list[types.Tool]) -> list[dict[str, object]]:
    return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in listed]


def test_the_tools_are_those_that_were_read_and_approved():
    """Whoever changes a word that every agent reads, changes it here too: python -m tests.mcp_server.test_tools."""
    pinned = json.loads(PINNED.read_text("utf-8"))
    assert {"instructions": INSTRUCTIONS, "tools": shown(tools.listed(EVERYTHING))} == pinned


def test_what_tools_take_is_described_once(monkeypatch: pytest.MonkeyPatch):
    scopes: list[Scope] = ["read", "ingest"]
    before = tools.listed(scopes)
    monkeypatch.setattr(parameters, "adapter", lambda kind: pytest.fail(f"{kind} is described anew"))
    assert tools.listed(scopes) == before


@pytest.mark.parametrize(("ingest", "most"), [(True, 1_500), (False, 1_100)])
def test_the_list_of_tools_is_cheap(folder: Path, ingest: bool, most: int):
    async def heard(client: Client) -> int:
        return estimate((await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True))

    assert Served([str(folder)], ingest=ingest).talk(heard) <= most


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_only_who_may_ingest_is_shown_how(folder: Path, mode: str):
    async def names(client: Client) -> list[str]:
        return [tool.name.removeprefix("knowledge_base_") for tool in (await client.list_tools()).tools]

    assert Served([str(folder)], mode=mode).talk(names) == READS
    assert Served([str(folder)], ingest=True, mode=mode).talk(names) == [*READS, "ingest", "weight", "reindex"]


@pytest.mark.parametrize("tool", tools.listed(EVERYTHING), ids=lambda tool: tool.name)
def test_a_tool_has_all_four_hints_and_valid_schemas(tool: types.Tool):
    hints = tool.annotations
    assert hints is not None
    four = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
    assert all(isinstance(hint, bool) for hint in four)
    for schema in (tool.input_schema, tool.output_schema):
        jsonschema.Draft202012Validator.check_schema(schema)
    kinds = {entry.get("type", "enum") for entry in tool.input_schema["properties"].values()}
    assert kinds <= {"string", "integer", "number", "boolean", "array", "enum"}, "parameters are flat"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_table_fits_the_verbs(tool: Tool):
    """What is shown exists; what a request can say can be said here, or the table says why not."""
    fields, own = names_of(tool.verb.request), names_of(tool.own)
    shown = tool.shown.keys()
    assert shown <= fields | own
    assert tool.defaults.keys() <= shown & fields
    by_name = set(FILTERS) if "where" in shown else set()
    assert fields - shown - by_name == tool.without.keys()
    assert all(tool.without.values())
    assert tool.listed().input_schema["properties"].keys() == shown


@pytest.mark.parametrize("name", [name for name in FILTERS if name != "where"])
def test_where_takes_every_filter_by_name(name: str):
    value = {"doctype": "paper", "since": "2026-05", "until": "2026", "hash": f"sha256:{'a' * 64}"}.get(name, "a")
    _, request = tools.BY_NAME["knowledge_base_list"].read({"where": [f"{name}={value}", "keeper=Ada"]})
    assert getattr(request, name) in (value, (value,))
    assert request.where == {"keeper": "Ada"}


def test_null_is_as_good_as_nothing_and_an_unknown_name_is_refused():
    """Clients send null for what they leave out."""
    tool = tools.BY_NAME["knowledge_base_weight"]
    assert tool.read({"target": "a.txt", "namespace": None, "corpus": None}) == tool.read({"target": "a.txt"})
    with pytest.raises(UsageError, match='unknown key "max_tokens"'):
        tools.BY_NAME["knowledge_base_query"].read({"query": "moon", "max_tokens": 9})


CALLS = [
    ("query", {"query": "moon"}),
    ("query", {"query": "moon", "detail": "full"}),
    ("get", {"items": ["tides.md", "nothing"]}),
    ("list", {"detail": "full"}),
    ("tree", {}),
    ("stats", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_structured_content_fits_its_schema_and_stands_as_text_too(reader: Served, tool: str, arguments: dict):
    result = reader.call(tool, **arguments)
    assert json.loads(said(result)) == result.structured_content
    jsonschema.validate(result.structured_content, tools.BY_NAME[f"knowledge_base_{tool}"].listed().output_schema)


if __name__ == "__main__":
    document = {"instructions": INSTRUCTIONS, "tools": shown(tools.listed(EVERYTHING))}
    PINNED.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")

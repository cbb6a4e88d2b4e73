"""What is published for clients (registry, plug-in, skill, the blocks on the page) starts what it says."""

import asyncio
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from biblicus import Corpus
from tests.docs.console import blocks
from tests.folders import corpus_of
from tests.front_door import biblicus
from tests.mcp_server.test_page import PAGE, servers
from tests.mcp_server.test_transports import command, environment
from tests.sampling import some

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REGISTRY = json.loads((ROOT / "server.json").read_text("utf-8"))
PLUGIN = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text("utf-8"))
MARKETPLACE = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
SKILL = ROOT / "skills" / "biblicus" / "SKILL.md"
OLDER = ("2025-03-26", "2025-06-18", "2025-11-25")
NEWER = "2026-07-28"


def commands() -> Iterator[tuple[str, list[str]]]:
    """The arguments of `biblicus mcp`, by where they are published."""
    for number, server in enumerate(servers()):
        if "command" in server:
            assert server["command"] == "biblicus"
            yield f"{PAGE.name} {number}", server["args"]
    server = PLUGIN["mcpServers"]["biblicus"]
    assert server["command"] == "uvx"
    assert server["args"][:3] == ["--from", f"{PROJECT['name']}[mcp]", "biblicus"]
    yield "plugin.json", server["args"][3:]
    (package,) = REGISTRY["packages"]
    yield "server.json", [argument.get("value", "/home/ada/notes") for argument in package["packageArguments"]]


@pytest.fixture(scope="module")
def notes(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ada") / "notes"
    shutil.copytree(ROOT / "examples" / "harbour", folder)
    return corpus_of(folder, {})


def forms() -> dict[tuple[str, ...], str]:
    """The different ones among these arguments, whatever the folder, with all the places where they are published."""
    found: dict[tuple[str, ...], str] = {}
    for where, words in commands():
        folder = r"(?:/home/ada|\$\{workspaceFolder\}|/)(?:/notes|/manuals|manuals|)$"
        form = tuple(re.sub(folder, "NOTES", word) for word in words)
        found[form] = f"{found[form]}, {where}" if form in found else where
    return found


@pytest.mark.parametrize("words", [pytest.param(words, id=where) for words, where in some(forms().items(), 3)])
def test_what_is_published_starts_a_server(notes: Path, words: tuple[str, ...]):
    here = [word.replace("NOTES", str(notes)) for word in words]
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "biblicus", *here], env=environment(), cwd=str(notes)
    )

    async def conversation() -> tuple[str | None, list[str]]:
        async with Client(started) as client:
            return client.protocol_version, [tool.name for tool in (await client.list_tools()).tools]

    version, tools = asyncio.run(conversation())
    assert version == NEWER
    assert "knowledge_base_query" in tools
    assert ("knowledge_base_ingest" in tools) is ("--allow-ingest" in words)


@pytest.mark.parametrize("version", some(OLDER, 3))
def test_a_client_of_an_older_revision_is_answered_in_it(notes: Path, version: str):
    opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    lines = "".join(f"{json.dumps(message)}\n" for message in asked)
    ended = subprocess.run(
        command(str(notes)), input=lines.encode(), capture_output=True, env=environment(), check=True
    )
    answers = {answer["id"]: answer["result"] for answer in map(json.loads, ended.stdout.splitlines())}
    assert answers[1]["protocolVersion"] == version
    assert "knowledge_base_query" in [tool["name"] for tool in answers[2]["tools"]]


def test_the_registrys_entry_is_of_this_package_and_this_version():
    (package,) = REGISTRY["packages"]
    assert (package["identifier"], package["registryType"], package["transport"]) == (
        PROJECT["name"], "pypi", {"type": "stdio"},
    )  # fmt: skip
    assert {REGISTRY["version"], package["version"], PLUGIN["version"]} == {PROJECT["version"]}
    assert len(REGISTRY["description"]) <= 100
    (needed,) = PROJECT["optional-dependencies"]["mcp"]
    assert [(argument["name"], argument["value"]) for argument in package["runtimeArguments"]] == [("--with", needed)]
    assert f"<!-- mcp-name: {REGISTRY['name']} -->" in (ROOT / "README.md").read_text("utf-8")
    assert PROJECT["name"] in PROJECT["scripts"]  # what `uvx biblicus-corpus` starts


def test_the_marketplace_offers_the_plugin():
    assert [(entry["name"], entry["source"]) for entry in MARKETPLACE["plugins"]] == [(PLUGIN["name"], "./")]
    _, head, _ = SKILL.read_text("utf-8").split("---\n", 2)
    about = yaml.safe_load(head)
    assert about.keys() == {"name", "description"}
    assert about["name"] == SKILL.parent.name
    assert len(about["description"]) <= 1024


def skill_commands() -> list[str]:
    return [line for block in blocks(SKILL, "sh") for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("line", skill_commands())
def test_a_command_of_the_skill_runs(notes: Path, monkeypatch: pytest.MonkeyPatch, line: str):
    monkeypatch.chdir(notes)
    program, *words = shlex.split(line)
    assert program == "biblicus"
    assert biblicus(words) == 0


def test_the_skills_way_to_cite_is_proved(notes: Path, tmp_path: Path):
    text = re.sub(r"^ {4}", "", SKILL.read_text("utf-8"), flags=re.MULTILINE)
    (tmp_path / "skill.md").write_text(text.replace("`", ""), "utf-8")
    with Corpus.open(notes) as corpus:
        outcome: Any = corpus.verify_citations(tmp_path / "skill.md")
    assert outcome.counts == {"ok": 2}

"""Real processes and sockets: the SDK's client over standard input and output and over HTTP, and the inspector."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types
from mcp.client.stdio import StdioServerParameters

from biblicus import Corpus
from biblicus.models.plain import plain
from tests.mcp_server.conftest import told
from tests.sampling import some

ROOT = Path(__file__).resolve().parents[2]

OPENING = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "biblicus", "mcp", *words]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def talk(talked: Callable[[Client], Coroutine[Any, Any, Any]], *words: str, mode: str = "auto") -> Any:
    async def conversation() -> Any:
        program, *arguments = command(*words)
        started = StdioServerParameters(command=program, args=arguments, env=environment())
        async with Client(started, mode=mode) as client:
            return await talked(client)

    return asyncio.run(conversation())


@pytest.mark.parametrize("mode", some(["legacy", "auto"], 2))
def test_a_client_over_standard_input_and_output_gets_the_same_evidence(folder: Path, mode: str):
    async def talked(client: Client) -> tuple[list[str], dict[str, Any], str]:
        names = [tool.name for tool in (await client.list_tools()).tools]
        asked = {"query": "moon", "detail": "full", "limit": 3}
        found = await client.call_tool("knowledge_base_query", asked)
        text = (await client.read_resource("biblicus://harbour/item/tides.md#lines=1-1")).contents[0]
        assert isinstance(text, types.TextResourceContents)
        return names, told(found), text.text

    names, found, text = talk(talked, str(folder), mode=mode)
    with Corpus.open(folder) as corpus:
        expected = plain(corpus.query("moon", limit=3))
    assert found["evidence"] == expected["evidence"]
    assert "knowledge_base_ingest" not in names
    assert text == "# Tides\n"


def test_standard_output_carries_the_protocol_alone(folder: Path):
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": OPENING},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    lines = "".join(json.dumps(one) + "\n" for one in sent) + "this is no JSON\n"
    with subprocess.Popen(
        command(str(folder)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines.encode())
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(3)]
        process.stdin.close()
        rest = process.stdout.read()
        assert process.wait(60) == 0
    assert {answer["id"] for answer in answers} == {1, 2, None}
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())


def exchanged(folder: Path, *lines: str) -> list[dict[str, Any]]:
    """What comes back for these lines, of a client that closes its side at once."""
    opened = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": OPENING},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    sent = "".join(f"{line}\n" for line in (*map(json.dumps, opened), *lines))
    ended = subprocess.run(command(str(folder)), input=sent.encode(), capture_output=True, env=environment())
    assert ended.returncode == 0, ended.stderr
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [answer["id"] for answer in answers if answer["id"] == 1] == [1]
    return [answer for answer in answers if answer["id"] != 1]


def calling(number: int, query: str) -> str:
    arguments = f'{{"name": "knowledge_base_query", "arguments": {{"query": "{query}"}}}}'
    return f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {arguments}}}'


NO_MESSAGES = (
    (calling(2, "\\ud800 moon"), 2, -32600, "half a character"),
    ("this is no JSON", None, -32700, "no JSON"),
    ('{"jsonrpc": "2.0", "id": "a", "method": 3}', "a", -32600, "JSON-RPC 2.0"),
    ("[" * 5_000, None, -32700, "no JSON"),
    ("[]", None, -32600, "JSON-RPC 2.0"),
)


def test_who_closes_early_gets_every_answer_though_much_is_no_message_and_one_is_taken_back(folder: Path):
    nexts = range(9, 9 + len(NO_MESSAGES))
    taken_back = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}
    sent = [calling(3, "moon"), json.dumps(taken_back)]
    for (line, *_), following in zip(NO_MESSAGES, nexts, strict=True):
        sent += [line, calling(following, "moon")]
    answers = exchanged(folder, *sent)
    answered = {answer["id"]: answer["result"] for answer in answers if "result" in answer and answer["id"] != 3}
    assert answered.keys() == {*nexts}
    assert all(result["structuredContent"]["evidence"] for result in answered.values())
    refused = [(answer["id"], answer["error"]) for answer in answers if "error" in answer and answer["id"] != 3]
    assert len(refused) == len(NO_MESSAGES)
    for line, number, code, words in NO_MESSAGES:
        told = [error for own, error in refused if own == number and error["code"] == code]
        assert any(words in error["message"] for error in told), line


@pytest.mark.parametrize("asked", [False, True])
def test_what_answers_need_is_loaded_with_the_first_question(folder: Path, asked: bool):
    sent: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": OPENING},
        {"method": "notifications/initialized"},
    ]
    question = {"name": "knowledge_base_query", "arguments": {"query": "moon"}}
    sent += [{"id": 2, "method": "tools/call", "params": question}] if asked else []
    program, *words = command(str(folder))
    with subprocess.Popen(
        [program, "-X", "importtime", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in sent).encode())
        process.stdin.flush()
        for _ in range(2 if asked else 1):
            assert "result" in json.loads(process.stdout.readline())
        _, imported = process.communicate()
    for name in (b"tantivy", b"biblicus.search.searcher"):
        assert (name in imported) is asked, name


def test_a_message_may_be_long(tmp_path: Path):
    Corpus.init(tmp_path / "long").close()
    text = "The moon pulls the sea.\n" * 40_000

    async def talked(client: Client) -> Any:
        added = await client.call_tool("knowledge_base_ingest", {"text": text, "title": "Long", "source": "log:long"})
        path = told(added)["path"]
        found = await client.read_resource(f"biblicus://long/item/{path}#span=900000-900023")
        return found.contents[0]

    assert talk(talked, str(tmp_path / "long"), "--allow-ingest").text == text[900_000:900_023]


STRAY = """
import os, sys
from biblicus.connectors.mcp.stdio import claimed
with claimed() as (source, target):
    print("stray", flush=True)
    os.write(target, b"protocol")
    assert sys.stdin.read() == ""
    assert os.read(source, 9) == b"a message"
print(" after")
"""


def test_what_a_library_prints_or_reads_is_kept_off_the_line():
    ended = subprocess.run([sys.executable, "-c", STRAY], input=b"a message", capture_output=True, env=environment())
    assert (ended.stdout, ended.stderr) == (b"protocol after\n", b"stray\n")


def test_input_from_a_file_is_served_too(folder: Path, tmp_path: Path):
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    (tmp_path / "messages").write_text(json.dumps(ping) + "\n")
    with (tmp_path / "messages").open("rb") as messages:
        ended = subprocess.run(
            command(str(folder)), stdin=messages, capture_output=True, env=environment(), timeout=120
        )
    assert ended.returncode == 0
    assert [json.loads(line)["id"] for line in ended.stdout.splitlines()] == [1]


def test_no_corpus_is_one_line_and_its_exit_code(tmp_path: Path):
    ended = subprocess.run(
        command(str(tmp_path)), input=b"", capture_output=True, env=environment(), check=False, timeout=120
    )
    assert (ended.returncode, ended.stdout) == (3, b"")
    assert ended.stderr.decode().count("\n") == 1


def inspector() -> str:
    """The inspector's command: of BIBLICUS_INSPECTOR, the one that `make test` installs, or that of the path."""
    installed = ROOT / ".venv" / "inspector" / "node_modules" / ".bin" / "mcp-inspector"
    found = os.environ.get("BIBLICUS_INSPECTOR") or (installed if installed.exists() else shutil.which("mcp-inspector"))
    if not found or not shutil.which("node"):
        pytest.skip("no mcp-inspector here: npm install -g @modelcontextprotocol/inspector, or set BIBLICUS_INSPECTOR")
    return str(found)


def inspected(folder: Path, *words: str) -> Any:
    """Its one document. It hands a server nothing of its environment but what it is told to."""
    kept = {name: value for name, value in environment().items() if name.startswith(("BIBLICUS_", "PYTHONPATH"))}
    passed = [word for name, value in kept.items() for word in ("-e", f"{name}={value}")]
    ended = subprocess.run(
        [inspector(), "--cli", *passed, *command(str(folder)), *words],
        capture_output=True,
        env=environment(),
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr.decode()
    return json.loads(ended.stdout)


@pytest.mark.long
def test_the_inspector_lists_the_tools(folder: Path):
    names = [tool["name"] for tool in inspected(folder, "--method", "tools/list")["tools"]]
    assert names == [f"knowledge_base_{name}" for name in ("query", "answer", "get", "list", "tree", "stats")]


def test_the_inspector_asks(folder: Path):
    asked = ["--method", "tools/call", "--tool-name", "knowledge_base_query", "--tool-arg", "query=winch"]
    found = inspected(folder, *asked)["structuredContent"]
    assert found["evidence"][0]["path"] == "notes/winch.txt"


@pytest.mark.long
def test_the_inspector_reads(folder: Path):
    address = "biblicus://harbour/item/notes/winch.txt#lines=1-1"
    (contents,) = inspected(folder, "--method", "resources/read", "--uri", address)["contents"]
    assert contents["text"] == "Grease the winch in May.\n"

"""What an agent pays: tokens of the tools and of an answer, and the time that the protocol adds to a question."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import islice
from statistics import median

from benchmarks.figures import Figure
from benchmarks.searching import asked
from benchmarks.workbench import ROOT, Workbench, run_folder
from biblicus.connectors.python import Corpus
from biblicus.text.counting import estimate

QUESTIONS = 200
"""In one round; none is asked twice."""
HITS = 5


def measure(bench: Workbench) -> list[Figure]:
    """The rows `tools`, `answer` and `stdio`."""
    folder = bench.copies(1)
    bench.index(folder)
    questions = list(islice(asked(run_folder(folder)), QUESTIONS * (bench.runs + 1)))
    heard: list[int] = []
    listed, rounds = asyncio.run(_talk(str(folder), questions, heard))
    with Corpus.open(folder) as corpus:
        own = _rounds(questions, lambda question: corpus.query(question, limit=HITS))
    added = median(theirs - ours for theirs, ours in zip(rounds[1:], own[1:], strict=True))
    p50 = f"{median(rounds[1:]):.2f} ms a call, {median(own[1:]):.2f} ms the operation, {len(questions)} questions"
    usual = f"median {median(heard):.0f}, {len(heard)} questions"
    name = "MCP: tokens of `tools/list`, all nine tools, schemas and hints"
    return [
        Figure("tools", name, "tokens", listed, 1_500, detail="estimate: four characters a token"),
        Figure(
            "answer", f"MCP: tokens of a query of {HITS} hits, the longest", "tokens", max(heard), 1_200, detail=usual
        ),
        Figure(
            "stdio", "MCP: p50 of a call over standard input and output, beyond the operation", "ms", added, 5, 3, p50
        ),
    ]


def measure_start(bench: Workbench) -> list[Figure]:
    """The row `initialize`: a server from nothing until it has answered its first message, and its end."""
    folder = bench.place / "served"
    Corpus.init(folder).close()
    info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": info}).encode() + b"\n"
    ours, theirs = [], []
    for _ in range(bench.runs + 1):
        theirs.append(_processor_seconds("-c", "import mcp.server"))
        ours.append(_processor_seconds("-m", "biblicus", "mcp", str(folder), sent=message))
    own, bare = median(ours[1:]), median(theirs[1:])
    detail = f"{own:.2f} s, the SDK {bare:.2f} s, of processor time"
    name = "MCP: processor time until `initialize` is answered, beside that of `import mcp.server`"
    return [Figure("initialize", name, "×", own / bare, 1.2, 1, detail)]


def _processor_seconds(*words: str, sent: bytes = b"") -> float:
    """Of a Python of its own, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYDANTIC_")}
    subprocess.run(
        [sys.executable, *words],
        input=sent,
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


async def _talk(folder: str, questions: Sequence[str], heard: list[int]) -> tuple[int, list[float]]:
    """Tokens of the list of tools; p50 of each round of questions in ms. `heard` gets the tokens of each answer."""
    from mcp import Client, types
    from mcp.client.stdio import StdioServerParameters

    words = ["-m", "biblicus", "mcp", folder, "--allow-ingest"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    async with Client(StdioServerParameters(command=sys.executable, args=words, env=environment)) as client:
        listed = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True)

        async def ask(question: str) -> None:
            result = await client.call_tool("knowledge_base_query", {"query": question, "limit": HITS})
            (content,) = result.content
            assert isinstance(content, types.TextContent)
            assert not result.is_error, content.text
            if len(result.structured_content["evidence"]) == HITS:
                heard.append(estimate(json.dumps(result.structured_content, ensure_ascii=False)))

        return estimate(listed), await _asked(questions, ask)


async def _asked(questions: Sequence[str], ask: Callable[[str], Awaitable[None]]) -> list[float]:
    found = []
    for start in range(0, len(questions), QUESTIONS):
        times = []
        for question in questions[start : start + QUESTIONS]:
            began = time.perf_counter()
            await ask(question)
            times.append((time.perf_counter() - began) * 1000)
        found.append(median(times))
    return found


def _rounds(questions: Sequence[str], ask: Callable[[str], object]) -> list[float]:
    async def waited(question: str) -> None:
        ask(question)

    return asyncio.run(_asked(questions, waited))

"""What an agent is told of the server that it asks: how long tools took, and how large the indexes are."""

import asyncio
from pathlib import Path
from typing import Any

from mcp import Client

from biblicus import Corpus
from biblicus.connectors.mcp.asking import Latency
from biblicus.connectors.mcp.server import Client as Asker
from biblicus.connectors.mcp.server import server
from biblicus.connectors.mcp.stdio import LIMITS
from biblicus.service.admission import Admission
from biblicus.service.corpora import Corpora
from tests.mcp_server.conftest import told


def test_percentiles_are_of_the_last_thousand_calls():
    latency = Latency()
    for seconds in range(1, 101):
        latency.took("query", seconds / 1000)
    assert latency.counted() == {"query": {"calls": 100, "p50_ms": 50.0, "p99_ms": 99.0}}
    for _ in range(1_000):
        latency.took("query", 0.007)
    latency.took("get", 0.25)
    assert latency.counted() == {
        "get": {"calls": 1, "p50_ms": 250.0, "p99_ms": 250.0},
        "query": {"calls": 1_100, "p50_ms": 7.0, "p99_ms": 7.0},
    }


def test_stats_tell_latencies_and_sizes(folder: Path):
    async def conversation() -> list[dict[str, Any]]:
        corpora, admission = Corpora.open([str(folder)]), Admission(LIMITS)
        try:
            async with Client(server(corpora, lambda ctx: Asker(), admission)) as client:
                before = await client.call_tool("knowledge_base_stats", {})
                for _ in range(3):
                    await client.call_tool("knowledge_base_query", {"query": "moon"})
                await client.call_tool("knowledge_base_query", {"query": " "})  # refused: no answer was given
                after = [
                    await client.call_tool("knowledge_base_stats", {"detail": detail}) for detail in ("brief", "full")
                ]
            return [told(result) for result in (before, *after)]
        finally:
            admission.close()
            corpora.close()

    before, brief, full = asyncio.run(conversation())
    assert "latency" not in before
    for found in (brief, full):
        assert found["latency"]["knowledge_base_query"]["calls"] == 3
        assert (
            0 < found["latency"]["knowledge_base_query"]["p50_ms"] <= found["latency"]["knowledge_base_query"]["p99_ms"]
        )
    with Corpus.open(folder) as corpus:
        manifest = corpus.runs()[-1]
    assert full["corpora"][0]["runs"]["lexical"]["sizes"] == manifest.sizes
    assert brief["corpora"][0]["runs"]["lexical"]["bytes"] == sum(manifest.sizes.values()) > 0

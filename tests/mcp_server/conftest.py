"""A server in memory, asked by the SDK's own client."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client, types
from mcp.client import ClientExtension

from biblicus.connectors.mcp.server import Client as Asker
from biblicus.connectors.mcp.server import Text, server
from biblicus.connectors.mcp.stdio import LIMITS
from biblicus.contracts import Call
from biblicus.models.sources.readers import Reader
from biblicus.service.admission import Admission
from biblicus.service.corpora import Corpora
from tests.folders import corpus_of

Value = TypeVar("Value")
TEXTS = {
    "tides.md": "# Tides\n\nThe moon pulls the sea twice a day.\n\n## Springs\n\nSpring tides come at new moon.\n",
    "notes/gulls.md": "---\ntags: [birds]\nkeeper: Ada\n---\n# Gulls\n\nGrey gulls fly over the harbour by the moon.\n",
    "notes/winch.txt": "Grease the winch in May.\n",
    "notes/ŷ #1.txt": "Ebbe und Flut am Kai.\n",
    "log.txt": "".join(f"Day {day}: the moon rose over the harbour, tide {day % 13}.\n" for day in range(2_000)),
}


def filled(folder: Path) -> Path:
    """A corpus with a run."""
    return corpus_of(folder, TEXTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that tests only read."""
    return filled(tmp_path_factory.mktemp("corpora") / "harbour")


@pytest.fixture
def copy(tmp_path: Path, folder: Path) -> Path:
    """The same corpus for one test, which may change it."""
    return shutil.copytree(folder, tmp_path / "harbour")


class Served:
    """A server over corpora, for an asker who may or may not ingest, from here or from afar."""

    def __init__(
        self,
        words: list[str],
        *,
        ingest: bool = False,
        guest: bool = False,
        mode: str = "auto",
        text: Text = "short",
        reader: Reader | None = None,
        extensions: Sequence[ClientExtension] = (),
    ) -> None:
        self.words, self.mode, self.text, self.extensions = words, mode, text, extensions
        self.asker = Asker(frozenset({"read", "ingest"} if ingest else {"read"}), Call(guest=guest, reader=reader))

    def talk(self, said: Callable[[Client], Awaitable[Value]]) -> Value:
        """A conversation with a client of its own."""

        async def conversation() -> Value:
            corpora, admission = Corpora.open(self.words), Admission(LIMITS)
            try:
                made = server(corpora, lambda ctx: self.asker, admission, own=self.asker, text=self.text)
                async with Client(made, mode=self.mode, extensions=self.extensions) as client:
                    return await said(client)
            finally:
                admission.close()
                corpora.close()

        return asyncio.run(conversation())

    def call(self, tool: str, **arguments: Any) -> types.CallToolResult:
        return self.talk(lambda client: client.call_tool(f"knowledge_base_{tool}", arguments))

    def answer(self, tool: str, **arguments: Any) -> Any:
        """What a tool that works gives."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        return result.structured_content

    def refusal(self, tool: str, **arguments: Any) -> dict[str, str]:
        """What a tool says that cannot."""
        result = self.call(tool, **arguments)
        assert result.is_error, result.content
        error: dict[str, str] = json.loads(said(result))["error"]
        return error

    def pages(self, tool: str, entries: str, **arguments: Any) -> list[Any]:
        """All pages of an answer, by its cursor."""

        async def read(client: Client) -> list[Any]:
            found: list[Any] = []
            more: dict[str, Any] = {}
            for _ in range(200):
                result = await client.call_tool(f"knowledge_base_{tool}", {**arguments, **more})
                assert not result.is_error, result.content
                page = result.structured_content
                assert page[entries], "an empty page"
                found += page[entries]
                if not page.get("truncated"):
                    return found
                more = {"cursor": page["cursor"]}
            raise AssertionError("the pages have no end")

        return self.talk(read)


def said(result: types.CallToolResult) -> str:
    """The text of a result."""
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def told(result: types.CallToolResult) -> Any:
    """What a tool gives, or what it says that cannot."""
    return json.loads(said(result)) if result.is_error else result.structured_content


@pytest.fixture
def reader(folder: Path) -> Served:
    return Served([str(folder)])

"""Two corpora and a service, for the retrievers of other libraries."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.connectors.retrieving import Places
from tests.folders import write
from tests.http.conftest import serve as serve

TEXTS = {
    "tides.md": "---\ntags: [moon]\nkeeper: Ada\n---\n# Tides\n\nThe moon pulls the sea twice a day.\n",
    "springs.md": "---\ntags: [moon, spring]\ndate: 2026-05-01\n---\n# Springs\n\nSpring tides follow the new moon.\n",
    "gulls.md": "---\ndate: 2025-05-01\n---\n# Gulls\n\nGulls sleep while the moon is up.\n",
    "lamp.txt": "The lamp is lit when no moon is up.\n",
}


def made(folder: Path, texts: Mapping[str, str]) -> Path:
    with Corpus.init(folder) as corpus:
        write(folder, texts)
        corpus.reindex()
    return folder


@pytest.fixture(scope="module")
def shore(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("adapters") / "shore", TEXTS)


@pytest.fixture(scope="module")
def inland(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("adapters") / "inland", {"mill.md": "# Mill\n\nThe mill stands by the moon.\n"})


@pytest.fixture
def address(serve: Any, shore: Path, inland: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A service of both corpora, and the token for it in the environment."""
    running = serve({"shore": shore, "inland": inland})
    monkeypatch.setenv("BIBLICUS_TOKEN", running.token)
    return f"http://127.0.0.1:{running.port}"


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Closes the corpora that retrievers opened."""
    opened: list[Places] = []
    begin = Places.__init__

    def noted(self: Places, corpus: Any) -> None:
        begin(self, corpus)
        opened.append(self)

    monkeypatch.setattr(Places, "__init__", noted)
    yield
    for places in opened:
        places.close()


def proved(folder: Path, text: str, metadata: Mapping[str, Any]) -> list[str]:
    """What `verify` says of a document's text and metadata, as they are kept somewhere as JSON."""
    piece = json.loads(json.dumps({**metadata, "text": text}))
    with Corpus.open(folder) as corpus:
        return [verdict.status for verdict in corpus.verify(json.dumps([piece]))]

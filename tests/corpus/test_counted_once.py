"""What pages ask each time does not read every item of a large corpus again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.fields import NoRequest
from biblicus.models.requests.items import TreeRequest
from biblicus.service.askers.here import Here
from biblicus.service.verbs import STATS, TREE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Corpus.init(tmp_path / "harbour") as made:
        (tmp_path / "harbour" / "sea").mkdir()
        for number in range(20):
            (tmp_path / "harbour" / "sea" / f"{number}.md").write_text(f"Gull {number}.", "utf-8")
        (tmp_path / "harbour" / "tides.md").write_text("# Tides", "utf-8")
        made.ingest()
    return tmp_path / "harbour"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many items were parsed each time."""
    counts: list[int] = []
    parse: Callable[[bytes], list[Any]] = catalogs._parse

    def counted(data: bytes) -> list[Any]:
        items = parse(data)
        counts.append(len(items))
        return items

    monkeypatch.setattr(catalogs, "_parse", counted)
    return counts


def test_counts_are_made_once_for_each_state_of_the_corpus(folder: Path, parsed: list[int]) -> None:
    asker = Here(CorpusFolder(folder))
    first = asker.ask(STATS, NoRequest(), Call())
    parsed.clear()
    assert asker.ask(STATS, NoRequest(), Call()) == first
    assert not parsed
    (folder / "new.md").write_text("New.", "utf-8")
    with Corpus.open(folder) as corpus:
        corpus.ingest()
    assert asker.ask(STATS, NoRequest(), Call()).items == first.items + 1
    asker.close()


def test_a_level_of_the_tree_reads_the_items_that_it_shows(folder: Path, parsed: list[int]) -> None:
    asker = Here(CorpusFolder(folder))
    nodes = asker.ask(TREE, TreeRequest(depth=1), Call()).nodes
    assert [(node.path, node.items) for node in nodes] == [("sea/", 20), ("tides.md", 1)]
    assert nodes[0].bytes == sum(file.stat().st_size for file in (folder / "sea").iterdir())
    assert sum(parsed) == 1
    asker.close()

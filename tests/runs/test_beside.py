"""Runs of several recipes over the same chunks: the tables and the legs in common lie on disk once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.manifest import Manifest
from biblicus.runs import reindex
from features.model import Meaning


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    monkeypatch.setattr("biblicus.runs.embedders.find", lambda place, name: Meaning())
    for number in range(30):
        (tmp_path / f"{number}.md").write_text(f"# Ship {number}\nVessel {number} waits for the flood.", "utf-8")
    with Corpus.init(tmp_path) as made:
        yield made


def built(corpus: Corpus, *recipes: str) -> list[Manifest]:
    return [run.manifest for run in corpus.reindex(*recipes).runs]


def inodes(corpus: Corpus, run: Manifest, part: str) -> set[int]:
    folder = corpus.path / ".biblicus" / "local" / "index" / run.run_id
    return {path.stat().st_ino for path in folder.glob(part) if path.is_file() and not path.name.startswith(".")}


def found(corpus: Corpus, recipe: str) -> list[tuple[str, float]]:
    return [(piece.path, piece.score) for piece in corpus.query("a boat at the tide 7", recipe=recipe).evidence]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ("lexical", "hybrid", ["*.db", "lexical/*"]),
        ("vector", "lexical", ["*.db"]),
        ("hybrid", "vector", ["*.db", "vector/*"]),
    ],
)
def test_what_two_recipes_have_in_common_lies_on_disk_once(
    corpus: Corpus, first: str, second: str, shared: list[str], at_once: bool
) -> None:
    one, other = built(corpus, first, second) if at_once else built(corpus, first) + built(corpus, second)
    for part in shared:
        assert inodes(corpus, one, part) == inodes(corpus, other, part) != set()
    assert (one.chunks_digest, one.counts["chunks"]) == (other.chunks_digest, other.counts["chunks"])
    before = found(corpus, second)
    corpus.reindex(second, fresh=True)
    assert found(corpus, second) == before
    assert corpus.check(read_data=True).problems == []


def other_chunks(corpus: Corpus, words: Manifest) -> None:
    recipe = corpus.path / ".biblicus" / "recipes" / "hybrid.yml"
    recipe.parent.mkdir()
    legs = "{lexical: {engine: tantivy}, vector: {engine: exact, embedder: minilm}}"
    recipe.write_text(
        f"name: hybrid\nbuild:\n  chunking: {{default: {{by: paragraphs, tokens: 50}}}}\n  legs: {legs}\n", "utf-8"
    )


def an_edit(corpus: Corpus, words: Manifest) -> None:
    (corpus.path / "7.md").write_text("# Ship 7\nAt the tide 7 a boat is gone.", "utf-8")


def damage(corpus: Corpus, words: Manifest) -> None:
    (table,) = (corpus.path / ".biblicus" / "local" / "index" / words.run_id).glob("*.db")
    table.write_bytes(table.read_bytes()[:-1] + b"!")


@pytest.mark.parametrize("happens", [other_chunks, an_edit, damage])
def test_it_shares_nothing_that_is_otherwise_now(corpus: Corpus, happens: Callable[[Corpus, Manifest], None]) -> None:
    (words,) = built(corpus, "lexical")
    happens(corpus, words)
    (meaning,) = built(corpus, "hybrid")
    assert not inodes(corpus, words, "*.db") & inodes(corpus, meaning, "*.db")
    assert corpus.query("a boat at the tide 7", recipe="hybrid").evidence[0].path == "7.md"


def test_a_change_is_shared_and_older_runs_go(corpus: Corpus) -> None:
    for number in range(4):
        (corpus.path / "new.md").write_text(f"# New\nA new gull, {number}.", "utf-8")
        words, meaning = built(corpus, "lexical", "hybrid")
        assert inodes(corpus, words, "lexical/*") == inodes(corpus, meaning, "lexical/*")
    assert corpus.check(read_data=True).problems == []
    assert corpus.query("gull", recipe="hybrid").evidence[0].path == "new.md"


def test_a_run_outlives_the_one_that_it_shares_with(corpus: Corpus) -> None:
    words, _ = built(corpus, "lexical", "hybrid")
    before = found(corpus, "hybrid")
    CorpusFolder(corpus.path).store.drop(words.run_id)
    assert found(corpus, "hybrid") == before
    assert [run.built for run in corpus.reindex("lexical", "hybrid").runs] == ["rematerialised", "unchanged"]


def test_a_fresh_run_shares_with_no_older_one(corpus: Corpus) -> None:
    (words,) = built(corpus, "lexical")
    (meaning,) = (run.manifest for run in corpus.reindex("hybrid", fresh=True).runs)
    assert not inodes(corpus, words, "*.db") & inodes(corpus, meaning, "*.db")


def test_a_large_run_goes_on_from_its_own(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    built(corpus, "lexical", "hybrid")
    monkeypatch.setattr(reindex, "STEP_FROM", 10)
    monkeypatch.setattr(reindex, "FRESH_BELOW", 10)
    monkeypatch.setattr(reindex, "CHURN_LIMIT", 0.5)
    (corpus.path / "new.md").write_text("# New\nA new gull.", "utf-8")
    words, meaning = built(corpus, "lexical", "hybrid")
    assert (words.built, meaning.built) == ("incremental", "incremental")
    assert not inodes(corpus, words, "delta.db") & inodes(corpus, meaning, "delta.db")
    assert corpus.query("gull", recipe="hybrid").evidence[0].path == "new.md"

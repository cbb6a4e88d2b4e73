from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.models.evidence import Evidence, Result
from tests.folders import write

RESEARCH = {
    "rules.md": "# Rules\n\nA visitor may stay for 21 nights in winter.\n",
    "tariff.md": "# Tariff\n\nThe winter berth costs two hundred crowns a month.\n",
    "crew.md": "# Crew\n\nIngrid keeps the lamp. Halvard keeps the boat shed.\n",
}
MANUAL = {
    "costs.md": "# Questions about costs\n\n1. Look for the price in the **tariff** first.\n2. Name the unit.\n",
    "people.md": "# Who does what\n\n- Look for the *crew*.\n",
}


def made(folder: Path, items: dict[str, str]) -> Corpus:
    """An indexed corpus of these items."""
    write(folder, items)
    corpus = Corpus.init(folder)
    corpus.reindex()
    return corpus


def persona(corpus: Corpus, name: str, text: str) -> None:
    file = corpus.path / ".biblicus" / "personas" / f"{name}.yml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"id: {name}\nname: {name.title()}\n{text}", "utf-8")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """A research corpus with a manual beside it and the persona `keeper`."""
    made(tmp_path / "manual", MANUAL).close()
    with made(tmp_path / "corpus", RESEARCH) as found:
        persona(found, "keeper", "manual_corpus: ../manual\n")
        yield found


def piece(rank: int, text: str, **fields: object) -> Evidence:
    """A piece of evidence of its own item, unless told otherwise."""
    name = str(fields.pop("item_id", f"i{rank}"))
    start = int(str(fields.pop("span_start", 0)))
    made = Evidence(
        rank=rank, score=10.0 - rank, corpus_id="c", item_id=name, chunk_id=f"{name}:{start}", path=f"{name}.md",
        source_uri=f"{name}.md", media_type="text/markdown", text=text, snippet=text[:80], stage="retrieve",
        stage_scores={"lexical": 10.0 - rank}, recipe_id="r", run_id="run", hash="", item_sha256="", extraction_id="e",
        span_start=start, span_end=start + len(text), line_start=1, line_end=1 + text.count("\n"), language="en",
    )  # fmt: skip
    return replace(made, **fields)  # type: ignore[arg-type]  # fields of evidence, by name


def result(query: str, *pieces: Evidence, items: int = 10, tokens: int | None = 4000) -> Result:
    asked = {"items": items, "tokens": tokens, "characters": None, "per_source": None}
    budget = {"asked": asked, "dropped": []}
    return Result(query, "c", "run", "r", "v", None, "2026-01-01T00:00:00Z", pieces, False, budget, {"total": 1.0})

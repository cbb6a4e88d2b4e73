"""Evidence and results made of texts, for tests."""

import hashlib
from collections.abc import Sequence

from biblicus.answering.packs.joining import Around, Home
from biblicus.models.evidence import Evidence, Result


def piece(item: str, document: str, start: int, end: int, rank: int, **told: str) -> Evidence:
    """A chunk of a document; `told`: title, heading and the like."""
    text = document[start:end]
    return Evidence(
        rank=rank,
        score=1 / rank,
        corpus_id="c",
        item_id=item,
        chunk_id=f"{item}:{rank}",
        path=told.pop("path", f"{item}.txt"),
        source_uri=f"{item}.txt",
        media_type="text/plain",
        text=text,
        snippet=text[:20],
        stage="lexical",
        stage_scores={"lexical": 1 / rank},
        recipe_id="r",
        run_id="run",
        hash=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        item_sha256="s",
        extraction_id="e",
        span_start=start,
        span_end=end,
        line_start=document.count("\n", 0, start) + 1,
        line_end=document.count("\n", 0, max(end - 1, start)) + 1,
        **told,  # type: ignore[arg-type]
    )


def cut(documents: Sequence[str], spans: Sequence[tuple[int, int, int]]) -> list[Evidence]:
    """Chunks by rank: document, start, length; those that lie outside are left out."""
    found: list[Evidence] = []
    for number, start, length in spans:
        if number < len(documents) and start < len(documents[number]):
            end = min(start + length, len(documents[number]))
            found.append(piece(str(number), documents[number], start, end, len(found) + 1))
    return found


def excerpts(documents: Sequence[str]) -> Around:
    """The documents themselves, as the text around pieces."""

    return lambda found: Home(documents[int(found.item_id)], 0)


def result(pieces: Sequence[Evidence], question: str = "moon") -> Result:
    """A result with these pieces."""
    return Result(
        query=question,
        corpus_id="c",
        run_id="run",
        recipe_id="r",
        index_version="v",
        weights_digest=None,
        as_of="2026-01-01T00:00:00Z",
        evidence=list(pieces),
        insufficient=not pieces,
        budget={"dropped": []},
        timings={},
    )

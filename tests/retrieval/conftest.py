from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from biblicus.contracts import Call, Given, LegReader, RankedChunk
from biblicus.retrieval.words import lexical, scan
from biblicus.retrieval.words.lexical import Options

Read = Callable[..., LegReader]
Make = Callable[..., RankedChunk]


@dataclass
class Table:
    """A chunk table in memory."""

    chunks: Sequence[RankedChunk]
    new: Sequence[RankedChunk] = ()
    gone: Sequence[int] = field(default_factory=list)

    def languages(self) -> Mapping[str, float]:
        return Counter(chunk.language or "" for chunk in self.chunks)

    def count(self) -> int:
        return len(self.chunks)

    def rows(self) -> Iterator[RankedChunk]:
        return iter(self.chunks)

    def added(self) -> Iterator[RankedChunk]:
        return iter(self.new)

    def each(self, make: Callable[[RankedChunk], Any], *, added: bool) -> Iterator[tuple[int, int, Any]]:
        return ((chunk.row, chunk.item, make(chunk)) for chunk in (self.new if added else self.chunks))

    def removed_items(self) -> Sequence[int]:
        return self.gone


@pytest.fixture
def table() -> type[Table]:
    return Table


@pytest.fixture
def chunk() -> Make:
    """A chunk of its own item, unless told otherwise."""

    def make(row: int, text: str, **fields: object) -> RankedChunk:
        plain = {
            "item": row, "context": "", "language": "en", "media_type": "text/plain", "doctype": "doc", "tags": (),
            "path": f"{row}.txt",
        }  # fmt: skip
        return RankedChunk(row=row, text=text, **{**plain, **fields})  # type: ignore[arg-type]  # checked by the tests

    return make


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Read]:
    """Chunks to a reader over a persisted index."""
    open_readers: list[LegReader] = []

    def read(chunks: Sequence[RankedChunk], **options: str) -> LegReader:
        leg = lexical.build(Options.model_validate(options), Given())
        folder = tmp_path / f"index{len(open_readers)}"
        leg.build(Table(chunks), folder, None, Call())
        open_readers.append(leg.open(folder))
        return open_readers[-1]

    yield read
    for reader in open_readers:
        reader.close()


@pytest.fixture(params=["lexical", "scan"])
def read(request: pytest.FixtureRequest, built: Read) -> Read:
    """Chunks to a reader of either leg: what both must do alike is tested once, with both."""
    if request.param == "lexical":
        return built
    return lambda chunks, **options: scan.build(Options.model_validate(options), Given()).over(chunks)

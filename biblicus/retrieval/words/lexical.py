"""Leg `lexical`: BM25 (k1 1.2, b 0.75) over a persistent, memory-mapped tantivy index.

The index has terms and filter fields; texts are in the run's chunk table. An incremental build only adds files and
replaces `meta.json` by rename, so that it can start from hard links to the parent run's files.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from biblicus.contracts import Call, ChunkTable, Fingerprints, Given, LegReader
from biblicus.errors import StorageFailed, WordsDamaged
from biblicus.guards.processes import give_memory_back
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record
from biblicus.retrieval import words
from biblicus.text.terms import analysis

if TYPE_CHECKING:
    from tantivy import Index, Schema

_ANALYSIS = "analysis.json"
_HEAP = 48_000_000  # bytes: about 80 MB of text in a segment; one thread makes segments deterministic
_CHECK_EVERY = 1024


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """Options of `tantivy` in a recipe.

    `title`: `prefix` ranks title and heading with the text and as separate fields, `none` ignores them. `stopwords`:
    `auto` drops them from questions, `keep` does not. `stemming`: by the chunk's language, or none. `accents`: kept if
    the language distinguishes words by them (`auto`), always or never.
    """

    title: Literal["prefix", "none"] = "prefix"
    stopwords: Literal["auto", "keep"] = "auto"
    stemming: Literal["auto", "none"] = "auto"
    accents: Literal["auto", "keep", "fold"] = "auto"

    def stemmers(self, languages: Callable[[], Mapping[str, float]]) -> analysis.Stemmers:
        """Return the stemmers for a run with these languages and weights."""
        if self.stemming == "none":
            return analysis.Stemmers.none(self.accents)
        return analysis.Stemmers.among(languages(), self.accents)


def build(options: Options, given: Given) -> Lexical:
    return Lexical(options)


class Lexical:
    """Builds and opens the index (see `contracts.Leg`)."""

    materializes = True
    is_whole = True  # all its files are in the run
    drifts = True  # deleted chunks stay in the engine's statistics; the reader corrects them

    def __init__(self, options: Options) -> None:
        self.options = options

    def fingerprints(self) -> Fingerprints:
        import tantivy  # its own word for its version: importlib.metadata costs a cold query 15 ms

        return {"tantivy": str(vars(tantivy)["__version__"]), "analysis": analysis.VERSION}

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Write the index; with a parent, update its copy in `folder`. The caller syncs the files."""
        try:
            self._build(chunks, folder, parent, call)
            return {}
        except ValueError as error:  # raised by tantivy-py, also for a full disk
            raise StorageFailed("the index", _cause(error)) from error

    def _build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> None:
        if parent is None:
            stemmers = self.options.stemmers(chunks.languages)
            folder.mkdir(parents=True, exist_ok=True)
            self._write(_created(folder), stemmers, None, chunks, call)
            (folder / _ANALYSIS).write_text(json.dumps({"stemmers": stemmers.chosen}) + "\n", encoding="utf-8")
        else:
            index, chosen = _opened(folder)
            stemmers = analysis.Stemmers(tuple(chosen), self.options.accents)
            self._write(index, stemmers, chunks.removed_items(), chunks, call)

    def open(self, folder: Path) -> LegReader:
        try:
            with _writable(folder) as place:
                index, chosen = _opened(place)
                languages = words.wording.Languages(tuple(chosen), self.options.stopwords == "auto")
                return words.lexical_reader.LexicalReader(index, languages, _documents_ever(place))
        except (OSError, ValueError, KeyError) as error:
            raise WordsDamaged(folder.parent.name, f"its index does not open ({error})") from error

    def _write(
        self, index: Index, stemmers: analysis.Stemmers, gone: Sequence[int] | None, chunks: ChunkTable, call: Call
    ) -> None:
        """Index chunks. `gone`: removed items of the parent's index, or None without a parent."""
        from tantivy import Document, Query

        writer = index.writer(_HEAP, 1)
        if gone:
            # By query: tantivy-py 0.27 passes a Python int as a signed term, which would delete nothing here.
            writer.delete_documents_by_query(Query.term_set_query(index.schema, "item", list(gone)))
        analyst = words.analyst.Analyst(self.options.title == "prefix", stemmers)
        documents = chunks.each(analyst, added=gone is not None)
        schema = index.schema
        for number, (row, item, analysed) in enumerate(documents):
            if number % _CHECK_EVERY == 0:
                call.check()
                give_memory_back()
            writer.add_document(words.analyst.document_of(Document, schema, row, item, analysed))
        writer.commit()
        writer.wait_merging_threads()


def _cause(error: ValueError) -> str:
    """Return the operating system's message if tantivy quotes it."""
    match = re.search(r'message: "([^"]+)"|\'([^\']+) \(os error \d+\)', str(error))
    return (match[1] or match[2]).lower() if match else str(error)


@contextmanager
def _writable(folder: Path) -> Iterator[Path]:
    """Yield the folder, or a temporary one with links if it is read-only, as tantivy needs a lock file to read. The
    links may be deleted once the index is open, since its files stay memory-mapped."""
    locks = [path for path in folder.glob(".tantivy-*.lock") if not os.access(path, os.W_OK)]
    if os.access(folder, os.W_OK) and not locks:
        yield folder
        return
    from tempfile import TemporaryDirectory  # lazy: few indexes lie where nothing may be written

    with TemporaryDirectory(prefix="biblicus-") as temporary:
        for path in folder.iterdir():
            if not path.name.startswith(".tantivy-"):
                Path(temporary, path.name).symlink_to(path.absolute())
        yield Path(temporary)


def _schema() -> Schema:
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="main", index_option="position")
    for name in words.fields.FIELDS[1:]:
        builder.add_text_field(name, tokenizer_name="main", index_option="freq")
    builder.add_unsigned_field("row", fast=True)
    builder.add_unsigned_field("item", indexed=True, fast=True)
    for name in ("multiplier", "others"):
        builder.add_unsigned_field(name, fast=True)
    builder.add_text_field("facts", tokenizer_name="raw", index_option="basic")
    return builder.build()


def _created(folder: Path) -> Index:
    from tantivy import Index

    index = Index(_schema(), str(folder), reuse=False)
    index.register_tokenizer("main", analysis.by_blanks())
    return index


def _opened(folder: Path) -> tuple[Index, list[str]]:
    """Open the index; return it with its stemmers. Tokenizers are not stored and must be registered."""
    from tantivy import Index

    stemmers: list[str] = json.loads((folder / _ANALYSIS).read_bytes())["stemmers"]
    index = Index.open(str(folder))
    index.register_tokenizer("main", analysis.by_blanks())
    return index, stemmers


def _documents_ever(folder: Path) -> int:
    """Return the documents of all segments including deleted ones, as tantivy's statistics count them."""
    return sum(segment["max_doc"] for segment in json.loads((folder / "meta.json").read_bytes())["segments"])

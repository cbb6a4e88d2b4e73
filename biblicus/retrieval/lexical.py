"""The leg `lexical`: BM25 (k1 1.2, b 0.75) over a persisted, memory-mapped tantivy index.

The index holds terms and filter fields, no text: that is in the run's chunk table. An incremental build only ever adds
files and replaces `meta.json` by rename, so a folder of hard links to the parent run's files is safe to build on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Call, ChunkTable, Fingerprints, Hit, LegReader, RankedChunk
from biblicus.models.question import Allow, Filters, Question
from biblicus.retrieval import analysis
from biblicus.retrieval.filters import path_pattern
from biblicus.retrieval.ranking import idf, rounded, support, through_tie
from biblicus.retrieval.wording import Languages, Phrase, Wording, understood
from biblicus.text.globs import fits_type, matches_path

if TYPE_CHECKING:
    from tantivy import Document, Index, Query, Schema, Searcher

_ANALYSIS = "analysis.json"
_HEAP = 60_000_000  # bytes; with one thread, so that the same chunks give the same segments
_SAMPLE = 512  # chunks that decide which language is analysed in tantivy's own thread
_CHECK_EVERY = 1024


class Options(BaseModel):
    """Options of `tantivy` in a recipe.

    `title`: rank a chunk's title and heading with its text, or not. `stopwords`: drop them from questions, or keep
    them. `stemming`: by the chunk's language, or none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Literal["prefix", "none"] = "prefix"
    stopwords: Literal["auto", "keep"] = "auto"
    stemming: Literal["auto", "none"] = "auto"


def build(options: Options) -> Lexical:
    """The leg for a recipe's options."""
    return Lexical(options)


class Lexical:
    """Builds and opens the index (see `contracts.Leg`)."""

    materializes = True

    def __init__(self, options: Options) -> None:
        self.options = options

    def fingerprints(self) -> Fingerprints:
        return {"tantivy": version("tantivy"), "analysis": analysis.VERSION}

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> None:
        """Write the index; with a parent, change its copy in `folder`. The caller makes the files durable."""
        if parent is None:
            rows = chunks.rows()
            sample = list(islice(rows, _SAMPLE))
            stemmer = self._main_stemmer(sample)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _ANALYSIS).write_text(json.dumps({"stemmer": stemmer}) + "\n", encoding="utf-8")
            self._write(_created(folder, stemmer), stemmer, (), chain(sample, rows), call)
        else:
            index, stemmer = _opened(folder)
            self._write(index, stemmer, chunks.removed_items(), chunks.added(), call)

    def open(self, folder: Path) -> LegReader:
        index, stemmer = _opened(folder)
        languages = Languages(stemmer, self.options.stemming == "auto", self.options.stopwords == "auto")
        return LexicalReader(index, languages, _documents_ever(folder))

    def _main_stemmer(self, sample: Iterable[RankedChunk]) -> str:
        if self.options.stemming == "none":
            return ""
        known = Counter(chunk.language for chunk in sample if chunk.language)
        return analysis.stemmer_of(known.most_common(1)[0][0] if known else None, "english")

    def _write(
        self, index: Index, stemmer: str, gone: Sequence[int], chunks: Iterable[RankedChunk], call: Call
    ) -> None:
        writer = index.writer(_HEAP, 1)
        try:
            for item in gone:
                writer.delete_documents_by_term("item", item)
            for number, document in enumerate(self._documents(chunks, stemmer)):
                if number % _CHECK_EVERY == 0:
                    call.check()
                writer.add_document(document)
        except BaseException:
            writer.rollback()
            raise
        writer.commit()
        writer.wait_merging_threads()

    def _documents(self, chunks: Iterable[RankedChunk], main: str) -> Iterator[Document]:
        """One document per chunk: the main language's text is analysed by tantivy's thread, other text here."""
        from tantivy import Document

        titled, stemmed = self.options.title == "prefix", self.options.stemming == "auto"
        for row, item, context, text, language, media_type, doctype, tags, path in chunks:
            document = Document()
            ranked = analysis.ranked(context if titled else "", text)
            stemmer = analysis.stemmer_of(language, main) if stemmed else ""
            if stemmer == main:
                document.add_text("text", ranked)
            else:
                document.add_pre_tokenized_text("text", analysis.analyzer(stemmer).pre_tokenize(ranked))
            document.add_unsigned("row", row)
            document.add_unsigned("item", item)
            document.add_text("type", media_type)
            document.add_text("doctype", doctype)
            if language:
                document.add_text("language", language)
            for tag in tags:
                document.add_text("tag", tag)
            document.add_text("path", path)
            yield document


def _schema() -> Schema:
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="main", index_option="position")
    builder.add_unsigned_field("row", fast=True)
    builder.add_unsigned_field("item", indexed=True)
    for name in ("tag", "type", "doctype", "language", "path"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    return builder.build()


def _created(folder: Path, stemmer: str) -> Index:
    from tantivy import Index

    index = Index(_schema(), str(folder), reuse=False)
    index.register_tokenizer("main", analysis.analyzer(stemmer))
    return index


def _opened(folder: Path) -> tuple[Index, str]:
    """The index and its main stemmer. Tokenizers are no part of the files, so they are registered every time."""
    from tantivy import Index

    stemmer = json.loads((folder / _ANALYSIS).read_bytes())["stemmer"]
    index = Index.open(str(folder))
    index.register_tokenizer("main", analysis.analyzer(stemmer))
    return index, stemmer


def _documents_ever(folder: Path) -> int:
    """The documents of all segments, deleted ones too: what tantivy's own statistics count."""
    return sum(segment["max_doc"] for segment in json.loads((folder / "meta.json").read_bytes())["segments"])


class LexicalReader:
    """An opened index (see `contracts.LegReader`). It never changes, so threads share it freely.

    Deleted documents stay in tantivy's statistics until their segment is merged. Where there are any, each term is
    boosted by its idf over the live chunks relative to the index's own, so that an incremental run scores like a fresh
    one.
    """

    def __init__(self, index: Index, languages: Languages, documents_ever: int) -> None:
        self._schema: Schema = index.schema
        self._searcher: Searcher = index.searcher()
        self._languages = languages
        self._documents = self._searcher.num_docs
        self._documents_ever = documents_ever
        self._live: dict[str, int] = {}

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        query = self._asked(understood(question, self._languages))
        if (
            query is None
            or k < 1
            or not self._documents
            or (allow and allow.item_rows is not None and not allow.item_rows)
        ):
            return []
        return self._best(self._narrowed(query, allow), k)

    def support(self, question: Question, texts: Sequence[str]) -> float:
        """How much of the question the best of `texts` holds (see `ranking.support`)."""
        wording = understood(question, self._languages)
        stemmers = self._languages.stemmers(question.languages)
        return support(wording, stemmers, texts, lambda term: idf(self._documents, self._chunks_with(term)))

    def close(self) -> None:
        """Nothing to do: the files are mapped into memory for as long as the reader lives."""

    def _best(self, query: Query, k: int) -> list[Hit]:
        limit = k + 8
        while True:
            limit = min(limit, self._documents)
            found = self._searcher.search(query, limit, count=False).hits
            scores = [rounded(score) for score, _ in found]
            end = through_tie(scores, k)
            if end < len(found) or len(found) < limit or limit == self._documents:
                break
            limit *= 8
        rows = self._searcher.fast_field_values("row", [address for _, address in found[:end]]) if end else []
        return [Hit(int(row), score) for row, score in zip(rows, scores[:end], strict=True) if row is not None]

    def _asked(self, wording: Wording) -> Query | None:
        """The query of a wording: words OR-ed, quoted phrases required, names boosted. None where nothing is asked."""
        from tantivy import Occur, Query

        clauses = [(Occur.Must, self._either([self._phrase(p) for p in phrases])) for phrases in wording.required]
        for word in wording.words:
            query = self._either([self._term(term) for term in word.variants])
            clauses.append((Occur.Should, query if word.weight == 1 else Query.boost_query(query, float(word.weight))))
        for phrases in wording.names:
            query = self._either([self._phrase(phrase) for phrase in phrases])
            clauses.append((Occur.Should, query if wording.boost == 1 else Query.boost_query(query, wording.boost)))
        if len(clauses) == 1:
            return clauses[0][1]
        return Query.boolean_query(clauses) if clauses else None

    def _either(self, variants: list[Query]) -> Query:
        from tantivy import Query

        return variants[0] if len(variants) == 1 else Query.disjunction_max_query(variants)

    def _term(self, term: str) -> Query:
        from tantivy import Query

        return self._corrected(Query.term_query(self._schema, "text", term), [term])

    def _phrase(self, phrase: Phrase) -> Query:
        from tantivy import Query

        if len(phrase) == 1:
            return self._term(phrase[0][1])
        return self._corrected(Query.phrase_query(self._schema, "text", list(phrase)), [term for _, term in phrase])

    def _corrected(self, query: Query, terms: Sequence[str]) -> Query:
        """The query with the idf that its terms have among the live chunks."""
        from tantivy import Query

        if self._documents == self._documents_ever:
            return query
        live = sum(idf(self._documents, self._chunks_with(term)) for term in terms)
        index = sum(idf(self._documents_ever, self._searcher.doc_freq("text", term)) for term in terms)
        return Query.boost_query(query, live / index)

    def _chunks_with(self, term: str) -> int:
        """In how many live chunks the term is."""
        if self._documents == self._documents_ever:
            return self._searcher.doc_freq("text", term)
        if term not in self._live:
            from tantivy import Query

            query = Query.term_query(self._schema, "text", term)
            self._live[term] = self._searcher.search(query, 1, count=True).count  # type: ignore[attr-defined]  # stub
        return self._live[term]

    def _narrowed(self, query: Query, allow: Allow | None) -> Query:
        """The query over the allowed chunks only. Filters add nothing to a score."""
        from tantivy import Occur, Query

        clauses = list(self._filters(allow.filters)) if allow else []
        if allow and allow.item_rows is not None:
            clauses.append(Query.term_set_query(self._schema, "item", sorted(allow.item_rows)))
        if not clauses:
            return query
        filters = Query.boolean_query([(Occur.Must, clause) for clause in clauses])
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(filters, 0.0))])

    def _filters(self, filters: Filters) -> Iterator[Query]:
        """One query for each kind of filter that restricts; all of them must hold (see `filters.holds`)."""
        from tantivy import Occur, Query

        for tag in filters.tags:
            yield Query.term_query(self._schema, "tag", tag)
        for field, values in (("doctype", filters.doctypes), ("language", filters.languages)):
            if values:
                yield Query.term_set_query(self._schema, field, list(values))
        if filters.types:
            yield self._one_of("type", lambda value: fits_type(value, filters.types))
        if filters.paths:
            paths = [(Occur.Should, self._path(glob)) for glob in filters.paths]
            yield Query.boolean_query(paths)

    def _path(self, glob: str) -> Query:
        from tantivy import Query

        if (pattern := path_pattern(glob)) is not None:
            try:
                return Query.regex_query(self._schema, "path", pattern)
            except ValueError:
                pass  # more states than the engine's automaton takes
        return self._one_of("path", lambda path: matches_path(path, [glob]))

    def _one_of(self, field: str, fits: Callable[[str], bool]) -> Query:
        """The chunks whose value fits, by a look at every value that occurs."""
        from tantivy import Query

        values = [value for value, _ in self._searcher.terms_with_prefix(field, "") if fits(value)]
        return Query.term_set_query(self._schema, field, values)

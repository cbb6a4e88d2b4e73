"""Queries to the index of the leg `lexical`; only imported when an index is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from tantivy import DocAddress, Index, Occur, Query, Schema, Searcher

from biblicus.contracts import Call, Hit
from biblicus.models.question import Allow, Question
from biblicus.models.requests.query import Filters
from biblicus.retrieval.filters import path_pattern
from biblicus.retrieval.ranking import ROUNDING, idf, rounded, through_tie
from biblicus.retrieval.words import sibling_boost
from biblicus.retrieval.words.fields import FIELDS, clauses
from biblicus.retrieval.words.reading import WordsReader
from biblicus.retrieval.words.wording import Languages, Phrase, Wording, understood
from biblicus.text.fitting import beginning, fits_path, fits_type

_AT_ONCE, _SPARE = 160, 3
"""Minimum number of chunks fetched from the engine, before sibling boosts, and divisor of those beyond `k`."""
_REMEMBERED = 10_000
"""Maximum fetched chunks that are cached for another call with the same question."""


_TERMS = 8_192
"""Maximum term weights that are cached."""
_TEXT = FIELDS[0]


class _Fetched(NamedTuple):
    """Chunks fetched for a question, best first: scores with their multiplier, rows, and for each its item and how many
    other chunks that has. `queries`: see `_asked`. `hits`: those of the first query. `is_all`: no other chunk matches.
    """

    question: Question
    allow: Allow | None
    queries: Sequence[Query]
    limit: int = 0
    is_all: bool = False
    hits: Sequence[tuple[float, DocAddress]] = ()
    scores: Sequence[float] = ()
    rows: Sequence[int] = ()
    items: Sequence[int] = ()
    others: Sequence[int] = ()


def _together(clauses: Sequence[tuple[Occur, Query]]) -> Query:
    """Return the query of these clauses."""
    return clauses[0][1] if len(clauses) == 1 else Query.boolean_query(clauses)


class LexicalReader(WordsReader):
    """Opened index (see `contracts.LegReader`); immutable and shared by threads.

    Deleted documents stay in tantivy's statistics until their segment is merged. If there are any, each term is boosted
    by its idf over live chunks relative to the index's, so that an incremental run has the same scores as a fresh one.
    """

    _idf: Callable[..., float]

    def __init__(self, index: Index, languages: Languages, documents_ever: int) -> None:
        self._schema: Schema = index.schema
        self._searcher: Searcher = index.searcher()
        self._languages = languages
        self._documents = self._searcher.num_docs
        self._documents_ever = documents_ever
        self._fetched: _Fetched | None = None
        self._path = lru_cache(maxsize=64)(self._under)  # examining every path may take 50 ms
        self._live: dict[tuple[str, str], int] = {}
        self._idf = self._idf_ever = lru_cache(maxsize=_TERMS)(self._weigh)
        if self._documents != documents_ever:
            self._idf_ever = lru_cache(maxsize=_TERMS)(self._weigh_ever)
        self._rarest = idf(self._documents, 0)

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """Return the best `k` chunks and all ties with the last, by descending score."""
        call.check()
        fetched = self._fetched
        if fetched is None or fetched.question is not question or fetched.allow is not allow:
            queries = self._asked(question)
            if not queries or not self._documents or (allow and allow.item_rows is not None and not allow.item_rows):
                return []
            fetched = _Fetched(question, allow, [self._narrowed(query, allow) for query in queries])
        return self._hits(fetched, k) if k > 0 else []

    def chunks_with(self, term: str, field: str = _TEXT) -> int:
        """Return the number of live chunks with the term."""
        ever = self._searcher.doc_freq(field, term)
        if not ever or self._documents == self._documents_ever:
            return ever
        if (field, term) not in self._live:
            query = Query.term_query(self._schema, field, term)
            result = self._searcher.search(query, 1, count=True)
            self._live[field, term] = result.count  # type: ignore[attr-defined]  # stub
        return self._live[field, term]

    def one_with(self, term: str) -> int:
        """Return the row of a chunk with the term."""
        hits = self._searcher.search(Query.term_query(self._schema, "text", term), 1, count=False).hits
        return self._values("row", [address for _, address in hits])[0]

    def _weigh(self, term: str, field: str = _TEXT) -> float:
        return idf(self._documents, self.chunks_with(term, field))

    def _weigh_ever(self, term: str, field: str = _TEXT) -> float:
        """Return the index's own term weight, including deleted documents."""
        return idf(self._documents_ever, self._searcher.doc_freq(field, term))

    def _hits(self, fetched: _Fetched, k: int) -> list[Hit]:
        """Return the best chunks by the engine's scores, multipliers and sibling boosts. More are fetched only if the
        `k`th ties with the last."""
        limit = max(_AT_ONCE, k + k // _SPARE)
        while True:
            limit = min(limit, self._documents)
            if limit > fetched.limit and not fetched.is_all:
                fetched = self._with_more(fetched, limit)
                self._fetched = fetched if limit <= _REMEMBERED else None
            if fetched.is_all or fetched.hits[k - 1][0] > fetched.hits[-1][0] * (1 + ROUNDING):
                return self._with_company(fetched, k)
            limit *= 8

    def _with_company(self, fetched: _Fetched, k: int) -> list[Hit]:
        """Return the best `k` fetched chunks and all ties by their scores with sibling boosts."""
        scores, items = [*fetched.scores], fetched.items
        size = min(sibling_boost.POOL, len(scores))
        near = scores[size - 1] * (1 - 2 * ROUNDING) if size else 0.0
        while size < len(scores) and scores[size] >= near:
            size += 1
        pool = [rounded(score) for score in scores[:size]]  # ties at its end must not depend on the engine
        factors = sibling_boost.factors_of(pool[: through_tie(pool, sibling_boost.POOL)], items, fetched.others)
        scores = sibling_boost.counted(pool + scores[size:], items, fetched.others, factors)
        order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
        end = min(k, len(order))
        least = scores[order[end - 1]] * (1 - ROUNDING) if order else 0.0
        while end < len(order) and scores[order[end]] >= least:
            end += 1
        hits = [Hit(fetched.rows[at], rounded(scores[at]), items[at]) for at in order[:end]]
        hits.sort(key=itemgetter(1), reverse=True)
        return hits[: through_tie([hit.score for hit in hits], k)]

    def _with_more(self, fetched: _Fetched, limit: int) -> _Fetched:
        """Return at least `limit` chunks, if there are as many. Chunks with a name keep the score of that search."""
        hits, *named = (self._searcher.search(query, limit, count=False).hits for query in fetched.queries)
        both = hits + named[0] if named else hits
        addresses = [address for _, address in both]
        rows = self._values("row", addresses)
        places = [*{row: at for at, row in enumerate(rows)}.values()]
        multipliers = self._values("multiplier", addresses)
        scores = [score * multiplier / 100 for (score, _), multiplier in zip(both, multipliers, strict=True)]
        places.sort(key=scores.__getitem__, reverse=True)
        del places[limit:]
        addresses = [addresses[at] for at in places]
        return fetched._replace(
            limit=limit,
            is_all=len(hits) < limit or limit == self._documents,
            hits=hits,
            scores=[scores[at] for at in places],
            rows=[rows[at] for at in places],
            items=self._values("item", addresses),
            others=self._values("others", addresses),
        )

    def _values(self, name: str, addresses: list[DocAddress]) -> list[int]:
        """Return the values of a fast field for documents."""
        values: Callable[..., Any] = self._searcher.fast_field_values
        column: list[int] = values(name, addresses)
        return column

    def _asked(self, question: Question) -> list[Query]:
        """Return the queries of a question: words OR-ed over all fields, quoted phrases required. A second query
        matches chunks that contain a name as a phrase, which get a boost. It is separate because the engine can skip
        chunks only for pure term queries."""
        wording = understood(question, self._languages)
        asked = list(self._clauses(wording))
        queries = [_together(asked)] if asked else []
        if names := [(Occur.Should, name) for name in self._names(wording)]:
            queries.append(_together([(Occur.Must, _together(names)), *asked]))
        return queries

    def _clauses(self, wording: Wording) -> Iterator[tuple[Occur, Query]]:
        """Yield a clause for each word and field. Words in no chunk are left out, as they cost time."""
        for phrases in wording.required:
            yield Occur.Must, self._either(phrases)
        for field, terms, weight in clauses(wording, self._languages, self._idf, self._rarest, self.chunks_with):
            yield Occur.Should, self._best([self._term(field, term, weight) for term in terms])

    def _names(self, wording: Wording) -> Iterator[Query]:
        """Yield the queries for names that should match as phrases."""
        for phrases in wording.names:
            if (query := self._one(phrases)) is not None:
                yield query if wording.boost == 1 else Query.boost_query(query, wording.boost)

    def _one(self, variants: Sequence[Phrase]) -> Query | None:
        """Return `_either`, or None if no chunk can contain all words of a variant."""
        rarest, weigh = self._rarest, self._idf
        if all(any(weigh(term) == rarest for _, term in phrase) for phrase in variants):
            return None
        return self._either(variants)

    def _either(self, variants: Sequence[Phrase]) -> Query:
        """Return the query for the best-matching variant of a word or phrase, all with the most frequent one's weight.
        Otherwise every word in a rarely used language would count as rare."""
        weights = [sum([self._idf(term) for _, term in phrase]) for phrase in variants]
        return self._best([self._phrase(phrase, min(weights)) for phrase in variants])

    def _best(self, variants: list[Query]) -> Query:
        return variants[0] if len(variants) == 1 else Query.disjunction_max_query(variants)

    def _term(self, field: str, term: str, weight: float) -> Query:
        """Return the query for a term with the given weight instead of the index's idf."""
        query, index_idf = Query.term_query(self._schema, field, term), self._idf_ever(term, field)
        return query if index_idf == weight else Query.boost_query(query, weight / index_idf)

    def _phrase(self, phrase: Phrase, weight: float) -> Query:
        """Return the query for a phrase variant with the given weight instead of the index's idf."""
        if len(phrase) == 1:
            return self._term(_TEXT, phrase[0][1], weight)
        query = Query.phrase_query(self._schema, _TEXT, list(phrase))
        index_idf = sum([self._idf_ever(term) for _, term in phrase])
        return query if index_idf == weight else Query.boost_query(query, weight / index_idf)

    def _narrowed(self, query: Query, allow: Allow | None) -> Query:
        """Return the query restricted to allowed chunks; filters do not affect scores."""
        clauses = list(self._filters(allow.filters)) if allow else []
        if allow and allow.item_rows is not None:
            clauses.append(Query.term_set_query(self._schema, "item", sorted(allow.item_rows)))
        if not clauses:
            return query
        filters = Query.boolean_query([(Occur.Must, clause) for clause in clauses])
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(filters, 0.0))])

    def _filters(self, filters: Filters) -> Iterator[Query]:
        """Yield a query for each restricting filter; all must match (see `text.fitting`)."""
        for tag in filters.tag:
            yield Query.term_query(self._schema, "facts", f"tag:{tag}")
        for kind, values in (("doctype", filters.doctype), ("language", filters.language)):
            if values:
                yield Query.term_set_query(self._schema, "facts", [f"{kind}:{value}" for value in values])
        if filters.type:
            yield self._one_of("type:", lambda value: fits_type(value, filters.type))
        if filters.path:
            paths = [(Occur.Should, self._path(glob)) for glob in filters.path]
            yield Query.boolean_query(paths)

    def _under(self, glob: str) -> Query:
        if (pattern := path_pattern(glob)) is not None:
            try:
                return Query.regex_query(self._schema, "facts", f"path:{pattern}")
            except ValueError:
                pass  # too many states for the engine's automaton
        return self._one_of("path:", lambda path: fits_path(path, [glob]), beginning([glob]))

    def _one_of(self, kind: str, fits: Callable[[str], bool], begin: str = "") -> Query:
        """Return a query for chunks with a matching fact, found by enumerating facts with a prefix."""
        facts = (fact for fact, _ in self._searcher.terms_with_prefix("facts", f"{kind}{begin}"))
        return Query.term_set_query(self._schema, "facts", [fact for fact in facts if fits(fact.removeprefix(kind))])

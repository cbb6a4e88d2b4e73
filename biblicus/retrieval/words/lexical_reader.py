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
from biblicus.retrieval.words.fields import FIELDS, TITLE, WEIGHTS, WHOLE, weighed, wholes
from biblicus.retrieval.words.reading import WordsReader
from biblicus.retrieval.words.wording import Languages, Phrase, Wording, understood
from biblicus.text.globs import beginning, fits_path, fits_type

_AT_ONCE = 160
"""Minimum number of chunks fetched from the engine, before sibling boosts."""
_REMEMBERED = 10_000
"""Maximum fetched chunks that are cached for another call with the same question."""


_TERMS = 8_192
"""Maximum term weights that are cached."""
_TEXT = FIELDS[0]
_BEYOND = (2 - sibling_boost.WORTH) / (2 + sibling_boost.WORTH) * (1 - 4 * ROUNDING)
"""Share of another chunk's score below which a chunk cannot pass it by sibling boosts."""


class _Fetched(NamedTuple):
    """Chunks fetched for a question, with the engine's scores. `queries`: see `_asked`."""

    question: Question
    allow: Allow | None
    queries: Sequence[Query]
    hits: Sequence[tuple[float, DocAddress]]
    limit: int


def _merged(
    best: Sequence[tuple[float, DocAddress]], others: Sequence[tuple[float, DocAddress]]
) -> list[tuple[float, DocAddress]]:
    """Return the hits of two searches, best first; hits in `best` keep those scores."""
    known = {(address.segment_ord, address.doc) for _, address in best}
    rest = [hit for hit in others if (hit[1].segment_ord, hit[1].doc) not in known] if known else others
    return sorted([*best, *rest], key=itemgetter(0), reverse=True)


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
            fetched = _Fetched(question, allow, [self._narrowed(query, allow) for query in queries], (), 0)
        return self._hits(fetched, k) if k > 0 else []

    def chunks_with(self, term: str, field: str = _TEXT) -> int:
        """Return the number of live chunks with the term."""
        ever = self._searcher.doc_freq(field, term)
        if not ever or self._documents == self._documents_ever:
            return ever
        if (field, term) not in self._live:
            query = Query.term_query(self._schema, field, term)
            found = self._searcher.search(query, 1, count=True)
            self._live[field, term] = found.count  # type: ignore[attr-defined]  # stub
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
        limit = max(_AT_ONCE, 2 * k)
        while True:
            limit = min(limit, self._documents)
            fetched = self._with_more(fetched, limit)
            self._fetched = fetched if limit <= _REMEMBERED else None
            hits = fetched.hits[:limit]
            if not hits:
                return []
            is_all = len(hits) < limit or limit == self._documents
            if is_all or rounded(hits[k - 1][0]) > rounded(hits[-1][0]):
                return self._with_company(hits, k)
            limit *= 8

    def _with_company(self, hits: Sequence[tuple[float, DocAddress]], k: int) -> list[Hit]:
        """Return the best `k` fetched chunks and all ties, examining only chunks that a sibling boost can raise that
        far."""
        addresses = [address for _, address in hits]
        multipliers = self._values("multiplier", addresses)
        weighed = [score * own / 100 for (score, _), own in zip(hits, multipliers, strict=True)]
        order = sorted(range(len(weighed)), key=weighed.__getitem__, reverse=True)
        size = min(sibling_boost.POOL, len(order))
        near = weighed[order[size - 1]] * (1 - 2 * ROUNDING)
        while size < len(order) and weighed[order[size]] >= near:
            size += 1
        scores, items, others = self._parts(order[:size], weighed, addresses)
        factors = sibling_boost.factors_of(scores[: through_tie(scores, sibling_boost.POOL)], items, others)
        counted = sibling_boost.counted(scores, items, others, factors)
        if k <= size:
            beyond = sorted(counted, reverse=True)[k - 1] / max([1.0, *factors.values()]) * (1 - 4 * ROUNDING)
        else:
            beyond = weighed[order[min(k, len(order)) - 1]] * _BEYOND
        order = order[:size] + [at for at in order[size:] if weighed[at] >= beyond]
        if len(order) > size:
            counted += sibling_boost.counted(*self._parts(order[size:], weighed, addresses), factors)
        least = sorted(counted, reverse=True)[min(k, len(counted)) - 1]
        least -= abs(least) * ROUNDING
        best = [(at, score) for at, score in zip(order, counted, strict=True) if score >= least]
        rows = self._values("row", [addresses[at] for at, _ in best])
        found = [Hit(row, rounded(score)) for row, (_, score) in zip(rows, best, strict=True)]
        found.sort(key=itemgetter(1), reverse=True)
        return found[: through_tie([hit.score for hit in found], k)]

    def _parts(
        self, order: Sequence[int], weighed: Sequence[float], addresses: Sequence[DocAddress]
    ) -> tuple[list[float], list[int], list[int]]:
        """Return the rounded score and item of each chunk, and how many other chunks the item has."""
        chosen = [addresses[at] for at in order]
        return [rounded(weighed[at]) for at in order], self._values("item", chosen), self._values("others", chosen)

    def _with_more(self, fetched: _Fetched, limit: int) -> _Fetched:
        """Return the result with at least `limit` chunks, if there are as many."""
        if limit <= fetched.limit or len(fetched.hits) < fetched.limit:
            return fetched
        hits, *named = (self._searcher.search(query, limit, count=False).hits for query in fetched.queries)
        return fetched._replace(hits=_merged(named[0], hits)[:limit] if named else hits, limit=limit)

    def _values(self, name: str, addresses: list[DocAddress]) -> list[int]:
        """Return the values of a fast field for documents."""
        values: Callable[..., Any] = self._searcher.fast_field_values
        found: list[int] = values(name, addresses)
        return found

    def _asked(self, question: Question) -> list[Query]:
        """Return the queries of a question: words OR-ed over all fields, quoted phrases required. A second query
        matches chunks that contain a name as a phrase, which get a boost. It is separate because the engine can skip
        chunks only for pure term queries."""
        wording = understood(question, self._languages)
        clauses = list(self._clauses(wording))
        queries = [_together(clauses)] if clauses else []
        if names := [(Occur.Should, name) for name in self._names(wording)]:
            queries.append(_together([(Occur.Must, _together(names)), *clauses]))
        return queries

    def _clauses(self, wording: Wording) -> Iterator[tuple[Occur, Query]]:
        """Yield a clause for each word and field. Words in no chunk are left out, as they cost time."""
        for phrases in wording.required:
            yield Occur.Must, self._either(phrases)
        runs = list(wholes(wording.telling, self._languages, self._idf))
        for word in weighed(wording.words, runs, lambda term: self._idf(term, TITLE) < self._rarest):
            for field, weight in WEIGHTS.items():
                weights = [(term, self._idf(term, field)) for term in word.variants]
                known = {term: own for term, own in weights if own < self._rarest}
                if known:
                    worth = weight * word.weight * min(known.values())
                    yield Occur.Should, self._best([self._term(field, term, worth) for term in known])
        for run in runs:
            for field, weight in WHOLE.items():
                for term in run.terms:
                    if self._idf(term, field) < self._rarest:
                        yield Occur.Should, self._term(field, term, weight * run.weight)

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
        query, own = Query.term_query(self._schema, field, term), self._idf_ever(term, field)
        return query if own == weight else Query.boost_query(query, weight / own)

    def _phrase(self, phrase: Phrase, weight: float) -> Query:
        """Return the query for a phrase variant with the given weight instead of the index's idf."""
        if len(phrase) == 1:
            return self._term(_TEXT, phrase[0][1], weight)
        query = Query.phrase_query(self._schema, _TEXT, list(phrase))
        own = sum([self._idf_ever(term) for _, term in phrase])
        return query if own == weight else Query.boost_query(query, weight / own)

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

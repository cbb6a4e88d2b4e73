"""Questions to the index of the leg `lexical`, in tantivy's terms. Only imported where an index is opened."""

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
from biblicus.retrieval.words import company
from biblicus.retrieval.words.fields import FIELDS, TITLE, WEIGHTS, WHOLE, weighed, wholes
from biblicus.retrieval.words.reading import WordsReader
from biblicus.retrieval.words.wording import Languages, Phrase, Wording, understood
from biblicus.text.globs import beginning, fits_path, fits_type

_AT_ONCE = 160
"""Chunks that are fetched at least."""
_REMEMBERED = 10_000
"""Chunks: what is fetched beyond is not kept for another question about the same."""


_TERMS = 8_192
"""Whose weights are remembered."""
_TEXT = FIELDS[0]
_BEYOND = (2 - company.WORTH) / (2 + company.WORTH) * (1 - 4 * ROUNDING)
"""A chunk with a smaller share of another's score stays behind it whatever company both have."""


class _Fetched(NamedTuple):
    """What was fetched for a question: the best chunks, with the engine's own scores. `queries`: see `_asked`."""

    question: Question
    allow: Allow | None
    queries: Sequence[Query]
    hits: Sequence[tuple[float, DocAddress]]
    limit: int


def _merged(
    best: Sequence[tuple[float, DocAddress]], others: Sequence[tuple[float, DocAddress]]
) -> list[tuple[float, DocAddress]]:
    """Hits of two searches, best first; those of `best` with their scores there."""
    known = {(address.segment_ord, address.doc) for _, address in best}
    rest = [hit for hit in others if (hit[1].segment_ord, hit[1].doc) not in known] if known else others
    return sorted([*best, *rest], key=itemgetter(0), reverse=True)


def _together(clauses: Sequence[tuple[Occur, Query]]) -> Query:
    """The query of these clauses."""
    return clauses[0][1] if len(clauses) == 1 else Query.boolean_query(clauses)


class LexicalReader(WordsReader):
    """An opened index (see `contracts.LegReader`). It never changes, so threads share it freely.

    Deleted documents stay in tantivy's statistics until their segment is merged. Where there are any, each term is
    boosted by its idf over the live chunks relative to the index's own, so that an incremental run scores like a fresh
    one.
    """

    _idf: Callable[..., float]

    def __init__(self, index: Index, languages: Languages, documents_ever: int) -> None:
        self._schema: Schema = index.schema
        self._searcher: Searcher = index.searcher()
        self._languages = languages
        self._documents = self._searcher.num_docs
        self._documents_ever = documents_ever
        self._fetched: _Fetched | None = None
        self._path = lru_cache(maxsize=64)(self._under)  # a look at every path may cost 50 ms
        self._live: dict[tuple[str, str], int] = {}
        self._idf = self._idf_ever = lru_cache(maxsize=_TERMS)(self._weigh)
        if self._documents != documents_ever:
            self._idf_ever = lru_cache(maxsize=_TERMS)(self._weigh_ever)
        self._rarest = idf(self._documents, 0)

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        fetched = self._fetched
        if fetched is None or fetched.question is not question or fetched.allow is not allow:
            queries = self._asked(question)
            if not queries or not self._documents or (allow and allow.item_rows is not None and not allow.item_rows):
                return []
            fetched = _Fetched(question, allow, [self._narrowed(query, allow) for query in queries], (), 0)
        return self._hits(fetched, k) if k > 0 else []

    def chunks_with(self, term: str, field: str = _TEXT) -> int:
        """In how many live chunks the term is."""
        ever = self._searcher.doc_freq(field, term)
        if not ever or self._documents == self._documents_ever:
            return ever
        if (field, term) not in self._live:
            query = Query.term_query(self._schema, field, term)
            found = self._searcher.search(query, 1, count=True)
            self._live[field, term] = found.count  # type: ignore[attr-defined]  # stub
        return self._live[field, term]

    def one_with(self, term: str) -> int:
        """The row of a chunk that holds the term."""
        hits = self._searcher.search(Query.term_query(self._schema, "text", term), 1, count=False).hits
        return self._values("row", [address for _, address in hits])[0]

    def _weigh(self, term: str, field: str = _TEXT) -> float:
        return idf(self._documents, self.chunks_with(term, field))

    def _weigh_ever(self, term: str, field: str = _TEXT) -> float:
        """What the index weighs a term, by the documents that it once had."""
        return idf(self._documents_ever, self._searcher.doc_freq(field, term))

    def _hits(self, fetched: _Fetched, k: int) -> list[Hit]:
        """The best chunks of those that the engine finds best, by their multipliers and their company. More are fetched
        only where the `k`th ties with the last."""
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
        """The best `k` of what was fetched, and all that tie with the last of them. No more chunks are looked at than
        company can bring among the best."""
        addresses = [address for _, address in hits]
        multipliers = self._values("multiplier", addresses)
        weighed = [score * own / 100 for (score, _), own in zip(hits, multipliers, strict=True)]
        order = sorted(range(len(weighed)), key=weighed.__getitem__, reverse=True)
        size = min(company.POOL, len(order))
        near = weighed[order[size - 1]] * (1 - 2 * ROUNDING)
        while size < len(order) and weighed[order[size]] >= near:
            size += 1
        scores, items, others = self._parts(order[:size], weighed, addresses)
        factors = company.factors_of(scores[: through_tie(scores, company.POOL)], items, others)
        counted = company.counted(scores, items, others, factors)
        if k <= size:
            beyond = sorted(counted, reverse=True)[k - 1] / max([1.0, *factors.values()]) * (1 - 4 * ROUNDING)
        else:
            beyond = weighed[order[min(k, len(order)) - 1]] * _BEYOND
        order = order[:size] + [at for at in order[size:] if weighed[at] >= beyond]
        if len(order) > size:
            counted += company.counted(*self._parts(order[size:], weighed, addresses), factors)
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
        """Rounded score and item of each chunk, and how many other chunks the item has."""
        chosen = [addresses[at] for at in order]
        return [rounded(weighed[at]) for at in order], self._values("item", chosen), self._values("others", chosen)

    def _with_more(self, fetched: _Fetched, limit: int) -> _Fetched:
        """The same with so many chunks at least, where there are as many."""
        if limit <= fetched.limit or len(fetched.hits) < fetched.limit:
            return fetched
        hits, *named = (self._searcher.search(query, limit, count=False).hits for query in fetched.queries)
        return fetched._replace(hits=_merged(named[0], hits)[:limit] if named else hits, limit=limit)

    def _values(self, name: str, addresses: list[DocAddress]) -> list[int]:
        """What a fast field has of each document."""
        values: Callable[..., Any] = self._searcher.fast_field_values
        found: list[int] = values(name, addresses)
        return found

    def _asked(self, question: Question) -> list[Query]:
        """Return the queries of a question, none where nothing is asked: words OR-ed over all fields, quoted phrases
        required; then the same for chunks that hold a name together, which count more. Asked apart, because the engine
        passes over chunks that cannot be among the best only where it ranks by terms alone.
        """
        wording = understood(question, self._languages)
        clauses = list(self._clauses(wording))
        queries = [_together(clauses)] if clauses else []
        if names := [(Occur.Should, name) for name in self._names(wording)]:
            queries.append(_together([(Occur.Must, _together(names)), *clauses]))
        return queries

    def _clauses(self, wording: Wording) -> Iterator[tuple[Occur, Query]]:
        """One clause for each word and field. Words that no chunk has are left out: they cost the engine time."""
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
        """The names that should stand together."""
        for phrases in wording.names:
            if (query := self._one(phrases)) is not None:
                yield query if wording.boost == 1 else Query.boost_query(query, wording.boost)

    def _one(self, variants: Sequence[Phrase]) -> Query | None:
        """`_either`; None where no chunk holds all the words of any."""
        rarest, weigh = self._rarest, self._idf
        if all(any(weigh(term) == rarest for _, term in phrase) for phrase in variants):
            return None
        return self._either(variants)

    def _either(self, variants: Sequence[Phrase]) -> Query:
        """The variants of a word or phrase, in whichever a chunk has best. All weigh what the most frequent one does:
        in a language that few chunks are of, every word would be rare."""
        weights = [sum([self._idf(term) for _, term in phrase]) for phrase in variants]
        return self._best([self._phrase(phrase, min(weights)) for phrase in variants])

    def _best(self, variants: list[Query]) -> Query:
        return variants[0] if len(variants) == 1 else Query.disjunction_max_query(variants)

    def _term(self, field: str, term: str, weight: float) -> Query:
        """The query for one term, with a weight in the place of the idf that the index gives it."""
        query, own = Query.term_query(self._schema, field, term), self._idf_ever(term, field)
        return query if own == weight else Query.boost_query(query, weight / own)

    def _phrase(self, phrase: Phrase, weight: float) -> Query:
        """The query for one variant, with a weight in the place of the idf that the index gives it."""
        if len(phrase) == 1:
            return self._term(_TEXT, phrase[0][1], weight)
        query = Query.phrase_query(self._schema, _TEXT, list(phrase))
        own = sum([self._idf_ever(term) for _, term in phrase])
        return query if own == weight else Query.boost_query(query, weight / own)

    def _narrowed(self, query: Query, allow: Allow | None) -> Query:
        """The query over the allowed chunks only. Filters add nothing to a score."""
        clauses = list(self._filters(allow.filters)) if allow else []
        if allow and allow.item_rows is not None:
            clauses.append(Query.term_set_query(self._schema, "item", sorted(allow.item_rows)))
        if not clauses:
            return query
        filters = Query.boolean_query([(Occur.Must, clause) for clause in clauses])
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(filters, 0.0))])

    def _filters(self, filters: Filters) -> Iterator[Query]:
        """One query for each kind of filter that restricts; all of them must hold (see `text.fitting`)."""
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
                pass  # more states than the engine's automaton takes
        return self._one_of("path:", lambda path: fits_path(path, [glob]), beginning([glob]))

    def _one_of(self, kind: str, fits: Callable[[str], bool], begin: str = "") -> Query:
        """The chunks with a fact of a kind that fits, by a look at each of that kind that begins so."""
        facts = (fact for fact, _ in self._searcher.terms_with_prefix("facts", f"{kind}{begin}"))
        return Query.term_set_query(self._schema, "facts", [fact for fact in facts if fits(fact.removeprefix(kind))])

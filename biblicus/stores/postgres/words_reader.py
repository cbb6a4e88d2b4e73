"""Questions to the leg by words in PostgreSQL: ranked there, filters first, by what `lexical` ranks by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, LiteralString, NamedTuple

from psycopg import sql

from biblicus.contracts import Call, Held, Hit
from biblicus.models.evidence import Rarity
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import K1, B, idf, rarity, rounded, support, through_tie, worth_of_names
from biblicus.retrieval.words import called, company, spelling
from biblicus.retrieval.words.wording import Languages, Phrase, understood
from biblicus.stores.postgres.server import Row
from biblicus.stores.postgres.tables import PostgresTables
from biblicus.stores.postgres.words import LENGTHS, POSITIONS
from biblicus.text import kinds

_TEXT = 0
_REMEMBERED = 50_000
"""Terms whose chunks were counted."""

_LIVE: LiteralString = "AND u.row <> ALL(%(gone)s::int[])"
_ALLOWED: LiteralString = "AND u.row IN (SELECT w.row FROM {words} w WHERE w.item = ANY(%(items)s::int[]))"
_TERMS: LiteralString = """
  SELECT u.clause, u.row, u.factor * (%(worths)s::float8[])[(u.code >> 8 & 255) + 1] * CASE WHEN u.is_even THEN 1.0
    ELSE (u.code >> 16) / ((u.code >> 16) + (%(norms)s::float8[])[(u.code & 255) + 1]) END AS score
  FROM (SELECT a.clause, a.factor, a.is_even, unnest(p.rows) AS row, unnest(p.codes) AS code
    FROM unnest({clauses}::int[], {fields}::smallint[], {terms}::text[], {factors}::float8[], {evens}::bool[])
      AS a(clause, field, term, factor, is_even)
    JOIN {postings} p ON p.term = a.term COLLATE "C" AND p.field = a.field) u
  WHERE true {narrowed}"""
_PHRASE: LiteralString = """
  SELECT {clause} AS clause, u.row, {factor} * (%(worths)s::float8[])[w.kind + 1]
    * u.times / (u.times + (%(norms)s::float8[])[w.byte]) AS score
  FROM (SELECT t0.at >> {bits} AS row, count(*) AS times FROM {places} GROUP BY 1) u
  JOIN (SELECT row, kind, width_bucket(length, %(lengths)s::int[]) AS byte FROM {words}) w ON w.row = u.row
  WHERE true {narrowed}"""
_PLACES: LiteralString = (
    "(SELECT unnest(p.occurrences) - {ahead} AS at FROM {postings} p WHERE p.field = 0 AND p.term = {term})"
)


class Asked(NamedTuple):
    """One of the ways in which a clause of a question holds. `phrase`: its terms, of `field`; `is_even`: it counts the
    same in every chunk. `factor`: what it counts, times the chunk's own part."""

    clause: int
    phrase: Phrase
    factor: float
    field: int = _TEXT
    is_even: bool = False


class WordsReader:
    """An opened leg (see `contracts.LegReader`). Safe for several threads."""

    by_words = True

    def __init__(
        self, tables: PostgresTables, number: int, languages: Languages, chunks: int, length: int, gone: Sequence[int]
    ) -> None:
        self._tables, self._number, self._languages = tables, number, languages
        self._chunks, self._gone = chunks, list(gone)
        average = length / chunks if chunks and length else 1.0
        self._norms = [K1 * (1 - B + B * length / average) for length in LENGTHS]
        self._known: dict[tuple[int, str], int] = {}

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        if k < 1 or not self._chunks or (allow and allow.item_rows is not None and not allow.item_rows):
            return []
        asked, required = self._asked(question)
        return self._hits(asked, required, allow, k, kinds.worths(question.text)) if asked else []

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """Nothing: a chunk that is not among the hits would cost a search of its own."""
        return {}

    def floor(self, question: Question) -> float:
        """A chunk that holds no word of the question has no score."""
        return 0.0

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """How much of the question the best of these holds (see `ranking.support`)."""
        wording = understood(question, self._languages)
        self._look_up((_TEXT, term) for variants in wording.content for term in variants)
        return support(wording, self._languages.stemmers, [held.text for held in best], self._idf)

    def rarity(self, question: Question) -> Rarity:
        """How rare the question's words are among the chunks."""
        return rarity(understood(question, self._languages), self._idf, idf(self._chunks, 0))

    def meant(self, question: Question, text_of: Callable[[int], str]) -> Mapping[str, spelling.Meant]:
        """For each misspelt word of a question the one that is meant (see `words.spelling`)."""
        self._look_up(self._terms_of(question))
        return spelling.meant(question, self._languages, self, text_of)

    def chunks_with(self, term: str) -> int:
        """In how many chunks the term is."""
        return self._with(_TEXT, term)

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each of the terms is."""
        self._look_up((_TEXT, term) for term in terms)
        return [self.chunks_with(term) for term in terms]

    def one_with(self, term: str) -> int:
        """The row of a chunk that holds the term."""
        query = "SELECT u.row FROM {postings} p, unnest(p.rows) u(row) WHERE p.field = 0 AND p.term = %(term)s"
        return int(self._rows(f"{query} {_LIVE} LIMIT 1", {"term": term, "gone": self._gone})[0][0])

    def close(self) -> None:
        """Nothing is held open."""

    # --- how rare terms are ---

    def _idf(self, term: str) -> float:
        return idf(self._chunks, self.chunks_with(term))

    def _with(self, field: int, term: str) -> int:
        if (field, term) not in self._known:
            self._look_up([(field, term)])
        return self._known[field, term]

    def _look_up(self, asked: Iterable[tuple[int, str]]) -> None:
        """Count the chunks of terms that are not known yet, all at once."""
        if missing := [one for one in dict.fromkeys(asked) if one not in self._known]:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            counted = (
                "p.chunks"
                if not self._gone
                else ("(SELECT count(*) FROM unnest(p.rows) u(row) WHERE true " + _LIVE + ")")
            )
            values = {"fields": [field for field, _ in missing], "terms": [term for _, term in missing]}
            selected = self._rows(
                f"SELECT a.field, a.term, sum({counted})::int"
                " FROM unnest(%(fields)s::smallint[], %(terms)s::text[]) AS a(field, term)"
                ' JOIN {postings} p ON p.term = a.term COLLATE "C" AND p.field = a.field GROUP BY 1, 2',
                {**values, "gone": self._gone},
            )
            self._known.update(dict.fromkeys(missing, 0))
            self._known.update({(field, term): chunks for field, term, chunks in selected})

    def _terms_of(self, question: Question) -> Iterator[tuple[int, str]]:
        """Every term that ranking a question asks for, and the next to it that spelling does."""
        wording = understood(question, self._languages)
        for words in (wording.words, wording.symbols):
            yield from ((_TEXT, term) for word in words for term in word.variants)
        for phrases in (*wording.required, *wording.names):
            yield from ((_TEXT, term) for phrase in phrases for _, term in phrase)
        yield from ((_TEXT, term) for variants in wording.content for term in variants)
        named = called.named(question, self._languages, lambda term: 1.0)
        texts = {part for run in named for term in run.terms for part in term.split()}
        yield from ((_TEXT, term) for term in sorted(texts))
        yield from ((field, term) for field in (1, 2, 3) for run in named for term in run.terms)

    # --- what is asked ---

    def _asked(self, question: Question) -> tuple[list[Asked], list[int]]:
        """The clauses of a question, and which of them must hold: as `lexical` asks them."""
        self._look_up(self._terms_of(question))
        wording = understood(question, self._languages)
        asked: list[Asked] = []
        clauses = iter(range(1 << 30))
        required = []
        for phrases in wording.required:
            required.append(clause := next(clauses))
            asked += self._either(clause, phrases, 1.0)
        for word in wording.words:
            asked += self._either(next(clauses), [((0, term),) for term in word.variants], word.weight)
        for word in wording.symbols:
            clause = next(clauses)
            asked += [
                Asked(clause, ((0, term),), word.weight * self._idf(term), is_even=True) for term in word.variants
            ]
        for phrases in wording.names:
            asked += self._either(next(clauses), phrases, wording.boost)
        if asked:
            asked += self._called(question, clauses)
        return asked, required

    def _either(self, clause: int, variants: Sequence[Phrase], weight: float) -> Iterator[Asked]:
        """The variants of a word or phrase: all weigh what the most frequent one does."""
        least = min(sum(self._idf(term) for _, term in phrase) for phrase in variants)
        return (Asked(clause, phrase, weight * least * (K1 + 1)) for phrase in variants)

    def _called(self, question: Question, clauses: Iterator[int]) -> Iterator[Asked]:
        """What is called as some of the question: titles and headings, whole."""
        runs = called.named(question, self._languages, self._idf)
        for field, worth in enumerate(worth_of_names(question.text), 1):
            for run in runs:
                for term in run.terms:
                    if self._with(field, term):
                        yield Asked(next(clauses), ((0, term),), worth * run.weight * run.share, field, True)

    # --- ranking ---

    def _hits(
        self, asked: Sequence[Asked], required: Sequence[int], allow: Allow | None, k: int, worths: Sequence[float]
    ) -> list[Hit]:
        """The best chunks, by what their kind is worth and their company. None that was not fetched can reach the last
        that was."""
        query, values = self._query(asked, required, allow, worths)
        limit = 2 * max(k, company.POOL)
        while True:
            fetched = self._tables.asked(query, {**values, "limit": limit})
            scores = [rounded(score) for _, score, _, _ in fetched]
            order = sorted(range(len(scores)), key=lambda at: (-scores[at], fetched[at][0]))
            hits = [Hit(fetched[at][0], scores[at]) for at in order]
            weighed = company.weighed(hits, [fetched[at][2] for at in order], [fetched[at][3] for at in order])
            last = min(scores, default=0.0)
            is_all = len(fetched) < limit
            # What is not fetched has no more than the last; company makes of that at most so much.
            most = last * (1 + company.WORTH / 2)
            if is_all or (hits[company.POOL - 1].score > last and len(weighed) >= k and weighed[k - 1].score > most):
                return weighed[: through_tie([hit.score for hit in weighed], k)]
            limit *= 8

    def _query(
        self, asked: Sequence[Asked], required: Sequence[int], allow: Allow | None, worths: Sequence[float]
    ) -> tuple[sql.Composed, dict[str, Any]]:
        """The query that ranks, and its values but for `limit`."""
        narrowed: sql.SQL | sql.Composed = sql.SQL(_LIVE if self._gone else "")
        values: dict[str, Any] = {"gone": self._gone, "worths": list(worths), "norms": self._norms, "lengths": LENGTHS}
        if allow is not None:
            rows = self._tables.rows_where(allow.filters)
            values["items"] = sorted(rows if allow.item_rows is None else rows & allow.item_rows)
            narrowed = sql.SQL(" ").join([narrowed, self._named(_ALLOWED)])
        variants: dict[int, int] = {}
        for one in asked:
            variants[one.clause] = variants.get(one.clause, 0) + 1
        only = self._matched([one for one in asked if variants[one.clause] == 1], narrowed, values, "only")
        several = self._matched([one for one in asked if variants[one.clause] > 1], narrowed, values, "several")
        parts = [only] if only else []
        if several:  # of the variants of one clause a chunk is credited with the best
            best = sql.SQL("SELECT clause, row, max(score) AS score FROM ({}) v GROUP BY clause, row").format(several)
            parts.append(best)
        having = sql.SQL(" AND ").join(
            [sql.SQL("true"), *(sql.SQL("bool_or(clause = {})").format(clause) for clause in required)]
        )
        return (
            self._named(
                "WITH ranked AS (SELECT row, sum(score) AS score FROM ({matched}) m"
                " GROUP BY row HAVING {having} ORDER BY 2 DESC LIMIT %(limit)s)"
                " SELECT r.row, r.score, w.item, w.others FROM ranked r JOIN {words} w ON w.row = r.row",
                matched=sql.SQL(" UNION ALL ").join(parts),
                having=having,
            ),
            values,
        )

    def _matched(
        self, asked: Sequence[Asked], narrowed: sql.Composable, values: dict[str, Any], named: str
    ) -> sql.Composed | None:
        """The part of the query for these, `named` among its values: the chunks in which each holds, with a score."""
        terms = [one for one in asked if len(one.phrase) == 1]
        parts = [self._phrase(one, narrowed) for one in asked if len(one.phrase) > 1]
        if terms:
            columns = {
                "clauses": [one.clause for one in terms],
                "fields": [one.field for one in terms],
                "terms": [one.phrase[0][1] for one in terms],
                "factors": [one.factor for one in terms],
                "evens": [one.is_even for one in terms],
            }
            values.update({f"{named}_{name}": column for name, column in columns.items()})
            places = {name: sql.Placeholder(f"{named}_{name}") for name in columns}
            parts.append(self._named(_TERMS, narrowed=narrowed, **places))
        return sql.SQL(" UNION ALL ").join(parts) if parts else None

    def _phrase(self, one: Asked, narrowed: sql.Composable) -> sql.Composed:
        """The part of the query for a phrase: places of the first term at which the others follow."""
        places = [self._named(_PLACES, ahead=sql.Literal(ahead), term=sql.Literal(term)) for ahead, term in one.phrase]
        joined = sql.SQL("{} t0").format(places[0])
        for number, place in enumerate(places[1:], 1):
            joined = sql.SQL("{} JOIN {} {} ON {} = t0.at").format(
                joined, place, sql.Identifier(f"t{number}"), sql.Identifier(f"t{number}", "at")
            )
        return self._named(
            _PHRASE,
            clause=sql.Literal(one.clause),
            factor=sql.SQL("{}::float8").format(sql.Literal(one.factor)),
            bits=sql.Literal(POSITIONS),
            places=joined,
            narrowed=narrowed,
        )

    def _named(self, query: LiteralString, **parts: sql.Composable) -> sql.Composed:
        names = {name: self._tables.view(f"{name}_{self._number}") for name in ("words", "postings")}
        return sql.SQL(query).format(**names, **parts)

    def _rows(self, query: LiteralString, values: Mapping[str, Any]) -> list[Row]:
        return self._tables.asked(self._named(query), values)

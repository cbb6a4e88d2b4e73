"""The query that ranks by lists of terms, in rounds: short lists are read whole, and as soon as no chunk that is in
none of those can come among the best, longer ones are only looked up for the chunks that still can.

What each list counts at most is known before (MaxScore; Turtle and Flood 1995). Scores are those of reading all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, LiteralString, NamedTuple

from psycopg import sql

from biblicus.stores.asking import Asked
from biblicus.stores.postgres.words import POSITIONS

_SHARES = (0.5, 0.25)
"""Of what lists count together that are long enough to fill the best: how much those count at most that a round
leaves."""
_FEW = 2_000
"""Chunks in lists that are not worth a round of their own."""
_SAMPLED = 4
"""Of how many times the chunks that are wanted the whole scores are looked up to see what the best have."""
_SLACK = 1e-9
"""What the order of a sum may take from a score, as a share of it."""

_SCORE: LiteralString = """u.factor * (u.code >> 8 & 255) / 100.0 * (u.code >> 16)
    / ((u.code >> 16) + ({norms}::float8[])[(u.code & 255) + 1 + 256 * u.field]) AS score"""
_LISTS: LiteralString = """
    FROM unnest({clauses}::int[], {fields}::smallint[], {terms}::text[], {factors}::float8[])
      AS a(clause, field, term, factor)
    JOIN {postings} p ON p.term = a.term COLLATE "C" AND p.field = a.field WHERE """
_READ: LiteralString = (
    "SELECT u.clause, u.row, "
    + _SCORE
    + " FROM (SELECT a.clause, a.field, a.factor, unnest(p.rows) AS row, unnest(p.codes) AS code"
    + _LISTS
    + "{is_open}) u WHERE true {narrowed}"
)
_LOOKED_UP: LiteralString = (
    "SELECT u.clause, u.row, "
    + _SCORE
    + " FROM (SELECT l.clause, l.field, l.factor, x.row, l.codes[x.at] AS code"
    + " FROM (SELECT a.clause, a.field, a.factor, p.rows || '{{}}'::int[] AS rows, p.codes || '{{}}'::int[] AS codes"
    + _LISTS
    + "{is_open} OFFSET 0) l, LATERAL (SELECT c.row, width_bucket(c.row, l.rows) AS at"
    " FROM unnest({among}[width_bucket(l.rows[1] - 1, {among}) + 1"
    " : width_bucket(l.rows[cardinality(l.rows)], {among})]) AS c(row) OFFSET 0) x WHERE l.rows[x.at] = x.row) u"
)
"""`|| '{}'` and `OFFSET 0`: so that a list is fetched once, and not again for every chunk that is looked up in it."""
_ALLOWED: LiteralString = """allowed AS MATERIALIZED (
  SELECT array_agg(u.row ORDER BY u.row) AS rows FROM {words} u WHERE u.item = ANY(%(items)s::int[]))"""
_IS_ALLOWED: LiteralString = "AND (SELECT rows FROM allowed)[width_bucket(u.row, (SELECT rows FROM allowed))] = u.row"
_PHRASE: LiteralString = """
  SELECT {clause} AS clause, u.row, {factor} * w.multiplier / 100.0
    * u.times / (u.times + ({norms}::float8[])[w.byte]) AS score
  FROM (SELECT (x.at >> {bits})::int AS row, count(*) AS times
    FROM (SELECT {columns} FROM {lists} OFFSET 0) l, LATERAL unnest(l.places0) AS x(at) WHERE {follow} GROUP BY 1) u
  JOIN (SELECT row, multiplier, width_bucket(length, %(lengths)s::int[]) AS byte FROM {words}) w ON w.row = u.row
  WHERE true {narrowed}"""
_FOLLOWS: LiteralString = "l.{places}[width_bucket(x.at + {ahead}, l.{places})] = x.at + {ahead}"
_OVERLAP: LiteralString = "{list}.first <= t0.last AND {list}.last >= t0.first"
_PLACES: LiteralString = """{places} AS MATERIALIZED (
  SELECT l.places, l.places[1] >> {bits} AS first, l.places[cardinality(l.places)] >> {bits} AS last FROM (
    SELECT p.occurrences || '{{}}'::bigint[] AS places FROM {postings} p
    WHERE p.field = 0 AND p.term = {term} OFFSET 0) l)"""
_BEST_WAYS: LiteralString = "SELECT clause, row, max(score) AS score FROM ({ways}) v GROUP BY clause, row"
"""Of the variants of one clause a chunk is credited with the best."""
_SUMS: LiteralString = """{sums} AS MATERIALIZED (
  SELECT row, sum(score) AS score FROM ({matched}) m GROUP BY row HAVING {having})"""
_IS_OPEN: LiteralString = "(SELECT bar IS NULL FROM {cut})"
_IS_ENOUGH: LiteralString = "min(score) * (1 - {slack}) > {rest}"
_CUT: LiteralString = """{best} AS MATERIALIZED (SELECT row, score FROM {sums} ORDER BY score DESC LIMIT {sampled}),
{sample} AS MATERIALIZED (SELECT array_agg(row ORDER BY row) AS rows FROM {best}),
{cut} AS MATERIALIZED (
  SELECT CASE WHEN count(*) = {limit} AND {is_enough} THEN min(score) * (1 - {slack}) {otherwise} END AS bar
  FROM (SELECT sum(score) AS score FROM ({matched}) m GROUP BY row ORDER BY 1 DESC LIMIT {limit}) s)"""
"""What the best have at least, where no chunk can that is in none of the lists that were read."""
_ALL: LiteralString = "SELECT NULL::int AS clause, row, score FROM {sums}"
_ABLE: LiteralString = _ALL + " WHERE score >= (SELECT bar - {rest} FROM {cut})"
"""The chunks that can still have as much."""
_AMONG: LiteralString = "{among} AS MATERIALIZED (SELECT array_agg(row ORDER BY row) AS rows FROM ({able}) s)"
_NAMES = ("sums", "best", "sample", "cut", "among", "whole")
"""What a round has for parts."""
_QUERY: LiteralString = """
WITH {parts}, ranked AS (SELECT row, score FROM ({chosen}) s ORDER BY score DESC LIMIT {limit})
SELECT r.row, r.score, w.item, w.others FROM ranked r JOIN {words} w ON w.row = r.row"""


Clauses = Sequence[Sequence[Asked]]
"""Each with the ways in which it holds."""


class Lists(NamedTuple):
    """What a query reads. `named`: completes a part of the query with the names of tables; `own`: what a value is
    called that another leg, asked at once, has another of; `narrowed`: which chunks count, as a further condition.
    `allowed`: how many chunks a filter leaves; None without one."""

    named: Callable[..., sql.Composed]
    own: Callable[[str], str]
    chunks_with: Callable[[int, str], int]
    narrowed: sql.Composable
    allowed: int | None = None

    def gone_through(self, one: Asked) -> int:
        """With how many chunks a term's list costs."""
        length = self.chunks_with(one.field, one.phrase[0][1])
        return length if self.allowed is None else min(length, self.allowed)

    def is_looked_up(self, one: Asked) -> bool:
        """Whether a term's list is longer than the chunks that a filter leaves."""
        return self.allowed is not None and self.chunks_with(one.field, one.phrase[0][1]) > self.allowed


class Ranking:
    """Makes the query for the best `limit` chunks. `required`: clauses that must hold; `values`: the query's, to which
    its own are added."""

    def __init__(
        self, lists: Lists, asked: Sequence[Asked], required: Sequence[int], limit: int, values: dict[str, Any]
    ) -> None:
        self._lists, self._asked, self._required, self._values = lists, asked, required, values
        terms = dict.fromkeys(term for one in asked if len(one.phrase) > 1 for _, term in one.phrase)
        self._places = {term: sql.Identifier(f"places{at}") for at, term in enumerate(terms)}
        figures = {"limit": limit, "slack": _SLACK, "sampled": _SAMPLED * limit}
        self._narrowed = lists.narrowed
        if lists.allowed is not None:
            self._narrowed = sql.SQL(f"{{}} {_IS_ALLOWED}").format(lists.narrowed)
        self._limit, self._literals = limit, {name: sql.Literal(figure) for name, figure in figures.items()}

    def query(self) -> sql.Composed:
        """Rows, each with its score, its item and how many other chunks that has."""
        rounds = self._rounds()
        parts: list[sql.Composable] = [
            self._lists.named(_PLACES, places=name, term=sql.Literal(term), bits=sql.Literal(POSITIONS))
            for term, name in self._places.items()
        ]
        if self._lists.allowed is not None:
            parts.append(self._lists.named(_ALLOWED))
        chosen: list[sql.Composable] = []
        is_open: sql.Composable = sql.SQL("true")
        for at, clauses in enumerate(rounds):
            names = {name: sql.Identifier(f"{name}{at}") for name in _NAMES}
            matched = self._read(clauses, f"read{at}", is_open)
            having: list[sql.Composable] = [sql.SQL("true")]
            if at:
                before = sql.SQL(_ALL).format(sums=sql.Identifier(f"sums{at - 1}"))
                matched.append(sql.SQL("{} WHERE {}").format(before, is_open))
            else:  # what lacks something that is required does not count
                having += [sql.SQL("bool_or(clause = {})").format(clause) for clause in self._required]
            parts.append(self._sums(names["sums"], matched, having))
            if further := [ways for later in rounds[at + 1 :] for ways in later]:
                parts += self._looked_up_where_able(further, f"rest{at}", names)
                is_open = sql.SQL("{} AND {}").format(is_open, sql.SQL(_IS_OPEN).format(**names))
            chosen.append(sql.SQL(_ALL).format(sums=names["whole" if further else "sums"]))
        return self._lists.named(
            _QUERY,
            parts=sql.SQL(", ").join(parts),
            chosen=sql.SQL(" UNION ALL ").join(chosen),
            limit=self._literals["limit"],
        )

    def _sums(
        self, name: sql.Identifier, matched: Sequence[sql.Composable], having: Sequence[sql.Composable]
    ) -> sql.Composed:
        """What chunks have together."""
        every, all_of = sql.SQL(" UNION ALL ").join(matched), sql.SQL(" AND ").join(having)
        return sql.SQL(_SUMS).format(sums=name, matched=every, having=all_of)

    def _looked_up_where_able(
        self, further: Clauses, called: str, names: Mapping[str, sql.Identifier]
    ) -> Iterator[sql.Composed]:
        """What the best have after a round, and the whole scores of the chunks that can still have as much; nothing,
        where one that is in none of the lists that were read can."""
        rest = sql.Literal(sum(map(_most, further)))
        best = [sql.SQL(_ALL).format(sums=names["best"]), *self._looked_up(further, called, names["sample"])]
        yield sql.SQL(_CUT).format(
            matched=sql.SQL(" UNION ALL ").join(best),
            is_enough=sql.SQL("true" if self._required else _IS_ENOUGH).format(rest=rest, **self._literals),
            otherwise=sql.SQL("ELSE '-Infinity'" if self._required else ""),
            **names,
            **self._literals,
        )
        able = sql.SQL(_ABLE).format(rest=rest, **names)
        yield sql.SQL(_AMONG).format(able=able, **names)
        looked_up = self._looked_up(further, called, names["among"])
        yield self._sums(names["whole"], [able, *looked_up], [sql.SQL("true")])

    def _rounds(self) -> Sequence[Clauses]:
        """The clauses by rounds, shortest lists first: what must hold and what has phrases, which are counted in any
        case, is in the first."""
        of_clause: dict[int, list[Asked]] = {}
        for one in self._asked:
            of_clause.setdefault(one.clause, []).append(one)
        lengths = {
            clause: sum(map(self._lists.gone_through, ways))
            for clause, ways in of_clause.items()
            if clause not in self._required and all(len(one.phrase) == 1 for one in ways)
        }
        rounds: list[list[Sequence[Asked]]] = [[ways for clause, ways in of_clause.items() if clause not in lengths]]
        reached = sum(_most(of_clause[clause]) for clause, length in lengths.items() if length >= self._limit)
        rest, left, read = sum(_most(of_clause[clause]) for clause in lengths), sum(lengths.values()), 0
        shares = list(_SHARES)
        for clause in sorted(lengths, key=lengths.__getitem__):
            if rounds[-1] and shares and rest < shares[0] * reached and left > _FEW + read:
                rounds.append([])
                shares = [share for share in shares if share * reached <= rest]
            rounds[-1].append(of_clause[clause])
            rest -= _most(of_clause[clause])
            left, read = left - lengths[clause], read + lengths[clause]
        return rounds

    # --- the chunks in which clauses hold, each with a score ---

    def _read(self, clauses: Clauses, called: str, is_open: sql.Composable) -> list[sql.Composed]:
        """All that count, where `is_open`."""

        def parts(asked: Sequence[Asked], named: str) -> Iterator[sql.Composed]:
            yield from (self._phrase(one) for one in asked if len(one.phrase) > 1)
            terms = [one for one in asked if len(one.phrase) == 1]
            longer = [one for one in terms if self._lists.is_looked_up(one)]
            shorter = [one for one in terms if not self._lists.is_looked_up(one)]
            among = sql.SQL("(SELECT rows FROM allowed)")
            yield from self._terms(longer, f"{named}_longer", _LOOKED_UP, is_open=is_open, among=among)
            yield from self._terms(shorter, named, _READ, is_open=is_open, narrowed=self._narrowed)

        return self._matched(clauses, called, parts)

    def _looked_up(self, clauses: Clauses, called: str, among: sql.Identifier) -> list[sql.Composed]:
        """Some of these chunks."""
        rows = sql.SQL("(SELECT rows FROM {})").format(among)
        is_open = sql.SQL("{} IS NOT NULL").format(rows)
        return self._matched(
            clauses, called, lambda asked, named: self._terms(asked, named, _LOOKED_UP, is_open=is_open, among=rows)
        )

    def _matched(
        self, clauses: Clauses, called: str, parts: Callable[[Sequence[Asked], str], Iterable[sql.Composed]]
    ) -> list[sql.Composed]:
        only = [one for ways in clauses for one in ways if len(ways) == 1]
        several = [one for ways in clauses for one in ways if len(ways) > 1]
        matched = list(parts(only, f"{called}_only"))
        if ways := list(parts(several, f"{called}_several")):
            matched.append(sql.SQL(_BEST_WAYS).format(ways=sql.SQL(" UNION ALL ").join(ways)))
        return matched

    def _terms(
        self, terms: Sequence[Asked], called: str, query: LiteralString, **parts: sql.Composable
    ) -> Iterator[sql.Composed]:
        """For single terms, `called` among the query's values."""
        if terms:
            columns = {
                "clauses": [one.clause for one in terms],
                "fields": [one.field for one in terms],
                "terms": [one.phrase[0][1] for one in terms],
                "factors": [one.factor for one in terms],
            }
            names = {name: self._lists.own(f"{called}_{name}") for name in columns}
            self._values.update({names[name]: column for name, column in columns.items()})
            places = {name: sql.Placeholder(own) for name, own in names.items()}
            yield self._lists.named(query, **parts, **places)

    def _phrase(self, one: Asked) -> sql.Composed:
        """For a phrase: places of its rarest term, where the others are before and behind."""
        (start, rarest), *others = sorted(one.phrase, key=lambda part: self._lists.chunks_with(0, part[1]))
        columns: list[sql.Composable] = [sql.SQL("t0.places AS places0")]
        joined, follow = [sql.SQL("{} t0").format(self._places[rarest])], []
        for number, (ahead, term) in enumerate(others, 1):
            called = {"list": sql.Identifier(f"t{number}"), "places": sql.Identifier(f"places{number}")}
            columns.append(sql.SQL("{list}.places AS {places}").format(**called))
            overlap = sql.SQL(_OVERLAP).format(**called)
            joined.append(sql.SQL("JOIN {} {} ON {}").format(self._places[term], called["list"], overlap))
            follow.append(sql.SQL(_FOLLOWS).format(ahead=sql.Literal(ahead - start), **called))
        return self._lists.named(
            _PHRASE,
            clause=sql.Literal(one.clause),
            factor=sql.SQL("{}::float8").format(sql.Literal(one.factor)),
            bits=sql.Literal(POSITIONS),
            columns=sql.SQL(", ").join(columns),
            lists=sql.SQL(" ").join(joined),
            follow=sql.SQL(" AND ").join(follow),
            narrowed=self._narrowed,
        )


def _most(ways: Sequence[Asked]) -> float:
    """What a clause counts at most."""
    return max(one.factor for one in ways)

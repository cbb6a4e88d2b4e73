"""The leg `tsvector` in PostgreSQL: its own text search, by its own dictionaries, over a GIN index of a run's chunks.

The database makes the vectors of the texts that were copied in; a question's words are OR-ed, quoted phrases required.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, LiteralString

from psycopg import Connection, errors, sql

from biblicus.contracts import Call, ChunkTable, Held, Hit
from biblicus.errors import ConfigInvalid
from biblicus.models.evidence import Rarity
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import idf
from biblicus.retrieval.words.reading import WordsReader
from biblicus.retrieval.words.tsvector import AUTO, Tsvector
from biblicus.retrieval.words.wording import MOST_WORDS, Languages, quoted_in, understood, without_quoted
from biblicus.stores.copying import CopiedLeg
from biblicus.stores.postgres.at_once import Asking
from biblicus.stores.postgres.escapes import taken
from biblicus.stores.postgres.server import Row
from biblicus.stores.postgres.tables import PostgresTables
from biblicus.stores.postgres.words import SUMMARY
from biblicus.text.terms import analysis

_SIMPLE = "simple"
_CHECK_EVERY = 1024
_LONGEST = 100_000
"""Characters of a chunk that are ranked: a `tsvector` holds a megabyte."""
_REMEMBERED = 50_000
"""Terms whose chunks were counted."""

TABLE: LiteralString = """CREATE TABLE {table} (
  row integer NOT NULL, item integer NOT NULL, configuration text NOT NULL, vector tsvector NOT NULL)
  WITH (toast_tuple_target = 8160)"""
"""Vectors are read whenever they are ranked: they stay in their rows, as far as a page takes them."""
_FILL: LiteralString = """
INSERT INTO {table}
SELECT c.row, c.item, l.configuration, to_tsvector(l.configuration::regconfig, left({ranked}, {longest}))
FROM {chunks} c JOIN {items} i ON i.row = c.item CROSS JOIN LATERAL (
  SELECT coalesce(%(of_languages)s::jsonb ->> split_part(replace(lower(i.language), '_', '-'), '-', 1), %(main)s::text)
    AS configuration) l
ORDER BY c.row"""
_TITLED: LiteralString = "concat_ws(E'\\n', i.title, c.heading, c.text)"
"""With weights of its own, `ts_rank`'s, what is called so counts ten times: that costs scifact .05."""

_RANKED: LiteralString = """
SELECT row, score FROM ({ways}) w ORDER BY score DESC FETCH FIRST {limit} ROWS WITH TIES"""
_WAY: LiteralString = """
SELECT v.row, ts_rank(v.vector, {words} {phrases})::float8 AS score FROM {vectors} v
WHERE v.configuration = {configuration} AND v.vector @@ {condition} {narrowed}"""
_WORDS: LiteralString = "replace(plainto_tsquery({configuration}::regconfig, {words})::text, ' & ', ' | ')::tsquery"
_PHRASE: LiteralString = "phraseto_tsquery({configuration}::regconfig, {phrase})"
_ALLOWED: LiteralString = "AND v.item = ANY(%(items)s::int[])"
_COUNT: LiteralString = "SELECT {at}, count(*)::int FROM {vectors} v WHERE v.vector @@ {lexeme}::tsquery"


class Tsvectors(CopiedLeg[Tsvector]):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Choose the languages; the texts are copied in anyway. They are read to the end, as the table's owner may
        produce them meanwhile."""
        for number, _ in enumerate(chunks.rows() if parent is None else chunks.added()):
            if number % _CHECK_EVERY == 0:
                call.check()
        if parent is None:
            stemmers = analysis.Stemmers.among(chunks.languages())
            folder.mkdir(parents=True, exist_ok=True)
            (folder / SUMMARY).write_text(json.dumps({"stemmers": list(stemmers.chosen)}) + "\n", "utf-8")
        return {}

    def fill(
        self,
        connection: Connection[Row],
        folder: Path,
        table: sql.Identifier,
        chunks: sql.Identifier,
        items: sql.Identifier,
    ) -> dict[str, Any]:
        """Make the vectors of a part's chunks. Returns what the run keeps of the leg. Raises `ConfigInvalid`."""
        stemmers = analysis.Stemmers(tuple(json.loads((folder / SUMMARY).read_text("utf-8"))["stemmers"]))
        main, of_languages = self.leg.options.configuration, {}
        if main == AUTO:
            query = "SELECT cfgname FROM pg_ts_config WHERE pg_ts_config_is_visible(oid)"
            known = {name for (name,) in connection.execute(query).fetchall()}
            of = {name: name if name in known else _SIMPLE for name in ("", *stemmers.chosen)}
            main = of[stemmers.chosen[0]]
            of_languages = {code: of[stemmers.of(code)] for code in analysis.STEMMERS}
        ranked = sql.SQL(_TITLED if self.leg.options.title == "prefix" else "c.text")
        longest = sql.Literal(_LONGEST)
        filled = sql.SQL(_FILL).format(table=table, chunks=chunks, items=items, ranked=ranked, longest=longest)
        connection.execute(sql.SQL("ALTER TABLE {} ALTER vector SET STORAGE EXTERNAL").format(table))
        try:
            connection.execute("SELECT %s::text::regconfig", [main])
        except (errors.UndefinedObject, errors.SyntaxError, errors.InvalidName) as error:
            cause = f"the database has no text search configuration called {main}."
            raise ConfigInvalid("build.legs", cause, "configuration: auto, or one that psql's \\dF lists") from error
        connection.execute(filled, {"of_languages": json.dumps(of_languages), "main": main})
        connection.execute(sql.SQL("CREATE UNIQUE INDEX ON {} (row)").format(table))
        connection.execute(sql.SQL("CREATE INDEX ON {} (item)").format(table))
        connection.execute(sql.SQL("CREATE INDEX ON {} USING gin (vector)").format(table))
        connection.execute(sql.SQL("ANALYZE {}").format(table))
        configurations = sorted({main, *of_languages.values()})
        return {"by": "tsvector", "stemmers": list(stemmers.chosen), "configurations": configurations}


class TsvectorsReader(WordsReader):
    """An opened leg (see `contracts.LegReader`). Safe for several threads. `facts`: what the run keeps of the leg."""

    def __init__(self, tables: PostgresTables, facts: Mapping[str, Any], chunks: int) -> None:
        self._tables, self._facts, self._chunks = tables, facts, chunks
        self._languages = Languages(tuple(facts["stemmers"]))
        self._rarest = idf(chunks, 0)
        self._known: dict[str, int] = {}

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        asking = self.asking(question, allow, k, call)
        return asking.hits(self._tables.asked(asking.query, asking.values)) if asking else []

    def asking(self, question: Question, allow: Allow | None, k: int, call: Call) -> Asking | None:
        """The first query of a search; None where nothing is to be ranked."""
        values: dict[str, Any] = {}
        if allow is not None:
            values["items"], _ = self._tables.allowed(allow)
        if k < 1 or not self._chunks or (allow is not None and not values["items"]):
            return None
        text = taken(question.text)
        words, phrases = (
            self._own("words"),
            {self._own(f"phrase{at}"): phrase for at, phrase in enumerate(quoted_in(text))},
        )
        values |= {words: " ".join(without_quoted(text).split()[:MOST_WORDS]), **phrases}
        ways = []
        for at, configuration in enumerate(self._facts["configurations"]):
            name = self._own(f"configuration{at}")
            values[name] = configuration
            ways.append(self._way(sql.SQL("{}::text").format(sql.Placeholder(name)), words, list(phrases), allow))
        query = sql.SQL(_RANKED).format(ways=sql.SQL(" UNION ALL ").join(ways), limit=sql.Literal(k))
        return Asking(query, values, {}, ("score",), _hits)

    def _way(
        self, configuration: sql.Composed, words: str, phrases: Sequence[str], allow: Allow | None
    ) -> sql.Composed:
        """The chunks of one configuration in which the question's words are, or all of its phrases."""
        loose = sql.SQL(_WORDS).format(configuration=configuration, words=sql.Placeholder(words))
        required = [
            sql.SQL(_PHRASE).format(configuration=configuration, phrase=sql.Placeholder(phrase)) for phrase in phrases
        ]
        return sql.SQL(_WAY).format(
            vectors=self._view,
            configuration=configuration,
            words=loose,
            phrases=sql.SQL("").join(sql.SQL("|| {}").format(phrase) for phrase in required),
            condition=sql.SQL("({})").format(sql.SQL(" && ").join(required) if required else loose),
            narrowed=sql.SQL("" if allow is None else _ALLOWED),
        )

    # --- how rare terms are ---

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """How much of the question the best of these holds (see `ranking.support`)."""
        self.chunks_with_each(self._content(question))
        return super().support(question, best)

    def rarity(self, question: Question) -> Rarity:
        """How rare the question's words are among the chunks."""
        self.chunks_with_each(self._content(question))
        return super().rarity(question)

    def chunks_with(self, term: str) -> int:
        """In how many chunks the term is."""
        return self.chunks_with_each([term])[0]

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each of the terms is."""
        known = {term: self._known[term] for term in terms if term in self._known}
        if missing := [term for term in dict.fromkeys(terms) if term not in known]:
            known |= self._counted(missing)
            self._known = {**(self._known if len(self._known) < _REMEMBERED else {}), **known}
        return [known[term] for term in terms]

    def one_with(self, term: str) -> int:
        """The row of a chunk that holds the term."""
        query = sql.SQL("SELECT v.row FROM {} v WHERE v.vector @@ %s::tsquery LIMIT 1").format(self._view)
        return int(self._tables.asked(query, [_lexeme(term)])[0][0])

    def _counted(self, terms: Sequence[str]) -> Iterator[tuple[str, int]]:
        counts = [
            sql.SQL(_COUNT).format(at=sql.Literal(at), vectors=self._view, lexeme=sql.SQL("%s"))
            for at in range(len(terms))
        ]
        selected = self._tables.asked(sql.SQL(" UNION ALL ").join(counts), list(map(_lexeme, terms)))
        return ((terms[at], chunks) for at, chunks in selected)

    def _content(self, question: Question) -> list[str]:
        """The terms of the words that tell what is asked for."""
        return [term for variants in understood(question, self._languages).content for term in variants]

    def _idf(self, term: str) -> float:
        return idf(self._chunks, self.chunks_with(term))

    @property
    def _view(self) -> sql.Identifier:
        return self._tables.view(f"tsvectors_{self._facts['number']}")

    def _own(self, name: str) -> str:
        """What a value is called that another leg, asked at once, has another of."""
        return f"{name}_{self._facts['number']}"


def _hits(fetched: Sequence[Row]) -> list[Hit]:
    return sorted((Hit(row, score) for row, score in fetched), key=lambda hit: (-hit.score, hit.row))


def _lexeme(term: str) -> str:
    """A term as a `tsquery` takes it."""
    escaped = taken(term).replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"

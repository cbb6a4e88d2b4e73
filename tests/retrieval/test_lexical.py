"""What only a persisted index has to do: incremental builds, files that never change in place, threads."""

import hashlib
import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tantivy import Occur, Query

from biblicus.contracts import Call, Given
from biblicus.errors import Cancelled
from biblicus.models.question import Allow, Question
from biblicus.models.requests.query import Filters
from biblicus.retrieval.words import lexical
from biblicus.retrieval.words.lexical import Options
from biblicus.retrieval.words.lexical_reader import _Fetched
from biblicus.retrieval.words.wording import understood

WORDS = [f"{a}{b}{c}" for a in "bdgklmnprst" for b in "aeiou" for c in ("rk", "mm", "lt", "nd")]
ENGLISH = {"en": 1.0}
LEG = lexical.build(Options(), Given())


@pytest.fixture
def library(chunk):
    """A function that writes an item of random words (the frequent ones a hundred times the rare ones): its chunks."""

    def write(chance, item, first_row):
        words = chance.choices(WORDS, weights=[100 / (n + 1) for n in range(len(WORDS))], k=240)
        pieces = (" ".join(words[at : at + 60]) for at in range(0, 240, 60))
        title, heading = " ".join(words[:2]), words[2]
        called = {"item": item, "path": f"{item}.txt", "title": title, "heading": heading}
        return [chunk(first_row + n, piece, **called) for n, piece in enumerate(pieces)]

    return write


def link(parent, folder):
    folder.mkdir()
    for file in parent.iterdir():
        os.link(file, folder / file.name)


def digests(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def scores(reader, text, k=50):
    return {hit.row: hit.score for hit in reader.search(Question(text, ENGLISH), None, k, Call())}


def edited(chance, library, items, share):
    """Random edits of a corpus: the new items by number, those gone, and the new chunks."""
    gone = chance.sample(sorted(items), round(len(items) * share))
    row = 1 + max(chunk.row for chunks in items.values() for chunk in chunks)
    new = {}
    for number in range(len(gone)):
        item = 1_000_000 + row + number
        new[item] = library(chance, item, row + 4 * number)
    kept = {item: chunks for item, chunks in items.items() if item not in gone}
    return {**kept, **new}, gone, [chunk for chunks in new.values() for chunk in chunks]


def test_uncorrected_statistics_would_miss_that(tmp_path, table, library, monkeypatch):
    """The negative control: without the correction, a word that mostly deleted items had scores wrong."""
    chance = random.Random(0)
    items = {item: library(chance, item, 4 * item) for item in range(100)}
    rare = [replace(c, text=c.text + " zeppelin") for c in items[0]]
    LEG.build(table([*rare, *(c for item in range(1, 100) for c in items[item])]), tmp_path / "0", None, Call())
    link(tmp_path / "0", tmp_path / "1")
    one = replace(rare[0], row=9_000, item=9_000)
    LEG.build(table([], [one], [0]), tmp_path / "1", tmp_path / "0", Call())
    LEG.build(table([one, *(c for item in range(1, 100) for c in items[item])]), tmp_path / "fresh", None, Call())
    fresh = scores(LEG.open(tmp_path / "fresh"), "zeppelin")[9_000]
    assert scores(LEG.open(tmp_path / "1"), "zeppelin")[9_000] == pytest.approx(fresh, rel=1e-3)
    monkeypatch.setattr(lexical, "_documents_ever", lambda folder: 397)  # as if none were deleted
    assert scores(LEG.open(tmp_path / "1"), "zeppelin")[9_000] != pytest.approx(fresh, rel=1e-3)


def test_the_parents_files_stay_as_they_are_and_answer_the_same(tmp_path, table, library):
    chance = random.Random(1)
    items = {item: library(chance, item, 4 * item) for item in range(60)}
    LEG.build(table([c for chunks in items.values() for c in chunks]), tmp_path / "parent", None, Call())
    before = digests(tmp_path / "parent")
    reader = LEG.open(tmp_path / "parent")
    text = " ".join(chance.choices(WORDS, k=5))
    answer = scores(reader, text)
    link(tmp_path / "parent", tmp_path / "child")
    _, gone, new = edited(chance, library, items, 0.5)
    LEG.build(table([], new, gone), tmp_path / "child", tmp_path / "parent", Call())
    assert digests(tmp_path / "parent") == before
    assert scores(reader, text) == answer == scores(LEG.open(tmp_path / "parent"), text)
    assert scores(LEG.open(tmp_path / "child"), text) != answer


def test_removed_items_are_found_no_more(tmp_path, table, chunk):
    LEG.build(table([chunk(0, "moon"), chunk(1, "moon", item=0), chunk(2, "moon")]), tmp_path / "0", None, Call())
    link(tmp_path / "0", tmp_path / "1")
    LEG.build(table([], [], [0]), tmp_path / "1", tmp_path / "0", Call())
    assert list(scores(LEG.open(tmp_path / "1"), "moon")) == [2]
    link(tmp_path / "1", tmp_path / "2")
    LEG.build(table([], [], [2]), tmp_path / "2", tmp_path / "1", Call())
    assert scores(LEG.open(tmp_path / "2"), "moon") == {}


def test_the_parents_languages_stay_in_force(tmp_path, table, chunk):
    LEG.build(table([chunk(0, "Die Häuser am Hafen", language="de")]), tmp_path / "0", None, Call())
    link(tmp_path / "0", tmp_path / "1")
    added = [chunk(1, "Drei Häuser", language=None), chunk(2, "tide tables", language="en")]
    LEG.build(table([], added, []), tmp_path / "1", tmp_path / "0", Call())
    reader = LEG.open(tmp_path / "1")
    assert set(scores(reader, "Haus")) == {0, 1}
    assert set(scores(reader, "tables")) == {2}


def test_a_language_that_comes_late_gets_its_own_stems(tmp_path, table, chunk):
    chunks = [chunk(row, "harbour tables") for row in range(600)]
    chunks += [chunk(600 + row, "Die Häuser am Hafen", language="de") for row in range(60)]
    LEG.build(table(chunks), tmp_path / "0", None, Call())
    reader = LEG.open(tmp_path / "0")
    assert len(scores(reader, "Haus", k=100)) >= 40
    assert len(scores(reader, "Häuser", k=100)) == 60  # those before it was known as frequent: as written


def test_the_same_chunks_give_the_same_index_twice(tmp_path, table, library):
    chance = random.Random(3)
    chunks = [c for item in range(50) for c in library(chance, item, 4 * item)]
    for name in ("a", "b"):
        LEG.build(table(chunks), tmp_path / name, None, Call())
    sizes = [
        sorted((f.suffix, f.stat().st_size) for f in (tmp_path / name).iterdir() if f.name != ".managed.json")
        for name in ("a", "b")
    ]
    assert sizes[0] == sizes[1]
    text = " ".join(chance.choices(WORDS, k=6))
    assert list(scores(LEG.open(tmp_path / "a"), text).items()) == list(scores(LEG.open(tmp_path / "b"), text).items())


def test_ten_thousand_equal_chunks_are_one_tie(built, chunk):
    reader = built([chunk(row, "the same words") for row in range(10_000)])
    found = reader.search(Question("words", ENGLISH), None, 10, Call())
    assert [hit.row for hit in found] == list(range(10_000))


def test_filters_see_every_value_of_a_large_index(built, chunk):
    chunks = [chunk(row, "tide", path=f"part{row % 7}/{row}.md", tags=(f"t{row % 5}",)) for row in range(700)]
    allow = Allow(Filters(tag=("t3",), path=("part[2]/*", "part4/**")))
    found = built(chunks).search(Question("tide", ENGLISH), allow, 1_000, Call())
    assert {hit.row for hit in found} == {row for row in range(700) if row % 5 == 3 and row % 7 in (2, 4)}


def test_a_set_in_a_glob_is_looked_for_below_its_folder_alone(built, chunk):
    chunks = [chunk(row, "tide", path=f"part{row % 70:02}/{row}.md") for row in range(700)]
    reader = built(chunks)
    reader._searcher = engine = Engine(reader._searcher)
    allow = Allow(Filters(path=tuple(f"part{part:02}/[0-3]*" for part in range(70))))
    hits = reader.search(Question("tide", ENGLISH), allow, 1_000, Call())
    assert sorted(hit.row for hit in hits) == [row for row in range(700) if str(row)[0] in "0123"]
    assert engine.looked_at == 700, "each path once, whatever the globs"


def test_a_name_that_stands_together_counts_as_if_all_were_asked_at_once(built, chunk):
    chance = random.Random(8)
    texts = [
        f"{' '.join(chance.choices(WORDS[:9], k=30))} {WORDS[3]}_{WORDS[chance.randrange(9)]}." for _ in range(400)
    ]
    reader = built([chunk(row, text) for row, text in enumerate(texts)])
    question = Question(f"{WORDS[0]} {WORDS[3]}_{WORDS[5]}", ENGLISH)
    plain, _ = reader._asked(question)
    names = [(Occur.Should, name) for name in reader._names(understood(question, reader._languages))]
    whole = Query.boolean_query([(Occur.Should, plain), *names])
    hits = reader._searcher.search(whole, 400, count=False).hits
    rows = reader._values("row", [address for _, address in hits])
    apart = reader._with_more(_Fetched(question, None, reader._asked(question)), 160)
    assert len(apart.scores) == 160
    for score, row in zip(apart.scores, apart.rows, strict=True):
        assert score == pytest.approx(hits[rows.index(row)][0], rel=1e-6)
    assert apart.scores == pytest.approx([score for score, _ in hits[:160]], rel=1e-6)


def test_threads_share_a_reader(built, library):
    chance = random.Random(5)
    reader = built([c for item in range(100) for c in library(chance, item, 4 * item)])
    questions = [" ".join(chance.choices(WORDS, k=4)) for _ in range(40)]
    alone = [scores(reader, text) for text in questions]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: scores(reader, text), questions)) == alone


def test_a_cancelled_build_stops(tmp_path, table, chunk):
    call = Call(cancel=threading.Event())
    call.cancel.set()
    with pytest.raises(Cancelled):
        LEG.build(table([chunk(0, "moon")]), tmp_path / "0", None, call)


def test_fingerprints_name_what_decides_the_ranking():
    assert set(LEG.fingerprints()) == {"tantivy", "analysis"}


class Engine:
    """A searcher that counts its searches."""

    def __init__(self, searcher):
        self.searcher, self.limits, self.looked_at = searcher, [], 0

    def terms_with_prefix(self, field, prefix):
        found = self.searcher.terms_with_prefix(field, prefix)
        self.looked_at += len(found)
        return found

    def search(self, query, limit, **options):
        self.limits.append(limit)
        return self.searcher.search(query, limit, **options)

    def __getattr__(self, name):
        return getattr(self.searcher, name)


def test_who_asks_for_more_of_the_same_is_served_from_what_was_fetched(built, library):
    chance = random.Random(4)
    reader = built([piece for item in range(200) for piece in library(chance, item, 4 * item)])
    question = Question(" ".join(WORDS[20:23]), ENGLISH)
    fresh = {k: reader.search(replace(question), None, k, Call()) for k in (20, 80)}
    reader._searcher = engine = Engine(reader._searcher)
    assert {k: reader.search(question, None, k, Call()) for k in (20, 80)} == fresh
    assert engine.limits == [160]
    reader.search(replace(question), None, 20, Call())
    assert engine.limits == [160, 160], "another question, if in the same words"


def test_what_no_chunk_holds_is_no_clause_of_the_query(built, chunk):
    reader = built([chunk(0, "The tide gauge."), chunk(1, "A winch.")])
    asked = reader._asked(Question("tide of submarines", ENGLISH))
    assert "tide" in repr(asked)
    assert "submarin" not in repr(asked)
    assert "Const" not in repr(asked), "nothing defines what is asked for"
    assert reader._asked(Question("submarines", ENGLISH)) == []
    assert reader.search(Question('"tide submarine"', ENGLISH), None, 5, Call()) == []

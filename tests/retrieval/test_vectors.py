"""The vector legs against a matrix product written out here: order, ties, filters, deletions, recall."""

import hashlib
import os
import shutil
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pytest

from biblicus.contracts import Call, Given, RankedChunk
from biblicus.errors import ExtraMissing, RunDamaged, VectorsGone
from biblicus.models.question import Allow, Question
from biblicus.models.requests.query import Filters
from biblicus.retrieval.vectors import exact, hnsw, vector_rows
from tests.retrieval.conftest import Table

DIM = 24


@cache
def _vector(text):
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    made = np.random.default_rng(seed).normal(size=DIM).astype(np.float32)
    return made / np.linalg.norm(made)


@dataclass
class Memory:
    """See `contracts.Vectors`: a chunk's text is a seed, `nothing` cannot be embedded."""

    fingerprint: str = "memory"
    name: str = "g1"
    known: dict[str, int] = field(default_factory=dict)
    vectors: list[np.ndarray] = field(default_factory=list)
    languages: frozenset[str] | None = None

    def rows(self, texts, call, paths=()):
        for text in texts:
            if text not in self.known and text != "nothing":
                self.known[text] = len(self.vectors)
                self.vectors.append(self.question(text, call))
        places = np.array([self.known.get(text, -1) for text in texts], np.int64)
        return places, np.array([text.endswith("7") for text in texts], bool)

    def generation(self):
        return self.name

    def matrix(self, generation):
        if generation != self.name:
            raise VectorsGone
        return np.stack(self.vectors) if self.vectors else np.empty((0, DIM), np.float32)

    def question(self, text, call):
        return _vector(text)

    def passing(self, texts, call):
        return np.stack([self.question(text, call) for text in texts])


def chunks(numbers, **fields):
    plain = {"context": "", "language": "en", "media_type": "text/plain", "doctype": "doc", "tags": (), "path": "a"}
    return [RankedChunk(row=n, item=n // 2, text=f"text {n}", **{**plain, **fields}) for n in numbers]


def truth(vectors, found, asked, k):
    question = vectors.question(asked, Call())
    order = sorted(found, key=lambda chunk: -float(vectors.question(chunk.text, Call()) @ question))
    return [chunk.row for chunk in order[:k]]


def leg_of(kind, vectors, **options):
    if kind == "exact":
        return exact.build(exact.Options(), Given(vectors=lambda name: vectors))
    pytest.importorskip(kind, reason=f"needs the extra [{kind}]")
    return hnsw.build(hnsw.Options(library=kind, exact_below=0, **options), Given(vectors=lambda name: vectors))


@pytest.fixture(params=["exact", "hnswlib", "usearch"])
def kind(request):
    return request.param


def rows_of(reader, asked, k, allow=None):
    return [hit.row for hit in reader.search(Question(asked), allow, k, Call())]


def test_the_nearest_come_first(kind, tmp_path):
    vectors, many = Memory(), chunks(range(500))
    leg = leg_of(kind, vectors)
    counts = leg.build(Table(many), tmp_path / "leg", None, Call())
    assert counts == {"truncated": 50, "unembedded": 0}
    reader = leg.open(tmp_path / "leg")
    hits = 0
    for number in range(30):
        hits += len({*rows_of(reader, f"ask {number}", 10)} & {*truth(vectors, many, f"ask {number}", 10)})
    assert hits >= (300 if kind == "exact" else 294)
    scores = [hit.score for hit in reader.search(Question("ask"), None, 10, Call())]
    assert scores == sorted(scores, reverse=True)
    row = rows_of(reader, "ask", 1)[0]
    assert scores[0] == pytest.approx(
        float(vectors.question(f"text {row}", Call()) @ vectors.question("ask", Call())), 1e-5
    )


def test_filters_leave_the_best_of_what_fits(kind, tmp_path):
    few = chunks(range(1_000, 1_010), tags=("rare",), path="b/c.txt")
    vectors, found = Memory(), [*chunks(range(990)), *few]
    leg = leg_of(kind, vectors)
    leg.build(Table(found), tmp_path / "leg", None, Call())
    reader = leg.open(tmp_path / "leg")
    for allow in (
        Allow(Filters(tag=("rare",))),
        Allow(Filters(path=("b/*",))),
        Allow(Filters(), frozenset(range(500, 505))),
    ):
        assert rows_of(reader, "ask", 10, allow) == truth(vectors, few, "ask", 10)
    assert rows_of(reader, "ask", 10, Allow(Filters(tag=("none",)))) == []


def test_what_went_is_not_found_and_what_came_is(kind, tmp_path):
    vectors, old = Memory(), chunks(range(400))
    leg = leg_of(kind, vectors)
    leg.build(Table(old), tmp_path / "old", None, Call())
    before = {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()}
    shutil.copytree(tmp_path / "old", tmp_path / "new", copy_function=lambda a, b: os.link(a, b))
    came = chunks(range(400, 420))
    leg.build(Table([], new=came, gone=[0, 1, 2]), tmp_path / "new", tmp_path / "old", Call())
    assert {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()} == before
    reader = leg.open(tmp_path / "new")
    now = [chunk for chunk in [*old, *came] if chunk.item > 2]
    for number in range(20):
        found = rows_of(reader, f"ask {number}", 10)
        assert min(found) > 5
        assert len({*found} & {*truth(vectors, now, f"ask {number}", 10)}) >= (10 if kind == "exact" else 9)
    assert rows_of(reader, "text 410", 1) == [410]


def test_equal_vectors_tie_to_the_last(kind, tmp_path):
    vectors = Memory()
    same = [replace(chunk, text="the same") for chunk in chunks(range(300))]
    leg = leg_of(kind, vectors)
    leg.build(Table([*same, *chunks(range(300, 320))]), tmp_path / "leg", None, Call())
    hits = leg.open(tmp_path / "leg").search(Question("the same"), None, 5, Call())
    assert [hit.row for hit in hits] == list(range(300))
    assert {hit.score for hit in hits} == {1.0}


def test_chunks_without_a_vector_are_counted_and_not_found(kind, tmp_path):
    vectors = Memory()
    many = [*chunks(range(50)), *[replace(chunk, text="nothing") for chunk in chunks(range(50, 53))]]
    leg = leg_of(kind, vectors)
    assert leg.build(Table(many), tmp_path / "leg", None, Call())["unembedded"] == 3
    reader = leg.open(tmp_path / "leg")
    assert set(rows_of(reader, "ask", 100)) == set(range(50))
    assert reader.scores(Question("ask"), [1, 51, 999]).keys() == {1}
    assert reader.vectors([51, 1])[0].tolist() == [0.0] * DIM


def test_scores_are_the_same_one_by_one(tmp_path):
    vectors = Memory()
    leg = leg_of("exact", vectors)
    leg.build(Table(chunks(range(200))), tmp_path / "leg", None, Call())
    reader = leg.open(tmp_path / "leg")
    hits = {hit.row: hit.score for hit in reader.search(Question("ask"), None, 200, Call())}
    assert reader.scores(Question("ask"), list(range(0, 200, 7))) == {row: hits[row] for row in range(0, 200, 7)}
    assert reader.floor(Question("ask")) == pytest.approx(sum(hits.values()) / 200, abs=1e-4)


def test_an_empty_table(kind, tmp_path):
    leg = leg_of(kind, Memory())
    leg.build(Table([]), tmp_path / "leg", None, Call())
    reader = leg.open(tmp_path / "leg")
    assert rows_of(reader, "ask", 5) == []
    assert reader.floor(Question("ask")) == 0.0
    assert reader.scores(Question("ask"), [3]) == {}


def test_a_store_numbered_anew_is_not_misread(tmp_path):
    vectors = Memory()
    leg = leg_of("exact", vectors)
    leg.build(Table(chunks(range(5))), tmp_path / "leg", None, Call())
    vectors.name = "g2"
    with pytest.raises(VectorsGone):
        leg.open(tmp_path / "leg")


@pytest.mark.parametrize("data", [b"", b"{}\n", b'{"generation": "g1", "chunks": 9}\nxx', b"no json\n"])
def test_rows_that_are_damaged_say_so(tmp_path, data):
    leg = leg_of("exact", Memory())
    leg.build(Table(chunks(range(5))), tmp_path / "leg", None, Call())
    (tmp_path / "leg" / vector_rows.ROWS).write_bytes(data)
    with pytest.raises(RunDamaged):
        leg.open(tmp_path / "leg")


def test_small_corpora_need_no_library(tmp_path, monkeypatch):
    monkeypatch.setattr(hnsw, "version", lambda library: pytest.fail("asked for"))
    leg = hnsw.build(hnsw.Options(exact_below=100), Given(vectors=lambda name: Memory()))
    leg.build(Table(chunks(range(50))), tmp_path / "leg", None, Call())
    assert not (tmp_path / "leg" / "graph.bin").exists()
    assert rows_of(leg.open(tmp_path / "leg"), "text 7", 1) == [7]


def test_a_library_that_is_missing_names_its_extra():
    with pytest.raises(ExtraMissing, match="hnsw"):
        hnsw.version("no-such-library")  # type: ignore[arg-type]

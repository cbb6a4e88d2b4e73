"""A scan against rank-bm25 itself, and against the index."""

import math
import random

import pytest
from rank_bm25 import BM25Okapi

from biblicus.contracts import Call, Given
from biblicus.errors import UsageError
from biblicus.models.question import Question
from biblicus.retrieval.ranking import stored_length
from biblicus.retrieval.words import scan
from biblicus.retrieval.words.scan import Options

TEXTS = [
    "the moon pulls the tides of the sea",
    "harbours watch the tide tables in winter and in spring",
    "a sonnet has fourteen lines",
    "the sea in winter is cold and the harbour is still",
]


def test_scores_are_rank_bm25s_with_lucenes_idf(chunk):
    leg = scan.build(Options(stemming="none", stopwords="keep"), Given())
    reader = leg.over([chunk(row, text) for row, text in enumerate(TEXTS)])
    theirs = BM25Okapi([text.split() for text in TEXTS], k1=1.2, b=0.75)
    for term in theirs.idf:
        n = sum(term in text.split() for text in TEXTS)
        theirs.idf[term] = math.log(1 + (len(TEXTS) - n + 0.5) / (n + 0.5))
    for asked in ("moon", "winter tide", "the sea in winter", "sea sea cold", "zeppelin"):
        expected = {row: score for row, score in enumerate(theirs.get_scores(asked.split())) if score}
        found = {hit.row: hit.score for hit in reader.search(Question(asked, {"en": 1.0}), None, 9, Call())}
        assert found == pytest.approx(expected, rel=1e-5)


def test_scan_and_lexical_rank_and_score_alike(built, chunk):
    chance = random.Random(7)
    words = ["moon", "tide", "harbour", "winter", "sonnet", "line", "getUserName", "parse_query", "黑猫跑", "café"]
    chunks = [
        chunk(
            row,
            " ".join(chance.choices(words, k=chance.choice((5, 30, 90, 400)))),
            context=chance.choice(words),
            title=" ".join(chance.choices(words, k=chance.choice((1, 2, 3)))),
            heading=chance.choice(("", "winter (harbour)", "moon: tide", *words)),
        )
        for row in range(200)
    ]
    reader, scanner = built(chunks), scan.build(Options(), Given()).over(chunks)
    asked = [" ".join(chance.choices(words, k=3)) for _ in range(20)]
    for text in [*asked, '"moon tide" sea', "getUserName", "parse_query ice", "「黑猫」 moon", "the sonnets' lines"]:
        ours = reader.search(Question(text, {"en": 1.0}), None, 20, Call())
        theirs = scanner.search(Question(text, {"en": 1.0}), None, 20, Call())
        assert {hit.row: hit.score for hit in ours} == pytest.approx({hit.row: hit.score for hit in theirs}, rel=2e-5)


@pytest.mark.parametrize(("length", "stored"), [(0, 0), (39, 39), (40, 40), (41, 40), (57, 56), (1_000, 984)])
def test_lengths_are_rounded_as_the_index_stores_them(length, stored):
    assert stored_length(length) == stored


def test_a_scan_keeps_nothing_to_open(tmp_path, table, chunk):
    leg = scan.build(Options(), Given())
    leg.build(table([chunk(0, "moon")]), tmp_path, None, Call())
    assert list(tmp_path.iterdir()) == []
    assert not leg.materializes
    with pytest.raises(UsageError, match="live files"):
        leg.open(tmp_path)

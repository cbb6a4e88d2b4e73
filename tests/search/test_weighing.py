"""Weights: what they come to, and that what is found with them is what ranking everything would give."""

import random
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.weights import clear, weight, weights
from biblicus.errors import BiblicusError, ConfigInvalid, UsageError
from biblicus.models.fields import NoRequest
from biblicus.models.requests.bring import ClearWeightsRequest, WeightRequest
from biblicus.models.weights import Weighing, Weight, WeightRules
from biblicus.search.weighting import weighed
from biblicus.stores.tables import Facets

HOUR = 3_600


def test_all_that_fits_multiplies_within_bounds() -> None:
    rules = WeightRules(extensions={".md": 2, "tar.gz": 3}, doctypes={"doc": 0.5}, paths={"docs/**": 4})
    given = (Weight(item="b", multiplier=9), Weight(pattern="*.gz", multiplier=0.5))
    items = [
        Facets(0, "a", "docs/x.MD", "doc"),
        Facets(1, "b", "docs/y.md", "doc"),
        Facets(2, "c", "z.tar.gz", "other"),
        Facets(3, "d", "n.txt", "code"),
        Facets(4, "e", "n.md", "doc"),
    ]
    factors = weighed(Weighing(rules, given), items)
    assert factors.multipliers == {"a": 4, "b": 10, "c": 1.5}
    assert factors.raised == {0, 1, 2}


@pytest.mark.parametrize("recipe", ["lexical", "scan"])
def test_what_is_found_is_what_ranking_everything_gives(tmp_path: Path, recipe: str) -> None:
    chance = random.Random(3)
    with Corpus.init(tmp_path) as corpus:
        for number in range(150):
            words = " ".join(
                chance.choices(["moon", "tide", "gull", "rope", "harbour", "boat"], k=chance.randint(3, 30))
            )
            (tmp_path / f"{'ab'[number % 2]}{number:03}.txt").write_text(words, "utf-8")
        corpus.reindex(recipe)
        plain = corpus.query("moon tide", recipe=recipe, limit=1_000, max_tokens=10**7).evidence
        for number in range(0, 150, 7):
            corpus.set_weight(f"{'ab'[number % 2]}{number:03}.txt", chance.choice([0.1, 0.5, 3, 10]))
        corpus.set_weight("b*", 0.8)
        ids = {one.item: one.multiplier for one in corpus.weights()}
        by_hand = sorted(
            (-piece.score * ids.get(piece.item_id, 1) * (0.8 if piece.path[0] == "b" else 1), piece.path)
            for piece in plain
        )
        for limit in (1, 5, 20):
            evidence = corpus.query("moon tide", recipe=recipe, limit=limit, max_tokens=10**7).evidence
            assert [piece.score for piece in evidence] == pytest.approx(
                [-score for score, _ in by_hand[:limit]], rel=1e-5
            )
            assert [piece.stage_scores["weights"] for piece in evidence] == [piece.score for piece in evidence]


@pytest.fixture
def place(tmp_path: Path) -> CorpusFolder:
    (tmp_path / "a.txt").write_text("The moon.", "utf-8")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
    return CorpusFolder(tmp_path)


def at(hours: float) -> Call:
    return Call(clock=lambda: 1_700_000_000 + hours * HOUR)


def test_a_weight_expires_by_the_clock_of_the_call(place: CorpusFolder) -> None:
    weight(place, WeightRequest("a.txt", 2, ttl_days=1), at(0))
    with Corpus.open(place.root) as corpus:
        scores = [corpus.query("moon", call=at(hours)).evidence[0].score for hours in (0, 23.9, 24, 48)]
        digests = [corpus.query("moon", call=at(hours)).weights_digest for hours in (0, 48)]
    assert scores[0] == scores[1] == pytest.approx(2 * scores[2], rel=1e-5)
    assert scores[2] == scores[3]
    assert digests[0]
    assert digests[1] is None
    assert [one.expired for one in weights(place, NoRequest(), at(25)).weights] == [True]
    assert [one.item for one in clear(place, ClearWeightsRequest(expired=True), at(25)).cleared] != []
    assert not (place.home / "weights.yml").exists()


def test_setting_twice_says_so(place: CorpusFolder) -> None:
    outcomes = [weight(place, WeightRequest("*.txt", number), Call()).outcome for number in (2, 2, 3)]
    assert outcomes == ["set", "unchanged", "changed"]
    assert [one.multiplier for one in weights(place, NoRequest(), Call()).weights] == [3]


@pytest.mark.parametrize(("target", "multiplier", "more"), [
    ("a.txt", 0.09, {}), ("a.txt", 10.1, {}), ("a.txt", float("nan"), {}), ("nothing.txt", 2, {}),
    ("a.txt", 2, {"namespace": "a\nb"}), ("a.txt", 2, {"ttl_days": 0}), ("a.txt", 2, {"ttl_days": float("inf")}),
])  # fmt: skip
def test_what_is_no_weight_is_refused(place: CorpusFolder, target: str, multiplier: float, more: dict) -> None:
    with pytest.raises(BiblicusError) as caught:
        weight(place, WeightRequest(target, multiplier, **more), Call())
    assert caught.value.exit_code in (UsageError.exit_code, 3)
    assert not (place.home / "weights.yml").exists()


@pytest.mark.parametrize("text", [
    "weights: [{item: a, multiplier: 11}]", "weights: [{multiplier: 2}]",
    "weights: [{item: a, pattern: b, multiplier: 2}]",
    "weights: [{item: a, multiplier: 2, expires: 2026-02-31T00:00:00Z}]", "run: me", "[",
    "weights: [{item: a, multiplier: .nan}]",
    "weights: &x [*x]", "weights: [" + "{item: a, multiplier: 2}, " * 501 + "]",
])  # fmt: skip
def test_a_strangers_file_is_data_or_refused(place: CorpusFolder, text: str) -> None:
    (place.home / "weights.yml").write_text(text, "utf-8")
    with Corpus.open(place.root) as corpus, pytest.raises(ConfigInvalid, match=r"weights\.yml"):
        corpus.query("moon")

"""`auto`: the best recipe that a machine's models allow, words first, and a note wherever less answers."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus import auto
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import Cancelled, UsageError
from biblicus.models.requests.runs import ReindexRequest
from biblicus.runs.reindex import reindex
from biblicus.runs.vectors import embed_words
from biblicus.stores.vectors import stores

DAY = 1_800_000_000.0
installed = pytest.mark.skipif(not auto.are_installed(), reason="the extra [meaning] is not installed")


@pytest.fixture
def with_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_MEANING", "auto")
    monkeypatch.setenv("BIBLICUS_JUDGE_SECONDS", "0")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "fee.md").write_text("# Fees\nA night at the pier costs nine euros.", "utf-8")
    (tmp_path / "birds.md").write_text("# Birds\nTerns nest at night on the pier.", "utf-8")
    with Corpus.init(tmp_path):
        yield tmp_path


def answered(place: Path) -> tuple[str, tuple[str, ...], str | None]:
    with Corpus.open(place) as corpus:
        result = corpus.query("What must be paid for a night?")
    return result.recipe_id.rsplit("-", 1)[0], result.notes, result.rerank


def built(place: Path, *names: str, at: float = DAY) -> list[str]:
    report = reindex(CorpusFolder(place), ReindexRequest(names), Call(clock=lambda: at))
    return [run.manifest.recipe["name"] for run in report.runs]


def test_without_models_it_is_words(place: Path) -> None:
    assert built(place) == ["lexical"]
    assert answered(place) == ("lexical", (), None)


def test_what_would_make_it_better_is_said(place: Path, with_models: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "are_installed", lambda: False)
    said: list[str] = []
    reindex(CorpusFolder(place), ReindexRequest(), Call(tell=said.append))
    assert len(said) == 1
    assert auto.INSTALL in said[0]


@installed
def test_with_models_words_are_sealed_and_answer_before_meaning_is(place: Path, with_models: None) -> None:
    seen: list[object] = []
    call = Call(
        clock=lambda: DAY, tell=lambda text: seen.append((text[:5], *answered(place))) if seen else seen.append(text)
    )
    report = reindex(CorpusFolder(place), ReindexRequest(), call)
    assert [run.manifest.recipe["name"] for run in report.runs] == ["judged", "meaning"]
    assert seen == [auto.sentence(CorpusFolder(place)), ("Words", "judged", (auto.BEHIND,), "done")]
    assert answered(place) == ("meaning", (), "done")


@installed
def test_words_that_are_newer_answer_until_meaning_has_caught_up(place: Path, with_models: None) -> None:
    built(place)
    (place / "late.md").write_text("# Paid\nWhat must be paid for a night: ten euros.", "utf-8")
    built(place, "judged", at=DAY + 60)
    assert answered(place) == ("judged", (auto.BEHIND,), "done")
    built(place, at=DAY + 120)
    assert answered(place) == ("meaning", (), "done")


@installed
def test_a_machine_without_the_models_answers_by_words_and_says_so(
    place: Path, with_models: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(place)
    monkeypatch.setattr(auto, "are_installed", lambda: False)
    built(place, at=DAY + 60)
    recipe, notes, rerank = answered(place)
    assert (recipe, rerank) == ("lexical", None)
    assert auto.INSTALL in notes[0]


@installed
def test_it_can_be_named(place: Path, with_models: None) -> None:
    assert built(place, "auto") == ["judged", "meaning"]
    with Corpus.open(place) as corpus:
        assert corpus.query("night", recipe="auto").recipe_id.startswith("meaning-")


def test_another_default_is_not_auto(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_DEFAULT_RECIPE", "scan")
    assert built(place) == ["scan"]
    assert answered(place)[:2] == ("scan", ())
    assert auto.sentence(CorpusFolder(place)) == ""


@installed
def test_a_result_names_what_decided_and_how_many_vectors_counted(place: Path, with_models: None) -> None:
    built(place, "judged")
    with Corpus.open(place) as corpus:
        by_words = corpus.query("What must be paid for a night?").as_object()["resolved"]
        built(place, at=DAY + 60)
        by_meaning = corpus.query("What must be paid for a night?").as_object()["resolved"]
    assert set(by_words) == set(by_meaning) == {"recipe", "judge", "vector", "vectors"}
    assert (by_words["vectors"], by_meaning["vectors"]) == ("2 of 2", "2 of 2")
    assert by_words["vector"] == by_meaning["vector"]
    assert (by_words["recipe"][:6], by_meaning["recipe"][:7]) == ("judged", "meaning")


@installed
def test_what_is_measured_waits_for_meaning(place: Path, with_models: None) -> None:
    (place / "questions.jsonl").write_text('{"query": "What is paid?", "relevant": ["fee.md"]}\n', "utf-8")
    built(place, "judged", at=1_700_000_000.0)  # in the past, as `wait` has the machine's clock
    with Corpus.open(place) as corpus:
        with pytest.raises(UsageError, match="caught up"):
            corpus.evaluate(str(place / "questions.jsonl"))
        assert answered(place)[0] == "judged"
        assert corpus.evaluate(str(place / "questions.jsonl"), recipes=["judged"]).questions == 1
        assert corpus.evaluate(str(place / "questions.jsonl"), recipes=["auto"], wait=True).questions == 1
    assert answered(place)[0] == "meaning"


@installed
def test_what_was_embedded_before_an_interruption_is_not_embedded_again(place: Path, with_models: None) -> None:
    for number in range(200):
        (place / f"{number}.txt").write_text(f"Boat {number} lies at pier {number % 7}.", "utf-8")
    built(place, "judged")
    corpus, cancel = CorpusFolder(place), threading.Event()

    with pytest.raises(Cancelled):
        embed_words(corpus, Call(cancel=cancel, progress=lambda step, done, total: cancel.set()))
    (kept,) = stores(corpus.vectors)
    before = kept.count()
    assert 0 < before < 202
    assert embed_words(corpus, Call())
    assert stores(corpus.vectors)[0].count() == 202
    assert built(place, "meaning", at=DAY + 60) == ["meaning"]
    assert stores(corpus.vectors)[0].count() == 202  # the run's texts are those that were embedded ahead

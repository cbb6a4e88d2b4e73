"""Folding of runs that single documents caused: what refers to them, and what a death in the middle leaves."""

import os

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import RunFolded, RunNotFound
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.runs import manifests
from biblicus.service.verbs import RECEIVE
from tests.folders import corpus as corpus


def send(corpus: Corpus, text: str) -> str:
    run_id = corpus._asker.ask(RECEIVE, ReceiveRequest(text=text), Call()).run_id
    assert run_id is not None
    return str(run_id)


def files(corpus: Corpus) -> list[str]:
    """The ids of the runs on disk, by manifest and by materialization."""
    left = manifests.ids(CorpusFolder(corpus.path))
    assert left == sorted(os.listdir(corpus.path / ".biblicus" / "local" / "index"))
    return left


def test_many_documents_leave_two_manifests(corpus: Corpus) -> None:
    sent = [send(corpus, f"Document {number}.") for number in range(22)]
    assert files(corpus) == sent[-2:]
    assert manifests.read(CorpusFolder(corpus.path), sent[-1]).folded == sent[:-2]
    assert len(corpus.query("document", limit=50).evidence) == 22
    assert corpus.check().problems == []


def test_a_manifest_does_not_grow_with_every_document(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "_MOST_NAMES", 3)
    sent = [send(corpus, f"Document {number}.") for number in range(7)]
    assert manifests.read(CorpusFolder(corpus.path), sent[-1]).folded == sent[2:5]
    for gone, error in ((sent[2], RunFolded), (sent[0], RunNotFound)):
        with pytest.raises(error):
            manifests.resolve(CorpusFolder(corpus.path), gone)


def test_what_an_evaluation_names_stays(corpus: Corpus) -> None:
    sent = [send(corpus, "Alfa.")]
    evaluations = corpus.path / ".biblicus" / "local" / "evaluations"
    evaluations.mkdir()
    (evaluations / "20261121T000000Z-moons-3f2a9c.json").write_text(f'{{"systems": [{{"run_id": "{sent[0]}"}}]}}')
    sent += [send(corpus, text) for text in ("Bravo.", "Charlie.", "Delta.")]
    assert manifests.ids(CorpusFolder(corpus.path)) == [sent[0], *sent[2:]]


@pytest.mark.parametrize("kept", [1, 3])
def test_what_may_be_open_stays(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    monkeypatch.setenv("BIBLICUS_MATERIALIZATIONS", str(kept))
    with Corpus.open(corpus.path) as again:
        sent = [send(again, text) for text in ("Alfa.", "Bravo.", "Charlie.", "Delta.")]
        assert files(again) == sent[-kept:]


@pytest.mark.parametrize("step", ["commit", "fold", "delete"])
def test_a_death_in_the_middle_loses_nothing(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Wherever it ends, every document that was acknowledged is found, and the next one folds what was left."""
    sent = [send(corpus, text) for text in ("Alfa.", "Bravo.")]

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(manifests, step, dies)
        with pytest.raises(KeyboardInterrupt):
            send(corpus, "Charlie.")
    assert {piece.text for piece in corpus.query("alfa bravo").evidence} == {"Alfa.", "Bravo."}
    assert all((corpus.path / ".biblicus" / "runs" / f"{run_id}.json").exists() for run_id in sent)
    last = [send(corpus, text) for text in ("Delta.", "Echo.")]
    assert files(corpus) == last
    assert len(corpus.query("alfa bravo charlie delta echo").evidence) == 5
    assert corpus.check().problems == []


def test_a_run_that_cannot_be_deleted_is_left_to_the_next_document(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = [send(corpus, text) for text in ("Alfa.", "Bravo.")]
    with monkeypatch.context() as patch:
        patch.setattr(manifests, "delete", lambda *_: (_ for _ in ()).throw(PermissionError()))
        sent.append(send(corpus, "Charlie."))
    assert manifests.ids(CorpusFolder(corpus.path)) == sent
    sent.append(send(corpus, "Delta."))
    assert files(corpus) == sent[-2:]

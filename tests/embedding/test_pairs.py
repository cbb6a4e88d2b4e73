"""The reranker `cross-encoder`: a tiny model made here, safetensors only, defined by the user alone."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call, Given, Passage
from biblicus.embedding.pairs import CrossEncoder, Options
from biblicus.errors import DeadlineExceeded, EmbedderUnavailable, UnknownModel, UnsafeInput
from biblicus.models.question import Question
from biblicus.retrieval import cross_encoder

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [*MARKS, "the", "moon", "pulls", "tides", "gulls", "follow", "boats", "ropes", "are", "coiled"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    torch = pytest.importorskip("torch", reason="needs the extra [embed]")
    transformers = pytest.importorskip("transformers", reason="needs the extra [embed]")
    folder = tmp_path_factory.mktemp("pairs")
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(1)
    shape = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        num_labels=1,
    )  # fmt: skip
    transformers.BertForSequenceClassification(shape).save_pretrained(folder, safe_serialization=True)
    transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def encoder(folder: Path) -> CrossEncoder:
    return CrossEncoder(Options(model=str(folder)), Given(device="cpu", digest=lambda path: ""))


def test_it_scores_what_the_library_scores(made):
    from sentence_transformers import CrossEncoder as Reference

    texts = ["the moon pulls tides", "gulls follow boats", "ropes \ud800"]
    ours = encoder(made).scores("moon tides", texts, Call())
    theirs = Reference(str(made), device="cpu", max_length=512).predict(
        [("moon tides", text.encode("utf-8", "replace").decode()) for text in texts]
    )
    assert ours == pytest.approx(theirs.tolist(), abs=1e-5)
    assert len(set(ours)) == 3


def test_a_recipe_uses_the_model_that_the_user_defines(made, home):
    (home / "config").mkdir()
    (home / "config" / "config.yml").write_text(f"rerankers: {{judge: {{model: {made}}}}}\n")
    folder = home / "corpus"
    folder.mkdir()
    for name, text in {
        "a": "The moon pulls the tides.",
        "b": "The moon, moon, moon.",
        "c": "Boats at the moon.",
    }.items():
        (folder / f"{name}.txt").write_text(text)
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        path = corpus.new_recipe("judged")
        path.write_text(path.read_text().replace("rerank: null", "rerank: {by: cross-encoder, model: judge}"))
        found = corpus.query("moon", recipe="judged").evidence
        texts = [f"{piece.title}\n\n{piece.text}" for piece in found]
        wanted = encoder(made).scores("moon", texts, Call())
    assert [piece.score for piece in found] == pytest.approx(sorted(wanted, reverse=True), rel=1e-4)
    assert all(piece.stage == "rerank" and set(piece.stage_scores) == {"lexical", "rerank"} for piece in found)


def test_a_model_that_the_user_has_not_defined_is_refused(home):
    folder = home / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text("moon")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        path = corpus.new_recipe("judged")
        path.write_text(path.read_text().replace("rerank: null", "rerank: {by: cross-encoder, model: /tmp/evil}"))
        with pytest.raises(UnknownModel):
            corpus.query("moon", recipe="judged")


def test_weights_that_are_programs_are_refused(made, tmp_path):
    shutil.copytree(made, tmp_path / "pickled")
    (tmp_path / "pickled" / "model.safetensors").rename(tmp_path / "pickled" / "pytorch_model.bin")
    with pytest.raises(UnsafeInput):
        encoder(tmp_path / "pickled").scores("moon", ["moon"], Call())


def test_a_folder_that_is_none_says_so(tmp_path):
    with pytest.raises(EmbedderUnavailable):
        encoder(tmp_path / "nothing").scores("moon", ["moon"], Call())


class Slow:
    """Judges nothing before its time is up; is loaded by a call without passages."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, bool]] = []

    def __call__(self, model: str, question: str, passages: Sequence[str], call: Call) -> list[float]:
        self.calls.append((len(passages), call.deadline is None))
        if passages:
            raise DeadlineExceeded
        return []


def test_past_its_time_the_order_before_it_is_returned_and_said(home, monkeypatch):
    slow = Slow()
    monkeypatch.setattr("biblicus.search.rerankers.Rerankers._pairs", lambda _, *asked: slow(*asked))
    folder = home / "corpus"
    folder.mkdir()
    for name, text in {"a": "The moon pulls the tides.", "b": "The moon, moon, moon."}.items():
        (folder / f"{name}.txt").write_text(text)
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        path = corpus.new_recipe("judged")
        choice = "rerank: {by: cross-encoder, model: judge, seconds: 2}"
        path.write_text(path.read_text().replace("rerank: null", choice))
        before = [piece.path for piece in corpus.query("moon").evidence]
        result = corpus.query("moon", recipe="judged")
        (folder / "questions.jsonl").write_text('{"query": "moon", "relevant": ["a.txt"]}\n')
        with pytest.raises(EmbedderUnavailable, match="in 2 s"):
            corpus.evaluate(str(folder / "questions.jsonl"), recipes=["judged"])
    assert [piece.path for piece in result.evidence] == before
    assert result.notes == (
        "The order is the one before reranking. The embedder judge cannot be used: it did not judge in 2 s.",
    )
    assert slow.calls[:2] == [(0, True), (2, False)]
    reranker = cross_encoder.build(cross_encoder.Options(model="judge"), Given(pairs=slow))
    with pytest.raises(DeadlineExceeded):  # of the question, whose time is up, too
        reranker.rerank(Question("moon"), [Passage(0, "The moon.", 1.0)], Call(deadline=0.0))

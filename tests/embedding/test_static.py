"""static: the mean of token vectors, as wordllama and model2vec compute it."""

import json
from pathlib import Path

import numpy as np
import pytest

from biblicus.contracts import Call, Embedder, Given
from biblicus.embedding import static
from biblicus.errors import BiblicusError, EmbedderUnavailable, ExtraMissing
from tests.embedding.conftest import write_safetensors

pytest.importorskip("tokenizers", reason="the extra [static] is not installed")

WORDS = {"[UNK]": 0, "moon": 1, "tide": 2, "sea": 3}
MATRIX = np.array([[9, 9], [1, 0], [0, 1], [1, 1]], np.float32)


def write_model(folder: Path, **tensors: np.ndarray) -> Path:
    """A model2vec folder of four words and two dimensions."""
    folder.mkdir(exist_ok=True)
    write_safetensors(folder / "model.safetensors", {"embeddings": MATRIX, **tensors})
    words = {"type": "WordLevel", "vocab": WORDS, "unk_token": "[UNK]"}
    parts = {"normalizer": None, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None}
    whole: dict[str, object] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        **parts,
        "model": words,
    }
    (folder / "tokenizer.json").write_text(json.dumps(whole), encoding="utf-8")
    return folder


def embedder_of(folder: Path) -> Embedder:
    return static.build(static.Options(model=str(folder)), Given())


def test_a_text_has_the_mean_of_its_known_tokens_normalised(tmp_path: Path):
    vectors = embedder_of(write_model(tmp_path / "m")).embed(["moon", "moon tide", "moon zebra", "sea"], Call())
    half = 0.5**0.5
    np.testing.assert_allclose(vectors, [[1, 0], [half, half], [1, 0], [half, half]], atol=1e-6)
    assert vectors.dtype == np.float32


def test_weights_and_rows_of_tokens_are_applied_where_a_model_has_them(tmp_path: Path):
    extra = {"mapping": np.array([0, 2, 1, 3]), "weights": np.array([1, 3, 4, 1], np.float32)}
    vectors = embedder_of(write_model(tmp_path / "m", **extra)).embed(["moon tide"], Call())
    np.testing.assert_allclose(vectors, [[0.8, 0.6]], atol=1e-6)


def test_a_text_without_a_known_token_lacks_a_vector(tmp_path: Path):
    embedder = embedder_of(write_model(tmp_path / "m"))
    assert np.isnan(embedder.embed(["zebra", ""], Call())).all()
    assert embedder.question("zebra", Call()).tolist() == [0, 0]


def test_there_is_no_limit_and_tokens_are_counted(tmp_path: Path):
    embedder = embedder_of(write_model(tmp_path / "m"))
    assert embedder.max_tokens == 0
    assert embedder.count(["moon tide sea", ""]) == [3, 0]


def test_a_fingerprint_follows_the_files(tmp_path: Path):
    one = embedder_of(write_model(tmp_path / "a")).fingerprint
    assert embedder_of(write_model(tmp_path / "b")).fingerprint == one
    assert embedder_of(write_model(tmp_path / "b", weights=np.ones(4, np.float32))).fingerprint != one


def test_a_matrix_too_small_for_its_tokenizer_is_a_sentence(tmp_path: Path):
    folder = write_model(tmp_path / "m", embeddings=MATRIX[:2])
    with pytest.raises(EmbedderUnavailable, match="does not fit"):
        embedder_of(folder).embed(["sea"], Call())


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("raw", [None, b"", b"\x80\x04\x95 a pickle's first bytes"])
def test_a_folder_that_is_none_is_a_sentence(tmp_path: Path, name: str, raw: bytes | None):
    folder = write_model(tmp_path / "m")
    (folder / name).unlink()
    if raw is not None:
        (folder / name).write_bytes(raw)
    embedder = embedder_of(folder)
    with pytest.raises(BiblicusError):
        _ = embedder.fingerprint, embedder.dim, embedder.embed(["moon"], Call())


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(static, "find_spec", lambda name: None)
    with pytest.raises(ExtraMissing) as caught:
        static.build(static.Options(), Given())
    assert caught.value.hint == 'pip install "biblicus-corpus[static]"'


def test_wordllama_gives_the_same_numbers():
    library = pytest.importorskip("wordllama", reason="the extra [static] is not installed")
    texts = ["The moon pulls tides.", "a", "Größe und 日本語 text", "tide " * 900]
    embedder = static.build(static.Options(), Given())
    model = library.WordLlama.load(cache_dir=Path(library.__file__).parent, disable_download=True)
    np.testing.assert_allclose(embedder.embed(texts, Call()), model.embed(texts, norm=True), atol=1e-6)
    assert embedder.dim == 256

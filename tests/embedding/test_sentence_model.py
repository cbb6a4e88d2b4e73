"""sentence-transformers: a folder of the user's, tiny and made here; safetensors only; no connection."""

import json
import shutil
import socket
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from biblicus.contracts import Call, Embedder, Given
from biblicus.embedding import sentence_model
from biblicus.errors import BiblicusError, ConfigInvalid, EmbedderUnavailable, ExtraMissing, UnsafeInput

pytestmark = pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="the extra [embed] is not installed")

TEXTS = ["the moon", "a river of stone", "tide " * 60, "", "sea"]
WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "moon",
    "tide",
    "sea",
    "river",
    "stone",
    "the",
    "a",
    "of",
    *"abcdefghijklmnop",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT with random weights, mean pooling and a dense layer on top: 16 dimensions become 8."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Dense, Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("models")
    torch.manual_seed(7)
    tokenizer = Tokenizer(models.WordPiece({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=32, **names)
        fast.save_pretrained(folder / "base")
        shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
        BertModel(BertConfig(vocab_size=len(WORDS), max_position_embeddings=64, **shape)).save_pretrained(
            folder / "base"
        )
        layers = [Transformer(str(folder / "base")), Pooling(16, "mean"), Dense(16, 8)]
        prompts = {"query": "the ", "document": ""}
        SentenceTransformer(modules=layers, prompts=prompts, device="cpu").save(str(folder / "tiny"))
    return folder / "tiny"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(made, tmp_path / "tiny")
    return tmp_path / "tiny"


def embedder_of(folder: Path, **options: object) -> Embedder:
    checked = sentence_model.Options.model_validate({"model": str(folder), **options})
    return sentence_model.build(checked, Given(device="cpu"))


def test_vectors_are_those_of_the_library_normalised(made: Path):
    from sentence_transformers import SentenceTransformer

    embedder = embedder_of(made)
    vectors = embedder.embed(TEXTS, Call())
    library = SentenceTransformer(str(made), device="cpu", local_files_only=True)
    raw = library.encode(TEXTS)
    np.testing.assert_allclose(vectors, raw / np.linalg.norm(raw, axis=1, keepdims=True), atol=1e-5)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), embedder.dim) == (len(TEXTS), 8)


def test_a_question_is_asked_with_the_models_own_prompt(made: Path):
    embedder = embedder_of(made)
    np.testing.assert_allclose(embedder.question("moon", Call()), embedder.embed(["the moon"], Call())[0], atol=1e-5)


def test_limit_and_tokens_are_read_from_the_folder(made: Path):
    embedder = embedder_of(made)
    assert embedder.max_tokens == 32
    assert embedder.count(TEXTS) == [4, 6, 62, 2, 3]


def test_a_limit_of_the_users_cuts_earlier_and_makes_another_model(made: Path):
    embedder = embedder_of(made, max_tokens=8)
    assert embedder.max_tokens == 8
    assert embedder.fingerprint != embedder_of(made).fingerprint
    cut = embedder.embed(["tide " * 60, "tide " * 6], Call())
    np.testing.assert_allclose(cut[0], cut[1], atol=1e-5)


def test_a_fingerprint_follows_what_decides_a_vector_and_nothing_else(folder: Path, made: Path):
    before = embedder_of(folder).fingerprint
    assert before == embedder_of(made).fingerprint  # wherever the folder lies
    assert str(folder) not in before
    (folder / "README.md").write_text("other words", encoding="utf-8")
    assert embedder_of(folder).fingerprint == before
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text(pooling.read_text(encoding="utf-8").replace("mean", "cls"), encoding="utf-8")
    assert embedder_of(folder).fingerprint != before


def test_weights_that_are_a_pickle_are_not_opened(folder: Path):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(UnsafeInput, match="pickle"):
        _ = embedder_of(folder).fingerprint


def test_a_modules_pickle_is_not_opened(folder: Path):
    (folder / "2_Dense" / "model.safetensors").rename(folder / "2_Dense" / "pytorch_model.bin")
    with pytest.raises(UnsafeInput, match="2_Dense"):
        embedder_of(folder).embed(["moon"], Call())


def test_a_folder_without_weights_says_so(folder: Path):
    for path in folder.rglob("*.safetensors"):
        path.unlink()
    with pytest.raises(UnsafeInput, match="no safetensors"):
        embedder_of(folder).embed(["moon"], Call())


def test_a_module_that_is_no_librarys_is_not_run(folder: Path):
    modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    modules[1]["type"] = "os.system"
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    with pytest.raises(UnsafeInput, match=r"os\.system"):
        embedder_of(folder).embed(["moon"], Call())


@pytest.mark.parametrize("raw", ["", "[", "{}", "[1]", '[{"path": 3}]'])
def test_a_broken_list_of_modules_is_a_sentence(folder: Path, raw: str):
    (folder / "modules.json").write_text(raw, encoding="utf-8")
    with pytest.raises(BiblicusError):
        _ = embedder_of(folder).fingerprint


def test_broken_weights_are_a_sentence(folder: Path):
    (folder / "model.safetensors").write_bytes(b"\xff" * 100)
    with pytest.raises(EmbedderUnavailable, match="does not load") as caught:
        embedder_of(folder).embed(["moon"], Call())
    assert "\n" not in caught.value.message


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path):
    with pytest.raises(ConfigInvalid, match=r"modules\.json"):
        _ = embedder_of(tmp_path / "nothing").fingerprint


def test_a_folder_is_loaded_without_a_connection(made: Path, monkeypatch: pytest.MonkeyPatch):
    def connect(*_: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)
    embedder_of(made).embed(TEXTS, Call())


def test_a_name_that_the_hub_cannot_give_is_a_sentence(monkeypatch: pytest.MonkeyPatch):
    import huggingface_hub

    def away(*_: object, **__: object) -> str:
        raise OSError("no route\nand more")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", away)
    with pytest.raises(EmbedderUnavailable, match=r"could not be fetched \(no route\)"):
        _ = sentence_model.build(sentence_model.Options(model="someone/some-model"), Given()).fingerprint


def test_of_a_model_on_the_hub_only_data_is_fetched(made: Path, monkeypatch: pytest.MonkeyPatch):
    import huggingface_hub

    asked: dict[str, Any] = {}

    def snapshot(name: str, **options: object) -> str:
        asked[name] = options
        return str(made)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    embedder = sentence_model.build(sentence_model.Options(model="someone/some-model", revision="abc"), Given())
    assert embedder.dim == 8
    options = asked["someone/some-model"]
    assert options["revision"] == "abc"
    assert not any(pattern.endswith((".bin", ".pt", ".py")) for pattern in options["allow_patterns"])


def test_a_missing_extra_is_named(made: Path, monkeypatch: pytest.MonkeyPatch):
    import sys

    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ExtraMissing) as caught:
        embedder_of(made).embed(["moon"], Call())
    assert caught.value.hint == 'pip install "biblicus-corpus[embed]"'

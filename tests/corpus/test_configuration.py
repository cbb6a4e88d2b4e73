"""What is known to be valid is read without a parser or a validator, and read alike."""

import copy
import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from biblicus.config import CorpusConfig, Settings, load_settings
from biblicus.corpus.catalog import Header
from biblicus.corpus.folder import _AS_WRITTEN
from biblicus.corpus.weights import NONE
from biblicus.embedding import minilm
from biblicus.embedding.networks import safetensors
from biblicus.guards import yaml
from biblicus.models import records
from biblicus.models.manifest import Manifest
from biblicus.models.recipe import BUILT_IN, Recipe
from biblicus.models.records import Record
from biblicus.models.weights import Weights
from biblicus.retrieval.vectors import exact, hnsw
from biblicus.retrieval.words import lexical

_WORDS = st.sampled_from(["null", "Null", "nullable", "yes", "n", "docs", "e5", "x-y_z", "a b", "a:", "7", "~", "a.b"])


@given(st.integers(0, 2**128 - 1).map("{:032x}".format), _WORDS | st.text("abNUL7_-: #'", max_size=6))
def test_what_is_taken_as_written_is_what_the_parser_reads(corpus_id: str, name: str) -> None:
    text = f"corpus_id: {corpus_id}\nname: {name}\n"
    if plain := _AS_WRITTEN.fullmatch(text):
        assert yaml.read(text) == {"corpus_id": plain[1], "name": plain[2]}
        made = CorpusConfig(corpus_id=plain[1], name=plain[2])
        assert made == CorpusConfig.model_validate({"corpus_id": plain[1], "name": plain[2]})


def test_what_nobody_set_is_as_a_validator_would_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    validated = Settings.model_validate({})
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(Settings, "model_validate", None)
    assert load_settings({}) == validated
    assert Weights.model_validate({}) == NONE


_RETRIEVE: dict[str, Any] = {
    "legs": ["lexical"],
    "candidates": 7,
    "fusion": {"by": "rrf", "weights": {"lexical": 1}, "k": 3},
}
_QUERY: dict[str, Any] = {
    "retrieve": _RETRIEVE,
    "rerank": {"by": "judge"},
    "weights": {"extensions": {".md": 2}, "doctypes": {"code": 0.5}, "paths": {"a/*": 3}},
    "filter": {"near_duplicates": 0.5},
    "threshold": {"lexical": 1},
    "budget": {"items": 3, "tokens": None, "characters": 5, "per_source": 1},
}
_LAYER: dict[str, Any] = {
    "name": "kept",
    "path": "kept/**",
    "from": "raw",
    "by": "copy",
    "requires": {"reviews": 2, "checks": ["verify"]},
    "pending": "left_out",
}
_NOTE = {"path": "a", "reason": "empty"}
SOUND: dict[type[Record], dict[str, Any]] = {
    Recipe: {**BUILT_IN["lexical"], "query": _QUERY},
    CorpusConfig: {
        "corpus_id": "0" * 32,
        "name": "docs",
        "doctypes": [{"path": "a", "doctype": "code"}],
        "archive_depth": 2,
        "inline_tags": True,
        "layers": [{"name": "raw"}, _LAYER],
    },
    Settings: {
        "workers": 2,
        "lock_timeout": 3,
        "sandbox": "off",
        "rerankers": {"mine": {"by": "own", "depth": 3}},
        "corpora": {"/docs": {"store": "team", "schema": "docs"}},
        "executor": "ray",
        "procedures": {"mine": {"command": ["ask", "it"], "seconds": 3}},
    },
    Weights: {
        "weights": [
            {"item": "a", "multiplier": 2},
            {"pattern": "*.md", "multiplier": 0.5, "namespace": "git", "expires": "2026-01-01T00:00:00Z"},
        ]
    },
    Header: {
        "schema_version": 1,
        "corpus_id": "a",
        "latest": {"lexical": {"run_id": "b", "build_id": "c"}},
        "corpus_digest": "d",
    },
    Manifest: {
        **dict.fromkeys(("run_id", "recipe_id", "build_id", "corpus_id", "corpus_digest", "chunks_digest"), "a"),
        "index_version": "a",
        "schema_version": 1,
        "recipe": {"name": "a"},
        "built": "fresh",
        "components": {"a": "b"},
        **{key: {"a": 1} for key in ("counts", "languages", "sizes", "timings")},
        "skipped": [_NOTE],
        "failed": [_NOTE],
    },
    lexical.Options: {"title": "none", "stopwords": "keep", "stemming": "none"},
    hnsw.Options: {"embedder": "mine", "exact_below": 5, "library": "usearch", "links": 8, "effort": 9, "reach": 10},
    exact.Options: {"embedder": "mine"},
    minilm.Options: {},
    safetensors._Tensor: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
}
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 5, 10**400, 0.5, 1e9, float("nan"), float("inf"), b"a", datetime.date(2026, 1, 1)),
    *("", "5", "A b", "a\n", "on", "raw", "lexical", "..", "\ud800", "2026-02-30T00:00:00Z"),
    *([], [1], ["a", "a"], ("a",), {}, {"by": "a"}, {"zz": {}}, {"A b": 1}, {1: 2}),
)
"""What may stand in a file, or come of reading it."""


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a part of a value stands, for each."""
    yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*at, key))


def changed(sound: dict[str, Any]) -> Iterator[Any]:
    """A value with each of its parts in turn replaced by each odd one, taken away, and given one more."""
    for at in places(sound):
        for odd in ODD:
            whole, holder, key = _held(sound, at)
            holder[key] = odd
            yield whole[""]
        whole, holder, key = _held(sound, at)
        if isinstance(holder[key], dict):
            holder[key]["zz"] = 1
            yield whole[""]
        if at:
            del holder[key]
            yield whole[""]


def _held(sound: dict[str, Any], at: tuple[Any, ...]) -> tuple[dict[str, Any], Any, Any]:
    """A copy, in what holds it; what holds one of its parts; and the key of that part there."""
    whole = {"": copy.deepcopy(sound)}
    *above, last = ("", *at)
    holder: Any = whole
    for key in above:
        holder = holder[key]
    return whole, holder, last


def outcome(read: Callable[[Any], Any], data: Any) -> str:
    """What comes of reading a value, or what is wrong with it."""
    try:
        made = read(data)
    except ValidationError as error:
        return repr([(one["type"], one["loc"], one["msg"]) for one in error.errors(include_url=False)])
    return f"{made!r} {made.model_dump()!r}"


@pytest.mark.parametrize("kind", SOUND, ids=lambda kind: f"{kind.__module__.rpartition('.')[2]}.{kind.__qualname__}")
def test_what_is_sound_is_read_without_a_validator(kind: type[Record], monkeypatch: pytest.MonkeyPatch) -> None:
    judged = TypeAdapter(kind).validate_python(SOUND[kind])
    monkeypatch.setattr(records, "_judge", None)
    assert kind.model_validate(SOUND[kind]) == judged


@pytest.mark.parametrize("kind", SOUND, ids=lambda kind: f"{kind.__module__.rpartition('.')[2]}.{kind.__qualname__}")
def test_whatever_stands_anywhere_is_read_as_a_validator_reads_it(kind: type[Record]) -> None:
    judge = TypeAdapter(kind).validate_python
    for data in changed(SOUND[kind]):
        assert outcome(kind.model_validate, data) == outcome(judge, data), data

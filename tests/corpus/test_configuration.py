"""What is known to be valid is read without a parser or a validator, and read alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.config import CorpusConfig, Settings, load_settings
from biblicus.corpus.folder import _AS_WRITTEN
from biblicus.corpus.weights_file import NONE
from biblicus.guards import yaml
from biblicus.models.weights import Weights

_WORDS = st.sampled_from(["null", "Null", "nullable", "yes", "n", "docs", "e5", "x-y_z", "a b", "a:", "7", "~", "a.b"])


@given(st.integers(0, 2**128 - 1).map("{:032x}".format), _WORDS | st.text("abNUL7_-: #'", max_size=6))
def test_what_is_taken_as_written_is_what_the_parser_reads(corpus_id: str, name: str) -> None:
    text = f"corpus_id: {corpus_id}\nname: {name}\n"
    if plain := _AS_WRITTEN.fullmatch(text):
        assert yaml.read(text) == {"corpus_id": plain[1], "name": plain[2]}
        made = CorpusConfig.model_construct(corpus_id=plain[1], name=plain[2])
        assert made == CorpusConfig(corpus_id=plain[1], name=plain[2])


def test_what_nobody_set_is_as_a_validator_would_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    validated = Settings.model_validate({})
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(Settings, "model_validate", None)
    assert load_settings({}) == validated
    assert Weights() == NONE

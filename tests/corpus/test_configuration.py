"""The configuration as `init` writes it is read without a YAML parser, and read alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from biblicus.corpus.folder import _AS_WRITTEN
from biblicus.guards import yaml

_WORDS = st.sampled_from(["null", "Null", "nullable", "yes", "n", "docs", "e5", "x-y_z", "a b", "a:", "7", "~", "a.b"])


@given(st.integers(0, 2**128 - 1).map("{:032x}".format), _WORDS | st.text("abNUL7_-: #'", max_size=6))
def test_what_is_taken_as_written_is_what_the_parser_reads(corpus_id: str, name: str) -> None:
    text = f"corpus_id: {corpus_id}\nname: {name}\n"
    if plain := _AS_WRITTEN.fullmatch(text):
        assert yaml.read(text) == {"corpus_id": plain[1], "name": plain[2]}

"""An address without its scheme is told with it."""

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.errors import UsageError


def test_an_address_that_lacks_its_scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    with Corpus.init(tmp_path) as corpus:
        with pytest.raises(UsageError) as refused:
            corpus.add_source("example.org/o/r")
        assert refused.value.hint == "biblicus sources add https://example.org/o/r"
        with pytest.raises(UsageError, match="hold one another"):
            corpus.add_source("notes")


@pytest.mark.parametrize("missing", ["nowhere", "docs/new folder", "a b.org/c"])
def test_a_folder_that_is_missing_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.chdir(tmp_path)
    with Corpus.init(tmp_path) as corpus, pytest.raises(UsageError) as refused:
        corpus.add_source(missing)
    assert refused.value.hint == "biblicus sources add https://…"

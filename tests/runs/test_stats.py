"""Counts of what a corpus holds, where it is looked at and changed at the same time."""

from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.corpus.catalog import catalog_of
from biblicus.runs import stats


def test_counts_of_a_catalog_that_is_replaced_meanwhile_are_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with Corpus.init(tmp_path) as corpus, Corpus.open(tmp_path) as other:
        (tmp_path / "tides.md").write_text("The moon pulls tides.")
        corpus.ingest()

        def replaced(*given: Any) -> Any:
            before = catalog_of(*given)
            monkeypatch.undo()
            (tmp_path / "gulls.txt").write_text("Gulls follow boats.")
            other.ingest()
            return before

        monkeypatch.setattr(stats, "catalog_of", replaced)
        corpus.stats()
        assert corpus.stats()["media_types"] == {"text/markdown": 1, "text/plain": 1}

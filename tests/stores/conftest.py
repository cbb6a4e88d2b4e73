"""Small corpora are built on their parents, as large ones are."""

import pytest


@pytest.fixture(autouse=True)
def _builds_on_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.runs.reindex.FRESH_BELOW", 0)

"""Names of formats and languages."""

import pytest

from biblicus.connectors.web import kinds


@pytest.mark.parametrize(("has_cld2", "name"), [(True, "German"), (False, "de")])
def test_a_language_has_its_name_where_one_is_known(monkeypatch: pytest.MonkeyPatch, has_cld2: bool, name: str):
    monkeypatch.setattr(kinds, "has_cld2", lambda: has_cld2)
    kinds._languages.cache_clear()
    assert kinds.value_name("language", "de") == name
    kinds._languages.cache_clear()

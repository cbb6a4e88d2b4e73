"""What the search page asks for by an address."""

import pytest

from biblicus.connectors.web import kinds
from biblicus.connectors.web.asking import FACET_FILTERS
from biblicus.connectors.web.kinds import kind_of
from biblicus.connectors.web.marking import snippets
from biblicus.corpus.facets import _COUNTED, _FILTERS


def test_every_facet_filters_when_it_is_followed() -> None:
    """A value of a facet that no address knows would be followed and change nothing."""
    said = {filter_ for name in _COUNTED for filter_ in (_FILTERS[name]("x") if name in _FILTERS else (name,))}
    assert said <= set(FACET_FILTERS)


@pytest.mark.parametrize(
    ("snippet", "told"),
    [
        ("It hauls [a rope](rope.md#of_…", "It hauls a rope…"),
        ("…the winch](winch.md) hauls", "…the winch hauls"),
        ("It hauls. [!code-cpp[Winch#1](../winch…", "It hauls.…"),
        ("It hauls [a rope](rope.md#of_hemp).", "It hauls a rope."),
    ],
)
def test_a_link_that_is_cut_off_is_told_without_its_address(snippet: str, told: str) -> None:
    text = "[See the winch](winch.md) hauls. It hauls [a rope](rope.md#of_hemp). It hauls."
    text += " [!code-cpp[Winch#1](../winch.cpp)]"
    piece = {"snippet": snippet, "text": text, "media_type": "text/markdown", "language": "en"}
    (parts,) = snippets([piece], "rope")
    assert "".join(part.text for part in parts) == told


@pytest.mark.parametrize(
    ("media_type", "name"),
    [
        ("application/pdf", "PDF"),
        ("text/plain", "Text"),
        ("image/svg+xml", "Picture"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel"),
        ("application/vnd.oasis.opendocument.presentation", "OpenDocument slides"),
        ("application/vnd.sun.xml.calc", "OpenOffice table"),
        ("application/vnd.ms-excel", "Excel"),
        ("message/rfc822", "Mail"),
        ("audio/mpeg", "Recording"),
        ("text/x-python", "Python"),
        ("application/x-nobody-knows", "Nobody knows"),
    ],
)
def test_a_type_has_the_name_that_people_use(media_type: str, name: str) -> None:
    assert kind_of(media_type).name == name


@pytest.mark.parametrize(
    ("has_cld2", "code", "name"),
    [(True, "de", "German"), (True, "zh", "Chinese"), (True, "xx", "xx"), (False, "de", "de")],
)
def test_a_language_has_its_english_name_where_one_is_known(
    monkeypatch: pytest.MonkeyPatch, has_cld2: bool, code: str, name: str
) -> None:
    monkeypatch.setattr(kinds, "has_cld2", lambda: has_cld2)
    kinds._languages.cache_clear()
    assert kinds.value_name("language", code) == name
    kinds._languages.cache_clear()

"""Who wrote a page and when."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.extraction.kit.composing import day
from tests.extraction.reading import read


def metadata(head: str, body: str = "") -> Mapping[str, object]:
    return read("html", f"<!doctype html><head>{head}</head><body><p>words</p>{body}").metadata


@pytest.mark.parametrize(
    ("head", "body", "author", "date"),
    [
        (
            '<meta name="Author" content=" Ada  Lovelace "><meta name="date" content="2026-11-21">',
            "",
            "Ada Lovelace",
            "2026-11-21",
        ),
        ('<meta property="article:published_time" content="2026-11-21T10:00:00+01:00">', "", None, "2026-11-21"),
        (
            '<meta property="article:author" content="https://b.example/ada"><meta name="dc.date" content="2026/1/2">',
            "",
            None,
            "2026-01-02",
        ),
        (
            (
                '<meta name="citation_author" content="Lovelace, Ada"><meta name="citation_author" content="Bo">'
                '<meta name="author" content="Site"><meta name="citation_publication_date" content="2024/05">'
            ),
            "",
            ["Lovelace, Ada", "Bo"],
            "2024-05",
        ),
        (
            (
                '<script type="application/ld+json">{"@graph": [{"@type": "WebSite"}, {"datePublished":'
                '"2026-11-21T01:00:00Z", "author": [{"name": "Ada"}, "Bo", {"name": 7}]}]}</script>'
            ),
            "",
            ["Ada", "Bo"],
            "2026-11-21",
        ),
        ("", '<script type="application/ld+json">[{"author": {"name": "Ada"}}]</script>', "Ada", None),
        (
            "",
            '<a rel="author" href="/ada">Ada</a><time class="dt-published" datetime="2026-11-21T00:00">x</time>',
            "Ada",
            "2026-11-21",
        ),
        ("", '<time datetime="2026-11-21">a comment</time>', None, None),
        ('<script type="application/ld+json">{"author": [[[</script><meta name="date" content="soon">', "", None, None),
        ('<meta name="date" content="Sat, 21 Nov 2026 10:00:00 GMT">', "", None, "2026-11-21"),
        ('<meta name="author" content=""><meta content="x"><meta name="date">', "", None, None),
        ("", "", None, None),
    ],
)
def test_what_a_page_declares(head: str, body: str, author: str | list[str] | None, date: str | None) -> None:
    said = {"author": author, "date": date}
    assert metadata(head, body) == {key: value for key, value in said.items() if value}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026", "2026"),
        ("2026-13-01", ""),
        ("2026-02-30", ""),
        ("26-1-1", ""),
        ("20261121", ""),
        ("2026.11.21 x", "2026-11-21"),
        ("2026-11-21-7", ""),
        ("", ""),
        ("-1", ""),
    ],
)
def test_dates(text: str, found: str) -> None:
    assert day(text) == found


@given(st.text(max_size=80))
def test_any_text_is_a_date_or_none(text: str) -> None:
    assert len(day(text)) in (0, 4, 7, 10)

"""Manual pages as a formatter shows them have their sections and entries; texts that only look like one have not."""

from __future__ import annotations

import pytest

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.models.extraction import ENTRY, Extraction, Span

PAGE = "NAME\n    winch - pull a rope\n\nSYNOPSIS\n    winch [rope]\n\nDESCRIPTION\n    -s, --slow\n        Slowly.\n"
SHOWN = [(1, "NAME"), (1, "SYNOPSIS"), (1, "DESCRIPTION"), (ENTRY, "-s, --slow")]
HEADER = "WINCH(1)     Harbour     WINCH(1)\n\n"
UNUSED = PAGE.replace("SYNOPSIS", "OPTIONS")


def read(source: str, extractor: str = "text") -> Extraction:
    outcome = plugins.make("extraction", extractor, {}).extract(source.encode(), MediaHint("winch.txt", "text/plain"))
    assert isinstance(outcome, Extraction)
    return outcome


def headings(page: Extraction) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in page.headings]


@pytest.mark.parametrize(
    ("above", "page"), [("", PAGE), ("\n\n", PAGE), (HEADER, UNUSED), ("\n\nA Winch in w(8)  w(8)\n", UNUSED)]
)
def test_its_name_is_the_first_section(above: str, page: str):
    shown = read(above + page)
    assert shown.title == "winch"
    assert headings(shown)[-1] == SHOWN[-1]


@pytest.mark.parametrize(
    ("page", "entry"),
    [
        (PAGE.replace("\n", "\r\n"), "-s, --slow"),
        (PAGE.replace("    ", "\t"), "-s, --slow"),
        (PAGE.replace("        ", "\t      ").replace("    ", "       "), "-s, --slow"),
        (PAGE.replace("-s, --slow\n        ", "-s\t").replace("    ", "\t"), "-s"),
    ],
)
def test_tabs_are_as_wide_as_terminals_have_them(page: str, entry: str):
    shown = read(page)
    assert (shown.title, headings(shown)) == ("winch", [*SHOWN[:3], (ENTRY, entry)])
    for heading in shown.headings:
        assert shown.text[heading.offset :].startswith(heading.title)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"Notes\n=====\n\nThe page says:\n\n{PAGE}\nCare\n----\n\nIt is oiled.\n", "Notes"),
        (f"Form for a permit\n\n{PAGE}", None),
        (f"RESUME\n\n{UNUSED}", None),
        (UNUSED, "NAME"),
    ],
)
def test_what_quotes_a_page_is_none(text: str, title: str | None):
    quoting = read(text)
    assert quoting.title == title
    assert SHOWN[-1] not in headings(quoting)


@pytest.mark.parametrize(("field", "title"), [("title: Winches", None), ("CAPSTAN: 3", "winch")])
def test_front_matter_above_it_is_kept(field: str, title: str | None):
    page = read(f"---\n{field}\n---\n{PAGE}")
    assert page.masked == (Span(0, len(field) + 9),)
    assert list(page.metadata) == [field.partition(":")[0]]
    assert (page.title, headings(page)) == (title, SHOWN)


LOOP = "<h2>Loops</h2><p>A loop:</p><pre>    echo begin\n        count boats\n\n    echo end\n        be done\n</pre>"


@pytest.mark.parametrize(
    ("body", "entries"),
    [
        (f"<pre>{PAGE}</pre>", ["-s, --slow"]),
        (f"<h1>winch(1)</h1><p>NAME | SYNOPSIS</p><pre>{HEADER}{UNUSED}</pre>", ["-s, --slow"]),
        (f"<pre>{HEADER.upper()}{UNUSED}</pre>", ["-s, --slow"]),
        (f"<h1>Winches</h1><pre>{PAGE}</pre>{LOOP}", ["-s, --slow"]),
        (f"<pre>{HEADER}if (slow) {{ haul(); }}</pre><pre>{PAGE}</pre>", []),
        (f"<h1>How to read manuals</h1><p>A page looks so:</p><pre>{PAGE}</pre>{LOOP}", []),
    ],
)
def test_a_page_of_the_web_that_begins_with_one_has_its_entries(body: str, entries: list[str]):
    page = read(f"<html><body><main>{body}</main></body></html>", "html")
    assert [title for level, title in headings(page) if level >= ENTRY] == entries


@pytest.mark.parametrize(
    ("section", "line", "is_entry"),
    [
        ("COMMANDS", "haul", True),
        ("COMMANDS", "haul [-s | --slow] [rope [knot]...] boat quay", True),
        ("COMMANDS", "haul, haul-slow, haul-fast, lower", True),
        ("COMMANDS", "-s <speed of it> one two three four", True),
        ("COMMANDS", "haul_ropes (Harbour >= 3.0: yes, Harbour < 3.0: no)", True),
        ("COMMANDS", "if [ -e rope ]", False),
        ("COMMANDS", "haul one two three", False),
        ("COMMANDS", "haul {", False),
        ("EXAMPLES", "haul", False),
        ("AN EXAMPLE", "-s, --slow", False),
        ("EXAMPLES OF IT", "haul", False),
    ],
)
def test_an_entry_is_called_by_few_words_and_stands_in_no_example(section: str, line: str, is_entry: bool):
    page = read(f"{HEADER}{PAGE}\n{section}\n    It says:\n\n    {line}\n        words\n")
    assert headings(page) == [*SHOWN, (1, section), *([(ENTRY, line)] if is_entry else [])]

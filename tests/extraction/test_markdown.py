"""Headings and front matter of Markdown, offsets exact."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.extraction.markdown import headings
from biblicus.models.extraction import Heading, NoExtraction, Span
from tests.extraction.reading import outcome_of, read

extract = partial(read, "markdown", media_type="text/markdown")


def titles(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in headings(text)]


def test_headings_of_both_kinds_are_found_where_they_start() -> None:
    text = "Title\n=====\n\ntext\n\n## Two ##\n\nThree\n---\n\n   ###### Six\n"
    assert headings(text) == [
        Heading(0, 1, "Title"),
        Heading(19, 2, "Two"),
        Heading(30, 2, "Three"),
        Heading(41, 6, "Six"),
    ]


def test_headings_in_tags_are_found() -> None:
    text = (
        '<h1 align="center">\n  <a href="x"><img alt="Logo" src="x.svg"></a><br>The *Winch*\n</h1>\n\nHauls.\n\n'
        "## Use\n\n"
        '<h3 name="drum">\nWhat is a drum?\n</h3>\n\nRope.\n\n<h2><img src="x" alt="Bell"></h2>\n\n'
        "```html\n<h2>shown</h2>\n```\n<h2>left open\n\n<h4></h4>\n"
    )
    assert titles(text) == [(1, "The Winch"), (2, "Use"), (3, "What is a drum?"), (2, "Bell")]
    assert extract(text).title == "The Winch"
    assert text[headings(text)[2].offset :].startswith('<h3 name="drum">')


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("<!--\n<h2>Old</h2>\n-->\n\n<h2>New</h2>", ["New"]),
        ("<pre>\n<h2>shown</h2>\n</pre>\n\n<h2>New</h2>", ["New"]),
        ("<!-- left open\n\n<h2>New</h2>", ["New"]),
        ("Write this:\n\n    <h2>shown</h2>\n\nDone.", []),
        ('<div align="center">\n    <h2>New</h2>\n</div>', ["New"]),
        ("````md\n```html\n<h2>a</h2>\n```\n<h2>b</h2>\n````\n<h2>New</h2>", ["New"]),
        ("```haul```\n\n<h2>New</h2>", ["New"]),
    ],
)
def test_headings_in_tags_that_are_shown_or_not_seen_are_none(text: str, known: list[str]) -> None:
    assert [title for _, title in titles(text)] == known


@pytest.mark.parametrize(
    "text",
    [
        "#no space", "####### seven", "    # indented code", "text\n---not only dashes", "\n---\n", "- item\n---\n",
        "# \n", "```\n# in a fence\n```", "~~~\n# in a fence\n```\n# still\n~~~", "```\n# never closed",
        "a paragraph\nof two lines\n---\n", "| a | b |\n---", "",
    ],
)  # fmt: skip
def test_what_is_no_heading_is_left_alone(text: str) -> None:
    assert titles(text) == []


def test_headings_around_fences_are_found() -> None:
    assert titles("# one\n```sh\n# two\n```\n# three\n~~~~\n~~~\n# four\n~~~~\n# five") == [
        (1, "one"),
        (1, "three"),
        (1, "five"),
    ]


def test_an_inline_code_span_opens_no_fence() -> None:
    assert titles("``` not a fence ``` \n# real\n") == [(1, "real")]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("`std::vector<bool>` and `a_b`", "std::vector<bool> and a_b"),
        ("A [link](http://x.y) and ![image](z.png)", "A link and image"),
        ('<a name="x"></a> Anchor', "Anchor"),
        ("**bold** _em_ snake_case __init__.py", "bold em snake_case init.py"),
        (r"escaped \_\_init\_\_ \# \*", "escaped __init__ # *"),
        ("Q&amp;A &lt;T&gt;", "Q&A <T>"),
        ("operator< and C#", "operator< and C#"),
        ("closed   ###", "closed"),
        ("With id {#the-id}", "With id"),
    ],
)
def test_titles_are_plain_words(line: str, words: str) -> None:
    assert titles(f"# {line}\n") == [(1, words)]


def test_windows_line_ends_are_no_part_of_a_title() -> None:
    assert titles("# One\r\n\r\nTwo\r\n---\r\n") == [(1, "One"), (2, "Two")]


def test_the_title_is_the_first_heading_of_level_one() -> None:
    assert extract("## Before\n# Main\n# Other\n").title == "Main"
    assert extract("### Only\n").title == "Only"
    assert extract("none\n").title is None


def test_front_matter_is_read_and_masked_and_kept_in_the_text() -> None:
    text = "---\ntitle: 'no'\ntags: [a, 1.50]\ndate: 2020-01-01\n---\n# Body\n"
    found = extract(text)
    assert found.text == text
    assert found.metadata == {"title": "no", "tags": ["a", "1.50"], "date": "2020-01-01"}
    assert found.masked == (Span(0, text.index("# Body")),)
    assert found.headings == (Heading(text.index("# Body"), 1, "Body"),)


@pytest.mark.parametrize(
    "text",
    [
        "---\r\ntitle: x\r\n---\r\nbody",
        "---\ntitle: x\n...\nbody",
        "---  \ntitle: x\n---",
        "\ufeff---\ntitle: x\n---\n",
    ],
)
def test_front_matter_in_other_spellings(text: str) -> None:
    assert extract(text).metadata == {"title": "x"}


def test_empty_and_toml_front_matter_are_masked() -> None:
    assert extract("---\n---\nbody").masked == (Span(0, 8),)
    assert extract("+++\ntitle = 'x'\n+++\nbody").masked == (Span(0, 20),)
    assert extract("+++\ntitle = 'x'\n+++\nbody").metadata == {"title": "x"}


@pytest.mark.parametrize(
    ("block", "why", "is_masked"),
    [
        ("title: [", "line 3", True),
        ("title: a\ntitle: b", 'the key "title" stands twice', True),
        ("title: a\nabout: " + "x" * 70_000, "larger", True),
        ("a: 1\na: 2", 'the key "a" stands twice', False),
        ("a: &x 1", "anchors", False),
        ("a: " + "x" * 70_000, "larger", False),
    ],
)
def test_bad_front_matter_costs_a_warning_and_no_text(block: str, why: str, is_masked: bool) -> None:
    """What may be a text between two rules stays one: only what has a usual key is masked."""
    above = f"---\n{block}\n---\n"
    extracted = extract(f"{above}body\n")
    masked = (Span(0, len(above)),) if is_masked else ()
    assert (extracted.text, extracted.masked, extracted.metadata) == (f"{above}body\n", masked, {})
    assert len(extracted.warnings) == 1
    assert why in extracted.warnings[0]


@pytest.mark.parametrize(
    "text",
    [
        *("---\njust a rule\n\n---\n", "--- \n- a\n---\n", "---\nnever: closed\n", "----\na: b\n----\n"),
        "text\n---\na: b\n---\n",
    ],
)
def test_a_rule_is_no_front_matter(text: str) -> None:
    found = extract(text)
    assert (found.masked, found.metadata, found.warnings) == ((), {}, ())


def test_nothing_but_white_space_is_empty() -> None:
    outcome = outcome_of("markdown", " \n\t\r\n")
    assert isinstance(outcome, NoExtraction)
    assert outcome.status == "empty"


def test_lost_bytes_are_a_warning() -> None:
    assert "U+FFFD" in extract(("größer " * 9).encode() + b"\xff").warnings[0]


@given(st.text(st.sampled_from("#=-` \n\r\tab[]()_*<>~|é")))
def test_any_text_has_sound_headings(text: str) -> None:
    found = headings(text)
    assert found == sorted(found)
    for heading in found:
        assert heading.offset == 0 or text[heading.offset - 1] == "\n"
        assert heading.title
        assert 1 <= heading.level <= 6


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_the_text_is_the_whole_file(text: str) -> None:
    if (
        not text.isspace()
        and not text.startswith("\ufeff")
        and "\0" not in text
        and "\x1b" not in text
        and "\b" not in text
    ):
        assert extract(text).text == text

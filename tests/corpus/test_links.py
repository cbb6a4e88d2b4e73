"""Links and tags in Markdown: where they stand, and that hostile texts cost what their length does."""

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus.catalog import read
from biblicus.corpus.described.links import Linked
from biblicus.text.links import Link, links, tags


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\n[[Note]]", [Link("Note", "", 2, False)]),
        ("[[a/Note#Some part|words]]", [Link("a/Note", "Some part", 1, False)]),
        ("[[#Here]] [[]] [x](#here) [y](https://a.b/c.md) [z](mailto:a@b)", []),
        ("[x](a%20b.md#p) [y](<a b.md>) [z](a(1).md 'title')", ["a b.md", "a b.md", "a(1).md"]),
        ("[x]\n\n[x]: ../b.md", [Link("../b.md", "", 3, True)]),
        ("`[[a]]` ```\n", []),
        ("~~~\n[[a]]\n~~~\n[[b]]", [Link("b", "", 4, False)]),
        ("```\n[[a]]\n", []),
    ],
)
def test_a_link_is_found_where_it_stands(text: str, found: list[Link | str]):
    made = list(links(text))
    assert [link.name if isinstance(wanted, str) else link for link, wanted in zip(made, found, strict=True)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#moon and (#sea/tides), #2026-plan", ("moon", "sea/tides", "2026-plan")),
        ("# Heading #1 C# a#b https://a/#x", ()),
        ("`#code` #ebbe/ #größe #月", ("ebbe", "größe", "月")),
        ("#moon #moon #moon#sun", ("moon",)),
    ],
)
def test_a_tag_is_a_word_with_a_mark(text: str, found: tuple[str, ...]):
    assert tags(text) == found


@pytest.mark.parametrize("part", ["[[", "[[a#", "](", "](<", "```\n", "`a", "#1", " #1_", "[a]: ", "~~~a\n", "]( 'a"])
def test_a_long_hostile_text_ends_and_says_what_a_short_one_does(part: str):
    short, long = part * 12, part * (400_000 // len(part))
    assert {link.name for link in links(long)} == {link.name for link in links(short)}
    assert set(tags(long)) == set(tags(short))


def test_a_note_means_the_nearest_of_its_name(tmp_path: Path):
    for path in ("a/x/note.md", "a/note.md", "b/note.md", "b/deep/from.md", "a/from.md", "top.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("Text.\n", "utf-8")
    with Corpus.init(tmp_path) as corpus:
        corpus.ingest()
        folder = corpus.asker.corpus
        catalog = read(folder)
    assert catalog is not None
    linked = Linked(folder, catalog)

    def target(path: str, name: str) -> str | None:
        return linked.target(path, Link(name, "", 1, False))

    assert target("a/from.md", "note") == "a/note.md"
    assert target("b/deep/from.md", "note") == "a/note.md"
    assert target("b/deep/from.md", "b/Note") == "b/note.md"
    assert target("top.md", "x/note") == "a/x/note.md"
    assert target("top.md", "nowhere") is None
    assert linked.target("b/deep/from.md", Link("../note.md", "", 1, True)) == "b/note.md"
    assert linked.target("b/deep/from.md", Link("../../../etc/passwd", "", 1, True)) is None

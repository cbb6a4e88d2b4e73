"""YAML is data: texts as written, and everything that surprises refused with its line."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.errors import BadData
from biblicus.guards import yaml
from tests.sampling import each

_texts = st.text(st.characters(exclude_categories=["Cs"]))
_documents = st.recursive(
    st.none() | _texts, lambda inner: st.lists(inner) | st.dictionaries(_texts, inner), max_leaves=10
)


def test_every_scalar_stays_the_text_that_was_written() -> None:
    read = yaml.read("a: no\nb: 010\nc: 1.50\nd: 2020-01-01\ne: 0x1F\nf: yes\ng: 'null'\nh: 12:30:45\n")
    assert read == {
        "a": "no", "b": "010", "c": "1.50", "d": "2020-01-01", "e": "0x1F", "f": "yes", "g": "null", "h": "12:30:45",
    }  # fmt: skip


def test_null_in_any_spelling_is_none() -> None:
    assert yaml.read("a: ~\nb: null\nc:\nd: ''\ne: [~, x]") == {
        "a": None,
        "b": None,
        "c": None,
        "d": "",
        "e": [None, "x"],
    }


def test_an_empty_document_is_none() -> None:
    assert yaml.read("") is None
    assert yaml.read("---\n") is None
    assert yaml.read("# only a comment\n") is None


@each(
    ("text", "sentence"),
    [
        ("a: 1\na: 2", 'line 2: the key "a" stands twice.'),
        ("a: &x 1", "line 1: anchors (&name) are not accepted."),
        ("a: 1\nb: *x", "line 2: aliases (*name) are not accepted."),
        ("a: !!python/object/apply:os.system [ls]", "line 1: tags (!name) are not accepted."),
        ("a: !!str 1", "line 1: tags (!name) are not accepted."),
        ("<<: {a: 1}", "line 1: merge keys (<<) are not accepted."),
        ("? [a, b]\n: 1", "line 1: a key must be a text."),
        ("~: 1", "line 1: a key must be a text."),
        ("a: 1\n---\nb: 2", "line 2: there is more than one document."),
        ("%YAML 1.1\n---\na: 1", "line 1: directives are not accepted."),
        ("x: 1\ny: \x07", "line 2: a control character is not allowed."),
        ("a: \ud800", "line 1: half of a surrogate pair is not allowed."),
        ("a: b: c", "line 1: mapping values are not allowed in this context."),
        ("a: [", "line 2: did not find expected node content."),
    ],
)
def test_what_is_no_plain_data_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(yaml.YamlRefused) as refused:
        yaml.read(text)
    assert refused.value.message == sentence
    assert isinstance(refused.value, BadData)


@pytest.mark.parametrize("bomb", ["[" * 60_000, "{a: " * 15_000, "- " * 30_000, "? " * 30_000])
def test_deep_nesting_is_refused_at_once(bomb: str) -> None:
    began = time.thread_time()
    with pytest.raises(yaml.YamlRefused):
        yaml.read(bomb)
    assert time.thread_time() - began < 5


def test_billion_laughs_never_start() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{c}: &{c} [*{p}, *{p}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(yaml.YamlRefused):
        yaml.read(bomb)


def test_depth_is_counted_exactly() -> None:
    assert yaml.read("[" * 20 + "]" * 20)
    with pytest.raises(yaml.YamlRefused, match="deeper than 20"):
        yaml.read("[" * 21 + "]" * 21)


def test_size_is_counted_in_bytes() -> None:
    assert yaml.read("é" * 50, max_bytes=100)
    with pytest.raises(yaml.YamlRefused, match="larger than 100 bytes"):
        yaml.read("é" * 51, max_bytes=100)


@given(_documents)
def test_what_is_written_reads_back(document: object) -> None:
    assert yaml.read(yaml.write(document)) == document


def test_writing_keeps_order_and_is_readable() -> None:
    text = yaml.write({"title": "Fähre 🤠", "tags": ["no", "1.5"], "a": {"path": r"C:\Users"}})
    assert text == "title: \"Fähre 🤠\"\ntags:\n- 'no'\n- '1.5'\na:\n  path: C:\\Users\n"


def test_writing_repeats_a_shared_object_instead_of_an_alias() -> None:
    shared = ["x"]
    assert yaml.read(yaml.write({"a": shared, "b": shared})) == {"a": ["x"], "b": ["x"]}


def test_writing_refuses_a_cycle_and_strange_types() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    for data in (cycle, {"a": object()}, {1: "a"}, {"a": "\ud800"}):
        with pytest.raises(yaml.YamlRefused):
            yaml.write(data)


_marks = st.text(" ab:#-'\"[]{},&*!|>%@`?~\\\t\r\n.0=<\u00e9", max_size=5)
_parts = st.one_of(
    _marks,
    st.sampled_from(
        ["title", "ms.date", "null", "~", "a:", "a: ", ": ", '"a b"', "'it'", "''", '""', '["a", "b"]', "[ 'x','y' ]"]
    ),
    st.sampled_from(["[]", '["a",]', "[a]", "http://x.y/z", "2020-01-01", "---\n", "...\n", "\n", "\n ", " #", "- "]),
)
_lines = st.tuples(
    st.sampled_from(["a", "b", "title", "ms.date", "x-y", "Null", "1"]), st.lists(_parts, max_size=3)
).map(lambda line: f"{line[0]}: {''.join(line[1])}\n")


@given(st.booleans(), st.lists(_lines, max_size=3).map("".join))
def test_the_short_way_reads_what_the_whole_parser_does(is_marked: bool, body: str) -> None:
    text = "---\n" * is_marked + body
    if (values := yaml.flat(text)) is not None:
        assert values == yaml._Reader(text, 20).document()


@pytest.mark.parametrize(
    "line",
    [
        "title: The tides of 1877, part (2)",
        'title: "The tides: part #2"',
        "title: 'The tides: part #2'",
        "ms.assetid: 9a-1b",
        "f1_keywords: [\"std::vector\", 'x']",
        "empty:",
        "url: http://example.org/a",
    ],
)
def test_usual_front_matter_takes_the_short_way(line: str) -> None:
    assert yaml.flat(f"---\n{line}  \nlast: 1\n") == yaml._Reader(f"---\n{line}\nlast: 1\n", 20).document()

"""A catalog whose lines are looked up and spliced says what one says that is parsed and written whole."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.corpus import catalog as catalogs
from biblicus.corpus import lines
from biblicus.corpus.lines import Entry, Lines, Written
from biblicus.models.item import Item, Source
from tests.hearing import heard

_paths = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6) | st.sampled_from(
    ["a", "a/b", "a.zip!/b", "a.zip!/c", "a.zip", 'q"', "b\\", "é", "\ue080", "\U0001f30a", "\n"]
)


def made(path: str, title: str) -> Entry:
    item_id = f"i{path.encode().hex()}"[:60]
    item = Item(item_id, path, "text/plain", 1, "0" * 64, title, None, "doc", (), Source("corpus", "x"), {}, title)
    return catalogs.entry_of(item)


def written(entries: dict[str, Entry]) -> Lines:
    """As they are read from a catalog."""
    body = b",\n".join(entries[path].line for path in sorted(entries)) + (b"\n" if entries else b"")
    data = b"header\n" + body + b"]}\n"
    read, digest, commas = Written.of(data, len(b"header\n"), len(data) - 3)
    assert digest == catalogs.corpus_digest(entries[path].line for path in sorted(entries))
    assert commas == max(0, len(entries) - 1)
    return Lines(read, len(entries))


@given(st.dictionaries(_paths, _paths), st.dictionaries(_paths, st.none() | _paths), st.integers(1, 400))
def test_spliced_lines_are_those_of_a_catalog_that_is_written_anew(
    first: dict[str, str], second: dict[str, str | None], size: int
):
    before = {path: made(path, title) for path, title in first.items()}
    changes = {path: None if title is None else made(path, title) for path, title in second.items()}
    expected = {path: entry for path, entry in {**before, **changes}.items() if entry is not None}
    expected = dict(sorted(expected.items()))
    parts, lines._BYTES = lines._BYTES, size
    try:
        spliced = written(before).changed(changes)
        digest, body = spliced.digest(), b"".join(map(bytes, spliced.blocks()))
    finally:
        lines._BYTES = parts
    assert digest == catalogs.corpus_digest(entry.line for entry in expected.values())
    assert body == b",\n".join(entry.line for entry in expected.values()) + (b"\n" if expected else b"")
    assert len(spliced) == len(expected)
    for path in {"", *first, *second}:
        assert list(spliced.after(path)) == [(known, e) for known, e in expected.items() if known > path]
        within = [known for known in expected if known > path and known.startswith("a")]
        assert [known for known, _ in spliced.after(path, "a")] == within
    for path in {*first, *second}:
        assert spliced.get(path) == expected.get(path)
        assert spliced.below(path) == [known for known in expected if known.startswith(path)]
        assert spliced.path_of(made(path, "").item_id) == (path if path in expected else None)
    titled = catalogs.quoted("a")
    assert dict(spliced.holding(titled)) == {path: e for path, e in expected.items() if titled in e.line}
    assert dict(spliced.items()) == expected
    assert list(spliced) == list(expected)
    assert [path for path, _ in spliced.after("a")] == [path for path in expected if path > "a"]
    assert spliced.below("a") == [known for known in expected if known.startswith("a")]


def test_one_entry_of_many_is_found_without_parsing_the_others(monkeypatch: pytest.MonkeyPatch):
    entries = {path: made(path, path) for path in (f"{number:05}" for number in range(3_000))}
    many = written(entries)
    parsed = heard(monkeypatch, lines, "entry", lambda line: line)
    wanted = random.Random(1).sample(list(entries), 5)
    assert [many[path] for path in wanted] == [entries[path] for path in wanted]
    assert [many.path_of(entries[path].item_id) for path in wanted] == wanted
    assert len(parsed) == 10

"""What is read off an item's line without parsing it."""

import json
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus import Corpus
from biblicus.corpus import catalog
from biblicus.errors import CatalogUnreadable
from biblicus.models.item import Item, Source

_FIELDS = [field.name for field in fields(Item)]
_texts = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    [
        '","bytes":7,',
        ',"sha256":"1","content_hash":null,',
        ',"source":{"kind":"file","uri":"/",',
        '","language":"xx","',
        "\\",
        '"',
        'a\\","language":"de",',
    ]
)


@given(_texts, _texts, st.none() | st.sampled_from(["en", "de", ""]), st.none() | st.just("sha256:0"), _texts)
def test_what_is_read_off_a_line_is_what_the_item_says(
    path: str, title: str, language: str | None, content: str | None, other: str
):
    item = Item(
        "i", path, "text/plain", 12, "0" * 64, title, language, "doc", (other,),
        Source("corpus", other), {"language": other, "bytes": 7}, content,
    )  # fmt: skip
    line = catalog.line_of(item)
    assert catalog.size_and_language(line) == (12, language)
    assert catalog.content_of(line) == ("0" * 64, content, "corpus", other)


@given(_texts, _texts, st.none() | _texts, st.lists(_texts, max_size=3), st.none() | _texts)
def test_a_line_is_the_compact_json_of_an_item(
    path: str, title: str, some: str | None, tags: list[str], at: str | None
):
    item = Item(
        "i", path, "text/plain", 12, "0" * 64, title, some, "doc", tuple(tags), Source("git", path, some, at),
        {title: [some, 1, {}]} if tags else {}, some, layer=at, approval=some,
    )  # fmt: skip
    data = asdict(item)
    order = ["item_id", "path", "media_type", "bytes", "sha256", "content_hash", "title", "language", "doctype", "tags"]
    data = {key: data[key] for key in [*order, "source", "metadata", "layer", "approval"]}
    for part, keys in ((data, ("layer", "approval")), (data["source"], ("ref", "retrieved_at"))):
        for key in keys:
            if part[key] is None:
                del part[key]
    assert catalog.line_of(item) == json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | _texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from([*_FIELDS, "other", "source"]), _values, st.booleans())
def test_what_is_read_without_a_validator_is_what_one_reads(field: str, value: object, is_ascii: bool):
    item = Item("i", "p", "t", 12, "ab" * 32, "T", "en", "doc", ("a",), Source("corpus", "p"), {"day": "1 May"}, "c")
    assert catalog._plainly(b"[" + catalog.line_of(item) + b"]") == [item]
    data = {**asdict(item), field: value}
    line = json.dumps(data, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    try:
        plain = catalog._plainly(b"[" + line + b"]")
    except ValueError:
        return  # then a validator judges
    assert repr(plain) == repr(catalog._validator().validate_json(b"[" + line + b"]"))


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> main"])
@pytest.mark.parametrize("line", [0, 2, 4])
def test_what_a_merge_left_is_said_and_settled(tmp_path: Path, mark: str, line: int):
    with Corpus.init(tmp_path) as corpus:
        for name in ("a.txt", "b.txt"):
            (tmp_path / name).write_text("The moon pulls.\n")
        corpus.reindex()
    file = tmp_path / ".biblicus/catalog.json"
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([*lines[:line], mark, *lines[line:], ""]), "utf-8")
    with Corpus.open(tmp_path) as corpus:
        with pytest.raises(CatalogUnreadable, match="a merge left both sides in it") as refused:
            corpus.list()
        assert refused.value.hint == "biblicus reindex, then git add .biblicus"
        corpus.reindex()
        assert [item.path for item in corpus.list()] == ["a.txt", "b.txt"]

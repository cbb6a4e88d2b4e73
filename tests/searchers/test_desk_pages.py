"""The tree, a page at a time, as a service gives it."""

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UsageError
from biblicus.models.requests import TreeRequest
from biblicus.service.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    for name in ("a/x.txt", "a/y/z.txt", "a-b.txt", "b/c.txt", "d.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    with Corpus.init(tmp_path) as corpus:
        corpus.ingest()
    return Desk(CorpusFolder(tmp_path))


def tree_of(**said: object) -> TreeRequest:
    return TreeRequest.model_validate(said)


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_pages_make_the_tree(desk: Desk, size: int) -> None:
    whole = [node.path for node in desk.tree(tree_of(), Call())["nodes"]]
    assert whole == ["a/", "a/x.txt", "a/y/", "a/y/z.txt", "a-b.txt", "b/", "b/c.txt", "d.txt"]
    found, cursor = [], None
    while True:
        page = desk.tree(tree_of(max_entries=size, cursor=cursor), Call())
        found += [node.path for node in page["nodes"]]
        assert len(page["nodes"]) <= size
        assert page.get("truncated", False) == ("next_cursor" in page)
        if (cursor := page.get("next_cursor")) is None:
            break
    assert found == whole


def test_a_cursor_belongs_to_its_tree(desk: Desk) -> None:
    cursor = desk.tree(tree_of(max_entries=1), Call())["next_cursor"]
    for other in (tree_of(prefix="a", cursor=cursor), tree_of(depth=1, cursor=cursor), tree_of(cursor="x")):
        with pytest.raises(UsageError):
            desk.tree(other, Call())

"""Lists and the tree, a page at a time."""

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UsageError
from biblicus.models.requests.items import ListRequest, TreeRequest
from biblicus.service.askers import Asker
from biblicus.service.askers.here import Here
from biblicus.service.askers.loops import all_items
from biblicus.service.verbs import LIST, TREE


@pytest.fixture
def asker(tmp_path: Path) -> Here:
    for name in ("a/x.txt", "a/y/z.txt", "a-b.txt", "b/c.txt", "d.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    with Corpus.init(tmp_path) as corpus:
        corpus.ingest()
    return Here(CorpusFolder(tmp_path))


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_pages_make_the_tree(asker: Asker, size: int) -> None:
    whole = [node.path for node in asker.ask(TREE, TreeRequest(), Call()).nodes]
    assert whole == ["a/", "a/x.txt", "a/y/", "a/y/z.txt", "a-b.txt", "b/", "b/c.txt", "d.txt"]
    found, cursor = [], None
    while True:
        page = asker.ask(TREE, TreeRequest(max_entries=size, cursor=cursor), Call())
        found += [node.path for node in page.nodes]
        assert len(page.nodes) <= size
        assert page.truncated == (page.next_cursor is not None)
        if (cursor := page.next_cursor) is None:
            break
    assert found == whole


def test_a_cursor_belongs_to_its_tree(asker: Asker) -> None:
    cursor = asker.ask(TREE, TreeRequest(max_entries=1), Call()).next_cursor
    for other in (TreeRequest("a", cursor=cursor), TreeRequest(depth=1, cursor=cursor), TreeRequest(cursor="x")):
        with pytest.raises(UsageError):
            asker.ask(TREE, other, Call())


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_pages_make_the_list(asker: Asker, size: int) -> None:
    whole = [item.path for item in asker.ask(LIST, ListRequest(path=("a/**", "*.txt")), Call()).items]
    assert whole == ["a-b.txt", "a/x.txt", "a/y/z.txt", "d.txt"]
    found, cursor = [], None
    while True:
        page = asker.ask(LIST, ListRequest(path=("a/**", "*.txt"), limit=size, cursor=cursor), Call())
        found += [item.path for item in page.items]
        assert len(page.items) <= size
        if (cursor := page.next_cursor) is None:
            break
    assert found == whole


def test_a_cursor_belongs_to_its_filters(asker: Asker) -> None:
    cursor = asker.ask(LIST, ListRequest(limit=1), Call()).next_cursor
    for other in (ListRequest(limit=1, path=("a/**",), cursor=cursor), ListRequest(cursor="x")):
        with pytest.raises(UsageError):
            asker.ask(LIST, other, Call())


def test_every_item_comes_page_after_page(asker: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.models.requests.query.LIMIT", 2)
    asked: list[ListRequest] = []

    class Watched:
        def ask(self, verb, request, call):
            asked.append(request)
            return asker.ask(verb, request, call)

    items = all_items(Watched(), ListRequest(path=("**",)), Call()).items
    assert [item.path for item in items] == ["a-b.txt", "a/x.txt", "a/y/z.txt", "b/c.txt", "d.txt"]
    assert [request.limit for request in asked] == [2, 2, 2]

"""Pages of a list in any order: together they are the whole list, while items come and go."""

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models.requests.items import ORDERS, ListRequest
from biblicus.service.verbs import LIST


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    made = Corpus.init(tmp_path)
    for number in range(7):
        text = f"---\ntitle: Row {number % 3}\ndate: 2026-0{1 + number % 2}\n---\n" + "word " * (number % 4)
        (tmp_path / f"{number}.{'md' if number % 2 else 'txt'}").write_text(text)
    (tmp_path / "plain.txt").write_text("No day.")
    made.ingest()
    return made


def page(corpus: Corpus, sort: str, cursor: str | None = None, limit: int | None = 2) -> tuple[list[str], str | None]:
    reply = corpus.asker.ask(LIST, ListRequest(sort=sort, cursor=cursor, limit=limit), Call())
    return [item.path for item in reply.items], reply.next_cursor


@pytest.mark.parametrize("sort", ORDERS)
def test_pages_make_the_list(corpus: Corpus, sort: str):
    paths, cursor = page(corpus, sort)
    while cursor is not None:
        more, cursor = page(corpus, sort, cursor)
        paths += more
    assert paths == page(corpus, sort, limit=None)[0]
    assert len(paths) == len(set(paths)) == 8


@pytest.mark.parametrize("sort", ORDERS)
def test_a_cursor_holds_where_its_item_has_gone(corpus: Corpus, sort: str):
    whole = page(corpus, sort, limit=None)[0]
    shown, cursor = page(corpus, sort)
    (corpus.path / shown[-1]).unlink()
    corpus.ingest()
    assert page(corpus, sort, cursor, limit=None)[0] == whole[2:]


@pytest.mark.parametrize(("first", "second"), [("path", "size"), ("size", "title"), ("date", "path")])
def test_a_cursor_is_of_one_order(corpus: Corpus, first: str, second: str):
    with pytest.raises(UsageError, match="cursor"):
        page(corpus, second, page(corpus, first)[1])


def test_an_order_that_there_is_not_is_refused():
    with pytest.raises(UsageError, match="sort is one of path, size, title, type, date"):
        ListRequest(sort="colour")

"""One page or file of the web as a source."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus.contracts import Call
from biblicus.errors import IngestionError
from biblicus.guards.network.urls import parse
from biblicus.models.sources.entries import UrlEntry
from biblicus.sources import url
from biblicus.sources.naming import path_of
from tests.sampling import each
from tests.sources.kinds import Synced, sync
from tests.sources.server import Page, Web, bomb, hangs_up, serving

PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n\x80\x81"


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as found:
        yield found


def once(web: Web, path: str, tmp_path: Path, before: Synced | None = None, call: Call | None = None) -> Synced:
    entry = UrlEntry(name="page", kind="url", url=web.url + path)
    return sync(url.WebPage, entry, tmp_path / "cache", before, call)


def test_a_page_is_a_document_with_its_provenance(web: Web, tmp_path: Path) -> None:
    head = '<link rel="license" href="/licence"><title>Tides</title>'
    web.html("/sea/tides.php", "<p>The moon.</p>", head, etag='"1"', modified="Sat, 21 Nov 2026 10:00:00 GMT")
    (document,) = once(web, "/sea/tides.php", tmp_path).found.values()
    assert (document.path, document.uri) == ("sea/tides.html", f"{web.url}/sea/tides.php")
    assert (document.ref, document.version) == ('"1"', "Sat, 21 Nov 2026 10:00:00 GMT")
    assert document.metadata == {"licence": f"{web.url}/licence"}
    assert b"The moon." in document.data


def test_an_unchanged_page_is_not_sent_again(web: Web, tmp_path: Path) -> None:
    web.html("/a", "tides", etag='W/"1"', modified="Sat, 21 Nov 2026 10:00:00 GMT")
    first = once(web, "/a", tmp_path)
    again = once(web, "/a", tmp_path, first)
    assert (again.found, again.rows) == ({}, first.rows)
    assert web.headers[1]["If-None-Match"] == 'W/"1"'
    assert web.headers[1]["If-Modified-Since"] == "Sat, 21 Nov 2026 10:00:00 GMT"


def test_a_changed_page_is_found_again(web: Web, tmp_path: Path) -> None:
    web.html("/a", "tides", etag='"1"')
    first = once(web, "/a", tmp_path)
    web.html("/a", "ebbs", etag='"2"')
    assert b"ebbs" in once(web, "/a", tmp_path, first).found[f"{web.url}/a"].data


def test_a_copy_that_is_missing_is_fetched_without_a_condition(web: Web, tmp_path: Path) -> None:
    web.html("/a", "tides", etag='"1"')
    first = once(web, "/a", tmp_path)
    entry = UrlEntry(name="page", kind="url", url=f"{web.url}/a")
    again = sync(url.WebPage, entry, tmp_path, first, absent=frozenset([f"{web.url}/a"]))
    assert list(again.found) == [f"{web.url}/a"]


def test_a_condition_holds_for_the_address_that_answered(web: Web, tmp_path: Path) -> None:
    web.redirect("/a", "/b")
    web.html("/b", "tides", etag='"1"')
    first = once(web, "/a", tmp_path)
    assert once(web, "/a", tmp_path, first).found == {}
    web.redirect("/a", "/c")
    web.html("/c", "other", etag='"1"')
    assert once(web, "/a", tmp_path, first).found != {}


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone(web: Web, tmp_path: Path, status: int) -> None:
    web.html("/a", "tides")
    first = once(web, "/a", tmp_path)
    web.pages["/a"] = Page(status=status)
    assert once(web, "/a", tmp_path, first).gone == [f"{web.url}/a"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 500, 502, 206, 204, 304, 300, 103])
def test_any_other_answer_is_a_failure(web: Web, tmp_path: Path, status: int) -> None:
    web.pages["/a"] = Page(status=status)
    with pytest.raises(IngestionError, match=f"it answers {status}") as failed:
        once(web, "/a", tmp_path)
    assert failed.value.status == status


@pytest.mark.parametrize("status", [500, 403, 503, 429])
def test_a_failure_is_no_reason_to_forget_a_page(web: Web, tmp_path: Path, status: int) -> None:
    web.html("/a", "tides")
    first = once(web, "/a", tmp_path)
    web.pages["/a"] = Page(status=status, headers={"Retry-After": "3600"})
    with pytest.raises(IngestionError):
        once(web, "/a", tmp_path, first)


def test_a_busy_server_is_waited_for(web: Web, tmp_path: Path, waits: list[float]) -> None:
    def first_busy(handler: object) -> None:
        web.html("/a", "tides")
        handler._give(Page(status=429, headers={"Retry-After": "1"}))  # type: ignore[attr-defined]

    web.pages["/a"] = first_busy
    assert len(once(web, "/a", tmp_path).found) == 1
    assert len(web.asked) == 2
    assert len(waits) == 1
    assert 1 <= waits[0] < 5


def test_a_server_that_wants_an_hour_is_left_alone(web: Web, tmp_path: Path) -> None:
    web.pages["/a"] = Page(status=503, headers={"Retry-After": "3600"})
    with pytest.raises(IngestionError, match="left alone for 3600 s") as failed:
        once(web, "/a", tmp_path)
    assert (len(web.asked), failed.value.pause) == (1, 3600)


@pytest.mark.parametrize(
    ("canonical", "uri"),
    [
        ("/tides", "/tides"),
        ("HTTP://{host}/tides?utm_source=x#top", "/tides"),
        ("http://elsewhere.example/tides", "/a?x=1"),
        ("http://[broken", "/a?x=1"),
        ("/", "/a?x=1"),
        ("", "/a?x=1"),
    ],
)
def test_the_address_that_a_page_calls_its_own(web: Web, tmp_path: Path, canonical: str, uri: str) -> None:
    href = canonical.format(host=web.url.removeprefix("http://"))
    web.html("/a?x=1", "tides", f'<link rel="canonical" href="{href}">')
    (document,) = once(web, "/a?utm_source=mail&x=1&fbclid=2", tmp_path).found.values()
    assert document.uri == web.url + uri


def test_a_page_that_moved_for_good_has_its_new_address(web: Web, tmp_path: Path) -> None:
    web.html("/new", "tides")
    web.redirect("/old", "/new", 301)
    web.redirect("/now", "/new", 302)
    assert [document.uri for document in once(web, "/old", tmp_path).found.values()] == [f"{web.url}/new"]
    assert [document.uri for document in once(web, "/now", tmp_path).found.values()] == [f"{web.url}/now"]


@each(
    ("path", "type", "data", "name"),
    [
        ("/", "text/html", b"<p>x", "index.html"),
        ("/sea/", "text/html", b"<p>x", "sea/index.html"),
        ("/tides", "text/html", b"<p>x", "tides.html"),
        ("/tides.PHP", "text/html", b"<p>x", "tides.html"),
        ("/v1.2", "text/html", b"<p>x", "v1.2.html"),
        ("/tides.md", "text/plain", b"# x", "tides.md"),
        ("/tides", "text/markdown; charset=utf-8", b"# x", "tides.md"),
        ("/tides", None, b"words", "tides.txt"),
        ("/tides", None, b"  <!DOCTYPE html><p>x", "tides.html"),
        ("/paper", "application/octet-stream", PDF, "paper.pdf"),
        ("/paper.pdf", "text/html", PDF, "paper.pdf"),
        ("/get?id=9", "application/pdf", PDF, "get-id=9-feeb7044.pdf"),
        ("/paper.pdf", "application/pdf", b"<!doctype html><p>Sign in", "paper.html"),
        ("/paper.pdf", "application/pdf", b"words", "paper.txt"),
        ("/data.json", "application/json", b"{}", "data.json"),
        ("/chart.png", "image/png", b"\x89PNG\r\n\x1a\n\0\0", "chart.png"),
        ("/chart", "image/png", b"\x89PNG\r\n\x1a\n\0\0", "chart.png"),
        ("/blob", None, b"\0\1\2\3", "blob.bin"),
        ("/%2e%2e%2fetc/%2e%2e/.ssh/a%00b", "text/plain", b"x", "ssh/a-b.txt"),
        ("/a%2Fb%5C..%5Cc:d*", "text/plain", b"x", "a-b-..-c-d-.txt"),
        ("/.biblicus/x", "text/plain", b"x", "biblicus/x.txt"),
        ("/Gr%C3%B6%C3%9Fe/%FF", "text/plain", b"x", "Größe/�.txt"),
        ("/" + "x" * 300, "text/plain", b"x", None),
    ],
)
def test_names_of_copies(path: str, type: str | None, data: bytes, name: str | None) -> None:
    found = path_of(parse(f"http://example.org{path}"), data, type or "")
    assert found == name or (name is None and len(found) < 120)
    assert not any(part in ("", ".", "..") or part.startswith(".") for part in found.split("/"))


@pytest.mark.parametrize(
    ("charset", "raw", "text"),
    [
        ("iso-8859-7", "Η σελήνη".encode("iso-8859-7"), "Η σελήνη"),
        ("utf-8", "Größe".encode("cp1252"), "Größe"),
        ("iso-8859-1", "Größe".encode(), "Größe"),
        ("no-such-charset", "Größe".encode(), "Größe"),
        ("utf-16", "Größe".encode(), "Größe"),
    ],
)
def test_a_charset_of_the_header_is_kept(web: Web, tmp_path: Path, charset: str, raw: bytes, text: str) -> None:
    from biblicus.text.decoding import decode

    web.pages["/a"] = Page(b"<p>" + raw + b"</p>", f"text/html; charset={charset}")
    (document,) = once(web, "/a", tmp_path).found.values()
    assert decode(document.data).text == f"<p>{text}</p>"


@pytest.mark.parametrize("page", [bomb(40 << 20), hangs_up, Page(b""), Page(b" \n ")])
def test_what_gives_nothing_fails(web: Web, tmp_path: Path, page: Page) -> None:
    web.pages["/a"] = page
    with pytest.raises(IngestionError):
        once(web, "/a", tmp_path)


@pytest.mark.parametrize("etag", ['"a\tb"', "unquoted", '"' + "x" * 400 + '"', '"ü"'])
def test_a_tag_that_is_none_is_not_kept(web: Web, tmp_path: Path, etag: str) -> None:
    web.html("/a", "tides", headers={"ETag": etag.encode().decode("latin-1")})
    (document,) = once(web, "/a", tmp_path).found.values()
    assert document.ref is None

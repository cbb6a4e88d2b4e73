"""A section of a site as a source."""

import gzip
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus.contracts import Call
from biblicus.errors import Cancelled, IngestionError, UsageError
from biblicus.guards.network.fetch import Fetcher
from biblicus.guards.network.urls import parse
from biblicus.models.sources.entries import SiteEntry
from biblicus.models.sources.syncing import Reach
from biblicus.sources import site
from biblicus.sources.sections import is_trap
from tests.sources.kinds import Synced, sync
from tests.sources.server import Page, Web, hangs_up, serving, zeros


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as found:
        yield found


@pytest.fixture
def visit(web: Web, tmp_path: Path) -> Any:
    """One sync of the section `/docs/`, or of what is said."""

    def once(before: Synced | None = None, path: str = "/docs/", call: Call | None = None, **said: Any) -> Synced:
        more = {name: said.pop(name) for name in ("reach", "absent", "fetcher", "pause") if name in said}
        prefix = {"prefix": web.url + said.pop("prefix")} if "prefix" in said else {}
        entry = SiteEntry(name="docs", kind="site", url=web.url + path, **prefix, **said)
        return sync(site.Site, entry, tmp_path / "cache", before, call, **more)

    return once


def pages(web: Web, *paths: str, links: str = "") -> None:
    for path in paths:
        web.html(path, f"<p>Text of {path}</p>{links}", etag=f'"{path}"')


def paths(web: Web, synced: Synced) -> list[str]:
    return [origin.removeprefix(web.url) for origin in synced.found]


def anchors(*hrefs: str) -> str:
    return "".join(f'<a href="{href}">x</a>' for href in hrefs)


# --- what is visited --------------------------------------------------------------------------------------------------


def test_pages_below_the_prefix_breadth_first(web: Web, visit: Any) -> None:
    pages(
        web, "/docs/", links=anchors("b", "a#part", "/docs/b/", "../other", "//elsewhere.example/docs/x", "mailto:a@b")
    )
    pages(web, "/docs/a", "/docs/b", links=anchors("c", "?x=1"))
    pages(web, "/docs/c", "/docs/a?x=1", "/other")
    found = visit()
    assert paths(web, found) == ["/docs/", "/docs/b", "/docs/a", "/docs/c", "/docs/a?x=1"]
    assert [document.path for document in found.found.values()][:3] == ["docs/index.html", "docs/b.html", "docs/a.html"]
    assert "/other" not in web.asked


@pytest.mark.parametrize(("depth", "found"), [(0, 1), (1, 2), (2, 3), (5, 6)])
def test_no_deeper_than_asked(web: Web, visit: Any, depth: int, found: int) -> None:
    for level in range(10):
        pages(web, f"/docs/{level or ''}", links=anchors(str(level + 1)))
    assert len(visit(depth=depth).found) == found


def test_no_more_than_asked(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors(*map(str, range(30))))
    pages(web, *(f"/docs/{number}" for number in range(30)))
    found = visit(max_pages=5)
    assert (len(found.found), len(web.asked)) == (5, 6)
    assert list(found.skipped.values()) == ["max_pages is 5; 25 more addresses were not visited"]


def test_a_prefix_and_globs(web: Web, visit: Any) -> None:
    pages(web, "/", links=anchors("docs/a", "docs/old/b", "docs/api/c", "blog/d"))
    pages(web, "/docs/a", "/docs/old/b", "/docs/api/c", "/blog/d")
    found = visit(path="/", prefix="/docs", exclude=("docs/old/**",), include=("docs/**",))
    assert paths(web, found) == ["/docs/a", "/docs/api/c"]
    assert "/docs/old/b" not in web.asked
    assert found.skipped == {f"{web.url}/": "not among what the source includes"}
    with pytest.raises(UsageError):
        sync(site.Site, SiteEntry(name="x", kind="site", url=web.url, prefix="https://b.example/"), Path("/nowhere"))


def test_documents_of_other_types(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a.pdf", "b.md", "c.png", "d.css", "e", "f.zip"))
    web.pages["/docs/a.pdf"] = Page(b"%PDF-1.4 \x80", "application/pdf")
    web.pages["/docs/b.md"] = Page(b"# B", "text/markdown")
    web.pages["/docs/c.png"] = Page(b"\x89PNG\r\n\x1a\n\0", "image/png")
    web.pages["/docs/d.css"] = Page(b"a{}", "text/css")
    web.pages["/docs/e"] = Page(b"<!doctype html><p>E", None)
    web.pages["/docs/f.zip"] = Page(b"PK\x03\x04\0", "application/zip")
    found = visit()
    assert [document.path for document in found.found.values()] == [
        "docs/index.html", "docs/a.pdf", "docs/b.md", "docs/e.html",
    ]  # fmt: skip
    assert set(found.skipped.values()) == {
        "no document (image/png)",
        "no document (text/css)",
        "no document (application/zip)",
    }


# --- robots -----------------------------------------------------------------------------------------------------------


def test_robots_txt_is_asked_first_and_heeded(web: Web, visit: Any) -> None:
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /docs/private\nAllow: /docs/private/tour", "text/plain")
    pages(web, "/docs/", links=anchors("private/a", "private/tour", "b"))
    pages(web, "/docs/private/a", "/docs/private/tour", "/docs/b")
    found = visit()
    assert paths(web, found) == ["/docs/", "/docs/private/tour", "/docs/b"]
    assert web.asked[0] == "/robots.txt"
    assert "/docs/private/a" not in web.asked
    assert found.skipped == {f"{web.url}/docs/private/a": "robots.txt does not allow it"}


@pytest.mark.parametrize(
    "answer",
    [
        Page(status=500),
        Page(status=503, headers={"Retry-After": "999"}),
        hangs_up,
        Page(status=429, headers={"Retry-After": "999"}),
    ],
)
def test_nothing_is_asked_of_a_host_whose_rules_cannot_be_had(web: Web, visit: Any, answer: Any) -> None:
    web.pages["/robots.txt"] = answer
    pages(web, "/docs/")
    with pytest.raises(IngestionError, match="nothing of its host is asked for"):
        visit()
    assert set(web.asked) == {"/robots.txt"}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_host_without_rules_has_none(web: Web, visit: Any, status: int) -> None:
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /", "text/plain", status)
    pages(web, "/docs/")
    assert len(visit().found) == 1


def test_a_start_that_is_not_allowed(web: Web, visit: Any) -> None:
    web.pages["/robots.txt"] = Page(b"User-agent: biblicus\nDisallow: /docs/", "text/plain")
    pages(web, "/docs/")
    with pytest.raises(IngestionError, match=r"robots\.txt of its host does not allow"):
        visit()
    assert web.asked == ["/robots.txt"]


def test_pages_that_ask_to_be_left_out(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a", "b", "c"))
    web.html("/docs/a", "x" + anchors("a2"), '<meta name="robots" content="noindex">')
    web.html("/docs/b", "y" + anchors("b2"), '<meta name="robots" content="nofollow">')
    web.html("/docs/c", "z" + anchors("c2"), headers={"X-Robots-Tag": "otherbot: nofollow, noindex"})
    pages(web, "/docs/a2", "/docs/b2", "/docs/c2")
    assert paths(web, visit()) == ["/docs/", "/docs/b", "/docs/a2", "/docs/c2"]


def test_a_pause_between_two_requests(web: Web, visit: Any, waits: list[float]) -> None:
    web.pages["/robots.txt"] = Page(b"User-agent: *\nCrawl-delay: 0.25", "text/plain")
    pages(web, "/docs/", links=anchors("a", "b"))
    pages(web, "/docs/a", "/docs/b")
    visit()
    assert len(web.asked) == 5
    assert waits == pytest.approx([0.25] * 4)


def test_a_public_host_is_asked_slowly(web: Web, tmp_path: Path, waits: list[float]) -> None:
    import socket

    def dial(address: str, port: int, seconds: float) -> socket.socket:
        assert address == "93.184.216.34"
        return socket.create_connection(("127.0.0.1", web.port), seconds)

    fetcher = Fetcher(resolve=lambda host, port: ["93.184.216.34"], dial=dial)
    pages(web, "/docs/", links=anchors("a"))
    pages(web, "/docs/a")
    entry = SiteEntry(name="docs", kind="site", url="http://docs.example/docs/")
    sync(site.Site, entry, tmp_path, reach=Reach(tmp_path), fetcher=fetcher, pause=0.25)
    assert len(web.asked) == 4
    assert waits == pytest.approx([0.25] * 3)
    assert site.Site.pause >= 1


# --- again ------------------------------------------------------------------------------------------------------------


def test_an_unchanged_section_is_asked_by_conditions_alone(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a", "b"))
    pages(web, "/docs/a", "/docs/b", links=anchors("c"))
    pages(web, "/docs/c")
    first = visit()
    again = visit(first)
    assert (again.found, again.gone, again.rows) == ({}, [], first.rows)
    conditional = [headers for headers in web.headers if "If-None-Match" in headers]
    assert len(conditional) == 4


def test_a_changed_page_a_new_one_and_one_that_is_gone(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a", "b"))
    pages(web, "/docs/a", "/docs/b")
    first = visit()
    web.html("/docs/a", "<p>New words</p>" + anchors("c"), etag='"2"')
    pages(web, "/docs/c")
    del web.pages["/docs/b"]
    again = visit(first)
    assert paths(web, again) == ["/docs/a", "/docs/c"]
    assert again.gone == [f"{web.url}/docs/b"]


def test_a_page_that_nothing_leads_to_is_kept_while_it_is_there(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a", "b"))
    pages(web, "/docs/a", "/docs/b")
    first = visit()
    web.html("/docs/", "<p>Start</p>", etag='"2"')
    del web.pages["/docs/b"]
    assert visit(first).gone == [f"{web.url}/docs/b"]


@pytest.mark.parametrize("status", [500, 403, 302])
def test_a_page_that_fails_is_kept(web: Web, visit: Any, status: int) -> None:
    pages(web, "/docs/", links=anchors("a", "b"))
    pages(web, "/docs/a", "/docs/b")
    first = visit()
    web.pages["/docs/a"] = Page(status=status)
    again = visit(first)
    assert (again.failed, again.gone) == ({f"{web.url}/docs/a": f"it answers {status}"}, [])


def test_a_site_that_is_down_fails_whole(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a"))
    pages(web, "/docs/a")
    first = visit()
    web.pages["/docs/"] = Page(status=502)
    with pytest.raises(IngestionError, match="it answers 502"):
        visit(first)


def test_a_notice_of_maintenance_replaces_nothing(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a"))
    pages(web, "/docs/a")
    first = visit()
    web.redirect("/docs/", "/sorry.html", 302)
    web.html("/sorry.html", "Back soon")
    with pytest.raises(IngestionError, match="out of its section for now"):
        visit(first)


def test_a_busy_site_is_left_and_what_was_visited_stays(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a", "b", "c"))
    pages(web, "/docs/a", "/docs/c")
    web.pages["/docs/b"] = Page(status=429, headers={"Retry-After": "600"})
    found = visit()
    assert paths(web, found) == ["/docs/", "/docs/a"]
    assert "/docs/c" not in web.asked
    assert any("asks to be left alone" in reason for reason in found.failed.values())


def test_a_copy_that_is_missing_is_fetched_again(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a"))
    pages(web, "/docs/a")
    first = visit()
    assert paths(web, visit(first, absent=frozenset([f"{web.url}/docs/a"]))) == ["/docs/a"]


@pytest.mark.parametrize("text", [None, "{", "[]", '{"version":1,"pages":{"x":[1]}}', '{"version":9,"pages":{}}'])
def test_what_was_remembered_may_vanish_or_be_damaged(web: Web, visit: Any, tmp_path: Path, text: str | None) -> None:
    pages(web, "/docs/", links=anchors("a"))
    pages(web, "/docs/a")
    first = visit()
    (tmp_path / "cache" / "pages.json").unlink() if text is None else (tmp_path / "cache" / "pages.json").write_text(
        text
    )
    again = visit(first)
    assert again.rows == first.rows
    assert not any("If-None-Match" in headers for headers in web.headers)


def test_an_entry_that_takes_in_less(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a", "api/b"))
    pages(web, "/docs/a", "/docs/api/b")
    first = visit()
    again = visit(first, exclude=("docs/api/**",))
    assert again.gone == [f"{web.url}/docs/api/b"]


def test_a_page_that_moved_for_good_is_the_same_page(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a"))
    pages(web, "/docs/a")
    first = visit()
    web.redirect("/docs/a", "/docs/b", 301)
    pages(web, "/docs/b")
    again = visit(first)
    assert (sorted(again.rows), again.gone) == ([f"{web.url}/docs/", f"{web.url}/docs/b"], [])


# --- duplicates and traps ---------------------------------------------------------------------------------------------


def test_one_page_under_many_addresses_is_one_document(web: Web, visit: Any) -> None:
    pages(
        web, "/docs/", links=anchors("index.html", "a?utm_source=x", "a", "a?sid=99", "b?print=1", "b", "./c/../a", "A")
    )
    web.html(
        "/docs/index.html", "<p>Text of /docs/</p>" + anchors("index.html", "a"), '<link rel="canonical" href="/docs/">'
    )
    pages(web, "/docs/a")
    for path in ("/docs/b", "/docs/b?print=1"):
        web.html(path, f"B as {path}", '<link rel="canonical" href="/docs/b">')
    web.html("/docs/A", "<p>Text of /docs/a</p>")
    found = visit()
    assert paths(web, found) == ["/docs/", "/docs/a", "/docs/b"]
    assert web.asked.count("/docs/a") == 1


@pytest.mark.parametrize("other", ["/docs/gone", "/docs/barred", "/docs/broken", "/docs/circle", "/", "/docs/blank"])
def test_a_page_is_not_lost_to_the_address_that_it_calls_its_own(web: Web, visit: Any, other: str) -> None:
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /docs/barred", "text/plain")
    pages(web, "/docs/", links=anchors("a"))
    web.html("/docs/a", "A", f'<link rel="canonical" href="{other}">')
    web.html("/docs/circle", "A, too", '<link rel="canonical" href="/docs/a">')
    web.pages["/docs/broken"] = Page(status=500)
    web.pages["/docs/blank"] = Page(b"")
    first = visit()
    assert len(first.found) == 2
    again = visit(first)
    assert again.gone == []
    assert again.rows.keys() == first.rows.keys()


def test_traps_end(web: Web, visit: Any) -> None:
    def endless(handler: Any) -> None:
        path = handler.path
        body = f"<p>{path}</p>" + anchors("deeper/", "/docs/calendar?day=" + str(len(web.asked)), path + "x" * 50)
        handler._give(Page(body.encode()))

    class Everywhere(dict[str, Any]):
        def get(self, path: str, default: Any = None) -> Any:
            return endless if path.startswith("/docs/") else default

    web.pages = Everywhere()
    found = visit(depth=20, max_pages=300)
    assert len(web.asked) < 300
    assert sum("calendar" in path for path in web.asked) <= 20
    assert any("differ in their query alone" in reason for reason in found.skipped.values())


def test_a_redirect_out_of_the_section(web: Web, visit: Any) -> None:
    with serving() as elsewhere:
        pages(web, "/docs/", links=anchors("a", "b"))
        web.redirect("/docs/a", "/other")
        web.redirect("/docs/b", f"{elsewhere.url}/docs/b")
        pages(web, "/other")
        pages(elsewhere, "/docs/b")
        found = visit()
    assert paths(web, found) == ["/docs/"]
    assert len(found.skipped) == 2


def test_an_address_without_its_slash(web: Web, visit: Any) -> None:
    web.redirect("/docs", "/docs/", 301)
    pages(web, "/docs/", links=anchors("a", "/x"))
    pages(web, "/docs/a", "/x")
    assert paths(web, visit(path="/docs")) == ["/docs/", "/docs/a"]


# --- sitemaps ---------------------------------------------------------------------------------------------------------


def sitemap(web: Web, *locations: str, index: bool = False) -> bytes:
    kind, entry = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    rows = "".join(f"<{entry}><loc>{web.url}{path}</loc></{entry}>" for path in locations)
    return f'<?xml version="1.0"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</{kind}>'.encode()


def test_sitemaps_lead_to_pages_too(web: Web, visit: Any) -> None:
    web.pages["/robots.txt"] = Page(
        f"Sitemap: {web.url}/maps.xml\nSitemap: http://elsewhere.example/x".encode(), "text/plain"
    )
    web.pages["/maps.xml"] = Page(sitemap(web, "/one.xml.gz", "/two.txt", "/maps.xml", "/missing.xml", index=True))
    web.pages["/one.xml.gz"] = Page(gzip.compress(sitemap(web, "/docs/a", "/docs/b", "/elsewhere")), "application/gzip")
    web.pages["/two.txt"] = Page(
        f"{web.url}/docs/c\nhttp://elsewhere.example/docs/d\nfile:///etc/passwd\n".encode(), "text/plain"
    )
    pages(web, "/docs/", "/docs/a", "/docs/b", "/docs/c", "/elsewhere")
    assert paths(web, visit()) == ["/docs/", "/docs/a", "/docs/b", "/docs/c"]
    assert web.asked.count("/maps.xml") == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"\x1f\x8bbroken", zeros(60 << 20), b"<urlset>" * 200, b"\0\1\2",
     b'<!DOCTYPE x [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>',
     b"<urlset><url><loc>/docs/a</loc></url>"],
)  # fmt: skip
def test_a_broken_sitemap_is_passed_over(web: Web, visit: Any, body: bytes) -> None:
    web.pages["/sitemap.xml"] = Page(body, "application/xml")
    pages(web, "/docs/", "/docs/a")
    began = time.monotonic()
    assert paths(web, visit()) == ["/docs/"]
    assert time.monotonic() - began < 30


def test_sitemaps_without_end(web: Web, visit: Any) -> None:
    class Everywhere(dict[str, Any]):
        def get(self, path: str, default: Any = None) -> Any:
            if not path.startswith(("/sitemap", "/more")):
                return super().get(path, default)
            return Page(sitemap(web, *(f"/more{len(web.asked)}-{n}.xml" for n in range(90)), index=True))

    web.pages = Everywhere()
    pages(web, "/docs/")
    visit()
    assert len(web.asked) < 60


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_the_time_of_a_visit_is_bounded(web: Web, visit: Any, tmp_path: Path) -> None:
    web.pages["/robots.txt"] = Page(b"User-agent: *\nCrawl-delay: 0.3", "text/plain")
    pages(web, "/docs/", links=anchors(*map(str, range(30))))
    pages(web, *(f"/docs/{number}" for number in range(30)))
    found = visit(reach=Reach(tmp_path / "cache", private=True, seconds=1.0))
    assert 1 <= len(found.found) < 6
    assert any("the time for one sync is over" in reason for reason in found.failed.values())
    assert found.gone == []


def test_the_bytes_of_a_visit_are_bounded(web: Web, visit: Any, tmp_path: Path) -> None:
    pages(web, "/docs/", links=anchors(*map(str, range(30))))
    for number in range(30):
        web.html(f"/docs/{number}", f"{number}" + "x" * 10_000)
    found = visit(reach=Reach(tmp_path / "cache", private=True, total_bytes=50_000))
    assert len(found.found) < 9
    assert any("no more than 50,000 bytes" in reason for reason in found.failed.values())


def test_a_visit_can_be_cancelled(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a"))
    call = Call()
    call.cancel.set()
    with pytest.raises(Cancelled):
        visit(call=call)


# --- what mutants taught ----------------------------------------------------------------------------------------------


def test_a_start_that_leads_to_what_is_not_allowed(web: Web, visit: Any) -> None:
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /private/", "text/plain")
    web.redirect("/docs/", "/private/", 301)
    pages(web, "/private/")
    with pytest.raises(IngestionError, match=r"robots\.txt of its host does not allow"):
        visit()


def test_a_start_that_moved_to_another_host(web: Web, visit: Any) -> None:
    with serving() as elsewhere:
        web.redirect("/docs/", elsewhere.url.replace("127.0.0.1", "localhost") + "/docs/", 301)
        pages(elsewhere, "/docs/")
        with pytest.raises(IngestionError, match="redirects to another host"):
            visit()


def test_two_pages_that_call_one_dead_address_their_own(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a", "late"))
    web.html("/docs/a", "A", '<link rel="canonical" href="/docs/gone">')
    pages(web, "/docs/late", links=anchors("b"))
    web.html("/docs/b", "B", '<link rel="canonical" href="/docs/gone">')
    assert sorted(paths(web, visit())) == ["/docs/", "/docs/a", "/docs/b", "/docs/late"]


def test_a_known_page_that_robots_may_not_see_any_more_is_kept(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a"))
    pages(web, "/docs/a")
    first = visit()
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /docs/a", "text/plain")
    again = visit(first)
    assert (again.gone, again.skipped) == ([], {})
    assert again.failed == {f"{web.url}/docs/a": "robots.txt does not allow it"}


def test_maps_of_other_hosts_are_not_read(web: Web, visit: Any) -> None:
    with serving() as elsewhere:
        there = elsewhere.url.replace("127.0.0.1", "localhost")
        web.pages["/robots.txt"] = Page(f"Sitemap: {there}/one.xml\nSitemap: /two.xml".encode(), "text/plain")
        index = sitemap(web, "/three.xml", index=True).replace(web.url.encode(), there.encode())
        web.pages["/two.xml"] = Page(index)
        pages(web, "/docs/")
        visit()
        assert elsewhere.connections == 0


@pytest.mark.parametrize(
    ("path", "trap"),
    [("/a/b/c/d", False), ("/a/a", False), ("/a/b/a/b/a/b", True), ("/" + "/".join("abcdefghijklmnopqrstu"), True),
     ("/" + "x" * 500, True), ("/v1/docs/v1/api/v1/x", True), ("/" + "x" * 400, False)],
)  # fmt: skip
def test_addresses_that_grow_out_of_themselves(path: str, trap: bool) -> None:
    assert is_trap(parse(f"https://example.org{path}")) is trap


def test_an_address_that_looks_like_a_trap_is_not_visited(web: Web, visit: Any) -> None:
    pages(web, "/docs/", links=anchors("a/b/a/b/a/b", "c"))
    pages(web, "/docs/a/b/a/b/a/b", "/docs/c")
    assert paths(web, visit()) == ["/docs/", "/docs/c"]

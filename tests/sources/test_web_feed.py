"""Feeds as sources: every version, and what is broken in them."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus.errors import IngestionError
from biblicus.guards import feeds
from biblicus.guards.feeds import FeedEntry, NoFeed
from biblicus.models.sources.entries import FeedEntry as FeedSource
from biblicus.sources import feed
from biblicus.text.decoding import decode
from tests.sources.kinds import Synced, sync
from tests.sources.server import Page, Web, serving

RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Harbour</title><link>{url}/</link>
{items}
</channel></rss>"""
ITEM = """<item><title>{title}</title><link>{url}/{slug}</link><guid isPermaLink="false">tag:{slug}</guid>
<dc:creator>Ada Lovelace</dc:creator><pubDate>Sat, 21 Nov 2026 10:00:0{n} +0100</pubDate>
<content:encoded><![CDATA[<p>All about <b>{title}</b>&nbsp;&amp; more.</p>]]></content:encoded></item>"""


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as found:
        yield found


def put(web: Web, *titles: str, **more: Any) -> None:
    slugs = {title: title.lower().replace(" ", "-") for title in titles}
    seconds = {title: title[-1] if title[-1].isdigit() else "0" for title in titles}
    items = "".join(ITEM.format(title=title, slug=slugs[title], url=web.url, n=seconds[title]) for title in titles)
    web.pages["/feed"] = Page(RSS.format(url=web.url, items=items).encode(), "application/rss+xml", **more)


@pytest.fixture
def read(web: Web, tmp_path: Path) -> Any:
    def once(before: Synced | None = None, path: str = "/feed", **said: Any) -> Synced:
        more = {name: said.pop(name) for name in ("absent", "reach") if name in said}
        return sync(
            feed.Feed, FeedSource(name="news", kind="feed", url=web.url + path, **said), tmp_path, before, **more
        )

    return once


def test_entries_are_documents_with_title_author_and_date(web: Web, read: Any) -> None:
    put(web, "Moon tides", "Lamp oil")
    found = read().found
    assert list(found) == ["tag:moon-tides", "tag:lamp-oil"]
    document = found["tag:moon-tides"]
    assert (document.path, document.title) == ("2026-11-21-moon-tides.html", "Moon tides")
    assert document.uri == f"{web.url}/moon-tides"
    assert document.metadata == {"author": "Ada Lovelace", "date": "2026-11-21"}
    assert b"<p>All about <b>Moon tides</b>&nbsp;&amp; more.</p>" in document.data
    assert web.asked == ["/feed"]


def test_an_unchanged_feed_is_not_sent_again(web: Web, read: Any) -> None:
    put(web, "Moon tides", etag='"1"')
    first = read()
    again = read(first)
    assert (again.found, again.state, len(web.asked)) == ({}, first.state, 2)
    assert web.headers[1]["If-None-Match"] == '"1"'


def test_what_falls_out_of_the_feed_is_kept(web: Web, read: Any) -> None:
    put(web, "Moon tides", "Lamp oil")
    first = read()
    put(web, "Lamp oil", "Gulls")
    again = read(first)
    assert (list(again.found), again.gone) == (["tag:gulls"], [])
    assert sorted(again.rows) == ["tag:gulls", "tag:lamp-oil", "tag:moon-tides"]


def test_an_entry_that_changed_stays_where_it_is(web: Web, read: Any) -> None:
    put(web, "Moon tides")
    first = read()
    web.pages["/feed"] = Page(web.pages["/feed"].body.replace(b"<title>Moon tides<", b"<title>The moon<"), "text/xml")  # type: ignore[union-attr]
    (document,) = read(first).found.values()
    assert (document.path, document.title) == ("2026-11-21-moon-tides.html", "The moon")


def entries_of(raw: bytes, charset: str | None) -> list[FeedEntry]:
    return list(feeds.read(decode(raw, charset).text).entries)


def test_two_entries_of_one_title_lie_side_by_side(web: Web, read: Any) -> None:
    put(web, "Notes", "Notes")
    body = web.pages["/feed"].body  # type: ignore[union-attr]
    web.pages["/feed"] = Page(body.replace(b"tag:notes", b"tag:other", 1))
    first, second = (document.path for document in read().found.values())
    assert first == "2026-11-21-notes.html"
    assert second.startswith("2026-11-21-notes-")


def test_entries_without_a_key_or_with_a_shared_link_are_each_an_entry(web: Web, read: Any) -> None:
    texts = [*(f"<description>{day}</description>" for day in ("Low tide.", "High tide.", "High tide.")), ""]
    texts += [f"<link>http://b.example/</link><title>{name}</title>" for name in ("Gulls", "Terns", "Terns")]
    texts += [f'<guid isPermaLink="false">g</guid><title>{name}</title>' for name in ("Mole " * 99, "The mole")]
    items = "".join(f"<item>{text}</item>" for text in texts)
    web.pages["/feed"] = Page(RSS.format(url=web.url, items=items).encode(), "application/rss+xml")
    first = read()
    titles = [document.title for document in first.found.values()]
    assert titles == [None, None, "Gulls", "Terns", ("Mole " * 99)[:300]]
    assert list(read(first).found) == []


def test_an_entry_without_a_title_is_called_by_its_first_words(web: Web, read: Any) -> None:
    note = (
        f"<item><link>{web.url}/@ada/1</link><guid>{web.url}/@ada/1</guid><description>"
        "&lt;p&gt;The ferry &amp;amp; the pilot boat stay in port today, because the wind turns north.&lt;/p&gt;"
        "</description></item>"
    )
    web.pages["/feed"] = Page(RSS.format(url=web.url, items=note).encode(), "application/rss+xml")
    ((key, document),) = read(include=()).found.items()
    assert (key, document.path) == (f"{web.url}/@ada/1", "the-ferry-the-pilot-boat-stay-in-port-today-because-the.html")
    assert b"<title>The ferry &amp; the pilot boat stay in port today, because the</title>" in document.data
    assert b"<h1>" not in document.data


def test_the_newest_are_taken(web: Web, read: Any) -> None:
    put(web, *(f"Note {n}" for n in range(9)))
    assert list(read(max_entries=2).found) == ["tag:note-7", "tag:note-8"]


def test_a_copy_that_is_missing_is_made_again(web: Web, read: Any) -> None:
    put(web, "Moon tides", etag='"1"')
    first = read()
    assert list(read(first, absent=frozenset(["tag:moon-tides"])).found) == ["tag:moon-tides"]


def test_a_page_that_names_its_feed(web: Web, read: Any) -> None:
    of_json, of_rss = (f'rel="alternate" type="application/{kind}"' for kind in ("feed+json", "rss+xml"))
    web.html("/blog", "<p>Blog</p>", f'<link {of_json} href="/feed.json"><link {of_rss} href="/feed">')
    put(web, "Moon tides", etag='"1"')
    first = read(path="/blog")
    assert list(first.found) == ["tag:moon-tides"]
    web.html("/blog2", "<p>Blog</p>", '<link rel="alternate" type="application/rss+xml" href="http://b.example/feed">')
    with pytest.raises(IngestionError, match=r"it is no feed \(a page\)"):
        read(path="/blog2")


# --- summaries --------------------------------------------------------------------------------------------------------

SUMMARY = (
    "<rss><channel><item><title>T</title><link>{link}</link><description>Short.</description></item></channel></rss>"
)


def summary(web: Web, link: str) -> None:
    web.pages["/feed"] = Page(SUMMARY.format(link=link).encode(), "text/xml")


def test_a_summary_s_page_is_fetched_from_the_same_host(web: Web, read: Any) -> None:
    summary(web, "/post?utm_source=rss")
    web.html("/post", "<p>The whole post.</p>", etag='"9"')
    (document,) = read().found.values()
    assert (document.path, document.uri, document.title) == ("t.html", f"{web.url}/post", "T")
    assert b"The whole post." in document.data
    assert web.asked == ["/feed", "/robots.txt", "/post"]
    assert read(read()).found == {}


@pytest.mark.parametrize("rules", [b"User-agent: *\nDisallow: /post", None])
def test_robots_txt_is_heeded(web: Web, read: Any, rules: bytes | None) -> None:
    summary(web, "/post")
    web.pages["/robots.txt"] = Page(rules or b"", status=200 if rules else 500)
    (document,) = read().found.values()
    assert b"Short." in document.data
    assert "/post" not in web.asked


def test_other_hosts_are_not_asked(web: Web, read: Any) -> None:
    with serving() as elsewhere:
        summary(web, f"{elsewhere.url}/post")
        (document,) = read().found.values()
        assert (document.uri, elsewhere.connections) == (f"{elsewhere.url}/post", 0)
    assert b"Short." in document.data


def test_a_page_that_fails_is_tried_again(web: Web, read: Any) -> None:
    summary(web, "/post")
    web.pages["/feed"] = Page(web.pages["/feed"].body, "text/xml", etag='"1"')  # type: ignore[union-attr]
    web.pages["/post"] = Page(status=500)
    first = read()
    assert list(first.failed.values()) == ["it answers 500"]
    web.html("/post", "<p>The whole post.</p>")
    assert len(read(first).found) == 1


# --- versions ---------------------------------------------------------------------------------------------------------

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><author><name>Whole feed</name></author>
<entry><id>urn:1</id><title type="html">&lt;i&gt;Moon&lt;/i&gt; &amp;amp; sea</title>
<link rel="self" href="/no"/><link href="/moon"/>
<author><name>Ada</name></author><published>2026-11-21T10:00:00+01:00</published>
<updated>2026-11-22T00:00:00Z</updated>
<summary>Short</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Long<br/>text</p></div></content></entry>
<entry><id>urn:2</id><title>Text &lt;b&gt;</title><updated>2026</updated><content>First &lt; one.

Second.</content></entry>
<entry><id>urn:3</id><title>Elsewhere</title><content src="http://b.example/x" type="image/png"/>
<summary type="html">&lt;p&gt;S&lt;/p&gt;</summary></entry>
</feed>"""


def test_atom() -> None:
    one, two, three = entries_of(ATOM.encode(), None)
    assert (one.key, one.link, one.title, one.author, one.date) == (
        "urn:1", "/moon", "Moon & sea", "Ada", "2026-11-21T09:00:00Z",
    )  # fmt: skip
    assert (one.content, one.whole) == ("<div><p>Long<br>text</p></div>", True)
    assert (two.title, two.date, two.content) == ("Text <b>", "2026", "<p>First &lt; one.</p>\n<p>Second.</p>\n")
    assert (three.content, three.whole) == ("<p>S</p>", False)


def test_rss_1_and_oddities() -> None:
    rdf = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel/><item rdf:about="http://b.example/1"><title>One</title>
      <dc:date>2026-11-21</dc:date></item></rdf:RDF>"""
    (one,) = entries_of(rdf.encode(), None)
    assert (one.key, one.date) == ("http://b.example/1", "2026-11-21")
    odd = """<!DOCTYPE rss><rss><channel><item><title>caf&eacute;&nbsp;bar</title><guid>http://b.example/2</guid>
      <author>ada@example.org (Ada)</author><pubDate>yesterday</pubDate></item><item/></channel></rss>"""
    (two,) = entries_of(odd.encode(), None)
    assert (two.link, two.title, two.author, two.date) == ("http://b.example/2", "café bar", "Ada", "")


def test_a_charset_of_the_header() -> None:
    text = "<rss><channel><item><title>Η σελήνη</title></item></channel></rss>"
    assert entries_of(text.encode("iso-8859-7"), "iso-8859-7")[0].title == "Η σελήνη"


@pytest.mark.parametrize(
    "raw",
    [b"", b"words", b"<html><body>x", b"{}", b'{"version": 1, "items": []}', b"<opml/>", b"<rss><channel>", b"[1]",
     b'<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&a;</title></item></channel></rss>',
     b"<rss>" + b"<channel>" * 500, b'{"version":"https://jsonfeed.org/version/1","items":' + b"[" * 100_000, b"\0\1"],
)  # fmt: skip
def test_what_is_no_feed(raw: bytes) -> None:
    with pytest.raises(NoFeed) as none:
        entries_of(raw, None)
    assert "\n" not in none.value.message


def test_hostile_entries_take_no_time_and_leave_nothing_behind() -> None:
    began = time.thread_time()
    title = "&lt;" * 100_000 + "\u202e" + "x" * 1_000_000
    guid, date = "k" * 9_000 + "\u202e", "1 " * 90_000
    item = f"<item><guid>{guid}</guid><title>{title}</title><pubDate>{date}</pubDate></item>"
    raw = f"<rss><channel>{item}</channel></rss>"
    (one,) = entries_of(raw.encode(), None)
    assert (len(one.title), len(one.key), one.date) == (1_100_001, 71, "")
    assert time.thread_time() - began < 8


def test_an_entry_without_words_has_its_title(web: Web, read: Any) -> None:
    web.pages["/feed"] = Page(
        b"<rss><channel><item><title>&lt;script&gt;x&lt;/script&gt;</title></item></channel></rss>"
    )
    (document,) = read().found.values()
    assert b"<script>" not in document.data

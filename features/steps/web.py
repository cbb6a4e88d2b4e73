"""Steps about a site: a server of our own, what it has, and what it was asked."""

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import pytest
from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.sources import TOLD, one
from features.world import Table, World, rows
from tests.sources.server import Page, Web, bomb, hangs_up, serving


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as found:
        yield found


def page(web: Web, path: str, body: str, head: str = "") -> None:
    """A page whose tag changes with its words."""
    text = f"<html><head>{head}</head><body>{body}</body></html>"
    web.pages[path] = Page(text.encode(), etag=f'"{len(text)}-{sum(text.encode())}"')


def put(web: Web, datatable: Table) -> None:
    for row in rows(datatable):
        links = [link.strip() for link in row["links"].split(",") if link.strip()]
        page(web, row["path"], f"<p>{row['text']}</p><nav>{''.join(f'<a href={link}>x</a>' for link in links)}</nav>")


@given("a site")
def a_site(world: World, web: Web) -> None:
    """Empty, so far."""
    world.names["site"] = web.url


@given("a site with the pages")
@given("the site has since the pages")
def a_site_with(world: World, web: Web, datatable: Table) -> None:
    world.names["site"] = web.url
    put(web, datatable)


@given(phrase('the site has the page "{path}"'))
def has_the_page(web: Web, path: str, docstring: str) -> None:
    web.pages[path] = Page(docstring.encode(), etag='"1"')


@given(phrase('the site has the page "{path}" that says "{text}"[ and calls "{other}" its own address]'))
def has_a_page_that_says(web: Web, path: str, text: str, other: str | None) -> None:
    page(web, path, f"<p>{text}</p>", f'<link rel="canonical" href="{other}">' if other else "")


@given(phrase('the site has a PDF at "{path}" that says "{text}"'))
def has_a_pdf(web: Web, path: str, text: str) -> None:
    web.pages[path] = Page(pdf(text), "application/octet-stream")


@then(phrase('the report skips the page "{path}", as "{reason}"'))
def skips_the_page(world: World, web: Web, path: str, reason: str) -> None:
    assert [(note["path"], note["reason"]) for note in world.value["skipped"]] == [(web.url + path, reason)]


def pdf(text: str) -> bytes:
    """One page."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        body
        + b"xref\n0 7\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 7 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    )


@given(phrase('the site answers "{path}" with {status#}'))
def answers_with(web: Web, path: str, status: str) -> None:
    web.pages[path] = Page(status=int(status))


@given(phrase('the site {does!} at "{path}"'))
def misbehaves(web: Web, does: str, path: str) -> None:
    acts: dict[str, Callable[[], Any]] = {
        "has an image": lambda: Page(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        "fails": lambda: Page(status=500),
        "hangs up": lambda: hangs_up,
        "redirects in a circle": lambda: Page(status=302, headers={"Location": path}),
        "sends less than it says": lambda: Page(b"abc", headers={"Content-Length": "1000"}),
        "sends a gzip bomb": lambda: bomb(40 << 20),
    }
    web.pages[path] = acts[does]()


@given(phrase('its robots.txt says "{rule}"'))
def robots_txt(web: Web, rule: str) -> None:
    web.pages["/robots.txt"] = Page(f"User-agent: *\n{rule}\n".encode(), "text/plain")


@given(phrase('its sitemap names "{path}"'))
def sitemap(web: Web, path: str) -> None:
    web.pages["/sitemap.xml"] = Page(f"<urlset><url><loc>{web.url}{path}</loc></url></urlset>".encode(), "text/xml")


@given(phrase('the feed "{path}" with the entries'))
def a_feed(web: Web, path: str, datatable: Table) -> None:
    entries = "".join(
        f"<entry><id>urn:{row['id']}</id><title>{row['title']}</title><link href='/{row['id']}'/>"
        f"<author><name>{row['author']}</name></author><published>{row['date']}T08:00:00Z</published>"
        f"<content type='html'>{escape('<p>' + row['text'] + '</p>')}</content></entry>"
        for row in rows(datatable)
    )
    web.pages[path] = Page(
        f"<feed xmlns='http://www.w3.org/2005/Atom'>{entries}</feed>".encode(), "application/atom+xml"
    )


@then(phrase('the item "{item}" is of the page "{path}"'))
def is_of_the_page(world: World, web: Web, item: str, path: str) -> None:
    source = world.items()[item]["source"]
    assert source["uri"] == web.url + path
    assert source["ref"] == web.pages[path].etag  # type: ignore[union-attr]
    assert source["retrieved_at"].endswith("Z")


@then(phrase('the text of "{item}" is "{text}"'))
def text_is(world: World, item: str, text: str) -> None:
    assert world.do("get", item)["text"] == text + "\n"


@then(phrase('the site was asked for "{path}" {times#} times, the last only if it changed'))
def asked_times(web: Web, path: str, times: str) -> None:
    assert web.asked.count(path) == int(times)
    assert "If-None-Match" in web.headers[-1]


@then(phrase('the site was not asked for "{path}"'))
def not_asked_for(web: Web, path: str) -> None:
    assert path not in web.asked


@then(phrase('the site was asked for nothing but "{path}"'))
def nothing_but(web: Web, path: str) -> None:
    assert set(web.asked) == {path}


@then(phrase('the sync of "{name}" says of the page "{path}" that "{reason}"'))
def says_of_the_page(world: World, web: Web, name: str, path: str, reason: str) -> None:
    found = one(world, name)
    entries = [entry for change in ("skipped", "failed") for entry in found[change]]
    assert any(entry["path"] == web.url + path and reason in entry["reason"] for entry in entries), found


@then(phrase('it is told that the page "{path}" is a duplicate of "{first}"'))
def is_a_duplicate(world: World, web: Web, path: str, first: str) -> None:
    assert world.value["added"] == []
    assert world.value["duplicates"] == [{"path": web.url + path, "of": first}]


@then(phrase('the sync of "{name}" says beside what it skips'))
def says_beside(world: World, name: str, datatable: Table) -> None:
    found = [(change, entry["path"]) for change in TOLD if change != "skipped" for entry in one(world, name)[change]]
    assert found == [(row["change"], row["path"]) for row in rows(datatable)]

"""What a page says of itself and of others, by a scanner that no page can slow down."""

import time

from hypothesis import given
from hypothesis import strategies as st

from biblicus.sources.links import links_of
from tests.sampling import each


def hrefs(page: str) -> list[str]:
    return list(links_of(page, "biblicus").hrefs)


@each(
    ("page", "found"),
    [
        ("<a href=\"a\">x</a><A HREF=b>y</A><a href='c'>", ["a", "b", "c"]),
        ('<a class="x>y" href="a">', ["a"]),
        ('<a\n  href = "a b"\n>', ["a b"]),
        ('<a href="?x=1&amp;y=2">', ["?x=1&y=2"]),
        ('<a href="a"><a href="a">', ["a"]),
        ('<!-- <a href="no"> --><a href="a">', ["a"]),
        ('<!-- never ends <a href="no">', []),
        ('<script>"<a href=no>"</script ><a href="a">', ["a"]),
        ('<script><a href="no">', []),
        ('<style><a href="no"></style><title><a href="no"></title><a href="a">', ["a"]),
        ('<a rel="external nofollow" href="no"><a href="a">', ["a"]),
        ('<a href=""><a name="x"><area href="a">', ["a"]),
        ('a < b <3 <> </a href="no"> <a href="a">', ["a"]),
        ('<abbr href="no"><link href="no"><img src="no">', []),
        ('<a href="never ends', []),
        ("<a", []),
        ("", []),
    ],
)
def test_links(page: str, found: list[str]) -> None:
    assert hrefs(page) == found


def test_what_a_page_says_of_itself() -> None:
    page = """<base href="/b/"><base href="/c/"><link rel="Canonical" href="/x"><link rel=canonical href="/y">
      <link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" href="/de" hreflang="de">
      <meta name="Robots" content="NOINDEX, follow"><meta name="biblicus" content="nofollow">
      <meta name="googlebot" content="none"><a rel="license" href="/by">"""
    found = links_of(page, "biblicus")
    assert (found.base, found.canonical, found.licence, found.feeds) == ("/b/", "/x", "/by", ["/feed"])
    assert found.robots == {"noindex", "follow", "nofollow"}


@each(
    "piece",
    ["<", "<a ", "<a href='", '<a href="', "<!--", "<script>", "<a x=1 ", "&", "<a href=x>", "</", "<a\n", "< ", '"',
     "<a " + "x" * 50 + "=", "<title>", "<a href=\"x\" '"],
)  # fmt: skip
def test_hostile_pages_take_no_time(piece: str) -> None:
    page = piece * ((1 << 18) // len(piece))
    began = time.process_time()
    links_of(page, "biblicus")
    links_of("<a href='" + page, "biblicus")
    links_of("<a " + page.replace("<", " ") + ">", "biblicus")
    assert time.process_time() - began < 8  # three scans


@given(st.text(alphabet="<>/!-= \"'aehrfscript\n", max_size=200))
def test_any_text_can_be_scanned(page: str) -> None:
    assert all(isinstance(href, str) and href for href in hrefs(page))

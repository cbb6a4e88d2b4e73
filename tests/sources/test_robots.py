"""`robots.txt` by RFC 9309, with the RFC's own examples."""

import time

import pytest

from biblicus.sources.robots import NOTHING, Robots, parse
from tests.sampling import each


def robots(text: str) -> Robots:
    return parse(text.encode(), "biblicus")


@each(
    ("rules", "target", "allowed"),
    [
        ("", "/a", True),
        ("Disallow: /", "/a", False),
        ("Disallow:", "/a", True),
        ("Disallow: /a", "/a", False),
        ("Disallow: /a", "/ab/c?x", False),
        ("Disallow: /a/", "/a", True),
        ("Disallow: /A", "/a", True),
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /a/b\nDisallow: /a", "/a/b/c", True),
        ("Allow: /a\nDisallow: /a", "/a", True),
        ("Disallow: /*.gif$", "/x/y.gif", False),
        ("Disallow: /*.gif$", "/x/y.gif?z", True),
        ("Disallow: /*.gif", "/x/y.gif?z", False),
        ("Disallow: /*?", "/x", True),
        ("Disallow: /*?", "/x?y", False),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: *", "/a", False),
        ("Disallow: /*a*b*c$", "/xaybzc", False),
        ("Disallow: /*a*b*c$", "/xaybz", True),
        ("Disallow: /*ab*b$", "/ab", True),
        ("Disallow: /%7ejoe/", "/~joe/x", False),
        ("Disallow: /~joe/", "/~joe/x", False),
        ("Disallow: /ö", "/%C3%B6x", False),
        ("Disallow: /%c3%b6", "/%C3%B6x", False),
        ("Disallow: /a%2fb", "/a/b", True),
        ("Disallow: /a # words", "/a", False),
        ("Disallow: /robots.txt", "/robots.txt", True),
        ("Disallow:/a", "/a", False),
        ("  disALLOW :  /a", "/a", False),
        ("Disalow: /a", "/a", True),
        ("Disallow: /example/page\nAllow: /example/page/disallowed.gif", "/example/page/disallowed.gif", True),
        ("Allow: /page\nDisallow: /*.html", "/page.html", False),
        ("Allow: /$\nDisallow: /", "/", True),
        ("Allow: /$\nDisallow: /", "/x", False),
    ],
)
def test_the_longest_pattern_decides(rules: str, target: str, allowed: bool) -> None:
    assert robots(f"User-agent: *\n{rules}\n").allows(target) is allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: biblicus\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "b"),
        ("User-agent: *\nDisallow: /b\n\nUser-agent: BIBLICUS/2.0\nDisallow: /a", "b"),
        ("User-agent: other\nUser-agent: biblicus\nDisallow: /a", "b"),
        ("User-agent: biblicus\nDisallow: /a\nUser-agent: other\nDisallow: /b", "b"),
        ("User-agent: biblicus\nDisallow: /a\n\nUser-agent: biblicus\nDisallow: /b", ""),
        ("User-agent: biblicusbot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "a"),
        ("User-agent: biblicus\n\nUser-agent: *\nDisallow: /a\nDisallow: /b", ""),
        ("User-agent: biblicus\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /a\nDisallow: /b", "ab"),
        ("Disallow: /a", "ab"),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "b"),
        ("User-agent: *\rDisallow: /a\r", "b"),
        ("User-agent: *\nSitemap: https://example.org/s.xml\nDisallow: /a", "b"),
    ],
)
def test_the_group_that_names_us_speaks_for_us(text: str, allowed: str) -> None:
    found = robots(text)
    assert "".join(name for name in "ab" if found.allows(f"/{name}")) == allowed


def test_delays_and_sitemaps() -> None:
    text = "Sitemap: https://example.org/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nSitemap: /b.xml"
    assert (robots(text).delay, robots(text).sitemaps) == (2.5, ("https://example.org/a.xml", "/b.xml"))
    assert robots("User-agent: *\nCrawl-delay: 99999").delay == 10
    assert robots("User-agent: *\nCrawl-delay: -1").delay == 0
    assert robots("User-agent: *\nCrawl-delay: 1e9").delay == 0


def test_nothing_may_be_asked_of_a_host_that_does_not_tell() -> None:
    assert not NOTHING.allows("/")
    assert NOTHING.allows("/robots.txt")


@pytest.mark.parametrize(
    "text",
    ["User-agent: *\n" + "Disallow: /" + "*a" * 200_000, "User-agent: *\n" + "Disallow: /*a\n" * 60_000, "x" * 900_000,
     "User-agent: biblicus\n" * 40_000, "\0" * 600_000, ":" * 600_000],
)  # fmt: skip
def test_hostile_files_take_no_time(text: str) -> None:
    began = time.thread_time()
    found = robots(text)
    for _ in range(20):
        found.allows("/" + "a" * 1_000)
    assert time.thread_time() - began < 8

"""Addresses from strangers: one reading, one form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.guards.network.urls import UrlRefused, join, parse, shown
from tests.sampling import each


@each(
    ("text", "form"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a/./b/../c#part", "https://example.org/a/c"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("http://example.org/%7euser/%e4", "http://example.org/~user/%E4"),
        ("http://example.org/a%2fb", "http://example.org/a%2Fb"),
        ("http://example.org/Größe?q=ö&x=%zz", "http://example.org/Gr%C3%B6%C3%9Fe?q=%C3%B6&x=%25zz"),
        ("http://example.org/a/%2e%2e/b", "http://example.org/b"),
        ("http://example.org/../../etc", "http://example.org/etc"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://example.org./", "http://example.org/"),
        ("http://[2001:DB8:0::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ("http://192.168.0.1/", "http://192.168.0.1/"),
        ("http://example.org/a?", "http://example.org/a"),
        ("  https://example.org/\n", "https://example.org/"),
    ],
)
def test_an_address_has_one_form(text: str, form: str) -> None:
    assert str(parse(text)) == form
    assert str(parse(form)) == form


@each(
    "text",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org:70/_x",
        "//example.org/",
        "example.org/page",
        "http://",
        "http:///path",
        "http://user:secret@example.org/",
        "http://example.org@127.0.0.1/",
        "http://example.org\\@127.0.0.1/",
        "http://example.org/a\\b",
        "http://exa mple.org/",
        "http://example.org/a b",
        "http://example.org/\r\nX-Header: 1",
        "http://example.org\t.evil/",
        "http://exam\u200bple.org/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://1.2.3.4.5/",
        "http://example.org.0x1/",
        "http://①②⑦.1/",
        "http://%31%32%37.0.0.1/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://example.org:0/",
        "http://example.org:65536/",
        "http://example.org:80:80/",
        "http://-x-.org/",
        "http://a..b/",
        "http://" + "a." * 130 + "org/",
        "http://example.org/" + "x" * 2_000,
        "javascript:alert(1)",
    ],
)
def test_what_could_be_read_otherwise_is_refused(text: str) -> None:
    with pytest.raises(UrlRefused):
        parse(text)


def test_a_link_is_read_from_its_page() -> None:
    base = parse("https://example.org/a/b?x=1")
    assert str(join(base, "c d\n.html")) == "https://example.org/a/c%20d.html"
    assert str(join(base, "//other.example/")) == "https://other.example/"
    assert str(join(base, "?y=2")) == "https://example.org/a/b?y=2"
    with pytest.raises(UrlRefused):
        join(base, "http://[bad/")
    with pytest.raises(UrlRefused):
        join(base, "mailto:ada@example.org")


def test_no_secret_and_no_control_character_is_shown() -> None:
    assert shown("https://ada:secret@example.org/\x1b[2Jx@y") == "https://example.org/?[2Jx@y"
    assert len(shown("https://example.org/" + "x" * 999)) == 200


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_is_refused(text: str) -> None:
    for candidate in (text, f"http://{text}", f"http://example.org/{text}"):
        try:
            found = parse(candidate)
        except UrlRefused:
            continue
        assert parse(str(found)) == found
        assert str(found).isascii()
        assert "@" not in found.authority

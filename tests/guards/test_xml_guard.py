"""XML from strangers."""

import time

import pytest

from biblicus.guards.xml import XmlRefused, read

LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]><x>&i;</x>"
)


def test_names_texts_and_attributes() -> None:
    root = read('<?xml version="1.0" encoding="utf-16"?><a:x xmlns:a="urn:a" n="1">Größe<y>&amp;</y></a:x>')
    assert (root.tag, root.attrib, root.text, root[0].text) == ("{urn:a}x", {"n": "1"}, "Größe", "&")


def test_entities_of_html_where_they_are_wanted() -> None:
    with pytest.raises(XmlRefused, match="undefined entity"):
        read("<x>a&nbsp;b</x>")
    assert read("<x>a&nbsp;b &lt;p&gt; &nosuch&eacute;</x>".replace("&nosuch", ""), named_entities=True).text == (
        "a\u00a0b <p> é"
    )


def test_a_document_type_alone_is_no_harm() -> None:
    assert read('<!DOCTYPE rss PUBLIC "-//N//DTD" "http://127.0.0.1:1/rss.dtd"><rss/>').tag == "rss"


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
        '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:1/"> %a;]><x/>',
        '<!DOCTYPE x [<!ATTLIST x a CDATA "b">]><x/>',
        "<x>" * 200 + "</x>" * 200,
        "<x " + " ".join(f'a{n}="1"' for n in range(300)) + "/>",
        "<x><y></x>",
        "<x>&#0;</x>",
        "<x/><y/>",
        "",
        "words",
        "{}",
        "<x>\ud800</x>",
    ],
)
def test_what_is_refused(text: str) -> None:
    began = time.thread_time()
    with pytest.raises(XmlRefused) as refused:
        read(text)
    assert time.thread_time() - began < 8
    assert "\n" not in refused.value.message


def test_size_is_bounded() -> None:
    with pytest.raises(XmlRefused, match="larger"):
        read("<x>" + "y" * 2_000 + "</x>", max_bytes=1_000)


def test_hostile_megabytes_take_no_time() -> None:
    for text in ("<x>" + "&" * 1_000_000, "<x>" + "&a" * 500_000, "<" * 1_000_000, "<x" + " a" * 500_000):
        began = time.thread_time()
        with pytest.raises(XmlRefused):
            read(text, named_entities=True)
        assert time.thread_time() - began < 8

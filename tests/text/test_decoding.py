"""Any bytes become text: evidence before declarations, declarations before guesses."""

import codecs
import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.text.decoding import decode, is_binary
from tests.sampling import each

_RUSSIAN = "Однажды, в студеную зимнюю пору, я из лесу вышел; был сильный мороз. Гляжу, поднимается медленно в гору."
_GERMAN = "Die Fähre über den großen See fährt täglich; für Kinder ist die Überfahrt kostenlos, für Erwachsene nicht."


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_mark_decides_and_is_no_part_of_the_text(mark: bytes, encoding: str) -> None:
    assert decode(mark + _RUSSIAN.encode(encoding)) == (_RUSSIAN, encoding, False)


def test_a_nul_makes_no_wide_text_of_ascii() -> None:
    text = 's:4:"name";s:5:"tides";' * 40 + "\0*\0"
    assert decode(text.encode()) == (text, "utf-8", False)


@each("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@each("text", [_GERMAN, _RUSSIAN, "a", "hi\r\n", "昨日は海へ行きました。\n"])
def test_wide_text_without_a_mark_is_known_by_its_nuls(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == (text, encoding, False)
    assert not is_binary(text.encode(encoding))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (_RUSSIAN, "cp1251"),
        (_RUSSIAN, "cp866"),
        (_RUSSIAN, "koi8-r"),
        (_RUSSIAN, "iso8859-5"),
        (_GERMAN, "cp1252"),
        ("Opłata za łódź wynosi 35 złotych, którą płaci się z góry.", "iso8859-2"),
        ("Poplatek za loď činí 35 korun a platí se předem u šífu.", "iso8859-2"),
        ("A kikötői díj 35 forint, az őrség reggel nyit.", "iso8859-2"),
        ("Pristojba za čamac iznosi 35 kuna, plaća se noću.", "iso8859-2"),
        ("Tekne ücreti günde 35 liradır, ödeme akşam yapılır.", "iso8859-9"),
        ("Maksa par laivu ir 35 lati naktī.", "cp1257"),
        ("Gjaldið fyrir bátinn er 35 krónur á nóttu, það er greitt.", "latin-1"),
        ("La taxe pour le bateau est de 35 francs, payée à l'entrée.", "cp850"),
        ("האגרה לסירה היא 35 שקלים ללילה.", "cp1255"),
        ("Плата за причал становить 35 гривень і її сплачують.", "koi8-u"),
        ("## können\n\nkönnen\n\näöüß\n", "latin-1"),
        ("Привет мир", "cp866"),
        ("東京", "shift_jis"),
        ("return; /* 東京 */", "shift_jis"),
        ("int main() { /* Árvíztűrő tükörfúrógép */ return 0; }", "cp1250"),
        ("Tous les êtres humains naissent libres et égaux en dignité et en droits.", "cp1252"),
        ("Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.", "cp1250"),
        ("すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。", "shift_jis"),
        ("すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。", "euc_jp"),
        ("人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。", "gb18030"),
        ("모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.", "euc_kr"),
        ("すべての人間は", "iso2022_jp"),
    ],
)
def test_legacy_encodings_are_guessed(text: str, encoding: str) -> None:
    found = decode(text.encode(encoding))
    assert found.text == text
    assert not found.lossy


@pytest.mark.parametrize(
    "head",
    [
        b'<meta charset="windows-1250">',
        b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">',
        b'<?xml version="1.0" encoding="windows-1250"?>',
        b"# -*- coding: cp1250 -*-",
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1250 :",
        b".. -*- coding: cp1250 -*-",
    ],
)
def test_a_declaration_inside_the_file_is_followed(head: bytes) -> None:
    assert decode(head + b"\nna\xefve \xb9\xea").text.endswith("\nnaďve ąę")


def test_a_declaration_from_outside_is_followed() -> None:
    assert decode("déjà".encode("cp850"), "cp850") == ("déjà", "cp850", False)


@pytest.mark.parametrize("declared", ["latin-1", "cp1251", "utf-16", "no-such-thing", "rot13", "zlib", "x" * 50, "\0"])
def test_a_misleading_declaration_loses_against_valid_utf8(declared: str) -> None:
    assert decode("größer".encode(), declared) == ("größer", "utf-8", False)
    decode(_RUSSIAN.encode("cp866"), declared)  # and never fails


def test_a_false_utf8_declaration_does_not_hide_the_real_encoding() -> None:
    raw = b'<meta charset="UTF-8"><p>' + ("في قرية من القرى كان هناك رجل حكيم يعرف كل شيء" * 3).encode("cp1256")
    assert "رجل حكيم" in decode(raw).text


def test_few_damaged_bytes_cost_only_themselves() -> None:
    text, encoding, lossy = decode(("größer " * 20).encode() + b"\xff" + "schön".encode())
    assert (encoding, lossy) == ("utf-8", True)
    assert text.endswith("\ufffdschön")


def test_newlines_are_kept_as_they_are() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


@given(st.binary())
def test_no_bytes_ever_fail(raw: bytes) -> None:
    text, encoding, lossy = decode(raw)
    assert codecs.lookup(encoding)
    text.encode()  # no lone surrogates
    if not lossy and not raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        assert len(text) <= len(raw)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_utf8_is_read_exactly(text: str) -> None:
    assert decode(("ä" + text).encode()).text == "ä" + text


def test_binary_is_told_from_text() -> None:
    assert is_binary(os.urandom(4096))
    assert is_binary(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert is_binary(b"\0" * 100)
    assert is_binary(b"K\0" + b"".join(bytes((0x4B, 0x21 + at % 90)) for at in range(900)))  # pickled numbers
    assert is_binary(b"\1" + bytes((3, 3, 14, 15, 3, 3, 16, 3)) * 90 + b"\0")
    for text in (
        b"",
        b"plain",
        "größer".encode("cp1252"),
        _RUSSIAN.encode("cp866"),
        b"\x1b[31mlog\x1b[0m\r\n",
        b"\xff\xfea\0",
    ):
        assert not is_binary(text)


@pytest.mark.parametrize(
    "unit", [b"<meta ", b"coding:", b"\xe9", b"\xe9\n", b"a\0", b"\xf8\xe8", b"<?xml encoding", b"\x1b$"]
)
def test_a_hostile_mebibyte_takes_no_time(unit: bytes) -> None:
    hostile = unit * ((1 << 20) // len(unit))
    began = time.thread_time()
    decode(hostile)
    assert time.thread_time() - began < 10

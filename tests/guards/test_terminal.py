"""What strangers wrote is shown, and does nothing to the terminal."""

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.guards import terminal
from biblicus.guards.terminal import escaped, safe


@pytest.mark.parametrize(
    "text",
    [
        "plain ASCII",
        "Fähre, Œuvre, straße",
        "مرحبا بالعالم",
        "می‌خواهم",  # Persian: zero-width non-joiner between letters
        "क्‍ष",  # Devanagari: zero-width joiner
        "日本語 中文 한국어 ไทย",
        "👨‍👩‍👧 ❤️ 🇩🇪 👍🏽",
        "e\u0301 combining",
        "soft\u00adhyphen",
    ],
)
def test_ordinary_text_in_any_script_stays_as_it_is(text: str) -> None:
    assert safe(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x9b31m", "<U+009B>31m"),
        ("a\rb\x08c\x7f\x00", "a␍b␈c␡␀"),
        ("evil\u202ecod.exe", "evil<U+202E>cod.exe"),
        ("a\u2066b\u200fc", "a<U+2066>b<U+200F>c"),
        ("pass\u200bword\ufeff", "pass<U+200B>word<U+FEFF>"),
        ("sin\u2061θ, 2\u2062x", "sinθ, 2x"),
        ("ab\u200dcd\u200cef", "ab<U+200D>cd<U+200C>ef"),
        ("a\u2028b\u2029c", "a<U+2028>b<U+2029>c"),
        ("\ud800", "<U+D800>"),
        ("\U000e0041", "<U+E0041>"),
        ("a\ufe0f\ufe0f", "a\ufe0f<U+FE0F>"),
        ("two\nlines\tand", "two␊lines␉and"),
    ],
)
def test_what_acts_or_hides_is_shown(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_line_feeds_and_tabs_can_be_kept() -> None:
    assert safe("a\n\tb\r\x1b", keep_newlines=True) == "a\n\tb␍␛"
    assert safe("one\r\ntwo\r", keep_newlines=True) == "one\r\ntwo␍"


def test_json_keeps_what_it_says_and_shows_it() -> None:
    document = json.dumps({"text": "pulls \u202etides\x7f \U000e0041 Fähre"}, ensure_ascii=False)
    assert escaped(document) == '{"text": "pulls \\u202etides\\u007f \\udb40\\udc41 Fähre"}'
    assert json.loads(escaped(document)) == json.loads(document)


@given(st.text(st.characters()))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = safe(text)
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) <= 0x9F or "\ud800" <= c <= "\udfff" for c in shown)
    assert not set(shown) & set(
        "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u2028\u2029"
    )
    assert safe(shown) == shown


@pytest.mark.parametrize("unit", ["é", "\u200d", "\x1b[", "\ufe0f", "👨\u200d"])
def test_a_hostile_text_takes_no_time(unit: str) -> None:
    hostile = unit * ((1 << 18) // len(unit))
    began = time.thread_time()
    safe(hostile)
    assert time.thread_time() - began < 8  # linear: about 0.2 s where every character is replaced


@pytest.mark.parametrize("beside", ["", "a…", "…›"])
def test_what_is_told_to_be_safe_without_the_pattern_is(beside: str) -> None:
    unsafe = re.compile(terminal._UNSAFE)
    passed = [char for char in map(chr, range(0x10000)) if safe(f"{beside}{char}") == f"{beside}{char}"]
    assert [char for char in passed if unsafe.search(f"{beside}{char}")] == []
    assert safe("… › …") == "… › …"

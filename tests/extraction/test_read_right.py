"""Texts whose bytes say something else than people read: overstrike, NULs, two encodings, front matter, series."""

import pytest

from biblicus.contracts import Given, MediaHint
from biblicus.extraction import json
from biblicus.extraction import text as plain
from biblicus.extraction.kit import front_matter
from biblicus.extraction.kit.texts import Options, decoded
from biblicus.extraction.outline import build
from biblicus.models.extraction import Extraction
from biblicus.text import media
from biblicus.text.decoding import decode, is_binary
from biblicus.text.latex_letters import with_letters
from biblicus.text.media.format_names import FORMAT_NAMES
from tests.extraction.office_files import extracted, text_of


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"H\bHA\bAR\bR", "HAR"),
        (b"_\bo_\bf no\b_te", "of note"),
        (b"B\bB\bB", "B"),
        (b"10\b5", "10\b5"),
        (b"\x1b[1mNAME\x1b[0m of \x1b[4;31mfile\x1b[K", "NAME of file"),
    ],
)
def test_overstruck_letters_are_read_once(raw: bytes, text: str) -> None:
    assert decoded(raw)[0] == text


def test_nuls_in_a_log_cost_no_words() -> None:
    raw = b"09:00 crane up\n\0\0\0\0\n09:05 limit switch jammed\n"
    assert not is_binary(raw)
    assert media.media_type("n.log", raw) == "text/plain"
    text, warnings = decoded(raw)
    assert "limit switch jammed" in text
    assert "\0" not in text
    assert warnings
    assert is_binary(b"\x01\0\0\0abc\0\0def\0\0ghi")


@pytest.mark.parametrize("other", ["latin-1", "cp1252"])
def test_lines_in_two_encodings_are_both_read(other: str) -> None:
    raw = "UTF-8: Gebühr für Möwen\n".encode() + "Alt: Gebühr für Fähren\n".encode(other)
    assert decode(raw).text == "UTF-8: Gebühr für Möwen\nAlt: Gebühr für Fähren\n"


@pytest.mark.parametrize(
    "text",
    [
        '+++\ntitle = "Tides"\ndate = 2026-03-02\ntags = ["moon"]\n+++\nThey rise.\n',
        '+++\ntitle = "Tides"\ndate = 2026-03-02\n[taxonomies]\ntags = ["moon"]\n+++\nThey rise.\n',
        '{\n  "title": "Tides",\n  "date": "2026-03-02",\n  "tags": ["moon"]\n}\n\nThey rise.\n',
    ],
)
def test_front_matter_in_toml_and_json_is_read(text: str) -> None:
    found = front_matter.read(text)
    wanted = {"title": "Tides", "date": "2026-03-02", "tags": ["moon"]}
    assert {key: found.metadata[key] for key in wanted} == wanted
    assert text[found.masked[0].end :].strip() == "They rise."


@pytest.mark.parametrize(
    ("name", "body", "shown"),
    [
        ("html", "<!DOCTYPE html><p>They rise.</p>", "They rise.\n"),
        ("asciidoc", "= Ebb\n\nThey rise.\n", "# Ebb\n\nThey rise.\n"),
        ("rst", "Ebb\n===\n\nThey rise.\n", "Ebb\n===\n\nThey rise.\n"),
    ],
)
def test_front_matter_of_other_markup_is_read_and_lines_stay(name: str, body: str, shown: str) -> None:
    front = "---\ntitle: Tides\ntags: [moon]\n---\n"
    found = extracted(name, (front + body).encode())
    assert isinstance(found, Extraction)
    assert found.metadata == {"title": "Tides", "tags": ["moon"]}
    assert found.text.removeprefix(front).lstrip(" \n") == shown
    assert name == "html" or found.text.count("\n") == (front + body).count("\n")


@pytest.mark.parametrize("name", ["html", "asciidoc", "rst", "org", "wiki", "markdown"])
@pytest.mark.parametrize("front", ["---\ntitle: Pay\nreaders: [ben\n---\n", "---\nreaders: [ben]\n"])
def test_readers_in_front_matter_that_cannot_be_read_are_unreadable(name: str, front: str) -> None:
    found = extracted(name, f"{front}<title>Pay</title><meta name=author content=Ada>They rise.\n".encode())
    assert isinstance(found, Extraction)
    assert found.metadata["readers"] is None


def test_an_object_that_is_the_whole_text_is_no_front_matter() -> None:
    assert front_matter.read('{\n"title": "x"\n}\n').masked == ()
    assert front_matter.read('{\n"port": 1\n}\ntext\n').masked == ()


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"Stra{\ss}e", "Straße"),
        (r"Geb\"uhr", "Gebühr"),
        (r"na\"{\i}ve", "naïve"),
        (r"\o re", "øre"),
        (r"\lor", r"\lor"),
        (r"Hafen\-geb\"uhr", "Hafengebühr"),
    ],
)
def test_letters_of_latex(written: str, shown: str) -> None:
    assert with_letters(written) == shown


@pytest.mark.parametrize(
    ("name", "raw", "shown"),
    [
        ("a.json", rb'{"a": "Geb\u00fchr \u2693\n\ud83d\ude80"}', '{"a": "Gebühr ⚓\\n🚀"}'),
        ("a.jsonl", rb'{"a": "\u0022 \\u00fc \u00ad \ud83d"}', r'{"a": "\u0022 \\u00fc \u00ad \ud83d"}'),
        ("a.properties", rb"a=Gr\u00f6\u00dfe", "a=Größe"),
        ("a.tex", rb"Die Geb\"uhr f\"ur \L{}\'od\'z", "Die Gebühr für Łódź"),
    ],
)
def test_escaped_letters_are_shown(name: str, raw: bytes, shown: str) -> None:
    kind = media.media_type(name, raw)
    extractor = {"a.json": json.build, "a.tex": build}.get(name, plain.build)(Options(), Given())
    outcome = extractor.extract(raw, MediaHint(name, kind))
    assert isinstance(outcome, Extraction)
    assert outcome.text == shown


def test_a_title_of_latex_has_its_letters() -> None:
    outcome = build(Options(), Given()).extract(
        rb"\title{Stra{\ss}en und Geb\"uhren}", MediaHint("a.tex", "text/x-tex")
    )
    assert isinstance(outcome, Extraction)
    assert outcome.title == "Straßen und Gebühren"


def test_a_series_says_what_it_leaves_out_and_what_stands_instead() -> None:
    event = "BEGIN:VEVENT\nSUMMARY:Watch\nDTSTART:{}\n{}END:VEVENT\n"
    series = event.format("20260302T090000", "RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE:20260309T090000,20260323T090000\n")
    moved = event.format("20260316T140000", "RECURRENCE-ID:20260316T090000\n")
    text = text_of("icalendar", f"BEGIN:VCALENDAR\n{series}{moved}END:VCALENDAR\n".encode())
    assert "Not on: 2026-03-09 09:00, 2026-03-23 09:00" in text
    assert "Instead of: 2026-03-16 09:00" in text


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.pages", b"PK\x03\x04\x14\0\0\0Index/Document.iwa", "application/vnd.apple.pages"),
        ("a.hwp", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "application/x-hwp"),
        ("a.hwpx", b"PK\x03\x04\x14\0\0\0mimetype", "application/x-hwp"),
        ("a.wpd", b"\xffWPC\x10\0\0\0", "application/vnd.wordperfect"),
        ("id.pub", b"ssh-ed25519 AAAA ada\n", "text/plain"),
        ("key.key", b"-----BEGIN KEY-----\n", "text/plain"),
    ],
)
def test_formats_that_are_not_read_have_names(name: str, head: bytes, kind: str) -> None:
    assert media.media_type(name, head) == kind
    assert kind == "text/plain" or kind in FORMAT_NAMES

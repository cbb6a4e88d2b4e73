"""Mail as it really comes: charsets that lie, headers that are broken, parts in parts."""

from __future__ import annotations

import pytest

from biblicus import plugins
from biblicus.contracts import Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction


def read(raw: bytes, media_type: str = "message/rfc822") -> Extraction | NoExtraction:
    module = plugins.find("extraction", "mail")
    outcome = module.build(module.Options(), Given()).extract(raw, MediaHint("a.eml", media_type))
    assert isinstance(outcome, Extraction | NoExtraction)
    return outcome


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"Subject: =?utf-8?q?Gro=C3=9Fe_?=\n =?iso-8859-1?q?Fl=FCsse?=\n\nx", "Große Flüsse"),
        (b"Subject: =?nonsense?q?a?=\n\nx", "=?nonsense?q?a?="),
        (b"Subject: =?utf-8?b?////?=\n\nx", "x"),
        ("Subject: Größe\n\nx".encode(), "Größe"),
        (b"Content-Type: text/plain; charset=nonsense\n\n" + "größe".encode(), "größe"),
        (b"Content-Type: text/plain; charset=utf-8\n\ngr\xf6\xdfe ist die Frage", "größe ist die Frage"),
        (b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nZ3Jvw59l\n", "große"),
        ("\ufeffSubject: moon\n\nx".encode("utf-16"), "moon"),
        (b"Content-Type: multipart/mixed\n\nno boundary at all", "no boundary at all"),
        (b"Content-Type: message/rfc822\n\nSubject: inner\n\ntides", "Attached message:"),
        (b"Content-Type: text/html\n\n<p>The <b>moon</b></p><script>x</script>", "The moon"),
    ],
)
def test_words_are_found_whatever_a_message_says_of_itself(raw: bytes, words: str) -> None:
    outcome = read(raw)
    assert isinstance(outcome, Extraction), outcome
    assert words in outcome.text


def test_of_alternatives_an_empty_plain_one_is_none() -> None:
    parts = b"--y\nContent-Type: text/plain\n\n \n--y\nContent-Type: text/html\n\n<p>moon</p>\n--y--\n"
    outcome = read(b"Content-Type: multipart/alternative; boundary=y\n\n" + parts)
    assert isinstance(outcome, Extraction)
    assert "moon" in outcome.text


def test_messages_nested_without_end_are_read_to_a_depth() -> None:
    raw = b"x"
    for _ in range(60):
        raw = b"Content-Type: message/rfc822\nSubject: s\n\n" + raw
    outcome = read(raw)
    assert isinstance(outcome, Extraction)
    assert outcome.text.count("Attached message:") <= 9


def test_what_is_no_mailbox_is_a_failure_with_a_reason() -> None:
    with pytest.raises(ExtractionFailed, match="From line"):
        read(b"Dear all,\n", "application/mbox")


def test_a_message_of_nothing_is_empty() -> None:
    assert isinstance(read(b"\n\n"), NoExtraction)

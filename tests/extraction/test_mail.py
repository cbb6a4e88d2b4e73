"""Mail as it really comes: charsets that lie, headers that are broken, parts in parts."""

from functools import partial

import pytest

from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction
from tests.extraction.reading import outcome_of

read = partial(outcome_of, "mail")


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


def test_a_plain_part_that_only_says_that_there_is_a_page_gives_way() -> None:
    page = b"<style>b {}</style><p>" + b"The moon pulls the tide twice a day, and boats wait for it. " * 6 + b"</p>"
    for plain, words in ((b"Please see the page: https://a.example/b/c", "pulls"), (b"It is high. " * 20, "high")):
        parts = b"--y\nContent-Type: text/plain\n\n%s\n--y\nContent-Type: text/html\n\n%s\n--y--\n" % (plain, page)
        outcome = read(b"Content-Type: multipart/alternative; boundary=y\n\n" + parts)
        assert isinstance(outcome, Extraction)
        assert words in outcome.text
        assert "see the page" not in outcome.text


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([("plain", "See the page."), ("html", "<p>ebb</p>" * 50), ("x-amp-html", "<b>amp</b>")], "ebb"),
        ([("html", "<p>ebb</p>"), ("x-picture", "dots")], "ebb"),
        ([("plain", " "), ("calendar", "BEGIN:VCALENDAR")], ""),
        ([("plain", "ebb"), ("html", "<!--" + "- flow" * 50), ("html", "<style>" + "flow " * 50)], "ebb"),
    ],
)
def test_the_alternative_that_holds_the_page_is_read(parts: list[tuple[str, str]], words: str) -> None:
    inner = "".join(f"--y\nContent-Type: text/{kind}\n\n{text}\n" for kind, text in parts)
    outcome = read(f"Subject: Log\nContent-Type: multipart/alternative; boundary=y\n\n{inner}--y--\n".encode())
    assert isinstance(outcome, Extraction)
    assert set(outcome.text.split()) == {"Log", *words.split()}


def test_messages_nested_without_end_are_read_to_a_depth() -> None:
    raw = b"x"
    for _ in range(60):
        raw = b"Content-Type: message/rfc822\nSubject: s\n\n" + raw
    outcome = read(raw)
    assert isinstance(outcome, Extraction)
    assert outcome.text.count("Attached message:") <= 9


def test_a_mailbox_of_one_message_may_say_nothing_but_its_type() -> None:
    outcome = read(b'Content-Type: text/plain; charset="us-ascii"\n\nWe sailed.\n', "application/mbox")
    assert isinstance(outcome, Extraction)
    assert "We sailed." in outcome.text


def test_what_is_no_mailbox_is_a_failure_with_a_reason() -> None:
    with pytest.raises(ExtractionFailed, match="From line"):
        read(b"Dear all,\n", "application/mbox")


@pytest.mark.parametrize("headers", [b"Version: 1\nLayer: sea\n", b"Subject: Ebb\n", b"X: 1\nY: 2\n\nSubject: Ebb\n"])
def test_what_has_other_fields_than_a_message_is_no_mailbox(headers: bytes) -> None:
    with pytest.raises(ExtractionFailed, match="From line"):
        read(headers + b"\nAll that is told.\n", "application/mbox")


@pytest.mark.parametrize(
    "headers",
    [
        b"from: Ada\nsubject: Ebb\n",
        b"X-Mailer: a\n b\nX-Seen: 1\nFrom: Ada\nSubject: Ebb\n",
        b"Content-Type: text/plain\nSubject: Ebb\n",
        b"Return-Path: <a@example.org>\nContent-Type: text/plain\nSubject: Ebb\n",
    ],
)
def test_a_mailbox_of_one_message_may_tell_from_where_one_came(headers: bytes) -> None:
    outcome = read(headers + b"\nWe sailed.\n\nFrom the harbour we saw her.\n\nIt rained.\n", "application/mbox")
    assert isinstance(outcome, Extraction)
    assert outcome.title == "Ebb"
    assert "From the harbour we saw her." in outcome.text


def test_of_a_mailbox_without_its_first_line_no_message_is_lost_silently() -> None:
    with pytest.raises(ExtractionFailed, match="From line"):
        read(b"From: Ada\nTo: Bo\n\nx\n\nFrom a@b Mon Jan  1 00:00:00 2024\nFrom: Cy\n\ny\n", "application/mbox")


@pytest.mark.parametrize("media_type", ["message/rfc822", "application/mbox"])
def test_a_message_of_nothing_is_empty(media_type: str) -> None:
    assert isinstance(read(b"\n\n", media_type), NoExtraction)


DIGEST = b"""Subject: Digest 4

Today's Topics:

----------------------------------------------------------------------

Message: 1
Date: Wed, 3 Apr 2024 09:00:00 -0500
From: Walt Romero <walt@example.org>
Subject: Fenders
%s

------------------------------

End of Digest
"""


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (b"Content-Type: multipart/mixed; boundary=z\n\n--z\n\nFenders of cork last.\n--z--", "Fenders of cork last."),
        (b"Content-Transfer-Encoding: base64\n\nRmVuZGVycyBvZiBjb3JrIGxhc3Qu", "Fenders of cork last."),
        (b"Content-Transfer-Encoding: quoted-printable\n\nFenders of c=6Frk=\n last.", "Fenders of cork last."),
        ("Content-Type: text/plain; charset=iso-8859-1\n\nGröße, 大きさ".encode(), "Größe, 大きさ"),
        (b"Content-Type: multipart/mixed\n\nFenders of cork last.", "Fenders of cork last."),
    ],
)
def test_messages_in_a_digest_are_decoded_as_all_others(message: bytes, words: str) -> None:
    outcome = read(DIGEST % message)
    assert isinstance(outcome, Extraction)
    assert words in outcome.text
    assert "object at 0x" not in outcome.text
    assert [spot.name for spot in outcome.spots][:2] == ["", "1. Fenders"]


FORWARDED = {
    "Gmail": "---------- Forwarded message ---------\nFrom: Olga\nDate: Monday\n\n",
    "Outlook": "From: Olga\nSent: Monday\nTo: Ned\nSubject: Buoys\n\n",
    "Outlook's line": "________________________________\nFrom: Olga\nSent: Monday\nTo: Ned\nSubject: Buoys\n\n",
    "Outlook in German": "Von: Olga\nGesendet: Montag\nAn: Ned\nBetreff: Bojen\n\n",
}


@pytest.mark.parametrize("how", FORWARDED)
def test_what_is_passed_on_is_a_place_of_its_own(how: str) -> None:
    raw = f"From: Ned\nSubject: WG: Buoys\n\nSee below.\n\n{FORWARDED[how]}The buoys are red.\n"
    outcome = read(raw.encode())
    assert isinstance(outcome, Extraction)
    assert [spot.name for spot in outcome.spots] == ["", "forwarded"]
    at = outcome.spots[1].offset
    assert outcome.text[:at].rstrip().endswith("See below.")
    assert "forwarded message" in outcome.text[at:].lower()
    assert "The buoys are red." in outcome.text[at:]


def test_behind_what_is_passed_on_nothing_is_the_senders() -> None:
    parts = b"--y\n\n" + FORWARDED["Gmail"].encode() + b"Red.\n--y\n\nThe buoys are ours.\n--y--\n"
    outcome = read(b"From: Ned\nSubject: Fwd: x\nContent-Type: multipart/mixed; boundary=y\n\n" + parts)
    assert isinstance(outcome, Extraction)
    assert [spot.name for spot in outcome.spots] == ["", "forwarded"]


def test_behind_what_an_attached_message_quotes_the_rest_is_of_it() -> None:
    inner = b"--y\n\nYes.\n\n> When?\n--y\n\nAt noon.\n--y--\n"
    head = b"Subject: s\nContent-Type: multipart/mixed; boundary=y\n\n"
    outcome = read(b"Content-Type: message/rfc822\nSubject: o\n\n" + head + inner)
    assert isinstance(outcome, Extraction)
    assert [spot.name for spot in outcome.spots] == ["", "1. s", "quoted", "1. s"]


def test_quotes_behind_bars_are_marked_as_all_others() -> None:
    outcome = read(b"Subject: s\n\nRita wrote:\n\n| The buoys are red.\n|\n| Two.\n\n| a | b |\n\nYes.\n\n| alone\n")
    assert isinstance(outcome, Extraction)
    assert "Rita wrote:\n\n> The buoys are red.\n>\n> Two.\n" in outcome.text
    assert "| alone" in outcome.text

"""What a message says, and what it quotes: as mail programs write it."""

import pytest

from biblicus.text import replies

ENDS_WITH_QUOTES = {
    "marks": ("Yes.\n\n", "On Mon, 6 May 2024 at 09:12, Ada <a@example.org>\nwrote:\n> When?\n>\n> Ada\n"),
    "right below": ("Yes.\n", "Ada Stone wrote:\n> When?\n"),
    "German": ("Ja.\n\n", "Am Mo., 6. Mai 2024 um 10:00 Uhr schrieb Ada <a@example.org>:\n\n> Wann?\n"),
    "nobody named": ("Yes.\n\n", "> When?\n"),
    "a list's footer": ("Yes.\n\n", "Ada wrote:\n> When?\n\n____________________________\nbikes mailing list\n"),
    "Outlook": ("Yes.\n\n", "-----Original Message-----\nFrom: Ada\nSent: Monday\n\nWhen?\n"),
    "Outlook's line": (
        "Yes.\n\n",
        "________________________________\nFrom: Ada\nSent: Monday\nTo: Bob\nSubject: x\n\nWhen?\n",
    ),
    "Outlook in German": ("Ja.\n\n", "Von: Ada\nGesendet: Montag\nAn: Bob\nBetreff: x\n\nWann?\n"),
}


@pytest.mark.parametrize("how", ENDS_WITH_QUOTES)
def test_what_is_quoted_at_the_end(how: str) -> None:
    says, quotes = ENDS_WITH_QUOTES[how]
    at = replies.quoted_from(says + quotes)
    assert at is not None
    assert (says + quotes)[at:].lstrip("\n") == quotes
    assert replies.is_quoted(quotes)
    assert not replies.is_quoted(says)


@pytest.mark.parametrize(
    ("body", "subject"),
    [
        ("Ada wrote:\n> When?\n\nOn Tuesday.\n", "Re: x"),
        ("> When?\n\nOn Tuesday.\n\n> Where?\n\nHere.\n", "Re: x"),
        ("See below.\n\n-----Original Message-----\nFrom: Ada\nSent: Monday\n\nThe plan.\n", "FW: x"),
        ("See below.\n\nBegin forwarded message:\n\n> From: Ada\n> The plan.\n", "x"),
        ("> only this\n", "Re: x"),
        ("From: Ada\nSent: Monday\nTo: Bob\nSubject: x\n\nA letter kept as text.\n", ""),
        ("-----\n\nFrom: Ada\nSent: Monday\nTo: Bob\n", ""),
        ("", ""),
    ],
)
def test_what_is_not_only_quoted(body: str, subject: str) -> None:
    assert replies.quoted_from(body, subject) is None


@pytest.mark.parametrize(
    "words",
    ["Hi Ada,", "Dear all,", "Sehr geehrte Frau Raman,", "Jonas,", "Best regards Bob Reed", "Best, Tom", "-keith",
     "Mit freundlichen Grüßen Helen Voss", "Sent from my iPhone", "Thanks!"],
)  # fmt: skip
def test_what_says_nothing(words: str) -> None:
    assert replies.says_nothing(words)


@pytest.mark.parametrize(
    "words",
    ["PostgreSQL 16.2, on Debian 12.", "Yes.", "I do, on Friday.", "Hi Ada, the crane is broken.", "Definitely.",
     "Best before 2026.", "Dear me, the mast fell.", "Lanolin, twice a year."],
)  # fmt: skip
def test_what_says_something(words: str) -> None:
    assert not replies.says_nothing(words)


@pytest.mark.parametrize(
    "forward",
    ["---------- Forwarded message ----------\nRed.\n", "-----Original Message-----\nFrom: Ada\n\nRed.\n",
     "From: Ada\nSent: Monday\nTo: Bob\nSubject: x\n\nRed.\n", "Begin forwarded message:\n\n> From: Ada\n> Red.\n"],
)  # fmt: skip
def test_where_a_message_passes_another_on(forward: str) -> None:
    head, says = "From: Ned\nTo: Olga\nDate: Monday\n\n", "See below.\n"
    assert replies.passed_on(head + says + forward, len("From: Ned")) == len(head + says)
    assert replies.passed_on(forward) == 0


def test_what_is_quoted_passes_nothing_on() -> None:
    text = "> Begin forwarded message:\n> Red.\n\nNo, green.\n"
    assert replies.passed_on(text) == len(text)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Rita wrote:\n\n| Red.\n|\n| | Two?\n\nYes.\n", "Rita wrote:\n\n> Red.\n>\n> > Two?\n\nYes.\n"),
        ("Rita wrote:\n| day | hour |\n", "Rita wrote:\n| day | hour |\n"),
        ("A box:\n| Red.\n", "A box:\n| Red.\n"),
    ],
)
def test_bars_below_a_line_that_says_whose_it_is_mark_quotes(text: str, marked: str) -> None:
    assert replies.with_quotes_marked(text) == marked

"""Titles in the middle of a line, below a head in two columns or by themselves."""

from biblicus.extraction.text import _centred_title
from tests.sampling import each

HEAD = """

Harbour Working Group                                          A. Vik, Ed.
Memo for Comments: 9                                             Quay Inc.
Updates: 2, 3,                                                      B. Roe
         4
Category: Best Practice                                          June 1991

"""
BODY = "\n\nStatus of this memo\n\n   It is meant for all that sail, in fog and else, by day and by night.\n"


def middle(*lines: str, width: int = 72) -> str:
    return "\n".join(line.center(width).rstrip() for line in lines)


@each(
    ("text", "title"),
    [
        (HEAD + middle("Signals for Ships in Fog") + BODY, "Signals for Ships in Fog"),
        ("\ufeff" + HEAD + middle("Signals for Ships", "(Part Two)") + BODY, "Signals for Ships (Part Two)"),
        (HEAD + middle("FOG", "", "A PROGRAM OF THE HARBOUR") + BODY, "FOG"),
        (HEAD + "   It begins at once, without a title.\n", None),
        (HEAD, None),
        (middle("RULES OF THE QUAY", "Version 2, June 1991") + BODY, "RULES OF THE QUAY"),
        (middle("-----") + BODY, None),
        ("The harbour.\n\n" + middle("Signals for Ships in Fog") + BODY, None),
        ("one                  two\n\n" + middle("Signals for Ships in Fog") + BODY, None),
        (middle("A poem", width=30) + "\n\nof short\nlines\n", None),
        (middle("QUAY COMPANY", "14 Quay Street") + "\n\nDear Ms Vik,\n" + BODY, None),
        (middle("FADE IN:") + BODY, None),
        ("TO:      All\nFROM:    A. Vik\n\n" + "The crane is closed until spring as ".ljust(70, "x"), None),
        (middle("SIGNALS") + "\f\n" + BODY, "SIGNALS"),
        ("", None),
    ],
)
def test_the_title_in_the_middle(text: str, title: str | None) -> None:
    assert _centred_title(text) == title

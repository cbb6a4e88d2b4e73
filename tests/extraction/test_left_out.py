"""What is left out of a document because there is more of it than is read: it is told."""

import pytest

from biblicus.models.extraction import Extraction
from tests.extraction.office_files import extracted, opendocument, said, text_of, word

_DEEP = ("<section>" * 70 + "{}" + "</section>" * 70).format


@pytest.mark.parametrize(
    ("name", "raw", "warning", "kept"),
    [
        (
            "odf",
            opendocument(f"<spreadsheet><table name='Q'><table-row><table-cell><p>{'x' * 40_000}</p></table-cell>"
                         "</table-row></table></spreadsheet>"),
            "cells of more than 32,767 characters", "x" * 32_767,
        ),
        (
            "odf",
            opendocument("<spreadsheet><table name='Q'><table-row><table-cell number-columns-repeated='17000'/>"
                         "<table-cell><p>far</p></table-cell></table-row><table-row><table-cell><p>near</p></table-cell>"
                         "</table-row></table></spreadsheet>"),
            "columns beyond XFD", "near",
        ),
        (
            "odf",
            opendocument("<text><table><table-row number-rows-repeated='1001'><table-cell><p>same</p></table-cell>"
                         "</table-row></table></text>"),
            "repeated at most 1,000 times", "same\n" * 999 + "same",
        ),
        (
            "odf",
            opendocument("<text><table><table-row><table-cell number-columns-repeated='1001'><p>x</p></table-cell>"
                         "</table-row></table></text>"),
            "repeated at most 1,000 times", " | ".join("x" * 1_000),
        ),
        ("odf", opendocument(f"<text><p>near</p>{_DEEP('<p>far</p>')}</text>"), "deeper than 60", "near"),
        ("docx", word(said("near") + _DEEP(said("far"))), "deeper than 60", "near"),
        (
            "mail",
            b"Subject: near\nContent-Type: message/rfc822\n\n" * 10 + b"Subject: far\n\nfar\n",
            "deeper than 8", "near",
        ),
    ],
    ids=["cell", "column", "rows", "cells", "deep odf", "deep docx", "deep mail"],
)  # fmt: skip
def test_what_is_left_out_is_told(name: str, raw: bytes, warning: str, kept: str) -> None:
    outcome = extracted(name, raw)
    assert isinstance(outcome, Extraction)
    assert warning in " ".join(outcome.warnings)
    assert kept in outcome.text
    assert "far" not in outcome.text


def test_a_long_heading_and_a_long_list_of_people_keep_their_words() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    level = f'<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>'
    assert text_of("docx", word(level)) == f"{words}\n"
    people = ", ".join(f"ada{number}@example.org" for number in range(300))
    assert f"To: {people}" in text_of("mail", f"To: {people}\n\nx\n".encode())

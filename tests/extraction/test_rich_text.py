"""Rich text: what belongs to the body, what stands beside it, and what are headings."""

import pytest

from biblicus.models.extraction import Extraction
from tests.extraction.office_files import extracted, text_of

_STYLES = (
    r"{\stylesheet{\s0 Normal;}{\s1\sbasedon0 heading 1;}{\s2\outlinelevel1 Own;}{\*\cs9 heading 2;}"
    r"{\s3{\*\keycode x}Title;}{\s4{\b heading} 3;}}"
)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"One{\*\unknown\pard\par\intbl x\cell\row\line} two\par", "One two"),
        (r"{\fonttbl{\f0\par Arial;}}One{\pict\par 00ff} two\par", "One two"),
        (r"One{\info{\title T}{\subject\outlinelevel0\intbl s}} two\par three", "One two\n\nthree"),
        (r"One{\object{\u8364?}} two\par", "One two"),
        (
            r"{\header The harbour\par}{\footerf\pard 2\par}Body\par{\header The harbour\par}",
            "Body\n\nHeader: The harbour",
        ),
        (r"Body{\footer Left open\par", "Body\n\nFooter: Left open"),
        (r"Tides{\footnote by the\par moon} rise\par", "Tides [1] rise\n\nFootnote [1]: by the moon"),
        (
            r"A{\*\atnid AB}{\*\atnauthor Ada}{\*\annotation really?} B\par",
            "A B\n\nComment by Ada: really?",
        ),
        (
            r"Before{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt\pard boxed\par}}{\shprslt boxed}} after\par",
            "Before after\n\nboxed",
        ),
        (r"new {\deleted old}{\deleted gone \plain}text\par", "new text"),
        (r"\trowd\intbl {\pard\intbl a\u-10179?\u-8704?\cell}{\pard\intbl b{\footnote n}\cell\row}\pard c", None),
    ],
)
def test_rich_text_keeps_apart_what_is_no_part_of_the_body(body: str, text: str | None) -> None:
    expected = "a😀 | b [1]\n\nc\n\nFootnote [1]: n" if text is None else text
    assert text_of("rtf", rf"{{\rtf1\ansi {body}}}".encode()).strip() == expected


@pytest.mark.parametrize(
    ("body", "headings"),
    [
        (_STYLES + r"\pard\s1 Tides\par\pard\s0 Body\par", [(1, "Tides")]),
        (_STYLES + r"\pard\s2 Tides\par\pard\s3 Whole\par\pard\s9 Body\par", [(2, "Tides"), (1, "Whole")]),
        (_STYLES + r"\pard\s1\outlinelevel9 Body\par", []),
        (_STYLES + r"\pard\s4 Ebb\par", [(3, "Ebb")]),
        (r"{\pard\outlinelevel0 Tides\par}Body\par", [(1, "Tides")]),
        (r"\pard\outlinelevel0 Tides\par\pard Body\par", [(1, "Tides")]),
        (r"{\footnote\pard\s1\outlinelevel0 n}\pard Body\par", []),
    ],
)
def test_rich_text_has_headings_by_its_styles_and_levels(body: str, headings: list[tuple[int, str]]) -> None:
    outcome = extracted("rtf", rf"{{\rtf1\ansi {body}}}".encode())
    assert isinstance(outcome, Extraction)
    assert [(heading.level, heading.title) for heading in outcome.headings if heading.title] == headings

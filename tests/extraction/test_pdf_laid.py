"""Texts of PDFs by where their characters stand: columns, raised digits, hyphens, stamps."""

import io
import time

import pypdf
import pytest
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, StreamObject

from biblicus.extraction.pdf.pdfium import resolved
from biblicus.extraction.pdf.words import BROKEN
from tests.extraction.pdf_files import drawn, text_of, written

LEFT = ("The harbour office is on the north", "quay and opens at nine. The har-", "bour master keeps all the keys")
RIGHT = ("The south mole carries a red lamp", "and the north mole a green one.", "Both are lit from dusk to dawn")


def side_by_side(left: tuple[str, ...], right: tuple[str, ...], gap: int = 260) -> bytes:
    lines = (
        f"1 0 0 1 60 {700 - 14 * number} Tm ({a}) Tj 1 0 0 1 {60 + gap} {700 - 14 * number} Tm ({b}) Tj"
        for number, (a, b) in enumerate(zip(left, right, strict=True))
    )
    return drawn(f"BT /F1 10 Tf {' '.join(lines)} ET")


def test_columns_whose_lines_are_drawn_across_the_gutter_are_read_one_after_the_other() -> None:
    text = text_of(side_by_side(LEFT, RIGHT)).text
    assert text == (
        "The harbour office is on the north\nquay and opens at nine. The harbour master keeps all the keys\n"
        + "\n".join(RIGHT)
        + "\n"
    )


def test_three_columns_are_read_one_after_the_other() -> None:
    columns = (LEFT[::2], RIGHT[:2], RIGHT[1:])
    lines = (
        f"1 0 0 1 {20 + 190 * column} {700 - 14 * number} Tm ({words}) Tj"
        for number in range(6)
        for column, side in enumerate(columns)
        for words in (side[number % 2],)
    )
    text = text_of(drawn(f"BT /F1 10 Tf {' '.join(lines)} ET")).text
    assert text.split("\n")[:-1] == [line for side in columns for line in side * 3]


def test_a_table_is_no_columns_of_prose() -> None:
    text = text_of(side_by_side(("Boat", "Gull", "Tern"), ("Fee", "35", "42"))).text
    assert text == "Boat | Fee\nBoat: Gull | Fee: 35\nBoat: Tern | Fee: 42\n"


@pytest.mark.parametrize(
    ("upper", "lower", "bar", "shown"),
    [
        ("12", "25", "111 703 11 .5 re f", "Take 12/25 of it"),
        ("a", "b", "111 703 m 117 703 l S", "Take a/b of it"),
        ("12", "25", "", "Take 12\n25 of it"),
        ("12", "25", "60 703 200 .5 re f", "Take 12\n25 of it"),
        ("12", "25", "111 690 11 .5 re f", "Take 12\n25 of it"),
    ],
    ids=["a fraction", "a drawn line", "no rule", "a rule of a table", "a rule below"],
)
def test_numbers_above_and_below_a_short_rule_are_a_fraction(upper: str, lower: str, bar: str, shown: str) -> None:
    page = f"(Take) Tj /F1 7 Tf 1 0 0 1 112 705 Tm ({upper}) Tj 1 0 0 1 112 697 Tm ({lower}) Tj /F1 10 Tf "
    page = f"{bar} BT /F1 10 Tf 1 0 0 1 80 700 Tm {page} 1 0 0 1 130 700 Tm (of it) Tj ET"
    assert text_of(drawn(page)).text.strip() == shown


@pytest.mark.parametrize(
    ("upper", "lower", "bar"),
    [
        ("60 700 Tm (Tea)", "60 686 Tm (Milk)", "60 698.5 21 1 re"),
        ("200 700 Tm (on)", "60 686 Tm (It)", "62 695 148 1 re"),
    ],
    ids=["an underline", "a rule between two lines"],
)
def test_words_above_and_below_a_rule_are_no_fraction(upper: str, lower: str, bar: str) -> None:
    page = drawn(f"{bar} f BT /F1 12 Tf 1 0 0 1 {upper} Tj 1 0 0 1 {lower} Tj ET")
    assert "/" not in text_of(page).text


@pytest.mark.parametrize(
    ("digits", "size", "rise", "shown"),
    [
        ("6", 7, 5, "10⁶ litres"),
        ("6", 7, -2, "10₆ litres"),
        ("6", 12, 0, "106 litres"),
        ("6", 7, 0, "106 litres"),
        ("6²", 7, 5, "10⁶² litres"),
        ("6", 12, 5, "10⁶ litres"),
        ("(6)", 7, 5, "10⁽⁶⁾ litres"),
    ],
)
def test_small_digits_above_or_below_the_line_are_no_digits_of_the_number(
    digits: str, size: int, rise: int, shown: str
) -> None:
    operators = f"BT /F1 12 Tf 60 700 Td (10) Tj /F1 {size} Tf {rise} Ts ({digits}) Tj /F1 12 Tf 0 Ts ( litres) Tj ET"
    latin = drawn(operators).replace(b"/BaseFont", b"/Encoding /WinAnsiEncoding /BaseFont")
    assert text_of(latin).text == f"{shown}\n"


def _small(left: int, line: int) -> str:
    return f"7 0 0 7 {left} {line} Tm"


@pytest.mark.parametrize(
    ("operators", "shown"),
    [
        (f"(gets) Tj {_small(90, 704)} (1) Tj 12 0 0 12 94 700 Tm (/) Tj {_small(97, 698)} (2) Tj", "gets 1/2"),
        ("(Q) Tj 7 0 0 7 70 704 Tm (2) Tj 7 0 0 7 70 698 Tm (13) Tj", "Q²₁₃"),
        ("(SO) Tj 7 0 0 7 77 698 Tm (4) Tj 7 0 0 7 81 704 Tm (2-) Tj 12 0 0 12 91 700 Tm (ions) Tj", "SO₄²⁻ ions"),
        (f"(over T) Tj {_small(94, 704)} (1/4) Tj", "over T¹/⁴"),
        ("(rises to the) Tj 0 1 -1 0 300 690 Tm (0.5) Tj", "rises to the\n0.5"),
        ("(a lake of) Tj 12 0 0 12 60 686 Tm (100) Tj 7 0 0 7 80.1 690 Tm (2) Tj", "a lake of\n100²"),
        (f"(n) Tj {_small(67, 698)} (1) Tj 12 0 0 12 71 700 Tm (+1) Tj", "n₁+1"),
        (f"(a) Tj {_small(67, 704)} (2) Tj 12 0 0 12 72 700 Tm (x) Tj {_small(79, 696)} (0) Tj", "a²x₀"),
        (f"(not.) Tj {_small(81, 691)} (9) Tj 12 0 0 12 85 687 Tm (This) Tj", "not.\n9This"),
    ],
)
def test_scripts_and_small_fractions_are_read_by_their_baselines(operators: str, shown: str) -> None:
    assert text_of(drawn(f"BT /F1 1 Tf 12 0 0 12 60 700 Tm {operators} ET")).text == f"{shown}\n"


def test_no_letter_is_lost_behind_a_hyphen_at_the_end_of_a_column() -> None:
    right = ("The south mole carries a self-", "made lamp and the north a green", "one. Both are lit until daybreak")
    text = text_of(side_by_side(LEFT * 2, right * 2)).text
    assert text.endswith("all the keys\n" + 2 * f"{right[0][:-1]}{right[1]}\n{right[2]}\n")


def _mapped(raw: bytes, codes: str) -> bytes:
    """The document with other characters for codes of its font."""
    mapping = StreamObject()
    count = codes.count("<") // 2
    mapping.set_data(
        f"1 begincodespacerange <00> <FF> endcodespacerange {count} beginbfchar {codes} endbfchar".encode()
    )
    writer = pypdf.PdfWriter(io.BytesIO(raw))
    fonts = writer.pages[0]["/Resources"]["/Font"]  # type: ignore[index]  # dictionaries of pypdf have no types
    fonts["/F1"][NameObject("/ToUnicode")] = writer._add_object(mapping)
    return written(writer)


def test_characters_beyond_two_bytes_move_no_words() -> None:
    table = side_by_side(("@@@@@@ area", "Gull", "Tern"), ("Fee", "35", "42"))
    text = text_of(_mapped(table, "<40> <D835DC4E>")).text
    assert text == "𝑎𝑎𝑎𝑎𝑎𝑎 area | Fee\n𝑎𝑎𝑎𝑎𝑎𝑎 area: Gull | Fee: 35\n𝑎𝑎𝑎𝑎𝑎𝑎 area: Tern | Fee: 42\n"


@pytest.mark.parametrize("drawn_from_left", ["abc 17 bc", "cb 17 cba"], ids=["as read", "as shown"])
def test_hebrew_words_that_would_begin_with_final_letters_were_drawn_from_the_left(drawn_from_left: str) -> None:
    page = drawn(f"BT /F1 12 Tf 60 700 Td ({drawn_from_left}) Tj ET")
    assert text_of(_mapped(page, "<61> <05DB> <62> <05D4> <63> <05DF>")).text == "כהן 17 הן\n"


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([f"a well{BROKEN}known rule", "a well-known pilot"], ["a well-known rule", "a well-known pilot"]),
        ([f"state-of-the{BROKEN}art"], ["state-of-the-art"]),
        ([f"die Nord{BROKEN}Süd-Bahn"], ["die Nord-Süd-Bahn"]),
        ([f"the har{BROKEN}bour"], ["the harbour"]),
        ([f"COVID{BROKEN}19 rules"], ["COVID-19 rules"]),
        (
            [f"a lee{BROKEN}ward berth, leeward", "lee side, ward two"],
            ["a leeward berth, leeward", "lee side, ward two"],
        ),
        ([f"a sea{BROKEN}wall by the sea and the wall"], ["a sea-wall by the sea and the wall"]),
        ([f"at the end{BROKEN} here"], ["at the end here"]),
    ],
)
def test_a_hyphen_at_a_lines_end_stays_in_a_compound_of_the_document(pages: list[str], expected: list[str]) -> None:
    texts, removed = resolved(pages)
    assert texts == expected
    assert [len(page) - len(taken) for page, taken in zip(pages, removed, strict=True)] == list(map(len, texts))


def test_a_page_of_broken_compounds_takes_no_time_in_the_square_of_its_length() -> None:
    began = time.process_time()
    ((text,), _) = resolved([f"Nord{BROKEN}Süd " * 80_000])
    assert time.process_time() - began < 5
    assert text == "Nord-Süd " * 80_000


@pytest.mark.parametrize("kind", ["/Stamp", "/FreeText", "/Watermark", "/Square"])
def test_what_a_stamp_shows_stands_behind_the_page(kind: str) -> None:
    writer = pypdf.PdfWriter(io.BytesIO(side_by_side(("Boat", "Gull", "Tern"), ("Fee", "35", "42"))))
    look = StreamObject()
    look.set_data(b"BT /F1 12 Tf 5 5 Td (RECEIVED 4 MAY) Tj ET")
    resources = writer.pages[0]["/Resources"]
    box = ArrayObject(map(FloatObject, (0, 0, 200, 30)))
    look.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): box,
            NameObject("/Resources"): resources,
        }
    )
    shown = DictionaryObject({NameObject("/N"): writer._add_object(look)})
    stamp = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject(kind),
            NameObject("/Rect"): box,
            NameObject("/AP"): shown,
        }
    )
    writer.pages[0][NameObject("/Annots")] = ArrayObject([writer._add_object(stamp)])
    assert text_of(written(writer)).text == "Boat | Fee\nBoat: Gull | Fee: 35\nBoat: Tern | Fee: 42\nRECEIVED 4 MAY\n"


Placed = list[tuple[float, float, str]]
"""Lines with their left ends and heights, in drawn order."""


def lines_at(left: float, top: float, name: str, count: int, step: float = 13) -> Placed:
    return [(left, top - step * at, f"{name}{at} tide pilot rope mast keel") for at in range(count)]


def by_height(lines: Placed) -> Placed:
    return sorted(lines, key=lambda line: (-line[1], line[0]))


def headed(size: float) -> Placed:
    """Two columns drawn row by row, with a heading between their halves."""
    above = by_height(lines_at(60, 700, "a", 4) + lines_at(320, 700, "b", 3))
    below = by_height(lines_at(60, 600, "d", 3) + lines_at(320, 600, "e", 3))
    return [*above, (60, 630, f"/F1 {size} Tf|c0 Middle"), *below]


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        pytest.param(by_height(lines_at(60, 700, "a", 5) + lines_at(320, 700, "b", 3)), "ab", id="unequal columns"),
        pytest.param(headed(18), "abcde", id="a heading between columns"),
        pytest.param(
            by_height(lines_at(60, 700, "a", 9) + lines_at(400, 680, "b", 4, step=11)), "ab", id="a box beside the text"
        ),
        pytest.param(
            [line for top, name in zip((3, 7, 5, 6), "dacb", strict=True) for line in lines_at(60, 100 * top, name, 4)],
            "abcd",
            id="blocks drawn in another order",
        ),
        pytest.param(
            lines_at(60, 700, "a", 4) + lines_at(60, 400, "d", 4) + lines_at(320, 700, "b", 4)
            + lines_at(320, 400, "e", 4) + [(60, 560, "c0 Figure 3 shows ships seen from the mole in a calm May")],
            "abcde",
            id="a caption across both columns that was drawn last",
        ),
        pytest.param(
            [*lines_at(320, 700, "b", 4), *[(60 + 5 * at, 700 - 13 * at, word) for at, word in enumerate("xyz")]],
            "b",
            id="labels are no column",
        ),
    ],
)  # fmt: skip
def test_blocks_are_read_where_they_stand(lines: Placed, order: str) -> None:
    shown = []
    for left, top, words in lines:
        size, _, text = words.rpartition("|")
        shown.append(f"{size or '/F1 10 Tf'} 1 0 0 1 {left} {top} Tm ({text}) Tj")
    read = text_of(drawn(f"BT {' '.join(shown)} ET")).text
    names = [line[0] for line in read.splitlines() if line[1:2].isdigit()]
    assert "".join(dict.fromkeys(names)) == order
    assert names == sorted(names)


def test_a_line_between_two_tables_is_said_once() -> None:
    def table(top: float) -> Placed:
        rows = (("Boat", "Fee"), ("Gull", "35"), ("Tern", "42"), ("Auk", "7"))
        return [(60 + 80 * x, top - 14 * y, word) for y, row in enumerate(rows) for x, word in enumerate(row)]

    lines = [*table(700), (60, 634, "Fees of the winter"), *table(610)]
    shown = " ".join(f"1 0 0 1 {left} {top} Tm ({words}) Tj" for left, top, words in lines)
    assert text_of(drawn(f"BT /F1 10 Tf {shown} ET")).text.count("Fees of the winter") == 1

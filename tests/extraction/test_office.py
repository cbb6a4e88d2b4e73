"""What office documents hold besides plain paragraphs: notes, changes, boxes, hidden parts."""

import datetime
import io
import struct
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer
from biblicus.extraction.kit.grids import rows
from biblicus.extraction.office.sheets import Sheet
from biblicus.extraction.rare.ole import powerpoint
from biblicus.extraction.rare.ole.word import Beside, TableRow
from biblicus.models.extraction import Extraction, NoExtraction
from tests.extraction.office_files import REL, W, extracted, places, said, text_of, word, workbook, zipped
from tests.extraction.ole_files import compound, summary, word_97
from tests.sampling import each


def initial(letter: str, kind: str = "drop") -> str:
    """A paragraph that is a large first letter."""
    return f'<w:p><w:pPr><w:framePr w:dropCap="{kind}"/></w:pPr><w:r><w:t>{letter}</w:t></w:r></w:p>'


@each(
    ("body", "expected"),
    [
        (
            "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>",
            "new",
        ),
        ("<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>3</w:t></w:r></w:p>", "3"),
        (
            "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>",
            "a b\nc-d",
        ),
        (f"<w:sdt><w:sdtContent>{said('inside')}</w:sdtContent></w:sdt>", "inside"),
        (
            "<w:p><w:r><w:t>before</w:t></w:r><AlternateContent><Choice><w:txbxContent>"
            + said("boxed")
            + "</w:txbxContent></Choice><Fallback><w:txbxContent>"
            + said("boxed")
            + "</w:txbxContent></Fallback></AlternateContent></w:p>",
            "before\n\nboxed",
        ),
        ('<w:p><w:r><docPr descr="a duck"/></w:r></w:p>', "[Image: a duck]"),
        (f"{initial('T')}{said('ide')}", "Tide"),
        (f"{said('one')}{initial('T')}<w:p/>{said('ide')}", "one\n\nTide"),
        (initial("T", "margin"), "T"),
        (f"{initial('T', 'none')}{said('ide')}", "T\n\nide"),
        (f"{initial('T')}<w:p><w:pPr><w:outlineLvl w:val='0'/></w:pPr><w:r><w:t>Ebb</w:t></w:r></w:p>", "T\n\nEbb"),
        (f"{initial('T')}<w:tbl><w:tr><w:tc>{initial('S')}{said('ea')}</w:tc></w:tr></w:tbl>", "T\n\nSea"),
        (f"<w:tbl><w:tr><w:tc>{initial('S')}</w:tc><w:tc>{said('ea')}</w:tc></w:tr></w:tbl>", "S | ea"),
        ("<w:p><m:r xmlns:m='m'><m:t>x=1</m:t></m:r></w:p>", "x=1"),
        (f"{said('Ebb')}</w:body><w:body>{said('Flood')}", "Ebb\n\nFlood"),
    ],
)
def test_a_paragraphs_words(body: str, expected: str) -> None:
    assert text_of("docx", word(body)).strip() == expected


def test_notes_comments_and_headers_stand_behind_the_text() -> None:
    raw = word(
        '<w:p><w:r><w:t>Tides</w:t><w:footnoteReference w:id="2"/></w:r></w:p>',
        footnotes=f'<w:footnotes {W}><w:footnote w:id="0" w:type="separator">{said("-")}</w:footnote>'
        f'<w:footnote w:id="2">{said("by the moon")}</w:footnote></w:footnotes>',
        comments=f'<w:comments {W}><w:comment w:author="Ada">{said("really?")}</w:comment></w:comments>',
        header=f"<w:hdr {W}>{said('The harbour')}</w:hdr>",
    )
    text = text_of("docx", raw)
    assert text == "Tides [2]\n\nFootnote [2]: by the moon\n\nComment by Ada: really?\n\nHeader: The harbour\n"


def test_what_stands_beside_the_text_of_a_word_document_is_no_part_of_its_last_section() -> None:
    heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Comments</w:t></w:r></w:p>'
    raw = word(
        heading + said("None are open."),
        footnotes=f'<w:footnotes {W}><w:footnote w:id="2">{said("by the moon")}</w:footnote></w:footnotes>',
        endnotes=f'<w:endnotes {W}><w:endnote w:id="3">{said("by the sun")}</w:endnote></w:endnotes>',
        comments=f'<w:comments {W}><w:comment w:author="Ada">{said("really?")}</w:comment></w:comments>',
        header=f"<w:hdr {W}>{said('The harbour')}</w:hdr>",
        footer=f"<w:ftr {W}>{said('12')}</w:ftr>",
    )
    assert places("docx", raw) == {
        "Comments": "Comments\n\nNone are open.",
        "Footnotes": "Footnote [2]: by the moon",
        "Endnotes": "Endnote [3]: by the sun",
        "Comments (2)": "Comment by Ada: really?",
        "Headers and footers": "Header: The harbour",
    }
    outcome = extracted("docx", raw)
    assert isinstance(outcome, Extraction)
    assert [heading.title for heading in outcome.headings] == ["Comments", "", "", "", ""]


def test_what_stands_beside_an_opendocument_text_is_no_part_of_its_last_section() -> None:
    note = "<note note-class='endnote'><note-citation>i</note-citation><note-body><p>by the moon</p></note-body></note>"
    comment = "<annotation><creator>Ada</creator><p>really?</p></annotation>"
    body = f"<text><h>Tides</h><p>They rise.{note}{comment}</p></text>"
    header = "<master-styles><master-page><header><p>The harbour</p></header></master-page></master-styles>"
    raw = zipped({"content.xml": f"<doc><body>{body}</body></doc>", "styles.xml": f"<doc>{header}</doc>"})
    assert places("odf", raw) == {
        "Tides": "Tides\n\nThey rise. [i]",
        "Endnotes": "Endnote [i]: by the moon",
        "Comments": "Comment by Ada: really?",
        "Headers and footers": "Header: The harbour",
    }


def test_headings_follow_styles_and_what_styles_are_based_on() -> None:
    styles = (
        f'<w:styles {W}><w:style w:type="paragraph" w:styleId="a"><w:name w:val="heading 1"/><w:pPr>'
        '<w:outlineLvl w:val="0"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="b"><w:name w:val="Own"/>'
        '<w:basedOn w:val="a"/></w:style><w:style w:type="table" w:styleId="t"><w:tblStylePr/></w:style></w:styles>'
    )
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{style}</w:t></w:r></w:p>' for style in "abt"
    )
    outcome = extracted("docx", word(body, styles=styles))
    assert isinstance(outcome, Extraction)
    assert [(heading.level, heading.title) for heading in outcome.headings] == [(1, "a"), (1, "b")]


def test_a_document_with_macros_is_read_alike() -> None:
    assert text_of("docx", word(said("tides"))) == "tides\n"


def test_pictures_alone_need_ocr() -> None:
    outcome = extracted("docx", word("<w:p><w:r><blip/></w:r></w:p>"))
    assert isinstance(outcome, NoExtraction)
    assert outcome.status == "needs ocr"


def test_a_workbooks_values_are_those_of_another_reader() -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "Fees"
    sheet.append(["Boat", "Since", "Fee", "Paid"])
    sheet.append(["Gull", datetime.date(2024, 5, 1), 35.5, True])
    sheet["C2"].number_format = '#,##0.00 "€"'
    sheet.append(["Tern", datetime.datetime(2024, 5, 1, 8, 30), "=C2*2", False])
    written = io.BytesIO()
    book.save(written)
    assert text_of("xlsx", written.getvalue()) == (
        "Fees\n\nBoat | Since | Fee | Paid\n"
        "Boat: Gull | Since: 2024-05-01 | Fee: 35.50 € | Paid: TRUE\n"
        "Boat: Tern | Since: 2024-05-01 08:30 | Fee: =C2*2 | Paid: FALSE\n"
    )


def test_comments_stand_at_their_cell() -> None:
    from openpyxl import Workbook
    from openpyxl.comments import Comment

    book = Workbook()
    book.active["B2"] = "Gull"
    book.active["B2"].comment = Comment("sold in May", "Ada")
    written = io.BytesIO()
    book.save(written)
    outcome = extracted("xlsx", written.getvalue())
    assert isinstance(outcome, Extraction)
    assert "Comment at B2: sold in May" in outcome.text
    assert outcome.spots[-1].start == "B2"


def beside_a_sheet(**parts: str) -> str:
    """What is read of a workbook with these parts beside its sheet, by the kind of their relation."""
    with zipfile.ZipFile(io.BytesIO(workbook('<c r="A1"><v>7</v></c>'))) as archive:
        packed = {name: archive.read(name).decode() for name in archive.namelist()}
    margins = (
        '<headerFooter><oddHeader>&amp;C&amp;"Arial,Bold"&amp;12Fees &amp;&amp; dues&amp;R&amp;P/&amp;N</oddHeader>'
        "<oddFooter>Rates of Tolvay &amp;P</oddFooter>"
    )
    packed["xl/s.xml"] = packed["xl/s.xml"].replace("</worksheet>", f"{margins}</headerFooter></worksheet>")
    for folder, parent in (("xl", "s"), ("xl", "drawing")):
        relations = "".join(
            f'<Relationship Id="r{kind}" Type="{REL}/{kind}" Target="{kind}.xml"/>' for kind in parts if kind != parent
        )
        packed[f"{folder}/_rels/{parent}.xml.rels"] = f"<Relationships>{relations}</Relationships>"
    return text_of("xlsx", zipped({**packed, **{f"xl/{kind}.xml": text for kind, text in parts.items()}}))


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({}, "\nHeader: Fees & dues\n"),
        ({}, "\nFooter: Rates of Tolvay\n"),
        ({"drawing": '<d><pic><cNvPr descr="Map of the quay"/></pic></d>'}, "[Image: Map of the quay]"),
        ({"drawing": '<d><sp><cNvPr descr="of a box"/><p><r><t>Pay here</t></r></p></sp></d>'}, "\nPay here"),
        ({"drawing": f'<d><graphicFrame><relIds xmlns:r="{REL}" r:dm="rdiagramData"/></graphicFrame></d>',
          "diagramData": "<d><pt><t><p><r><t>Harbour master</t></r></p></t></pt></d>"}, "\nHarbour master"),
        ({"comments": '<c><comment ref="A1"><text><t>[Threaded comment] Your version of Excel</t></text></comment>'
          '<comment ref="B2"><text><t>unpaid</t></text></comment></c>',
          "threadedComment": '<c><threadedComment ref="A1"><text>Who says so?</text></threadedComment>'
          '<threadedComment ref="A1"><text>The bank.</text></threadedComment></c>'},
         "\nComment at A1: Who says so?\nComment at A1: The bank.\nComment at B2: unpaid"),
    ],
)  # fmt: skip
def test_what_stands_beside_the_cells_of_a_sheet_is_read(parts: dict[str, str], line: str) -> None:
    text = beside_a_sheet(**parts)
    assert line in text
    assert "Your version" not in text
    assert "of a box" not in text


def test_slides_in_their_order_with_hidden_ones_groups_and_tables() -> None:
    from pptx import Presentation
    from pptx.util import Inches

    presentation = Presentation()
    first = presentation.slides.add_slide(presentation.slide_layouts[5])
    first.shapes.title.text = "Berths"
    group = first.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "inside a group"
    table = first.shapes.add_table(2, 2, 0, 0, Inches(2), Inches(1)).table
    for at, words in enumerate(("Boat", "Fee", "Gull", "35")):
        table.cell(at // 2, at % 2).text = words
    second = presentation.slides.add_slide(presentation.slide_layouts[6])
    second.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "no title here"
    second._element.set("show", "0")
    order = presentation.slides._sldIdLst
    order.insert(0, order[1])
    written = io.BytesIO()
    presentation.save(written)
    outcome = extracted("pptx", written.getvalue())
    assert isinstance(outcome, Extraction)
    assert outcome.text == (
        "(hidden slide)\n\nno title here\n\nBerths\n\ninside a group\n\nBoat | Fee\nBoat: Gull | Fee: 35\n"
    )
    assert [(spot.kind, spot.start) for spot in outcome.spots] == [("slide", "1"), ("slide", "2")]
    assert [heading.title for heading in outcome.headings] == ["", "Berths"]


@each(
    ("table", "lines"),
    [
        ([["Boat", "Fee"], ["Gull", "35"]], ["Boat | Fee", "Boat: Gull | Fee: 35"]),
        ([["", "Fee"], ["Gull", "35"]], ["Fee", "Gull | 35"]),
        ([["1", "2"], ["3", "4"]], ["1 | 2", "3 | 4"]),
        ([["2010 – 2014", "Pilot"], ["2018", "Smith"]], ["2010 – 2014 | Pilot", "2018 | Smith"]),
        ([["2019 – today", "Pilot"], ["2018", "Smith"]], ["2019 – today | Pilot", "2018 | Smith"]),
        ([["a", "a"], ["b", "c"]], ["a | a", "b | c"]),
        ([["Ship:", "Gull"], ["Port:", "Bay"]], ["Ship: Gull", "Port: Bay"]),
        ([["Ship:", "Gull"], ["Fees", "due"]], ["Ship: Gull", "Fees | due"]),
        ([["Ship:", "Fee:"], ["Gull", "35"]], ["Ship: | Fee:", "Ship: Gull | Fee: 35"]),
        ([["Ship :", "項目："], ["Gull", "船"]], ["Ship : | 項目：", "Ship: Gull | 項目: 船"]),
        ([["Total", "Note:"], ["3", "see below:"]], ["Total | Note:", "Total: 3 | Note: see below:"]),
        (
            [["", "2006", "2007"], ["Fee\nLevy\nDue", "5\n\n5", "6\n1\n7"]],
            ["2006 | 2007", "Fee | 2006: 5 | 2007: 6", "Levy | 2007: 1", "Due | 2006: 5 | 2007: 7"],
        ),
        (
            [["Harbour office\nPhone: 35\nFax: 36\n" + "Open. " * 20, "The Quay\nBerth 4"]],
            ["Harbour office", "Phone: 35", "Fax: 36", ("Open. " * 20).strip(), "The Quay", "Berth 4"],
        ),
        (
            [["", "We meet at the quay. " * 6 + "\nBring a lamp."]],
            [("We meet at the quay. " * 6).strip(), "Bring a lamp."],
        ),
        (
            [["The mate", "\n".join(["Watches the deck at night"] * 5), "since 1990"]],
            ["The mate | " + "Watches the deck at night " * 5 + "| since 1990"],
        ),
        ([["Fee\nLevy\nDue", "5\n6"]], ["Fee Levy Due | 5 6"]),
        ([["Fee\nDue", "5\n6"]], ["Fee Due | 5 6"]),
        ([["Q1\nQ2\nQ3", "1\n–\n3"]], ["Q1 | 1", "Q2 | –", "Q3 | 3"]),
        (
            [["No boat may\nmoor at night\nwithout lights", "The pilot\ncannot see\nthem"]],
            ["No boat may moor at night without lights | The pilot cannot see them"],
        ),
        (
            [["Contact", "Office"], ["Ada Byron\nHarbour master\n+44 123", "1 Quay\nDover\nCT16"]],
            ["Contact | Office", "Contact: Ada Byron Harbour master +44 123 | Office: 1 Quay Dover CT16"],
        ),
        ([["only"]], ["only"]),
        ([["Flag", "Norway"], ["Owner", "Ada"], ["Port", "Bay"]], ["Flag: Norway", "Owner: Ada", "Port: Bay"]),
        ([["Flag:", "Norway"], ["Owner:", "Ada"], ["Fee:", "3"]], ["Flag: Norway", "Owner: Ada", "Fee: 3"]),
        ([["", ""], ["x", ""]], ["x"]),
        ([["\u200b", "\u200b"], ["Name", "Age"], ["Ada", "36"]], ["Name | Age", "Name: Ada | Age: 36"]),
    ],
)
def test_a_tables_rows_have_the_names_of_their_columns(table: list[list[str]], lines: list[str]) -> None:
    assert rows(table) == lines


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (
            [("Winch", "TRUE"), ("Davit", "TRUE"), ("Boom", "FALSE"), ("Gaff", "TRUE")],
            "Winch | TRUE\nDavit | TRUE\nBoom | FALSE\nGaff | TRUE\n",
        ),
        ([("Winch", "worn"), ("Davit", "worn"), ("Boom", "new")], "Winch | worn\nDavit | worn\nBoom | new\n"),
        ([("Name", "State"), ("Winch", "worn")], "Name | State\nName: Winch | State: worn\n"),
    ],
)
def test_a_row_of_a_sheet_that_holds_what_stands_below_it_names_no_columns(
    table: list[tuple[str, str]], told: str
) -> None:
    composer = Composer()
    sheet = Sheet(composer, "Gear")
    for number, cells in enumerate(table, 1):
        sheet.row(number, dict(enumerate(cells, 1)))
    sheet.close()
    read = composer.extraction(otherwise=NoExtraction("empty", "nothing"))
    assert isinstance(read, Extraction)
    assert read.text == f"Gear\n\n{told}"


def test_an_old_word_document_is_read_by_its_pieces() -> None:
    from biblicus.extraction.rare.ole.word import paragraphs

    wide, narrow = (
        "Über die Flut\r".encode("utf-16-le"),
        b"of \x13 PAGE \x14tides\x15\x0dBoat\x07Fee\x07\x07Gull\x0735\x07\x07",
    )
    head = bytearray(0x200)
    head[0:4] = (0xA5EC).to_bytes(2, "little") + (0xC1).to_bytes(2, "little")
    head[0x0A:0x0C] = (0x0200).to_bytes(2, "little")
    borders = [0, 14, 14 + len(narrow)]
    places = [0x200, ((0x200 + len(wide)) * 2) | 0x40000000]
    plc = b"".join(at.to_bytes(4, "little") for at in borders)
    plc += b"".join(b"\0\0" + place.to_bytes(4, "little") + b"\0\0" for place in places)
    clx = b"\x02" + len(plc).to_bytes(4, "little") + plc
    head[0x01A2:0x01AA] = (0).to_bytes(4, "little") + len(clx).to_bytes(4, "little")
    read = paragraphs(bytes(head) + wide + narrow, b"", clx)
    assert shown(read) == ["Über die Flut", "of tides", ["Boat", "Fee"], ["Gull", "35"]]


@pytest.mark.parametrize(
    ("magic", "flags", "code_page", "font", "raw", "expected"),
    [
        (0xA5DC, 0, 0, 0, "Flut über".encode("cp1252"), "Flut über"),
        (0xA5DC, 0, 1251, 0, "Прилив".encode("cp1251"), "Прилив"),
        (0xA5DC, 0, 65001, 204, "Прилив".encode("cp1251"), "Прилив"),
        (0xA5DC, 0, 10000, 77, "marée".encode("mac-roman"), "marée"),
        (0xA5DC, 0, 4711, 0, b"tide", "tide"),
        (0xA699, 0x1000, 0, 136, b"A\0" + "潮".encode("big5")[::-1], "A潮"),
    ],
)
@pytest.mark.parametrize("is_in_pieces", [False, True])
def test_a_document_of_word_6_is_read_in_its_code_page(
    magic: int, flags: int, code_page: int, font: int, raw: bytes, expected: str, is_in_pieces: bool
) -> None:
    from biblicus.extraction.rare.ole.word import paragraphs

    fonts = b"\0\0" + bytes((9, 0, 0, 0, font, 0)) + b"Arial\0"
    head = bytearray(0x200)
    struct.pack_into("<HH6xH12xII", head, 0, magic, 0x65, flags | (4 if is_in_pieces else 0), 0x200, 0x200 + len(raw))
    struct.pack_into("<II", head, 0xD0, 0x200 + len(raw), len(fonts))
    width = 2 if flags else 1
    half = len(raw) // 2 // width
    pieces = struct.pack("<3I", 0, half, len(raw) // width) + struct.pack("<2xI4xI2x", 0x200, 0x200 + half * width)
    pieces = b"\1\2\0xx\2" + struct.pack("<I", len(pieces)) + pieces
    struct.pack_into("<II", head, 0x160, 0x200 + len(raw) + len(fonts), len(pieces))
    assert paragraphs(bytes(head) + raw + fonts + pieces, b"", b"", code_page) == [expected]


def test_what_follows_an_empty_cell_is_no_part_of_a_row() -> None:
    from biblicus.extraction.rare.ole.word import cut

    assert shown(cut("Boat\x07\x07\x07After\rthe table\r")) == [["Boat"], "After", "the table"]
    assert shown(cut("Boat\x07Fee\rand more")) == [["Boat"], "Fee", "and more"]


_IN_CELL, _ROW_END = b"\0\0\x16\x24\1\0", b"\0\0\x16\x24\1\x17\x24\1"
_DEEP = b"\0\0\x40\x26\1\0"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([("Fees\r", _DEEP, False), ("Due in May.\r", b"", False)], [(2, "Fees", ""), "Due in May."]),
        ([("It costs 13", b"", False), (",444", b"", True), ("5.\r", b"", False)], ["It costs 135."]),
        ([("Tides\x1d\x1c rise.\r", b"", False)], ["Tides rise."]),
        ([("Due \x13 PAGE ", b"", False), ("\x14", b"", True), ("7\x15.\r", b"", False)], ["Due 7."]),
        (
            [
                ("Boat\x07\x07Fee\x07", _IN_CELL, False),
                ("\x07", _ROW_END, False),
                ("Gull\r", _IN_CELL, False),
                ("and Tern\x07\x07", _IN_CELL, False),
                ("35\x07", _IN_CELL, False),
                ("\x07", _ROW_END, False),
                ("After.\r", b"", False),
            ],
            [["Boat", "", "Fee"], ["Gull\nand Tern", "", "35"], "After."],
        ),
        (
            [
                ("Gull\x073\x07", _IN_CELL, True),
                ("\x07", _ROW_END, True),
                ("Tern\x074\x07", _IN_CELL, False),
                ("\x07", _ROW_END, False),
            ],
            [["Tern", "4"]],
        ),
        ([("10", b"", False), ("6", b"", b"\x48\x2a\1"), (" l\r", b"", False)], ["10⁶ l"]),
        ([("H", b"", False), ("2", b"", b"\x45\x48\xfe\xff"), ("O\r", b"", False)], ["H₂O"]),
        ([("Due ", b"", False), ("35 ", b"", b"\x37\x08\1"), ("42\r", b"", False)], ["Due 42"]),
        ([("Due", b"", False), (" 35", b"", b"\x3c\x08\1"), ("\r", b"", False)], ["Due", Beside("Hidden text", "35")]),
    ],
    ids=["heading", "deleted", "signs of ours", "deleted in a field", "empty cells", "deleted row", "raised", "lowered",
         "struck", "hidden"],
)  # fmt: skip
def test_what_an_old_word_document_says_of_its_text(
    parts: list[tuple[str, bytes, bytes | bool]], expected: list[object]
) -> None:
    from biblicus.extraction.rare.ole.word import paragraphs

    document, table = word_97(parts)
    assert shown(paragraphs(document, b"", table)) == expected


def shown(blocks: Iterable[object] | None) -> list[object]:
    """Blocks of a document, rows as the texts of their cells."""
    return [[cell.text for cell in block.cells] if isinstance(block, TableRow) else block for block in blocks or ()]


def test_merged_cells_of_an_old_word_document_stand_in_all_their_rows_and_columns() -> None:
    def row_end(edges: Sequence[int], flags: Sequence[int]) -> bytes:
        cells = b"".join(struct.pack("<H18x", flag) for flag in flags)
        row = struct.pack(f"<B{len(edges)}h", len(flags), *edges) + cells
        return _ROW_END + struct.pack("<HH", 0xD608, len(row) + 1) + row + bytes(1 - len(row) % 2)

    lines = [
        ("Boat\x07Summer\x07", row_end((0, 1000, 3000), (0x60, 0))),
        ("\x07Day\x07Week\x07", row_end((0, 1000, 2000, 3000), (0x20, 0, 0))),
        ("Gull\x079\x0740\x07", row_end((0, 1000, 2000, 3000), (0, 0, 0))),
    ]
    parts = [part for text, end in lines for part in ((text, _IN_CELL, False), ("\x07", end, False))]
    document, table = word_97(parts)
    assert text_of("ole", compound({"WordDocument": document, "1Table": table})).splitlines() == [
        "Boat | Summer Day | Summer Week",
        "Boat: Gull | Summer Day: 9 | Summer Week: 40",
    ]


def test_what_stands_beside_an_old_word_document_is_told_behind_it() -> None:
    document, table = word_97(
        [("Tides rise.\x02\r", b"", False), ("\x02 By the moon.\r", b"", False), ("\x05 Twice?\r", b"", False)],
        (13, 15, 0, 0, 9),
    )
    assert places("ole", compound({"WordDocument": document, "1Table": table})) == {
        "Footnotes": "Footnote: By the moon.",
        "Comments": "Comment: Twice?",
    }


def test_boxes_in_headers_and_what_no_length_counts_of_an_old_word_document_are_told() -> None:
    from biblicus.extraction.rare.ole.word import paragraphs

    document, table = word_97(
        [("Tides.\r", b"", False), ("Quay 3\r", b"", False), ("They rise.\r", b"", False)], (7, 0, 0, 0, 0, 0, 0, 7)
    )
    assert paragraphs(document, b"", table) == ["Tides.", "They rise.", Beside("Header", "Quay 3")]


def test_a_document_of_word_2_that_was_saved_in_haste_says_so() -> None:
    head = bytearray(0x200)
    struct.pack_into("<HH6xH12xII", head, 0, 0xA5DB, 0x2D, 4, 0x200, 0x200 + 12)
    with pytest.raises(ExtractionFailed, match="saved in haste"):
        text_of("ole", bytes(head) + b"Tides rise.\r")


def test_an_old_word_document_whose_properties_overlap_is_read_without_them() -> None:
    from biblicus.extraction.rare.ole.formatting import Formatting

    document, table = word_97([("Tides.\r", b"", False), ("Gone.\r", b"", True)])
    assert Formatting(document, table).characters
    place = struct.unpack_from("<I", table, 8)[0] * 512
    overlapping = document + document[place : place + 512]
    table = struct.pack("<IIIII", 0, 7, 13, place // 512, len(document) // 512) + table[12:]
    raw = bytearray(overlapping)
    struct.pack_into("<II", raw, 0xFA, 0, 20)
    assert not Formatting(bytes(raw), table).characters


def test_a_document_of_word_2_is_a_file_of_its_own() -> None:
    head = bytearray(0x200)
    struct.pack_into("<HH6xH12xII", head, 0, 0xA5DB, 0x2D, 0, 0x200, 0x200 + 12)
    assert text_of("ole", bytes(head) + b"Tides rise.\r") == "Tides rise.\n"


@pytest.mark.parametrize(
    ("tag", "page", "text", "codec"),
    [
        (0x3FFD, 1251, "Прилив", "cp1251"),
        (0x3FDE, 1251, "Прилив", "cp1251"),
        (0x3FDE, 20866, "Прилив", "koi8-r"),
        (0x3FDE, 51932, "潮の満ち引き", "euc_jp"),
        (0x3FFD, 65001, "Müller", "cp1252"),
        (0x3FFD, 65001, "Müller", "utf-8"),
    ],
)
def test_a_message_without_wide_texts_is_read_in_its_code_page(tag: int, page: int, text: str, codec: str) -> None:
    properties = bytes(32) + struct.pack("<HHIQ", 3, tag, 0, page)
    message = {"__properties_version1.0": properties, "__substg1.0_0037001E": text.encode(codec)}
    assert text_of("ole", compound(message)) == f"{text}\n"


def record(kind: int, body: bytes, instance: int = 0, *, container: bool = False) -> bytes:
    """A record of an old presentation."""
    return struct.pack("<HHI", (instance << 4) | (0xF if container else 0), kind, len(body)) + body


def test_margins_and_comments_of_an_old_presentation_stand_behind_its_slides() -> None:
    def texts(kind: int, words: dict[int, str]) -> bytes:
        return record(
            kind, b"".join(record(0x0FBA, text.encode("utf-16-le"), at) for at, text in words.items()), container=True
        )

    remark = record(0x138B, texts(0x2EE0, {0: "Ada", 1: "Is it so?", 2: "A"}))
    document = record(0x03E8, texts(0x0FD9, {1: "The harbour", 2: "2026"}) * 2 + remark, container=True)
    assert places("ole", compound({"PowerPoint Document": document})) == {
        "Headers and footers": "Header: The harbour",
        "Comments": "Comment by Ada: Is it so?",
    }


def test_margins_of_slides_are_told_once() -> None:
    shape = "<p:sp><p:ph type='{}'/><p:txBody><a:p><a:t>{}</a:t></a:p></p:txBody></p:sp>"
    footer = shape.format("ftr", "The harbour") + shape.format("sldNum", "3")
    slide = f"<p:sld xmlns:p='p' xmlns:a='a'>{shape.format('body', 'Tides')}{footer}</p:sld>"
    raw = zipped({"ppt/slides/slide1.xml": slide, "ppt/slides/slide2.xml": slide})
    assert text_of("pptx", raw) == "Tides\n\nTides\n\nFooter: The harbour\n"
    page = "<page><frame><text-box><p>Tides</p></text-box></frame></page>"
    body = f"<presentation><footer-decl>The harbour</footer-decl>{page}</presentation>"
    raw = zipped({"content.xml": f"<doc><body>{body}</body></doc>"})
    assert places("odf", raw) == {"": "Tides", "Headers and footers": "Footer: The harbour"}


def test_a_presentation_that_is_older_than_can_be_read_is_told() -> None:
    outcome: Any = extracted("ole", compound({"PowerPoint Document": bytes(100)}))
    assert outcome.sentence == "unsupported: it is no presentation of PowerPoint 97 or later"


def test_the_slides_for_powerpoint_97_are_read_of_a_file_for_95_and_97() -> None:
    def slides(words: bytes) -> bytes:
        return struct.pack("<HHI", 0, 0x0FA8, len(words)) + words

    streams = {"PowerPoint Document": slides(b"for 95"), "PP97_DUALSTORAGE/PowerPoint Document": slides(b"for 97")}
    assert text_of("ole", compound(streams)) == "for 97\n"


@pytest.mark.parametrize(
    ("about", "title"),
    [
        (summary(1252, "Über Ebbe".encode("cp1252")), "Über Ebbe"),
        (summary(65001, "Über Ebbe\0rest".encode()), "Über Ebbe"),
        (summary(65001, "Über Ebbe".encode(), count=0xFFFFFFFF), "Über Ebbe"),
        (summary(1252, b"Ebbe", kind=0x1000 | 30, length=0x7FFFFFFF), None),  # a list, for which a library counts
        (summary(1252, b"Ebbe")[:60], None),
    ],
)
def test_an_older_file_says_its_title_in_its_code_page(about: bytes, title: str | None) -> None:
    words = struct.pack("<HHI", 0, 0x0FA8, 5) + b"tides"
    outcome = extracted("ole", compound({"PowerPoint Document": words, "\x05SummaryInformation": about}))
    assert isinstance(outcome, Extraction)
    assert outcome.title == title


def test_an_old_presentation_is_read_slide_by_slide() -> None:
    from biblicus.extraction.rare.ole.powerpoint import slides

    def persist(reference: int, identity: int) -> bytes:
        return record(0x03F3, reference.to_bytes(4, "little") + bytes(8) + identity.to_bytes(4, "little"))

    listed = persist(1, 256) + record(0x0F9F, bytes(4)) + record(0x0FA8, b"Tides") + persist(2, 257)
    document = record(0x03E8, record(0x0FF0, listed, 0, container=True), 0, container=True)
    box = record(
        0x03EE, record(0xF00D, record(0x0FA0, "Über Ebbe".encode("utf-16-le")), 0, container=True), 0, container=True
    )
    empty = record(0x03EE, b"", 0, container=True)
    places = [len(document), len(document) + len(box)]
    directory = record(
        0x1772, ((2 << 20) | 1).to_bytes(4, "little") + b"".join(at.to_bytes(4, "little") for at in places)
    )
    read = slides(document + box + empty + directory)
    assert [(slide.title, slide.texts) for slide in read] == [("Tides", ["Über Ebbe"]), ("", [])]


def test_without_its_extra_a_file_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name, module, extra in (("ole", "olefile", "office"), ("recording", "tinytag", "media")):
        monkeypatch.setitem(sys.modules, module, None)
        outcome: Any = extracted(name, b"x" * 2_000)
        assert outcome.sentence == f'unsupported: it takes an extra: pip install "biblicus-corpus[{extra}]"'


def test_a_parser_that_comes_or_goes_has_files_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.corpus.passes.is_calm", lambda stamp, started_ns: True)  # as a file of yesterday
    folder, packages = tmp_path / "c", tmp_path / "packages"
    folder.mkdir()
    (packages / "msoffcrypto_tool-99.0.dist-info").mkdir(parents=True)
    (folder / "a.txt").write_text("The moon pulls tides.")
    with Corpus.init(folder) as corpus:
        corpus.ingest()
        steps: list[str] = []
        watching = Call(progress=lambda step, done, total: steps.append(step))
        corpus.ingest(call=watching)
        assert "read" not in steps
        monkeypatch.syspath_prepend(str(packages))
        corpus.ingest(call=watching)
        assert "read" in steps


def test_hidden_slides_of_opendocument_presentations_are_named_as_hidden() -> None:
    style = "<style name='dp1'><drawing-page-properties visibility='hidden'/></style>"
    slide = "<page style-name='dp1'><frame><text-box><p>Later</p></text-box></frame></page>"
    shown = "<page><frame class='title'><text-box><p>Tides</p></text-box></frame></page>"
    body = f"<body><presentation>{slide}{shown}</presentation></body>"
    content = f"<doc><automatic-styles>{style}</automatic-styles>{body}</doc>"
    assert text_of("odf", zipped({"content.xml": content})) == "(hidden slide)\n\nLater\n\nTides\n"


def test_phonetic_guides_are_no_words() -> None:
    guided = "<is><r><t>東京</t></r><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></is>"
    assert text_of("xlsx", workbook(f'<c r="A1" t="inlineStr">{guided}</c><c><v>7</v></c>')) == "Q\n\n東京 | 7\n"
    base = "<w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase>"
    ruby = f"<w:ruby><w:rt><w:r><w:t>トウキョウ</w:t></w:r></w:rt>{base}</w:ruby>"
    assert text_of("docx", word(f"<w:p><w:r>{ruby}</w:r></w:p>")) == "東京\n"


@pytest.mark.parametrize("number", ["²", "9" * 5_000, "-1", "", "x", "٣"])
def test_a_number_that_is_none_costs_itself(number: str) -> None:
    cells = f'<c r="A{number}" s="{number}"><v>7</v></c><c t="s"><v>{number}</v></c><c><v>8</v></c>'
    assert "7 | 8" in text_of("xlsx", workbook(cells, number))
    styles = (
        f'<w:styles {W}><w:style w:styleId="a"><w:pPr><w:outlineLvl w:val="{number}"/></w:pPr></w:style></w:styles>'
    )
    table = f'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="{number}"/></w:tcPr>{said("a")}</w:tc></w:tr></w:tbl>'
    assert text_of("docx", word(table, styles=styles)) == "a\n"
    level = f'<w:p><w:pPr><w:outlineLvl w:val="{number}"/></w:pPr><w:r><w:t>b</w:t></w:r></w:p>'
    assert text_of("docx", word(level)) == "b\n"
    repeated = f'<table-row number-rows-repeated="{number}"><table-cell><p>c</p></table-cell></table-row>'
    content = f'<doc><body><text><h outline-level="{number}">d</h><table>{repeated}</table></text></body></doc>'
    assert text_of("odf", zipped({"content.xml": content})) == "d\n\nc\n"


CATEGORIES = (
    '<c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl><c:pt idx="0"><c:v>Quay</c:v></c:pt><c:pt idx="1"><c:v>Mole'
    '</c:v></c:pt><c:pt idx="2"><c:v>Pier</c:v></c:pt></c:lvl><c:lvl><c:pt idx="0"><c:v>East</c:v></c:pt><c:pt idx="2">'
    "<c:v>West</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat>"
)


@pytest.mark.parametrize(
    ("series", "line"),
    [
        (f'{CATEGORIES}<c:val><c:pt idx="0"><c:v>3</c:v></c:pt><c:pt idx="2"><c:v>5</c:v></c:pt></c:val>',
         "East Quay 3, West Pier 5"),
        (f'{CATEGORIES}<c:val><c:pt idx="1"><c:v>4</c:v></c:pt></c:val>', "East Mole 4"),
        ('<c:xVal><c:pt idx="0"><c:v>1.5</c:v></c:pt></c:xVal><c:yVal><c:pt idx="0"><c:v>7</c:v></c:pt></c:yVal>',
         "1.5 7"),
    ],
)  # fmt: skip
def test_a_charts_values_stand_by_their_own_categories(series: str, line: str) -> None:
    chart = f'<c:chartSpace xmlns:c="c"><c:ser>{series}</c:ser></c:chartSpace>'
    drawn = f'<w:p><w:r><w:drawing><c:chart xmlns:c="c" xmlns:r="{REL}" r:id="rchart"/></w:drawing></w:r></w:p>'
    assert text_of("docx", word(said("Fees") + drawn, chart=chart)) == f"Fees\n\n{line}\n"


SEVEN = "<table-row><table-cell><p>7</p></table-cell></table-row>"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<text><p>Fees:<frame>{}</frame></p></text>", "Fees:\n\n{}\n"),
        ("<presentation><page><frame>{}</frame></page></presentation>", "{}\n"),
        (
            f"<spreadsheet><table name='Q'><shapes><frame>{{}}</frame></shapes>{SEVEN}</table></spreadsheet>",
            "Q\n\n7\n{}\n",
        ),
    ],
)
def test_a_chart_of_an_opendocument_file_is_read_where_it_stands(body: str, words: str) -> None:
    cells = (("", "2024"), ("Quay", "35"), ("Mole", "40"))
    table = "".join(
        "<table-row>" + "".join(f"<table-cell><p>{cell}</p></table-cell>" for cell in row) + "</table-row>"
        for row in cells
    )
    chart = f"<chart><title><p>Fees by place</p></title><table name='local'>{table}</table></chart>"
    packed = {
        "content.xml": "<d><body>" + body.format('<object href="./Object 1"/>') + "</body></d>",
        "Object 1/content.xml": f"<d><body><chart>{chart}</chart></body></d>",
    }
    assert text_of("odf", zipped(packed)) == words.format("Fees by place\n2024\nQuay | 35\nMole | 40")


def test_a_document_within_an_opendocument_file_is_read_once_also_where_it_refers_to_itself() -> None:
    inner = '<p>{0}<frame><object href="./{1}"/><object href="./{1}"/></frame></p>'
    parts = {
        f"O{at}/content.xml": f"<d><body><text>{inner.format(at, f'O{at + 1}')}</text></body></d>" for at in range(6)
    }
    looped = {"O/content.xml": f"<d><body><text>{inner.format('Ebb', 'O')}</text></body></d>"}
    text = f"<d><body><text>{inner.format('Log', 'O')}<object href='O0'/></text></body></d>"
    outcome = extracted("odf", zipped({"content.xml": text, **looped, **parts}))
    assert isinstance(outcome, Extraction)
    assert outcome.text.split() == ["Log", "Ebb", "0", "3", "2", "1"]
    assert outcome.warnings == ("Documents within documents are read 4 deep; what is deeper is left out.",)


def test_of_a_long_chart_of_an_opendocument_file_the_first_values_are_read_and_it_is_no_sheet() -> None:
    chart = f"<document><body><chart><table name='local'>{SEVEN * 90}</table></chart></body></document>"
    table = f"<table name='Q'><shapes><frame><object>{chart}</object></frame></shapes>{SEVEN}</table>"
    text = text_of("odf", f"<document><body><spreadsheet>{table}</spreadsheet></body></document>".encode())
    assert text.split("\n\n") == ["Q", "7\n" * 62 + "and 29 more\n"]


def test_an_opendocument_file_may_not_be_nested_without_end() -> None:
    body = "<d><body>" + "<a>" * 400 + "</a>" * 400 + "</body></d>"
    with pytest.raises(ExtractionFailed, match="nested deeper than 400"):
        extracted("odf", zipped({"content.xml": body}))


def test_a_formula_of_an_opendocument_text_is_read_as_it_is_shown() -> None:
    shown = "<mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow>"
    formula = f'<math><semantics>{shown}<annotation encoding="StarMath 5.0">E = m c^2</annotation></semantics></math>'
    body = '<text><p>Energy:<frame><object href="./Object 1"/></frame></p></text>'
    packed = {"content.xml": f"<d><body>{body}</body></d>", "Object 1/content.xml": formula}
    assert text_of("odf", zipped(packed)) == "Energy:\n\nE=mc²\n"


def test_shapes_on_a_sheet_of_an_opendocument_file_are_read() -> None:
    box = "<custom-shape><p>Pay here</p></custom-shape>"
    cell = "<table-cell><frame><text-box><p>or there</p></text-box></frame><p>7</p></table-cell>"
    table = f"<table name='Q'><shapes>{box}</shapes><table-row>{cell}</table-row></table>"
    assert (
        text_of("odf", zipped({"content.xml": f"<d><body><spreadsheet>{table}</spreadsheet></body></d>"}))
        == "Q\n\n7\nPay here\nor there\n"
    )


def test_a_text_box_of_an_opendocument_text_stands_behind_its_paragraph() -> None:
    body = "<text><p><frame><text-box><p>Help</p></text-box></frame>The moon pulls.</p><p>Ebb.</p></text>"
    assert text_of("odf", zipped({"content.xml": f"<c><body>{body}</body></c>"})) == "The moon pulls.\n\nHelp\n\nEbb.\n"


def test_word_counts_its_lists_as_it_shows_them() -> None:
    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/>{style}</w:lvl>'
        for at, (kind, text, style) in enumerate(
            [
                ("decimal", "%1.", '<w:pStyle w:val="h"/>'),
                ("decimal", "%1.%2", ""),
                ("lowerLetter", "(%3)", ""),
                ("upperRoman", "%4)", ""),
            ]
        )
    )
    numbering = (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="2"><w:startOverride w:val="1"/>'
        "</w:lvlOverride></w:num></w:numbering>"
    )
    styles = (
        f'<w:styles {W}><w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>'
    )

    def numbered(text: str, level: int, name: int = 1) -> str:
        return (
            f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{name}"/></w:numPr></w:pPr>'
            f"<w:r><w:t>{text}</w:t></w:r></w:p>"
        )

    heading = '<w:p><w:pPr><w:pStyle w:val="h"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    body = heading.format("Berths") + numbered("All have water.", 1) + numbered("hot", 2) + numbered("cold", 2)
    body += numbered("big", 3) + heading.format("Fees") + numbered("Due in May.", 1) + numbered("by card", 2, 2)
    body += numbered("not a list", 0, 0)
    outcome = extracted("docx", word(body, numbering=numbering, styles=styles))
    assert isinstance(outcome, Extraction)
    assert outcome.text == (
        "1. Berths\n\n1.1 All have water.\n\n- (a) hot\n- (b) cold\n- I) big\n\n2. Fees\n\n2.1 Due in May.\n\n"
        "- (a) by card\n\nnot a list\n"
    )
    assert [heading.title for heading in outcome.headings] == ["Berths", "Fees"]


def test_rich_texts_lists_have_the_labels_that_it_says() -> None:
    raw = (
        rb"{\rtf1\ansi{\info{\comment StarWriter}}"
        rb"{\listtext\f1 1.\tab}\ls1 Call the office.\par\pard{\*\pntext\'b7\tab}no fires\par "
        rb"{\listtext o\tab}no nets\par\pard The end\par}"
    )
    assert text_of("rtf", raw) == "1. Call the office.\n- no fires\n- no nets\n\nThe end\n"


def test_a_slides_lists_are_those_that_its_layout_and_master_show() -> None:
    from pptx import Presentation
    from pptx.util import Inches

    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[4])  # two comparisons, each below its name
    for at, words in ((0, "Berths"), (1, "inside"), (2, "calm\nquiet"), (3, "outside")):
        slide.placeholders[at].text = words
    box = slide.shapes.add_textbox(0, Inches(7), Inches(1), Inches(1))
    box.text_frame.text = "no list"
    written = io.BytesIO()
    presentation.save(written)
    assert text_of("pptx", written.getvalue()) == "Berths\n\ninside\n\n- calm\n- quiet\n\noutside\n\nno list\n"


def shape_97(*parts: bytes) -> bytes:
    return record(0xF004, b"".join(parts), container=True)


def cell_97(left: int, top: int, text: str) -> bytes:
    words = record(0xF00D, record(0x0FA0, text.encode("utf-16-le")))
    return shape_97(record(0xF00F, struct.pack("<4i", left, top, left + 9, top + 9)), words)


def table_97(*parts: bytes) -> bytes:
    """A group of shapes that is a table."""
    about = shape_97(record(0xF122, struct.pack("<HI", 0x039F, 1), 1))
    return record(0xF003, about + b"".join(parts), container=True)


def test_tables_and_drawn_words_of_an_old_presentation_are_read() -> None:
    cell = cell_97
    cells = [cell(0, 0, "Boat"), cell(9, 0, "Fee"), cell(0, 9, "Gull"), cell(9, 9, "35"), cell(0, 18, "Tern")]
    drawn = "High tide\0".encode("utf-16-le")
    art = shape_97(record(0xF00B, struct.pack("<HI", 0x80C0, len(drawn)) + drawn, 1))
    slide = record(0x03EE, art + table_97(*cells, cell(9, 18, "35")), container=True)
    listed = record(0x0FF0, record(0x03F3, struct.pack("<IIiII", 1, 0, 0, 256, 0)), container=True)
    document = record(0x03E8, listed, container=True)
    places_of = record(0x1772, struct.pack("<II", 1 << 20 | 1, len(document)))
    assert text_of("ole", compound({"PowerPoint Document": document + slide + places_of})) == (
        "High tide\n\nBoat | Fee\nBoat: Gull | Fee: 35\nBoat: Tern | Fee: 35\n"
    )


@pytest.mark.parametrize(
    ("text", "runs", "shown"),
    [
        ("10 6 l", [(3, 0, b""), (1, 0x80000, b"\x1e\0"), (3, 0, b"")], "10 ⁶ l"),
        ("H2O", [(1, 0x10000, b"\0\0"), (1, 0x90000, b"\0\0\xe7\xff"), (2, 0, b"")], "H₂O"),
        ("5 mm", [(2, 0, b""), (1, 0x800000, b"\1\0"), (2, 0x20000, b"\x12\0")], "5 μm"),
        ("cut off", [(3, 0x80000, b"\0\0")], "cut off"),
    ],
)
def test_raised_letters_and_symbols_of_an_old_presentation_are_shown(
    text: str, runs: Sequence[tuple[int, int, bytes]], shown: str
) -> None:
    letters = b"".join(struct.pack("<II", count, mask) + values for count, mask, values in runs)
    paragraph = struct.pack("<IHIH", len(text) + 1, 0, 0x800, 1)
    words = record(0x0FA8, text.encode()) + record(0x0FA1, paragraph + letters)
    fonts = record(0x0FB7, "Symbol\0".encode("utf-16-le"), 1)
    slide = record(0x03EE, shape_97(record(0xF00D, words)), container=True)
    listed = record(0x0FF0, record(0x03F3, struct.pack("<IIiII", 1, 0, 0, 256, 0)), container=True)
    document = record(0x03E8, fonts + listed, container=True)
    places_of = record(0x1772, struct.pack("<II", 1 << 20 | 1, len(document)))
    assert text_of("ole", compound({"PowerPoint Document": document + slide + places_of})) == f"{shown}\n"


def test_letters_of_an_old_presentation_whose_paragraphs_are_cut_off_are_kept() -> None:
    words = record(0x0FA8, b"Ebb") + record(0x0FA1, struct.pack("<IHI", 2, 0, 0))
    slide = record(0x03EE, shape_97(record(0xF00D, words)), container=True)
    assert list(powerpoint._texts(slide, 0, len(slide))) == ["Ebb"]


def test_merged_cells_of_an_old_table_stand_in_all_their_rows() -> None:
    tall = shape_97(record(0xF00F, struct.pack("<4i", 0, 9, 9, 27)), record(0xF00D, record(0x0FA8, b"North")))
    cells = [cell_97(0, 0, "Pier"), cell_97(9, 0, "Ship"), tall, cell_97(9, 9, "Gull"), cell_97(9, 18, "Tern")]
    slide = record(0x03EE, table_97(*cells), container=True)
    assert list(powerpoint._texts(slide, 0, len(slide))) == [
        "Pier | Ship\nPier: North | Ship: Gull\nPier: North | Ship: Tern"
    ]


FOUR_97 = [cell_97(0, 0, "Boat"), cell_97(9, 0, "Fee"), cell_97(0, 9, "Gull"), cell_97(9, 9, "35")]


@pytest.mark.parametrize(
    ("parts", "texts"),
    [
        ([*FOUR_97, cell_97(9, 9, "36")], ["Boat | Fee\nBoat: Gull | Fee: 35 36"]),
        ([*FOUR_97, shape_97(record(0x0FA8, b"free"))], ["Boat", "Fee", "Gull", "35", "free"]),
        ([*FOUR_97, record(0xF003, cell_97(5, 5, "36"), container=True)], ["Boat", "Fee", "Gull", "35", "36"]),
        ([cell_97(at, at, str(at)) for at in range(2_000)], [str(at) for at in range(2_000)]),
        ([table_97(*FOUR_97), cell_97(0, 0, "Boat")], ["Boat | Fee\nBoat: Gull | Fee: 35", "Boat"]),
    ],
    ids=["two in a place", "in no place", "in a group", "on a diagonal", "a table within"],
)
def test_no_text_of_a_table_of_an_old_presentation_is_lost(parts: list[bytes], texts: list[str]) -> None:
    assert [text for slide in powerpoint.slides(table_97(*parts)) for text in slide.texts] == texts


def test_tables_in_each_others_cells_in_an_old_presentation_are_read_as_deep_as_others() -> None:
    table = cell_97(0, 0, "deep")
    for _ in range(600):
        table = shape_97(table_97(table), record(0xF00F, struct.pack("<4i", 0, 0, 9, 9)))
    outer = table_97(cell_97(0, 0, "Boat"), table)
    assert [slide.texts for slide in powerpoint.slides(outer)] == [["Boat"]]

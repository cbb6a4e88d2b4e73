"""Signs and cells as people see them: raised digits, merged cells, symbols, hidden words."""

# ruff: noqa: E501, ISC004 (a table of files, one a row)

import re

import pytest

from biblicus.extraction.kit.characters import lowered, raised, symbol, with_fractions
from biblicus.extraction.kit.grids import Cell, rows
from biblicus.models.extraction import Extraction
from tests.extraction.office_files import REL, extracted, opendocument, text_of, word, workbook, zipped
from tests.extraction.reading import read
from tests.sampling import each

RTF = r"{\rtf1\ansi{\fonttbl{\f0 Arial;}{\f2\fcharset2 Symbol;}{\f3\fcharset2 Wingdings;}}%s\par}"
ODF_STYLES = (
    "<styles><style name='up'><text-properties text-position='super 58%'/></style>"
    "<style name='down'><text-properties text-position='-33% 58%'/></style>"
    "<style name='gone'><text-properties display='none'/></style>"
    "<style name='ding'><text-properties font-name='Wingdings'/></style></styles>"
)


def odt(body: str) -> bytes:
    return zipped({"content.xml": f"<doc>{ODF_STYLES}<body><text>{body}</text></body></doc>"})


def slide(shapes: str) -> bytes:
    return zipped({"ppt/slides/slide1.xml": f"<sld><cSld><spTree>{shapes}</spTree></cSld></sld>"})


def box(runs: str) -> bytes:
    return slide(f"<sp><txBody><p>{runs}</p></txBody></sp>")


def run(text: str, look: str = "") -> str:
    return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"


UP, DOWN = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
XML_TABLE = "<table>{}</table>"


def sheet(rows_of_cells: str, after: str = "", before: str = "") -> bytes:
    xl = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relation = f'<Relationships><Relationship Id="r1" Type="{REL}/worksheet" Target="s.xml"/></Relationships>'
    return zipped(
        {
            "xl/workbook.xml": f'<workbook {xl} xmlns:r="{REL}"><sheets><sheet name="Q" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relation,
            "xl/s.xml": f"<worksheet {xl}>{before}<sheetData>{rows_of_cells}</sheetData>{after}</worksheet>",
        }
    )


def sheet_rows(*texts: str, hidden: int = 0) -> str:
    """Rows of a sheet: cells apart by `|`."""
    lines = []
    for number, line in enumerate(texts, 1):
        cells = [
            f'<c r="{"ABCDEF"[at]}{number}" t="inlineStr"><is><t>{cell}</t></is></c>'
            for at, cell in enumerate(line.split("|"))
            if cell
        ]
        lines.append(
            f'<row r="{number}"{" hidden=" + chr(34) + "1" + chr(34) if number == hidden else ""}>{"".join(cells)}</row>'
        )
    return "".join(lines)


@each(
    ("kind", "raw", "expected"),
    [
        ("docx", word(f"<w:p>{run('10')}{run('6', UP)}{run(' litres')}</w:p>"), "10⁶ litres"),
        ("docx", word(f"<w:p>{run('H')}{run('2', DOWN)}{run('O')}</w:p>"), "H₂O"),
        ("docx", word(f"<w:p>{run('2')}{run('1', UP)}{run('/')}{run('2', DOWN)}{run(' cups')}</w:p>"), "2 1/2 cups"),
        ("docx", word(f"<w:p>{run('1')}{run('st', UP)}{run(' boat')}</w:p>"), "1st boat"),
        ("docx", word("<w:p><m:oMath xmlns:m='m'><m:sSup><m:e><m:r><m:t>e</m:t></m:r></m:e><m:sup><m:r><m:t>a+b</m:t>"
                      "</m:r></m:sup></m:sSup></m:oMath></w:p>"), "e^(a+b)"),
        ("pptx", box('<r><t>10</t></r><r><rPr baseline="30000"/><t>-3</t></r>'), "10⁻³"),
        ("pptx", box('<r><t>CO</t></r><r><rPr baseline="-25000"/><t>2</t></r>'), "CO₂"),
        ("xlsx", workbook('<c r="A1" t="inlineStr"><is><r><t>5 m</t></r><r><rPr><vertAlign val="superscript"/></rPr>'
                          "<t>2</t></r></is></c>"), "Q\n\n5 m²"),
        ("odf", odt("<p>10<span style-name='up'>6</span> and H<span style-name='down'>2</span>O</p>"), "10⁶ and H₂O"),
        ("rtf", RTF % r"10{\super 6} and H{\sub 2}O, 1{\super st}", "10⁶ and H₂O, 1st"),
        ("html", "<p>10<sup>6</sup>, H<sub>2</sub>O, 2<sup>1</sup>/<sub>2</sub>, 1<sup>st</sup>, so<sup>[1]</sup></p>",
         "10⁶, H₂O, 2 1/2, 1st, so[1]"),
        ("html", "<p>is <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> of "
                 "<math><mroot><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mn>3</mn></mroot></math></p>",
         "is 1/2 of ³√(x+1)"),
        ("docx", word(f"<w:p>{run('5')}{run('3', '<w:position w:val=' + chr(34) + '9' + chr(34) + '/><w:sz/>')}</w:p>"), "5³"),
        ("xml", "<article xmlns='http://docbook.org/ns/docbook'><para>10<superscript>6</superscript> and H<subscript>2"
                "</subscript>O</para></article>", "10⁶ and H₂O"),
        ("asciidoc", "10^6^ and H~2~O", "10⁶ and H₂O"),
    ],
)  # fmt: skip
def test_raised_and_lowered_digits_stay_apart(kind: str, raw: bytes | str, expected: str) -> None:
    assert read(kind, raw, f"text/x-{kind}").text.strip() == expected


def test_letters_above_the_line_are_no_powers() -> None:
    assert [raised("6"), raised("st"), raised("n+1"), raised("2x"), raised("*"), raised(" ")] == [
        "⁶", "st", "ⁿ⁺¹", "^(2x)", "*", " "
    ]  # fmt: skip
    assert lowered("max") == "max"
    assert [raised("²"), raised("2²"), lowered("₂"), raised("٣")] == ["²", "^(2²)", "₂", "^٣"]
    assert with_fractions("3¹/₂ of ¾") == "3 1/2 of ¾"


FEES = ["Season | Boat | Fee", "Season: Summer | Boat: Gull | Fee: 35", "Season: Summer | Boat: Tern | Fee: 42"]


def _docx_cell(text: str, merge: str = "") -> str:
    return f"<w:tc><w:tcPr>{merge}</w:tcPr><w:p>{run(text)}</w:p></w:tc>"


@each(
    ("kind", "raw"),
    [
        ("docx", word("<w:tbl>" + "".join(f"<w:tr>{''.join(row)}</w:tr>" for row in (
            map(_docx_cell, ("Season", "Boat", "Fee")),
            (_docx_cell("Summer", '<w:vMerge w:val="restart"/>'), _docx_cell("Gull"), _docx_cell("35")),
            (_docx_cell("", "<w:vMerge/>"), _docx_cell("Tern"), _docx_cell("42")))) + "</w:tbl>")),
        ("pptx", slide("<graphicFrame><tbl>" + "".join("<tr>" + "".join(
            f"<tc {more}><txBody><p><r><t>{text}</t></r></p></txBody></tc>" for text, more in row) + "</tr>" for row in (
                (("Season", ""), ("Boat", ""), ("Fee", "")), (("Summer", 'rowSpan="2"'), ("Gull", ""), ("35", "")),
                (("", 'vMerge="1"'), ("Tern", ""), ("42", "")))) + "</tbl></graphicFrame>")),
        ("odf", odt(
            "<table><table-row><table-cell><p>Season</p></table-cell><table-cell><p>Boat</p></table-cell><table-cell>"
            "<p>Fee</p></table-cell></table-row><table-row><table-cell number-rows-spanned='2'><p>Summer</p></table-cell>"
            "<table-cell><p>Gull</p></table-cell><table-cell><p>35</p></table-cell></table-row><table-row>"
            "<covered-table-cell/><table-cell><p>Tern</p></table-cell><table-cell><p>42</p></table-cell></table-row>"
            "</table>")),
        ("rtf", RTF % (
            r"\trowd\cellx1\cellx2\cellx3\intbl Season\cell Boat\cell Fee\cell\row"
            r"\trowd\clvmgf\cellx1\cellx2\cellx3\intbl Summer\cell Gull\cell 35\cell\row"
            r"\trowd\clvmrg\cellx1\cellx2\cellx3\intbl\cell Tern\cell 42\cell\row\pard")),
        ("html", "<table><tr><th>Season<th>Boat<th>Fee</tr><tr><td rowspan=2>Summer<td>Gull<td>35</tr>"
                 "<tr><td>Tern<td>42</tr></table>"),
        ("xlsx", sheet(sheet_rows("Season|Boat|Fee", "Summer|Gull|35", "|Tern|42"),
                       '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>')),
        ("xml", "<article xmlns='http://docbook.org/ns/docbook'><informaltable><tgroup cols='3'><thead><row><entry>Season"
                "</entry><entry>Boat</entry><entry>Fee</entry></row></thead><tbody><row><entry morerows='1'>Summer</entry>"
                "<entry>Gull</entry><entry>35</entry></row><row><entry>Tern</entry><entry>42</entry></row></tbody></tgroup>"
                "</informaltable></article>"),
    ],
)  # fmt: skip
def test_each_row_says_the_value_of_a_cell_over_several_rows(kind: str, raw: bytes | str) -> None:
    lines = text_of(kind, raw if isinstance(raw, bytes) else raw.encode()).strip().split("\n")
    assert lines[-3:] == FEES


@each(
    ("kind", "raw"),
    [
        ("asciidoc", "|===\n|Season |Boat |Fee\n\n.2+|Summer |Gull |35\n|Tern |42\n|==="),
        ("wiki", '{|\n! Season !! Boat !! Fee\n|-\n| rowspan="2" | Summer || Gull || 35\n|-\n| Tern || 42\n|}'),
    ],
)
def test_each_row_of_markup_says_the_value_of_a_cell_over_several_rows(kind: str, raw: str) -> None:
    shown = text_of(kind, raw.encode())
    assert "| Summer | Gull | 35 |" in shown
    assert "| Summer | Tern | 42 |" in shown


def test_a_cell_over_columns_and_rows_takes_its_places() -> None:
    raw = "|===\n|A |B |C\n\n2.2+|wide |1\n|2\n|x |y |3\n|==="
    assert [line for line in text_of("asciidoc", raw.encode()).split("\n") if line][3:] == [
        "| wide | wide | 1 |", "| wide | wide | 2 |", "| x | y | 3 |"
    ]  # fmt: skip


RATES = ["Boat | Summer Day | Summer Week", "Boat: Gull | Summer Day: 10 | Summer Week: 60"]


@each(
    ("kind", "raw"),
    [
        ("xlsx", sheet(sheet_rows("Boat|Summer|", "|Day|Week", "Gull|10|60"),
                       '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>')),
        ("odf", opendocument(
            "<spreadsheet><table name='Q'><table-row><table-cell number-rows-spanned='2'><p>Boat</p></table-cell>"
            "<table-cell number-columns-spanned='2'><p>Summer</p></table-cell><covered-table-cell/></table-row>"
            "<table-row><covered-table-cell/><table-cell><p>Day</p></table-cell><table-cell><p>Week</p></table-cell>"
            "</table-row><table-row><table-cell><p>Gull</p></table-cell><table-cell><p>10</p></table-cell>"
            "<table-cell><p>60</p></table-cell></table-row></table></spreadsheet>")),
    ],
)  # fmt: skip
def test_names_of_columns_in_two_rows_are_joined(kind: str, raw: bytes) -> None:
    assert text_of(kind, raw).strip().split("\n")[-2:] == RATES


def test_a_page_names_columns_by_two_rows_of_headers() -> None:
    head = "<tr><th rowspan=2>Boat<th colspan=2>Summer</tr><tr><th>Day<th>Week</tr>"
    text = text_of("html", f"<table>{head}<tr><td>Gull<td>10<td>60</tr></table>".encode())
    assert text.strip().split("\n")[-1] == RATES[1]


@each(
    ("table", "lines"),
    [
        ([["Company", "Ropeworks"], ["City", "Northmole"], ["Boats", "4"]],
         ["Company: Ropeworks", "City: Northmole", "Boats: 4"]),
        ([["Boat", "Fee"], ["Gull", "35"], ["Tern", "42"]], ["Boat | Fee", "Boat: Gull | Fee: 35", "Boat: Tern | Fee: 42"]),
        ([[Cell("Fees of 2026", 3)], ["Boat", "Day", "Week"], ["Gull", "10", "60"]],
         ["Fees of 2026", "Boat | Day | Week", "Boat: Gull | Day: 10 | Week: 60"]),
        ([["Boat", "Day", "Week"], ["Gull", Cell("free", 2)]], ["Boat | Day | Week", "Boat: Gull | Day: free | Week: free"]),
        ([["Gull", Cell("free", 2)], ["Tern", "7", "9"]], ["Gull | free", "Tern | 7 | 9"]),
        ([["a", "1"], [Cell("", 1, 0), "c"]], ["a | 1", "a | c"]),
        ([["", "Summer", "", "Winter", ""], ["Boat", "Day", "Week", "Day", "Week"], ["Gull", "10", "60", "5", "30"]],
         ["Boat | Summer Day | Summer Week | Winter Day | Winter Week",
          "Boat: Gull | Summer Day: 10 | Summer Week: 60 | Winter Day: 5 | Winter Week: 30"]),
        ([["Name:", "Ada", "City:", "Tolvay"], ["Born:", "1990", "Phone:", "555"]],
         ["Name: Ada | City: Tolvay", "Born: 1990 | Phone: 555"]),
        ([["Fees", "", ""], ["Gull", "free", "free"], ["Tern", "7", "9"]], ["Fees", "Gull | free | free", "Tern | 7 | 9"]),
    ],
)  # fmt: skip
def test_tables_with_merged_cells_and_forms(table: list[list[str | Cell]], lines: list[str]) -> None:
    assert rows(table) == lines


def test_a_form_in_a_sheet_is_no_table_with_a_header() -> None:
    text = text_of("xlsx", sheet(sheet_rows("Company|Ropeworks", "City|Northmole", "Boats|4")))
    assert text == "Q\n\nCompany: Ropeworks\nCity: Northmole\nBoats: 4\n"


@each(
    ("kind", "raw", "expected"),
    [
        ("docx", word('<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r><w:r><w:t> paid </w:t></w:r><w:r>'
                      '<w:sym w:font="Wingdings" w:char="F0A8"/></w:r><w:r><w:t> open</w:t></w:r></w:p>'), "☑ paid ☐ open"),
        ("docx", word(f"<w:p>{run('5 ')}{run('m', '<w:rFonts w:ascii=' + chr(34) + 'Symbol' + chr(34) + '/>')}{run('m')}</w:p>"),
         "5 μm"),
        ("pptx", box('<r><rPr><sym typeface="Wingdings"/></rPr><t>\uf0e0</t></r><r><t> next</t></r>'), "→ next"),
        ("docx", word('<w:p><w:r><w:fldChar><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar>'
                      '<w:t>paid</w:t></w:r></w:p>'), "☑ paid"),
        ("docx", word('<w:p><w:r><w:fldChar><w:ffData><w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>'
                      '</w:ffData></w:fldChar><w:t>paid</w:t></w:r></w:p>'), "☐ paid"),
        ("rtf", RTF % r"A {\*\cs3\i quiet} heron", "A quiet heron"),
        ("rtf", RTF % r"5 {\f2 m}m {\f3\'fe} {\f3\u-3928?}", "5 μm ☑ ☐"),
        ("odf", odt("<p><span style-name='ding'>\uf0fc</span> done</p>"), "✓ done"),
        ("html", "<p><font face=Symbol>m</font>g <span style='font-family: Wingdings'>&#254;</span> paid</p>", "μg ☑ paid"),
        ("html", "<ul><li><input type=checkbox checked> paid<li><input type=checkbox> open</ul><input type=checkbox>",
         "- ☑ paid\n- ☐ open"),
    ],
)  # fmt: skip
def test_symbols_are_the_signs_that_people_see(kind: str, raw: bytes | str, expected: str) -> None:
    assert text_of(kind, raw if isinstance(raw, bytes) else raw.encode()).strip() == expected


def test_the_tables_of_symbols_have_their_signs_at_their_codes() -> None:
    assert [symbol(code, "Symbol") for code in (0x6D, 0xF0B7, 0xAE, 0xB3)] == ["μ", "•", "→", "≥"]
    assert [symbol(code, "wingdings") for code in (0xFC, 0xFD, 0xA8, 0x4A, 0xE8)] == ["✓", "☒", "☐", "☺", "→"]
    assert symbol(0xF0FF, "Unknown") == ""
    assert symbol(0x41, "Arial") == "A"


@each(
    ("kind", "raw", "expected"),
    [
        ("docx", word(f"<w:p>{run('Seen. ')}{run('Secret.', '<w:vanish/>')}</w:p>"), "Seen.\n\nHidden text: Secret."),
        ("docx", word(f"<w:p>{run('Seen.', '<w:vanish w:val=' + chr(34) + '0' + chr(34) + '/>')}</w:p>"), "Seen."),
        ("odf", odt("<p>Seen. <span style-name='gone'>Secret.</span></p>"), "Seen.\n\nHidden text: Secret."),
        ("odf", odt("<p>Seen.</p><section display='none'><p>Secret.</p></section>"), "Seen.\n\nHidden text: Secret."),
        ("rtf", RTF % r"Seen. {\v Secret.}", "Seen.\n\nHidden text: Secret."),
        ("rtf", RTF % r"It costs {\strike 35} 42.", "It costs 42."),
        ("docx", word(f"<w:p>{run('It costs ')}{run('35 ', '<w:strike/>')}{run('42.')}</w:p>"), "It costs 42."),
        ("pptx", box('<r><t>It costs </t></r><r><rPr strike="sngStrike"/><t>35 </t></r><r><t>42.</t></r>'), "It costs 42."),
        ("html", "<p>It costs <span style='text-decoration: line-through'>35</span> 42.</p>", "It costs 42."),
        ("xml", "<FictionBook><body><section><p>It costs <strikethrough>35</strikethrough> 42.</p></section></body>"
                "</FictionBook>", "It costs 42."),
        ("xlsx", sheet(sheet_rows("Boat|Fee|Note", "Gull|35|old", hidden=2), before="<cols><col min='3' max='3' hidden='1'/></cols>"),
         "Q\n\nBoat | Fee | Note (hidden column)\n(hidden row) Boat: Gull | Fee: 35 | Note: old (hidden column)"),
    ],
)  # fmt: skip
def test_hidden_words_are_named_and_deleted_ones_left_out(kind: str, raw: bytes | str, expected: str) -> None:
    assert text_of(kind, raw if isinstance(raw, bytes) else raw.encode()).strip() == expected


@each(
    ("raw", "expected", "hidden"),
    [
        ("<p>The fee is <del>40</del> <s>50</s> 55.<span style='display: none'>cheap</span></p>", "The fee is 55.", "cheap"),
        ("<p>Seen.</p><div style='Visibility:hidden'>Not<p>so <b style='visibility:visible'>but this</b></div>", "Seen.\n\nbut this", "Not so"),
        ("<td style='font-size:0px'><p style='font-size: 13px'>Seen.</p></td><p style='font-size:0'>S<b>e</b>cret.", "Seen.", "Secret."),
        ("<p>Seen.</p><ul hidden><li>One<li>Two</ul><pre style='display:none'><code>x = 1</code></pre>", "Seen.", "One Two; x = 1"),
        ("<p style='color:#FFF'>Secret.</p><p style='background:navy'><font color=white>Seen.</font></p>", "Seen.", "Secret."),
        ("<style>p {background: navy}</style><p style='color:white'>Seen.<p style='color:rgb(238, 238,238); background-color: #eee'>Secret.", "Seen.", "Secret."),
    ],
)  # fmt: skip
def test_what_nobody_sees_of_a_page_is_no_text_and_named_as_hidden(raw: str, expected: str, hidden: str) -> None:
    for kind, whole in (("html", raw), ("mail", f"Content-Type: text/html\n\n{raw}")):
        outcome = extracted(kind, whole.encode())
        assert isinstance(outcome, Extraction)
        assert outcome.text.strip() == expected
        assert outcome.metadata["hidden_text"] == hidden


@pytest.mark.parametrize(("top", "order"), [(9, "a b"), (1, "b a")])
def test_shapes_of_a_slide_stand_from_top_to_bottom(top: int, order: str) -> None:
    def shape(text: str, y: int) -> str:
        frame = f'<spPr><xfrm><off x="0" y="{y}"/><ext cx="5" cy="1"/></xfrm></spPr>'
        return f"<sp>{frame}<txBody><p><r><t>{text}</t></r></p></txBody></sp>"

    assert re.split(r"\s+", text_of("pptx", slide(shape("a", 5) + shape("b", top))).strip()) == order.split()

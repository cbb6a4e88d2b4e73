"""Numbers of lists, captions, formats of charts and symbol fonts, in every office format that has them."""

import io
import struct
import time
import tracemalloc
import zipfile

from biblicus.models.extraction import Extraction
from tests.extraction.office_files import REL, W, extracted, said, text_of, word, workbook, zipped
from tests.extraction.ole_files import compound, word_97
from tests.sampling import each


def _docx_level(at: int, kind: str, text: str, more: str = "") -> str:
    return f'<w:lvl w:ilvl="{at}"><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'


def _docx_item(text: str, level: int, name: int = 1) -> str:
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{name}"/></w:numPr>'
    return f"<w:p><w:pPr>{numbered}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def _docx(body: str, override: str = "") -> bytes:
    levels = _docx_level(0, "upperRoman", "Art. %1") + _docx_level(1, "decimal", "%1.%2", "<w:isLgl/>")
    return word(
        body,
        numbering=f'<w:numbering {W}><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:num w:numId="1">'
        '<w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        f"{override}</w:lvlOverride></w:num></w:numbering>",
    )


_STYLES = (
    "<automatic-styles><list-style name='L'><list-level-style-number level='1' num-format='I' num-prefix='Art. '/>"
    "<list-level-style-number level='2' num-format='1' display-levels='2'/></list-style><list-style name='B'>"
    "<list-level-style-bullet level='1'/></list-style></automatic-styles>"
)
_OUTLINE = (
    "<doc><outline-style><outline-level-style level='1' num-format='1'/><outline-level-style level='2' num-format='1' "
    "display-levels='2'/><outline-level-style level='3' num-format=''/></outline-style></doc>"
)


def _odt(body: str) -> bytes:
    return zipped({"content.xml": f"<doc>{_STYLES}<body><text>{body}</text></body></doc>", "styles.xml": _OUTLINE})


def _items(*texts: str) -> str:
    return "".join(f"<list-item><p>{text}</p></list-item>" for text in texts)


def _level_97(kind: int, text: str, flags: int = 0) -> bytes:
    return struct.pack("<iBB22x", 1, kind, flags) + struct.pack("<H", len(text)) + text.encode("utf-16-le")


def _doc(*paragraphs: tuple[str, int, int]) -> bytes:
    """A document of Word 97 of paragraphs with the number of their list and their level."""
    levels = [_level_97(1, "Art. \0"), _level_97(0, "\0.\1", 4), *[_level_97(23, "o")] * 7]
    definitions = struct.pack("<H", 1) + struct.pack("<i24x", 7) + b"".join(levels)
    lists = struct.pack("<I", 2) + struct.pack("<i8xB3x", 7, 0) + struct.pack("<i8xB3x", 7, 1)
    lists += struct.pack("<4x4xiI", 3, 0x10)
    parts = [
        (text, struct.pack("<HHHHBHB", 0, 0x460B, number, 0x260A, level, 0x2416, text[-1] == "\x07") + b"\0", False)
        for text, number, level in paragraphs
    ]
    ends = [("\x07", b"\0\0\x16\x24\1\x17\x24\1", False)] if paragraphs[-1][0][-1] == "\x07" else []
    document, table = word_97([*parts, *ends], lists=(definitions, lists))
    return compound({"WordDocument": document, "1Table": table})


_CELL = "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"


@each(
    ("kind", "raw", "expected"),
    [
        (
            "docx",
            _docx(_docx_item("a", 0) + _docx_item("b", 1) + _docx_item("c", 0)),
            "- Art. I a\n\n1.1 b\n\n- Art. II c",
        ),
        ("docx", _docx(_docx_item("a", 0) + _docx_item("", 0) + _docx_item("c", 0)), "- Art. I a\n- Art. III c"),
        (
            "docx",
            _docx(_docx_item("a", 0) + _docx_item("b", 0, 2), '<w:startOverride w:val="7"/>'),
            "- Art. I a\n- Art. VII b",
        ),
        (
            "docx",
            _docx(_docx_item("a", 0) + _docx_item("b", 0, 2), _docx_level(0, "decimal", "%1)")),
            "- Art. I a\n2) b",
        ),
        ("docx", _docx(_CELL.format(_docx_item("a", 0) + _docx_item("b", 1))), "Art. I a 1.1 b | x"),
        (
            "odf",
            _odt(
                f"<list style-name='L'>{_items('a')}<list-item><p>b</p><list>{_items('c', 'd')}</list></list-item>"
                "</list>"
            ),
            "- Art. I a\n- Art. II b\n\nII.1 c\n\nII.2 d",
        ),
        (
            "odf",
            _odt(
                f"<list style-name='L'>{_items('a')}</list><p>-</p><list style-name='L' continue-numbering='true'>"
                f"{_items('b')}</list><list style-name='L'>{_items('c')}</list>"
            ),
            "- Art. I a\n\n-\n\n- Art. II b\n- Art. I c",
        ),
        (
            "odf",
            _odt(
                f"<list style-name='L' id='x'>{_items('a')}</list><list style-name='B'>{_items('b')}</list>"
                f"<list style-name='L' continue-list='x'>{_items('', 'c')}</list>"
            ),
            "- Art. I a\n- b\n- Art. III c",
        ),
        ("odf", _odt("<list style-name='L'><list-item start-value='4'><p>a</p></list-item></list>"), "- Art. IV a"),
        (
            "odf",
            _odt(
                f"<table><table-row><table-cell><list style-name='L'>{_items('a', 'b')}</list></table-cell>"
                "<table-cell><p>x</p></table-cell></table-row></table>"
            ),
            "Art. I a Art. II b | x",
        ),
        (
            "odf",
            _odt(
                "<h outline-level='1'>a</h><h outline-level='2'>b</h><h outline-level='3'>c</h>"
                "<h outline-level='2'>d</h>"
            ),
            "1 a\n\n1.1 b\n\nc\n\n1.2 d",
        ),
        ("odf", _odt("<list style-name='L'><list-item><h outline-level='1'>a</h></list-item></list>"), "Art. I a"),
        (
            "rtf",
            (
                rb"{\rtf1\trowd\cellx9\cellx18\pard{\listtext 1.\tab}\ls1\intbl a\par\pard{\listtext 2.\tab}\intbl b"
                rb"\cell x\cell\row\pard{\listtext 3.\tab}c\par}"
            ),
            "1. a 2. b | x\n\n3. c",
        ),
        (
            "ole",
            _doc(("a\r", 1, 0), ("b\r", 1, 1), ("\r", 1, 1), ("c\r", 1, 1), ("d\r", 2, 0), ("e\r", 9, 0)),
            "- Art. I a\n\n1.1 b\n\n1.3 c\n\n- Art. III d\n\ne",
        ),
        ("ole", _doc(("a\r", 0, 0), ("b\r", 1, 0), ("c\x07", 1, 1)), "a\n\n- Art. I b\n\n1.1 c"),
        ("ole", _doc(("a\x07", 1, 0), ("b\x07", 1, 1)), "Art. I a | 1.1 b"),
    ],
)
def test_paragraphs_have_the_numbers_of_their_lists(kind: str, raw: bytes, expected: str) -> None:
    assert text_of(kind, raw).strip() == expected


def test_slides_have_letters_and_roman_numbers() -> None:
    from pptx import Presentation
    from pptx.oxml import parse_xml

    presentation = Presentation()
    frame = presentation.slides.add_slide(presentation.slide_layouts[6]).shapes.add_textbox(0, 0, 9, 9).text_frame
    schemes = (("romanUcPeriod", 3, 0), ("alphaLcParenBoth", 1, 1), ("alphaLcParenBoth", 1, 1), ("romanUcPeriod", 3, 0))
    for number, (scheme, start, level) in enumerate(schemes):
        paragraph = frame.add_paragraph() if number else frame.paragraphs[0]
        paragraph.text, paragraph.level = "abcd"[number], level
        namespace = "http://schemas.openxmlformats.org/drawingml/2006/main"
        sign = parse_xml(f'<a:buAutoNum xmlns:a="{namespace}" type="{scheme}" startAt="{start}"/>')
        paragraph._p.get_or_add_pPr().append(sign)
    written = io.BytesIO()
    presentation.save(written)
    assert text_of("pptx", written.getvalue()) == "- III. a\n- (a) b\n- (b) c\n- IV. d\n"


_FEES = "Boat | Fee\nBoat: Gull | Fee: 35\nBoat: Tern | Fee: 42"
_VALUES = (("Boat", "Fee"), ("Gull", "35"), ("Tern", "42"))


def _rows(row: str, cell: str) -> str:
    return "".join(row.format("".join(cell.format(value) for value in values)) for values in _VALUES)


_DOCX_TABLE = f"<w:tbl>{_rows('<w:tr>{}</w:tr>', '<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>')}</w:tbl>"
_ODT_TABLE = f"<table>{_rows('<table-row>{}</table-row>', '<table-cell><p>{}</p></table-cell>')}</table>"
_RTF_TABLE = _rows(r"\trowd\cellx9\cellx18\pard\intbl {}\row", r"{}\cell ") + r"\pard "
_HTML_TABLE = f"<table>{_rows('<tr>{}</tr>', '<td>{}</td>')}</table>"
_DOCX_CAPTION = '<w:p><w:pPr><w:pStyle w:val="c"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
_SEQUENCE = (
    '<w:p><w:r><w:t>Table </w:t></w:r><w:fldSimple w:instr=" SEQ Table "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>'
)
_DOCX_HEADING = '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Tolvay</w:t></w:r></w:p>'
_PICTURE = '<w:p><w:r><docPr descr="A gull"/><blip/></w:r></w:p>'
_BARE_PICTURE = "<w:p><w:r><blip/></w:r></w:p>"


def _captioned(body: str) -> bytes:
    caption = '<w:style w:type="paragraph" w:styleId="c"><w:name w:val="caption"/></w:style>'
    return word(body, styles=f"<w:styles {W}>{caption}</w:styles>")


@each(
    ("kind", "raw", "expected"),
    [
        (
            "docx",
            _captioned(said("One.") + _DOCX_CAPTION.format("Table 1") + said("") + _DOCX_TABLE + said("Two.")),
            f"One.\n\nTable 1\n{_FEES}\n\nTwo.",
        ),
        ("docx", _captioned(_DOCX_TABLE + _DOCX_CAPTION.format("Table 1") + said("Two.")), f"{_FEES}\nTable 1\n\nTwo."),
        (
            "docx",
            _captioned(_DOCX_TABLE + _DOCX_CAPTION.format("Table 2") + _DOCX_TABLE),
            f"{_FEES}\n\nTable 2\n{_FEES}",
        ),
        ("docx", word(_SEQUENCE + _DOCX_TABLE), f"Table 1\n{_FEES}"),
        (
            "docx",
            _captioned(_PICTURE + _DOCX_CAPTION.format("Figure 1") + _DOCX_TABLE),
            f"[Image: A gull]\nFigure 1\n\n{_FEES}",
        ),
        (
            "docx",
            _captioned(said("One.") + _BARE_PICTURE + _DOCX_CAPTION.format("Figure 1") + _DOCX_TABLE),
            f"One.\n\nFigure 1\n\n{_FEES}",
        ),
        ("docx", _captioned(said("One.") + _DOCX_CAPTION.format("Alone")), "One.\n\nAlone"),
        (
            "odf",
            _odt(f"<p>Table <sequence>1</sequence>: Fees</p>{_ODT_TABLE}<p>Two.</p>"),
            f"Table 1: Fees\n{_FEES}\n\nTwo.",
        ),
        (
            "odf",
            zipped(
                {
                    "content.xml": "<doc><style name='P1' parent-style-name='Table'/><body><text>"
                    f"<p style-name='P1'>Fees</p>{_ODT_TABLE}</text></body></doc>",
                    "styles.xml": "<doc><style name='Table' parent-style-name='Caption'/></doc>",
                }
            ),
            f"Fees\n{_FEES}",
        ),
        (
            "odf",
            _odt("<p><frame><desc>A gull</desc></frame></p><p>Figure <sequence>1</sequence></p><p>Two.</p>"),
            "[Image: A gull]\nFigure 1\n\nTwo.",
        ),
        (
            "rtf",
            (r"{\rtf1{\stylesheet{\s3 caption;}}\pard\s3 Table 1\par " + _RTF_TABLE + r"Two.\par}").encode(),
            f"Table 1\n{_FEES}\n\nTwo.",
        ),
        (
            "rtf",
            (
                rb"{\rtf1{\stylesheet{\s3 caption;}}\pard{\pict{\*\picprop{\sp{\sn wzName}{\sv x}}{\sp{\sn "
                rb"wzDescription}{\sv A gull}}}00ff}\par\pard\s3 Figure 1\par}"
            ),
            "[Image: A gull]\nFigure 1",
        ),
        (
            "html",
            f"<p>One.</p><p class=MsoCaption>Table 1</p><div>{_HTML_TABLE}</div><p>Two.</p>".encode(),
            f"One.\n\nTable 1\n{_FEES}\n\nTwo.",
        ),
        (
            "html",
            b"<p><img alt='A grey gull'></p><p class=MsoCaption>Figure 1</p><p>Two.</p>",
            "[Image: A grey gull]\nFigure 1\n\nTwo.",
        ),
    ],
)
def test_a_caption_is_a_part_of_its_table_or_figure(kind: str, raw: bytes, expected: str) -> None:
    assert text_of(kind, raw).strip() == expected


@each(
    ("body", "headings"),
    [
        (_DOCX_CAPTION.format("Fees") + _DOCX_TABLE + said("Two."), [(0, 1, "Fees"), (59, 1, "")]),
        (_DOCX_TABLE + _DOCX_CAPTION.format("Fees") + said("Two."), [(0, 1, "Fees"), (59, 1, "")]),
        (
            _DOCX_HEADING + _DOCX_CAPTION.format("Fees") + _DOCX_TABLE + said("Two."),
            [(0, 2, "Tolvay"), (8, 3, "Fees"), (67, 2, "Tolvay")],
        ),
        (_DOCX_CAPTION.format("Fees") + _DOCX_TABLE + _DOCX_HEADING, [(0, 1, "Fees"), (59, 2, "Tolvay")]),
        (_PICTURE + _DOCX_CAPTION.format("Figure 1") + said("Two."), []),
    ],
)
def test_the_caption_of_a_table_is_the_heading_of_its_rows(body: str, headings: list[tuple[int, int, str]]) -> None:
    outcome = extracted("docx", _captioned(body))
    assert isinstance(outcome, Extraction)
    assert [(part.offset, part.level, part.title) for part in outcome.headings] == headings
    assert outcome.title == ("Tolvay" if "Tolvay" in body else None)


_NUMBERS = (
    "<number-style name='N1'><number min-integer-digits='1'/></number-style>"
    "<percentage-style name='N2'><number decimal-places='1' min-integer-digits='1'/><text>%</text></percentage-style>"
    "<currency-style name='N3'><number decimal-places='2' grouping='true'/><text> </text><currency-symbol>€"
    "</currency-symbol></currency-style><date-style name='N4'><day/><text>.</text><month/><year/></date-style>"
    + "".join(f"<style name='c{at}' data-style-name='N{at}'/>" for at in range(1, 5))
)


def _chart_odf(category: str, value: str, axis: str, series: str, of_categories: str = "c1") -> bytes:
    rows = (
        f"<table-row>{category}<table-cell value-type='float' value='{value}'><p>{value}</p></table-cell></table-row>"
    )
    chart = (
        f"<chart><plot-area><axis name='primary-x' style-name='{of_categories}'/><axis name='primary-y' "
        f"style-name='{axis}'/><series style-name='{series}'/></plot-area><table>{rows}</table></chart>"
    )
    embedded = f"<document><doc>{_NUMBERS}<body><chart>{chart}</chart></body></doc></document>"
    embedded = embedded.replace("<document><doc>", "<document>").replace("</doc></document>", "</document>")
    return f"<doc><body><text><p>-</p><object>{embedded}</object></text></body></doc>".encode()


def _chart_pptx(axis: str, labels: str = "", cached: str = "", value: float = 0.456) -> bytes:
    points = "<numCache>{}<pt idx='0'><v>{}</v></pt></numCache>"
    series = f"<ser>{labels}<cat>{points.format('', 45413)}</cat><val>{points.format(cached, value)}</val></ser>"
    axes = "<dateAx><axId val='1'/><numFmt formatCode='dd.mm.yyyy' sourceLinked='0'/></dateAx>"
    axes += f"<valAx><axId val='2'/><numFmt formatCode='{axis}' sourceLinked='0'/></valAx>"
    chart = f"<chart><barChart>{series}<axId val='1'/><axId val='2'/></barChart>{axes}</chart>"
    return word(f'<w:p><w:r><chart xmlns:r="{REL}" r:id="rchart"/></w:r></w:p>', chart=chart)


def _chart_xlsx(cells: str, before: str = "") -> bytes:
    """A workbook with a cell of 45.6 % and a chart of it."""
    with zipfile.ZipFile(io.BytesIO(workbook(f'{before}<c r="B2" s="1"><v>0.456</v></c>', row="2"))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    relation = f'<Relationships><Relationship Id="r1" Type="{REL}/{{0}}" Target="{{0}}.xml"/></Relationships>'
    cache = "<numCache><formatCode>General</formatCode><pt idx='0'><v>0.456</v></pt></numCache>"
    points = f"<numRef><f>{cells}</f>{cache}</numRef>"
    return zipped(
        {
            **parts,
            "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="10"/></cellXfs></styleSheet>',
            "xl/_rels/s.xml.rels": relation.format("drawing"),
            "xl/drawing.xml": f'<d><graphicFrame><chart xmlns:r="{REL}" r:id="r1"/></graphicFrame></d>',
            "xl/_rels/drawing.xml.rels": relation.format("chart"),
            "xl/chart.xml": f"<chart><barChart><ser><val>{points}</val></ser></barChart></chart>",
        }
    )


_TEXT = "<table-cell value-type='string'><p>2024</p></table-cell>"
_DAY = "<table-cell value-type='float' value='45413'><p>45413</p></table-cell>"


@each(
    ("kind", "raw", "expected"),
    [
        ("odf", _chart_odf(_TEXT, "0.456", "c2", ""), "-\n\n2024 | 45.6%"),
        ("odf", _chart_odf(_TEXT, "1234.5", "c1", "c3", "c4"), "-\n\n2024 | 1,234.50 €"),
        ("odf", _chart_odf(_DAY, "0.456", "c1", "c1", "c4"), "-\n\n2024-05-01 | 0.456"),
        ("docx", _chart_pptx("0.0%"), "2024-05-01 45.6%"),
        ("docx", _chart_pptx("General", value=4.4000000000000004), "2024-05-01 4.4"),
        ("docx", _chart_pptx("General", value=2.0), "2024-05-01 2"),
        ("xlsx", _chart_xlsx("Q!$B$2:$B$9"), "Q\n\n45.60%\n45.60%"),
        ("xlsx", _chart_xlsx("'Q'!$B$2"), "Q\n\n45.60%\n45.60%"),
        ("xlsx", _chart_xlsx("P!$B$2"), "Q\n\n45.60%\n0.456"),
        ("docx", _chart_pptx("General", "<dLbls><numFmt formatCode='0%'/></dLbls>"), "2024-05-01 46%"),
        ("docx", _chart_pptx("0.0%", cached="<formatCode>0.00</formatCode>"), "2024-05-01 0.46"),
    ],
)
def test_numbers_of_charts_are_in_their_format(kind: str, raw: bytes, expected: str) -> None:
    assert text_of(kind, raw).strip() == expected


_MARGINS = (
    "<doc><master-page><header><region-left><p>Board <date>00/00</date></p></region-left><region-right><p>Page "
    "<page-number>1</page-number> of <page-count>9</page-count></p></region-right></header></master-page></doc>"
)


def _ods(cell: str, styles: str = "<doc/>") -> bytes:
    table = f"<table name='Q'><table-row><table-cell {cell}</table-cell></table-row></table>"
    return zipped({"content.xml": f"<doc><body><spreadsheet>{table}</spreadsheet></body></doc>", "styles.xml": styles})


@each(
    ("raw", "expected"),
    [
        (_ods("date-value='2025-05-01'><p>01/05/2025</p>"), "2025-05-01"),
        (_ods("date-value='2025-05-01T08:30:00'><p>01/05/25 8:30</p>"), "2025-05-01 08:30"),
        (_ods("date-value='2025-05-01T00:00:00'>"), "2025-05-01"),
        (_ods("date-value='2025-05-01'><p>1 May 2025</p>"), "1 May 2025"),
        (_ods("><p>Gull</p>", _MARGINS), "Gull\n\nHeader: Board"),
    ],
)
def test_a_sheets_dates_are_clear_and_its_header_is_no_page_number(raw: bytes, expected: str) -> None:
    assert text_of("odf", raw) == f"Q\n\n{expected}\n"


_FACES = "<font-face name='F1' font-family='Symbol'/><style name='s'><p font-name='F1'/></style>"
_WINGDINGS = "<font-face name='F1' font-family=\"'Wingdings'\"/><style name='s'><p font-name='F1'/></style>"


def _ticked() -> bytes:
    cells = '<c r="A1" s="1" t="inlineStr"><is><t>þ</t></is></c><c r="B1" t="inlineStr"><is><t>þing</t></is></c>'
    with zipfile.ZipFile(io.BytesIO(workbook(cells))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    fonts = '<fonts><font><name val="Arial"/></font><font><name val="Wingdings"/></font></fonts>'
    styles = f'<styleSheet>{fonts}<cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>'
    return zipped({**parts, "xl/styles.xml": styles})


@each(
    ("kind", "raw", "expected"),
    [
        (
            "odf",
            f"<doc>{_FACES}<body><text><p>5 <span style-name='s'>m</span>m</p></text></body></doc>".encode(),
            "5 μm",
        ),
        (
            "odf",
            f"<doc>{_WINGDINGS}<body><spreadsheet><table name='Q'><table-row><table-cell style-name='s'><p>þ</p>"
            "</table-cell></table-row></table></spreadsheet></body></doc>".encode(),
            "Q\n\n☑",
        ),
        ("xlsx", _ticked(), "Q\n\n☑ | þing"),
        ("html", b"<p>5 <font face='Symbol, serif'>m</font>m</p>", "5 μm"),
    ],
)
def test_letters_of_symbol_fonts_are_what_is_shown(kind: str, raw: bytes, expected: str) -> None:
    assert text_of(kind, raw).strip() == expected


def _with_levels(levels: str, lists: str = "") -> bytes:
    """A document of Word with a list of these levels, and further lists."""
    items = _docx_item("a", 0) * 1_000
    first = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    return word(
        items,
        numbering=f'<w:numbering {W}><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>{first}{lists}'
        "</w:numbering>",
    )


_DEEP = "<list-style name='L'><list-level-style-number level='{0}' num-format='1' display-levels='{0}'/></list-style>"
_LONG = (
    f"<list-style name='L'><list-level-style-number level='1' num-format='1' num-prefix='{'x' * 90_000}'/></list-style>"
)
_LISTED = f"<list style-name='L'>{_items(*'a' * 1_000)}</list>"
_DERIVED = "".join(f"<style name='s{number}' parent-style-name='s{number + 1}'/>" for number in range(16_000))
_COMMENT = f"<!--{''.join(f'<c {number}' for number in range(40_000))}-->"


def _odt_with(styles: str, body: str = "<p>a</p>") -> bytes:
    return f"<doc><automatic-styles>{styles}</automatic-styles><body><text>{body}</text></body></doc>".encode()


@each(
    ("kind", "raw"),
    [
        ("odf", _odt_with(_DEEP.format(3_000_000), _LISTED)),
        ("odf", _odt_with(_LONG, _LISTED)),
        ("odf", _chart_odf(_DAY, "0.456", "c2", "").replace(b"decimal-places='1'", b"decimal-places='99999999'")),
        ("odf", _odt_with(f"{_DERIVED}<style name='s16000' parent-style-name='Title'/>")),
        ("docx", _with_levels(_docx_level(0, "decimal", "x" * 90_000))),
        (
            "docx",
            _with_levels(
                "".join(_docx_level(level, "none", "") for level in range(3_000)),
                "".join(f'<w:num w:numId="a{n}"><w:abstractNumId w:val="0"/></w:num>' for n in range(2_000)),
            ),
        ),
        ("xlsx", _chart_xlsx("Q!$B$2", _COMMENT)),
    ],
)
def test_hostile_lists_styles_and_formats_take_what_their_size_allows(kind: str, raw: bytes) -> None:
    tracemalloc.start()
    began = time.process_time()
    try:
        extracted(kind, raw)
        assert time.process_time() - began < 8
        assert tracemalloc.get_traced_memory()[1] < 60 << 20
    finally:
        tracemalloc.stop()

"""Office documents in one XML file, and those of OpenOffice.org 1: read as what grew out of them."""

import itertools
from contextlib import suppress

import pytest

from biblicus.errors import BiblicusError
from biblicus.models.extraction import Extraction
from biblicus.models.locator import locator
from biblicus.text import media
from tests.extraction.office_files import extracted, text_of, zipped
from tests.sampling import each

OFFICE = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="t" xmlns:table="b"'


def shown(name: str, raw: bytes) -> dict[str, str]:
    """The text at each place."""
    outcome = extracted(name, raw)
    assert isinstance(outcome, Extraction)
    edges = [spot.offset for spot in outcome.spots] + [len(outcome.text)]
    spans = itertools.pairwise(edges) if outcome.spots else [(0, len(outcome.text))]
    places = {locator(outcome.spots, None, span, (1, 1)).label: outcome.text[slice(*span)].strip() for span in spans}
    return {label: text for label, text in places.items() if "\n" in text or not text.startswith(label.strip("'"))}


def flat(kind: str, body: str) -> str:
    kind = f"application/vnd.oasis.opendocument.{kind}"
    return f'<?xml version="1.0"?><office:document {OFFICE} office:mimetype="{kind}">{body}</office:document>'


TEXT = flat(
    "text",
    "<office:meta><title>Rules</title></office:meta><office:master-styles><master-page><header><text:p>The harbour"
    "</text:p></header></master-page></office:master-styles><office:body><office:text><text:h>Tides</text:h><text:p>"
    "They rise.<frame><image><binary-data>AAAA</binary-data></image></frame></text:p></office:text></office:body>",
)
SHEET = flat(
    "spreadsheet",
    "<office:body><office:spreadsheet><table:table table:name='Q2'><table:table-row><table:table-cell><text:p>Crane"
    "</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>",
)
TIDES = {"Tides": "Tides\n\nThey rise.", "Headers and footers": "Header: The harbour"}


@pytest.mark.parametrize(
    ("name", "raw", "kind", "extractor", "expected"),
    [
        ("a.fodt", TEXT, "text-flat-xml", "odf", TIDES),
        ("a.xml", TEXT, "text-flat-xml", "odf", TIDES),
        ("a.fods", SHEET, "spreadsheet-flat-xml", "odf", {"Q2!A1": "Crane"}),
        ("a.ods", SHEET, "spreadsheet-flat-xml", "odf", {"Q2!A1": "Crane"}),
    ],
)  # fmt: skip
def test_an_office_document_in_one_file_is_read_as_a_packed_one(
    name: str, raw: str, kind: str, extractor: str, expected: dict[str, str]
) -> None:
    found = media.media_type(name, raw.encode()[:8192])
    assert (found.rpartition(".")[2].removeprefix("application/"), media.choose(found)) == (kind, extractor)
    assert shown(extractor, raw.encode()) == expected


def test_what_such_a_file_says_of_itself_is_its_title() -> None:
    outcome = extracted("odf", TEXT.encode())
    assert isinstance(outcome, Extraction)
    assert outcome.title == "Rules"


@each("name", ["odf"])
@each("raw", ["<a", "<a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"])
def test_a_broken_one_is_damaged_or_empty(name: str, raw: str) -> None:
    text = ""
    with suppress(BiblicusError):
        text = getattr(extracted(name, raw.encode()), "text", "")
    assert not text


SXW = "<!DOCTYPE office:document-content PUBLIC '-//OpenOffice.org//DTD OfficeDocument 1.0//EN' 'office.dtd'>"
NOTE = "<footnote><footnote-citation>1</footnote-citation><footnote-body><p>by the moon</p></footnote-body></footnote>"


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        (
            "text", f"<h level='2'>Tides</h><p>They rise{NOTE}.</p>",
            {"Tides": "Tides\n\nThey rise [1].", "Footnotes": "Footnote [1]: by the moon"},
        ),
        (
            "spreadsheet", "<table name='Q2'><table-row><table-cell><p>Crane</p></table-cell></table-row></table>",
            {"Q2!A1": "Crane"},
        ),
        (
            "presentation", "<page><b class='title'><p>One</p></b></page><page><b><p>Two</p></b></page>",
            {"slide 1": "One", "slide 2": "Two"},
        ),
        (
            "presentation", "<page>" + "".join(
                f"<b x='2cm' y='{top}' width='80mm' height='1in'><p>{words}</p></b>"
                for top, words in (("9cm", "Third"), ("10mm", "First"), ("2in", "Second"))) + "</page>",
            {"slide 1": "First\n\nSecond\n\nThird"},
        ),
    ],
)  # fmt: skip
def test_files_of_openoffice_1_are_read(kind: str, body: str, expected: dict[str, str]) -> None:
    content = f"{SXW}<doc class='{kind}'><body>{body}</body></doc>"
    assert shown("odf", zipped({"content.xml": content, "META-INF/manifest.xml": f"{SXW}<manifest/>"})) == expected


@pytest.mark.parametrize(("suffix", "kind"), [("sxw", "writer"), ("sxc", "calc"), ("sxi", "impress"), ("sxd", "draw")])
def test_files_of_openoffice_1_are_known_by_name_and_by_content(suffix: str, kind: str) -> None:
    name = f"application/vnd.sun.xml.{kind}"
    head = b"PK\x03\x04" + b"\0" * 26 + b"mimetype" + name.encode() + b"PK\x03\x04"
    assert {media.media_type(f"a.{suffix}", head), media.media_type("a", head)} == {name}
    assert media.choose(name) == "odf"


def table(*rows: str) -> str:
    cells = ("".join(f"<table-cell>{cell}</table-cell>" for cell in row.split("|")) for row in rows)
    return f"<table>{''.join(f'<table-row>{row}</table-row>' for row in cells)}</table>"


INNER = table("<p>a</p>|<p>b</p>", "<p/>|<p/>", "<p>c</p>|<p/>")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (table(f"<p>One</p>{INNER}<p>two</p>|<p>three</p>"), "One a, b; c two | three"),
        (table("<list><list-item><p>Wa<span>ter</span></p></list-item><list-item><p>ice</p></list-item></list>|<p>x</p>"),
         "- Water - ice | x"),
        (f"<p>Out<frame><text-box><h>Box</h>{INNER}<section><p>in it</p></section></text-box></frame></p>",
         "Out\n\nBox\n\na | b\nc\n\nin it"),
        ("<frame><image><p/></image><title>A gull</title><desc>It  flies</desc></frame>",
         "[Image: A gull]\n\n[Image: It flies]"),
        ("<p>A<frame><title/><desc>gull</desc></frame></p>", "A [Image: gull]"),
        (table("<p>x</p>" + "<table><table-row><table-cell><p>y</p>" * 70 + "</table-cell></table-row></table>" * 70),
         "x\n" + "y " * 59 + "y"),
        ("<list><list-item>" * 59 + "<p>deep</p>" + "</list-item></list>" * 59, "- deep"),
    ],
)  # fmt: skip
def test_what_stands_in_cells_boxes_and_frames_is_read(body: str, expected: str) -> None:
    assert text_of("odf", zipped({"content.xml": f"<doc><body><text>{body}</text></body></doc>"})) == expected + "\n"

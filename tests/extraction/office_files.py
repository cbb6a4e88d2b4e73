"""Office files written for a test, and what is read of them."""

import io
import zipfile
from collections.abc import Mapping

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.models.extraction import Extraction, NoExtraction

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def zipped(parts: Mapping[str, str]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return written.getvalue()


def extracted(name: str, raw: bytes, media_type: str = "x/y") -> Extraction | NoExtraction:
    outcome = plugins.make("extraction", name, {}).extract(raw, MediaHint(f"a.{name}", media_type))
    assert isinstance(outcome, Extraction | NoExtraction)
    return outcome


def text_of(name: str, raw: bytes) -> str:
    outcome = extracted(name, raw)
    assert isinstance(outcome, Extraction), outcome
    return outcome.text


def word(body: str, **parts: str) -> bytes:
    """A document with this body. Further parts by the kind of their relation."""
    relations = "".join(f'<Relationship Id="r{kind}" Type="{REL}/{kind}" Target="{kind}.xml"/>' for kind in parts)
    return zipped(
        {
            "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": f"<Relationships>{relations}</Relationships>",
            **{f"word/{kind}.xml": text for kind, text in parts.items()},
        }
    )


def said(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def workbook(cells: str, row: str = "1") -> bytes:
    """A workbook whose sheet Q has one row."""
    xl = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    book = f'<workbook {xl} xmlns:r="{REL}"><sheets><sheet name="Q" r:id="r1"/></sheets></workbook>'
    relation = f'<Relationships><Relationship Id="r1" Type="{REL}/worksheet" Target="s.xml"/></Relationships>'
    return zipped(
        {
            "xl/workbook.xml": book,
            "xl/_rels/workbook.xml.rels": relation,
            "xl/s.xml": f'<worksheet {xl}><sheetData><row r="{row}">{cells}</row></sheetData></worksheet>',
        }
    )


def opendocument(body: str) -> bytes:
    return zipped({"content.xml": f"<doc><body>{body}</body></doc>"})


def places(name: str, raw: bytes) -> dict[str, str]:
    """The texts by the labels of their spots."""
    outcome = extracted(name, raw)
    assert isinstance(outcome, Extraction), outcome
    ends = [*(spot.offset for spot in outcome.spots[1:]), len(outcome.text)]
    return {spot.name: outcome.text[spot.offset : end].strip() for spot, end in zip(outcome.spots, ends, strict=True)}

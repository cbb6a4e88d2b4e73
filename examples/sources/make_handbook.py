"""Sets `handbook.txt` as `../harbour/rules/handbook.pdf`, the same bytes each time.

The result is committed, so nobody has to run this. To change the handbook, edit the text and then, in any throw-away
environment: `pip install reportlab==5.1.0 && python make_handbook.py`.
"""

from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

HERE = Path(__file__).resolve().parent
TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=20, leading=26, spaceAfter=6)
HEADING = ParagraphStyle("heading", fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=12, spaceAfter=4)
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=15, spaceAfter=6, alignment=TA_JUSTIFY)


def flowables(source: str) -> list[Paragraph | PageBreak]:
    """One flowable for each line of the source: `#` title, `##` heading, `=== page` page break, else a paragraph."""
    made: list[Paragraph | PageBreak] = []
    for line in filter(None, map(str.strip, source.splitlines())):
        if line == "=== page":
            made.append(PageBreak())
        elif line.startswith("#"):
            marks, _, words = line.partition(" ")
            made.append(Paragraph(escape(words), TITLE if marks == "#" else HEADING))
        else:
            made.append(Paragraph(escape(line), BODY))
    return made


class Handbook(SimpleDocTemplate):
    """A5 pages with their number at the foot, drawn last so that it is also read last."""

    def afterPage(self) -> None:  # noqa: N802 - reportlab's name
        self.canv.setFont("Times-Italic", 9)
        self.canv.drawCentredString(A5[0] / 2, 28, f"Tolvay Harbour Handbook, page {self.page}")


def main() -> None:
    """Write the PDF. `invariant` leaves the date and a random id out."""
    document = Handbook(
        str(HERE.parent / "harbour" / "rules" / "handbook.pdf"),
        pagesize=A5,
        title="Tolvay Harbour Handbook",
        author="Tolvay Harbour Society",
        subject="The rules of the harbour, edition of May 2025",
        invariant=1,
        leftMargin=48,
        rightMargin=48,
    )
    document.build(flowables((HERE / "handbook.txt").read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()

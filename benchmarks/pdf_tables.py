"""`python -m benchmarks.pdf_tables [--held] [--seed TEXT] [--peers]`: cells of PDF tables in their row and column.

Draws 50 documents with known cells by reportlab and fpdf2 (`pip install reportlab fpdf2`), 25 of which (`--held`) are
never looked at while the extractor is written. `--peers` measures pdfplumber and liteparse on the same documents, where
they are installed. A cell is right where a row of the extraction holds the row's first value, the name of the column
and the value; a number is changed where its characters stand nowhere in the text.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from biblicus.contracts import Given, MediaHint
from biblicus.extraction.pdf import Options, build
from biblicus.models.extraction import Extraction

KINDS = (
    "ruled", "half-ruled", "unruled", "merged", "multi-line", "numbers", "two", "beside text", "over pages", "rotated"
)  # fmt: skip
_EACH = 5
_NAMES = (
    "Gull", "Tern", "Heron", "Petrel", "Curlew", "Plover", "Avocet", "Bittern", "Kestrel", "Osprey",
    "Skua", "Puffin", "Gannet", "Fulmar", "Eider", "Teal", "Wigeon", "Pochard", "Smew", "Garganey",
    "Dunlin", "Knot", "Ruff", "Snipe", "Turnstone", "Whimbrel", "Godwit", "Redshank", "Sanderling", "Shoveler",
)  # fmt: skip
_NOTES = (
    "moored at the outer wall until the dredging is done", "needs shore power of sixteen amperes", "owner abroad",
    "paid in advance for both seasons and the winter store", "on the slip for new paint", "two crew, one dog",
)  # fmt: skip
_PLACES = ("North quay", "East mole", "Basin 2", "Old lock", "Fuel pier")
_PROSE = (
    "The harbour office keeps this list for visitors and for the insurers. It is renewed every spring, when the boats"
    " come back from their winter berths, and again in autumn. Whoever finds a mistake tells the harbour master, who"
    " corrects it in the book before the next morning. The fees are those that the council settled in its last session."
)

Row = list[str]


class Table(NamedTuple):
    """A table as people see it: the names of its columns and the shown values. `drawn`: its cells as they are drawn, in
    the notation of fpdf2, `(text, columns, rows)`; None where a cell above or on the left covers the place."""

    names: Row
    rows: list[Row]
    drawn: list[list[tuple[str, int, int] | None]]
    headers: int = 1


class Document(NamedTuple):
    """A drawn document and its truth."""

    name: str
    kind: str
    raw: bytes
    tables: list[Table]


def _number(chance: random.Random) -> str:
    value = chance.randrange(1_000, 9_999_999) / 100
    style = chance.randrange(6)
    shown = (
        f"{value:,.2f}" if style < 3 else f"{int(value * 100):,}".replace(",", " ") if style == 3 else f"{value:.1f}"
    )
    if style == 4:
        shown = f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
    return chance.choice(("-", "", "", "")) + shown


def _plain(chance: random.Random, rows: int, columns: int, *, long: bool = False) -> Table:
    keys = chance.sample(_NAMES, rows)
    makers: list[tuple[str, Callable[[], str]]] = [
        ("Berth", lambda: f"{chance.choice('ABCD')}{chance.randrange(1, 60)}"),
        ("Fee", lambda: _number(chance)),
        ("Length", lambda: f"{chance.randrange(50, 240) / 10} m"),
        ("Place", lambda: chance.choice(_PLACES)),
        ("Balance", lambda: _number(chance)),
        ("Since", lambda: f"{chance.randrange(1, 29):02}.{chance.randrange(1, 13):02}.{chance.randrange(1990, 2026)}"),
    ]
    chosen = chance.sample(makers, columns - 1 - long)
    if long:
        chosen.insert(chance.randrange(len(chosen) + 1), ("Remarks", lambda: chance.choice(_NOTES)))
    names = ["Boat", *(name for name, _ in chosen)]
    body = [[key, *(make() for _, make in chosen)] for key in keys]
    return _unmerged(names, body)


def _unmerged(names: Row, body: list[Row]) -> Table:
    return Table(names, body, [[(text, 1, 1) for text in row] for row in (names, *body)])


def _merged(chance: random.Random) -> Table:
    """Two rows of names, the upper one over two columns each, and places over several rows."""
    groups = chance.sample(["Summer", "Winter", "Members", "Guests"], 2)
    lower = ["Day", "Week"]
    names = ["Boat", "Quay", *(f"{group} {name}" for group in groups for name in lower)]
    drawn: list[list[tuple[str, int, int] | None]] = [
        [("Boat", 1, 2), ("Quay", 1, 2), (groups[0], 2, 1), None, (groups[1], 2, 1), None],
        [None, None, *((name, 1, 1) for _ in groups for name in lower)],
    ]
    rows: list[Row] = []
    for place in chance.sample(_PLACES, 3):
        together = chance.randrange(1, 4)
        for number in range(together):
            values = [_number(chance) for _ in range(4)]
            key = f"{_NAMES[len(rows)]} {len(rows) + 1}"
            rows.append([key, place, *values])
            drawn.append([(key, 1, 1), None if number else (place, 1, together), *((text, 1, 1) for text in values)])
    return Table(names, rows, drawn, 2)


def documents(held: bool, kind: str | None = None, seed: str = "") -> Iterator[Document]:
    """Yield the documents of one half, each kind in five variants over both halves; another seed draws others."""
    for at, name in enumerate(KINDS):
        for variant in range(_EACH):
            if (at + variant) % 2 == held and kind in (None, name):
                chance = random.Random(f"{name} {variant}{seed}")
                raw, tables = _drawn(chance, name, variant)
                yield Document(f"{name} {variant}", name, raw, tables)


def _drawn(chance: random.Random, kind: str, variant: int) -> tuple[bytes, list[Table]]:
    rows, columns = chance.randrange(4, 12), chance.randrange(3, 7)
    tables = [_plain(chance, rows, columns, long=kind == "multi-line")]
    if kind == "merged":
        tables = [_merged(chance)]
    elif kind == "two":
        keys = _plain(chance, 12, 4).rows
        for number in range(2):
            part = _plain(chance, 6, 3 + chance.randrange(2))
            body = [[mine[0], *row[1:]] for mine, row in zip(keys[6 * number :], part.rows, strict=False)]
            tables[number:] = [_unmerged(part.names, body)]
    elif kind == "over pages":
        chosen = _plain(chance, 1, 4)
        body = [[f"{name} {number}", *_plain(chance, 1, 4).rows[0][1:]] for number in range(2) for name in _NAMES[:25]]
        body = [[row[0], *(_number(chance) for _ in row[1:])] for row in body]
        tables = [_unmerged(chosen.names, body)]
    elif kind == "beside text":
        tables = [_plain(chance, rows, 3)]
    look = {
        "ruled": "all",
        "half-ruled": ("header", "rows", "booktabs", "columns")[variant % 4],
        "unruled": "none",
    }.get(kind, "all" if kind == "merged" else ("all", "rows", "header", "none", "booktabs")[variant])
    by_fpdf = variant % 2 and kind in (
        "ruled",
        "half-ruled",
        "multi-line",
        "merged",
        "numbers",
        "over pages",
        "unruled",
    )
    return (_by_fpdf if by_fpdf else _by_reportlab)(chance, kind, look, tables, variant), tables


def _by_fpdf(chance: random.Random, kind: str, look: str, tables: Sequence[Table], variant: int) -> bytes:
    import fpdf  # lazy: only this benchmark needs it

    layouts = {"all": "ALL", "rows": "HORIZONTAL_LINES", "header": "SINGLE_TOP_LINE", "none": "NONE",
               "booktabs": "MINIMAL", "columns": "NO_HORIZONTAL_LINES"}  # fmt: skip
    page = fpdf.FPDF()
    page.add_page()
    page.set_font("Helvetica", size=chance.choice((9, 10, 11)))
    page.multi_cell(0, 6, _PROSE, new_x="LMARGIN", new_y="NEXT")
    for number, table in enumerate(tables, 1):
        page.ln(6)
        page.cell(0, 6, f"Table {number}. Boats and what they pay", new_x="LMARGIN", new_y="NEXT")
        widths = tuple(2 if max(len(row[at]) for row in table.rows) > 25 else 1 for at in range(len(table.names)))
        with page.table(borders_layout=layouts[look], num_heading_rows=table.headers, col_widths=widths,
                        line_height=6, repeat_headings=variant % 2, first_row_as_headings=True) as drawn:  # fmt: skip
            for cells in table.drawn:
                row = drawn.row()
                for cell in cells:
                    if cell is not None:
                        row.cell(cell[0], colspan=cell[1], rowspan=cell[2])
        page.ln(6)
        page.multi_cell(0, 6, _PROSE, new_x="LMARGIN", new_y="NEXT")
    return bytes(page.output())


def _by_reportlab(chance: random.Random, kind: str, look: str, tables: Sequence[Table], variant: int) -> bytes:
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, PageTemplate, Paragraph, Spacer
    from reportlab.platypus import Table as Drawn

    style = getSampleStyleSheet()["BodyText"]
    size = A4 if kind != "rotated" or variant % 2 else landscape(A4)
    width, height = size
    lines: dict[str, list[tuple[Any, ...]]] = {
        "all": [("GRID", (0, 0), (-1, -1), 0.5, "black")],
        "rows": [("LINEBELOW", (0, 0), (-1, -1), 0.5, "black")],
        "header": [("LINEBELOW", (0, 0), (-1, 0), 0.7, "black")],
        "booktabs": [("LINEABOVE", (0, 0), (-1, 0), 1, "black"), ("LINEBELOW", (0, 0), (-1, 0), 0.5, "black"),
                     ("LINEBELOW", (0, -1), (-1, -1), 1, "black")],
        "columns": [("LINEBEFORE", (1, 0), (-1, -1), 0.5, "black"), ("LINEBELOW", (0, 0), (-1, 0), 0.5, "black")],
        "none": [],
    }  # fmt: skip

    def flowable(table: Table) -> Any:
        spans: list[tuple[Any, ...]] = []
        data: list[list[Any]] = []
        for y, cells in enumerate(table.drawn):
            data.append(
                ["" if cell is None else Paragraph(cell[0], style) if len(cell[0]) > 25 else cell[0] for cell in cells]
            )
            for x, cell in enumerate(cells):
                if cell is not None and cell[1:] != (1, 1):
                    spans.append(("SPAN", (x, y), (x + cell[1] - 1, y + cell[2] - 1)))
        figures = [at for at in range(1, len(table.names)) if table.names[at] in ("Fee", "Balance")]
        right: list[tuple[Any, ...]] = [("ALIGN", (at, 0), (at, -1), "RIGHT") for at in figures]
        valign = [("VALIGN", (0, 0), (-1, -1), chance.choice(("TOP", "MIDDLE")))]
        widths = [120 if max(len(row[at]) for row in table.rows) > 25 else None for at in range(len(table.names))]
        return Drawn(data, colWidths=widths, style=[*lines[look], *spans, *right, *valign], repeatRows=variant % 4 // 2)

    story: list[Any] = [
        Paragraph("Boats of the north harbour", getSampleStyleSheet()["Heading1"]),
        Paragraph(_PROSE, style),
    ]
    for number, table in enumerate(tables, 1):
        if kind in ("two", "beside text") and variant % 2 and (number > 1 or kind == "beside text"):
            story.append(FrameBreak())
        caption = Paragraph(f"Table {number}. Boats and what they pay", style)
        story += [Spacer(1, 8), *([caption] if number + variant & 1 else []), flowable(table)]
        story += [*([] if number + variant & 1 else [caption]), Spacer(1, 8)]
        if not (kind == "two" and variant % 2):
            story.append(Paragraph(_PROSE, style))
    if kind == "beside text":
        story += [] if variant % 2 else [FrameBreak(), *(Paragraph(_PROSE, style) for _ in range(3))]
    halves = kind == "beside text" or (kind == "two" and variant % 2)
    if halves:
        half = (width - 100) / 2
        frames = [Frame(40, 50, half, height - 100), Frame(60 + half, 50, half, height - 100)]
    else:
        frames = [Frame(50, 50, width - 100, height - 100)]

    def edge(canvas: Any, document: Any) -> None:
        if kind == "over pages":
            canvas.drawString(60, height - 30, "Port of Northmole: the book of boats")
            canvas.drawString(width / 2, 25, str(document.page))
        if kind == "rotated" and not variant % 2:
            canvas.setPageRotation(90)

    def turned(canvas: Any, document: Any) -> None:
        edge(canvas, document)
        if kind == "rotated" and variant % 2:
            canvas.translate(0, height)
            canvas.rotate(-90)
            canvas.translate(-50, -200)

    buffer = io.BytesIO()
    template = BaseDocTemplate(buffer, pagesize=size, pageTemplates=[PageTemplate(frames=frames, onPage=turned)])
    template.build(story)
    return buffer.getvalue()


# --- what is read ---

Read = list[Mapping[str, str]]
"""Rows by the names of their columns."""


def own(raw: bytes) -> tuple[str, Read]:
    """Return the text of a document and the rows in it, as this project reads it."""
    outcome = build(Options(engine="pdfium"), Given()).extract(raw, MediaHint("a.pdf", "application/pdf"))
    text = outcome.text if isinstance(outcome, Extraction) else ""
    return text, [dict(part.split(": ", 1) for part in line.split(" | ") if ": " in part) for line in text.split("\n")]


def _gridded(grids: Sequence[Sequence[Sequence[str | None]]]) -> Read:
    """Return the rows of grids by the names in the row above, the two rows above where the second names them, too."""
    read: Read = []
    for grid in grids:
        rows = [[" ".join((cell or "").split()) for cell in row] for row in grid]
        for count in (1, 2):
            names: Row = []
            for at in range(max(map(len, rows), default=0)):
                above = [next((c for c in row[at::-1] if c), "") for row in rows[: count - 1]]
                above += [row[at] for row in rows[count - 1 : count] if at < len(row)]
                names.append(" ".join(filter(None, above)))
            last: Row = []
            for row in rows[count:]:
                last = [cell or (last[at] if at < len(last) else "") for at, cell in enumerate(row)]
                read.append(dict(zip(names, last, strict=False)))
    return read


def by_pdfplumber(raw: bytes) -> tuple[str, Read]:
    """Return what pdfplumber reads: tables by rules, by the text's edges where a page has none."""
    import pdfplumber

    texts, grids = [], []
    with pdfplumber.open(io.BytesIO(raw)) as pdf:
        for page in pdf.pages:
            texts.append(page.extract_text() or "")
            by_text = {"vertical_strategy": "text", "horizontal_strategy": "text"}
            grids += page.extract_tables() or page.extract_tables(by_text)
    return "\n".join(texts), _gridded(grids)


def by_liteparse(raw: bytes) -> tuple[str, Read]:
    """Return what liteparse reads: its tables in Markdown."""
    import liteparse

    text = liteparse.LiteParse(output_format="markdown", ocr_enabled=False, quiet=True).parse(raw).text
    grids: list[list[Row]] = [[]]
    for line in text.split("\n"):
        if line.startswith("|"):
            if not re.fullmatch(r"[|:\- ]+", line):
                grids[-1].append(line.strip("|").split("|"))
        elif grids[-1]:
            grids.append([])
    return text, _gridded(list(filter(None, grids)))


def _compact(text: str) -> str:
    return "".join(text.split())


def score(document: Document, text: str, read: Read) -> tuple[int, int, list[str], list[str]]:
    """Return the right cells, all cells, the wrong ones as sentences, and the numbers that are changed."""
    right, wrong, shown = 0, [], _compact(text)
    found = [{_compact(name): _compact(value) for name, value in row.items()} for row in read]
    for table in document.tables:
        names = list(map(_compact, table.names))
        for row in table.rows:
            mine = [entry for entry in found if entry.get(names[0]) == _compact(row[0])]
            for name, value in zip(names, row, strict=True):
                if any(entry.get(name) == _compact(value) for entry in mine):
                    right += 1
                else:
                    wrong.append(f"{row[0]} / {name}: {value!r} is {[entry.get(name) for entry in mine]}")
    values = [value for table in document.tables for row in table.rows for value in row if any(map(str.isdigit, value))]
    return right, right + len(wrong), wrong, [value for value in values if _compact(value) not in shown]


def main() -> int:
    """Measure, print a table, and return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pdf_tables")
    parser.add_argument("--held", action="store_true", help="the half that nobody looks at: figures alone")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--seed", default="", help="draw other documents")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--keep", type=Path, help="write the documents and texts there")
    asked = parser.parse_args()
    readers = {"biblicus": own} | ({"pdfplumber": by_pdfplumber, "liteparse": by_liteparse} if asked.peers else {})
    totals: dict[str, dict[str, list[int]]] = {reader: defaultdict(lambda: [0, 0]) for reader in readers}
    changed: dict[str, int] = dict.fromkeys(readers, 0)
    seconds: dict[str, float] = dict.fromkeys(readers, 0.0)
    for document in documents(asked.held, asked.kind, asked.seed):
        for reader, read in readers.items():
            begun = time.process_time()
            text, rows = read(document.raw)
            seconds[reader] += time.process_time() - begun
            right, count, wrong, lost = score(document, text, rows)
            changed[reader] += len(lost)
            for kind in (document.kind, "all"):
                totals[reader][kind][0] += right
                totals[reader][kind][1] += count
            if reader == "biblicus" and not asked.held:
                if wrong or lost:
                    print(document.name, f"{right} of {count}", *wrong[:3], *lost[:3], sep="\n    ")
                if asked.keep:
                    asked.keep.mkdir(exist_ok=True)
                    (asked.keep / f"{document.name}.pdf").write_bytes(document.raw)
                    (asked.keep / f"{document.name}.txt").write_text(text, "utf-8")
    print("| kind |", " | ".join(readers), "|\n|---|", "---|" * len(readers), sep="")
    for kind in (*KINDS, "all"):
        if all(totals[reader][kind][1] for reader in readers):
            shares = (f"{totals[reader][kind][0] / totals[reader][kind][1]:.1%}" for reader in readers)
            print(f"| {kind} |", " | ".join(shares), "|")
    print("| numbers changed |", " | ".join(map(str, changed.values())), "|")
    print("| processor time |", " | ".join(f"{value:.2f} s" for value in seconds.values()), "|")
    share = totals["biblicus"]["all"]
    return 0 if share[0] >= 0.85 * share[1] and not changed["biblicus"] else 1


if __name__ == "__main__":
    raise SystemExit(main())

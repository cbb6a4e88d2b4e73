"""LaTeX is quoted as people read it."""

import pytest

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.latex import readable
from biblicus.answering.reader.reading.units import units


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"The \emph{moon} pulls~\citep[see][p.~3]{ada} the \textbf{sea}.", "The moon pulls the sea."),
        (r"Fees rose by 5\,\% --- to ``twelve'' euros. % check", "Fees rose by 5 % — to “twelve” euros."),
        (r"As $x_{i}$ grows\label{eq:a}, so does $\alpha$.", r"As $x_{i}$ grows, so does $\alpha$."),
        (r"See \href{https://example.org}{the list} \& \url{a.example}.", "See the list & a.example."),
        (r"\section[Short]{The long name}\label{sec:a}", "The long name"),
        (
            r"We present \sys, a tool; \sys{} and \R\ are \textsc{free}\xspace \ldots",
            "We present sys, a tool; sys and R are free …",
        ),
        (r"Gr\'ainne N\'{\i} M\"oller of {\AA}rhus and Bes\c{c}on", "Gráinne Ní Möller of Århus and Besçon"),
        (r"\author{Ada Stone\thanks{Paid.} \and Bo Roe\\ Keld}", "author: Ada Stone, Bo Roe, Keld"),
        (r"\date{\today}", "today"),
        (r"It takes \verb|foo_bar| alone.", "It takes foo_bar alone."),
        (r"\raggedleft\scshape The pump.\linebreak\cleardoublepage\FloatBarrier", "The pump."),
    ],
)
def test_commands_are_no_words(written: str, expected: str) -> None:
    assert readable(written) == expected


def test_what_sets_something_says_nothing() -> None:
    text = (
        "\\documentclass{article}\n% a remark\n\\mysection[Tides]{Tides?}\n\\label{sec:tides}\n"
        "The sea rises when the moon is near, as \\code{moon()}\nshows it.\n\\begin{itemize}\n"
        "\\item It falls later.\n\\item It rests at noon.\n\\end{itemize}\n"
    )
    found = [(unit.kind, unit.reads) for unit in units(text, 60, "text/x-tex") if unit.kind is not Kind.MARKS]
    assert found == [
        (Kind.HEADING, "Tides?"),
        (Kind.PROSE, "The sea rises when the moon is near, as moon() shows it."),
        (Kind.ITEM, "It falls later."),
        (Kind.ITEM, "It rests at noon."),
    ]


def test_rows_of_tables_have_the_names_of_their_columns() -> None:
    text = (
        "\\begin{tabular}{lr}\n\\toprule\nPier & Depth\\\\\n\\midrule\n\\textbf{North} & 4\\,m \\\\[2pt]\n"
        "R\\&D & 7 \\\\ \\hline\n\\end{tabular}\nThen $a &= b$ \\\\ and c & d \\\\\n"
    )
    rows = [unit.reads for unit in units(text, 60, "text/x-tex") if unit.kind is Kind.ROW]
    assert rows == ["Pier: North; Depth: 4 m", "Pier: R&D; Depth: 7"]
    assert [unit.reads for unit in units(text.replace("\n", "\r\n"), 60, "text/x-tex") if unit.kind is Kind.ROW] == rows


@pytest.mark.parametrize(
    "before", ["% \\begin{tabular}{l}", r"The \verb|\begin{tabular}| of it", "\\begin{tabular}{l}\n\\section{A}"]
)
def test_no_table_begins_in_a_remark_or_goes_on_behind_a_heading(before: str) -> None:
    text = f"{before}\n\n\\begin{{align}}\na & b \\\\\n\\end{{align}}\n"
    assert not [unit for unit in units(text, 60, "text/x-tex") if unit.kind is Kind.ROW]


@pytest.mark.parametrize("part", ["\\", " ", "\\section{", "\\a[", "``", "$", "\\cite[", "&", "\\\\\\a", "\\'"])
def test_hostile_texts_are_read_to_their_end(part: str) -> None:
    text = "\\section{}" + part * (200_000 // len(part))
    assert len(readable(text)) <= len(text)
    assert len(readable(f"\\author{{Ada{part * (40_000 // len(part))}}}")) < 80_000

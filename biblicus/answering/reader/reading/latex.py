"""LaTeX as readable text, without commands for layout, citation and labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.text.latex_letters import LETTERS, with_accents

TYPE = "text/x-tex"
_ARGUMENT = r"\{[^{}\n]{0,200}\}"
_SILENT = re.compile(
    r"(?:\\(?:label|index|cite\w*|ref|eqref|autoref|pageref|vspace|hspace|input|include|bibliography\w*|pagestyle"
    r"|thispagestyle|setcounter|includegraphics|footnotemark|hypertarget)\*?(?:\[[^\]\n]{0,200}\]){0,2}"
    rf"{_ARGUMENT}|(?<!\\)%[^\n]*)"
)
_NAMED = re.compile(r"\\href\{[^{}\n]{0,400}\}(?=\{)")
_COMMAND = re.compile(
    r"\\(?:begin|end)\{[^{}\n]{0,60}\}(?:\[[^\]\n]{0,100}\])?"
    r"|\\([a-zA-Z]{1,40})\*?(?:\[[^\]\n]{0,200}\])?(\{\}|[ \t])?(?=(\{)?)"
)
_SETS = re.compile(
    r"addlinespace|appendix|backmatter|baselineskip|bf|bfseries|bigskip|bottomrule|break|centering|clearpage"
    r"|cmidrule|columnwidth|displaystyle|em|endfirsthead|endhead|fill|fi|footnotesize|frontmatter|hfill|hline"
    r"|hrule|huge|Huge|indent|it|item|itshape|large|Large|LARGE|left|linewidth|mainmatter|maketitle|mbox"
    r"|medskip|midrule|newline|newpage|nobreak|noindent|nolinebreak|nonumber|normalfont|normalsize|null"
    r"|pagebreak|par|protect|qquad|quad|raggedright|relax|right|rm|rmfamily|sc|scriptsize|scshape|setlength|sf"
    r"|sffamily|sl|slshape|small|smallskip|space|tableofcontents|textwidth|tiny|toprule|tt|ttfamily|upshape"
    r"|vfill|vskip|xspace|boldmath|unboldmath|cleardoublepage|doublespacing|onehalfspacing|singlespacing|else"
    r"|FloatBarrier|hskip|itemsep|parskip|parindent|linebreak|listof[a-z]+|phantomsection|printbibliography"
    r"|printindex|raggedleft|selectfont|sloppy|fussy|samepage|flushleft|flushright|mdseries"
)
r"""Commands without an argument that produce no text. Others in running text are names, such as `\sys` in a paper."""
_WORDS = {
    "ldots": "…", "dots": "…", "textbackslash": "\\", "S": "§", **LETTERS,
}  # fmt: skip
_TABLES = ("tabular", "tabularx", "tabulary", "longtable", "supertabular", "tabular*", "tabu", "tblr")
_UNREAD = re.compile(r"(?<!\\)%.*|\\verb\*?(\W)[^\n]{0,200}?\1")
_VERBATIM = re.compile(r"\\verb\*?(\W)([^\n]{0,200}?)\1")
_AROUND = re.compile(r"\\(begin|end)\{([a-z]{1,20}\*?)\}")
_CELLS = re.compile(r"(?<!\\)&")
_ROW_ENDS = re.compile(r"\\\\(?:\[[^\]\n]{0,20}\])?[ \t]*((?:\\[a-z]+(?:\{[^{}]*\})?[ \t]*)*)\r?$")
_RULE = re.compile(r"[ \t]*\\(?:midrule|hline|endhead|endfirsthead)\b")
_SIGNS = (
    ("\\,", " "),
    ("\\ ", " "),
    ("\\%", "%"),
    ("\\&", "&"),
    ("\\_", "_"),
    ("\\#", "#"),
    ("\\$", "$"),
    ("---", "—"),
    ("--", "–"),
)
_QUOTED = re.compile(r"``([^`'\n]{1,300})''")
_FORMULA = re.compile(r"(\$[^$\n]{1,300}\$)")
_LINE = re.compile(
    r"[ \t]*(?:\\(?:begin|end|label|documentclass|usepackage|input|include|bibliography\w*|maketitle|tableofcontents"
    r"|newcommand|renewcommand|providecommand|def|let|setlength|setkeys|DeclareGraphicsExtensions|centering|caption"
    r"|toprule|midrule|bottomrule|cmidrule|hline|cline|includegraphics|vspace|hspace|newpage|clearpage|pagestyle"
    r"|author|date|hypersetup|graphicspath|small|SweaveOpts)"
    r"\b|%)"
)
"""A line that only sets something."""
_HEADING = re.compile(
    r"[ \t]*\\[a-zA-Z]{0,20}(?:part|chapter|section|paragraph|title)\*?(?:\[[^\]\n]*\])?\{[^\n]*\}[ \t]*"
    r"(?:\\label\{[^}\n]*\}[ \t]*)?$"
)
r"""A heading, by a LaTeX command or a similarly named one (`\mysection`)."""
_ITEM = re.compile(r"[ \t]*\\item\b")
_OF_IT = re.compile(r"\A[ \t]*\\(author|date)(?:\[[^\]\n]{0,200}\])?\{(?!\\today)(?=[^%}\s])")
_NEXT, _THANKS = re.compile(r"\s{0,9}\\(?:and\b|\\)\s{0,9}"), re.compile(r"\s{0,9}\\thanks\{[^{}]{0,300}\}")
"""Separators between authors, and between an author and an affiliation."""


def sets(line: str) -> bool:
    """Return True if a line only sets something."""
    return _LINE.match(line) is not None and _ITEM.match(line) is None


def heads(line: str) -> bool:
    """Return True if a line is a heading."""
    return _HEADING.match(line) is not None


def lists(line: str) -> bool:
    """Return True if a line starts a list item."""
    return _ITEM.match(line) is not None


def tells(line: str) -> bool:
    """Return True if a line gives the document's author or date."""
    return _OF_IT.match(line) is not None


def readable(text: str) -> str:
    """Return a part of a text as readable text, with formulas unchanged."""
    if tells(text):
        text = _OF_IT.sub(r"\1: {", _NEXT.sub(", ", _THANKS.sub("", text.rstrip())))
    parts = _FORMULA.split(text)
    return " ".join("".join(part if at % 2 else _plain(part) for at, part in enumerate(parts)).split())


def _plain(text: str) -> str:
    if "\\verb" in text:
        text = _VERBATIM.sub(lambda match: match[2].replace("\\", "\\textbackslash{}"), text)
    text = _QUOTED.sub(r"“\1”", _NAMED.sub("", _SILENT.sub("", text))).replace("\\\\", " ").replace("\\footnote{", " {")
    for written, sign in _SIGNS:
        text = text.replace(written, sign)
    text = _COMMAND.sub(_word, with_accents(text)).replace("{", "").replace("}", "").replace("~", " ")
    return re.sub(r"[ \t]{1,9}([.,;:)])", r"\1", text)


def _word(match: re.Match[str]) -> str:
    """Return the text of a command; empty if its argument is the text, or it only sets something."""
    name, behind, has_argument = match[1] or "", match[2] or "", match[3]
    if name in _WORDS:
        return _WORDS[name]
    if not name or has_argument or _SETS.fullmatch(name):
        return ""
    return name + " " * behind.isspace()


def with_tables(lines: Sequence[str]) -> list[str]:
    """Return the lines with table rows as Markdown rows, including the separator below the header."""
    written, depth, above = list(lines), 0, False
    for at, line in enumerate(lines):
        if depth and heads(line):  # an unclosed table
            depth = 0
        for begins, name in _AROUND.findall(_UNREAD.sub("", line) if "\\begin" in line or "\\end" in line else ""):
            depth = max(0, depth + (1 if begins == "begin" else -1)) if name in _TABLES else depth
            above = False if name in _TABLES else above
        row = as_row(line) if depth else ""
        if row:
            written[at] = row
            is_first, above = not above, True
            if is_first and at + 1 < len(lines) and _RULE.match(lines[at + 1]):
                written[at + 1] = "|---|"
    return written


def as_row(line: str) -> str:
    """Return a table row as Markdown, or an empty string for other lines."""
    end = _ROW_ENDS.search(line)
    cells = _CELLS.split(line[: end.start()]) if end else []
    return f"| {' | '.join(_plain(cell).strip() for cell in cells)} |" if len(cells) > 1 else ""

"""LaTeX as readable text, without commands for layout, citation and labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.text.latex_letters import with_letters

TYPE = "text/x-tex"
_LINE = re.compile(
    r"[ \t]*(?:(?P<heading>\\[a-zA-Z]{0,20}(?:part|chapter|section|paragraph|title)\*?(?:\[[^\]\n]*\])?\{[^\n]*\}[ \t]*"
    r"(?:\\label\{[^}\n]*\}[ \t]*)?$)|(?P<item>\\item\b)"
    r"|(?P<fact>\\(?:author|date)(?:\[[^\]\n]{0,200}\])?\{(?!\\today)(?=[^%}\s]))"
    r"|(?P<marks>%|\\(?:begin|end|label|documentclass|usepackage|input|include\w*|bibliography\w*|maketitle|tableofcontents"
    r"|(?:re)?newcommand|def|let|set\w+|centering|caption|\w+rule|[hc]line|[vh]space|\w+page|pagestyle|author|date|hypersetup"
    r"|graphicspath|small)\b))"
)
"""The kind of a line that begins with a command."""
_TOKEN = re.compile(
    r"\\verb\*?(?P<mark>\W)(?P<verbatim>[^\n]{0,200}?)(?P=mark)|(?<!\\)%[^\n]*|\\href\{[^{}\n]{0,400}\}(?=\{)"
    r"|\\(?:label|index|cite\w*|(?:eq|auto|page)?ref|[vh]space|input|include\w*|bibliography\w*|(?:this)?pagestyle"
    r"|setcounter|sout|st|xout|footnotemark|hypertarget|thanks)\*?(?:\[[^\]\n]{0,200}\]){0,2}\{[^{}\n]{0,300}\}"
    r"|\\(?:begin|end)\{[^{}\n]{0,60}\}(?:\[[^\]\n]{0,100}\])?"
    r"|\\(?P<name>[a-zA-Z]{1,40})\*?(?:\[[^\]\n]{0,200}\])?(?P<said>\{\}|(?=[,.;:!?)}'~]|\\ ))?"
    r"|\\\\(?:\[[^\]\n]{0,20}\])?|\\(?P<sign>.)|``|''|---?|[{}~]"
)
"""A command or a sign. A command without an argument is a word if no blank is lost behind it: `\\sys{}`."""
_WORDS = {"ldots": "…", "dots": "…", "textbackslash": "\\", "S": "§", "footnote": " "}
_SIGNS = {"``": "“", "''": "”", "---": "—", "--": "–", "{": "", "}": "", "~": " "}
_FORMULA, _BEFORE_SIGN = re.compile(r"(\$[^$\n]{1,300}\$)"), re.compile(r"[ \t]{1,9}([.,;:)])")
_NAMES, _BETWEEN = (
    re.compile(r"\A[ \t]*\\(author|date)(?:\[[^\]\n]{0,200}\])?"),
    re.compile(r"\s{0,9}\\(?:and\b|\\)\s{0,9}"),
)
"""The names of authors or a date, and what stands between two of them."""
_TABLES = ("tabular", "tabularx", "tabulary", "longtable", "supertabular", "tabular*", "tabu", "tblr")
_AROUND = re.compile(r"(?<!\\)%.*|\\verb\*?(\W)[^\n]{0,200}?\1|\\(begin|end)\{([a-z]{1,20}\*?)\}")
NAMES = "---|"
"""The end of a row of column names with the rule on the same line."""
_CELLS, _RULE = re.compile(r"(?<!\\)&"), re.compile(r"[ \t]*\\(?:midrule|hline|endhead|endfirsthead)\b")
_ROW_ENDS = re.compile(r"\\\\(?:\[[^\]\n]{0,20}\])?[ \t]*((?:\\[a-z]+(?:\{[^{}]*\})?[ \t]*)*)\r?$")


def kind(line: str) -> str | None:
    """Return the kind of a line that begins with a command (`heading`, `item`, `fact`, `marks`); None of any other."""
    match = _LINE.match(line)
    return match.lastgroup if match else None


def readable(text: str) -> str:
    """Return the words of a part of a text, formulas as they are written."""
    if _NAMES.match(text) and kind(text) == "fact":
        text = _BETWEEN.sub(", ", _NAMES.sub(r"\1: ", text.rstrip()))
    parts = _FORMULA.split(text)
    return " ".join("".join(part if at % 2 else _plain(part) for at, part in enumerate(parts)).split())


def _plain(text: str) -> str:
    return _BEFORE_SIGN.sub(r"\1", _TOKEN.sub(_shown, with_letters(text)))


def _shown(token: re.Match[str]) -> str:
    if token["verbatim"] is not None:
        return token["verbatim"]
    if name := token["name"]:
        return _WORDS.get(name, name if token["said"] is not None else "")
    if token["sign"] or token[0].startswith("\\\\"):
        return token["sign"] if token["sign"] and token["sign"] in "%&_#${}" else " "
    return _SIGNS.get(token[0], "")


def with_tables(lines: Sequence[str]) -> list[str]:
    """Return the lines with rows of tables as Markdown writes them, and the line below the names of columns, too."""
    written, depth, above = list(lines), 0, False
    for at, line in enumerate(lines):
        if depth and kind(line) == "heading":  # a table that nothing closes
            depth = 0
        for _, begins, name in _AROUND.findall(line) if "\\begin" in line or "\\end" in line else ():
            if name in _TABLES:
                depth, above = max(0, depth + (1 if begins == "begin" else -1)), False
        row = as_row(line) if depth else ""
        if row:
            written[at] = row
            is_first, above = not above, True
            if is_first and at + 1 < len(lines) and _RULE.match(lines[at + 1]):
                written[at + 1] = "|---|"
            elif is_first and _RULE.search(line):
                written[at] += NAMES
    return written


def as_row(line: str) -> str:
    """Return a row of a table as Markdown writes it; empty for any other line."""
    end = _ROW_ENDS.search(line)
    cells = _CELLS.split(line[: end.start()]) if end else []
    return f"| {' | '.join(_plain(cell).strip() for cell in cells)} |" if len(cells) > 1 else ""

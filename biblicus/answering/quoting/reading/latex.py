"""LaTeX as people read it: the words of its commands, without those that set, cite or name something."""

from __future__ import annotations

import re

TYPE = "text/x-tex"
_ARGUMENT = r"\{[^{}\n]{0,200}\}"
_SILENT = re.compile(
    r"(?:\\(?:label|index|cite\w*|ref|eqref|autoref|pageref|vspace|hspace|input|include|bibliography\w*|pagestyle"
    r"|thispagestyle|setcounter|includegraphics|footnotemark|hypertarget)\*?(?:\[[^\]\n]{0,200}\]){0,2}"
    rf"{_ARGUMENT}|(?<!\\)%[^\n]*)"
)
_NAMED = re.compile(r"\\href\{[^{}\n]{0,400}\}(?=\{)")
_COMMAND = re.compile(
    r"\\(?:begin|end)\{[^{}\n]{0,60}\}(?:\[[^\]\n]{0,100}\])?|\\[a-zA-Z]{1,40}\*?(?:\[[^\]\n]{0,200}\])?[ \t]?"
)
_SIGNS = (("\\,", " "), ("\\%", "%"), ("\\&", "&"), ("\\_", "_"), ("\\#", "#"), ("\\$", "$"), ("---", "—"), ("--", "–"))
_QUOTED = re.compile(r"``([^`'\n]{1,300})''")
_FORMULA = re.compile(r"(\$[^$\n]{1,300}\$)")
_LINE = re.compile(
    r"[ \t]*(?:\\(?:begin|end|label|documentclass|usepackage|input|include|bibliography\w*|maketitle|tableofcontents"
    r"|newcommand|renewcommand|providecommand|def|let|setlength|setkeys|DeclareGraphicsExtensions|centering|caption"
    r"|includegraphics|vspace|hspace|newpage|clearpage|pagestyle|author|date|hypersetup|graphicspath|small|SweaveOpts)"
    r"\b|%)"
)
"""A line that sets something and says nothing."""
_HEADING = re.compile(
    r"[ \t]*\\[a-zA-Z]{0,20}(?:part|chapter|section|paragraph|title)\*?(?:\[[^\]\n]*\])?\{[^\n]*\}[ \t]*"
    r"(?:\\label\{[^}\n]*\}[ \t]*)?$"
)
r"""A heading, by a command of LaTeX or one that is called alike (`\mysection`)."""
_ITEM = re.compile(r"[ \t]*\\item\b")


def sets(line: str) -> bool:
    """Whether a line only sets something."""
    return _LINE.match(line) is not None and _ITEM.match(line) is None


def heads(line: str) -> bool:
    """Whether a line is a heading."""
    return _HEADING.match(line) is not None


def lists(line: str) -> bool:
    """Whether an entry of a list begins."""
    return _ITEM.match(line) is not None


def readable(text: str) -> str:
    """A part of a text, formulas as they are written."""
    parts = _FORMULA.split(text)
    return " ".join("".join(part if at % 2 else _plain(part) for at, part in enumerate(parts)).split())


def _plain(text: str) -> str:
    text = _QUOTED.sub(r"“\1”", _NAMED.sub("", _SILENT.sub("", text))).replace("\\\\", " ").replace("\\footnote{", " {")
    for written, sign in _SIGNS:
        text = text.replace(written, sign)
    text = _COMMAND.sub("", text).replace("{", "").replace("}", "").replace("~", " ")
    return re.sub(r"[ \t]{1,9}([.,;:)])", r"\1", text)

"""Superscript and subscript as Unicode characters: `10⁶`, `H₂O`, `1/2` instead of `106`, `H2O`, `12`."""

from __future__ import annotations

import re

_RAISED = str.maketrans("0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "0123456789" * 2)
_FRACTION = re.compile("(?:(?<=[0-9])[ \xa0]?)?([⁰¹²³⁴-⁹]{1,6})[ \xa0]?[/⁄∕][ \xa0]?([₀-₉]{1,6})")
_IN_MARKUP = re.compile(
    r"(```|~~~).*?(?:\1|\Z)|(`+)[^`\n]+\2|<(su[pb])>\s*([^<>]{1,60}?)\s*</\3>"
    r"|(?:\\[ ])?:(su[pb])(?:er)?(?:script)?:`([^`\n]{1,60})`(?:\\[ ])?"
    r"|(?<=\w)([\^~])([-+\u2212\d]{1,9})\7(?![\d~^])|(?<=\w)([\^_])\{([-+\d]{1,9})\}",
    re.IGNORECASE | re.DOTALL,
)
"""Code, or a superscript or subscript: by a tag of HTML, a role of reStructuredText, signs of Pandoc or Org."""
_SIGNED = re.compile(r"[\^~][-+\u2212\d{]")
_IN_LATEX = re.compile(r"\\text(su[pb])(?:er)?script\{([^{}#]{1,60})\}|\$([\^_])\{?([-+\d]{1,9})\}?\$")
_MARK = re.compile(r"\W*[\[*†‡§]")
"""The beginning of a footnote mark."""


def raised(text: str) -> str:
    """Return superscript text. Letters (`1st`, `M.D.`) and footnote marks stay unchanged."""
    return _moved(text, _RAISED, "^")


def lowered(text: str) -> str:
    """Return subscript text."""
    return _moved(text, _LOWERED, "_")


def _moved(text: str, table: dict[int, int], sign: str) -> str:
    words = text.strip()
    is_script = words in ("n", "i", "ni") or any(char in "+-−–=" or char.isdecimal() for char in words)
    if not is_script or _MARK.match(words):
        return text
    at = text.index(words)
    moved = words.translate(table)
    if any(char.isalnum() and moved[number] == char for number, char in enumerate(words)):
        moved = f"{sign}({words})" if len(words) > 1 else sign + words
    return text[:at] + moved + text[at + len(words) :]


def in_markup(text: str, *, is_latex: bool = False) -> str:
    """Return Markdown or other markup with Unicode characters for superscripts and subscripts; code stays."""
    marks, pattern = (
        (("\\textsu", "$_", "$^"), _IN_LATEX) if is_latex else (("</sup", "</sub", ":su", "_{"), _IN_MARKUP)
    )
    is_signed = not is_latex and ("^" in text or "~" in text) and _SIGNED.search(text)
    if is_signed or any(mark in text for mark in marks):
        return with_fractions(pattern.sub(_shown, text))
    return text


def _shown(match: re.Match[str]) -> str:
    sign, words = [*filter(None, match.groups()), "", ""][:2]
    if not words:
        return match[0]  # code
    moved = (raised if sign.lower() in ("sup", "^") else lowered)(words)
    return match[0] if moved == words else moved


def with_fractions(text: str) -> str:
    """Rewrite superscript and subscript digits around a slash as fractions: `2¹/₂` becomes `2 1/2`."""
    if text.isascii() or max(text) < "₀":
        return text
    return _FRACTION.sub(_fraction, text)


def _fraction(match: re.Match[str]) -> str:
    before = " " if match.start() and match.string[match.start() - 1].isdigit() else ""
    return f"{before}{match[1].translate(_PLAIN)}/{match[2].translate(_PLAIN)}"

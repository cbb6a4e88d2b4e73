"""Unicode characters for superscripts (`10⁶`, `H₂O`), fractions (`1/2`) and the codes of symbol fonts (Wingdings,
Webdings, Symbol); formulas of Office (OMML) and MathML on one line: `√(x+1)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

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
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
)
_WINGDINGS = (
    (
        " 🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭📁📂📄🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍"
        "🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼💧❄🕆✞🕈✠✡☪☯ॐ☸♈♉"
        "♊♋♌♍♎♏♐♑♒♓🙰🙵●🔾■☐🞐❑❒⬧⧫◆❖⬥☒⮹⌘🏵🏶🙶🙷"
    ),
    ("▪○🞆🞈◉◎🔿▪☐🟂✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳⬀⬁⬃⬂▭▫✗✓☒☑"),
)
_NUMBERS = dict(enumerate("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿", 0x80)) | {0x9E: "·", 0x9F: "•"}
_DEEPEST = 40
_LEFT_OUT = frozenset(("annotation", "annotation-xml", "ctrlPr", "rPr"))
_OF_OFFICE = frozenset(("f", "sSup", "sSub", "sSubSup", "rad", "nary", "d"))
_SCRIPTS = frozenset(("sSup", "sSub", "sSubSup", "msup", "msub", "msubsup"))


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


def _table(parts: tuple[str, str]) -> dict[int, str]:
    return {start + number: sign for start, signs in zip((0x20, 0xA0), parts, strict=True)
            for number, sign in enumerate(signs)}  # fmt: skip


_TABLES = {
    "symbol": _table(_SYMBOL),
    "wingdings": _table(_WINGDINGS) | _NUMBERS,
    "wingdings 2": dict(zip(b"OPQRSTUV*0\xa3\x97\x98", "✗✓☒☑☒☒✗✗☐☐☐●•", strict=True)),
    "wingdings 3": dict(zip(b"fghijklmnpqru}", "←→↑↓↖↗↙↘↔▲▼△◀▶", strict=True)),
    "webdings": dict(zip(b"acgr34567=@i~", "✓☐■✗◀▶▲▼⏪🗎🖉ℹ⚡", strict=True)),
}


def is_symbol_font(font: str) -> bool:
    return font.strip().lower() in _TABLES


def symbol(code: int, font: str) -> str:
    """Return the character for a code in a font, or an empty string for an unknown private code."""
    byte = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    character = _TABLES.get(font.strip().lower(), {}).get(byte)
    if character is not None:
        return character
    is_unknown = 0xE000 <= code <= 0xF8FF or not 0 < code < 0x110000 or (code < 0x100 and is_symbol_font(font))
    return "" if is_unknown else chr(code)  # a character that the font lacks is shown in another


def in_font(text: str, font: str) -> str:
    """Return the text as displayed in a font; unchanged unless it is a symbol font."""
    return "".join(symbol(ord(char), font) for char in text) if is_symbol_font(font) else text


def formula(element: Element, depth: int = 0) -> str:
    """Return a formula as text, without parts that are nested too deep."""
    tag = element.tag
    if depth > _DEEPEST or tag in _LEFT_OUT or tag.endswith("Pr"):
        return ""
    parts = [formula(child, depth + 1) for child in element if not child.tag.endswith("Pr")]
    named = {child.tag: formula(child, depth + 1) for child in element} if tag in _OF_OFFICE else {}
    if tag in ("f", "mfrac") and len(parts) > 1:
        return f"{_apart(named.get('num', parts[0]))}/{_apart(named.get('den', parts[1]))}"
    if tag in _SCRIPTS and len(parts) > 1:
        return _scripted(tag, named.get("e", parts[0]), parts)
    if tag in ("rad", "mroot", "msqrt"):
        return _root(tag, named, parts)
    if tag == "nary":
        return _nary(element, named)
    if tag in ("d", "mfenced"):
        return _fenced(element, parts)
    if tag in ("mr", "mtr", "mtable", "m", "eqArr"):
        return ("; " if tag in ("mtable", "m", "eqArr") else ", ").join(filter(None, parts))
    return "".join(parts) if len(element) else (element.text or "")


def _apart(text: str) -> str:
    """Return a part of a fraction, in brackets if it has several terms."""
    words = text.strip()
    return words if words.replace(".", "").replace(",", "").isalnum() else f"({words})"


def _scripted(tag: str, base: str, parts: Sequence[str]) -> str:
    if tag in ("sSup", "msup"):
        return base + _script("^", parts[-1])
    below = base + _script("_", parts[1])
    return below if len(parts) < 3 else below + _script("^", parts[2])


def _script(sign: str, text: str) -> str:
    words = text.strip()
    moved = raised(words) if sign == "^" else lowered(words)
    return moved if moved != words or not words else f"{sign}{words}" if len(words) == 1 else f"{sign}({words})"


def _root(tag: str, named: dict[str, str], parts: Sequence[str]) -> str:
    if tag == "rad":
        degree, inside = named.get("deg", ""), named.get("e", "")
    else:
        degree, inside = (parts[-1], parts[0]) if tag == "mroot" and len(parts) > 1 else ("", "".join(parts))
    return f"{raised(degree.strip())}√{_apart(inside)}"


def _nary(element: Element, named: dict[str, str]) -> str:
    sign = next((node.get("val", "") for node in element.iterfind("naryPr/chr")), "∫")
    below, above = named.get("sub", ""), named.get("sup", "")
    return sign + _script("_", below) + _script("^", above) + f" {named.get('e', '')}"


def _fenced(element: Element, parts: Sequence[str]) -> str:
    delimiters = {node.tag: node.get("val", "") for node in element.iterfind("dPr/*")}
    opening = delimiters.get("begChr", element.get("open", "("))
    return f"{opening}{', '.join(parts)}{delimiters.get('endChr', element.get('close', ')'))}"

"""Readable text of markup: links as their text, without tags, emphasis marks and escapes."""

from __future__ import annotations

import html
import re

from biblicus.text import records

_MARKED = re.compile(r"[*_`\\<>\[\]&|#¶:]|==|%%|\s\^|^\s*(?:[-+•‣◦▪–:]|\d{1,3}[.)])\s", re.MULTILINE)
_DOCSTRING = re.compile(r"""\A\s*[rRbBuU]{0,2}(?:\"{3}|'{3})|(?:\"{3}|'{3})\s*\Z""")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_INCLUDED = re.compile(
    r"\[!(?:include|(?P<code>code(?:-\w{1,20})?)) ?\[([^\[\]\n]{0,120})\]\([^()\n]{0,300}\)\]", re.IGNORECASE
)
"""An inclusion from another file: a product name, a note, sample code."""
_NAMED_THERE = re.compile(r"<xref:([^<>?\s]{1,200})(?:\?[^<>\s]{0,80})?>")
"""A name in API documentation: `<xref:System.String?displayProperty=nameWithType>`."""
_ALERT = re.compile(r"\[!\w{1,20}\][^\S\n]*")
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,80}\])")
_NESTED = r"\[(?:[^\[\]\n]|\[[^\[\]\n]{0,40}\]){0,80}\]"
_LINK = re.compile(
    rf"\[((?:[^\[\]\n]|\n(?!\n)|{_NESTED}){{1,300}})\]\((?:[^()\n]|\n(?!\n)|\([^()\n]{{0,100}}\)){{0,500}}\)"
)
_WIKI_LINK = re.compile(
    r"(?P<shown>!)?(?<!\w)\[\[(?P<page>[^\[\]|#^\n]{1,200})(?:[#^][^\[\]|\n]{0,200})?(?:\|(?P<called>[^\[\]\n]{1,200}))?\]\]"
)
"""A link to a wiki or vault page by its name, with an optional label: `[[Ada Stone|Ada]]`."""
_REFERENCE = re.compile(r"\[([^\[\]\n]{1,200})\]\[[^\[\]\n]{0,80}\]")
_ROLE = re.compile(
    r":(?:[a-z][\w.+-]{0,30}:)?([a-z][\w.+-]{0,30}):`(?:([^`<>]{1,200}?)\s*<[^<>`]{1,300}>|[!~]?([^`]{1,200}))`"
)
_MYST = re.compile(r"(?<![\w:./})\]`])\{([a-zA-Z][\w:+.-]{0,40})\}(?=`[^`\s])")
"""A role in MyST syntax: `{ref}`."""
_DOCUMENTS = {"pep": "PEP ", "rfc": "RFC "}
"""reStructuredText roles that name a document by its number."""
_TARGET = re.compile(r"`([^`<>]{1,200}?)\s*<[^<>`]{1,300}>`_{1,2}|`([^`]{1,200})`_{1,2}(?!\w)")
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol"
    r"|p|pre|q|s|samp|small|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul|var)"
    r"(?:\s[^<>]{0,300})?/?>|<!--.{0,500}?-->",
    re.IGNORECASE | re.DOTALL,
)
_COMPONENT = re.compile(
    r"</?(?:Accordion|AccordionGroup|Admonition|Badge|Callout|Card|CardGroup|Check|CodeGroup|Columns?|Danger|Details"
    r"|Expandable|Frame|Icon|Info|Link|Note|ParamField|ResponseField|Steps?|Tabs?|TabItem|Tip|Tooltip|Update|Warning)"
    r"(?:\s[^<>]{0,300})?/?>|</[A-Z][\w.]{0,60}>"
    r"|<[A-Z][\w.]{0,60}(?:\s{1,9}[\w-]{1,40}=(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'"
    r"|\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{0,99}\}){0,200}\}){0,300}\}))+\s*/?>"
)
"""Parts of MDX pages: known components, closing tags, and any component with a property."""
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]+(?:\n[^`\n]+)?)\1(?!`)")
_STRESSED = re.compile(r"(?<![\w*\\])(\*{1,3})(?![\s*])([^*\n]{1,300}?(?:\n[^*\n]{1,200}?)?)(?<![\s*\\])\1(?![\w*])")
_HALF_STRESSED = re.compile(r"\A\s*\*\*(?=\w)|(?<=[\w.!?)])\*\*\s*\Z")
"""An emphasis mark whose counterpart is outside the sentence."""
_UNDERSCORED = re.compile(
    r"(?<![\w\\])(?!__[a-z][a-z0-9_]*__(?!\w))(_{1,3})(?![\s_])([^\n]{1,200}?)(?<![\s_\\])\1(?!\w)"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});")
_BULLET = re.compile(
    r"\A\s*(?::\s+|#\.\s+|[-*+•‣◦▪–]\s+(?:\[[ xX]\]\s+)?|\[[ xX]\]\s+|#{1,6}\s+)"
    r"(?:\.\. (?:[\w+.-]+:)?[\w+.-]+::[ \t]+(?=\S))?"
)
_HIGHLIGHT = re.compile(r"(?<![\w=!<>%])(==|(?<!['\"])%%)(?![\s=%])([^=%\n]{1,300}?)(?<!\s)\1(?![\w=%])")
"""Highlights and comments in notes: `==the pump==`, `%%ask Ada%%`."""
_NOTED = re.compile(
    r"\A([^\W\d_](?:[\w -]{0,40}\w)?)::[ \t]+(?=[^\s:])"
    r"|(?<![\w)\]])[\[(]([^\W\d_]{1,40}(?:[ -][^\W\d_]{1,40}){0,3})::[ \t]+([^\[\]()\n]{1,200})[\])]"
)
"""An inline field in a vault's note: `Rent:: 84`, `(due:: 2024-10-01)`; not a type (`a :: Int`) or a slice."""
_FIELD = re.compile(r"\A\s*:([^\s:][^:\n]{0,60}:)(?=\s)")
_END = re.compile(
    r"(?<![ \t])[ \t]*(?:\\$|#+$|¶$)|(?:(?<![\d) \t])(?<!\b\w)[ \t]+|(?<=\n))\^[\w-]{1,40}$",
    re.MULTILINE,
)
"""Marks at the end of a line, including block names in a vault, but no exponents."""
_ENDS = re.compile(r"[\\#¶^]")
_LITERAL = re.compile(r"(?<=[\w)`\"'])::\s*\Z")
"""The mark before a literal block in reStructuredText."""
_SHORTCODE = re.compile(r"\{\{[<%]\s*/?\w[^{}]{0,400}[>%]\}\}")
"""A Hugo shortcode: `{{< new-in "0.93.0" >}}`."""
_KEPT = "\ue000"
"""Placeholder for code while markup is removed, since marks within code are kept."""
_PLACE = re.compile(f"{_KEPT}(\\d+){_KEPT}")


def readable(text: str) -> str:
    """Return a sentence, item or paragraph on one line without markup and docstring quotes."""
    if '"""' in text or "'''" in text:
        text = _DOCSTRING.sub("", text)
    if _MARKED.search(text):
        text = _without_marks(text)
    return " ".join(text.split())


def _without_marks(text: str) -> str:
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append((match[2] or "").strip())
        return f"{_KEPT}{len(kept) - 1}{_KEPT}"

    if ">" in text:
        text = _QUOTE.sub("", text)
    if "[!" in text:
        alone = text.strip()
        text = _ALERT.sub("", _INCLUDED.sub(lambda match: "" if match["code"] or match[0] == alone else match[2], text))
    if _ENDS.search(text):
        text = _END.sub("", text)
    text = _BULLET.sub("", text, count=1).replace(_KEPT, "")
    if ":" in text:
        text = _LITERAL.sub(":", _FIELD.sub(r"\1", text))
    if "[[" in text:
        text = _WIKI_LINK.sub(lambda match: "" if match["shown"] else match["called"] or match["page"], text)
    if "[" in text:
        text = _LINK.sub(r"\1", _REFERENCE.sub(r"\1", _IMAGE.sub("", text)))
    if "`" in text:
        text = _MYST.sub(r":\1:", text) if "}`" in text else text
        text = _TARGET.sub(lambda match: match[1] or match[2], _ROLE.sub(_named, text))
        text = _CODE.sub(keep, text)
    if "{{" in text:
        text = _SHORTCODE.sub(" ", text)
    if "<" in text:
        text = _TAG.sub(
            _space_of, _COMPONENT.sub(" ", _NAMED_THERE.sub(lambda match: match[1].replace("%2A", ""), text))
        )
    if "::" in text:
        text = _NOTED.sub(lambda match: f"{match[1]}: " if match[1] else f"{match[2]}: {match[3]}", text)
    if "==" in text or "%%" in text:
        text = _HIGHLIGHT.sub(_unlit, text)
    if "*" in text:
        text = _STRESSED.sub(r"\2", _STRESSED.sub(r"\2", text))
        text = _HALF_STRESSED.sub("", text, count=1) if text.count("**") == 1 else text
    if "_" in text:
        text = _UNDERSCORED.sub(r"\2", text)
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    return _PLACE.sub(lambda match: kept[int(match[1])], text) if kept else text


def _unlit(marked: re.Match[str]) -> str:
    """Return highlighted or commented text without marks; placeholders (`%%USER%%`) stay unchanged."""
    is_said = marked[1] == "==" or " " in marked[2] or (marked[2].isalpha() and marked[2] == marked[2].lower())
    return marked[2] if is_said else marked[0]


def _named(role: re.Match[str]) -> str:
    """Return the displayed text of a role: its label or target; for `~a.b.c` only the last part."""
    if role[2]:
        return role[2]
    name = role[3].rpartition(".")[2] if role[0].endswith(f"~{role[3]}`") else role[3].removeprefix(".")
    return f"{_DOCUMENTS.get(role[1], '')}{name}"


def _space_of(tag: re.Match[str]) -> str:
    """Return a blank for a tag that ends a line, and an empty string for others."""
    return " " if tag[0].lower().startswith(("<br", "<p", "</p", "<li", "<td", "<th", "<tr", "<div", "</div")) else ""


def cells(row: str) -> list[str]:
    """Return the readable cells of a table row."""
    escaped = row.strip().replace("\\|", _KEPT)
    inner = escaped.removeprefix("|").removesuffix("|")
    return [readable(cell.replace(_KEPT, "|")) for cell in inner.split("|")]


_SIDE_BY_SIDE = re.compile(r"[ \t]*\|[ \t]*|\t+|[ ]{3,}")
_CELLS, _CELL = 4, 24
"""Minimum cells of a row that can only be a table, and maximum characters of each."""


def is_read_across(written: str) -> bool:
    """Return True if a text is a table's cells side by side without column names."""
    rows = [_SIDE_BY_SIDE.split(line.strip("| \t\r")) for line in written.strip().splitlines()]
    return all(len(row) >= _CELLS and max(map(len, row)) <= _CELL for row in rows)


def readable_row(row: str, header: str | None) -> str:
    """Return a table row as text, each cell after its column's name if known."""
    values = cells(row)
    names = cells(header) if header else []
    if len(names) != len(values) or not any(names):
        return " — ".join(value for value in values if value).replace(": — ", ": ")
    named = [f"{name}: {value}" if name else value for name, value in zip(names, values, strict=True) if value]
    return "; ".join(named)


def readable_record(line: str, header: str | None) -> str:
    """Return a CSV record as text: `product: Water; price: 0.90`."""
    said, names = records.cells(line, header or line), records.cells(header, header) if header else []
    if len(names) != len(said):
        return " — ".join(cell.strip() for cell in said if cell.strip())
    named = zip(names, said, strict=True)
    return "; ".join(f"{name.strip()}: {cell.strip()}" for name, cell in named if cell.strip())

"""Readable text of markup: links as their text, without tags, emphasis marks and escapes."""

from __future__ import annotations

import html
import re

from biblicus.text import records

_DOCSTRING = re.compile(r"""\A\s*[rRbBuU]{0,2}(?:\"{3}|'{3})|(?:\"{3}|'{3})\s*\Z""")
_MARKED = re.compile(r"[*_`\\<>\[&{|#¶:]|==|^\s*[-+•‣◦▪–]", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_EDGES = re.compile(
    r"\A\s*(?::\s+|#\.\s+|[-*+•‣◦▪–]\s+(?:\[[ xX]\]\s+)?|\[[ xX]\]\s+|#{1,6}\s+)|[ \t]*(?:\\|(?<=\s)#+|¶)$"
    r"|(?<=[\w)`\"']:):\s*\Z|\A\s*:(?=[^\s:][^:\n]{0,60}:\s)",
    re.MULTILINE,
)
"""Bullets, checkboxes and marks of headings, and marks at the ends of lines."""
_INLINE = re.compile(
    r"(?=[`:{!\[<*_=\\&])(?:"
    r"(?<!`)(?P<role>:(?:[a-z][\w.+-]{0,30}:)?[a-z][\w.+-]{0,30}:|(?<![\w./:})\]])\{[a-zA-Z][\w:+.-]{0,40}\})?"
    r"(?P<ticks>`{1,3})(?!`)(?P<code>[^`\n]+(?:\n[^`\n]+)?)(?P=ticks)(?!`)(?P<refers>_{1,2}(?!\w))?"
    r"|!\[[^\[\]\n]{0,300}\](?:\([^()\n]{0,500}\)|\[[^\[\]\n]{0,80}\])"
    r"|\[!(?P<directive>\w[\w-]{0,30})(?: ?\[(?P<included>[^\[\]\n]{0,120})\]\([^()\n]{0,300}\))?\]"
    r"|!?(?<!\w)\[\[(?P<page>[^\[\]|#^\n]{1,200})(?:[#^][^\[\]|\n]{0,200})?(?:\|(?P<called>[^\[\]\n]{1,200}))?\]\]"
    r"|\[(?P<link>(?:[^\[\]\n]|\n(?!\n)|\[(?:[^\[\]\n]|\[[^\[\]\n]{0,40}\]){0,80}\]){1,300})\]"
    r"(?:\((?:[^()\n]|\n(?!\n)|\([^()\n]{0,100}\)){0,500}\)|\[[^\[\]\n]{0,80}\])"
    r"|<xref:(?P<xref>[^<>?\s]{1,200})(?:\?[^<>\s]{0,80})?>"
    r"|<!--(?s:.{0,500}?)-->|<(?P<closes>/?)(?P<tag>[a-zA-Z][\w.]{0,60})(?P<attributes>\s[^<>]{0,300})?/?>"
    r"|\{\{[<%]\s*/?\w[^{}]{0,400}[>%]\}\}"
    r"|(?<![\w*\\])(?P<strong>\*{2,3}|==)(?![\s*=])(?P<stressed>(?:[^*=\n]|\*(?!\*)|=(?!=)|\n(?!\n)){1,500}?)(?<![\s*\\])"
    r"(?P=strong)(?![\w*=])"
    r"|(?<![\w*\\])\*(?![\s*])(?P<light>[^*\n]{1,300}?(?:\n[^*\n]{1,200}?)?)(?<![\s*\\])\*(?![\w*])"
    r"|(?<![\w\\])(?!__[a-z][a-z0-9_]*__(?!\w))(?P<under>_{1,3})(?![\s_])(?P<lined>[^\n]{1,200}?)(?<![\s_\\])(?P=under)(?!\w)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<entity>&(?:\#\d{1,7}|\#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});))"
)
"""A mark of Markdown, reStructuredText, MyST, HTML or a site generator, with what it stands around."""
_STRUCK = re.compile(r"~~(?=[^\s~])[^~\n]{1,400}~~|<(del|s|strike)>[^<>\n]{0,400}</\1>")
_TITLED = re.compile(r"(.{1,200}?)\s*<[^<>]{1,300}>", re.DOTALL)
"""The text of a reference before its target: ``text <target>``."""
_DOCUMENTS = {":pep:": "PEP ", ":rfc:": "RFC "}
"""Roles of reStructuredText that name a document by its number."""
_WITHIN_LINES = " a abbr b cite code del em font i ins kbd mark q s samp small span strike strong sub sup tt u var "
_BETWEEN_LINES = (
    " blockquote br center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr img li ol p pre summary table"
    " tbody td th thead tr ul "
)
"""Tags of HTML: those that stand within a line join what they are between, the others part it."""
_BAR = "\ue000"
"""Stands for a bar within a cell."""


def readable(text: str) -> str:
    """Return a sentence, item or paragraph on one line without markup and docstring quotes."""
    if '"""' in text or "'''" in text:
        text = _DOCSTRING.sub("", text)
    if "~~" in text or "</" in text:
        text = _STRUCK.sub("", text)
    if _MARKED.search(text):
        text = _EDGES.sub("", _QUOTE.sub("", text) if ">" in text else text).strip()
        if text.count("**") == 1:  # a stress that began in an earlier sentence, or goes on in the next
            text = text.removeprefix("**").removesuffix("**")
        text = _INLINE.sub(_shown, text)
    return " ".join(text.split())


def _shown(mark: re.Match[str]) -> str:
    """Return what a mark shows."""
    for name in ("link", "stressed", "light", "lined"):
        if inner := mark[name]:
            return _INLINE.sub(_shown, inner)
    if code := mark["code"]:
        return _referred(mark["role"] or "", code) if mark["role"] or mark["refers"] else code.strip()
    if tag := mark["tag"]:
        return _beside(mark, tag)
    if mark["included"]:
        is_alone = mark[0] == mark.string.strip() or mark["directive"].lower() != "include"
        return "" if is_alone else mark["included"]
    if mark["page"]:
        return "" if mark[0].startswith("!") else mark["called"] or mark["page"]
    if mark["entity"]:
        return html.unescape(mark["entity"])
    return (mark["xref"] or mark["escaped"] or "").replace("%2A", "") or " " * mark[0].startswith("{{")


def _referred(role: str, written: str) -> str:
    """Return what a reference shows: its text, or what it names; of `~a.b.c` the last part."""
    if titled := _TITLED.fullmatch(written):
        return titled[1]
    name = written.rpartition(".")[2] if written.startswith("~") else written.removeprefix("!").removeprefix(".")
    return f"{_DOCUMENTS.get(role, '')}{name}" if role else written


def _beside(mark: re.Match[str], tag: str) -> str:
    """Return the replacement of a tag. A possible placeholder or type, such as `<name>`, is kept."""
    if f" {tag.lower()} " in _WITHIN_LINES:
        return ""
    is_component = mark["closes"] or "=" in (mark["attributes"] or "") or f"</{tag}>" in mark.string
    return " " if f" {tag.lower()} " in _BETWEEN_LINES or is_component else mark[0]


def cells(row: str) -> list[str]:
    """The readable cells of a table's row."""
    inner = row.strip().replace("\\|", _BAR).removeprefix("|").removesuffix("|")
    return [readable(cell.replace(_BAR, "|")) for cell in inner.split("|")]


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
    texts, names = records.cells(line, header or line), records.cells(header, header) if header else []
    if len(names) != len(texts):
        return " — ".join(cell.strip() for cell in texts if cell.strip())
    named = zip(names, texts, strict=True)
    return "; ".join(f"{name.strip()}: {cell.strip()}" for name, cell in named if cell.strip())

"""HTML elements of the page. Arguments are markup in which texts are already escaped by `text_of`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from biblicus.guards.terminal import safe

COLOURS = 8


def text_of(value: str) -> str:
    """Return untrusted text for HTML: escaped, with control characters visible."""
    return escape(safe(value), quote=True)


def section(title: str, note: str, *body: str) -> str:
    """Return a heading, a note on how to read the section, and its content."""
    paragraph = f'<p class="soft">{note}</p>' if note else ""
    return "".join((f"<h2>{title}</h2>", paragraph, *body, "\n"))


def card(*body: str) -> str:
    """Return a framed block; one with a table can be focused, so that keys scroll it."""
    is_wide = any("<table" in part for part in body)
    return "".join((f'<div class="card"{" tabindex=0" if is_wide else ""}>', *body, "</div>"))


def two(*cards: str) -> str:
    """Return cards side by side if there is room."""
    return "".join(('<div class="two">', *cards, "</div>"))


def cell(content: str, kind: str = "") -> str:
    """Return a table cell; `kind`: `text`, `wide`, `soft`, …."""
    return f'<td class="{kind}">{content}</td>' if kind else f"<td>{content}</td>"


def table(head: Sequence[str], rows: Iterable[Iterable[str]], words: Sequence[int] = ()) -> str:
    """Return a table. `words`: columns with text instead of figures, in addition to the first."""
    titles = "".join(_title(name, "text" if n in words else "") for n, name in enumerate(head))
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _title(name: str, kind: str) -> str:
    """Return a column's header cell; an empty one is a plain cell."""
    of_kind = f' class="{kind}"' if kind else ""
    return f'<th scope="col"{of_kind}>{name}</th>' if name else "<td></td>"


def named(name: str, number: int) -> str:
    """Return a system's name with its colour."""
    return f'<span class="swatch c{number % COLOURS}"></span><span class="name">{text_of(name)}</span>'


def code(value: str) -> str:
    return f"<code>{text_of(value) or '–'}</code>"

"""The few shapes that the page is made of. What they are given is markup already: texts went through `text_of`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from biblicus.guards.terminal import safe

COLOURS = 8


def text_of(value: str) -> str:
    """A stranger's text as part of a page: control characters visible, markup inert."""
    return escape(safe(value), quote=True)


def section(title: str, note: str, *body: str) -> str:
    """A heading, a line on how to read what follows, and that."""
    paragraph = f'<p class="soft">{note}</p>' if note else ""
    return "".join((f"<h2>{title}</h2>", paragraph, *body, "\n"))


def card(*body: str) -> str:
    """A framed part. A table may be wider than it: the keys move it, too."""
    is_wide = any("<table" in part for part in body)
    return "".join((f'<div class="card"{" tabindex=0" if is_wide else ""}>', *body, "</div>"))


def two(*cards: str) -> str:
    """Cards side by side where there is room."""
    return "".join(('<div class="two">', *cards, "</div>"))


def cell(content: str, kind: str = "") -> str:
    """A cell; `kind`: `text`, `wide`, `soft`, … ."""
    return f'<td class="{kind}">{content}</td>' if kind else f"<td>{content}</td>"


def table(head: Sequence[str], rows: Iterable[Iterable[str]], words: Sequence[int] = ()) -> str:
    """A table of cells. `words`: columns that hold words, not figures (the first does anyway)."""
    titles = "".join(_title(name, "text" if n in words else "") for n, name in enumerate(head))
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _title(name: str, kind: str) -> str:
    """A column's title; what has none is no header."""
    of_kind = f' class="{kind}"' if kind else ""
    return f'<th scope="col"{of_kind}>{name}</th>' if name else "<td></td>"


def named(name: str, number: int) -> str:
    """A system's name behind its colour."""
    return f'<span class="swatch c{number % COLOURS}"></span><span class="name">{text_of(name)}</span>'


def code(value: str) -> str:
    """An id."""
    return f"<code>{text_of(value) or '–'}</code>"

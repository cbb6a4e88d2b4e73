"""Drafts of an answer as paragraphs of a page that is still being sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import escape

from biblicus.connectors.http.writing import Done, Part
from biblicus.guards.terminal import safe

_OPEN = '<p class="draft" dir="auto">'


async def paragraphs(drafts: AsyncIterator[Part]) -> AsyncIterator[str | Done[dict[str, object]]]:
    """Yield HTML that extends the page with the draft, then the result after all paragraphs are closed.

    If the model starts again, a new paragraph begins."""
    shown: str | None = None
    async for part in drafts:
        if isinstance(part, Done):
            if shown is not None:
                yield "</p>"
            yield part
        elif part is None:
            yield "<!-- -->"
        elif shown is not None and part.startswith(shown):
            yield _inert(part[len(shown) :])
            shown = part
        else:
            yield f"{'' if shown is None else '</p>'}{_OPEN}{_inert(part)}"
            shown = part


def _inert(text: str) -> str:
    return escape(safe(text, keep_newlines=True))

"""How a persona came to its answer, for a person: manual, plan, queries, and what the evidence is worth."""

from __future__ import annotations

import textwrap

from biblicus.connectors.cli import output
from biblicus.models.persona import Assessment, PersonaAnswer


def show_approach(found: PersonaAnswer) -> None:
    """Print what stands beside the answer of a persona."""
    output.line()
    output.line(f"As {found.persona.name}:", bold=True)
    for step in found.plan.steps:
        piece = found.manual[step.manual - 1] if step.manual else None
        output.parts(
            output.styled(f"  · {_short(step.text)}"),
            output.styled(f"  {piece.path}:{piece.line_start}" if piece else "", fg="bright_black"),
        )
    for query in found.queries[1:]:
        output.line(f"  asked too: {query.text} ({query.kept} of {query.found} pieces kept)", fg="bright_black")
    if found.plan.note:
        output.line(f"  {found.plan.note}", fg="yellow")
    output.line(f"  {_worth(found.assessment)}")
    if found.unused:
        output.line(f"  Without a language model these change nothing: {', '.join(found.unused)}.", fg="bright_black")


def _short(text: str) -> str:
    return textwrap.shorten(text, output.width() - 30, placeholder=" …")


def _worth(found: Assessment) -> str:
    """The assessment in a line."""
    sources = "1 source" if found.sources == 1 else f"{found.sources} sources"
    lacking = f"; nothing on: {', '.join(found.missing)}" if found.missing else ""
    stale = f"; {found.stale} changed since" if found.stale else ""
    return (
        f"Evidence: {found.strength}; {found.pieces} pieces of {sources}, {found.cited_sources} cited{lacking}{stale}"
    )

"""The command that brings a bibliography's metadata to PDFs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, Strict, place_of


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(bibliography)


def bibliography(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A BibTeX or CSL-JSON file.")],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace titles and metadata that sidecars hold already.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be written, and change nothing.")] = False,
    strict: Strict = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Tell PDFs their title, authors, date, journal, DOI, arXiv id and citation key, from a bibliography.

    A PDF is known by the file that an entry names, by DOI or arXiv id, or by its name. Sidecars are written.
    """
    from biblicus.bring.bibliography import BibliographyRequest
    from biblicus.bring.bibliography import bibliography as operation

    with output.watched() as call:
        report = operation(place_of(corpus), BibliographyRequest(file, dry_run, overwrite, strict), call)
    if as_json:
        output.document(report)
        return
    for match in report.matched:
        said = ", ".join(match.written) or "nothing new"
        output.line(f"~ {match.path}  {match.key} (by {match.by}): {said}", fg="yellow" if match.written else None)
    several = [{"path": one["path"], "reason": "could be " + ", ".join(one["keys"])} for one in report.ambiguous]
    nowhere = [{"path": one["key"], "reason": one.get("title", "no title")} for one in report.unmatched]
    output.notes("Ambiguous", several, fg="yellow")
    output.notes("In the bibliography alone", nowhere, fg="bright_black")
    output.notes("Failed", report.failed, fg="red")
    told = sum(1 for match in report.matched if match.written)
    would = "would be told" if dry_run else "told"
    known = len(report.matched)
    output.line(f"{report.entries} entries: {known} items known, {told} {would} something new.", bold=True)

"""Metadata for PDFs of the corpus from a BibTeX or CSL-JSON file.

A PDF is matched by the `file` field, its DOI or arXiv id (in its metadata, source, name, or first text), or its name.
Existing metadata is kept unless it is to be replaced. Only sidecars are written."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biblicus import telemetry
from biblicus.bring.references import By, Reference, References, bibtex_in, csl_in
from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.described.describe import read_sidecar
from biblicus.corpus.described.sidecars import update
from biblicus.corpus.extracted.extractions import Extractions, of_default_recipe, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.corpus.report import Report
from biblicus.disk import files
from biblicus.errors import BadData, BibliographyUnreadable, CheckFailed, ConfigInvalid, SourceNotFound, UnsafeInput
from biblicus.models.extraction import Extraction
from biblicus.models.item import Item
from biblicus.models.manifest import Note
from biblicus.models.plain import count
from biblicus.models.requests.bring import BibliographyRequest
from biblicus.text.decoding import decode

LARGEST = 64 << 20


@dataclass(frozen=True)
class Matched:
    """An item and its reference. `by`: the matching method. `written`: keys added to its sidecar."""

    item_id: str
    path: str
    key: str
    by: By
    written: tuple[str, ...] = ()


@dataclass
class BibliographyReport:
    """Result of an import.

    `unmatched`: entries without an item. `ambiguous`: items that match several entries. `failed`: unreadable entries.
    `refresh`: refresh of the catalog; None in a dry run."""

    entries: int = 0
    matched: list[Matched] = field(default_factory=list)
    unmatched: list[dict[str, str]] = field(default_factory=list)
    ambiguous: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, str]] = field(default_factory=list)
    refresh: Report | None = None
    dry_run: bool = False
    ms: float = 0.0


def bibliography(corpus: CorpusFolder, request: BibliographyRequest, call: Call) -> BibliographyReport:
    """Add the metadata to the items. Raises `SourceNotFound`, `BibliographyUnreadable`, `ExtraMissing`, and
    `CheckFailed` with `strict`."""
    began = time.perf_counter()
    references, failed = references_of(Path(request.file))
    report = BibliographyReport(len(references), dry_run=request.dry_run)
    report.failed = [{"path": f"{Path(request.file).name}, {note.path}", "reason": note.reason} for note in failed]
    with telemetry.span("bibliography"), corpus.writing(call):
        refresh(corpus, call)
        items = [item for item in catalog_of(corpus).items.values() if item.media_type == "application/pdf"]
        _match(corpus, items, references, report, call)
        by_key = {reference.key: reference for reference in references}
        for at, match in enumerate(report.matched):
            news = _news(corpus, match.path, by_key[match.key], request.overwrite)
            report.matched[at] = Matched(match.item_id, match.path, match.key, match.by, _keys(news))
            if news and not request.dry_run:
                _write(corpus, match.path, news, report)
        if not request.dry_run:
            report.refresh = refresh(corpus, call).report
    report.ms = round((time.perf_counter() - began) * 1000, 1)
    if request.strict and (report.failed or report.ambiguous):
        raise CheckFailed(
            f"{count(len(report.failed) + len(report.ambiguous), 'entries')} failed.", "biblicus bibliography --json"
        )
    return report


def references_of(path: Path) -> tuple[list[Reference], list[Note]]:
    """Read the references of a file; the format is detected from its start."""
    try:
        text = decode(files.read(path, limit=LARGEST)).text.lstrip("\ufeff \t\r\n")
    except FileNotFoundError:
        raise SourceNotFound(str(path), "biblicus bibliography FILE") from None
    except (OSError, UnsafeInput) as error:
        cause = files.describe(error) if isinstance(error, OSError) else error.message.rstrip(".")
        raise BibliographyUnreadable(path.name, cause) from error
    if text.startswith(("[", "{")):
        try:
            references, failed = csl_in(text)
        except BadData as error:
            raise BibliographyUnreadable(path.name, error.message.rstrip(".")) from error
    else:
        references, failed = bibtex_in(text)
    if not references and not failed:
        raise BibliographyUnreadable(path.name, "it holds no references")
    once: dict[str, Reference] = {}
    for reference in references:
        if once.setdefault(reference.key, reference) is not reference:
            failed.append(Note(path=reference.key, reason="its key stands twice"))
    return list(once.values()), failed


def _match(
    corpus: CorpusFolder, items: list[Item], references: list[Reference], report: BibliographyReport, call: Call
) -> None:
    """Match items to references: first without reading the texts."""
    index = References(references)
    unread = [item for item in items if not _take(item, index.known(item), report)]
    texts = of_default_recipe(corpus, call)
    for item, text in _texts(texts, unread, call):
        if not _take(item, index.read(text), report):
            _take(item, index.named(item), report)
    report.matched.sort(key=lambda match: match.path)
    report.ambiguous.sort(key=lambda entry: str(entry["path"]))
    mentioned = {match.key for match in report.matched} | {key for entry in report.ambiguous for key in entry["keys"]}
    for reference in references:
        if reference.key not in mentioned:
            fields = {"key": reference.key, "title": reference.title, "doi": reference.doi, "arxiv": reference.arxiv}
            report.unmatched.append({name: value for name, value in fields.items() if value})


def _take(item: Item, found: Iterable[tuple[By, list[Reference]]], report: BibliographyReport) -> bool:
    """Use the first method that matches any reference; several matches are reported as ambiguous."""
    for by, references in found:
        keys = list(dict.fromkeys(reference.key for reference in references))
        if len(keys) > 1:
            report.ambiguous.append({"item_id": item.item_id, "path": item.path, "by": by, "keys": keys[:20]})
        elif keys:
            report.matched.append(Matched(item.item_id, item.path, keys[0], by))
        if keys:
            return True
    return False


def _texts(texts: Extractions, items: list[Item], call: Call) -> Iterator[tuple[Item, str]]:
    """Yield the text of each item; empty if it has none."""
    later = {}
    for item in items:
        call.check()
        raw = raw_of(item)
        outcome = texts.get(raw)
        if outcome is None:
            later[raw] = item
        else:
            yield item, outcome.text if isinstance(outcome, Extraction) else ""
    for raw, outcome in texts.guarded(later):
        yield later[raw], outcome.text if isinstance(outcome, Extraction) else ""


# --- writing ---


def _news(corpus: CorpusFolder, path: str, reference: Reference, overwrite: bool) -> dict[str, Any]:
    """Return the metadata that the item's sidecar does not have yet."""
    authors: Any = list(reference.authors) if len(reference.authors) > 1 else "".join(reference.authors)
    metadata = {
        "author": authors,
        "date": reference.date,
        "year": reference.date[:4],
        "journal": reference.journal,
        "doi": reference.doi,
        "arxiv": reference.arxiv,
        "citation_key": reference.key,
    }
    there = read_sidecar(corpus, path)
    present_metadata = {**there.rest, **there.values.get("metadata", {})}
    news = {
        key: value
        for key, value in metadata.items()
        if value and present_metadata.get(key) != value and (overwrite or present_metadata.get(key) is None)
    }
    title = there.values.get("title")
    fields: dict[str, Any] = {}
    if reference.title and title != reference.title[:300] and (overwrite or title is None):
        fields["title"] = reference.title[:300]
    return {**fields, **({"metadata": news} if news else {})}


def _keys(said: dict[str, Any]) -> tuple[str, ...]:
    return (*(key for key in said if key != "metadata"), *said.get("metadata", {}))


def _write(corpus: CorpusFolder, path: str, said: dict[str, Any], report: BibliographyReport) -> None:
    try:
        update(corpus, path, said)
    except ConfigInvalid as error:  # an unreadable sidecar is left unchanged
        report.failed.append({"path": path, "reason": error.message})

"""Checks and repairs the editorial log, the stored approved bytes, and publications."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from biblicus.corpus.catalog import Catalog, parse_line
from biblicus.corpus.editorial import approvals, log, publications
from biblicus.corpus.editorial.approvals import LEFT_OUT, digest_at, kept_bytes
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files, seals
from biblicus.errors import BiblicusError
from biblicus.models.manifest import Manifest
from biblicus.runs import manifests as runs
from biblicus.upkeep.kinds import CheckReport

_APPROVAL = b',"approval":"'


def check_editorial(corpus: CorpusFolder, catalog: Catalog | None, report: CheckReport, *, deep: bool) -> None:
    """Check the log, its approvals, and publications. `deep`: also every byte."""
    _log(corpus, catalog, report)
    try:
        approved_paths = dict(_wanted(corpus))
    except BiblicusError:
        approved_paths = {}
    for sha256, path in sorted(approved_paths.items()):
        if not os.path.lexists(corpus.approved / sha256):
            report.problem(*_gone(corpus, sha256, path))
    for sha256 in _kept(corpus):
        if deep and kept_bytes(corpus, sha256) is None:
            report.problem(*_gone(corpus, sha256, approved_paths.get(sha256, ""), "it is not what was approved"))
    for name in publications.names(corpus):
        _publication(corpus, name, report)
    torn = corpus.local / approvals.NAME
    if os.path.lexists(torn) and seals.read_sealed(torn) is None:
        report.note(f"{FOLDER}/local/{approvals.NAME}", "a crash cut it short before anything was promoted")


def _log(corpus: CorpusFolder, catalog: Catalog | None, report: CheckReport) -> None:
    editorial_log = None
    try:
        if os.path.lexists(corpus.editorial):
            editorial_log = log.read(corpus, always=True)
    except BiblicusError as error:
        hint = error.hint if error.hint.startswith("biblicus") else ""
        report.problem(log.WHERE, error.message.removeprefix(log.WHERE).strip(), hint)
        return
    if editorial_log is not None and not log.is_merged_by_git(corpus):
        report.problem(f"{FOLDER}/.gitattributes", "it does not tell git to keep the log's lines of both branches")
    lines = (entry.line for entry in catalog.entries.values() if _APPROVAL in entry.line) if catalog else ()
    ids = editorial_log.by_id if editorial_log else {}
    for item in map(parse_line, lines):
        if (item.approval or "").removesuffix(LEFT_OUT) not in ids:
            report.problem(log.WHERE, f"the line that approves {item.path} is gone")
            return


def _wanted(corpus: CorpusFolder) -> Iterator[tuple[str, str]]:
    """Yield the digests that must be stored, each with a current or former path."""
    for name in publications.names(corpus):
        with suppress(BiblicusError):
            for item in publications.read(corpus, name).catalog.items.values():
                yield item.sha256, item.path
    for event in log.read(corpus, always=True).standing.values():
        for path, sha256 in event.parts.items():
            yield sha256, path


def _gone(corpus: CorpusFolder, sha256: str, path: str, reason: str = "") -> tuple[str, str, str]:
    """Return the problem of missing bytes; repair stores them again if the file still has them."""
    where = f"{FOLDER}/approved/{sha256}"
    hint = "" if path and digest_at(corpus, path) == sha256 else f"git checkout {where}"
    return where, reason or f"it is gone, and {path} was approved with it", hint


def _kept(corpus: CorpusFolder) -> list[str]:
    try:
        return sorted(name for name in os.listdir(corpus.approved) if files.TEMPORARY not in name)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _publication(corpus: CorpusFolder, name: str, report: CheckReport) -> None:
    where = f"{FOLDER}/publications/{name}.json"
    published = report.guard(where, lambda: publications.read(corpus, name))
    run_id = published.publication.run_id if published else ""
    if published and not os.path.lexists(corpus.runs / f"{run_id}.json"):
        report.problem(f"{FOLDER}/runs/{run_id}.json", f"it is gone, and is the publication {name}")


def mend_editorial(corpus: CorpusFolder) -> list[str]:
    """Repair the log, and store unchanged approved files again. Requires the lock."""
    done = []
    if log.mend(corpus):
        done.append("the editorial log was put in order")
    if os.path.lexists(corpus.editorial) and not log.is_merged_by_git(corpus):
        log.tell_git(corpus)
        done.append("git is told again how to merge the editorial log")
    try:
        approved_paths = dict(_wanted(corpus))
    except BiblicusError:
        return done
    for sha256, path in approved_paths.items():
        if kept_bytes(corpus, sha256) is None and digest_at(corpus, path) == sha256:
            approvals.keep(corpus, path, sha256)
            done.append(f"what was approved of {path} is kept again")
    return done


def bring_back_manifests(corpus: CorpusFolder) -> list[str]:
    """Rewrite missing or set aside manifests of publications. Requires the lock."""
    done = []
    for name in publications.names(corpus):
        with suppress(BiblicusError, ValueError):
            publication = publications.read(corpus, name).publication
            if not os.path.lexists(corpus.runs / f"{publication.run_id}.json"):
                runs.commit(corpus, Manifest.model_validate({**publication.manifest, "digest": ""}))
                runs.keep(corpus, publication.run_id)
                done.append(f"the manifest of the publication {name} was written anew")
    return done

"""Sources of a corpus: list, add, remove and trust; lists of repositories, read and written for other programs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from biblicus import guards, plugins
from biblicus.bring.apply import SourceReport, SourceUpdate
from biblicus.bring.sync import Allowance, SyncReport, allow, allowances, keep, local_place, sync, turn
from biblicus.config import read_mapping
from biblicus.contracts import Call
from biblicus.corpus import registries as stored
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.changes.synced import IMPORTS, registered
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.corpus.report import Report
from biblicus.disk import changes, files, system
from biblicus.errors import BiblicusError, ConfigInvalid, Refused, SourceNotFound, SourceUnlisted, UsageError
from biblicus.errors.families import typed
from biblicus.guards import network
from biblicus.models.fields import NoRequest, compact, worded
from biblicus.models.plain import made_of, plain
from biblicus.models.requests.bring import (
    AddSourceRequest,
    ImportSourcesRequest,
    RemoveSourceRequest,
    Same,
    SyncRequest,
)
from biblicus.models.sources.entries import KINDS, ConnectorEntry, Entry, is_local, where_of

_HOSTS = frozenset({"github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "gitea.com"})
_SITE = ("prefix", "depth", "max_pages")
_WEB = ("url", "site", "feed")

_NAMES = {"github_url": "url", "repo": "url", "branch": "ref", "default_branch": "ref", "doctype_rules": "doctypes"}
"""Alternative field names in these lists."""
_FIELDS = ("url", "name", "toolkit", "category", "tags", "ref", "include", "exclude", "doctypes", "every")
_GITHUB = "https://github.com/"


@dataclass(frozen=True)
class SourceState:
    """A source as shown by `sources list`.

    `trusted`: this user wrote or trusted its entry. `allowed`: its permissions (`local`, `private`). `documents`:
    number synced. `state`: state after the last sync (`commit`, `branch`, …), or empty. `listed`: in `sources.yml`;
    otherwise it was removed and its documents kept. `failed`: reasons of
    the documents that failed in the last sync, by id."""

    name: str
    kind: str
    where: str | None
    entry: Mapping[str, Any]
    trusted: bool
    allowed: tuple[str, ...] = ()
    documents: int = 0
    state: Mapping[str, str] = field(default_factory=dict)
    listed: bool = True
    problem: str | None = None
    failed: Mapping[str, str] = field(default_factory=dict)


def sources(corpus: CorpusFolder, request: NoRequest, call: Call) -> Sources:
    """Return the listed sources, and removed ones whose documents were kept. Raises `ConfigInvalid`."""
    entries = stored.read_list(corpus).sources
    permissions = allowances(corpus.config.corpus_id)
    states = [_state(corpus, entry, permissions.get(entry.digest)) for entry in entries]
    names = {entry.name for entry in entries}
    for name in registered(corpus):
        registry = stored.read_registry(corpus, name) if name not in names else None
        if registry is not None:
            header = registry.header
            states.append(
                SourceState(
                    name, header.kind, None, {}, False, documents=len(registry.rows), state=header.state, listed=False
                )
            )
    return Sources(tuple(states))


def _state(corpus: CorpusFolder, entry: Entry, allowed: Allowance | None) -> SourceState:
    problem = registry = None
    try:
        registry = stored.read_registry(corpus, entry.name)
    except BiblicusError as error:
        problem = error.message
    more = (("local",) if allowed and allowed.local else ()) + (("private",) if allowed and allowed.private else ())
    synced = {"documents": len(registry.rows) if registry else 0}
    synced |= {name: getattr(registry.header, name) if registry else {} for name in ("state", "failed")}
    shown = entry.model_dump(mode="json", exclude_defaults=True)
    own = {"where": where_of(entry), "entry": shown, "trusted": allowed is not None, "allowed": more}
    return made_of(SourceState, entry, problem=problem, **own, **synced)


@dataclass(frozen=True)
class Sources:
    """Sources of a corpus."""

    sources: tuple[SourceState, ...]


_ALLOWED = ("allow_local", "allow_private")

# --- adding ---


def add(corpus: CorpusFolder, request: AddSourceRequest, call: Call) -> SourceState:
    """Add a source. Entries written by this user are trusted.

    Raises `UsageError`, and `Refused` for a local path without `allow_local`."""
    address = request.address
    entry = entry_of(corpus, address, _entry_fields(request))
    local = str(local_place(corpus, entry)) if is_local(entry) else None
    if local is not None and not request.allow_local:
        raise Refused(f"{address} lies on this machine.", f"biblicus sources add {typed(address)} --allow-local")
    if local is not None and not os.path.isdir(local):
        raise UsageError(f"There is no folder {local}.", "biblicus sources add ADDRESS")
    with corpus.writing(call):
        source_list = stored.read_list(corpus)
        if entry.name in {listed_entry.name for listed_entry in source_list.sources}:
            raise UsageError(f'There is a source "{entry.name}" already.', f"biblicus sources remove {entry.name}")
        corpus_id = corpus.config.corpus_id
        allowed = allow(corpus_id, entry.digest, local=local, private=request.allow_private)
        try:
            stored.add_entry(corpus, entry)
        except BiblicusError:
            with suppress(BiblicusError):
                keep(corpus_id, (listed_entry.digest for listed_entry in source_list.sources))
            raise
    return _state(corpus, entry, allowed)


def entry_of(corpus: CorpusFolder, address: str, said: Mapping[str, Any]) -> Entry:
    """Return the entry for an address and its options. Raises `UsageError`."""
    where, ref = _pinned(address)
    try:
        urlsplit(where)
    except ValueError as error:  # invalid brackets around a host
        raise UsageError(f"{address} is no address.", "biblicus sources add https://…") from error
    fields = {key: value for key, value in said.items() if value not in (None, (), [], {})}
    kind = fields.pop("kind", None) or _kind(corpus, address, where, fields)
    if kind not in (kinds := plugins.names("sources")):
        raise UsageError(f"There is no kind of source {kind}; known: {', '.join(kinds)}.")
    if kind not in KINDS:
        plugins.checked("sources", kind, fields.get("options") or {}, "options", f"biblicus sources add --kind {kind}")
    if ref and kind == "git":
        fields.setdefault("ref", ref)
    elif ref:
        where = address
    known = KINDS.get(kind, ConnectorEntry).model_fields
    for name, other in KINDS.items():
        if wrong := next((key for key in fields if key in other.model_fields and key not in known), None):
            raise UsageError(f"--{wrong.replace('_', '-')} is for a {name} source, not for a {kind}.")
    place: dict[str, str] = {}
    if kind == "share":
        share, _, path = where.removeprefix("share:").partition("/")
        place = {"share": share, "path": path}
        fields.setdefault("name", _free_name(corpus, path or share))
    elif "://" not in where:
        if re.match(r"[a-z0-9+.-]+:", where) or where.startswith("-"):
            raise UsageError(f"{address} is no address that can be a source.", "biblicus sources add https://…")
        where = system.below(os.path.abspath(where), corpus.root)
    elif kind in _WEB:
        where = _in_one_form(where)
    if kind != "share":
        place = {"path" if kind == "folder" else "url": where}
        fields.setdefault("name", _free_name(corpus, where))
    data = {"kind": kind, **place, **fields}
    try:
        return KINDS.get(kind, ConnectorEntry).model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field_name = next((str(part) for part in reversed(first["loc"]) if str(part) in data), "source")
        raise UsageError(f"{field_name}: {worded(first)}.", "biblicus sources add --help") from error


def _pinned(address: str) -> tuple[str, str | None]:
    """Return an address without `git+`, and the ref after an `@` in its path (as in pip)."""
    if not address.startswith("git+"):
        return address, None
    where = address.removeprefix("git+").removeprefix("file://")
    head, at, ref = where.rpartition("@")
    start = where.find("://") + 3 if "://" in where else 0
    if at and "/" in head[start:] and ref and ":" not in ref:
        return head, ref
    return where, None


def _kind(corpus: CorpusFolder, address: str, where: str, fields: Mapping[str, Any]) -> str:
    if address.startswith("git+"):
        return "git"
    if address.startswith("share:"):
        return "share"
    if "://" not in where:
        is_repository = os.path.isfile(os.path.join(where, "HEAD")) and os.path.isdir(os.path.join(where, "objects"))
        if os.path.isfile(os.path.join(where, "zotero.sqlite")):
            return "zotero"
        return "git" if is_repository or os.path.isdir(os.path.join(where, ".git")) else "folder"
    if not where.startswith(("https://", "http://")):
        raise UsageError(f"{address} is no address that can be a source.", "biblicus sources add https://…")
    if any(key in fields for key in _SITE):
        return "site"
    if "max_entries" in fields:
        return "feed"
    parts = urlsplit(where)
    segments = [part for part in parts.path.split("/") if part]
    hosted = (parts.hostname or "") in _HOSTS and len(segments) == 2 and not parts.query
    return "git" if parts.path.endswith(".git") or hosted or fields.get("ref") else "url"


def _in_one_form(address: str) -> str:
    """Return a web address without tracking parameters. Raises `UrlRefused`."""
    from biblicus.sources.web import plain

    return str(plain(network.urls.parse(address)))


def _free_name(corpus: CorpusFolder, where: str) -> str:
    parts = urlsplit(where)
    words = [parts.hostname or "", *(part for part in parts.path.split("/") if part)]
    last = words[-1].removesuffix(".git") if len(words) > 1 else words[-1]
    base = "-".join(re.findall(r"[a-z0-9]+", last.lower().rsplit(".", 1)[0] if len(words) > 1 else last.lower()))
    base = (base or "source")[:50]
    taken = {entry.name for entry in stored.read_list(corpus).sources} | set(registered(corpus))
    names = (base if n == 1 else f"{base}-{n}" for n in range(1, 10_000))
    return next(name for name in names if name not in taken and not os.path.lexists(corpus.root / IMPORTS / name))


def bring(corpus: CorpusFolder, request: AddSourceRequest, call: Call) -> SyncReport:
    """Ingest an address: add it as a source unless listed, and sync only it.

    Raises the errors of `add` and `sync`; a newly added source is removed again then."""
    new_entry = entry_of(corpus, request.address, {**_entry_fields(request), "name": "x"})
    same = [entry for entry in stored.read_list(corpus).sources if _alike(entry, new_entry)]
    if same:
        allowed = {name: getattr(request, name) for name in _ALLOWED}
        return sync(corpus, SyncRequest((same[0].name,), **allowed), call)
    name = add(corpus, request, call).name
    try:
        report = sync(corpus, SyncRequest((name,)), call)
    except BiblicusError:  # a source that never had content is removed
        remove(corpus, RemoveSourceRequest(name), replace(call, deadline=None, cancel=Event()))
        raise
    registry = stored.read_registry(corpus, name)
    if new_entry.kind == "url" and (registry is None or not registry.rows):  # so is a page without text
        remove(corpus, RemoveSourceRequest(name), call)
    return report


def _entry_fields(request: AddSourceRequest) -> dict[str, Any]:
    """Return the fields of the source's entry in a request (`models.sources`)."""
    return {name: value for name, value in compact(request).items() if name not in ("address", *_ALLOWED)}


def duplicate_of(corpus: CorpusFolder, name: str, same: Same) -> str | None:
    """Return the path of another item that duplicates one of the source's documents.

    Duplicates have the same address, the same bytes or, unless only bytes count, the same normalized text."""
    registry = stored.read_registry(corpus, name)
    rows = registry.rows.values() if registry else ()
    uris, digests = {row.uri for row in rows}, {row.sha256 for row in rows}
    items = dict(catalog_of(corpus).items.items())
    source_paths = {path for path in items if path.startswith(f"{IMPORTS}/{name}/")}
    if same == "text":
        digests |= {key for path in source_paths if (key := items[path].content_hash)}
    for path, item in items.items():
        if path not in source_paths and (item.source.uri in uris or {item.sha256, item.content_hash} & digests):
            return path
    return None


def _alike(entry: Entry, other: Entry) -> bool:
    """Check if two entries refer to the same place at the same ref."""
    return (entry.kind, where_of(entry), getattr(entry, "ref", None)) == (
        other.kind,
        where_of(other),
        getattr(other, "ref", None),
    )


# --- removing, and trust ---


@dataclass
class SourceRemoval:
    """Result of `sources remove`. `removed`: deleted documents; `conflicts`: copies edited here, which are kept."""

    name: str
    removed: list[dict[str, str]] = field(default_factory=list)
    conflicts: list[dict[str, str]] = field(default_factory=list)
    kept: int = 0
    refresh: Report | None = None


def remove(corpus: CorpusFolder, request: RemoveSourceRequest, call: Call) -> SourceRemoval:
    """Remove a source from the list, and delete its copies unless they are to be kept.

    Raises `SourceUnlisted`."""
    name, keep_documents = request.name, request.keep_documents
    done = SourceRemoval(name)
    with turn(corpus, call), corpus.writing(call):
        entries = stored.read_list(corpus).sources
        names = [entry.name for entry in entries]
        registry = stored.read_registry(corpus, name) if name in registered(corpus) else None
        if name not in names and registry is None:
            raise SourceUnlisted(name, names)
        if name in names:
            keep(corpus.config.corpus_id, (entry.digest for entry in entries if entry.name != name))
            stored.remove_entry(corpus, name)
        if registry is not None and keep_documents:
            done.kept = len(registry.rows)
        elif registry is not None:
            report = SourceReport(name, registry.header.kind)
            update = SourceUpdate(corpus, report, {row.origin: row for row in registry.rows.values()}, "", delete=True)
            update.forget()
            update.apply(corpus.clones)
            stored.delete_registry(corpus, name, then="biblicus ingest")
            done.removed, done.conflicts = report.removed, report.conflicts
        changes.then("biblicus ingest")
        _forget_cache(corpus, name)
        done.refresh = refresh(corpus, call).report
    return done


def _forget_cache(corpus: CorpusFolder, name: str) -> None:
    shutil.rmtree(corpus.clones / name, ignore_errors=True)
    with suppress(OSError):
        (corpus.clones / f"{name}.seal").unlink()


def trust_all(corpus: CorpusFolder) -> tuple[list[Entry], list[Entry]]:
    """Trust every listed entry. Return the newly trusted ones and the others. Requires the lock."""
    corpus_id = corpus.config.corpus_id
    permissions = allowances(corpus_id)
    entries = stored.read_list(corpus).sources
    fresh = [entry for entry in entries if entry.digest not in permissions]
    for entry in fresh:
        allow(corpus_id, entry.digest)
    return fresh, [entry for entry in entries if entry.digest in permissions]


@dataclass(frozen=True)
class RepositoryList:
    """The repositories among the sources. `branch`: the source's own, or the one found by the last sync."""

    repositories: tuple[Mapping[str, Any], ...]

    def as_text(self) -> str:
        """Return the list as YAML."""

        return guards.yaml.write(plain(self))


def import_list(corpus: CorpusFolder, request: ImportSourcesRequest, call: Call) -> Sources:
    """Add the repositories of a YAML list to the sources; listed ones are unchanged. Raises `ConfigInvalid`."""
    path = Path(request.file)
    if not path.is_file():
        raise SourceNotFound(request.file, "biblicus sources import repositories.yml")
    text = files.read(path, limit=files.SMALL).decode("utf-8", "replace")
    requests = list(_requests(text, request))
    addresses = {state.where for state in sources(corpus, NoRequest(), call).sources}
    return Sources(
        tuple(add(corpus, repository, call) for repository in requests if repository.address not in addresses)
    )


def _requests(text: str, request: ImportSourcesRequest) -> Iterator[AddSourceRequest]:
    listed = read_mapping(text if not text.lstrip().startswith("-") else f"repositories:\n{text}", request.file)
    entries = listed.get("repositories", [])
    for number, entry in enumerate(entries if isinstance(entries, list) else [None], 1):
        row = entry if isinstance(entry, dict) else {}
        fields: dict[str, Any] = {_NAMES.get(str(key), str(key)): value for key, value in row.items()}
        wrong = next((key for key in fields if key not in _FIELDS), None)
        if wrong or not isinstance(fields.get("url"), str):
            problem = f'unknown key "{wrong}"' if wrong else "it needs a url"
            raise ConfigInvalid(request.file, f"repository {number}: {problem}; known: {', '.join(_FIELDS)}.")
        url = fields.pop("url")
        address = url if "://" in url or request.allow_local else _GITHUB + url
        rules = fields.pop("doctypes", ())
        if isinstance(rules, dict):  # a doctype with its globs
            rules = [
                {"path": glob, "doctype": doctype}
                for doctype, globs in rules.items()
                for glob in ([globs] if isinstance(globs, str) else globs)
            ]
        yield AddSourceRequest(address, doctypes=tuple(rules), kind="git", allow_local=request.allow_local, **fields)


def export_list(corpus: CorpusFolder, request: object, call: Call) -> RepositoryList:
    """Return the repositories among the sources."""
    states = [state for state in sources(corpus, NoRequest(), call).sources if state.kind == "git" and state.listed]
    return RepositoryList(tuple(_exported(state) for state in states))


def _exported(state: SourceState) -> Mapping[str, Any]:
    entry = {key: value for key, value in state.entry.items() if key not in ("kind", "ref", "web", "links")}
    branch = state.entry.get("ref") or state.state.get("branch")
    return {**entry, **({"branch": branch} if branch else {})}

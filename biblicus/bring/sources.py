"""Sources: which are listed, who vouches for them, and one more or one less."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from biblicus.bring import allowances
from biblicus.bring.apply import Placing, SourceReport
from biblicus.bring.sync import SyncReport, SyncRequest, local_place, sync, turn
from biblicus.contracts import Call
from biblicus.corpus import registries as stored
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import catalog_of
from biblicus.corpus.refresh import Report, refresh
from biblicus.corpus.registries import IMPORTS
from biblicus.errors import BiblicusError, Refused, SourceUnlisted, UsageError
from biblicus.models.sources import KINDS, Entry, is_local, where_of

_HOSTS = frozenset({"github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "gitea.com"})
_SITE = ("prefix", "depth", "max_pages")
_ONLY = {"ref": ("git",), "web": ("git",), "links": ("git",), **dict.fromkeys(_SITE, ("site",))}
_ONLY["max_entries"] = ("feed",)


@dataclass(frozen=True)
class SourceState:
    """A source as `sources list` shows it. `trusted`: this user wrote or trusted its entry. `allowed`: what more it may
    do (`local`, `private`). `documents`: synced. `state`: what the last sync left (`commit`, `branch`, …), empty before
    it. `listed`: it stands in `sources.yml`; one that does not was removed, and its documents kept."""

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


def list_sources(place: CorpusFolder) -> list[SourceState]:
    """The sources that are listed, and those whose documents were kept. Raises `ConfigInvalid`."""
    entries = stored.read_list(place).sources
    known = allowances.allowances(place.config.corpus_id)
    found = [_state(place, entry, known.get(entry.digest)) for entry in entries]
    names = {entry.name for entry in entries}
    for name in stored.names(place):
        registry = stored.read_registry(place, name) if name not in names else None
        if registry is not None:
            header = registry.header
            found.append(
                SourceState(
                    name, header.kind, None, {}, False, documents=len(registry.rows), state=header.state, listed=False
                )
            )
    return found


def _state(place: CorpusFolder, entry: Entry, allowed: allowances.Allowance | None) -> SourceState:
    problem = registry = None
    try:
        registry = stored.read_registry(place, entry.name)
    except BiblicusError as error:
        problem = error.message
    more = (("local",) if allowed and allowed.local else ()) + (("private",) if allowed and allowed.private else ())
    return SourceState(
        name=entry.name,
        kind=entry.kind,
        where=where_of(entry),
        entry=entry.model_dump(mode="json", exclude_defaults=True),
        trusted=allowed is not None,
        allowed=more,
        documents=len(registry.rows) if registry else 0,
        state=registry.header.state if registry else {},
        problem=problem,
    )


# --- one more --------------------------------------------------------------------------------------------------------


def add(
    place: CorpusFolder,
    address: str,
    call: Call,
    said: Mapping[str, Any],
    *,
    allow_local: bool = False,
    allow_private: bool = False,
) -> SourceState:
    """List a source. What this user writes, this user trusts. `said`: fields of the entry (`models.sources`), `kind`
    and `name` among them where they are not to be told from the address.

    Raises `UsageError`, and `Refused` for a path of this machine without `allow_local`.
    """
    entry = entry_of(place, address, said)
    local = str(local_place(place, entry)) if is_local(entry) else None
    if local is not None and not allow_local:
        raise Refused(f"{address} lies on this machine.", f"biblicus sources add {address} --allow-local")
    if local is not None and not os.path.isdir(local):
        raise UsageError(f"There is no folder {local}.", "biblicus sources add ADDRESS")
    with place.writing(call):
        known = stored.read_list(place)
        if entry.name in {one.name for one in known.sources}:
            raise UsageError(f'There is a source "{entry.name}" already.', f"biblicus sources remove {entry.name}")
        stored.add_entry(place, entry)
        corpus_id = place.config.corpus_id
        allowed = allowances.allow(corpus_id, entry.digest, local=local, private=allow_private)
    return _state(place, entry, allowed)


def entry_of(place: CorpusFolder, address: str, said: Mapping[str, Any]) -> Entry:
    """The entry that an address and what is said of it make. Raises `UsageError`."""
    where, ref = _pinned(address)
    fields = {key: value for key, value in said.items() if value not in (None, (), [])}
    kind = fields.pop("kind", None) or _kind(place, address, where, fields)
    if kind not in KINDS:
        raise UsageError(f"There is no kind of source {kind}; known: {', '.join(KINDS)}.")
    if ref and kind == "git":
        fields.setdefault("ref", ref)
    elif ref:
        where = address
    if wrong := next((key for key in fields if key in _ONLY and kind not in _ONLY[key]), None):
        raise UsageError(f"--{wrong.replace('_', '-')} is for a {_ONLY[wrong][0]} source, not for a {kind}.")
    if "://" not in where:
        if re.match(r"[a-z0-9+.-]+:", where) or where.startswith("-"):
            raise UsageError(f"{address} is no address that can be a source.", "biblicus sources add https://…")
        where = os.path.relpath(os.path.abspath(where), place.root)
    elif kind != "git":
        where = _in_one_form(where)
    fields.setdefault("name", _free_name(place, where))
    data = {"kind": kind, "path" if kind == "folder" else "url": where, **fields}
    try:
        found: Entry = TypeAdapter(Entry).validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        field_name = next((str(part) for part in reversed(first["loc"]) if str(part) in data), "source")
        cause = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{field_name}: {cause}.", "biblicus sources add --help") from error
    return found


def _pinned(address: str) -> tuple[str, str | None]:
    """An address without `git+`, and the ref that stands after an `@` of its path (as pip writes it)."""
    if not address.startswith("git+"):
        return address, None
    where = address.removeprefix("git+").removeprefix("file://")
    head, at, ref = where.rpartition("@")
    start = where.find("://") + 3 if "://" in where else 0
    if at and "/" in head[start:] and ref and ":" not in ref:
        return head, ref
    return where, None


def _kind(place: CorpusFolder, address: str, where: str, fields: Mapping[str, Any]) -> str:
    """What an address plainly is. Raises `UsageError` for what is none."""
    if address.startswith("git+"):
        return "git"
    if "://" not in where:
        is_repository = os.path.isfile(os.path.join(where, "HEAD")) and os.path.isdir(os.path.join(where, "objects"))
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
    """An address of the web as it is listed: without what only tells who came from where. Raises `UrlRefused`."""
    from biblicus.guards.urls import parse  # lazy, as is what fetches
    from biblicus.sources.web import plain

    return str(plain(parse(address)))


def _free_name(place: CorpusFolder, where: str) -> str:
    """A name from an address, that no other source has."""
    parts = urlsplit(where)
    words = [parts.hostname or "", *(part for part in parts.path.split("/") if part)]
    last = words[-1].removesuffix(".git") if len(words) > 1 else words[-1]
    base = "-".join(re.findall(r"[a-z0-9]+", last.lower().rsplit(".", 1)[0] if len(words) > 1 else last.lower()))
    base = (base or "source")[:50]
    taken = {entry.name for entry in stored.read_list(place).sources} | set(stored.names(place))
    names = (base if n == 1 else f"{base}-{n}" for n in range(1, 10_000))
    return next(name for name in names if name not in taken and not os.path.lexists(place.root / IMPORTS / name))


def bring(
    place: CorpusFolder,
    address: str,
    call: Call,
    said: Mapping[str, Any],
    *,
    allow_local: bool = False,
    allow_private: bool = False,
) -> SyncReport:
    """`ingest` of an address: list it as a source where it is not, and sync it alone.

    Raises what `add` and `sync` do; an address that was not listed before is then not listed either.
    """
    wanted = entry_of(place, address, {**said, "name": "x"})
    same = [entry for entry in stored.read_list(place).sources if _alike(entry, wanted)]
    if same:
        request = SyncRequest((same[0].name,), allow_local=allow_local, allow_private=allow_private)
        return sync(place, request, call)
    name = add(place, address, call, said, allow_local=allow_local, allow_private=allow_private).name
    try:
        report = sync(place, SyncRequest((name,)), call)
    except BiblicusError:  # what never gave anything is no source
        remove(place, name, replace(call, deadline=None, cancel=Event()))
        raise
    registry = stored.read_registry(place, name)
    if wanted.kind == "url" and (registry is None or not registry.rows):  # nor is a page without a text
        remove(place, name, call)
    return report


def duplicate_of(place: CorpusFolder, name: str) -> str | None:
    """The path of an item from elsewhere that has the address, or the bytes, of one of the source's documents."""
    registry = stored.read_registry(place, name)
    rows = registry.rows.values() if registry else ()
    uris, digests = {row.uri for row in rows}, {row.sha256 for row in rows}
    for path, item in catalog_of(place).items.items():
        if not path.startswith(f"{IMPORTS}/{name}/") and (item.source.uri in uris or item.sha256 in digests):
            return path
    return None


def _alike(entry: Entry, other: Entry) -> bool:
    """Whether two entries name the same place at the same ref."""
    return (entry.kind, where_of(entry), getattr(entry, "ref", None)) == (
        other.kind,
        where_of(other),
        getattr(other, "ref", None),
    )


# --- one less, and trust ---------------------------------------------------------------------------------------------


@dataclass
class SourceRemoval:
    """What `sources remove` did. `removed`: documents deleted; `conflicts`: copies that were edited here, and stay."""

    name: str
    removed: list[dict[str, str]] = field(default_factory=list)
    conflicts: list[dict[str, str]] = field(default_factory=list)
    kept: int = 0
    refresh: Report | None = None


def remove(place: CorpusFolder, name: str, call: Call, *, keep_documents: bool = False) -> SourceRemoval:
    """Take a source from the list, and delete the copies of its documents, unless they are to be kept.

    Raises `SourceUnlisted`.
    """
    done = SourceRemoval(name)
    with turn(place, call), place.writing(call):
        entries = stored.read_list(place).sources
        names = [entry.name for entry in entries]
        registry = stored.read_registry(place, name) if name in stored.names(place) else None
        if name not in names and registry is None:
            raise SourceUnlisted(name, names)
        if registry is not None and keep_documents:
            done.kept = len(registry.rows)
        elif registry is not None:
            report = SourceReport(name, registry.header.kind)
            placing = Placing(place, report, {row.origin: row for row in registry.rows.values()}, "", delete=True)
            placing.forget()
            placing.apply(place.clones)
            stored.delete_registry(place, name)
            done.removed, done.conflicts = report.removed, report.conflicts
        if name in names:
            stored.remove_entry(place, name)
            allowances.keep(place.config.corpus_id, (entry.digest for entry in entries if entry.name != name))
        _forget_cache(place, name)
        done.refresh = refresh(place, call).report
    return done


def _forget_cache(place: CorpusFolder, name: str) -> None:
    import shutil

    shutil.rmtree(place.clones / name, ignore_errors=True)
    with suppress(OSError):
        (place.clones / f"{name}.seal").unlink()


def trust_all(place: CorpusFolder) -> tuple[list[Entry], list[Entry]]:
    """Vouch for every entry that is listed: (those that were not trusted before, those that were). Under the lock."""
    corpus_id = place.config.corpus_id
    known = allowances.allowances(corpus_id)
    entries = stored.read_list(place).sources
    fresh = [entry for entry in entries if entry.digest not in known]
    for entry in fresh:
        allowances.allow(corpus_id, entry.digest)
    return fresh, [entry for entry in entries if entry.digest in known]

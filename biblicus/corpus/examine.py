"""Examine raw files: digest, media type, extraction and description; then the members of archives, mails and PDFs.

A few files are examined in this process. Many are dealt to helper processes, which only decode text; parsers of
binary formats always run in guarded workers (`extraction.workers`). A helper returns the catalog's facts of a file and
keeps the decoded text until it is chunked.

A member is an item, described like a file. It inherits tags, toolkit, category and source from its container. The
container's sidecar can describe single members by name under `members`. A member cannot set its own id or source."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from biblicus.contracts import Call
from biblicus.corpus.described.describe import Declared, Description, declared, describe, read_sidecar
from biblicus.corpus.editorial.approvals import Standing, read_approved
from biblicus.corpus.extracted import transcripts
from biblicus.corpus.extracted.contents import Contents, Listing
from biblicus.corpus.extracted.extractions import Extractions, Outcome, Raw
from biblicus.corpus.extracted.plugged import Plugged
from biblicus.corpus.extracted.transcripts import Transcript
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.disk import files, system
from biblicus.errors import UnsafeInput
from biblicus.extraction.members import LINK, holds_members
from biblicus.guards.processes import cores
from biblicus.guards.side_by_side import Executor, Helpers, Work, is_much
from biblicus.models.extraction import Elsewhere, Extraction, NoExtraction
from biblicus.models.item import Item
from biblicus.models.recipe import Choice
from biblicus.models.sources.syncing import Provenance, Row
from biblicus.text import media
from biblicus.text.media.beginnings import is_own
from biblicus.text.paths import MEMBER, as_uri, file_of, whole_of

_HEAD = 8192
_BATCH_FILES = 64
_BATCH_BYTES = 4 << 20
DECODED = "extractions"
"""Key of a helper's decoded texts in its store."""
_INHERITED = ("toolkit", "category")
_MOST_NOTES = 100
"""Maximum number of reported omissions for one container."""


class Wanted(NamedTuple):
    """A file to examine.

    `sidecar`: it has one. `synced`: its row in a source's registry. `transcript`: path of a recording's transcript.
    `standing`: its approval; the approved bytes are examined."""

    path: str
    size: int
    sidecar: bool
    synced: Provenance | None = None
    transcript: str = ""
    standing: Standing | None = None


class Examined(NamedTuple):
    """Result for one file: an error, or its facts. Without an outcome, a guarded worker must parse it."""

    path: str
    raw: Raw | None = None
    outcome: Outcome | Elsewhere | None = None
    description: Description | None = None
    error: str | None = None


def examine_all(
    corpus: CorpusFolder,
    extractions: Extractions,
    wanted: Sequence[Wanted],
    call: Call,
    helpers: Executor | None = None,
) -> Iterator[Examined]:
    """Yield the result of every file, in order. `helpers`: processes that keep decoded texts, for many files."""
    done = 0
    for batch in _batches(corpus, extractions, wanted, helpers):
        call.check()
        done += len(batch)
        call.progress("read", done, len(wanted))
        yield from batch


def _batches(
    corpus: CorpusFolder, extractions: Extractions, wanted: Sequence[Wanted], helpers: Executor | None
) -> Iterator[list[Examined]]:
    if not is_much(len(wanted), sum(file.size for file in wanted)):
        for batch in _dealt(wanted):
            yield [_examine(corpus, extractions, file) for file in batch]
        return
    with nullcontext(helpers) if helpers else Helpers(corpus.settings.workers or cores()) as several:
        if not several.count:
            for batch in _dealt(wanted):
                yield [_examine(corpus, extractions, file) for file in batch]
            return
        task = _Examining(
            corpus.alone(), extractions.options, extractions.retry_failed, several.count if helpers else 0
        )
        numbers = [number % several.count for number, _ in enumerate(_dealt(wanted))]
        for number, rows in zip(numbers, several.each(task, enumerate(_dealt(wanted))), strict=True):
            yield [_examined(row, number) for row in rows]


def _dealt(wanted: Sequence[Wanted]) -> Iterator[list[Wanted]]:
    batch: list[Wanted] = []
    size = 0
    for file in wanted:
        batch.append(file)
        size += file.size
        if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@dataclass(frozen=True)
class _Examining:
    """The task of examining files. `shares`: number of helpers that keep the texts for the next task; 0: none."""

    corpus: CorpusFolder
    options: dict[str, Choice]
    retry_failed: bool
    shares: int

    def begin(self, kept: dict[str, Any]) -> Work:
        extractions = Extractions(self.corpus, Call(), self.options, self.retry_failed)
        if self.shares:
            extractions.room //= self.shares
            kept[DECODED] = extractions
        return lambda batch: [self._row(extractions, file) for file in batch]

    def _row(self, extractions: Extractions, file: Wanted) -> tuple[Any, ...]:
        path, raw, outcome, description, error = _examine(self.corpus, extractions, file)
        if raw is None or description is None or outcome is None:
            return path, raw and (*raw[:-1], tuple(raw.transcript)), None, None, error
        why = (outcome.status, outcome.reason) if isinstance(outcome, NoExtraction) else None
        if self.shares and isinstance(outcome, Extraction) and description.entry.media_type == raw.media_type:
            extractions.remember(raw, replace(outcome, metadata={}, warnings=()))  # already reported
        described = (tuple(description.entry), description.declared_id, description.warnings)
        return path, (*raw[:-1], tuple(raw.transcript)), why, described, None


def _examined(row: tuple[Any, ...], helper: int) -> Examined:
    """Convert a helper's row to a result."""
    path, facts, why, described, error = row
    if facts is None:
        return Examined(path, error=error)
    raw = Raw._make((*facts[:-1], Transcript._make(facts[-1])))
    if described is None:
        return Examined(path, raw)
    entry, declared_id, warnings = described
    outcome = NoExtraction(*why) if why else Elsewhere(helper)
    return Examined(path, raw, outcome, Description(Entry(*entry), declared_id, warnings))


def _examine(corpus: CorpusFolder, extractions: Extractions, file: Wanted) -> Examined:
    try:
        raw, data = _read(corpus, extractions.plugged, file)
    except (OSError, UnsafeInput) as error:
        return Examined(file.path, error=files.describe(error) if isinstance(error, OSError) else str(error))
    outcome = extractions.get(raw, data)
    if outcome is None:
        return Examined(file.path, raw)
    return described(corpus, raw, outcome, file.sidecar, file.synced, file.standing)


def _read(corpus: CorpusFolder, plugged: Plugged, file: Wanted) -> tuple[Raw, bytes | None]:
    """Return digest and media type of a file, and its bytes if it is small enough to be text."""
    approval = file.standing if file.standing and file.standing.is_kept else None
    where = corpus.place(file.path)
    data = None
    if approval:
        data = read_approved(corpus, file.path, approval.event.to_sha256, corpus.settings.max_file_bytes)
        sha256, head = hashlib.sha256(data).hexdigest(), data[:_HEAD]
        if sha256 != approval.event.to_sha256:
            raise UnsafeInput(f"{file.path} changed while it was read.")
    elif file.size <= corpus.settings.max_text_bytes:
        data = files.read(where)
        sha256, head = hashlib.sha256(data).hexdigest(), data[:_HEAD]
    else:
        sha256 = files.sha256(where)
        with files.opened(where) as descriptor:
            head = system.read_at(descriptor, _HEAD, 0)
    declared_type = _sidecar(corpus, file.path, file.sidecar, approval).values.get("media_type")
    served = file.synced.row.media_type if file.synced else None
    own_type = media.OWN if data is not None and is_own(file.path, data) else None
    media_type = declared_type or served or own_type or plugged.media_type(file.path, head)
    size = file.size if data is None else len(data)
    transcript = transcripts.NONE
    if approval and file.transcript:
        words = approval.event.beside.get(file.transcript)
        transcript = Transcript(file.transcript, words) if words else transcripts.NONE
    elif file.transcript:
        transcript = Transcript(file.transcript, files.sha256(corpus.absolute(file.transcript)))
    return Raw(file.path, sha256, media_type, size, transcript), data


def _sidecar(corpus: CorpusFolder, path: str, present: bool, standing: Standing | None = None) -> Declared:
    """Read the sidecar, or the approved one if the item is approved."""
    if standing and standing.is_kept:
        return read_sidecar(corpus, path, standing.sidecar) if standing.sidecar else Declared()
    return read_sidecar(corpus, path) if present else Declared()


def described(
    corpus: CorpusFolder,
    raw: Raw,
    outcome: Outcome,
    sidecar: bool,
    synced: Provenance | None = None,
    standing: Standing | None = None,
) -> Examined:
    """Describe a file whose extraction is known."""
    declarations = _sidecar(corpus, raw.path, sidecar, standing)
    facts = raw.path, raw.bytes, raw.sha256, raw.media_type, outcome
    description = describe(corpus, *facts, declarations, synced, raw.transcript, standing)
    return Examined(raw.path, raw, outcome, description)


class Left(NamedTuple):
    """A member, or other content, that is not made an item, with the reason."""

    path: str
    reason: str
    is_failure: bool


class Described(NamedTuple):
    """A member that is an item."""

    raw: Raw
    outcome: Outcome
    description: Description


@dataclass
class Members:
    """The members of the files of one refresh.

    `ignored`: return the ignored path and the reason, or None. `is_kept`: the member is described already."""

    extractions: Extractions
    ignored: Callable[[str], tuple[str, str] | None]
    is_kept: Callable[[Raw, Item], bool]
    holders: dict[str, Item] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    _notes: dict[str, int] = field(default_factory=dict)
    _room: dict[str, tuple[int, int]] = field(default_factory=dict)

    def of(self, holders: Mapping[str, tuple[Raw, Item]]) -> Iterator[Described]:
        """Describe the members of files, nested as deep as the configuration allows."""
        raws: list[Raw] = []
        with Contents(self.extractions.corpus, self.extractions.call) as contents:
            for path, (raw, item) in holders.items():
                self.holders[path] = item
                raws += self._listed(contents, raw)
        for raw, outcome in self._outcomes(raws):
            yield Described(raw, outcome, self._description(raw, outcome))

    def _listed(self, contents: Contents, holder: Raw) -> Iterator[Raw]:
        """Yield the members of a file or member, and theirs."""
        self.extractions.call.check()
        try:
            listing = contents.listing(holder.path, holder.sha256)
        except (OSError, UnsafeInput) as error:
            reason = files.describe(error) if isinstance(error, OSError) else error.message
            listing = Listing()
            self._leave(holder.path, "", NoExtraction("failed", reason))
        for name, why in listing.left:
            self._leave(holder.path, name, why)
        names = {member.name for member in listing.members}
        for member in listing.members:
            path = holder.path + MEMBER + member.name
            if whole_of(member.name) in names:
                self._note(Left(path, "all its rows stand in the _all.csv beside it", False))
                continue
            if (ignored := self.ignored(path)) is not None:
                self._note(Left(*ignored, False))
                continue
            if not self._has_room(path, member.bytes):
                return
            raw = Raw(path, member.sha256, member.media_type, member.bytes)
            if not self.is_kept(raw, self.holders[file_of(path)]):
                yield raw
            if self.may_hold(raw):
                yield from self._listed(contents, raw)

    def may_hold(self, raw: Raw) -> bool:
        """Return true if the content of a file or member is searched for members."""
        settings = self.extractions.corpus.settings
        is_holder = holds_members(raw.media_type) or raw.media_type in self.extractions.plugged.holders
        is_open = is_holder and self.extractions.may_open(raw.path)
        return is_open and 0 < raw.bytes <= settings.max_text_bytes

    def _has_room(self, path: str, size: int) -> bool:
        """Return true if a file may have one more member of this size, nested ones included."""
        settings = self.extractions.corpus.settings
        outer = file_of(path)
        count, total = self._room.get(outer, (settings.archive_members, settings.archive_bytes))
        self._room[outer] = count - 1, total - size
        if count > 0 and total >= size:
            return True
        reason = "there is more in its members than is unpacked of one file (archive_members, archive_bytes)"
        self._note(Left(outer + MEMBER, f"too large: {reason}", True))
        return False

    def _leave(self, holder: str, name: str, why: NoExtraction) -> None:
        """Record a member that was not unpacked, unless it is ignored anyway."""
        path = holder + MEMBER + name
        if name and (ignored := self.ignored(path)) is not None:
            self._note(Left(*ignored, False))
        elif why == LINK:
            self._note(Left(path, "symbolic link, or a device", False))
        else:
            self._note(Left(path, why.sentence, why.is_failure))

    def _note(self, left: Left) -> None:
        if left in self.left:
            return
        outer = file_of(left.path)
        self._notes[outer] = count = self._notes.get(outer, 0) + 1
        if count <= _MOST_NOTES or not left.path.rpartition(MEMBER)[2]:
            self.left.append(left)
        elif count == _MOST_NOTES + 1:
            self.left.append(Left(f"{outer}{MEMBER}…", "failed: there are more that are not taken", True))

    def _outcomes(self, raws: Iterable[Raw]) -> Iterator[tuple[Raw, Outcome]]:
        waiting = []
        for raw in raws:
            outcome = self.extractions.get(raw)
            if outcome is None:
                waiting.append(raw)
            else:
                yield raw, outcome
        yield from self.extractions.guarded(waiting)

    def _description(self, raw: Raw, outcome: Outcome) -> Description:
        outer = file_of(raw.path)
        of_sidecar = _said_of(read_sidecar(self.extractions.corpus, outer), raw.path[len(outer) + len(MEMBER) :])
        synced = _provenance(self.holders[outer], raw)
        corpus = self.extractions.corpus
        return describe(corpus, raw.path, raw.bytes, raw.sha256, raw.media_type, outcome, of_sidecar, synced)


def _said_of(sidecar: Declared, name: str) -> Declared:
    """Return the entry of a file's sidecar for one of its members."""
    entry = sidecar.values.get("members", {}).get(name)
    return declared(entry, "sidecar") if isinstance(entry, dict) else Declared()


def inherited(holder: Item) -> Provenance:
    """Return the metadata that members inherit; editing a member does not change it."""
    ref = holder.source.ref if not (holder.source.ref or "").startswith("sha256:") else None
    metadata: dict[str, Any] = {key: holder.metadata[key] for key in _INHERITED if key in holder.metadata}
    row = Row(holder.path, holder.path, holder.source.uri, "", ref)
    return Provenance(holder.source.kind, row, metadata, holder.tags, None)


def _provenance(holder: Item, raw: Raw) -> Provenance:
    """Return the inherited metadata in the form of a source's registry row for the member."""
    provenance = inherited(holder)
    uri = provenance.row.uri + as_uri(raw.path)[len(as_uri(holder.path)) :]
    return replace(provenance, row=replace(provenance.row, path=raw.path, origin=raw.path, uri=uri, sha256=raw.sha256))

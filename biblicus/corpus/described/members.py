"""Turn members of archives, mails and PDFs into items, extracted and described like files.

A member inherits tags, toolkit, category and source from its container. The container's sidecar can describe single
members by name under `members`. A member cannot set its own id or source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from biblicus.corpus.described.describe import Declared, Description, declared, describe, read_sidecar
from biblicus.corpus.extracted.contents import Contents, Listing
from biblicus.corpus.extracted.extractions import Extractions, Outcome, Raw
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.extraction.members import LINK, holds_members
from biblicus.models.extraction import NoExtraction
from biblicus.models.item import Item
from biblicus.models.sources.syncing import Provenance, Row
from biblicus.text.paths import MEMBER, as_uri, file_of, whole_of

_INHERITED = ("toolkit", "category")
_MOST_NOTES = 100
"""Maximum number of reported omissions for one container."""


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

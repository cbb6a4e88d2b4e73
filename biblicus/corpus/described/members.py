"""Members become items: what archives, mails and PDFs hold is listed, extracted and described like files.

A member has what its holder says of all that it holds (tags, toolkit, category, source); the holder's sidecar says more
of single ones, by name, under `members`. What stands in a member itself names no id and no source.
"""

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
from biblicus.text.paths import MEMBER, as_uri, file_of

_INHERITED = ("toolkit", "category")
_MOST_NOTES = 100
"""Members of one file of which it is said that they are not taken."""


class Left(NamedTuple):
    """A member, or what is left out with it, that is no item, and why."""

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
    """The members of the files of one pass. `ignored`: what of a path is left out, and why. `is_kept`: whether a member
    of these bytes is described already."""

    extractions: Extractions
    ignored: Callable[[str], tuple[str, str] | None]
    is_kept: Callable[[Raw, Item], bool]
    holders: dict[str, Item] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    _notes: dict[str, int] = field(default_factory=dict)
    _room: dict[str, tuple[int, int]] = field(default_factory=dict)

    def of(self, holders: Mapping[str, tuple[Raw, Item]]) -> Iterator[Described]:
        """What files and their members hold, as deep as the corpus's configuration says."""
        wanted: list[Raw] = []
        with Contents(self.extractions.corpus, self.extractions.call) as contents:
            for path, (raw, item) in holders.items():
                self.holders[path] = item
                wanted += self._listed(contents, raw)
        for raw, outcome in self._outcomes(wanted):
            yield Described(raw, outcome, self._description(raw, outcome))

    def _listed(self, contents: Contents, holder: Raw) -> Iterator[Raw]:
        """The members of a file or of a member, and theirs."""
        self.extractions.call.check()
        try:
            listing = contents.listing(holder.path, holder.sha256)
        except (OSError, UnsafeInput) as error:
            reason = files.describe(error) if isinstance(error, OSError) else error.message
            listing = Listing()
            self._leave(holder.path, "", NoExtraction("failed", reason))
        for name, why in listing.left:
            self._leave(holder.path, name, why)
        for member in listing.members:
            path = holder.path + MEMBER + member.name
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
        """Whether it is looked at what a file, or a member, holds."""
        settings = self.extractions.corpus.settings
        is_holder = holds_members(raw.media_type) or raw.media_type in self.extractions.plugged.holders
        is_open = is_holder and self.extractions.may_open(raw.path)
        return is_open and 0 < raw.bytes <= settings.max_text_bytes

    def _has_room(self, path: str, size: int) -> bool:
        """Whether a file may have one more member of this size, whatever the members of its members count."""
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
        """Note a member that was not unpacked, unless it would have been ignored."""
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
    """What the sidecar of a file says of one of its members."""
    entry = sidecar.values.get("members", {}).get(name)
    return declared(entry, "sidecar") if isinstance(entry, dict) else Declared()


def inherited(holder: Item) -> Provenance:
    """What members have of their holder; nothing that an edit of one of them would change."""
    ref = holder.source.ref if not (holder.source.ref or "").startswith("sha256:") else None
    metadata: dict[str, Any] = {key: holder.metadata[key] for key in _INHERITED if key in holder.metadata}
    row = Row(holder.path, holder.path, holder.source.uri, "", ref)
    return Provenance(holder.source.kind, row, metadata, holder.tags, None)


def _provenance(holder: Item, raw: Raw) -> Provenance:
    """What a member has of its holder, as if a source said it of a file."""
    own = inherited(holder)
    uri = own.row.uri + as_uri(raw.path)[len(as_uri(holder.path)) :]
    return replace(own, row=replace(own.row, path=raw.path, origin=raw.path, uri=uri, sha256=raw.sha256))

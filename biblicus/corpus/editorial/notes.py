"""Notes: comments on exact words of an item, each a W3C Web Annotation in a file."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote

from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid
from biblicus.guards import json as guarded_json
from biblicus.models.fields import MOMENT
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record
from biblicus.models.requests.notes import MOST_CHARACTERS
from biblicus.text.anchoring import Quote

_URN = "urn:biblicus:note:"
_DIGEST = "^[0-9a-f]{64}$"
_ID_LENGTH = 16
REMOVED = b"{}\n"
LIMIT = 1 << 20
"""Maximum size of a note's file in bytes."""


@dataclass(frozen=True, kw_only=True)
class _Selector(Record):
    type: Literal["TextQuoteSelector", "TextPositionSelector"]
    exact: str = field(default="", metadata={"max_length": 100_000})
    prefix: str = ""
    suffix: str = ""
    start: int = field(default=0, metadata={"ge": 0})
    end: int = field(default=0, metadata={"ge": 0})


@dataclass(frozen=True, kw_only=True)
class _Target(Record):
    source: str
    selector: tuple[_Selector, ...] = field(metadata={"min_length": 2, "max_length": 2})
    item: str = field(metadata={"alias": "biblicus:item"})
    hash: str = field(metadata={"alias": "biblicus:hash", "pattern": _DIGEST})
    bytes: str = field(metadata={"alias": "biblicus:bytes", "pattern": _DIGEST})


@dataclass(frozen=True, kw_only=True)
class _Body(Record):
    value: str = field(metadata={"min_length": 1, "max_length": MOST_CHARACTERS})
    type: Literal["TextualBody"] = "TextualBody"
    format: Literal["text/plain"] = "text/plain"


@dataclass(frozen=True, kw_only=True)
class _Creator(Record):
    name: str
    type: Literal["Person"] = "Person"


@dataclass(frozen=True, kw_only=True)
class _Annotation(Record):
    """A file, with the keys of the Web Annotation Data Model; keys of ours have the prefix `biblicus:`."""

    context: Literal["http://www.w3.org/ns/anno.jsonld"] = field(metadata={"alias": "@context"})
    id: str
    type: Literal["Annotation"]
    motivation: Literal["commenting"]
    created: str = field(metadata={"pattern": MOMENT})
    body: _Body
    target: _Target
    creator: _Creator | None = None


@dataclass(frozen=True, kw_only=True)
class Note:
    """A note as written. `by`: the author's own words about themselves. `hash`: sha256 of the quoted words.
    `item_sha256`: bytes of the item at that time. `start`: offset of the words then."""

    item_id: str
    path: str
    text: str
    by: str
    created: str
    quote: Quote
    start: int
    hash: str
    item_sha256: str

    @property
    def note_id(self) -> str:
        """Return the beginning of the digest of the note, which is its file's name."""
        content = json.dumps(self._content(), sort_keys=True).encode("utf-8", "surrogatepass")
        return hashlib.sha256(content).hexdigest()[:_ID_LENGTH]

    def _content(self) -> dict[str, Any]:
        exact, prefix, suffix = self.quote
        return {
            "@context": "http://www.w3.org/ns/anno.jsonld",
            "type": "Annotation",
            "motivation": "commenting",
            "created": self.created,
            **({"creator": {"type": "Person", "name": self.by}} if self.by else {}),
            "body": {"type": "TextualBody", "format": "text/plain", "value": self.text},
            "target": {
                "source": quote(self.path, errors="surrogateescape"),
                "biblicus:item": self.item_id,
                "biblicus:hash": self.hash,
                "biblicus:bytes": self.item_sha256,
                "selector": [
                    {"type": "TextQuoteSelector", "exact": exact, "prefix": prefix, "suffix": suffix},
                    {"type": "TextPositionSelector", "start": self.start, "end": self.start + len(exact)},
                ],
            },
        }

    def document(self) -> bytes:
        """Return the note's file."""
        content = {**self._content(), "id": _URN + self.note_id}
        return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")

    @classmethod
    def of(cls, data: Any) -> Note:
        """Read a note from its parsed file. Raises `ValueError` if it is none, or its hash or id is another."""
        annotation = _Annotation.model_validate(data)
        target = annotation.target
        of_quote, of_position = target.selector
        note = cls(
            item_id=target.item,
            path=unquote(target.source, errors="surrogateescape"),
            text=annotation.body.value,
            by=annotation.creator.name if annotation.creator else "",
            created=annotation.created,
            quote=Quote(of_quote.exact, of_quote.prefix, of_quote.suffix),
            start=of_position.start,
            hash=target.hash,
            item_sha256=target.bytes,
        )
        if hashlib.sha256(of_quote.exact.encode("utf-8", "surrogatepass")).hexdigest() != note.hash:
            raise ValueError("its hash is not that of its words")
        if annotation.id != _URN + note.note_id:
            raise ValueError("its id is not that of its content")
        return note


def note_ids(corpus: CorpusFolder) -> list[str]:
    """Return the ids of all notes that are not removed."""
    try:
        with os.scandir(corpus.home / "notes") as entries:
            names = [entry.name for entry in entries if entry.stat(follow_symlinks=False).st_size != len(REMOVED)]
    except FileNotFoundError:
        return []
    return sorted(
        name.removesuffix(".json") for name in names if name.endswith(".json") and files.TEMPORARY not in name
    )


def read(corpus: CorpusFolder, note_id: str) -> Note:
    """Read a note's file, which a clone may have brought. Raises `ConfigInvalid`."""
    where = f"{FOLDER}/notes/{note_id}.json"
    try:
        note = Note.of(guarded_json.read(files.read(file_of(corpus, note_id), limit=LIMIT), max_bytes=LIMIT))
    except (BadData, OSError, ValueError) as error:
        raise ConfigInvalid(where, "It is no note, or was changed.", f"git checkout {where}") from error
    if note.note_id != note_id:
        raise ConfigInvalid(where, "It is the note of another file.", f"git checkout {where}")
    return note


def file_of(corpus: CorpusFolder, note_id: str) -> Path:
    """Return the path of a note's file."""
    return (corpus.home / "notes") / f"{note_id}.json"

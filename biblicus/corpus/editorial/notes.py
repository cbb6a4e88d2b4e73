"""Notes: comments on exact words of an item, each a W3C Web Annotation in a file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import field
from pathlib import Path
from typing import Any
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
_ID_LENGTH = 16
REMOVED = b"{}\n"
LIMIT = 1 << 20
"""Maximum size of a note's file in bytes."""


@dataclass(frozen=True, kw_only=True)
class Note(Record):
    """A note as written. `by`: the author's own words about themselves. `exact`: the quoted words; `prefix`, `suffix`:
    their context. `item_sha256`: bytes of the item at that time. `start`: offset of the words then."""

    item_id: str
    path: str
    text: str = field(metadata={"min_length": 1, "max_length": MOST_CHARACTERS})
    by: str
    created: str = field(metadata={"pattern": MOMENT})
    exact: str = field(metadata={"max_length": 100_000})
    prefix: str
    suffix: str
    start: int = field(metadata={"ge": 0})
    item_sha256: str = field(metadata={"pattern": "^[0-9a-f]{64}$"})

    @property
    def quote(self) -> Quote:
        """Return the quoted words with their context."""
        return Quote(self.exact, self.prefix, self.suffix)

    @property
    def hash(self) -> str:
        """Return the SHA-256 of the quoted words."""
        return hashlib.sha256(self.exact.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def note_id(self) -> str:
        """Return the beginning of the digest of the note, which is its file's name."""
        content = json.dumps(self._content(), sort_keys=True).encode("utf-8", "surrogatepass")
        return hashlib.sha256(content).hexdigest()[:_ID_LENGTH]

    def _content(self) -> dict[str, Any]:
        """Return the W3C Web Annotation without its id; keys of ours have the prefix `biblicus:`."""
        of_quote = {"exact": self.exact, "prefix": self.prefix, "suffix": self.suffix}
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
                    {"type": "TextQuoteSelector", **of_quote},
                    {"type": "TextPositionSelector", "start": self.start, "end": self.start + len(self.exact)},
                ],
            },
        }

    def annotation(self) -> dict[str, Any]:
        """Return the content of the note's file."""
        return {**self._content(), "id": _URN + self.note_id}

    @classmethod
    def of(cls, data: Any) -> Note:
        """Read a note from its parsed file. Raises `ValueError`, `KeyError` or `TypeError` if it is not as written."""
        target = data["target"]
        of_quote, of_position = target["selector"]
        note = cls.model_validate(
            {
                "item_id": target["biblicus:item"],
                "path": unquote(str(target["source"]), errors="surrogateescape"),
                "text": data["body"]["value"],
                "by": data["creator"]["name"] if "creator" in data else "",
                "created": data["created"],
                "start": of_position["start"],
                "item_sha256": target["biblicus:bytes"],
                **{name: of_quote[name] for name in Quote._fields},
            }
        )
        if note.annotation() != data:
            raise ValueError("its id, its hash or another part is not that of its content")
        return note


def note_ids(corpus: CorpusFolder) -> list[str]:
    """Return the ids of all notes that are not removed."""
    paths = [path for path in (corpus.home / "notes").glob("*.json") if files.TEMPORARY not in path.name]
    return sorted(path.stem for path in paths if path.lstat().st_size != len(REMOVED))


def read(corpus: CorpusFolder, note_id: str) -> Note:
    """Read a note's file, which a clone may have brought. Raises `ConfigInvalid`."""
    where = f"{FOLDER}/notes/{note_id}.json"
    try:
        note = Note.of(guarded_json.read(files.read(file_of(corpus, note_id), limit=LIMIT), max_bytes=LIMIT))
    except (BadData, OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigInvalid(where, "It is no note, or was changed.", f"git checkout {where}") from error
    if note.note_id != note_id:
        raise ConfigInvalid(where, "It is the note of another file.", f"git checkout {where}")
    return note


def file_of(corpus: CorpusFolder, note_id: str) -> Path:
    """Return the path of a note's file."""
    return (corpus.home / "notes") / f"{note_id}.json"

"""Entries of the editorial log: which bytes were approved for which layer, by whom, and what was retracted."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Literal, get_args

from biblicus.models.frozen import dataclass
from biblicus.models.plain import LEFT_OUT, of_record

Happened = Literal["promoted", "reviewed", "retracted"]
_SHA256 = re.compile(r"[0-9a-f]{64}")
_AT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z")
_ID_LENGTH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorialEvent:
    """An entry of the log.

    `happened`: a review alone approves nothing. `way`: how the file came from `from_path` to `to_path`: move, copy, key
    (its sidecar names the layer) or stay. `beside`: digests of the sidecar and transcript approved with it, by path.
    `by`: the name that the person gave. `id`: digest of the entry."""

    at: str
    happened: Happened
    item_id: str
    layer: str
    way: str
    from_path: str
    from_sha256: str
    to_path: str
    to_sha256: str
    beside: Mapping[str, str] = field(default_factory=dict, metadata=LEFT_OUT)
    by: str = ""
    reason: str = field(default="", metadata=LEFT_OUT)
    checks: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    id: str = ""

    def __post_init__(self) -> None:
        """Compute the id from the entry's content."""
        if not self.id:
            object.__setattr__(self, "id", _digest(self._said().encode("utf-8", "surrogatepass")))

    @property
    def order(self) -> tuple[str, str]:
        """Return the sort key: time, then digest for equal times on two branches."""
        return self.at, self.id

    @property
    def parts(self) -> dict[str, str]:
        """Return the digests of all files approved together, by path."""
        return {self.to_path: self.to_sha256, **self.beside}

    def _said(self) -> str:
        values = {name: getattr(self, name) for name in _NAMES}
        values["beside"] = dict(sorted(self.beside.items()))
        content = {name: value for name, value in values.items() if value or name not in _OPTIONAL}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object, its id first."""
        return {"id": self.id, **json.loads(self._said())}

    def line(self) -> bytes:
        """Return the line of the log, with its newline."""
        content = self._said()
        return f'{{"id":"{self.id}",{content[1:]}\n'.encode("utf-8", "surrogatepass")

    @classmethod
    def of(cls, line: bytes) -> EditorialEvent:
        """Parse a line. Raises `ValueError` if it is invalid or does not match its id."""
        line = line.rstrip()
        record = json.loads(line)
        named = record.pop("id", None) if isinstance(record, dict) else None
        try:
            event: EditorialEvent = of_record(cls)({**record, "id": named})
        except TypeError as error:
            raise ValueError("another form") from error
        digests = [event.from_sha256, *event.parts.values()]
        if record.keys() - set(_NAMES) or event.happened not in get_args(Happened) or not _AT.fullmatch(event.at):
            raise ValueError("nothing known")
        if not all(map(_SHA256.fullmatch, digests)) or named != _digest(b"{" + line[len(f'{{"id":"{named}",') :]):
            raise ValueError("another id")
        return event


def _digest(said: bytes) -> str:
    return hashlib.sha256(said).hexdigest()[:_ID_LENGTH]


_NAMES = tuple(entry.name for entry in fields(EditorialEvent) if entry.name != "id")
_OPTIONAL = frozenset({"beside", "reason", "checks"})

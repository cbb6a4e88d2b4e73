"""Access tokens of the service: random, stored only as digests, scoped, compared in constant time.

A token has 32 random bytes, so one round of SHA-256 is enough: it can neither be guessed nor read from the file. The
file is read again when it changes, so a revoked token stops working at once."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from biblicus.config import Name, load_settings, user_folder
from biblicus.contracts import Call
from biblicus.disk import files, system
from biblicus.errors import BadData, ConfigInvalid, TokenNotFound, UnsafeInput, UsageError
from biblicus.guards import json as safe_json
from biblicus.models.plain import LEFT_OUT, made_of
from biblicus.models.sources.readers import ANYBODY, GROUP, Reader, name_of
from biblicus.service.verbs import Scope

PREFIX = "biblicus_"
"""Prefix of every token, which scanners for leaked secrets can recognise."""
OWNER_ID = "page"
"""Id of the token of the owner's own page, unlike that of any other token."""
_BYTES = 32
_NAME = r"[a-z0-9][a-z0-9_-]{0,39}"
IMPLIED: dict[Scope, frozenset[Scope]] = {"read": frozenset({"read"}), "ingest": frozenset({"read", "ingest"})}
"""Scopes that a scope includes: `ingest` includes `read`."""
_Change = Callable[[tuple["Kept", ...]], tuple["Kept", ...]]


class Kept(BaseModel):
    """A stored token (see `Shown`). `sha256`: of the token."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]
    name: str
    scope: Scope
    created_at: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    layers: tuple[Name, ...] = ()
    reader: str = ""
    groups: tuple[str, ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    schema_version: Annotated[int, Field(ge=1, le=1)] = 1
    tokens: tuple[Kept, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """Public facts of a token. `created_at`: UTC, ISO 8601. `layers`: limit of visible layers; empty: all. `reader`,
    `groups`: who uses it; an empty reader sees what is open to all."""

    id: str
    name: str
    scope: Scope
    created_at: str
    layers: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    reader: str = field(default="", metadata=LEFT_OUT)
    groups: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)

    @property
    def is_owner(self) -> bool:
        """Return true for the page that the owner opened on this machine."""
        return self.id == OWNER_ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Made(Shown):
    """A new token. `token` is its text, which cannot be shown again."""

    token: str


class Tokens:
    """The tokens of one file (mode 0600); by default those of this user. Thread-safe."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or user_folder("state") / "tokens.json"
        self._held: tuple[object, _File] = (None, _File())

    def new(self, scope: Scope, name: str, call: Call, layers: Sequence[str] = (), reader: Reader = ANYBODY) -> Made:
        """Create a token, optionally limited to `layers`. Raises `StorageFailed`, `UsageError`, `ConfigInvalid`."""
        if layers and scope != "read":
            raise UsageError("A token for layers reads, and brings nothing in.", "biblicus token new --layer NAME")
        if wrong := [layer for layer in layers if not re.fullmatch(_NAME, layer)]:
            raise UsageError(f'"{wrong[0]}" is no name of a layer.', "biblicus editorial status")
        for reader_name in filter(None, (reader.name, *reader.groups)):
            if name_of(reader_name) != reader_name or reader_name.startswith(GROUP):
                raise UsageError(f'"{reader_name}" is no name of a reader.', "biblicus token new --reader NAME")
        secret = PREFIX + secrets.token_urlsafe(_BYTES)
        created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(call.clock()))
        token = Kept(
            id=secrets.token_hex(4),
            name=name,
            scope=scope,
            created_at=created,
            sha256=_digest(secret),
            layers=tuple(layers),
            reader=reader.name,
            groups=reader.groups,
        )
        self._change(lambda tokens: (*tokens, token), call)
        return made_of(Made, token, token=secret)

    def list(self) -> list[Shown]:
        """Return all tokens, oldest first."""
        return [made_of(Shown, token) for token in self._read().tokens]

    def revoke(self, token_id: str, call: Call) -> Shown:
        """Revoke a token with immediate effect. Raises `TokenNotFound`."""
        revoked = next((token for token in self._read().tokens if token.id == token_id), None)
        if revoked is None:
            raise TokenNotFound(token_id)
        self._change(lambda tokens: tuple(token for token in tokens if token.id != token_id), call)
        return made_of(Shown, revoked)

    def known(self, secret: str) -> Shown | None:
        """Return the facts of the token with this text, or None. All tokens are compared, to keep the time constant."""
        digest = _digest(secret)
        fitting = [token for token in self._read().tokens if hmac.compare_digest(token.sha256, digest)]
        return made_of(Shown, fitting[0]) if fitting else None

    @property
    def demanded(self) -> bool:
        """Return true if a file of tokens exists: after the last token is revoked, access is refused, not open."""
        return os.path.lexists(self._path)

    def __bool__(self) -> bool:
        return bool(self._read().tokens)

    def _change(self, change: _Change, call: Call) -> None:
        files.make_folder(self._path.parent, 0o700)
        lock = self._path.with_name(f"{self._path.name}.lock")
        with files.locked(lock, call, load_settings().lock_timeout):
            new_file = _File(tokens=change(self._read().tokens))
            body = json.dumps(new_file.model_dump(mode="json"), indent=2) + "\n"
            files.write(self._path, body.encode(), mode=0o600)

    def _read(self) -> _File:
        """Read the current file; a missing one has no tokens."""
        try:
            status = os.stat(self._path)
        except FileNotFoundError:
            return _File()
        stamp = files.stamp_of(status)
        if stamp != self._held[0]:
            if system.is_open_to_others(status):
                raise UnsafeInput(f"{self._path} may be written by others.", f"chmod 600 {self._path}")
            try:
                data = safe_json.read(files.read(self._path, limit=files.SMALL), max_bytes=files.SMALL)
                self._held = stamp, _File.model_validate(data)
            except (BadData, ValidationError) as error:
                raise ConfigInvalid(str(self._path), "it holds no tokens", "biblicus token new --help") from error
        return self._held[1]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

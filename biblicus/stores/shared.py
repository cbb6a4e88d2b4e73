"""Cache shared by a team: extractions and vectors from one machine, verified by the others before use.

Its location and its key come from the user's own settings. An entry's name is derived with the key from its inputs
(content, extractor or model, options); the entry begins with a seal over name and bytes. An entry that was changed,
cut, moved or sealed with another key counts as absent. An unavailable cache costs a message and two tries, never the
build."""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from biblicus.config import SharedCacheSetting
from biblicus.contracts import Call
from biblicus.disk.seals import from_keyring
from biblicus.errors import BiblicusError, ConfigInvalid
from biblicus.guards.deadlines import bounded
from biblicus.stores.contract import SHARED_CACHE, Shared
from biblicus.stores.reaching import secret
from biblicus.stores.shared_places import Folder, Place, Remote, cause_of

Value = TypeVar("Value")
FOLDER = "folder"
"""Name of the kind of place that is a local folder."""
_LEAST = 32
"""Minimum length of a key: readers of the cache can try to guess it."""
_MAC = 32
_LONGEST = 64 << 20
"""Maximum bytes of an entry."""
_AT_ONCE = 2 << 20
"""Maximum bytes of entries that are read together; longer ones are read and verified one by one.
Otherwise anyone with write access could fill this machine's memory."""
_BATCH, _BATCH_BYTES = 64, 8 << 20
"""Number of entries to read or write at a time, and their approximate bytes."""
_TRIES = 2
_LOCAL = ("file", "local")
"""Names that fsspec has for local folders."""
_HEAD = 16


class _Keys(NamedTuple):
    """Secrets derived from a user's key: top folder, key for names, key for seals."""

    head: str
    naming: bytes
    sealing: bytes

    @classmethod
    def of(cls, key: str) -> _Keys:
        root = hashlib.sha256(key.encode()).digest()
        return cls(_mac(root, b"head").hex()[:_HEAD], _mac(root, b"name"), _mac(root, b"seal"))

    def name(self, kind: str, identity: str) -> str:
        """Return the name of an entry, which reveals nothing and cannot be guessed without the key."""
        name = _mac(self.naming, kind.encode(), identity.encode("utf-8", "surrogatepass")).hex()
        return f"{self.head}/{kind}/{name[:2]}/{name}"

    def sealed(self, name: str, body: bytes) -> bytes:
        return _mac(self.sealing, name.encode(), body) + body

    def unsealed(self, name: str, entry: bytes) -> bytes | None:
        """Return the bytes stored under this name, or None if the seal does not match."""
        body = entry[_MAC:]
        return body if hmac.compare_digest(entry[:_MAC], _mac(self.sealing, name.encode(), body)) else None


def _mac(key: bytes, *parts: bytes) -> bytes:
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        mac.update(len(part).to_bytes(8, "big") + part)
    return mac.digest()


class SharedCache:
    """Entries by kind and identity, which is everything that determines their content.

    Failures are not raised; `shared` has the statistics since `begin`. Contains secrets: it cannot be pickled."""

    def __init__(self, setting: SharedCacheSetting, environment: Mapping[str, str] = os.environ) -> None:
        self._setting, self._environment = setting, environment
        self._opened: tuple[_Keys, Place] | None = None
        self._is_away = self._is_full = False
        self.shared = Shared()

    def __repr__(self) -> str:
        return f"SharedCache({self.place!r})"

    def __reduce__(self) -> Any:
        raise TypeError("What a shared cache is sealed with stays in its process.")

    @property
    def place(self) -> str:
        """Return the location for messages."""
        setting = self._setting
        return setting.path if setting.by == FOLDER else f"{setting.by}:{setting.path}"

    def begin(self) -> None:
        """Reset the statistics, and try again after earlier failures."""
        self._opened, self._is_away, self._is_full, self.shared = None, False, False, Shared()

    def found(self, kind: str, identities: Sequence[str], call: Call) -> Iterator[list[tuple[str, bytes]]]:
        """Yield the existing entries, some at a time."""
        for start in range(0, len(identities), _BATCH):
            call.check()
            if self._is_away:
                return
            yield self._read(kind, identities[start : start + _BATCH], call)

    def _read(self, kind: str, identities: Sequence[str], call: Call) -> list[tuple[str, bytes]]:
        def read() -> dict[str, bytes | None]:
            keys, place = self._open()
            names = {keys.name(kind, identity): identity for identity in identities}
            limit = min(_AT_ONCE, _LONGEST)
            bodies = {}
            for name, entry in place.read(list(names), limit).items():
                body = entry if len(entry) <= limit else place.read([name], _LONGEST).get(name, b"")
                bodies[names[name]] = keys.unsealed(name, body)
            return bodies

        bodies = self._tried(read, call, "it is not used")
        if bodies is None:
            self._is_away = True
            return []
        proved = [(identity, body) for identity, body in bodies.items() if body is not None]
        self.shared.refused += len(bodies) - len(proved)
        self.shared.fetched += len(proved)
        return proved

    def put(self, kind: str, entries: Mapping[str, bytes], call: Call) -> None:
        """Store entries by identity. Entries too large to be read are left out."""
        batch: dict[str, bytes] = {}
        for identity, body in entries.items():
            if len(body) < _LONGEST - _MAC:
                batch[identity] = body
            if len(batch) >= _BATCH or sum(map(len, batch.values())) >= _BATCH_BYTES:
                self._write(kind, batch, call)
                batch = {}
        self._write(kind, batch, call)

    def _write(self, kind: str, entries: Mapping[str, bytes], call: Call) -> None:
        if not entries or self._is_away or self._is_full:
            return

        def write() -> int:
            keys, place = self._open()
            named = {keys.name(kind, identity): body for identity, body in entries.items()}
            place.write({name: keys.sealed(name, body) for name, body in named.items()})
            return len(named)

        count = self._tried(write, call, "nothing more is put there")
        self._is_full = count is None
        self.shared.put += count or 0

    # --- looking after it ---

    def standing(self, call: Call) -> str:
        """Return a sentence that says if the cache is usable and has entries of this key."""

        def look() -> tuple[str, list[str]]:
            keys, place = self._open()
            return keys.head, place.heads()

        result = self._tried(look, call, "it is not used", is_told=False)
        if result is None:
            return self.shared.trouble
        head, heads = result
        if head in heads:
            return f"The shared cache {self.place} is there, with entries of your key."
        others = any(len(name) == _HEAD and set(name) <= set("0123456789abcdef") for name in heads)
        of_others = ", but of another: compare it with a colleague's" if others else ""
        return f"The shared cache {self.place} is there, with no entries of your key{of_others}."

    def prune(self, call: Call) -> tuple[int, int]:
        """Delete the oldest entries of this key beyond the configured size. Return (entries, bytes)."""
        limit = self._setting.bytes
        if limit is None:
            return 0, 0

        def trim() -> tuple[int, int]:
            keys, place = self._open()
            entries = sorted(place.listed(keys.head)) if keys.head in place.heads() else []
            left, doomed = sum(entry.size for entry in entries), 0
            while left > limit:
                left -= entries[doomed].size
                doomed += 1
            if doomed:
                place.remove([entry.name for entry in entries[:doomed]])
            return doomed, sum(entry.size for entry in entries[:doomed])

        return self._tried(trim, call, "nothing is deleted there") or (0, 0)

    # --- inside ---

    def _open(self) -> tuple[_Keys, Place]:
        opened = self._opened
        if opened is None:
            opened = self._opened = _Keys.of(self._key()), self._place()
        return opened

    def _key(self) -> str:
        setting = self._setting
        if setting.seal_file is not None:
            _whole(setting.seal_file, "seal_file")
        key = secret(SHARED_CACHE, "key", None, setting.seal_env, setting.seal_file, self._environment)
        key = from_keyring(SHARED_CACHE) if key is None else key
        key = None if key is None else key.strip()  # pasted keys often end with a newline
        if key is None or len(key) < _LEAST:
            cause = "it has no key" if key is None else f"its key has fewer than {_LEAST} characters"
            raise ConfigInvalid(SHARED_CACHE, f"{cause}.", "openssl rand -hex 32, for a file that seal_file names")
        return key

    def _place(self) -> Place:
        setting = self._setting
        if setting.by in _LOCAL:
            raise ConfigInvalid(SHARED_CACHE, f"{setting.by} is called {FOLDER}.", f"by: {FOLDER}")
        if setting.by != FOLDER:
            return Remote(setting.by, setting.path, setting.options)
        if setting.options:  # a typing error must not share more than intended
            raise ConfigInvalid(SHARED_CACHE, f"a folder has no key {min(setting.options)}.")
        return Folder(_whole(setting.path, "path"))

    def _tried(self, work: Callable[[], Value], call: Call, what: str, *, is_told: bool = True) -> Value | None:
        """Run `work`; on failure tell the user and return None."""
        cause, hint, seconds = "", "biblicus check" if is_told else "", self._setting.seconds
        if (until := bounded(call, seconds).deadline) is not None:
            seconds = max(0.0, until - time.monotonic())
        for _ in range(_TRIES):
            try:
                return _within(seconds, work)
            except _Silence as error:  # no second try after a timeout
                cause = str(error)
                break
            except BiblicusError as error:
                cause, hint = error.message, error.hint or hint
                break
            except Exception as error:  # each file system raises its own errors
                cause, self._opened = cause_of(error, self._secrets()), None
        trouble = f"The shared cache {self.place}: {what} ({cause.rstrip('.')})."
        self.shared.trouble = f"{trouble} Try: {hint}" if hint else trouble
        if is_told:
            call.tell(self.shared.trouble)
        return None

    def _secrets(self) -> list[str]:
        """Return the secrets that no message may repeat."""
        return [value for value in _texts(self._setting.options) if len(value) > 3]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str | int):
        yield str(value)
    elif isinstance(value, Mapping | list | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part)


def _whole(path: str, key: str) -> Path:
    """Return an absolute path of the settings. Raises `ConfigInvalid` for a relative one."""
    absolute = Path(path).expanduser()
    if not absolute.is_absolute():
        raise ConfigInvalid(SHARED_CACHE, f"its {key} is no absolute path.")
    return absolute


class _Silence(Exception):
    """There was no reply in time."""


def _within(seconds: float, work: Callable[[], Value]) -> Value:
    """Run `work` in a thread with a time limit; a hanging one is abandoned, since a network disk may never answer."""
    values: list[Value] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            values.append(work())
        except BaseException as error:  # raised again in the caller
            errors.append(error)

    thread = threading.Thread(target=run, name="shared cache", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise _Silence(f"nothing came for {seconds:.3g} s")
    if errors:
        raise errors[0]
    return values[0]


def shared_cache(setting: SharedCacheSetting, root: Path) -> SharedCache | None:
    """Return the cache for a corpus, or None if it is outside the configured folders."""
    here = Path(os.path.realpath(root))
    named = [Path(os.path.realpath(os.path.expanduser(folder))) for folder in setting.folders]
    if named and not any(folder == here or folder in here.parents for folder in named):
        return None
    return SharedCache(setting)

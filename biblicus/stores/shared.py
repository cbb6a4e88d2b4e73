"""A cache that a team shares: what one machine parsed or embedded others fetch, and prove before they use it.

Where it is and the key that seals it are the user's own settings' to say. An entry lies under a name that the key makes
of what it was made from (content, extractor or model, options), and begins with a seal over that name and its bytes:
what was changed, cut short, moved, or sealed with another key is as good as absent. A cache that is away costs a line
to the user and two tries, never what is being built.
"""

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
from biblicus.disk.keyrings import from_keyring
from biblicus.errors import BiblicusError, ConfigInvalid
from biblicus.guards.deadlines import bounded
from biblicus.models.shared import IN_SETTINGS, Shared
from biblicus.stores.reaching import secret
from biblicus.stores.shared_places import Folder, Place, Remote, cause_of

Value = TypeVar("Value")
FOLDER = "folder"
"""What a place is called that is a folder of this machine's."""
_LEAST = 32
"""Characters of a key: whoever reads the cache can try keys against it."""
_MAC = 32
_LONGEST = 64 << 20
"""Bytes of an entry."""
_AT_ONCE = 2 << 20
"""Bytes up to which entries are read together. Longer ones are read one by one, each proved before the next: whoever
can write there could else fill this machine's memory."""
_BATCH, _BATCH_BYTES = 64, 8 << 20
"""Entries that are asked for or put at a time, and about how many bytes."""
_TRIES = 2
_LOCAL = ("file", "local")
"""What fsspec calls folders of this machine."""
_HEAD = 16


class _Keys(NamedTuple):
    """What a user's key gives: the top folder of what it seals, what makes names, what makes seals."""

    head: str
    naming: bytes
    sealing: bytes

    @classmethod
    def of(cls, key: str) -> _Keys:
        root = hashlib.sha256(key.encode()).digest()
        return cls(_mac(root, b"head").hex()[:_HEAD], _mac(root, b"name"), _mac(root, b"seal"))

    def name(self, kind: str, identity: str) -> str:
        """Where an entry lies. Who lacks the key learns nothing from it, and puts nothing in its place."""
        name = _mac(self.naming, kind.encode(), identity.encode("utf-8", "surrogatepass")).hex()
        return f"{self.head}/{kind}/{name[:2]}/{name}"

    def sealed(self, name: str, body: bytes) -> bytes:
        return _mac(self.sealing, name.encode(), body) + body

    def unsealed(self, name: str, entry: bytes) -> bytes | None:
        """The bytes that were put under this name; None where these are others."""
        body = entry[_MAC:]
        return body if hmac.compare_digest(entry[:_MAC], _mac(self.sealing, name.encode(), body)) else None


def _mac(key: bytes, *parts: bytes) -> bytes:
    made = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()


class SharedCache:
    """Entries by kind and identity: all that decides what they hold. Whatever the place does, nothing here fails;
    `shared` says what came of it since `begin`. Holds secrets: it cannot be pickled."""

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
        """How a person is told where it is."""
        setting = self._setting
        return setting.path if setting.by == FOLDER else f"{setting.by}:{setting.path}"

    def begin(self) -> None:
        """Count anew, and try again what was given up."""
        self._opened, self._is_away, self._is_full, self.shared = None, False, False, Shared()

    def found(self, kind: str, identities: Sequence[str], call: Call) -> Iterator[list[tuple[str, bytes]]]:
        """What is there of these, some at a time."""
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
                whole = entry if len(entry) <= limit else place.read([name], _LONGEST).get(name, b"")
                bodies[names[name]] = keys.unsealed(name, whole)
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
        """Share entries, by identity. Larger ones than are read are left out."""
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
        """In a sentence, whether it can be used and whether anything there is sealed with this key."""

        def look() -> tuple[str, list[str]]:
            keys, place = self._open()
            return keys.head, place.heads()

        seen = self._tried(look, call, "it is not used", is_told=False)
        if seen is None:
            return self.shared.trouble
        head, heads = seen
        if head in heads:
            return f"The shared cache {self.place} is there, with entries of your key."
        others = any(len(name) == _HEAD and set(name) <= set("0123456789abcdef") for name in heads)
        of_others = ", but of another: compare it with a colleague's" if others else ""
        return f"The shared cache {self.place} is there, with no entries of your key{of_others}."

    def prune(self, call: Call) -> tuple[int, int]:
        """Where the settings bound it, delete what was put there longest ago, of this key: (entries, bytes)."""
        bound = self._setting.bytes
        if bound is None:
            return 0, 0

        def trim() -> tuple[int, int]:
            keys, place = self._open()
            entries = sorted(place.listed(keys.head)) if keys.head in place.heads() else []
            left, doomed = sum(entry.size for entry in entries), 0
            while left > bound:
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
        key = secret(IN_SETTINGS, "key", None, setting.seal_env, setting.seal_file, self._environment)
        key = from_keyring(IN_SETTINGS) if key is None else key
        key = None if key is None else key.strip()  # whoever pastes one, or has it echoed, adds a line end
        if key is None or len(key) < _LEAST:
            cause = "it has no key" if key is None else f"its key has fewer than {_LEAST} characters"
            raise ConfigInvalid(IN_SETTINGS, f"{cause}.", "openssl rand -hex 32, for a file that seal_file names")
        return key

    def _place(self) -> Place:
        setting = self._setting
        if setting.by in _LOCAL:
            raise ConfigInvalid(IN_SETTINGS, f"{setting.by} is called {FOLDER}.", f"by: {FOLDER}")
        if setting.by != FOLDER:
            return Remote(setting.by, setting.path, setting.options)
        if setting.options:  # a slip of the hand must not share more than it says
            raise ConfigInvalid(IN_SETTINGS, f"a folder has no key {min(setting.options)}.")
        return Folder(_whole(setting.path, "path"))

    def _tried(self, work: Callable[[], Value], call: Call, what: str, *, is_told: bool = True) -> Value | None:
        """What work gives; None where it failed, of which the user is told."""
        cause, hint, seconds = "", "biblicus check" if is_told else "", self._setting.seconds
        if (until := bounded(call, seconds).deadline) is not None:
            seconds = max(0.0, until - time.monotonic())
        for _ in range(_TRIES):
            try:
                return _within(seconds, work)
            except _Silence as error:  # whoever hangs once hangs twice
                cause = str(error)
                break
            except BiblicusError as error:
                cause, hint = error.message, error.hint or hint
                break
            except Exception as error:  # each file system has errors of its own
                cause, self._opened = cause_of(error, self._secrets()), None
        trouble = f"The shared cache {self.place}: {what} ({cause.rstrip('.')})."
        self.shared.trouble = f"{trouble} Try: {hint}" if hint else trouble
        if is_told:
            call.tell(self.shared.trouble)
        return None

    def _secrets(self) -> list[str]:
        """What opens the place, which no message may repeat."""
        return [value for value in _texts(self._setting.options) if len(value) > 3]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str | int):
        yield str(value)
    elif isinstance(value, Mapping | list | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part)


def _whole(path: str, key: str) -> Path:
    """A path of the settings. Raises `ConfigInvalid` for one that were another in each corpus."""
    absolute = Path(path).expanduser()
    if not absolute.is_absolute():
        raise ConfigInvalid(IN_SETTINGS, f"its {key} is no absolute path.")
    return absolute


class _Silence(Exception):
    """Nothing came in time."""


def _within(seconds: float, work: Callable[[], Value]) -> Value:
    """What work gives in time. What hangs is left behind: a disk of the network may never answer."""
    values: list[Value] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            values.append(work())
        except BaseException as error:  # it is the caller's
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
    """The cache for a corpus; None for one that lies in none of the folders that the setting names."""
    here = Path(os.path.realpath(root))
    named = [Path(os.path.realpath(os.path.expanduser(folder))) for folder in setting.folders]
    if named and not any(folder == here or folder in here.parents for folder in named):
        return None
    return SharedCache(setting)

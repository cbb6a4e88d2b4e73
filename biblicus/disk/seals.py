"""Seals: what lies under `.biblicus/local/` is opened only if this machine made it (promise 6).

A seal is an HMAC-SHA256 with a key in the user's state folder over the digests of the sealed files. The digests are
checked once; afterwards inode, size and change time stand for them. `biblicus trust` seals what another machine made;
the seal of what another user made, or of what cannot be written to, lies in this user's state folder.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from types import UnionType
from typing import Any

from biblicus.config import user_folder
from biblicus.disk import files
from biblicus.errors import StorageFailed, UnsafeInput, Untrusted
from biblicus.models.digest import canonical

Shape = Any
"""A type, or a union of some; `[shape]`: a list of such; a tuple of shapes: a list of just these; `{str: shape}`: an
object of such, by any name; `{"name": shape}`: an object with just these names, of which those that end with `?` may
lack."""

VERSION = "version"
"""Of an object's form, in the object: absent for the first."""

SEAL = "seal.json"
_MAC = 64
_SHAPE = {"digests": {str: str}, "stamps": {str: [int]}}
"""Of the seal of a folder."""


def machine_key() -> bytes:
    """This machine's key of 32 random bytes, made on first use (mode 0600)."""
    path = user_folder("state") / "key"
    try:
        key = files.read(path, limit=files.SMALL)
        if len(key) == 32:
            return key
    except FileNotFoundError:
        pass
    except OSError as error:  # a new key would make all that was sealed with this one worthless
        raise StorageFailed(str(path), files.describe(error)) from error
    files.make_folder(path.parent, 0o700)
    with suppress(FileExistsError):  # another process was first: its key counts
        files.write(path, os.urandom(32), replace=path.exists(), mode=0o600)
    return files.read(path)


def _mac(body: bytes, key: bytes) -> str:
    return hmac.new(key, body, hashlib.sha256).hexdigest()


def _sealed(body: bytes) -> bytes:
    return _mac(body, machine_key()).encode() + b"\n" + body


def write_cache(path: Path, body: bytes, temporaries: Path) -> None:
    """Write what ends with a JSON object, after a line with its seal; it may be lost: no fsync is owed, and no failure
    an error.

    What a crash tears fails its seal and is as good as absent. `temporaries`: a folder on the same file system.
    """
    temporary = temporaries / f"{files.TEMPORARY}{os.urandom(6).hex()}"
    try:
        temporary.write_bytes(_sealed(body))
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()


def write_sealed(path: Path, body: bytes) -> None:
    """Write a JSON object after a line with its seal, durably."""
    files.write(path, _sealed(body))


def is_torn(path: Path) -> bool:
    """Whether a file of `write_cache` was cut short by a crash, rather than altered: its object does not end. What
    reached the disk of it begins with a seal, or is nothing but zeros."""
    try:
        data = files.read(path, limit=files.LARGE).rstrip(b"\0")
    except (OSError, UnsafeInput):
        return False
    return re.fullmatch(rb"[0-9a-f]*", data[:_MAC]) is not None and not data.endswith(b"}")


def read_sealed(path: Path) -> bytes | None:
    """The body of a sealed file, or None where it is absent, torn, altered or another machine's."""
    try:
        data = files.read(path, limit=files.LARGE)
    except (OSError, UnsafeInput):
        return None
    mac, body = data[:_MAC], data[_MAC + 1 :]
    return body if hmac.compare_digest(mac, _mac(body, machine_key()).encode()) else None


def read_object(path: Path, shape: Shape) -> dict[str, Any] | None:
    """The object in a sealed file; None where it is absent, or of another version or shape: it is made anew."""
    value: dict[str, Any] | None = read_shaped(read_sealed(path), shape)
    return value


# --- shapes -----------------------------------------------------------------------------------------------------------


def fits(value: Any, shape: Shape) -> bool:
    """Whether a value is of a shape."""
    if isinstance(shape, type | UnionType):
        return isinstance(value, shape)
    if isinstance(shape, tuple):
        return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))
    if isinstance(shape, list):
        return isinstance(value, list) and _all_fit(value, shape[0])
    if not isinstance(value, dict):
        return False
    if (every := shape.get(str)) is not None:
        return _all_fit(list(value.values()), every)
    named = {name.removesuffix("?"): part for name, part in shape.items()}
    needed = {name for name in shape if not name.endswith("?")}
    return needed <= value.keys() <= named.keys() and all(fits(part, named[name]) for name, part in value.items())


def _all_fit(values: list[Any], shape: Shape) -> bool:
    if isinstance(shape, type):  # of many values at once
        return all(issubclass(kind, shape) for kind in set(map(type, values)))
    return all(fits(value, shape) for value in values)


def read_shaped(body: bytes | None, shape: Shape, version: int | None = 1) -> Any:
    """The object of this version (None: of any, which it still says) and shape; None where it is another, or none."""
    if body is None:
        return None
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError):
        return None
    if version is not None and isinstance(value, dict) and value.pop(VERSION, 1) != version:
        return None
    return value if fits(value, shape) else None


# --- folders ---------------------------------------------------------------------------------------------------------


def _members(folder: Path) -> list[str]:
    """Relative names of the files that a seal covers: all but the seal itself, locks and temporary files."""
    members: list[str] = []
    for parent, _, names in os.walk(folder):
        base = os.path.relpath(parent, folder)
        own = [name for name in names if name != SEAL and not name.startswith((".tantivy-", files.TEMPORARY))]
        members += [name if base == "." else f"{base}/{name}" for name in own]
    return sorted(members)


def stamp(path: Path) -> list[int]:
    """What stands for a file's bytes once they were checked, as JSON has it."""
    return list(files.stamp_of(path.stat(follow_symlinks=False)))


def is_ours(folder: Path) -> bool:
    """Return true if this user made a folder and may write to it. Another user's seal is left as it is."""
    try:
        return folder.stat().st_uid == os.geteuid() and os.access(folder, os.W_OK)
    except FileNotFoundError:
        return True


def _own_seal(folder: Path) -> Path:
    """Where this user keeps the seal of a folder that is another's, or read-only."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:32]
    return user_folder("state") / "seals" / f"{name}.json"


def _read_seal(folder: Path) -> dict[str, Any] | None:
    """The seal that lies in a folder or, where that is not ours, the one that this user keeps of it."""
    return read_object(folder / SEAL, _SHAPE) or read_object(_own_seal(folder), _SHAPE)


def _write_seal(folder: Path, digests: dict[str, str]) -> None:
    """Durable, always: a torn seal would cost an index that is sound."""
    stamps = {name: stamp(folder / name) for name in digests}
    path = folder / SEAL
    if not is_ours(folder):
        path = _own_seal(folder)
        files.make_folder(path.parent, 0o700)
    write_sealed(path, canonical({"digests": digests, "stamps": stamps}))


def seal_folder(folder: Path, known: dict[str, str] | None = None) -> None:
    """Seal a folder. `known`: digests of files that were linked from a sealed folder and need no second reading."""
    known = known or {}
    digests = {name: known.get(name) or files.sha256(folder / name) for name in _members(folder)}
    _write_seal(folder, digests)


def check_folder(folder: Path, *, deep: bool = False) -> dict[str, str]:
    """The digests of a sealed folder; `Untrusted` where the seal is absent, foreign or does not fit the files.

    `deep` reads every file again, whatever its stamp says.
    """
    seal = _read_seal(folder)
    if seal is None:
        raise Untrusted(f"{folder.name}", is_ours=is_ours(folder))
    digests: dict[str, str] = seal["digests"]
    if added := set(_members(folder)) - set(digests):
        raise Untrusted(f"{folder.name}/{min(added)}", is_ours=is_ours(folder))
    try:
        stamps = {name: stamp(folder / name) for name in digests}
        changed = [name for name in digests if deep or stamps[name] != seal["stamps"].get(name)]
        wrong = [name for name in changed if files.sha256(folder / name) != digests[name]]
    except OSError as error:
        raise Untrusted(f"{folder.name} ({files.describe(error)})", is_ours=is_ours(folder)) from error
    except UnsafeInput as error:
        raise Untrusted(folder.name, is_ours=is_ours(folder)) from error
    if wrong:
        raise Untrusted(f"{folder.name}/{wrong[0]}", is_ours=is_ours(folder))
    if stamps != seal["stamps"]:
        with suppress(StorageFailed):  # a reader may not be able to write, and is none the worse for it
            _write_seal(folder, digests)
    return digests


def restamp(folder: Path) -> None:
    """Take the files' present stamps as good, after links were made of them (which changes their change time).

    Only for a folder that `check_folder` has just accepted, under the lock.
    """
    seal = _read_seal(folder)
    if seal is None:
        return
    if seal["stamps"] != {name: stamp(folder / name) for name in seal["digests"]}:
        _write_seal(folder, seal["digests"])

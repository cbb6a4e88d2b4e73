"""Seals: files under `.biblicus/local/` are opened only if this machine made them (promise 6).

A seal is an HMAC-SHA256 over the digests of the sealed files, with a key from the user's state folder. The digests
are checked once; afterwards inode, size and change time are compared. `biblicus trust` seals files that another
machine made. The seal of a folder that is read-only or another user's is kept in this user's state folder."""

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

from biblicus.disk import files, system
from biblicus.errors import StorageFailed, UnsafeInput, Untrusted
from biblicus.guards.processes import user_folder
from biblicus.models.digest import canonical

Shape = Any
"""Expected structure of JSON: a type or union of types; `[shape]`, a list; a tuple of shapes, a list of exactly these.
`{str: shape}` is an object with any keys; `{"name": shape}` an object with just these keys, optional if they end in
`?`."""

VERSION = "version"
"""Key of the format version in an object; absent for the first version."""

SEAL = "seal.json"
_MAC = 64
_SHAPE = {"digests": {str: str}, "stamps": {str: [int]}}
"""Shape of a folder's seal."""


def machine_key() -> bytes:
    """Return this machine's key of 32 random bytes, created on first use (mode 0600)."""
    path = user_folder("state") / "key"
    try:
        key = files.read(path, limit=files.SMALL)
        if len(key) == 32:
            return key
    except FileNotFoundError:
        pass
    except OSError as error:  # a new key would invalidate all existing seals
        raise StorageFailed(str(path), files.describe(error)) from error
    files.make_folder(path.parent, 0o700)
    with suppress(FileExistsError):  # another process was first: use its key
        files.write(path, os.urandom(32), replace=path.exists(), mode=0o600)
    return files.read(path)


def _mac(body: bytes, key: bytes) -> str:
    return hmac.new(key, body, hashlib.sha256).hexdigest()


def _sealed(body: bytes) -> bytes:
    return _mac(body, machine_key()).encode() + b"\n" + body


def write_cache(path: Path, body: bytes, temporaries: Path) -> None:
    """Write `body`, which ends with a JSON object, after a line with its seal. Not durable; failures are ignored.

    A file torn by a crash fails its seal and counts as absent. `temporaries`: a folder on the same file system."""
    temporary = temporaries / f"{files.TEMPORARY}{os.urandom(6).hex()}"
    try:
        temporary.write_bytes(_sealed(body))
        system.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            system.unlink(temporary)


def write_sealed(path: Path, body: bytes) -> None:
    """Write a JSON object after a line with its seal, durably."""
    files.write(path, _sealed(body))


def is_torn(path: Path) -> bool:
    """Return true if a file of `write_cache` was cut short by a crash rather than altered.
    Such a file begins with part of a seal, or with zeros, and its object has no end."""
    try:
        data = files.read(path, limit=files.LARGE).rstrip(b"\0")
    except (OSError, UnsafeInput):
        return False
    return re.fullmatch(rb"[0-9a-f]*", data[:_MAC]) is not None and not data.endswith(b"}")


def read_sealed(path: Path) -> bytes | None:
    """Return the body of a sealed file, or None if it is absent, torn, altered or sealed by another machine."""
    try:
        data = files.read(path, limit=files.LARGE)
    except (OSError, UnsafeInput):
        return None
    mac, body = data[:_MAC], data[_MAC + 1 :]
    return body if hmac.compare_digest(mac, _mac(body, machine_key()).encode()) else None


def read_object(path: Path, shape: Shape) -> dict[str, Any] | None:
    """Return the object in a sealed file, or None if it is absent, torn or of another version or shape."""
    value: dict[str, Any] | None = read_shaped(read_sealed(path), shape)
    return value


# --- shapes -----------------------------------------------------------------------------------------------------------


def fits(value: Any, shape: Shape) -> bool:
    """Return true if a value has this shape."""
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
    if isinstance(shape, type):  # compare the types of many values at once
        return all(issubclass(kind, shape) for kind in set(map(type, values)))
    return all(fits(value, shape) for value in values)


def read_shaped(body: bytes | None, shape: Shape, version: int | None = 1) -> Any:
    """Parse a JSON object of this version and shape; None if it does not match.
    With `version=None` any version matches and stays in the object."""
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


def members(folder: Path) -> list[str]:
    """Return the relative names of the files that a seal covers: all but the seal, locks and temporary files."""
    members: list[str] = []
    for parent, _, names in os.walk(folder):
        base = system.below(parent, folder)
        covered_names = [name for name in names if name != SEAL and not name.startswith((".tantivy-", files.TEMPORARY))]
        members += [name if base == "." else f"{base}/{name}" for name in covered_names]
    return sorted(members)


def stamp(path: Path) -> list[int]:
    """Return a file's stamp as a JSON list. An unchanged stamp means unchanged bytes."""
    return list(files.stamp_of(path.stat(follow_symlinks=False)))


def is_ours(folder: Path) -> bool:
    """Return true if this user owns a folder, or it does not exist yet, and may write to it."""
    try:
        return system.owns(folder)
    except FileNotFoundError:
        return True


def _own_seal(folder: Path) -> Path:
    """Return the path of this user's own seal of a folder that is read-only or another user's."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:32]
    return user_folder("state") / "seals" / f"{name}.json"


def _read_seal(folder: Path) -> dict[str, Any] | None:
    """Read the seal in a folder or, if that is not valid, this user's own seal of it."""
    return read_object(folder / SEAL, _SHAPE) or read_object(_own_seal(folder), _SHAPE)


def _write_seal(folder: Path, digests: dict[str, str]) -> None:
    """Write a seal durably: a torn seal would cost a sound index."""
    stamps = {name: stamp(folder / name) for name in digests}
    path = folder / SEAL
    if not is_ours(folder):
        path = _own_seal(folder)
        files.make_folder(path.parent, 0o700)
    write_sealed(path, canonical({"digests": digests, "stamps": stamps}))


def seal_folder(folder: Path, known: dict[str, str] | None = None) -> None:
    """Seal a folder. `known`: digests of files linked from a sealed folder, which are not read again."""
    known = known or {}
    digests = {name: known.get(name) or files.sha256(folder / name) for name in members(folder)}
    _write_seal(folder, digests)


def check_folder(folder: Path, *, deep: bool = False) -> dict[str, str]:
    """Return the digests of a sealed folder. Raises `Untrusted` if the seal is absent, foreign or does not match.

    `deep` reads every file again, even if its stamp is unchanged."""
    seal = _read_seal(folder)
    if seal is None:
        raise Untrusted(f"{folder.name}", is_ours=is_ours(folder))
    digests: dict[str, str] = seal["digests"]
    if added := set(members(folder)) - set(digests):
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
        with suppress(StorageFailed):  # a reader may lack write permission; the seal is still valid
            _write_seal(folder, digests)
    return digests


def restamp(folder: Path) -> None:
    """Renew the stamps in a seal after hard links to its files were made, which changes their change time.

    Only for a folder that `check_folder` has just accepted, under the lock."""
    seal = _read_seal(folder)
    if seal is None:
        return
    if seal["stamps"] != {name: stamp(folder / name) for name in seal["digests"]}:
        _write_seal(folder, seal["digests"])


def from_keyring(name: str) -> str | None:
    """Return the secret of this name, or None if there is no keyring or no such secret."""
    try:
        import keyring  # the extra [keyring]
    except ImportError:
        return None
    try:
        secret: str | None = keyring.get_password("biblicus", name)
    except Exception:  # a locked or broken keyring: the caller reports the missing secret
        return None
    return secret

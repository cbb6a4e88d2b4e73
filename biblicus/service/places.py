"""Places that answer requests: this process, the user's daemon, or a service.

`--at` and the user's settings `at` and `places` decide, never the corpus. A place is `local`, `daemon`, an address
(`https://host:8765`, with `#name` for one of several corpora there) or a name in `places`. Several, separated by
commas, are tried in turn. `corpus://name` names a corpus by its entry in `places`: a folder, an address, or both."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

from biblicus import corpus
from biblicus.disk import system
from biblicus.errors import AmbiguousItem, BiblicusError, CorpusUnknown, ItemNotFound, UnknownName, UsageError
from biblicus.guards.processes import settings_file
from biblicus.models.frozen import dataclass
from biblicus.text.paths import MEMBER

if TYPE_CHECKING:
    from biblicus.corpus.folder import CorpusFolder

SCHEME = "corpus://"
NAME = re.compile(r"[a-z0-9-]{1,64}")
_ADDRESS = re.compile(r"https?://[^\s,]+")
_AT = re.compile(r"^['\"]?at['\"]?[ \t]*:|^\s*\{", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """One place for one corpus: its `folder` for `local` and `daemon`; `address` and optionally `corpus` for
    `remote`."""

    kind: Literal["local", "daemon", "remote"]
    folder: Path | None = None
    address: str = ""
    corpus: str | None = None


def targets(corpus: str | None, at: str | None) -> list[Target]:
    """Return the places for a corpus (a path, `corpus://name`, or None: the current folder), the first choice first.

    Raises `CorpusUnknown`, `UsageError`, `UnknownName`, `ConfigInvalid`."""
    if corpus is not None and corpus.startswith(SCHEME):
        return _of_name(corpus.removeprefix(SCHEME), at)
    folder = folder_of(corpus)
    return [_target(word, folder, None) for word in _words(at or _setting())]


def folder_of(corpus: str | None) -> Path:
    """Return the folder of a local corpus, for a path, `file:///…` or `corpus://name`. Raises `UsageError` for a
    remote one."""
    if corpus is None or not corpus.startswith(SCHEME):
        return _folder(corpus or ".")
    name = corpus.removeprefix(SCHEME)
    folder = next((word for word in _known(name) if not _ADDRESS.fullmatch(word)), None)
    if folder is None:
        raise UsageError(f'The corpus "{name}" is on another machine; this command works on this one.')
    return _folder(folder).expanduser()


def is_address(text: str) -> bool:
    """Return true if a text is the address of a service."""
    return _ADDRESS.fullmatch(text) is not None


def is_elsewhere(corpus: str) -> bool:
    """Return true if a corpus is only at a service. Raises `CorpusUnknown`."""
    if not corpus.startswith(SCHEME):
        return is_address(corpus)
    return all(map(is_address, _known(corpus.removeprefix(SCHEME))))


def path_in(corpus: str | None, name: str) -> str:
    """Convert a name typed in the current folder to a path in the corpus.
    A name that the corpus itself knows, or that is no existing file of the corpus, is returned unchanged."""
    from biblicus.corpus.folder import find  # lazy: few requests name an item

    file, mark, member = name.partition(MEMBER)
    try:
        folder = find(folder_of(corpus))
        path = _from_here(file, os.path.realpath(folder.root))
        if path in (None, name) or (not _is_explicit(file) and _knows(folder, name)):
            return name
    except BiblicusError:  # the corpus is remote, missing or unreadable: the request will report it
        return name
    return f"{path}{mark}{member}"


def _from_here(file: str, root: str) -> str | None:
    """Return a file's path relative to a folder, or None if it is missing or outside. A link is not followed."""
    folder, last = os.path.split(file)
    is_folder = last in ("", ".", "..")
    here = os.path.realpath(file) if is_folder else os.path.join(os.path.realpath(folder), last)
    is_here = bool(file) and os.path.lexists(here) and Path(here).is_relative_to(root)
    return system.below(here, root) if is_here else None


def _is_explicit(file: str) -> bool:
    """Return true if a name is certainly a path: `/home/ada/notes/lamp.md`, `./lamp.md`."""
    return os.path.isabs(file) or file.partition("/")[0] in (".", "..")


def _knows(folder: CorpusFolder, name: str) -> bool:
    """Return true if an item or a folder of the corpus has this name."""

    if os.path.lexists(folder.root / name):  # it may be new
        return True
    catalog = corpus.catalog.catalog_of(folder)
    try:
        corpus.catalog.named(catalog, name)
    except ItemNotFound:
        below = name.rstrip("/") + "/"
        return any(path.startswith(below) for path in catalog.items)
    except AmbiguousItem:
        pass
    return True


def _folder(text: str) -> Path:
    """Return the folder of a path or a `file:` URI."""
    if _ADDRESS.fullmatch(text):
        problem = f"{text} is the address of a service; this names a corpus on this machine."
        raise UsageError(problem, f"biblicus query TEXT --at {text}")
    if not text.startswith("file:"):
        return Path(text)
    parts = urlsplit(text)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/") or parts.query or parts.fragment:
        raise UsageError(f"{text} names no folder of this machine.", "file:///home/ada/notes")
    return Path(unquote(parts.path))


def _of_name(name: str, at: str | None) -> list[Target]:
    words = [] if at is None else _words(at)
    is_elsewhere = bool(words) and NAME.fullmatch(name) is not None and not {"local", "daemon"} & set(words)
    corpora = [] if is_elsewhere and name not in _places() else _known(name)  # a remote service may know the name
    addresses = [word for word in corpora if _ADDRESS.fullmatch(word)]
    folders = {word: _folder(word).expanduser() for word in corpora if word not in addresses}
    if at is not None:
        return [_target(word, next(iter(folders.values()), None), name) for word in words]
    here = next((word for word in _words(_setting()) if word in ("local", "daemon")), "local")
    return [_target(word if word in addresses else here, folders.get(word), name) for word in corpora]


def _target(word: str, folder: Path | None, name: str | None) -> Target:
    if word in ("local", "daemon"):
        if folder is None:
            raise UsageError(f'"{name}" names no folder on this machine in places.', "biblicus query --at ADDRESS")
        return Target("local" if word == "local" else "daemon", folder)
    if not _ADDRESS.fullmatch(word):
        places = _places()
        address_word = next((part for part in _words(places.get(word, "")) if _ADDRESS.fullmatch(part)), None)
        if address_word is None and word in places:
            problem = f'"{word}" is a folder in places, not the address of a service.'
            raise UsageError(problem, f"the same with -C {SCHEME}{word}")
        if address_word is None:
            raise UnknownName("place", word, ["local", "daemon", *sorted(places)], f"define it in {settings_file()}")
        word = address_word
    address, _, corpus = word.partition("#")
    return Target("remote", address=address.rstrip("/"), corpus=corpus or name)


def _known(name: str) -> list[str]:
    places = _places()
    if not NAME.fullmatch(name) or name not in places:
        raise CorpusUnknown(name, sorted(places), f"name it under places in {settings_file()}")
    return _words(places[name])


def _words(text: str) -> list[str]:
    return [word for part in text.split(",") if (word := part.strip())]


def _places() -> Mapping[str, str]:
    from biblicus.config import load_settings  # lazy: it needs a validator, which a request to a daemon does not

    return load_settings().places


def _setting() -> str:
    """Return the setting `at`; all settings are validated only if the file mentions it."""
    if (place := os.environ.get("BIBLICUS_AT")) is not None:
        return place
    try:
        text = settings_file().read_text("utf-8", "replace")
    except OSError:
        return "local"
    if not _AT.search(text):
        return "local"
    if plain := re.search(r"^at:[ \t]*(local|daemon)[ \t]*$", text, re.MULTILINE):
        return plain[1]
    from biblicus.config import load_settings

    return load_settings().at

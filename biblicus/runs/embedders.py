"""Find the embedder that a recipe names: a built-in one, or one defined by this machine's user.

A recipe may come from a stranger, so it contains only a name. The user's own configuration says which model that is,
where it is stored and which server it uses (promise 6)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from biblicus import plugins
from biblicus.config import settings_file, user_folder
from biblicus.contracts import Device, Embedder, Given
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, seals
from biblicus.errors import BiblicusError, ConfigInvalid, StorageFailed, UnknownModel
from biblicus.models.digest import canonical, file_digest

BUILT_IN = ("minilm", "minilm-int8", "e5", "e5-int8", "static")
"""Embedders without configuration: their weights are in packages, and they use no network."""

_REMEMBERED = 200
"""Maximum number of remembered file digests."""


def name_of(choice: str | Mapping[str, Any]) -> str:
    """Return the name in `embedder: NAME` or `embedder: {by: NAME}`. Raises `ConfigInvalid` for other keys."""
    if isinstance(choice, str):
        return choice
    name = choice.get("by")
    if not isinstance(name, str) or len(choice) > 1:
        raise ConfigInvalid(
            "embedder", "a recipe gives the name of an embedder and nothing else.", f"define it in {settings_file()}"
        )
    return name


def find(corpus: CorpusFolder, choice: str | Mapping[str, Any]) -> Embedder:
    """Return the embedder. Raises `UnknownModel`, `ConfigInvalid`, `ExtraMissing` or `EmbedderUnavailable`."""
    name = name_of(choice)
    settings = corpus.settings
    if name in BUILT_IN:
        if name in settings.embedders:
            raise ConfigInvalid(
                str(settings_file()), f"embedders.{name}: the name of a built-in embedder; use another."
            )
        return shared(name, settings.device)
    setting = settings.embedders.get(name)
    if setting is None:
        where = f"{settings_file()}: embedders: {{{name}: {{by: …, model: …}}}}"
        raise UnknownModel("embedder", name, [*BUILT_IN, *sorted(settings.embedders)], where)
    resources = Given(device=settings.device, digest=remembered_digest)
    return _built(setting.by, setting.options, resources, f"{settings_file()}: embedders.{name}")


@lru_cache(maxsize=4)
def shared(name: str, device: Device) -> Embedder:
    """Return a built-in embedder, opened once a process, since loading takes a third of a second."""
    return _built(name, {}, Given(device=device, digest=remembered_digest), f"embedder {name}")


def built_in(name: str, device: Device) -> Embedder:
    """Return a built-in embedder without remembered digests."""
    return _built(name, {}, Given(device=device), f"embedder {name}")


def _built(by: str, options: Mapping[str, Any], given: Given, where: str) -> Embedder:
    embedder: Embedder = plugins.make("embedding", by, options, given, where=where, remedy=f"edit {settings_file()}")
    return embedder


# --- digests of weights ----------------------------------------------------------------------------------------------


def remembered_digest(path: Path) -> str:
    """Return the sha256 of a file; cached by its inode, size and change time."""
    stamp = list(files.stamp_of(path.stat()))
    memory = user_folder("state") / "weights.json"
    digests: dict[str, Any] = {}
    with suppress(BiblicusError):
        digests = seals.read_object(memory, {str: ([int], str)}) or {}
    entry = digests.pop(str(path), None)
    if entry is not None and entry[0] == stamp:
        return str(entry[1])
    digests[str(path)] = [stamp, file_digest(path)]
    with suppress(StorageFailed, OSError):  # a failure only costs time later
        files.make_folder(memory.parent, 0o700)
        seals.write_cache(memory, canonical(dict(list(digests.items())[-_REMEMBERED:])), memory.parent)
    return str(digests[str(path)][1])

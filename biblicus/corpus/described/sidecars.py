"""Write sidecars: `<file>.biblicus.yml` adds metadata to a raw file, which itself is never written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh, refreshed_for
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, UsageError
from biblicus.guards import yaml
from biblicus.models.item import Item
from biblicus.models.requests.bring import TagRequest
from biblicus.sources.folder import SIDECAR
from biblicus.text.paths import MEMBER, is_member


def sidecar_of(corpus: CorpusFolder, path: str) -> Path:
    """Return the path of an item's sidecar. Raises `UnsafeInput` if a link on the way could lead out of the corpus."""
    return corpus.inside(path + SIDECAR)


def update(corpus: CorpusFolder, path: str, changes: Mapping[str, Any], text: str | None = None) -> None:
    """Set keys of an item's sidecar; a member's keys are in the sidecar of its file.

    Other keys and comments stay as the user wrote them. `tags` are replaced, `metadata` is merged. An unreadable
    sidecar raises `ConfigInvalid` and stays. `text`: change this text instead of the existing sidecar."""
    if is_member(path):
        _update_member(corpus, path, changes)
        return
    where = sidecar_of(corpus, path)
    if text is None:
        text = files.read(where, limit=files.SMALL).decode("utf-8", "replace") if where.exists() else ""
    files.write(where, changed(text, path, changes).encode())


def changed(text: str, path: str, changes: Mapping[str, Any]) -> str:
    """Return a sidecar's text with keys set. `path`: of the item. Raises `ConfigInvalid`."""
    data = _read(text, path)
    for key, value in changes.items():
        if key == "metadata" and isinstance(data.get("metadata"), dict):
            value = {**data["metadata"], **value}
        data[key] = value
        text = _with_key(text, key, value)
    return text if _parsed(text) == _parsed(yaml.write(data)) else yaml.write(data)


def _update_member(corpus: CorpusFolder, path: str, changes: Mapping[str, Any]) -> None:
    """Set keys of a member in the sidecar of its file."""
    file, _, name = path.partition(MEMBER)
    where = sidecar_of(corpus, file)
    text = files.read(where, limit=files.SMALL).decode("utf-8", "replace") if where.exists() else ""
    members: dict[str, Any] = _mapping(_read(text, file).get("members"))
    previous = _mapping(members.get(name))
    entry = {**previous, **changes}
    if "metadata" in changes:
        entry["metadata"] = {**_mapping(previous.get("metadata")), **changes["metadata"]}
    update(corpus, file, {"members": {**members, name: entry}}, text)


def _mapping(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _read(text: str, path: str) -> dict[str, Any]:
    try:
        data = yaml.read(text)
    except BadData as error:
        raise ConfigInvalid(path + SIDECAR, error.message) from error
    if data is not None and not isinstance(data, dict):
        raise ConfigInvalid(path + SIDECAR, "expected keys and values.")
    return dict(data or {})


def _parsed(text: str) -> object:
    try:
        return yaml.read(text)
    except BadData:
        return None


def _with_key(text: str, key: str, value: Any) -> str:
    """Return the text with one top-level key replaced, or added at the end."""
    block = yaml.write({key: value})
    pattern = re.compile(rf"^{key}[ \t]*:[^\n]*\n?(?:(?:[ \t]+[^\n]*|-[^\n]*)\n?)*", re.MULTILINE)
    if pattern.search(text):
        return pattern.sub(lambda _: block, text, count=1)
    return text + ("" if not text or text.endswith("\n") else "\n") + block


def tag(corpus: CorpusFolder, request: TagRequest, call: Call) -> Item:
    """Add (`+a`) and remove (`-b`) tags of an item in its sidecar."""
    changes = request.changes
    if not changes or any(len(change) < 2 or change[0] not in "+-" for change in changes):
        raise UsageError("Tags are given as +tag or -tag.", "biblicus tag ITEM +draft -final")
    with corpus.writing(call):
        before, (item,) = refreshed_for(corpus, (request.item,), call)
        tags = list(item.tags)
        for change in changes:
            word = " ".join(change[1:].split())
            if change[0] == "+" and word and word not in tags:
                tags.append(word)
            elif change[0] == "-" and word in tags:
                tags.remove(word)
        if tuple(tags) != item.tags:
            update(corpus, item.path, {"tags": tags})
        after = refresh(corpus, call, before=before, written=[item.path])
        return (after.catalog or catalog_of(corpus)).items[item.path]

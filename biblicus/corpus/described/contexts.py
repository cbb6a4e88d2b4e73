"""What folders say of what is in them: a line each in `.biblicus/context.yml`, or `context` in a README's front matter.

The line of a folder returns with every hit below it. Where both are there, the file counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from biblicus.config import explain, read_mapping
from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.editorial.approvals import shown_on
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import ConfigInvalid, ItemNotFound, UnsafeInput
from biblicus.models.frozen import dataclass
from biblicus.models.item import Item
from biblicus.models.records import Bounds, Record
from biblicus.text.paths import READMES, folder_of, folders_above, readmes_above

if TYPE_CHECKING:
    from biblicus.models.requests.editorial import ContextOfRequest

KEY = "context"
LONGEST = 500
"""Characters of a line."""
WHERE = f"{FOLDER}/context.yml"
Readmes = Callable[[Sequence[str]], Mapping[str, object]]
"""What the READMEs of these paths say, those that say anything."""


@dataclass(frozen=True, kw_only=True)
class FolderContexts(Record):
    """`.biblicus/context.yml`: a line by folder; the whole corpus is `.`."""

    contexts: Annotated[
        dict[str, Annotated[str, Bounds(min_length=1, max_length=LONGEST)]], Bounds(max_length=1_000)
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FolderContext:
    """What a folder says. `said_in`: the file that says it."""

    folder: str
    context: str
    said_in: str


@dataclass(frozen=True, slots=True)
class ContextOf:
    """What the folders above a path say, the outermost first."""

    path: str
    contexts: tuple[FolderContext, ...]


def where(corpus: CorpusFolder) -> Path:
    """The file."""
    return corpus.home / "context.yml"


def read(corpus: CorpusFolder) -> dict[str, str]:
    """What the file says, by folder without a trailing slash; empty for the whole corpus. Raises `ConfigInvalid`."""
    path = where(corpus)
    if not os.path.lexists(path):
        return {}
    try:
        said = FolderContexts.model_validate(read_mapping(files.read(path, limit=files.SMALL).decode(), WHERE))
    except (OSError, UnicodeDecodeError, UnsafeInput) as error:
        raise ConfigInvalid(WHERE, "cannot be read.") from error
    except ValueError as error:  # a ValidationError is one
        raise ConfigInvalid(WHERE, explain(error, FolderContexts)) from error
    return {_folder(name): _line(text) for name, text in said.contexts.items()}


def of_path(path: str, known: Mapping[str, str], readmes: Readmes) -> list[FolderContext]:
    """What the folders above a path say. `known`: by the file."""
    said = readmes(readmes_above(path))
    found = []
    for folder in folders_above(path):
        if folder in known:
            found.append(FolderContext(folder or ".", known[folder], WHERE))
            continue
        names = [f"{folder}/{name}" if folder else name for name in READMES]
        text = next(((name, said[name]) for name in names if isinstance(said.get(name), str)), None)
        if text is not None and (line := _line(str(text[1]))):
            found.append(FolderContext(folder or ".", line, text[0]))
    return found


def by_folder(corpus: CorpusFolder) -> dict[str, str]:
    """What is said of each folder that holds something, by it and those above it, on one line; where anything is.
    Raises `ConfigInvalid`."""
    catalog = catalog_of(corpus)
    known, said = read(corpus), _readmes_of(catalog)
    lines = {folder_of(path): path for path in catalog.entries}
    joined = {folder: " ".join(one.context for one in of_path(path, known, said)) for folder, path in lines.items()}
    return {folder: line for folder, line in sorted(joined.items()) if line}


def context_of(corpus: CorpusFolder, request: ContextOfRequest, call: Call) -> ContextOf:
    """What the folders above a path say, as they are now. Raises `ItemNotFound` where no folder or item is there."""
    path = request.path.removeprefix("./").rstrip("/")
    path = "" if path == "." else path
    catalog = catalog_of(corpus)
    is_shown = shown_on(corpus, request.layer, call)
    is_folder = any(name.startswith(f"{path}/") for name in catalog.entries) or not path
    if not is_folder and path not in catalog.entries:
        raise ItemNotFound(request.path)

    inside = f"{path}/." if is_folder and path else path or "."
    return ContextOf(path or ".", tuple(of_path(inside, read(corpus), _readmes_of(catalog, is_shown))))


def _readmes_of(catalog: Catalog, is_shown: Callable[[Item], bool] = lambda item: True) -> Readmes:
    """What the READMEs among a catalog's items say, those that are shown."""

    def readmes(paths: Sequence[str]) -> Mapping[str, object]:
        items = [catalog.items[name] for name in paths if name in catalog.entries]
        return {item.path: item.metadata.get(KEY) for item in items if is_shown(item)}

    return readmes


def _folder(name: str) -> str:
    return name.removeprefix("./").rstrip("/").removesuffix("/**") if name not in (".", "./") else ""


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST]

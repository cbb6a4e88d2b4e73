"""Context of folders: one line each in `.biblicus/context.yml`, or `context` in a README's front matter.

A hit is returned with the lines of all folders above it. If both exist, the file is used."""

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
"""Maximum length of a context line in characters."""
WHERE = f"{FOLDER}/context.yml"
Readmes = Callable[[Sequence[str]], Mapping[str, object]]
"""Return the `context` values of the READMEs at these paths that have one."""


@dataclass(frozen=True, kw_only=True)
class FolderContexts(Record):
    """Content of `.biblicus/context.yml`: a line for each folder; `.` is the whole corpus."""

    contexts: Annotated[
        dict[str, Annotated[str, Bounds(min_length=1, max_length=LONGEST)]], Bounds(max_length=1_000)
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FolderContext:
    """The context line of a folder. `said_in`: the file that contains it."""

    folder: str
    context: str
    said_in: str


@dataclass(frozen=True, slots=True)
class ContextOf:
    """The contexts of the folders above a path, the outermost first."""

    path: str
    contexts: tuple[FolderContext, ...]


def where(corpus: CorpusFolder) -> Path:
    """Return the path of `context.yml`."""
    return corpus.home / "context.yml"


def read(corpus: CorpusFolder) -> dict[str, str]:
    """Return the context of each folder in the file; the corpus root is the empty string. Raises `ConfigInvalid`."""
    path = where(corpus)
    if not os.path.lexists(path):
        return {}
    try:
        folder_contexts = FolderContexts.model_validate(
            read_mapping(files.read(path, limit=files.SMALL).decode(), WHERE)
        )
    except (OSError, UnicodeDecodeError, UnsafeInput) as error:
        raise ConfigInvalid(WHERE, "cannot be read.") from error
    except ValueError as error:  # includes ValidationError
        raise ConfigInvalid(WHERE, explain(error, FolderContexts)) from error
    return {_folder(name): _line(text) for name, text in folder_contexts.contexts.items()}


def of_path(path: str, known: Mapping[str, str], readmes: Readmes) -> list[FolderContext]:
    """Return the contexts of the folders above a path, the outermost first. `known`: from the file."""
    readme_texts = readmes(readmes_above(path))
    contexts = []
    for folder in folders_above(path):
        if folder in known:
            contexts.append(FolderContext(folder or ".", known[folder], WHERE))
            continue
        names = [f"{folder}/{name}" if folder else name for name in READMES]
        text = next(((name, readme_texts[name]) for name in names if isinstance(readme_texts.get(name), str)), None)
        if text is not None and (line := _line(str(text[1]))):
            contexts.append(FolderContext(folder or ".", line, text[0]))
    return contexts


def by_folder(corpus: CorpusFolder) -> dict[str, str]:
    """Return the joined contexts of each non-empty folder and those above it. Raises `ConfigInvalid`."""
    catalog = catalog_of(corpus)
    declared, readmes = read(corpus), _readmes_of(catalog)
    lines = {folder_of(path): path for path in catalog.entries}
    joined = {
        folder: " ".join(entry.context for entry in of_path(path, declared, readmes)) for folder, path in lines.items()
    }
    return {folder: line for folder, line in sorted(joined.items()) if line}


def context_of(corpus: CorpusFolder, request: ContextOfRequest, call: Call) -> ContextOf:
    """Return the current contexts of the folders above a path. Raises `ItemNotFound` if the path does not exist."""
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
    """Return a reader of the `context` values of READMEs in a catalog, limited to visible items."""

    def readmes(paths: Sequence[str]) -> Mapping[str, object]:
        items = [catalog.items[name] for name in paths if name in catalog.entries]
        return {item.path: item.metadata.get(KEY) for item in items if is_shown(item)}

    return readmes


def _folder(name: str) -> str:
    return name.removeprefix("./").rstrip("/").removesuffix("/**") if name not in (".", "./") else ""


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST]

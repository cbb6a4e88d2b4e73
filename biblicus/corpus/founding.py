"""Create a corpus in a folder, and decide when a person must confirm it.

A folder that this user cannot write to, or that another user owns, stays unchanged: its `.biblicus` is made in this
user's cache (`folder.cached_home`), with copies of the folder's committed files."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from pathlib import Path

from biblicus import guards
from biblicus.config import CorpusConfig, options_of
from biblicus.corpus.folder import (
    FOLDER,
    VAULT,
    CorpusFolder,
    cached_home,
    ensure_gitignore,
    home_of,
    is_corpus,
    require_utf8,
)
from biblicus.disk import changes, files, system
from biblicus.errors import CorpusExists, UsageError
from biblicus.errors.families import typed

_LOOKED = 1_000
"""Number of folders below a new corpus that are searched for another corpus."""


def create(root: Path, name: str | None) -> CorpusFolder:
    """Make `root` a corpus. The folder is created if missing; its parent must exist.

    Raises `CorpusExists` for an existing corpus, which stays unchanged."""
    require_utf8()
    corpus = CorpusFolder(Path(os.path.abspath(root)))
    if os.path.lexists(corpus.root) and not corpus.root.is_dir():
        raise UsageError(f"{root} is no folder.", "biblicus init FOLDER")
    if not corpus.root.parent.is_dir():
        nearest = next(folder for folder in corpus.root.parents if folder.is_dir())
        problem = f"There is no folder {corpus.root.parent}; the nearest one that exists is {nearest}."
        raise UsageError(problem, f"mkdir -p {typed(str(corpus.root))}")
    if corpus.config_file.exists():
        raise CorpusExists(str(corpus.root))
    is_cached = corpus.root.is_dir() and not os.access(corpus.root, os.W_OK)
    return _founded(corpus.root, name, is_cached=is_cached)


def found_in_cache(start: Path) -> CorpusFolder | None:
    """Create a corpus in this user's cache for a folder that is read-only or another user's.

    None if the folder is this user's own, has an index, or needs confirmation by `init`. Raises `UsageError` if this
    user has no home folder."""
    root = Path(os.path.abspath(start))
    root = next(filter(is_corpus, (root, *root.parents)), root)
    if not root.is_dir():
        return None
    if os.path.lexists(root / FOLDER):
        is_founded = home_of(root) != root / FOLDER or os.access(root / FOLDER, os.W_OK)
        if is_founded or os.path.lexists(root / FOLDER / "local" / "index"):
            return None
    elif system.owns(root) or doubt(root):
        return None
    return _founded(root, None, is_cached=True)


def take_committed(corpus: CorpusFolder) -> None:
    """Copy changed committed files of a read-only corpus into its home in the cache.

    The catalog and the runs are copied once; afterwards they are this user's own."""
    source = corpus.root / FOLDER
    for parent, folders, names in os.walk(source):
        within = Path(parent).relative_to(source)
        if within == Path():
            folders[:] = [name for name in folders if name != "local"]
        for name in names:
            target, original = corpus.home / within / name, Path(parent, name)
            is_grown = within == Path("runs") or target == corpus.catalog
            if original.is_symlink() or (is_grown and target.exists()):
                continue
            data = files.read(original, limit=files.LARGE)
            if not target.exists() or files.read(target, limit=files.LARGE) != data:
                files.make_folder(target.parent)
                files.write(target, data)


def _founded(root: Path, name: str | None, *, is_cached: bool) -> CorpusFolder:
    corpus = CorpusFolder(root)
    if is_cached:
        corpus.__dict__["home"] = cached_home(root)
    corpus.refuse_links()
    with changes.told(corpus.root):
        files.make_folder(corpus.home, 0o700 if is_cached else 0o777)
        try:
            ensure_gitignore(corpus.home)
            if is_cached:
                take_committed(corpus)
            if not corpus.config_file.exists():
                write_config(corpus, name or corpus.root.name or "corpus", os.urandom(16).hex())
        except BaseException:
            if not os.path.lexists(corpus.config_file):
                with suppress(OSError):
                    files.unlink(corpus.home / ".gitignore")
            raise
    return corpus


def doubt(root: Path) -> str | None:
    """Return a sentence with the reason to ask before this folder becomes a corpus, or None."""
    folder = Path(os.path.realpath(root))
    if is_corpus(folder) or not folder.is_dir():
        return None
    if folder == folder.parent:
        return f"{folder} is the whole file system."
    if folder == Path(os.path.realpath(os.path.expanduser("~"))):
        return f"{folder} is your home folder: all that lies in it would be indexed."
    if os.path.ismount(folder):
        return f"{folder} is the root of a disk: all that lies on it would be indexed."
    if (outer := next(filter(is_corpus, folder.parents), None)) is not None:
        return f"{folder} lies in the corpus {outer}, which indexes it already."
    if (inner := _corpus_below(folder)) is not None:
        return f"{folder} holds another corpus, {inner.relative_to(folder)}: its files would be indexed in both."
    return None


def _corpus_below(root: Path) -> Path | None:
    """Return the nearest corpus below a folder, searching a limited number of folders."""
    waiting = deque([root])
    for _ in range(_LOOKED):
        if not waiting:
            break
        with suppress(OSError), os.scandir(waiting.popleft()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                    if is_corpus(Path(entry.path)):
                        return Path(entry.path)
                    waiting.append(Path(entry.path))
    return None


def write_config(corpus: CorpusFolder, name: str, corpus_id: str, *, replace: bool = False) -> None:
    """Write a new `config.yml`. `replace`: replace a damaged one."""

    options_of(CorpusConfig, {"corpus_id": corpus_id, "name": name}, "config.yml")
    vault = {"inline_tags": True} if (corpus.root / VAULT).is_dir() else {}
    text = guards.yaml.write({"corpus_id": corpus_id, "name": name, **vault})
    try:
        files.write(corpus.config_file, text.encode(), replace=replace)
    except FileExistsError:
        raise CorpusExists(str(corpus.root)) from None

"""A folder becomes a corpus: where it may be made one, and where a person is asked first."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from pathlib import Path

from biblicus.corpus.folder import CorpusFolder, ensure_gitignore, is_corpus, require_utf8, write_config
from biblicus.disk import changes, files
from biblicus.errors import CorpusExists, UsageError
from biblicus.errors.families import typed

_LOOKED = 1_000
"""Folders below a new corpus that are looked at for another one."""


def create(root: Path, name: str | None) -> CorpusFolder:
    """Make `root` a corpus. The folder itself is made where it is missing; the one that it lies in must exist.

    An existing corpus raises `CorpusExists` and stays as it is.
    """
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
    corpus.refuse_links()
    with changes.told(corpus.root):
        files.make_folder(corpus.home)
        try:
            ensure_gitignore(corpus.home)
            write_config(corpus, name or corpus.root.name or "corpus", os.urandom(16).hex())
        except BaseException:
            if not os.path.lexists(corpus.config_file):
                with suppress(OSError):
                    files.unlink(corpus.home / ".gitignore")
            raise
    return corpus


def doubt(root: Path) -> str | None:
    """Reason to ask before this folder becomes a corpus, as a sentence; None where there is none."""
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
    """The nearest corpus below a folder, among as many folders as are looked at quickly."""
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

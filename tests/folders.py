"""Folders that are corpora."""

from collections.abc import Mapping
from pathlib import Path

from biblicus import Corpus


def corpus_of(folder: Path, files: Mapping[str, str | bytes], *recipes: str) -> Path:
    """A corpus with these files and runs of it: its folder."""
    with Corpus.init(folder) as made:
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        made.reindex(*recipes)
    return folder

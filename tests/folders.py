"""Folders that are corpora."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from biblicus import Corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """An empty one, for modules that import this."""
    with Corpus.init(tmp_path / "harbour") as made:
        yield made


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def corpus_of(folder: Path, files: Mapping[str, str | bytes], *recipes: str) -> Path:
    """A corpus with these files and runs of it: its folder."""
    with Corpus.init(folder) as made:
        write(folder, files)
        made.reindex(*recipes)
    return folder

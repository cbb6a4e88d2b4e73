import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from biblicus import Corpus
from biblicus.sources import web


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.init(tmp_path / "corpus") as made:
        yield made


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds each request was held back, on a clock that moves only by waiting."""
    waited: list[float] = []
    monkeypatch.setattr(web, "time", SimpleNamespace(monotonic=lambda: sum(waited)))
    monkeypatch.setattr(web.Visitor, "_sleep", lambda visitor, url, seconds: waited.append(seconds))
    return waited


def everything(folder: Path, *but: Path) -> dict[str, tuple[int, bytes]]:
    """Every file, link and folder below one, with mode and bytes, those below `but` aside."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if any(path == one or path.is_relative_to(one) for one in but):
            continue
        mode = path.lstat().st_mode
        data = path.read_bytes() if stat.S_ISREG(mode) else os.readlink(path).encode() if stat.S_ISLNK(mode) else b""
        found[str(path.relative_to(folder))] = (mode, data)
    return found

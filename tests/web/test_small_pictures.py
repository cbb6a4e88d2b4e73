"""Small pictures of results: of the picture itself, or an icon; never an error."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from benchmarks.workbench import data_folder
from biblicus import Corpus
from tests.visitor import Visitor, no_tokens, page_of

_PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    base = tmp_path_factory.mktemp("small")
    folder = base / "deck"
    with Corpus.init(folder) as made:
        sample = data_folder() / "mixed" / "powerpoint_sample.pptx"
        shutil.copyfile(sample, folder / "own.pptx")
        (folder / "small.png").write_bytes(_PNG)
        (folder / "huge.png").write_bytes(_PNG + bytes(5 << 20))
        made.reindex("lexical")
    with page_of(str(folder), tokens=no_tokens(base)) as (address, _):
        yield address


@pytest.mark.parametrize(
    ("item", "media_type", "begins"),
    [
        ("own.pptx", "image/svg+xml", b"<svg xmlns"),
        ("small.png", "image/png", _PNG),
        ("huge.png", "image/svg+xml", b"<svg xmlns"),
    ],
)
def test_a_small_picture_is_shown_or_an_icon(home: str, item: str, media_type: str, begins: bytes) -> None:
    visitor = Visitor(home).ask("GET", f"/file/{item}?small=1")
    assert (visitor.status, visitor.headers["content-type"].partition(";")[0]) == (200, media_type)
    assert visitor.raw.startswith(begins)
    assert b"onload" not in visitor.raw
    assert visitor.headers["x-content-type-options"] == "nosniff"

"""Small pictures of results: of the picture itself, of the first slide, or an icon; never an error."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.workbench import data_folder
from biblicus import Corpus
from tests.visitor import Visitor, no_tokens, page_of

_JPEG = b"\xff\xd8\xff\xe0 a small slide"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    base = tmp_path_factory.mktemp("small")
    folder = base / "deck"
    with Corpus.init(folder) as made:
        sample = data_folder() / "mixed" / "powerpoint_sample.pptx"
        shutil.copyfile(sample, folder / "own.pptx")
        for name, picture in (("shown", _JPEG), ("none", None), ("script", b"<svg onload='alert(1)'/>")):
            _with_preview(sample, folder / f"{name}.pptx", picture)
        (folder / "huge.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5 << 20))
        made.reindex("lexical")
    with page_of(str(folder), tokens=no_tokens(base)) as (address, _):
        yield address


def _with_preview(sample: Path, path: Path, picture: bytes | None) -> None:
    with zipfile.ZipFile(sample) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if name != "docProps/thumbnail.jpeg":
                new.writestr(name, old.read(name))
        if picture is not None:
            new.writestr("docProps/thumbnail.jpeg", picture)


@pytest.mark.parametrize(
    ("item", "media_type", "begins"),
    [
        ("shown.pptx", "image/jpeg", _JPEG),
        ("own.pptx", "image/jpeg", b"\xff\xd8\xff"),
        ("none.pptx", "image/svg+xml", b"<svg xmlns"),
        ("script.pptx", "image/svg+xml", b"<svg xmlns"),
        ("huge.png", "image/svg+xml", b"<svg xmlns"),
    ],
)
def test_a_small_picture_is_shown_or_an_icon(home: str, item: str, media_type: str, begins: bytes) -> None:
    visitor = Visitor(home).ask("GET", f"/file/{item}?small=1")
    assert (visitor.status, visitor.headers["content-type"].partition(";")[0]) == (200, media_type)
    assert visitor.raw.startswith(begins)
    assert b"onload" not in visitor.raw
    assert visitor.headers["x-content-type-options"] == "nosniff"


def test_a_presentation_is_opened_in_a_worker_alone(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZipFile", None)
    visitor = Visitor(home).ask("GET", "/file/shown.pptx?small=1")
    assert (visitor.status, visitor.raw) == (200, _JPEG)


def test_only_the_first_slide_has_the_picture(home: str) -> None:
    visitor = Visitor(home).look("/?q=slide+list+table+item")
    results = [" ".join(node.text().split()) for node in visitor.nodes(".results > li")]
    shown = [bool(node.css("img")) for node in visitor.nodes(".results > li")]
    with_picture = {text.partition(", slide ")[2][:1]: has for text, has in zip(results, shown, strict=True)}
    assert with_picture["1"]
    assert [slide for slide, has in with_picture.items() if has] == ["1"]

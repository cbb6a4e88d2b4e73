"""Pages of PDFs as pictures over HTTP."""

from pathlib import Path
from urllib.parse import quote

import pytest

from biblicus import Corpus
from biblicus.models.page_image import PageImage
from biblicus.models.plain import revived
from tests.extraction.pdf_files import pdf
from tests.http.conftest import Running, Serve
from tests.pictures import Picture


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> Running:
    folder = tmp_path_factory.mktemp("pictures") / "harbour"
    with Corpus.init(folder) as made:
        (folder / "log.pdf").write_bytes(pdf("The moon pulls.", "Gulls follow boats."))
        (folder / "log.pdf.biblicus.yml").write_text("id: log\n", "utf-8")
        (folder / "scans" / "pages").mkdir(parents=True)
        (folder / "scans" / "pages" / "3.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        made.reindex()
    return serve({"notes": folder})


@pytest.mark.parametrize("item", ["log", "log.pdf"])
def test_a_page_is_a_png_with_its_marks(service: Running, item: str) -> None:
    plain = service.ask("GET", f"/items/{item}/pages/2.png")
    marked = service.ask("GET", f"/items/{item}/pages/2.png?mark=16:21&mark=22:28")
    assert {plain.status, marked.status} == {200}
    assert plain.headers["content-type"] == "image/png"
    assert plain.headers["etag"] != marked.headers["etag"]
    assert [len(Picture.read(answer.raw).feet()) for answer in (plain, marked)] == [0, 2]
    assert service.ask("GET", f"/items/{item}/pages/2.png").raw == plain.raw


def test_the_verb_itself_says_where_the_marks_are(service: Running) -> None:
    answer = service.ask("POST", "/page-image", {"item": "log", "mark": ["4:8"]})
    reply = revived(PageImage, answer.json)
    assert (reply.page, reply.pages, reply.unplaced, len(reply.boxes)) == (1, 2, 0, 1)
    assert Picture.read(reply.png).holds_ink(reply.boxes[0])


def test_an_item_whose_path_reads_like_a_page_is_shown(service: Running) -> None:
    answer = service.ask("GET", f"/items/{quote('scans/pages/3.png', safe='')}")
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["path"] == "scans/pages/3.png"


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/items/log/pages/3.png", 404, "no_page_image"),
        ("/items/nosuch/pages/1.png", 404, "item_not_found"),
        ("/items/log/pages/0.png", 400, "usage"),
        ("/items/log/pages/x.png", 400, "usage"),
        ("/items/log/pages/1.png?mark=x", 400, "usage"),
        ("/items/log/pages/1.png?pixels=8000001", 400, "usage"),
    ],
)
def test_what_there_is_no_picture_of(service: Running, path: str, status: int, code: str) -> None:
    answer = service.ask("GET", path)
    assert (answer.status, answer.json["error"]["code"]) == (status, code)


def test_pictures_are_kept_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "harbour"
    with Corpus.init(folder) as made:
        (folder / "log.pdf").write_bytes(pdf("The moon pulls."))
        made.ingest()
        first = made.page_image("log.pdf")
        monkeypatch.setattr("biblicus.extraction.workers.drawing.Drawer.draw", None)  # nothing is drawn again
        assert made.page_image("log.pdf") == first
        (folder / "log.pdf").write_bytes(pdf("The sun pulls."))
        with pytest.raises(TypeError):
            made.page_image("log.pdf")
        monkeypatch.undo()
        monkeypatch.setenv("BIBLICUS_CACHE_BYTES", "0")
        made.prune_cache()
        assert not list(folder.glob(".biblicus/local/cache/pages/*/*"))

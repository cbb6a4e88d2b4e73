"""Archives over HTTP: sent, searched, read and shown by their members; and documents without a text."""

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.extraction.pdf_files import pdf
from tests.extraction.test_members import zipped
from tests.folders import corpus_of
from tests.http.conftest import Running, Serve
from tests.pictures import Picture


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> Running:
    folder = tmp_path_factory.mktemp("members") / "harbour"
    corpus_of(folder, {"port.zip": zipped(("plans/log.pdf", pdf("The moon pulls.", "Gulls follow boats.")))})
    return serve({"notes": folder}, allow_ingest=True)


MEMBER = quote("port.zip!/plans/log.pdf", safe="")


def test_a_member_is_found_shown_read_and_drawn(service: Running) -> None:
    (found,) = service.ask("GET", "/search?q=gulls").json["evidence"]
    assert (found["path"], found["locator"]["label"]) == ("port.zip!/plans/log.pdf", "page 2")
    assert service.ask("GET", f"/items/{MEMBER}").json["parent"] == "port.zip"
    assert (
        service.ask("POST", "/retrieve", {"item": "port.zip!/plans/log.pdf", "page": 2}).json["text"]
        == "Gulls follow boats.\n"
    )
    picture = service.ask("GET", f"/items/{MEMBER}/pages/2.png?mark=16:21")
    assert len(Picture.read(picture.raw).feet()) == 1
    assert service.ask("POST", "/verify", {"evidence": [found]}).json["ok"]


def test_an_archive_that_is_sent_is_indexed_by_its_members(service: Running) -> None:
    raw = zipped(("winch.txt", b"Grease the winch in May."), ("lamp.txt", b"The lamp burns oil."))
    answer = service.ask("POST", "/ingest/upload?filename=more.zip", raw, Content_Type="application/zip")
    assert (answer.status, answer.json["chunks"]) == (201, 2)
    assert service.ask("GET", "/search?q=winch").json["evidence"][0]["path"] == "imports/more.zip!/winch.txt"


@pytest.mark.parametrize(
    ("members", "reason"),
    [((), "no member"), ((("a.bin", b"\0\1"),), "no extractor"), ((("a.txt", b" "),), "no member")],
)
def test_an_archive_without_a_text_is_refused(
    service: Running, members: tuple[tuple[str, bytes], ...], reason: str
) -> None:
    answer = service.ask("POST", "/ingest/upload?filename=none.zip", zipped(*members), Content_Type="application/zip")
    assert answer.status == 422
    assert reason in answer.json["error"]["message"]


@pytest.mark.parametrize("index", ["true", "false"])
def test_a_scan_that_yields_nothing_is_refused_with_what_to_do(service: Running, mixed: Path, index: str) -> None:
    items = service.ask("GET", "/items").json["items"]
    scan = (mixed / "ocr_test.pdf").read_bytes()
    answer = service.ask(
        "POST", f"/ingest/upload?filename=scan.pdf&index={index}", scan, Content_Type="application/pdf"
    )
    assert answer.status == 422
    assert "needs ocr" in answer.json["error"]["message"]
    assert "ocrmypdf" in answer.json["error"]["hint"]
    assert "--ocr rapidocr" in answer.json["error"]["hint"]
    assert service.ask("GET", "/items").json["items"] == items

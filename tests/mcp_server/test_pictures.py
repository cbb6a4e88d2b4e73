"""Pages as pictures beside the texts that an agent reads, also of a member of an archive."""

from base64 import b64decode
from pathlib import Path

import pytest
from mcp import types

from tests.extraction.pdf_files import pdf
from tests.extraction.test_members import zipped
from tests.folders import corpus_of
from tests.mcp_server.conftest import Served, said
from tests.pictures import Picture


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder: Path = tmp_path_factory.mktemp("pictures") / "harbour"
    port = zipped(("log.pdf", pdf("The sun sets.", "Seals follow boats.")))
    log = pdf("The moon pulls.", "Gulls follow boats.")
    corpus_of(folder, {"log.pdf": log, "notes.md": "Plain words.", "port.zip": port})
    return Served([str(folder)])


def pictures(result: types.CallToolResult) -> list[Picture]:
    images = [content for content in result.content if isinstance(content, types.ImageContent)]
    assert {image.mime_type for image in images} <= {"image/png"}
    return [Picture.read(b64decode(image.data)) for image in images]


@pytest.mark.parametrize(("path", "animals"), [("log.pdf", "Gulls"), ("port.zip!/log.pdf", "Seals")])
def test_a_passage_comes_with_its_page_marked(served: Served, path: str, animals: str) -> None:
    assert path in said(served.call("query", query=animals))
    result = served.call("get", items=[f"{path}#lines=2-2", "notes.md", "nosuch.md"], image=True)
    assert [len(picture.feet()) for picture in pictures(result)] == [1]
    assert result.structured_content is not None
    assert list(result.structured_content) == ["results"]
    assert result.structured_content["results"][0]["text"] == f"{animals} follow boats.\n"


def test_a_whole_page_is_not_marked(served: Served) -> None:
    (picture,) = pictures(served.call("get", items=["log.pdf#page=2"], image=True))
    assert picture.feet() == []


def test_without_the_wish_there_is_none(served: Served) -> None:
    assert pictures(served.call("get", items=["log.pdf#page=2"])) == []


def test_there_are_no_more_than_a_few(served: Served) -> None:
    assert len(pictures(served.call("get", items=["log.pdf#page=1"] * 5, image=True))) == 3

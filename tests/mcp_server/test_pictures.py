"""Pages as pictures beside the texts that an agent reads."""

from base64 import b64decode
from pathlib import Path

import pytest
from mcp import types

from biblicus import Corpus
from tests.extraction.pdf_files import pdf
from tests.mcp_server.conftest import Served
from tests.pictures import Picture


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder: Path = tmp_path_factory.mktemp("pictures") / "harbour"
    with Corpus.init(folder) as made:
        (folder / "log.pdf").write_bytes(pdf("The moon pulls.", "Gulls follow boats."))
        (folder / "notes.md").write_text("Plain words.", "utf-8")
        made.reindex()
    return Served([str(folder)])


def pictures(result: types.CallToolResult) -> list[Picture]:
    images = [content for content in result.content if isinstance(content, types.ImageContent)]
    assert {image.mime_type for image in images} <= {"image/png"}
    return [Picture.read(b64decode(image.data)) for image in images]


def test_a_passage_comes_with_its_page_marked(served: Served) -> None:
    result = served.call("get", items=["log.pdf#lines=2-2", "notes.md", "nosuch.md"], image=True)
    assert [len(picture.feet()) for picture in pictures(result)] == [1]
    assert result.structured_content is not None
    assert list(result.structured_content) == ["results"]
    assert result.structured_content["results"][0]["text"] == "Gulls follow boats.\n"


def test_a_whole_page_is_not_marked(served: Served) -> None:
    (picture,) = pictures(served.call("get", items=["log.pdf#page=2"], image=True))
    assert picture.feet() == []


def test_without_the_wish_there_is_none(served: Served) -> None:
    assert pictures(served.call("get", items=["log.pdf#page=2"])) == []


def test_there_are_no_more_than_a_few(served: Served) -> None:
    assert len(pictures(served.call("get", items=["log.pdf#page=1"] * 5, image=True))) == 3

"""Members of archives for agents; and documents that are sent without a text."""

from pathlib import Path

import pytest
from mcp import types

from biblicus import Corpus
from tests.extraction.pdf_files import pdf
from tests.extraction.test_members import zipped
from tests.mcp_server.conftest import Served, said


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder: Path = tmp_path_factory.mktemp("members") / "harbour"
    with Corpus.init(folder) as made:
        (folder / "port.zip").write_bytes(zipped(("plans/log.pdf", pdf("The moon pulls.", "Gulls follow boats."))))
        made.reindex()
    return Served([str(folder)], ingest=True)


def test_a_member_is_found_read_and_drawn(served: Served) -> None:
    assert "port.zip!/plans/log.pdf" in said(served.call("query", query="gulls"))
    result = served.call("get", items=["port.zip!/plans/log.pdf#page=2"], image=True)
    assert result.structured_content is not None
    assert result.structured_content["results"][0]["text"] == "Gulls follow boats.\n"
    assert any(isinstance(content, types.ImageContent) for content in result.content)

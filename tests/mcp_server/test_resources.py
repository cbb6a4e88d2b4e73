"""Items and spans as resources: listed by pages, read by address, completed while typed."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types
from mcp.shared.exceptions import MCPError

from biblicus import Corpus
from biblicus.connectors.mcp import texts
from tests.mcp_server.conftest import TEXTS, Served, filled


def read(served: Served, uri: str) -> types.TextResourceContents:
    async def said(client: Client) -> Any:
        return (await client.read_resource(uri)).contents[0]

    found: types.TextResourceContents = served.talk(said)
    return found


def complete(served: Served, name: str, value: str, **known: str) -> list[str]:
    template = types.ResourceTemplateReference(type="ref/resource", uri=texts.TEMPLATES[0].uri_template)

    async def said(client: Client) -> list[str]:
        found = await client.complete(template, {"name": name, "value": value}, known or None)
        return found.completion.values

    return served.talk(said)


def listed(served: Served) -> list[types.Resource]:
    async def said(client: Client) -> list[types.Resource]:
        found: list[types.Resource] = []
        cursor = None
        while True:
            page = await client.list_resources(cursor=cursor)
            found += page.resources
            cursor = page.next_cursor
            if cursor is None:
                return found

    return served.talk(said)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_item_is_a_resource_that_can_be_read(folder: Path, mode: str):
    served = Served([str(folder)], mode=mode)
    found = listed(served)
    assert {one.name for one in found} == set(TEXTS)
    for one in found:
        assert read(served, one.uri).text == TEXTS[one.name]


def test_a_part_is_read_by_its_fragment(reader: Served):
    assert read(reader, "biblicus://harbour/item/tides.md#lines=1-1").text == "# Tides\n"
    assert read(reader, "biblicus://harbour/item/tides.md#span=2-7").text == "Tides"


def test_many_items_of_several_corpora_come_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts, "PAGE", 2)
    one, two = filled(tmp_path / "one"), filled(tmp_path / "two")
    Corpus.init(tmp_path / "middle").close()
    found = listed(Served([f"one={one}", f"two={two}", f"middle={tmp_path / 'middle'}"]))
    assert [resource.uri.split("/")[2] for resource in found] == ["one"] * 5 + ["two"] * 5
    assert len({resource.uri for resource in found}) == 10


def test_a_long_text_says_where_it_goes_on(reader: Served, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts, "MOST_CHARACTERS", 60_000)
    address, text = "biblicus://harbour/item/log.txt", ""
    while address:
        contents = read(reader, address)
        text += contents.text
        address = (contents.meta or {}).get("biblicus/next", "")
    assert text == TEXTS["log.txt"]


def test_a_template_is_completed(reader: Served):
    assert complete(reader, "corpus", "har") == ["harbour"]
    assert complete(reader, "corpus", "x") == []
    assert complete(reader, "item", "no", corpus="harbour") == ["notes/gulls.md", "notes/winch.txt", "notes/ŷ #1.txt"]
    assert complete(reader, "item", "notes/w") == ["notes/winch.txt"]
    assert complete(reader, "item", "[") == []
    assert complete(reader, "part", "l") == ["lines="]


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("biblicus://harbour/item/none.md", "item_not_found"),
        ("biblicus://sea/item/tides.md", "corpus_unknown"),
        ("biblicus://harbour/item/tides.md#lines=70-80", "out_of_bounds"),
        ("biblicus://harbour/item/tides.md#lines=a-b", "usage"),
        ("file:///etc/passwd", "usage"),
        ("biblicus://harbour/item/..%2F..%2Fetc%2Fpasswd", "item_not_found"),
    ],
)
def test_an_address_that_leads_nowhere_says_so(reader: Served, uri: str, code: str):

    async def said(client: Client) -> MCPError:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
        return refused.value

    error = reader.talk(said)
    assert error.data["error"]["code"] == code
    assert error.code == types.INVALID_PARAMS


def test_notes_are_a_resource_and_no_evidence(folder: Path):
    with Corpus.open(folder) as corpus:
        note = corpus.add_note(
            "tides.md", "Since the Adventure's gale", quote=TEXTS["tides.md"].splitlines()[0], by="Ada"
        )
    try:
        served = Served([str(folder)])
        assert "Since the Adventure's gale (Ada, " in read(served, "biblicus://harbour/notes").text
        assert "Adventure" not in str(served.answer("query", query="moon"))
    finally:
        with Corpus.open(folder) as corpus:
            corpus.remove_note(note.note_id)

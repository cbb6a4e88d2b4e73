"""Evidence as a view in the client: who gets it, and what it does in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types
from mcp.client import advertise

from biblicus.connectors.mcp import texts
from tests.browser import launched
from tests.mcp_server.conftest import Served

SHOWS = advertise(texts.EXTENSION, {"mimeTypes": [texts.MEDIA_TYPE]})
SHOWS_OTHERS = advertise(texts.EXTENSION, {"mimeTypes": ["text/html;profile=other"]})
SHOWS_NONE, SHOWS_ODD = (advertise(texts.EXTENSION, {"mimeTypes": odd}) for odd in (None, 5))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("extensions", "with_view"),
    [
        ((SHOWS,), ["knowledge_base_get", "knowledge_base_query"]),
        *(((extension,), []) for extension in (SHOWS_OTHERS, SHOWS_NONE, SHOWS_ODD)),
        ((), []),
    ],
)
def test_only_a_client_that_shows_views_is_told_of_them(folder: Path, mode: str, extensions: Any, with_view: list[str]):
    async def told(client: Client) -> list[str]:
        listed = (await client.list_tools()).tools
        return sorted(tool.name for tool in listed if tool.meta and tool.meta["ui"]["resourceUri"] == texts.ADDRESS)

    assert Served([str(folder)], mode=mode, extensions=extensions).talk(told) == with_view


def test_the_server_says_what_it_shows_and_gives_the_view(folder: Path):
    async def read(client: Client) -> types.ReadResourceResult:
        assert client.server_capabilities.extensions == texts.SETTINGS
        return await client.read_resource(texts.ADDRESS)

    (content,) = Served([str(folder)], extensions=[SHOWS]).talk(read).contents
    assert isinstance(content, types.TextResourceContents)
    assert content.mime_type == texts.MEDIA_TYPE
    assert not any(word in content.text for word in ("http:", "https:", "innerHTML", "eval("))


_HOST = """<iframe sandbox="allow-scripts"></iframe><script>
const frame = document.querySelector("iframe"), heard = [];
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
frame.srcdoc = VIEW.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ data }) => {
  heard.push(data);
  if (data.method === "ui/initialize") send({ id: data.id, result: HELD });
  if (data.method === "ui/notifications/initialized") send({ method: "ui/notifications/tool-result", params: RESULT });
  if (data.method === "tools/call") send({ id: data.id, result: DRAWN });
});
</script>"""


@pytest.fixture
def page() -> Iterator[Any]:
    with launched() as browser:
        yield browser.new_page()


def _shown(page: Any, piece: dict[str, Any], drawn: dict[str, Any]) -> Any:
    """Return the view within a host that gives it one piece of evidence, and `drawn` when it asks for a page."""
    result = {"content": [], "structuredContent": {"evidence": [piece], "insufficient": True}}
    html = (Path(texts.__file__).parent / "evidence.html").read_text("utf-8")
    host_reply = {"hostCapabilities": {"serverTools": {}}, "hostContext": {"theme": "dark"}}
    values = {"VIEW": html, "RESULT": result, "HELD": host_reply, "DRAWN": drawn}
    host = _HOST
    for name, value in values.items():
        host = host.replace(name, json.dumps(value).replace("</", "<\\/"), 1)
    page.set_content(host)
    return page.frame_locator("iframe")


def test_a_page_that_cannot_be_shown_is_told(page: Any):
    refused = {"content": [{"type": "text", "text": "It is gone."}], "isError": True}
    view = _shown(page, {"ref": "1f0c#lines=3-9", "path": "log.pdf", "page": 2}, refused)
    view.locator("button").click()
    view.get_by_text("The page could not be shown").wait_for(timeout=5_000)


def test_the_view_shows_evidence_as_text_and_asks_for_the_page(page: Any):
    hostile = "<img src=x onerror='parent.postMessage({hacked: 1}, \"*\")'>"
    piece = {"ref": "1f0c#lines=3-9", "path": "log.pdf", "page": 2, "title": "Log", "snippet": hostile}
    drawn = {"content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]}
    view = _shown(page, piece, drawn)
    assert view.locator("blockquote").inner_text() == hostile
    assert "log.pdf, page 2" in view.locator("article").inner_text()
    assert "Little of this fits" in view.locator("main").inner_text()
    view.locator("button").click()
    view.locator("img").wait_for()
    heard = page.evaluate("heard")
    (call,) = [message for message in heard if message.get("method") == "tools/call"]
    assert call["params"] == {"name": "knowledge_base_get", "arguments": {"items": ["1f0c#lines=3-9"], "image": True}}
    assert any(message.get("method") == "ui/notifications/size-changed" for message in heard)
    assert not any("hacked" in message for message in heard)

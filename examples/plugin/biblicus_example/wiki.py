"""Follows a wiki that lists its pages as JSON: `[{"name": "tides", "etag": "3", "readers": ["ada"]}, …]`."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Given
from biblicus.errors import IngestionError
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.connectors.issues import Api
from biblicus.sources.door import sync_of


class Options(BaseModel):
    """`listed`: path of the list below the wiki's address."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    listed: str = "/pages.json"


class Wiki:
    def __init__(self, options: Options, api: Api) -> None:
        self._listed, self._api = options.listed, api

    def list(self, since: State) -> Iterator[Page]:
        pages = self._api.get(self._listed)
        if not isinstance(pages, list):
            raise IngestionError(self._api.base, "it lists no pages")
        entries = [Listed(page["name"], page["etag"], readers=tuple(page["readers"]) or None) for page in pages]
        yield Page(entries, complete=True)

    def fetch(self, entry: Listed) -> Document | str:
        page = self._api.get(f"/{entry.id}.json")
        return Document(f"{entry.id}.md", page["text"].encode(), page["address"]) if page else "it is gone"


def build(options: Options, given: Given) -> Wiki:
    sync = sync_of(given)
    return Wiki(options, Api(sync, sync.url))

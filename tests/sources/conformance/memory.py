"""A connector for tests: its documents are in this process, and it fails on demand."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Given
from biblicus.errors import IngestionError
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.door import sync_of


class Options(BaseModel):
    """`page`: entries of a page."""

    model_config = ConfigDict(extra="forbid")

    page: int = 2


@dataclass
class Cloud:
    """`documents`: bytes by id and path. `status`: reply to every list. `bad`: statuses by id."""

    documents: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    status: int = 0
    cut: bool = False
    bad: dict[str, int] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)
    readers: tuple[str, ...] | None = None


CLOUD = Cloud()


@dataclass(frozen=True)
class Memory:
    options: Options
    url: str

    def list(self, since: State) -> Iterator[Page]:
        if CLOUD.status:
            raise IngestionError(self.url, f"it answers {CLOUD.status}", status=CLOUD.status)
        entries = [
            Listed(id, etag=f"{hash(data):x}", readers=CLOUD.readers, path=path)
            for id, (path, data) in CLOUD.documents.items()
        ]
        size = self.options.page
        for start in range(0, len(entries), size):
            if CLOUD.cut and start:
                raise IngestionError(self.url, "its list ends too early")
            yield Page(entries[start : start + size])
        yield Page(complete=True, state={"seen": str(len(entries))})

    def fetch(self, entry: Listed) -> Document | str:
        CLOUD.fetched.append(entry.id)
        if status := CLOUD.bad.get(entry.id):
            raise IngestionError(f"{self.url}/{entry.id}", f"it answers {status}", status=status)
        path, data = CLOUD.documents[entry.id]
        return Document(path, data, f"{self.url}/{entry.id}", tags=("cloud",))


def build(options: Options, given: Given) -> Memory:
    return Memory(options, sync_of(given).url)

"""Events of a corpus in order, each with the cursor to continue after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["item.ingested", "item.changed", "item.removed", "run.sealed", "alert.found"]


class Event(BaseModel):
    """One event.

    Of an item: `item_id`, `path`, `sha256` (of a removed one: the last) and, if renamed, `from`. Of a run: `run_id`,
    `recipe_id`, `index_version`, `corpus_digest`. Of an alert: `alert`, `item_id`, `path`, `title`, `place`, `text`,
    `hash`."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    cursor: str = Field(description="Where to go on after this event.")
    event: Kind = Field(description="What happened.")
    at: str = Field(description="When, ISO 8601 UTC.")
    item_id: str | None = Field(None, description="The item.")
    path: str | None = Field(None, description="Its path in the corpus.")
    sha256: str | None = Field(None, description="The digest of its bytes; of a removed item, what it last was.")
    came_from: str | None = Field(None, alias="from", description="Its path before, where it was renamed.")
    run_id: str | None = Field(None, description="The run.")
    recipe_id: str | None = Field(None, description="The recipe that it was built for.")
    index_version: str | None = Field(None, description="What its evidence depends on, as a digest.")
    corpus_digest: str | None = Field(None, description="The digest of the items that it holds.")

    alert: str | None = Field(None, description="The alert that told a passage.")
    title: str | None = Field(None, description="The title of the passage's item.")
    place: str | None = Field(None, description="Where the passage stands.")
    text: str | None = Field(None, description="The passage.")
    hash: str | None = Field(None, description="The sha256 of the passage.")

    def as_object(self) -> dict[str, Any]:
        """Return the event as JSON without empty fields."""
        return self.model_dump(by_alias=True, exclude_none=True)


@dataclass(frozen=True)
class EventPage:
    """Events in order. `cursor`: continues after them; None if there are no events. `more`: further events exist."""

    events: tuple[Event, ...]
    cursor: str | None
    more: bool = False

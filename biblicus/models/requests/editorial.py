"""Requests about layers: promotion, retraction, status, publications, context of folders."""

from __future__ import annotations

from dataclasses import field

from biblicus.models.fields import ITEM, LAYERS, Request, doc, option, term
from biblicus.models.requests.query import LIMIT

_NAMED = r"^[a-z0-9][a-z0-9_-]{0,39}$"
_REASON = term("The reason, for the log.")
_REVIEWER = term("The author's name, not verified. Default: GIT_AUTHOR_NAME, else the logged-in user.", min_length=1)


_INDEX = doc("Index the change before returning, if the corpus is indexed.")


class PromoteRequest(Request):
    """Approve an item's bytes for a layer, and move its file there."""

    item: str = field(kw_only=False, metadata=ITEM)
    to: str = field(metadata=doc("The layer.", pattern=_NAMED))
    reason: str = option("", _REASON)
    reviewer: str | None = option(None, _REVIEWER)
    index: bool = option(True, _INDEX)


class RetractRequest(Request):
    """Retract an approval, and move the file back."""

    item: str = field(kw_only=False, metadata=ITEM)
    reason: str = option("", _REASON)
    reviewer: str | None = option(None, _REVIEWER)
    index: bool = option(True, _INDEX)


class EditorialLogRequest(Request):
    """Return reviews, promotions and retractions, the newest first."""

    item: str | None = field(default=None, kw_only=False, metadata=term("Only entries of this item, by id or path."))
    limit: int = option(50, "Maximum number of lines.", ge=1, le=LIMIT)


class EditorialDiffRequest(Request):
    """Compare an item's file with its approved version."""

    item: str = field(kw_only=False, metadata=ITEM)


class PublishRequest(Request):
    """Seal a run over the approved items, under a name."""

    name: str = field(kw_only=False, metadata=doc("The publication's name.", pattern=_NAMED))
    layer: str | None = option(None, "The layer. Default: the most trusted.", pattern=_NAMED)
    recipe: str | None = option(
        None, term("The recipe to build, by name. Default: the corpus's.", schema={"pattern": _NAMED})
    )
    reason: str = option("", _REASON)
    reviewer: str | None = option(None, _REVIEWER)


class ContextOfRequest(Request):
    """Return the contexts of the folders above a path."""

    path: str = field(kw_only=False, metadata=term("The path of a file or folder in the corpus.", min_length=1))
    layer: tuple[str, ...] = option((), LAYERS)

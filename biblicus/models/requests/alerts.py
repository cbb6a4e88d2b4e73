"""Requests about alerts: saved questions that tell new passages."""

from __future__ import annotations

from dataclasses import field

from biblicus.models.fields import Request, doc, option, term, terms
from biblicus.models.requests.query import Filters

_NAMED = r"^[a-z0-9][a-z0-9_-]{0,39}$"


class AddAlertRequest(Filters):
    """Save a question. Passages that answer it after a later run are told once."""

    name: str = field(kw_only=False, metadata=doc("The alert's name.", pattern=_NAMED))
    query: str = field(kw_only=False, metadata=term("The question.", schema={"pattern": r"\S"}))


class AlertRequest(Request):
    """Request about one alert."""

    name: str = field(kw_only=False, metadata=doc("The alert's name.", pattern=_NAMED))
    layer: tuple[str, ...] = option((), terms("Only evidence of these layers (any)."))


class AlertsRequest(Request):
    """List alerts."""

    layer: tuple[str, ...] = option((), terms("Only evidence of these layers (any)."))

"""Alerts: saved questions with the passages that they told, and their feed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from biblicus.models.frozen import dataclass
from biblicus.models.plain import LEFT_OUT
from biblicus.models.records import Record


@dataclass(frozen=True, kw_only=True)
class Passage(Record):
    """A sentence that an alert told. `hash`: sha256 of the text. `at`: ISO 8601 UTC."""

    item_id: str
    path: str
    title: str
    place: str
    text: str
    hash: str
    at: str
    span_start: int
    span_end: int


@dataclass(frozen=True, kw_only=True)
class Alert:
    """An alert as its file states it. `filters`: as in a query. `told`: passages so far, the newest first."""

    name: str
    query: str
    filters: Mapping[str, Any] = field(default_factory=dict, metadata=LEFT_OUT)
    told: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class AlertList:
    """The alerts, by name."""

    alerts: tuple[Alert, ...]


@dataclass(frozen=True)
class Feed:
    """An Atom feed (RFC 4287) of an alert."""

    xml: str

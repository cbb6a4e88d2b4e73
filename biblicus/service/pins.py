"""Clients restricted ("pinned") to layers: their requests are limited to these layers, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from biblicus.errors import LayerPinned
from biblicus.models.requests.items import GetBatchRequest
from biblicus.models.requests.runs import VerifyRequest
from biblicus.service.verbs import Verb

OPEN = frozenset({"version", "recipes"})
"""Verbs that reveal nothing about other layers."""


def answers(verb: Verb[Any, Any]) -> bool:
    """Return true if a pinned client may use a verb."""
    kind = verb.request
    return verb.name in OPEN or kind in (GetBatchRequest, VerifyRequest) or _has_layer(kind)


def pinned(verb: Verb[Any, Any], request: Any, layers: Sequence[str]) -> Any:
    """Return the request limited to these layers. Raises `LayerPinned` if it asks for more."""
    if isinstance(request, GetBatchRequest):
        return replace(request, requests=tuple(pinned(verb, part, layers) for part in request.requests))
    if isinstance(request, VerifyRequest):
        pieces = (piece if piece.layer in layers else replace(piece, layer=layers[0]) for piece in request.evidence)
        return replace(request, evidence=tuple(pieces))
    if _has_layer(type(request)):
        if beyond := [name for name in request.layer if name not in layers]:
            raise LayerPinned(f"The layer {beyond[0]}", layers)
        return replace(request, layer=request.layer or tuple(layers))
    if verb.name not in OPEN:
        raise LayerPinned(f"The verb {verb.name}", layers)
    return request


def _has_layer(kind: Any) -> bool:
    return any(entry.name == "layer" and str(entry.type).startswith("tuple") for entry in fields(kind))

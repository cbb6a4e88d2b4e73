"""The marker of a pack: what its heads carry and no document can."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from biblicus.models.evidence import Evidence

LENGTH = 32
"""Hexadecimal digits: 128 bits."""


def marker(question: str, index_version: str, pieces: Sequence[Evidence]) -> str:
    """128 bits of a sha256 over the question, the index version and all texts that go into the pack.

    The same pack has the same marker. No document can hold it: it would have to contain a digest of itself, and of
    what else is found for a question that its author does not know. Whoever tries finds such a text after about 2^128
    trials. All the same the texts are looked through, and another marker is taken where one stands in them.
    """
    for turn in range(1 << 16):
        parts = [turn, question, index_version, [[piece.hash, *_told(piece)] for piece in pieces]]
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:LENGTH]
        if not is_in(digest, (part for piece in pieces for part in (piece.text, *_told(piece)))):
            return digest
    raise AssertionError  # 65,536 digests of 128 bits do not all stand in one text


def is_in(mark: str, texts: Iterable[str]) -> bool:
    """Whether a marker stands in one of the texts, in upper or lower case."""
    return any(mark in text.lower() for text in texts)


def _told(piece: Evidence) -> tuple[str, ...]:
    """What else of a piece is shown, and is its author's."""
    return piece.path, piece.title or "", piece.first_heading, piece.citation_url or ""

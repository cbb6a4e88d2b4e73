"""The marker of a context pack, which identifies its headers and cannot occur in documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from biblicus.models.evidence import Evidence

LENGTH = 32
"""Number of hexadecimal digits (128 bits)."""


def marker(question: str, index_version: str, pieces: Sequence[Evidence]) -> str:
    """Return 128 bits of a SHA-256 hash over the question, the index version and all texts of the pack.

    The same pack has the same marker. A document cannot contain it: its author would have to predict a hash of the
    document itself and of unknown other results (about 2^128 trials). The texts are still searched, and another marker
    is taken if one contains it.
    """
    for turn in range(1 << 16):
        parts = [turn, question, index_version, [[piece.hash, *_told(piece)] for piece in pieces]]
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:LENGTH]
        if not is_in(digest, (part for piece in pieces for part in (piece.text, *_told(piece)))):
            return digest
    raise AssertionError  # 65,536 different 128-bit hashes cannot all be in the texts


def is_in(mark: str, texts: Iterable[str]) -> bool:
    """Return True if one of the texts contains the marker in any case."""
    return any(mark in text.lower() for text in texts)


def _told(piece: Evidence) -> tuple[str, ...]:
    """Return the untrusted texts of a piece other than its body."""
    return piece.path, piece.title or "", piece.first_heading, piece.citation_url or ""

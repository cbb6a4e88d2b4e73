"""all-MiniLM-L6-v2 with eight bits a weight and a state: texts in half the time, questions as `minilm`'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.embedding.minilm import MiniLM, Options

if TYPE_CHECKING:
    from biblicus.contracts import Embedder, Given

__all__ = ["MiniLMInt8", "Options", "build"]


class MiniLMInt8(MiniLM):
    """As `MiniLM`; its texts need the extra [int8], too."""

    name = "minilm-int8"
    eight_bits = True
    fingerprint = f"{MiniLM.fingerprint} int8/1"


def build(options: Options, given: Given) -> Embedder:
    """The embedder; raises `ExtraMissing` where its package is not installed."""
    return MiniLMInt8(given)

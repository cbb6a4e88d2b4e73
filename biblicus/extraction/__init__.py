"""Bytes to text, one module per family, and the guarded workers that parse binary formats."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.extraction import members, ocr, workers
else:
    __getattr__ = modules_of(__name__)

"""OCR of scans and pictures. Engines are plug-ins of the kind `ocr`; a recipe enables one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.contracts import OcrStage
from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.extraction.ocr import stage
else:
    __getattr__ = modules_of(__name__)


def unsure_of(ocr: OcrStage) -> str:
    """Return the reason given if an engine was unsure of most of a page."""
    return f"{ocr.name} is not sure of what it reads there; its models may not know the script, or the picture is poor"

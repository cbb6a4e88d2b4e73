"""OCR of scans and pictures. Engines are plug-ins of the kind `ocr`; a recipe enables one."""

from __future__ import annotations

from biblicus.contracts import OcrStage


def unsure_of(ocr: OcrStage) -> str:
    """Return the reason given if an engine was unsure of most of a page."""
    return f"{ocr.name} is not sure of what it reads there; its models may not know the script, or the picture is poor"

"""OCR: reading the words that a picture shows. Engines are plug-ins of the kind `ocr`; a recipe turns one on."""

from __future__ import annotations

from biblicus.contracts import OcrStage


def unsure_of(ocr: OcrStage) -> str:
    """What is said where an engine was not sure of most that it read."""
    return f"{ocr.name} is not sure of what it reads there; its models may not know the script, or the picture is poor"

"""Fitted data of the reader: `weights.json`, made by `make fit`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def data() -> dict[str, Any]:
    """Return the fitted data: `version`, the class model, and for each configuration weights and calibration."""
    text = files("biblicus.answering.reader").joinpath("weights.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read

"""Starts measuring where the user's settings say so. Where they do not, it costs a look at one file."""

from __future__ import annotations

import os

from biblicus.guards.folders import user_folder


def observe() -> None:
    """Measure what this process does from now on, and send the last of it when it ends. Raises `ExtraMissing`."""
    if "BIBLICUS_TELEMETRY" not in os.environ and not _is_mentioned():
        return
    import atexit

    from biblicus import telemetry
    from biblicus.config import load_settings  # lazy, as above: few measure

    settings = load_settings()
    telemetry.start(settings.telemetry, with_texts=settings.telemetry_texts)
    atexit.register(telemetry.stop)


def _is_mentioned() -> bool:
    try:
        return b"telemetry" in (user_folder("config") / "config.yml").read_bytes()
    except OSError:
        return False

"""Find the transcriber that a recipe names: one defined in the user's settings, or the built-in `whisper`.

A corpus cannot define one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from biblicus import plugins
from biblicus.config import Settings, settings_file
from biblicus.contracts import Call, Transcriber
from biblicus.disk import files
from biblicus.errors import TranscriberUnavailable, UnknownModel
from biblicus.models.extraction import Extraction, NoExtraction

if TYPE_CHECKING:
    from biblicus.extraction.workers.pool import Job

Outcome = Extraction | NoExtraction

BUILT_IN = ("whisper",)
OFF = "none"
"""Name in a recipe for no transcriber."""


def find(settings: Settings, name: str) -> Transcriber:
    """Return the transcriber of this name. Raises `UnknownModel`, `ConfigInvalid`."""
    setting = settings.transcribers.get(name)
    if setting is None and name in BUILT_IN:
        built_in: Transcriber = plugins.make("stt", name, {})
        return built_in
    if setting is None:
        where = f"{settings_file()}: transcribers: {{{name}: {{by: openai-compatible, model: …, url: …}}}}"
        raise UnknownModel("transcriber", name, [*BUILT_IN, *sorted(settings.transcribers)], where)
    where, remedy = f"{settings_file()}: transcribers.{name}", f"edit {settings_file()}"
    transcriber: Transcriber = plugins.make("stt", setting.by, setting.options, where=where, remedy=remedy)
    return transcriber


def transcribed(job: Job, outcome: Outcome, transcriber: Transcriber, limit: int, call: Call) -> Outcome:
    """Add the spoken words to the text from a recording's container. `limit`: maximum bytes of the file.

    If the transcriber is unavailable, the failure is temporary: the file is tried again the next time. Raises
    `OSError`, `UnsafeInput`."""
    if isinstance(outcome, NoExtraction) and outcome.status not in ("empty", "unsupported"):
        return outcome
    from biblicus.extraction.stt import heard  # lazy: few recipes transcribe recordings

    source = job.source() if callable(job.source) else job.source
    data = source if isinstance(source, bytes) else files.read(Path(source), limit=limit)
    try:
        return heard(outcome, transcriber.transcribe(data, job.hint.path, call))
    except TranscriberUnavailable as error:
        return NoExtraction("failed", f"could not be read: {error.message}")

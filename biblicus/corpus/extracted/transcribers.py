"""Finds the transcriber that a recipe names: one that this machine's user has defined, or `whisper`, which is built in.

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
"""The name in a recipe that stands for no transcriber."""


def find(settings: Settings, name: str) -> Transcriber:
    """The transcriber of that name. Raises `UnknownModel`, `ConfigInvalid`."""
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
    """Add to what a recording's container says the words that are spoken in it. `limit`: bytes of a file.

    A transcriber that cannot be used is a failure of now: the file is tried again the next time. Raises `OSError`,
    `UnsafeInput`.
    """
    if isinstance(outcome, NoExtraction) and outcome.status not in ("empty", "unsupported"):
        return outcome
    from biblicus.extraction.stt.hearing import heard  # lazy: few recipes hear recordings

    source = job.source() if callable(job.source) else job.source
    data = source if isinstance(source, bytes) else files.read(Path(source), limit=limit)
    try:
        return heard(outcome, transcriber.transcribe(data, job.hint.path, call))
    except TranscriberUnavailable as error:
        return NoExtraction("failed", f"could not be read: {error.message}")

"""Finds the transcriber that a recipe names: one that this machine's user has defined, or `whisper`, which is built in.

A corpus cannot define one."""

from __future__ import annotations

from biblicus import plugins
from biblicus.config import Settings, settings_file
from biblicus.contracts import Transcriber
from biblicus.errors import UnknownModel

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

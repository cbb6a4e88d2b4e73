"""Finds the transcriber that a recipe names: one that this machine's user has defined. A corpus cannot define one."""

from __future__ import annotations

from biblicus import plugins
from biblicus.config import Settings, settings_file
from biblicus.contracts import Transcriber
from biblicus.errors import UnknownModel


def find(settings: Settings, name: str) -> Transcriber:
    """The transcriber of that name. Raises `UnknownModel`, `ConfigInvalid`."""
    setting = settings.transcribers.get(name)
    if setting is None:
        where = f"{settings_file()}: transcribers: {{{name}: {{by: openai-compatible, model: …, url: …}}}}"
        raise UnknownModel("transcriber", name, sorted(settings.transcribers), where)
    where, remedy = f"{settings_file()}: transcribers.{name}", f"edit {settings_file()}"
    transcriber: Transcriber = plugins.make("stt", setting.by, setting.options, where=where, remedy=remedy)
    return transcriber

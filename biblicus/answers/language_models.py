"""Finds the language model that a user names, and makes it dependable: retried, checked, remembered.

Which model that is, where it runs and whom it asks stands in the user's own configuration; a corpus has no say in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from biblicus import plugins
from biblicus.answers.replies import KeptReplies
from biblicus.config import LLMSetting, Settings, explain, load_settings, user_folder
from biblicus.contracts import LLMClient
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid, UnknownModel
from biblicus.llm.caching import CachingLLMClient
from biblicus.llm.json_replies import CheckedLLMClient
from biblicus.llm.options import Hear, ModelOptions, silent
from biblicus.llm.retrying import RetryingLLMClient

_WITHOUT = ("quote",)
"""Answerers that use no model."""


def answerer_for(answerer: str | None, llm: object = None) -> str:
    """The answerer that was named, else the user's usual one; a model that was named needs one to speak through."""
    usual = load_settings().answerer
    return answerer or ("llm" if llm is not None and usual in _WITHOUT else usual)


def for_answerer(
    place: CorpusFolder | None, answerer: str, llm: str | LLMClient | None = None, *, hear: Hear = silent
) -> LLMClient | None:
    """The model for this answerer: none for one that needs none, unless the asker names one, or brings a client."""
    if llm is not None and not isinstance(llm, str):
        return llm
    return None if answerer in _WITHOUT and llm is None else find(place, llm, hear=hear)


def find(place: CorpusFolder | None, name: str | None = None, *, hear: Hear = silent) -> LLMClient | None:
    """The user's model of that name; without one their `llm`, else the only one they have; None where they have none.

    `place`: whose cache folder keeps replies; without one none are kept. `hear` gets a reply's text as it is written.
    Raises `UnknownModel`, `ConfigInvalid`, `ExtraMissing`, `LLMError`.
    """
    settings = load_settings() if place is None else place.settings
    chosen = _chosen(settings, name)
    if chosen is None:
        return None
    setting = settings.llms.get(chosen)
    if setting is None:
        where = f"{_configuration()}: llms: {{{chosen}: {{by: ollama, model: …}}}}"
        raise UnknownModel("language model", chosen, sorted(settings.llms), where)
    return _dependable(place, chosen, setting, hear)


def _chosen(settings: Settings, name: str | None) -> str | None:
    chosen = name or settings.llm
    if not chosen and len(settings.llms) > 1:
        raise ConfigInvalid(
            str(_configuration()),
            f"there are several language models ({', '.join(sorted(settings.llms))}), and none is the usual one.",
            f"llm: {min(settings.llms)}",
        )
    return chosen or next(iter(settings.llms), None)


def _dependable(place: CorpusFolder | None, name: str, setting: LLMSetting, hear: Hear) -> LLMClient:
    module = plugins.find("llm", setting.by)
    options = _options(module.Options, setting, f"{_configuration()}: llms.{name}")
    client: LLMClient = module.build(options, hear)
    if isinstance(options, ModelOptions):
        client = RetryingLLMClient(client, options.attempts, hear)
        client = CheckedLLMClient(client, options.repairs, hear)
        if options.cache and place is not None:
            client = CachingLLMClient(client, _identity(setting.by, options), KeptReplies(place))
        return client
    return CheckedLLMClient(client, ModelOptions.model_fields["repairs"].default, hear)


def _options(kind: Any, setting: LLMSetting, where: str) -> Any:
    try:
        return kind.model_validate(setting.model_extra or {})
    except ValidationError as error:
        raise ConfigInvalid(where, explain(error, kind), f"edit {_configuration()}") from error


def _identity(by: str, options: ModelOptions) -> Mapping[str, Any]:
    """What decides a reply beside the request."""
    others = {"seconds", "attempts", "repairs", "key_env", "cache", "keep_alive"}
    return {"by": by, **options.model_dump(mode="json", exclude=others)}


def _configuration() -> Path:
    return user_folder("config") / "config.yml"

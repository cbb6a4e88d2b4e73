"""Finds the language model that a user names, and makes it dependable: retried, checked, remembered.

Which model that is, where it runs and whom it asks stands in the user's own configuration; a corpus has no say in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from biblicus import plugins
from biblicus.config import LLMSetting, Settings, explain, user_folder
from biblicus.contracts import LLMClient
from biblicus.errors import ConfigInvalid, NoLLM, UnknownModel
from biblicus.llm.caching import CachingLLMClient
from biblicus.llm.json_replies import CheckedLLMClient
from biblicus.llm.options import Hear, ModelOptions, silent
from biblicus.llm.retrying import RetryingLLMClient
from biblicus.storage.corpus import CorpusFolder
from biblicus.storage.replies import KeptReplies


def find(place: CorpusFolder, name: str | None = None, *, hear: Hear = silent) -> LLMClient | None:
    """The user's model of that name; without one their `llm`, else the only one they have; None where they have none.

    `hear` gets a reply's text while it is written. Raises `UnknownModel`, `ConfigInvalid`, `ExtraMissing`, `LLMError`.
    """
    chosen = _chosen(place.settings, name)
    if chosen is None:
        return None
    setting = place.settings.llms.get(chosen)
    if setting is None:
        where = f"{_configuration()}: llms: {{{chosen}: {{by: ollama, model: …}}}}"
        raise UnknownModel("language model", chosen, sorted(place.settings.llms), where)
    return _dependable(place, chosen, setting, hear)


def needed(place: CorpusFolder, name: str | None, what: str, *, hear: Hear = silent) -> LLMClient:
    """The same; `NoLLM` says that `what` needs one where there is none."""
    found = find(place, name, hear=hear)
    if found is None:
        raise NoLLM(what, str(_configuration()))
    return found


def _chosen(settings: Settings, name: str | None) -> str | None:
    chosen = name or settings.llm
    if chosen is None and len(settings.llms) > 1:
        raise ConfigInvalid(
            str(_configuration()),
            f"there are several language models ({', '.join(sorted(settings.llms))}), and none is the usual one.",
            f"llm: {min(settings.llms)}",
        )
    return chosen or next(iter(settings.llms), None)


def _dependable(place: CorpusFolder, name: str, setting: LLMSetting, hear: Hear) -> LLMClient:
    module = plugins.find("llm", setting.by)
    options = _options(module.Options, setting, f"{_configuration()}: llms.{name}")
    client: LLMClient = module.build(options, hear)
    if isinstance(options, ModelOptions):
        client = RetryingLLMClient(client, options.attempts, hear)
        client = CheckedLLMClient(client, options.repairs, hear)
        if options.cache:
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

"""Creates the language model that the user's configuration names, with retries and validation.

The corpus cannot select the model, its location or its provider.
"""

from __future__ import annotations

from biblicus import plugins
from biblicus.config import Settings, load_settings, settings_file
from biblicus.contracts import Given, Hear, LLMClient, silent
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid, UnknownModel
from biblicus.llm.dependable import DependableLLMClient
from biblicus.llm.served import ModelOptions
from biblicus.models.records import Chosen

_WITHOUT = ("quote",)
"""Answerers that use no model."""


def answerer_for(answerer: str | None, llm: object = None) -> str:
    """Return the named answerer, or the user's default; a named model requires one that uses it."""
    usual = load_settings().answerer
    return answerer or ("llm" if llm is not None and usual in _WITHOUT else usual)


def for_answerer(
    corpus: CorpusFolder | None, answerer: str, llm: str | LLMClient | None = None, *, hear: Hear = silent
) -> LLMClient | None:
    """Return the model for an answerer: None if it needs none, unless the caller names a model or passes a client."""
    if llm is not None and not isinstance(llm, str):
        return llm
    return None if answerer in _WITHOUT and llm is None else find(corpus, llm, hear=hear)


def find(corpus: CorpusFolder | None, name: str | None = None, *, hear: Hear = silent) -> LLMClient | None:
    """Return the user's model of that name; by default their `llm`, or their only one, or None.

    `corpus`: whose settings apply. `hear`: receives a reply's text as it is generated. Raises `UnknownModel`,
    `ConfigInvalid`, `ExtraMissing`, `LLMError`.
    """
    chosen = _chosen(load_settings() if corpus is None else corpus.settings, name)
    return None if chosen is None else named(corpus, chosen, hear=hear)


def named(corpus: CorpusFolder | None, name: str, *, hear: Hear = silent) -> LLMClient:
    """Return the user's model of that name. Raises the errors of `find`."""
    settings = load_settings() if corpus is None else corpus.settings
    setting = settings.llms.get(name)
    if setting is None:
        where = f"{settings_file()}: llms: {{{name}: {{by: ollama, model: …}}}}"
        raise UnknownModel("language model", name, sorted(settings.llms), where)
    return _dependable(name, setting, hear)


def _chosen(settings: Settings, name: str | None) -> str | None:
    chosen = name or settings.llm
    if not chosen and len(settings.llms) > 1:
        raise ConfigInvalid(
            str(settings_file()),
            f"there are several language models ({', '.join(sorted(settings.llms))}), and none is the usual one.",
            f"llm: {min(settings.llms)}",
        )
    return chosen or next(iter(settings.llms), None)


def _dependable(name: str, setting: Chosen, hear: Hear) -> LLMClient:
    where, remedy = f"{settings_file()}: llms.{name}", f"edit {settings_file()}"
    options = plugins.checked("llm", setting.by, setting.options, where, remedy)
    client: LLMClient = plugins.make("llm", setting.by, options, Given(hear=hear))
    if isinstance(options, ModelOptions):
        return DependableLLMClient(client, options.attempts, options.repairs, hear, provider=setting.by)
    return DependableLLMClient(client, 1, ModelOptions.model_fields["repairs"].default, hear, provider=setting.by)

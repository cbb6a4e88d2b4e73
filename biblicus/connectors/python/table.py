"""Creation of the corpus methods from the table of verbs. `make docs` writes them out in `methods.pyi`.

A method takes the fields of its request: positional ones in order, with a trailing list as `*args`, the others by
keyword. `_SHAPED` defines the differences: other names, return values, and additional parameters."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from biblicus import answers, search
from biblicus.contracts import Call
from biblicus.models.plain import plain
from biblicus.models.requests.query import FILTERS, Filters
from biblicus.service import verbs
from biblicus.service.askers.here import Here
from biblicus.service.verbs import Verb

Gives = Callable[["Here", Any], Any]


@dataclass(frozen=True)
class Method:
    """A method.

    `gives`: a field of the reply, or a function of the reply; `type`: its type in the stub. `also`: additional
    parameters with their types, positional if `also_in_order`; `by` then runs instead of the asker. `options`: pass
    unknown keywords on. `left_out`: omitted fields. `required`: fields required here but optional in the request."""

    name: str
    verb: Verb[Any, Any]
    gives: str | Gives | None = None
    type: str = ""
    also: Mapping[str, str] = field(default_factory=dict)
    also_in_order: bool = False
    by: Callable[..., Any] | None = None
    options: bool = False
    left_out: tuple[str, ...] = ()
    required: tuple[str, ...] = ()

    @cached_property
    def positional(self) -> list[Field[Any]]:
        """Return the positional fields."""
        first = [entry for entry in self.fields if entry.name in self.required]
        return first + [entry for entry in self.fields if not entry.kw_only and entry not in first]

    @cached_property
    def fields(self) -> list[Field[Any]]:
        """Return the fields of the request that the method takes."""
        return [entry for entry in fields(self.verb.request) if entry.name not in self.left_out]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(entry.name for entry in self.fields)

    @cached_property
    def takes_rest(self) -> bool:
        """Check if the last positional field is a list."""
        return bool(self.positional) and _is_list(self.positional[-1])

    @cached_property
    def takes_filters(self) -> bool:
        """Check if filters may be given as one object."""
        return issubclass(self.verb.request, Filters)


def _json(asker: Here, reply: Any) -> Any:
    return plain(reply)


def _path(asker: Here, reply: Any) -> Any:
    return asker.root / reply.path


def _query(asker: Here, request: Any, call: Call, *, refresh: bool = False) -> Any:
    """Return evidence; with `refresh`, after indexing changes if that is fast."""
    if not refresh:
        return asker.ask(verbs.QUERY, request, call)

    return search.query.refreshed(asker.corpus, call, lambda: asker.ask(verbs.QUERY, request, call))


def _answer(asker: Here, request: Any, call: Call, *, llm: Any = None, **options: Any) -> Any:
    """Return a plain answer. `llm`: the name of a configured language model, or a client."""

    name = search.language_models.answerer_for(request.answerer, llm)
    model = search.language_models.for_answerer(asker.corpus, name, llm)
    return answers.answer.answer(_asking(asker), replace(request, answerer=name), call, model, options)


def _answer_as(
    asker: Here,
    request: Any,
    call: Call,
    *,
    llm: Any = None,
    ontology_context: Any = None,
    graph: Any = None,
    **options: Any,
) -> Any:
    name = search.language_models.answerer_for(request.answerer, llm)
    model, request = search.language_models.for_answerer(asker.corpus, name, llm), replace(request, answerer=name)
    own = {"ontology_context": ontology_context, "graph": graph}
    return answers.answer_as.answer_as(asker.corpus, request, _asking(asker), call, model, options, **own)


def _context(asker: Here, request: Any, call: Call, *, policy: Any = None) -> Any:
    """Return a pack, with the settings of `policy` if given."""
    if policy is not None:
        request = replace(request, **{entry.name: getattr(policy, entry.name) for entry in fields(policy)})
    return asker.ask(verbs.CONTEXT, request, call)


def _asking(asker: Here) -> Callable[[Any, Call], Any]:
    return lambda question, call: asker.ask(verbs.QUERY, question, call)


_MODEL = {"llm": "str | LLMClient | None"}
_SHAPED = (
    Method("query", verbs.QUERY, also={"refresh": "bool"}, by=_query),
    Method("context", verbs.CONTEXT, also={"policy": "PackPolicy | None"}, also_in_order=True, by=_context),
    Method("answer", verbs.ANSWER, type="Answer", also=_MODEL, by=_answer, options=True, left_out=("persona",)),
    Method(
        "answer_as",
        verbs.ANSWER,
        type="PersonaAnswer",
        also={**_MODEL, "ontology_context": "Any", "graph": "GraphHook | None"},
        by=_answer_as,
        options=True,
        required=("persona",),
    ),
    Method("list", verbs.LIST, gives="items", left_out=("cursor", "limit")),
    Method("tree", verbs.TREE, gives="nodes", left_out=("cursor", "max_entries")),
    Method("facets", verbs.FACETS, gives="facets"),
    Method("stats", verbs.STATS, gives=_json, type="dict[str, Any]"),
    Method("version", verbs.VERSION, gives=_json, type="dict[str, Any]"),
    Method("ingest", verbs.INGEST, left_out=("stdin_name", "stdin_source")),
    Method("publish", verbs.PUBLISH, gives=_json, type="dict[str, Any]"),
    Method("publications", verbs.PUBLICATIONS, gives="publications"),
    Method("context_of", verbs.CONTEXT_OF, gives="contexts"),
    Method("editorial_log", verbs.EDITORIAL_LOG, gives="events"),
    Method("sources", verbs.SOURCES, gives="sources"),
    Method("import_sources", verbs.IMPORT_SOURCES, gives="sources"),
    Method("export_sources", verbs.EXPORT_SOURCES, gives="repositories"),
    Method("new_recipe", verbs.NEW_RECIPE, gives=_path, type="Path"),
    Method("check", verbs.CHECK, left_out=("prune_cache",)),
    Method("set_weight", verbs.WEIGHT),
    Method("weights", verbs.WEIGHTS, gives="weights"),
    Method("clear_weights", verbs.CLEAR_WEIGHTS, gives="cleared"),
    Method("alerts", verbs.ALERTS, gives="alerts"),
    Method("alert_feed", verbs.ALERT_FEED, gives="xml"),
    Method("notes", verbs.NOTES, gives="notes"),
    Method("export_notes", verbs.EXPORT_NOTES, gives="text"),
    Method("personas", verbs.PERSONAS, gives="personas"),
    Method("new_persona", verbs.NEW_PERSONA, gives=_path, type="Path"),
    Method("check_personas", verbs.CHECK_PERSONAS, gives="personas"),
    Method("datasets", verbs.DATASETS, gives="datasets"),
    Method("evaluate", verbs.EVALUATE, gives="evaluation"),
    Method("evaluations", verbs.EVALUATIONS, gives="evaluations"),
    Method("check_golden", verbs.GOLDEN),
)
"""Methods that differ from their verb in name, parameters or return value."""
_WRITTEN_OUT = frozenset(("get_batch", "receive", "recipes", "run", "runs", "verify"))
"""Verbs without a generated method."""


def _methods() -> Iterator[Method]:
    for name, verb in verbs.VERBS.items():
        if name not in _WRITTEN_OUT:
            yield from [method for method in _SHAPED if method.verb is verb] or [Method(name, verb)]


METHODS = tuple(_methods())


def made(method: Method) -> Callable[..., Any]:
    def call_verb(self: Any, *words: Any, call: Call | None = None, **named: Any) -> Any:
        extra_options = {name: named.pop(name) for name in method.also if name in named}
        request, rest = _request(method, words, named, extra_options)
        effective_call = call or Call()
        if method.by is not None:
            reply = method.by(self._asker, request, effective_call, **extra_options, **rest)
        else:
            reply = self._asker.ask(method.verb, request, effective_call)
        if method.gives is None:
            return reply
        return getattr(reply, method.gives) if isinstance(method.gives, str) else method.gives(self._asker, reply)

    call_verb.__name__ = method.name
    call_verb.__qualname__ = f"Corpus.{method.name}"
    call_verb.__doc__ = inspect.getdoc(method.by) if method.by else method.verb.summary
    call_verb.__signature__ = signature(method)  # type: ignore[attr-defined]  # `help` reads it, typeshed has none
    return call_verb


def _request(
    method: Method, words: tuple[Any, ...], named: dict[str, Any], own: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Return the request for these arguments, and the options that are not fields of it."""
    places = [entry.name for entry in method.positional]
    if method.takes_rest:
        *single, last = places
        arguments = dict(zip(single, words, strict=False))
        if rest := words[len(single) :]:
            arguments[last] = rest
    else:
        spare = [name for name in method.also if name not in own] if method.also_in_order else []
        if len(words) > len(places) + len(spare):
            raise TypeError(f"{method.name}() takes {len(places)} words in order, not {len(words)}")
        arguments = dict(zip(places, words, strict=False))
        own.update(zip(spare, words[len(places) :], strict=False))
    if method.takes_filters and (filters := named.pop("filters", None)) is not None:
        named = {**{name: getattr(filters, name) for name in FILTERS}, **named}
    rest_named = {name: named.pop(name) for name in list(named) if name not in method.names}
    if rest_named and not method.options:
        raise TypeError(f"{method.name}() has no parameter {min(rest_named)!r}")
    return method.verb.request(**{name: _text(value) for name, value in {**arguments, **named}.items()}), rest_named


def _is_list(entry: Field[Any]) -> bool:
    return str(entry.type).startswith("tuple[") and not str(entry.type).startswith("tuple[int, int]")


def _text(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, list | tuple):
        return tuple(_text(part) for part in value)
    return value


def signature(method: Method) -> inspect.Signature:
    """Return the method's signature, for the stub and `help`."""
    parameter, kinds = inspect.Parameter, inspect.Parameter
    parameters = [parameter("self", kinds.POSITIONAL_OR_KEYWORD)]
    places = method.positional
    for entry in places:
        kind = kinds.VAR_POSITIONAL if entry is places[-1] and _is_list(entry) else kinds.POSITIONAL_OR_KEYWORD
        default = parameter.empty if kind is kinds.VAR_POSITIONAL or entry.name in method.required else _default(entry)
        parameters.append(parameter(entry.name, kind, default=default, annotation=entry.type))
    parameters += [
        parameter(entry.name, kinds.KEYWORD_ONLY, default=_default(entry), annotation=entry.type)
        for entry in method.fields
        if entry not in places
    ]
    if method.takes_filters:
        parameters.append(parameter("filters", kinds.KEYWORD_ONLY, default=None, annotation="Filters | None"))
    also = [
        parameter(name, kinds.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in method.also.items()
    ]
    if method.also_in_order:
        at = len(places) + 1
        parameters[at:at] = [entry.replace(kind=kinds.POSITIONAL_OR_KEYWORD) for entry in also]
    else:
        parameters += also
    parameters.append(parameter("call", kinds.KEYWORD_ONLY, default=None, annotation="Call | None"))
    if method.options:
        parameters.append(parameter("options", kinds.VAR_KEYWORD, annotation="Any"))
    return inspect.Signature(parameters)


def _default(entry: Field[Any]) -> Any:
    if entry.default is not MISSING:
        return entry.default
    return {} if entry.default_factory is not MISSING else inspect.Parameter.empty

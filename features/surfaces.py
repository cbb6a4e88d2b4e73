"""The ways to use a corpus that the specification runs through: the same verbs, and the same values back.

Values have the shape of `--json` (DESIGN §7). A surface returns errors as their object; it raises only what is a bug.
"""

import io
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from biblicus import BiblicusError, Corpus, Filters, PackPolicy
from biblicus.measure.stored import as_document
from biblicus.models.answers.persona import Persona
from biblicus.models.plain import plain
from biblicus.models.recipe import Recipe
from biblicus.models.requests.query import FILTERS
from biblicus.service.corpora import Corpora
from biblicus.service.tokens import Tokens
from tests.front_door import biblicus


@dataclass(frozen=True)
class Outcome:
    """What an act gave: a value, or the error object (`code`, `message`, `hint`); for commands the exit code too."""

    value: Any = None
    error: dict[str, str] | None = None
    exit_code: int = 0


class Surface(Protocol):
    """`words` are positional; `options` are named as the long options of the command line."""

    name: str

    def do(self, folder: Path, verb: str, *words: str, **options: Any) -> Outcome: ...

    def close(self) -> None: ...


class CommandLine:
    """`biblicus … --json`, in this process."""

    name = "command line"

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def do(self, folder: Path, verb: str, *words: str, **options: Any) -> Outcome:
        text = options.pop("text", None)
        if text is not None:
            data = text.encode() if isinstance(text, str) else text
            self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            words = (*words, "-")
        start = ["init", str(folder)] if verb == "init" else [*verb.split(), "-C", str(folder)]
        arguments = [*start, *_flags(options), "--json", "--", *words]
        self._capsys.readouterr()
        code = biblicus(arguments)
        out, err = self._capsys.readouterr()
        if err:
            return Outcome(error=json.loads(err.splitlines()[-1])["error"], exit_code=code)
        assert out.count("\n") == 1, f"not one JSON document: {out!r}"
        return Outcome(json.loads(out), exit_code=code)

    def close(self) -> None:
        """Nothing is held open."""


def serving(
    folder: Path,
    tokens: Tokens | None = None,
    *,
    also: Sequence[str] = (),
    name: str = "",
    profile: str | None = None,
    processes: int = 1,
    opened: Callable[[Corpora], None] = lambda corpora: None,
) -> tuple[str, Callable[[], None]]:
    """A service over one corpus, in a thread: its address, and how to stop it. Without tokens everybody may read.
    `name`: of the corpus, where it is not its own. `also`: further ones, `NAME=PATH`. `profile`: a family's.
    `processes`: that answer, when it is ready. `opened`: told what is served."""
    from biblicus.config import load_settings
    from biblicus.connectors.http import profiles
    from biblicus.connectors.http.app import application
    from biblicus.connectors.http.gate import Access, Proxy
    from biblicus.service.admission import Limits
    from tests.serving import served

    spoken = None if profile is None else profiles.find(profile)
    corpora = Corpora.open([f"{name}={folder}" if name else str(folder), *also], processes)
    opened(corpora)
    if corpora.processes is not None:
        corpora.processes.start()
    if spoken is not None:
        spoken.prepare(corpora)
    access = Access(tokens or Tokens(folder.parent / "no-tokens.json"), proxy=Proxy.of(load_settings().proxy))
    app, service = application(corpora, access, Limits(drain=1), profile=spoken)
    running = ExitStack()
    return running.enter_context(served(app, service, is_warm=False)), running.close


def _flags(options: dict[str, Any]) -> list[str]:
    flags: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            flags.append(flag)
        elif value is not None and value is not False:
            flags += [word for one in (value if isinstance(value, list) else [value]) for word in (flag, str(one))]
    return flags


class Python:
    """`biblicus.Corpus`, kept open for the whole scenario."""

    name = "Python"

    def __init__(self) -> None:
        self._open: dict[Path, Corpus] = {}

    def do(self, folder: Path, verb: str, *words: str, **options: Any) -> Outcome:
        try:
            if verb == "init":
                return Outcome(_init(Corpus.init(folder, **options)))
            if folder not in self._open:
                self._open[folder] = Corpus.open(folder)
            return Outcome(plain(_VERBS[verb](self._open[folder], words, options)))
        except BiblicusError as error:
            return Outcome(error=error.as_object())

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()


def _init(corpus: Corpus) -> dict[str, str]:
    found = corpus.stats()
    corpus.close()
    return {"corpus_id": found["corpus_id"], "name": found["name"]}


def _pairs(values: Any) -> dict[str, str]:
    return dict(value.split("=", 1) for value in _many(values))


def _many(values: Any) -> tuple[Any, ...]:
    return () if values is None else tuple(values) if isinstance(values, list) else (values,)


def _filters(options: dict[str, Any]) -> Filters:
    where = _pairs(options.pop("where", None))
    return Filters(where=where, **{name: options.pop(name) for name in FILTERS if name in options})


def _ingest(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    tags, metadata = _many(options.pop("tag", None)), _pairs(options.pop("meta", None))
    return corpus.ingest(*words, tags=tags, metadata=metadata, **options)


def _query(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    filters = _filters(options)
    if weights := _pairs(options.pop("weight", None)):
        options["leg_weights"] = {leg: float(text) for leg, text in weights.items()}
    return corpus.query(" ".join(words), filters=filters, **options)


def _context(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    filters = _filters(options)
    known = ("max_tokens", "format", "order", "neighbours", "share", "tokenizer")
    policy = {name: options.pop(name) for name in known if name in options}
    return corpus.context(" ".join(words), PackPolicy(**policy), filters=filters, **options)


def _reindex(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    found = corpus.reindex(*_many(options.pop("recipe", None)), **options)
    return {"refresh": found.refresh, "runs": found.runs, "unavailable": found.unavailable, "ms": found.ms}


def _import_dataset(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    return corpus.import_dataset(*words, **options)


def _eval(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    if options.pop("golden", False):
        return corpus.check_golden(*words, **options)
    per_query = options.pop("per_query", False)
    several = {
        "recipe": "recipes",
        "run": "runs",
        "metric": "metrics",
        "cutoff": "cutoffs",
        "fail-if": "fail_if",
        "report": "reports",
        "procedure": "procedures",
        "command": "commands",
    }
    found: dict[str, Any] = {name: _many(options.pop(option, None)) for option, name in several.items()}
    found["cutoffs"] = tuple(map(int, found["cutoffs"]))
    if "seconds" in options:
        options["seconds"] = float(options["seconds"])
    return as_document(corpus.evaluate(*words, **found | options), per_query=per_query)


def _synthesize(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    return corpus.synthesize(*_many(options.pop("by", None)), **options)


def _tune(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    return corpus.tune(*words, *_many(options.pop("over", None)), **options)


def _range(value: str | None) -> tuple[int, int] | None:
    return None if value is None else (int(value.split(":")[0]), int(value.split(":")[1]))


def _get(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    lines, span = _range(options.pop("lines", None)), _range(options.pop("span", None))
    return corpus.get(*words, lines=lines, span=span, **options)


def _verify(corpus: Corpus, words: tuple[str, ...], _: dict[str, Any]) -> Any:
    verdicts = corpus.verify(Path(words[0]).read_bytes())
    return {"ok": all(verdict.holds for verdict in verdicts), "evidence": verdicts}


def _check(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    pruned = corpus.prune_cache() if options.pop("prune_cache", False) else None
    return {**asdict(corpus.check(**options)), "pruned": pruned}


def _recipe(recipe: Recipe) -> dict[str, Any]:
    return {**recipe.model_dump(mode="json"), "build_id": recipe.build_id, "recipe_id": recipe.recipe_id}


def _answer(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    question, filters = " ".join(words), _filters(options)
    if (persona := options.pop("persona", None)) is not None:
        return corpus.answer_as(persona, question, filters=filters, **options)
    return corpus.answer(question, filters=filters, **options)


def _set_weight(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    ttl = options.pop("ttl", None)
    return corpus.set_weight(words[0], float(words[1]), ttl_days=None if ttl is None else float(ttl), **options)


def _persona(persona: Persona) -> dict[str, Any]:
    return {**persona.model_dump(mode="json"), "digest": persona.digest}


def _check_personas(corpus: Corpus, words: tuple[str, ...], _: dict[str, Any]) -> Any:
    found = corpus.check_personas(*words)
    return {"ok": all(one.ok for one in found), "personas": found}


def _add_source(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    several = {"tag": "tags", "include": "include", "exclude": "exclude"}
    found: dict[str, Any] = {name: _many(options.pop(option)) for option, name in several.items() if option in options}
    found |= {key.replace("-", "_"): value for key, value in options.items()}
    return corpus.add_source(*words, **found)


def _sync(corpus: Corpus, words: tuple[str, ...], options: dict[str, Any]) -> Any:
    found = {key.replace("-", "_"): value for key, value in options.items()}
    return corpus.sync(*words, delete=not found.pop("no_delete", False), **found)


_VERBS: dict[str, Callable[[Corpus, tuple[str, ...], dict[str, Any]], Any]] = {
    "ingest": _ingest,
    "remove": lambda corpus, words, options: corpus.remove(*words, **options),
    "list": lambda corpus, words, options: {"items": corpus.list(filters=_filters(options), **options)},
    "show": lambda corpus, words, options: corpus.show(*words),
    "get": _get,
    "facets": lambda corpus, words, options: {"facets": corpus.facets(filters=_filters(options), **options)},
    "tree": lambda corpus, words, options: {"nodes": corpus.tree(*words, **options)},
    "tag": lambda corpus, words, options: corpus.tag(*words),
    "stats": lambda corpus, words, options: corpus.stats(),
    "events": lambda corpus, words, options: corpus.events(**options),
    "reindex": _reindex,
    "query": _query,
    "context": _context,
    "verify": _verify,
    "check": _check,
    "doctor": lambda corpus, _, options: corpus.doctor(**options),
    "trust": lambda corpus, words, options: corpus.trust(),
    "datasets import": _import_dataset,
    "datasets list": lambda corpus, words, options: {"datasets": corpus.datasets()},
    "datasets show": lambda corpus, words, options: corpus.dataset(*words, **options),
    "datasets synthesize": _synthesize,
    "eval": _eval,
    "tune": _tune,
    "runs list": lambda corpus, words, options: {"runs": [run.model_dump(mode="json") for run in corpus.runs()]},
    "runs diff": lambda corpus, words, options: corpus.diff_runs(*words),
    "runs verify": lambda corpus, words, options: corpus.verify_run(*words),
    "runs keep": lambda corpus, words, options: corpus.keep_runs(*words, **options),
    "runs prune": lambda corpus, words, options: corpus.prune_runs(*words, **options),
    "recipes list": lambda corpus, words, options: {"recipes": [_recipe(recipe) for recipe in corpus.recipes()]},
    "recipes show": lambda corpus, words, options: _recipe(corpus.recipe(*words)),
    "recipes new": lambda corpus, words, options: {"path": str(corpus.new_recipe(*words))},
    "answer": _answer,
    "promote": lambda corpus, words, options: corpus.promote(*words, **options),
    "retract": lambda corpus, words, options: corpus.retract(*words, **options),
    "publish": lambda corpus, words, options: corpus.publish(*words, **options),
    "publications": lambda corpus, words, options: {"publications": corpus.publications()},
    "context-of": lambda corpus, words, options: {"contexts": corpus.context_of(*words)},
    "editorial status": lambda corpus, words, options: corpus.editorial_status(),
    "editorial log": lambda corpus, words, options: {"events": corpus.editorial_log(*words, **options)},
    "editorial diff": lambda corpus, words, options: corpus.editorial_diff(*words),
    "bibliography": lambda corpus, words, options: corpus.bibliography(
        *words, **{key.replace("-", "_"): value for key, value in options.items()}
    ),
    "sources add": _add_source,
    "sources list": lambda corpus, words, options: {"sources": corpus.sources()},
    "sources remove": lambda corpus, words, options: corpus.remove_source(
        *words, **{key.replace("-", "_"): value for key, value in options.items()}
    ),
    "sources sync": _sync,
    "weight set": _set_weight,
    "weight list": lambda corpus, words, options: {"weights": corpus.weights()},
    "weight clear": lambda corpus, words, options: {
        "cleared": [w.model_dump(mode="json") for w in corpus.clear_weights(*words, **options)]
    },
    "alerts add": lambda corpus, words, options: corpus.add_alert(
        *words, **{key: _many(value) for key, value in options.items()}
    ),
    "alerts list": lambda corpus, words, options: {"alerts": corpus.alerts()},
    "alerts remove": lambda corpus, words, options: corpus.remove_alert(*words),
    "alerts feed": lambda corpus, words, options: {"xml": corpus.alert_feed(*words)},
    "note list": lambda corpus, words, options: {"notes": corpus.notes(*words, **options)},
    "note add": lambda corpus, words, options: corpus.add_note(*words, **options),
    "note remove": lambda corpus, words, options: corpus.remove_note(*words),
    "note export": lambda corpus, words, options: {"text": corpus.export_notes(*words, form=options["as"])},
    "version": lambda corpus, words, options: corpus.version(),
    "personas list": lambda corpus, words, options: {"personas": corpus.personas()},
    "personas show": lambda corpus, words, options: _persona(corpus.persona(*words)),
    "personas new": lambda corpus, words, options: {"path": str(corpus.new_persona(*words))},
    "personas check": _check_personas,
}

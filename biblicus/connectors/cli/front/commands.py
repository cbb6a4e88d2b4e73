"""Declaration of commands: request, reply and output. Options, JSON and exit codes are the same for all.

The options are derived from the verb's request (`connectors.cli.front.options`). Read-only verbs are sent to the place
of `--at`, others run on this machine. This module does not need Typer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from biblicus import guards, service
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.options import Common, Option, options_of
from biblicus.contracts import Call
from biblicus.disk import files, system
from biblicus.errors import BiblicusError, NotFound, StorageFailed, UsageError
from biblicus.models.fields import option
from biblicus.models.frozen import dataclass
from biblicus.models.sources.readers import Reader
from biblicus.service import askers
from biblicus.service.telemetry import observe
from biblicus.service.verbs import FOR_READERS, Verb

if TYPE_CHECKING:
    from biblicus.service.askers import Asker
    from biblicus.service.askers.here import Here


_STORE, _EXECUTOR = "BIBLICUS_STORE", "BIBLICUS_EXECUTOR"


class State:
    """Values of the global options for one run."""

    corpus: str | None = None
    debug: bool = False


@dataclass(frozen=True, kw_only=True)
class Asking:
    """Option of commands that parse files."""

    password: bool = option(False, "Ask for a password and try it on locked PDFs. It is not stored.")


@dataclass(frozen=True, kw_only=True)
class Printing:
    """Options of commands that print lines for pipes and editors."""

    format: str | None = option(
        None, "Print one line per result: vimgrep, grep, paths, or a template such as '{path}: {title}'."
    )
    null: bool = option(False, "With --format: end each result with NUL, and do not quote file names.")


@dataclass(frozen=True)
class Command:
    """A command by its words, such as `runs diff`. It sends a verb, or has its own `reply`.

    `show`: print a reply for a person. `help`: description, if not the verb's summary; `more`: text added to it. `own`:
    class of options beyond the request's. `reply`: get the reply, if not just the verb's; None means already printed.
    `document`: the part of it for `--json`. `code`: exit code of a reply. `watched`: show progress. `timed`: accept
    `--timeout`. `dashes`: arguments may begin with a dash. `stored`: accept `--store`, and run on this machine.
    `shared`: accept `--on`. `founds`: for a read-only folder, create the index in the user's cache. `lists`: field of
    the reply limited by `-n` (empty: the reply itself). `talks`: accept `-v`."""

    words: str
    verb: Verb[Any, Any] | None
    show: Callable[[Any, Given], None] | None
    help: str = ""
    more: str = ""
    own: type | None = None
    reply: Callable[[Given], Any] | None = None
    document: Callable[[Any, Given], Any] | None = None
    code: Callable[[Any], int] = lambda _: 0
    watched: bool = False
    timed: bool = False
    dashes: bool = False
    stored: bool = False
    shared: bool = False
    founds: bool = False
    lists: str | None = None
    talks: bool = False

    @property
    def summary(self) -> str:
        """Return the description for its help page."""
        return f"{self.help or (self.verb.summary if self.verb else '')} {self.more}".strip()

    @cached_property
    def parts(self) -> Mapping[type, list[Option]]:
        """Return its options by the class that declares them: the request, the command's own, the common ones."""
        options_by_class = {self.verb.request: options_of(self.verb.request, self.verb.name)} if self.verb else {}
        if self.own:
            options_by_class[self.own] = options_of(self.own, self.words)
        offered = {
            "json": self.show,
            "timeout": self.timed,
            "verbose": self.talks,
            "corpus": self.verb,
            "store": self.stored,
            "limit": self.lists is not None,
            "on": self.shared,
            "at": self.verb and self.verb.scope == "read",
            "as_reader": self.verb and self.verb.name in FOR_READERS,
        }
        return {**options_by_class, Common: [each for each in options_of(Common, self.words) if offered[each.name]]}

    @property
    def options(self) -> list[Option]:
        """Return all options, arguments first."""
        return sorted(
            (option for part in self.parts.values() for option in part), key=lambda option: bool(option.flags)
        )


class Given:
    """A command with its arguments. `values`: by field; None and empty mean not given."""

    def __init__(self, command: Command, values: Mapping[str, Any]) -> None:
        self.command, self.values = command, values
        self.began = time.monotonic()
        self.common: Common = self._made(Common)
        seconds = self.common.timeout
        self.call = Call(deadline=None if seconds is None else time.monotonic() + seconds)
        if not self.common.json:
            self.call = replace(self.call, tell=output.remark)

    @cached_property
    def request(self) -> Any:
        """Return the verb's request. Raises `UsageError`."""
        assert self.command.verb is not None
        return self._made(self.command.verb.request)

    @cached_property
    def own(self) -> Any:
        """Return the command's own options."""
        assert self.command.own is not None
        return self._made(self.command.own)

    @property
    def corpus(self) -> str | None:
        return self.common.corpus or State.corpus

    @cached_property
    def asker(self) -> Asker:
        """Return the asker; skipped places are reported on standard error."""
        store, reader, verb = self.common.store, self.common.as_reader, self.command.verb
        is_elsewhere = self.common.at not in (None, "local")
        if store and is_elsewhere:
            raise UsageError("Give --store or --at, not both.", "biblicus query TEXT --store NAME")
        if reader is not None and is_elsewhere:
            words = "Give --as or --at, not both: a service knows its readers."
            raise UsageError(words, "biblicus query TEXT --as NAME")
        if reader is not None or store or verb is None or verb.scope != "read":
            return self.here

        return askers.in_turn.asker_of(self.corpus, self.common.at, output.remark)

    @cached_property
    def here(self) -> Here:
        """Return the asker of the local corpus. Raises `CorpusNotFound`, and `UsageError` for a remote one."""

        asker = askers.here.here(service.places.folder_of(self.corpus))
        if self.common.as_reader is not None:
            asker.reader = Reader(self.common.as_reader)
        return asker

    def ask(self, verb: Verb[Any, Any] | None = None, request: Any = None) -> Any:
        """Return the reply of the command's verb, or of another one."""
        verb = verb or self.command.verb
        assert verb is not None
        return self.asker.ask(verb, self.request if request is None else request, self.call)

    def heard(self) -> None:
        """With `Asking`, read a password from the user into the call."""
        if self.own.password:
            from getpass import getpass

            self.call = replace(self.call, passwords=(getpass("Password for PDFs, Office files and archives: "),))

    def run(self) -> int:
        """Run the command, print the result and return the exit code."""
        command = self.command
        watched = output.watched(self.call) if command.watched else nullcontext(self.call)
        overrides = {_STORE: self.common.store, _EXECUTOR: self.common.on}
        with _as_said(overrides), watched as self.call:
            reply = self._replied()
        if reply is None:  # already printed
            return 0
        reply, more = self._bounded(reply)
        if self.common.json:
            output.document(command.document(reply, self) if command.document else reply)
        elif command.show:
            command.show(reply, self)
            if more:
                output.remark(f"… and {more:,} more.")
        return command.code(reply)

    def _bounded(self, reply: Any) -> tuple[Any, int]:
        """Return the reply limited by `-n`, and the number of omitted entries."""
        name, most = self.command.lists, self.common.limit
        if name is None or most is None:
            return reply, 0
        entries = getattr(reply, name) if name else reply
        first_entries = entries[:most]
        return replace(reply, **{name: first_entries}) if name else first_entries, len(entries) - len(first_entries)

    def _replied(self) -> Any:
        """Return the reply. A read-only folder without an index is first indexed in this user's cache."""
        reply = self.command.reply or Given.ask
        try:
            return reply(self)
        except (NotFound, StorageFailed):
            if not self.command.founds or not self._founded():
                raise
        return reply(self)

    def _founded(self) -> bool:
        from biblicus.corpus.founding import found_in_cache  # lazy: few folders are read-only

        verbs = service.verbs

        if service.places.targets(self.corpus, self.common.at)[0].kind != "local":
            return False
        corpus = found_in_cache(service.places.folder_of(self.corpus))
        if corpus is None:
            return False
        output.remark(f"{corpus.root} is not written to: its index is made in {corpus.home.parent}.")
        for name in ("asker", "here"):
            self.__dict__.pop(name, None)
        if self.command.verb is not verbs.REINDEX:
            with output.watched(self.call) as call:
                self.here.ask(verbs.REINDEX, verbs.REINDEX.request(), call)
        return True

    def _in_corpus(self, names: Any) -> Any:
        """Convert names of items and folders, given relative to the current folder, to paths in the corpus."""

        if isinstance(names, tuple):
            return tuple(service.places.path_in(self.corpus, name) for name in names)
        return service.places.path_in(self.corpus, names)

    def _made(self, kind: Any) -> Any:
        arguments: dict[str, Any] = {}
        for entry in self.command.parts[kind]:
            value = self.values.get(entry.name)
            if value is not None and value is not False and value != []:
                arguments[entry.name] = entry.value(value)
                if entry.form == "name":
                    arguments[entry.name] = self._in_corpus(arguments[entry.name])
        try:
            return kind(**arguments)
        except UsageError as error:
            error.hint = error.hint or f"biblicus {self.command.words} --help"
            raise


@contextmanager
def _as_said(said: Mapping[str, str | None]) -> Iterator[None]:
    """Set these settings for all corpora, through environment variables."""
    values = {name: value for name, value in said.items() if value}
    before = {name: os.environ[name] for name in values if name in os.environ}
    os.environ.update(values)
    try:
        yield
    finally:
        for name in values:
            os.environ.pop(name)
        os.environ.update(before)


ALIASES = {"search": "query", "ask": "answer"}
"""Aliases of commands."""


def spelled(words: Sequence[str], corpus: Sequence[str]) -> list[str]:
    """Return the arguments with aliases replaced. `corpus`: flags with a value that may precede the command."""
    at = 2 if words and words[0] in corpus else 0
    return [*words[:at], *(ALIASES.get(word, word) for word in words[at : at + 1]), *words[at + 1 :]]


# --- which commands there are -----------------------------------------------------------------------------------------

_HOMES = {
    "corpus": "init ingest remove tag stats check doctor trust sources bibliography",
    "items": "list show get tree facets weight",
    "runs": "reindex runs recipes version models",
    "query": "query verify",
    "answer": "context answer",
    "conversation": "chat personas",
    "editorial": "promote retract editorial publish publications context-of note alerts events",
    "services": "daemon token",
    "serve": "serve open watch mcp",
    "evaluation": "eval tune datasets",
}
HOMES = {module: tuple(names.split()) for module, names in _HOMES.items()}
"""Commands by module, so that only the needed module is imported."""


def commands(name: str | None = None) -> Iterator[Command]:
    """Yield every command, or those in the module of one command."""
    modules = [module for module, names in HOMES.items() if name in names] or list(HOMES)
    for module in modules:
        yield from import_module(f"biblicus.connectors.cli.{module}").COMMANDS


# --- the only place where errors become messages and exit codes
# --------------------------------------------------------


def exit_code(work: Callable[[], object], *, as_json: bool, debug: bool = False) -> int:
    """Run `work` and return the exit code. Never raises."""
    _accept_any_text()
    State.corpus, State.debug = None, debug
    if debug:
        guards.process.Worker.shows_errors = True
    try:
        observe()
        code = work()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt as interrupted:
        stands = f" {interrupted}" if interrupted.args else ""
        output.fail(BiblicusError(f"Interrupted.{stands}"), as_json)
        return 130
    except BrokenPipeError:
        # The reader of our output is gone (`| head`): redirect the descriptor, so that the exit stays silent.
        system.drop_output()
        return 0
    except Exception as error:
        if debug:
            import traceback  # lazy: rarely needed

            traceback.print_exc()
        reported_error = _known(error)
        output.fail(reported_error, as_json)
        return reported_error.exit_code


def _accept_any_text() -> None:
    """Allow printing of file names and arguments that are not valid UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _known(error: Exception) -> BiblicusError:
    """Convert any exception to a `BiblicusError`."""
    if isinstance(error, BiblicusError):
        return error
    if isinstance(error, OSError):
        return StorageFailed(str(error.filename or "A file"), files.describe(error), "cannot be used")
    return BiblicusError(f"Something unexpected: {type(error).__name__}: {error}", "the same command with --debug")

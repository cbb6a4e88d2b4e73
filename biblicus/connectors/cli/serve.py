"""Commands that run until stopped: serve, open, watch, mcp."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from biblicus import corpus, service
from biblicus.config import load_settings
from biblicus.connectors import cli, http, mcp, web
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given, State
from biblicus.connectors.cli.front.options import AS_READER
from biblicus.connectors.cli.services import TokenFile, tokens_of
from biblicus.contracts import Call
from biblicus.corpus import editorial
from biblicus.errors import CorpusNotFound, ExtraMissing, TokenNeeded, UsageError
from biblicus.guards import network
from biblicus.guards.network.urls import server_address
from biblicus.guards.processes import cores
from biblicus.models.fields import doc, option
from biblicus.models.recipe import MEANING
from biblicus.models.sources.readers import Reader
from biblicus.service import askers

if TYPE_CHECKING:
    from biblicus.connectors.http.profiles import Profile
    from biblicus.connectors.web.pages import Page
    from biblicus.runs.reports import ReindexReport
    from biblicus.service.admission import Admission
    from biblicus.service.askers.here import Here
    from biblicus.service.corpora import Corpora
    from biblicus.service.offers import Offer
    from biblicus.service.tokens import Tokens
    from biblicus.service.watching import Told, Watcher

_PROCESSES = 4
"""Maximum number of answering processes by default."""
_CORPORA = doc(
    "The corpora to serve (default: the current folder): PATH, NAME=PATH, corpus://NAME, NAME=https://HOST:PORT#CORPUS."
)
_PROFILE = doc("Also offer the interface of a family of clients: memos, desk, capabilities (docs/profiles.md).")


@dataclass(frozen=True, kw_only=True)
class _Serving(TokenFile):
    corpora: tuple[str, ...] = field(default=(), kw_only=False, metadata=_CORPORA)
    host: str = option("127.0.0.1", "The address to listen on; other machines need a token.")
    port: int = option(8765, "The port; 0 means any free one.", ge=0, le=65_535)
    allow_ingest: bool = option(False, "Without a token, also allow everybody on this machine to ingest.")
    allow_host: tuple[str, ...] = option((), "Another host name that requests may use, beside localhost.")
    allow_origin: tuple[str, ...] = option(
        (), "An origin whose pages may call the service, such as https://notes.example."
    )
    public_url: str | None = option(
        None, "The public address of the service: requests may use its host, and OpenAPI names it."
    )
    workers: int | None = option(
        None,
        "Worker processes; 1: this process alone (default: one per core, at most 4, when requests overlap).",
        ge=1,
        le=64,
    )
    queue: int = option(64, "Maximum number of waiting requests; another one gets status 429.", ge=0)
    timeout: float = option(30.0, "Time limit of a request, including its wait.", ge=0.1)
    profile: str | None = option(None, _PROFILE)
    web: bool = option(False, "Also serve the page for browsers. Needs the extra [web].")
    watch: bool = option(False, "Watch the folders and index changes. Needs [watch].")


@contextmanager
def _extra(what: str, extra: str, *packages: str) -> Iterator[None]:
    """Raise `ExtraMissing` if one of the extra's packages cannot be imported inside the `with` statement."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in packages:
            raise ExtraMissing(what, extra) from error
        raise


def _serve(given: Given) -> None:
    options = given.own
    with _extra("The service", "serve", "starlette", "uvicorn"):
        application, gate, server = http.app.application, http.gate, http.server
    tokens = tokens_of(given)
    if not tokens and not network.addresses.is_loopback(options.host):
        raise TokenNeeded(options.host)
    profile = _profile(options.profile, "serve")
    processes = options.workers or min(_PROCESSES, cores())
    served = _opened(options.corpora, profile, processes)
    # Two requests for each process, so that the next one is always ready.
    limits = service.admission.Limits(waiting=options.queue, seconds=options.timeout)
    limits = replace(limits, workers=max(limits.workers, 2 * processes))
    names = gate.as_hosts([*options.allow_host, *_host_of(options.public_url)])
    proxy = gate.Proxy.of(load_settings().proxy)
    access = gate.Access(tokens, options.host, names, frozenset(options.allow_origin), options.allow_ingest, proxy)
    server_socket = server.listening(options.host, options.port)
    if options.workers and served.processes:
        served.processes.start()
    is_followed = options.watch or load_settings().watch
    page = _page(tokens, is_followed=is_followed) if options.web else None
    mounts, is_open = ((*_mounts(), page.mount), page.is_open) if page else (_mounts(), lambda path: False)
    app, served_by = application(served, access, limits, mounts, profile, options.public_url, is_open)
    _log_to_standard_error()
    url_host = f"[{options.host}]" if ":" in options.host else options.host

    def ready() -> None:
        output.line(f"Serving {', '.join(served.names())} on http://{url_host}:{server_socket.getsockname()[1]}")
        sys.stdout.flush()

    with _following(served if is_followed else None):
        server.serve(page.around(app) if page else app, served_by, server_socket, ready)


_LOOK = 0.2
"""Seconds between two progress lines."""
_CLEARED = "\r\x1b[K"


@contextmanager
def _following(served: Corpora | None, told: Told = lambda report: None, call: Call | None = None) -> Iterator[None]:
    """Run watchers of all writable corpora while the service runs; None: watch nothing."""
    names = [name for name in served.here() if served.may_change(name)] if served else []
    watchers = [_watcher(served.owners(name), told, call) for name in names] if served else []
    for watcher in watchers:
        watcher.start()
    try:
        yield
    finally:
        for watcher in watchers:
            watcher.stop()


def _watcher(asker: Here, told: Told, call: Call | None = None) -> Watcher:
    """Return the watcher of a corpus. Raises `ExtraMissing`."""
    with _extra("To follow a folder", "watch", "watchfiles"):
        return service.watching.Watcher(asker, told, call)


@dataclass(frozen=True, kw_only=True)
class _Watching:
    corpora: tuple[str, ...] = field(
        default=(), kw_only=False, metadata=doc("The corpus to follow (default: the current folder).", max_length=1)
    )


def _watch(given: Given) -> None:
    """Watch until Ctrl-C, and print changes."""
    asker = askers.here.here(service.places.folder_of(next(iter(given.own.corpora), State.corpus)))

    def told(report: ReindexReport) -> None:
        output.changes(report.refresh)
        sys.stdout.flush()

    watcher = _watcher(asker, told)
    _log_to_standard_error()
    output.line(f"Following {asker.root}. Ctrl-C ends it.", bold=True)
    sys.stdout.flush()
    try:
        watcher.run()
    finally:
        asker.close()


@dataclass(frozen=True, kw_only=True)
class _Opening:
    corpora: tuple[str, ...] = field(default=(), kw_only=False, metadata=_CORPORA)
    port: int = option(0, "The port; 0 means any free one.", ge=0, le=65_535)
    watch: bool = option(True, "Do not watch the folders: changes are not indexed.")
    browser: bool = option(True, "Do not open a browser: print which file to open in one.")


def _open(given: Given) -> None:
    """Serve the web page on this machine and open it. The access token is passed in a private file, since all users of
    the machine can see arguments."""
    options = given.own
    with _extra("The page", "web", "starlette", "uvicorn"):
        application, server = http.app.application, http.server
    page = _page(None, is_followed=options.watch)
    served = _opened_or_made(options.corpora)
    server_socket = server.listening("127.0.0.1", options.port)
    mounts = (page.mount,)
    app, served_by = application(
        served, http.gate.Access(page.tokens, is_owners=True), mounts=mounts, is_open=page.is_open
    )
    _log_to_standard_error(of_trouble=True)
    address = f"http://127.0.0.1:{server_socket.getsockname()[1]}"
    with page.way_in(address) as file:

        def ready() -> None:
            output.line(f"The page of {', '.join(served.names())} is at {address} (Ctrl-C ends it)")
            output.remark(f"Let in, once and within 30 s: {file.as_uri()}")
            sys.stdout.flush()
            if options.browser:
                _browse(file.as_uri())

        with _following(served if options.watch else None, _indexed, Call(progress=_Line())):
            server.serve(page.around(app), served_by, server_socket, ready)


class _Line:
    """Shows progress as one rewritten line on a terminal."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, step: str, done: int, total: int) -> None:
        if (now := time.monotonic()) >= self._next and sys.stderr.isatty():
            self._next = now + _LOOK
            sys.stderr.write(f"{_CLEARED}{step} {done:,}{f' of {total:,}' if total else ''}")
            sys.stderr.flush()


def _indexed(report: ReindexReport) -> None:
    """Print the result of indexing in one line."""
    if sys.stderr.isatty():
        sys.stderr.write(_CLEARED)
        sys.stderr.flush()
    output.line(f"Indexed: {cli.runs.held(report)}")
    sys.stdout.flush()


def _opened_or_made(names: Sequence[str]) -> Corpora:
    """Open the corpora; outside a corpus, offer a person at the terminal to create one."""
    try:
        return _opened(names, None)
    except CorpusNotFound:
        if names or State.corpus or not output.is_asked():
            raise
        problem = corpus.founding.doubt(Path.cwd())
        question = problem or f"{Path.cwd()} is no corpus yet."
        question += " Make it one? That adds .biblicus; your files stay as they are."
        if not output.confirmed(question, default=problem is None):
            raise
    corpus.founding.create(Path.cwd(), None)
    return _opened((), None)


def _browse(address: str) -> None:
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _page(tokens: Tokens | None, *, is_followed: bool) -> Page:
    """Return the web page with its visitors' sessions. Raises `ExtraMissing`."""
    with _extra("The page", "web", "jinja2", "markupsafe", "markdown_it"):
        return web.pages.Page(tokens, is_followed=is_followed)


def _host_of(address: str | None) -> list[str]:
    """Return the host of an address, if given. Raises `UsageError` for an invalid one."""
    if address is None:
        return []
    try:
        return [urlsplit(server_address(address)).hostname or ""]
    except ValueError as error:
        problem = f"{address} is no address that others could reach: it {error}."
        raise UsageError(problem, "biblicus serve --public-url https://notes.example") from None


def _opened(names: Sequence[str], profile: Profile | None, processes: int = 1) -> Corpora:
    corpora = service.corpora.Corpora.open(names or [str(State.corpus or Path.cwd())], processes)
    if profile is not None:
        if profile.recipe and load_settings().auto_recipe == MEANING:  # for this process and those that it starts
            os.environ["BIBLICUS_AUTO_RECIPE"] = profile.recipe
        profile.prepare(corpora)
    return corpora


def _profile(name: str | None, command: str) -> Profile | None:
    """Return the named profile. Raises `UnknownName`, `ExtraMissing`."""
    if name is None:
        return None
    with _extra("A profile", "serve", "starlette"):
        return http.profiles.find(name, command)


def _mounts() -> tuple[Any, ...]:
    """Return the mount of `/mcp`, if the extra [mcp] is installed."""
    try:
        return (mcp.mount.mount,)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("mcp", "mcp_types"):
            return ()
        raise


def _log_to_standard_error(*, of_trouble: bool = False) -> None:
    """Log to standard error. `of_trouble`: only warnings and errors."""
    import logging  # lazy: other commands do not log

    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s")
    handler.setFormatter(service.log_lines.JsonLines() if load_settings().log_format == "json" else plain)
    logging.basicConfig(level=logging.WARNING if of_trouble else logging.INFO, handlers=[handler])
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # it only counts changes


@dataclass(frozen=True, kw_only=True)
class _Agents:
    corpora: tuple[str, ...] = field(default=(), kw_only=False, metadata=_CORPORA)
    allow_ingest: bool = option(False, "Also offer the tools that add documents and reindex.")
    profile: str | None = option(None, _PROFILE)
    layer: tuple[str, ...] = option((), "Show only this layer of the corpora, or any of several.")
    as_reader: str | None = option(None, AS_READER)
    text: Literal["short", "full"] = option(
        "short", "How much text stands beside the structured answer; full: all of it.", choices=("short", "full")
    )


def _mcp(given: Given) -> None:
    gc.disable()  # objects made while the SDK is imported stay; collecting garbage takes a sixth of the start time
    try:
        with _extra("The MCP server", "mcp", "mcp", "mcp_types"):
            run = mcp.stdio.run
    finally:
        gc.freeze()
        gc.enable()
    profile = _profile(given.own.profile, "mcp")
    corpora = _opened(given.own.corpora, profile)

    def offers(admission: Admission) -> Sequence[Offer]:
        return () if profile is None else profile.offers(http.service.Service(corpora, admission))

    layers = given.own.layer
    if layers and given.own.allow_ingest:
        raise UsageError("Who is pinned to layers reads, and brings nothing in.", "biblicus mcp --layer NAME")
    for name in corpora.here() if layers else ():
        editorial.approvals.check_named(corpora.owners(name).corpus, layers)
    if given.own.as_reader is not None:
        corpora.for_reader(Reader(given.own.as_reader))
    run(corpora, allow_ingest=given.own.allow_ingest, layers=layers, offers=offers, text=given.own.text)


COMMANDS = (
    Command(
        "serve",
        None,
        None,
        help="Serve corpora over HTTP: search, retrieve, ingest, reindex. Needs the extra [serve].",
        own=_Serving,
        reply=_serve,
    ),
    Command(
        "open",
        None,
        None,
        help="Open the page in a browser to search, read and ask. Needs the extra [web].",
        own=_Opening,
        reply=_open,
    ),
    Command(
        "watch",
        None,
        None,
        help="Watch the folder and index changes until Ctrl-C. Needs the extra [watch].",
        own=_Watching,
        reply=_watch,
    ),
    Command(
        "mcp",
        None,
        None,
        help="Serve corpora to an agent over standard input and output (MCP). Needs the extra [mcp].",
        own=_Agents,
        reply=_mcp,
    ),
)

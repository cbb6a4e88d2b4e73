"""Commands of the service: serve, token."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Json, State
from biblicus.errors import ExtraMissing, TokenNeeded

if TYPE_CHECKING:
    from biblicus.service.tokens import Shown, Tokens

_tokens = typer.Typer(help="Tokens for the service: make, list, revoke.", no_args_is_help=True)

TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file", metavar="FILE", help="The file that keeps the tokens' digests (default: this user's)."
    ),
]


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(serve)
    _tokens.command("new")(new)
    _tokens.command("list")(listed)
    _tokens.command("revoke")(revoke)
    app.add_typer(_tokens, name="token")


def serve(
    corpora: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS|NAME=CORPUS]…", help="The corpora to serve (default: where you are)."),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="The address to listen on; beyond this machine a token is needed."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, metavar="N", help="The port; 0: any that is free.")
    ] = 8765,
    token_file: TokenFile = None,
    allow_ingest: Annotated[
        bool, typer.Option("--allow-ingest", help="Without any token, let everybody on this machine ingest too.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A host name to answer to, beside localhost."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", metavar="ORIGIN", help="An origin whose pages may ask: https://notes.example."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=256, metavar="N", help="Questions answered at once (default: a few)."),
    ] = None,
    queue: Annotated[
        int, typer.Option("--queue", min=0, metavar="N", help="Questions that may wait; one more gets 429.")
    ] = 64,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="Deadline of a question, waiting included.")
    ] = 30.0,
) -> None:
    """Serve corpora over HTTP: search, retrieve, ingest, reindex. Needs the extra [serve]."""
    from biblicus.config import load_settings
    from biblicus.service.corpora import Corpora
    from biblicus.service.tokens import Tokens

    try:
        from biblicus.connectors.http.app import application
        from biblicus.connectors.http.gate import Access, as_hosts, is_loopback
        from biblicus.connectors.http.limits import Limits
        from biblicus.connectors.http.server import listening
        from biblicus.connectors.http.server import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("fastapi", "starlette", "uvicorn"):
            raise ExtraMissing("The service", "serve") from error
        raise
    tokens = Tokens(token_file)
    if not tokens and not is_loopback(host):
        raise TokenNeeded(host)
    served = Corpora.open(corpora or [str(State.corpus or Path.cwd())])
    asked = {"waiting": queue, "seconds": timeout, **({"workers": workers} if workers else {})}
    access = Access(tokens, host, as_hosts(allow_host or ()), frozenset(allow_origin or ()), allow_ingest)
    bound = listening(host, port)
    limits = Limits(**asked)  # type: ignore[arg-type]  # names and types of Limits
    app, service = application(served, access, limits, _mounts())
    _log_to_standard_error(load_settings().log_format)
    shown = f"[{host}]" if ":" in host else host
    output.line(f"Serving {', '.join(served.names())} on http://{shown}:{bound.getsockname()[1]}")
    sys.stdout.flush()
    run(app, service, bound)


def _mounts() -> tuple[Any, ...]:
    """`/mcp`, where the extra [mcp] is installed."""
    try:
        from biblicus.connectors.mcp.mount import mount
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("mcp", "mcp_types"):
            return ()
        raise
    return (mount,)


def _log_to_standard_error(form: Literal["text", "json"]) -> None:
    import logging  # lazy: no other command logs

    from biblicus.telemetry import JsonLines

    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s")
    handler.setFormatter(JsonLines() if form == "json" else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def new(
    scope: Annotated[
        Literal["read", "ingest"],
        typer.Option("--scope", metavar="read|ingest", help="What it allows; ingest reads too."),
    ] = "read",
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="What it is for, to know it again.")] = "",
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Make a token and print it, once: only its digest is kept."""
    from biblicus.contracts import Call

    made = _of(token_file).new(scope, name, Call())
    if as_json:
        output.document(made)
        return
    output.line(made.token)
    sys.stderr.write(
        f"Token {made.id} ({made.scope}). It is not shown again; revoke it: biblicus token revoke {made.id}\n"
    )


def listed(token_file: TokenFile = None, as_json: Json = False) -> None:
    """List the tokens; their texts are not kept."""
    found = _of(token_file).list()
    if as_json:
        output.document({"tokens": found})
        return
    output.table([[token.id, token.scope, token.created_at, token.name] for token in found])


def revoke(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token, by the id that `token list` shows.")],
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Revoke a token: a running service refuses it from the next request on."""
    from biblicus.contracts import Call

    gone: Shown = _of(token_file).revoke(token, Call())
    if as_json:
        output.document(gone)
        return
    output.line(f"{gone.id} ({gone.scope}) opens nothing any more.")


def _of(path: Path | None) -> Tokens:
    from biblicus.service.tokens import Tokens

    return Tokens(path)

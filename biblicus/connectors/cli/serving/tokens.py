"""Commands for the tokens of services: new, list, revoke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.models.fields import doc, option
from biblicus.models.sources.readers import GROUP, Reader

if TYPE_CHECKING:
    from biblicus.service.tokens import Made, Shown, Tokens


@dataclass(frozen=True, kw_only=True)
class TokenFile:
    token_file: str | None = option(None, "The file with the digests of the tokens (default: this user's).")


@dataclass(frozen=True, kw_only=True)
class _NewToken(TokenFile):
    scope: Literal["read", "ingest"] = option(
        "read", "What the token allows; ingest includes reading.", choices=("read", "ingest")
    )
    name: str = option("", "A label that says what the token is for.")
    layer: tuple[str, ...] = option((), "Show only this layer of the corpora, or any of several.")
    reader: str = option(
        "", "The reader who uses the token, who sees what is theirs (default: only what is open to all)."
    )
    groups: tuple[str, ...] = option((), "A group of the reader.")


@dataclass(frozen=True, kw_only=True)
class _OldToken(TokenFile):
    token: str = field(kw_only=False, metadata=doc("The token, by the id that `token list` shows."))


def tokens_of(given: Given) -> Tokens:
    """Return the tokens in the command's file, or this user's."""
    from biblicus.service.tokens import Tokens

    return Tokens(None if given.own.token_file is None else Path(given.own.token_file))


def _new(made: Made, given: Given) -> None:
    output.line(made.token)
    output.remark(f"Token {made.id} ({made.scope}). It is not shown again; revoke it: biblicus token revoke {made.id}")


def _list(tokens: Sequence[Shown], given: Given) -> None:
    rows = [(t.id, t.scope, t.created_at, ",".join(t.layers), _readers(t), t.name) for t in tokens]
    output.table([list(row) for row in rows])


def _readers(token: Shown) -> str:
    return ",".join([*filter(None, [token.reader]), *(GROUP + group for group in token.groups)])


def _revoke(gone: Shown, given: Given) -> None:
    output.line(f"{gone.id} ({gone.scope}) opens nothing any more.")


COMMANDS = (
    Command(
        "token new",
        None,
        _new,
        help="Create a token and print it once: only its digest is stored.",
        own=_NewToken,
        reply=lambda given: tokens_of(given).new(
            given.own.scope, given.own.name, given.call, given.own.layer, Reader(given.own.reader, given.own.groups)
        ),
    ),
    Command(
        "token list",
        None,
        _list,
        help="List the tokens. Their secret texts are not stored.",
        own=TokenFile,
        reply=lambda given: tokens_of(given).list(),
        document=lambda tokens, _: {"tokens": tokens},
        lists="",
    ),
    Command(
        "token revoke",
        None,
        _revoke,
        help="Revoke a token. A running service refuses it from the next request on.",
        own=_OldToken,
        reply=lambda given: tokens_of(given).revoke(given.own.token, given.call),
    ),
)

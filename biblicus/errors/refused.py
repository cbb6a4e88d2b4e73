"""Authorisation, trust or safety forbids it."""

from __future__ import annotations

from collections.abc import Sequence

from biblicus.errors.families import Refused, SearchError


class Untrusted(Refused, SearchError):
    """A materialization or cache was not sealed by this machine."""

    code = "untrusted"

    def __init__(self, what: str, *, is_ours: bool = True) -> None:
        """`is_ours`: this user made the folder and may build it anew."""
        hint = "biblicus reindex (or: biblicus trust)" if is_ours else "biblicus trust, if you trust whoever built it"
        super().__init__(f"{what} was not built on this machine and is not opened.", hint)


class StoreUnprotected(Refused):
    """A database elsewhere would be spoken to without TLS."""

    code = "store_unprotected"

    def __init__(self, name: str, how: str, hint: str) -> None:
        super().__init__(f"The store {name} is on another machine, and {how} sends what it is told unprotected.", hint)


class SourceUntrusted(Refused):
    """A source that somebody else listed: a committed file causes no connection before this user trusts it."""

    code = "source_untrusted"

    def __init__(self, name: str, where: str) -> None:
        super().__init__(f"The source {name} ({where}) is not trusted on this machine yet.", "biblicus trust")


class SourceNotAllowed(Refused):
    """A source lies on this machine, outside the corpus, and this user has not allowed that."""

    code = "source_not_allowed"

    def __init__(self, name: str, where: str) -> None:
        super().__init__(
            f"The source {name} lies on this machine ({where}).", f"biblicus sources sync {name} --allow-local"
        )


class NotPromoted(Refused):
    """What a layer asks of a promotion is not there, or the way to it is blocked."""

    code = "not_promoted"


class LayerPinned(Refused):
    """Who asks may see certain layers, and asked for more."""

    code = "layer_pinned"

    def __init__(self, asked: str, layers: Sequence[str]) -> None:
        names = ", ".join(layers)
        super().__init__(f"{asked} is not answered here, where only {names} is shown.")


class UnsafeInput(Refused):
    """An input that a safety rule turns away: a special file, an escaping path, an address, a bomb."""

    code = "unsafe_input"


class FormRefused(Refused):
    """A form of the page came without the token that the page had put into it."""

    code = "form_refused"

    def __init__(self) -> None:
        super().__init__("This form is not from a page that was shown here.", "load the page again")


class Unauthorized(Refused):
    """The service asks for a token and got none, or one it does not know."""

    code = "unauthorized"

    def __init__(self) -> None:
        super().__init__("This service needs a valid token.", "BIBLICUS_TOKEN=… (from: biblicus token new)")


class ScopeMissing(Refused):
    """The token is known and does not reach that far."""

    code = "scope_missing"

    def __init__(self, scope: str) -> None:
        super().__init__(f"That needs the scope {scope}.", f"biblicus token new --scope {scope}")


class OriginRefused(Refused):
    """A page of another origin asked, through somebody's browser."""

    code = "origin_refused"

    def __init__(self) -> None:
        super().__init__("Pages of that origin may not ask this service.", "biblicus serve --allow-origin ORIGIN")


class HandedRound(Refused):
    """Services hand a question on, one to the next, and it does not end."""

    code = "handed_round"

    def __init__(self) -> None:
        super().__init__(
            "The question came back to a service that had handed it on, or came through too many: one serves itself, "
            "or two each other.",
            "leave that name out: biblicus serve PATH NAME=https://…",
        )


class TokenNeeded(Refused):
    """A service that others reach is started only with tokens."""

    code = "token_needed"

    def __init__(self, host: str) -> None:
        super().__init__(f"On {host} others reach this service, and there is no token yet.", "biblicus token new")


class ReadOnlyCorpus(Refused):
    code = "read_only"

    def __init__(self, name: str) -> None:
        super().__init__(f'The corpus "{name}" is read-only here.')

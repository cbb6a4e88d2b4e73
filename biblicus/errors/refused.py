"""Errors for actions that authorisation, trust or safety forbids."""

from __future__ import annotations

from collections.abc import Sequence

from biblicus.errors.families import Refused, SearchError


class Untrusted(Refused, SearchError):
    """A materialization or cache was not sealed by this machine."""

    def __init__(self, what: str, *, is_ours: bool = True) -> None:
        """Create the error. `is_ours`: this user owns the folder and may rebuild it."""
        hint = "biblicus reindex (or: biblicus trust)" if is_ours else "biblicus trust, if you trust whoever built it"
        super().__init__(f"{what} was not built on this machine and is not opened.", hint)


class StoreUnprotected(Refused):
    """A connection to a remote database would not use TLS."""

    def __init__(self, name: str, how: str, hint: str) -> None:
        super().__init__(f"The store {name} is on another machine, and {how} does not encrypt what it sends.", hint)


class SourceUntrusted(Refused):
    """A source added by somebody else; this user must trust it before any connection."""

    def __init__(self, name: str, where: str) -> None:
        super().__init__(f"The source {name} ({where}) is not trusted on this machine yet.", "biblicus trust")


class SourceNotAllowed(Refused):
    """A source is a local path outside the corpus, which this user has not allowed."""

    def __init__(self, name: str, where: str) -> None:
        super().__init__(
            f"The source {name} lies on this machine ({where}).", f"biblicus sources sync {name} --allow-local"
        )


class NotPromoted(Refused):
    """A promotion lacks a layer's requirement, or another file is in the way."""


class LayerPinned(Refused):
    """A client limited to certain layers requested another one."""

    def __init__(self, asked: str, layers: Sequence[str]) -> None:
        names = ", ".join(layers)
        super().__init__(f"{asked} is not answered here, where only {names} is shown.")


class ReaderLimited(Refused):
    """The corpus hides items from some readers, and this is not answered to them."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is only for the owner, at a terminal: the corpus has items for certain readers.")


class UnsafeInput(Refused):
    """A safety rule refuses the input: a special file, an escaping path, an address, a decompression bomb."""


class FormRefused(Refused):
    """A web form was sent without the token that its page contains."""

    def __init__(self) -> None:
        super().__init__("This form is not from a page that was shown here.", "load the page again")


class Unauthorized(Refused):
    """The service needs a token, and none or an unknown one was sent."""

    def __init__(self) -> None:
        super().__init__("This service needs a valid token.", "BIBLICUS_TOKEN=… (from: biblicus token new)")


class ScopeMissing(Refused):
    """The token does not have the required scope."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"That needs the scope {scope}.", f"biblicus token new --scope {scope}")


class OriginRefused(Refused):
    """A web page of another origin sent the request through a browser."""

    def __init__(self) -> None:
        super().__init__("Pages of that origin may not call this service.", "biblicus serve --allow-origin ORIGIN")


class HandedRound(Refused):
    """Services forward a request to each other in a loop."""

    def __init__(self) -> None:
        super().__init__(
            "The request came back to a service that had forwarded it, or passed too many services: "
            "they forward in a loop.",
            "leave that name out: biblicus serve PATH NAME=https://…",
        )


class TokenNeeded(Refused):
    """A service that others can reach must be started with tokens."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"Other machines can reach this service on {host}, and there is no token yet.", "biblicus token new"
        )


class ReadOnlyCorpus(Refused):
    code = "read_only"

    def __init__(self, name: str) -> None:
        hint = "give it another name in places, or where it is served, to change it" if name == "system" else ""
        super().__init__(f'The corpus "{name}" is read-only here.', hint)

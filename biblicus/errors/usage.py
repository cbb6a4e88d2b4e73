"""Errors for invalid arguments."""

from __future__ import annotations

from collections.abc import Sequence

from biblicus.errors.families import UsageError


class BlankQuestion(UsageError):
    def __init__(self) -> None:
        super().__init__("The question is blank.", 'biblicus query "your question"')


class NotUtf8(UsageError):
    """The locale's encoding cannot represent all file names of a corpus."""

    def __init__(self, encoding: str) -> None:
        super().__init__(f"Python reads file names as {encoding} here; a corpus needs UTF-8.", "export PYTHONUTF8=1")


class UnknownName(UsageError):
    """An unknown plug-in, option value or other member of a closed set."""

    def __init__(self, kind: str, name: str, known: Sequence[str], hint: str = "") -> None:
        super().__init__(f'There is no {kind} "{name}"; known: {", ".join(known) or "none"}.', hint)


class CorpusExists(UsageError):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is already a corpus.", "biblicus ingest")


class OutOfBounds(UsageError):
    """The item does not have this span, line range or page."""

    def __init__(self, what: str, available: str) -> None:
        super().__init__(f"{what} is outside the item, which has {available}.", "biblicus show ITEM")


class NotHttp(UsageError):
    """The received data are no HTTP request."""

    def __init__(self) -> None:
        super().__init__("That is not an HTTP request.")


class MethodRefused(UsageError):
    """The address does not support this method."""

    code = "method_not_allowed"

    def __init__(self, methods: Sequence[str] = ()) -> None:
        takes = f"takes {' and '.join(methods)} alone" if methods else "does not take that method"
        super().__init__(f"This address {takes}.", "GET /openapi.json")


class ContentTypeRefused(UsageError):
    """The body of the request has an unsupported type."""

    code = "content_type"

    def __init__(self, wanted: str) -> None:
        super().__init__(f"The body must be {wanted}.", f"Content-Type: {wanted}")


class HostRefused(UsageError):
    """The request's host name is not the service's, perhaps because of DNS rebinding."""

    def __init__(self) -> None:
        super().__init__("This service does not answer to that host name.", "biblicus serve --allow-host NAME")


class AmbiguousItem(UsageError):
    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(candidates[:5]) + (", …" if len(candidates) > 5 else "")
        super().__init__(f'"{name}" fits several items: {shown}.', "biblicus show LONGER-ID")


class AmbiguousRun(UsageError):
    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(candidates[-3:]) + (", …" if len(candidates) > 3 else "")
        super().__init__(f'"{name}" fits {len(candidates)} runs: {shown}.', "biblicus runs list")

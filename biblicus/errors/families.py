"""Error families, one per exit code, and groups by what failed.

An error's family is the kind of failure and determines the exit code. A group is the part of Biblicus that failed,
across families: code that runs queries may catch `SearchError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Category = Literal["internal", "usage", "not_found", "check_failed", "bad_data", "partition", "unavailable", "refused"]
"""Kind of failure: the family, or `partition` for an unreachable place."""


def typed(name: str) -> str:
    """Return a name as a shell argument: quoted if needed, and never read as an option."""
    if name.isascii() and name.replace("/", "").replace(".", "").replace("_", "").isalnum():
        return name
    from shlex import quote  # lazy: few names need it

    return quote(f"./{name}" if name.startswith("-") else name)


class BiblicusError(Exception):
    """Base of all errors that a person can act on.

    A class without a `code` has its own name as one: `RunNotFound` is `run_not_found`. Groups, `…Error`, add none."""

    code = "internal"
    category: Category = "internal"
    exit_code = 1

    def __init_subclass__(cls) -> None:
        if "code" not in vars(cls) and not cls.__name__.endswith("Error"):
            cls.code = "".join(f"_{part.lower()}" if part.isupper() else part for part in cls.__name__).lstrip("_")

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_object(self) -> dict[str, str]:
        """Return the JSON object for the last line of standard error."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


# --- the families, one per exit code ---------------------------------------------------------------------------------


class UsageError(BiblicusError):
    """The arguments of a call are invalid."""

    code = "usage"
    category: Category = "usage"
    exit_code = 2


class NotFound(BiblicusError):
    """The named object does not exist here."""

    category: Category = "not_found"
    exit_code = 3


class CheckFailed(BiblicusError):
    """A requested check or gate failed."""

    category: Category = "check_failed"
    exit_code = 4


class BadData(BiblicusError):
    """A file or a received document is invalid."""

    category: Category = "bad_data"
    exit_code = 5


class Unavailable(BiblicusError):
    """A required resource is unavailable now: an extra, disk space, a lock, a service."""

    category: Category = "unavailable"
    exit_code = 6


class Refused(BiblicusError):
    """Authorisation, trust or safety forbids it."""

    category: Category = "refused"
    exit_code = 7


FAMILIES = (UsageError, NotFound, CheckFailed, BadData, Unavailable, Refused)


# --- groups, by what failed ------------------------------------------------------------------------------------------


class SearchError(BiblicusError):
    """A query could not be answered: there is no run, or it cannot be used."""


class LexicalIndexError(SearchError):
    """The lexical index cannot be searched."""


class VectorIndexError(SearchError):
    """The vector index cannot be searched: its vectors are missing or damaged, or its embedder does not reply."""


GROUPS = (SearchError, LexicalIndexError, VectorIndexError)


# --- errors that came over a wire -----------------------------------------------------------------------------------


def from_object(document: Mapping[str, object], category: object = None) -> BiblicusError:
    """Create the error that a service or daemon sent, of the class with its code.

    An unknown code becomes the family of its category, so that exit codes stay valid across versions."""
    code = str(document.get("code") or "internal")
    known = {cls.code: cls for cls in reversed(_tree(BiblicusError))}
    families: dict[object, type[BiblicusError]] = {family.category: family for family in FAMILIES}
    family = known.get(code) or families.get(category, BiblicusError)
    error = family.__new__(family)
    BiblicusError.__init__(error, str(document.get("message") or "Something failed."), str(document.get("hint") or ""))
    error.code = code
    return error


def _tree(top: type[BiblicusError]) -> list[type[BiblicusError]]:
    """Return a class and all its subclasses, parents first."""
    return [top, *(cls for child in top.__subclasses__() for cls in _tree(child))]

"""What every error is: the families, one per exit code, and groups by what failed.

An error's family says what kind of failure it is, and with it the exit code. A group says which part of the house
failed, across families: who asks questions may catch `SearchError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Category = Literal["internal", "usage", "not_found", "check_failed", "bad_data", "partition", "unavailable", "refused"]
"""What kind of failure it is: its family, or `partition`: a place that cannot be reached."""


def typed(name: str) -> str:
    """A name as a command takes it: quoted where a shell would part it, and never taken for an option."""
    if name.isascii() and name.replace("/", "").replace(".", "").replace("_", "").isalnum():
        return name
    from shlex import quote  # lazy: few names need it

    return quote(f"./{name}" if name.startswith("-") else name)


class BiblicusError(Exception):
    """Something went wrong that a person can act on."""

    code = "internal"
    category: Category = "internal"
    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_object(self) -> dict[str, str]:
        """The object that programs read from the last line of standard error."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


# --- the families, one per exit code ---------------------------------------------------------------------------------


class UsageError(BiblicusError):
    """The call's own words are off."""

    code = "usage"
    category: Category = "usage"
    exit_code = 2


class NotFound(BiblicusError):
    """What was named does not exist here."""

    code = "not_found"
    category: Category = "not_found"
    exit_code = 3


class CheckFailed(BiblicusError):
    """A check or gate that was asked for did not pass."""

    code = "check_failed"
    category: Category = "check_failed"
    exit_code = 4


class BadData(BiblicusError):
    """A file on disk or a document on the wire is not what it should be."""

    code = "bad_data"
    category: Category = "bad_data"
    exit_code = 5


class Unavailable(BiblicusError):
    """Something needed is not there for now: an extra, a disk with room, a lock, a service."""

    code = "unavailable"
    category: Category = "unavailable"
    exit_code = 6


class Refused(BiblicusError):
    """Authorisation, trust or safety forbids it."""

    code = "refused"
    category: Category = "refused"
    exit_code = 7


FAMILIES = (UsageError, NotFound, CheckFailed, BadData, Unavailable, Refused)


# --- groups, by what failed ------------------------------------------------------------------------------------------


class SearchError(BiblicusError):
    """A question could not be answered from what is built: there is no run, or it cannot be used."""


class LexicalIndexError(SearchError):
    """The index by words cannot be searched."""


class VectorIndexError(SearchError):
    """The index by meaning cannot be searched: its vectors are gone or damaged, or their model does not answer."""


GROUPS = (SearchError, LexicalIndexError, VectorIndexError)


# --- errors that came over a wire -----------------------------------------------------------------------------------


def from_object(document: Mapping[str, object], category: object = None) -> BiblicusError:
    """The error that a service or daemon sent, of the class that has its code.

    A code that nothing here knows becomes the family of its category, so that exit codes hold across versions.
    """
    code = str(document.get("code") or "internal")
    known = {cls.code: cls for cls in reversed(_tree(BiblicusError))}
    families: dict[object, type[BiblicusError]] = {family.category: family for family in FAMILIES}
    family = known.get(code) or families.get(category, BiblicusError)
    error = family.__new__(family)
    BiblicusError.__init__(error, str(document.get("message") or "Something failed."), str(document.get("hint") or ""))
    error.code = code
    return error


def _tree(top: type[BiblicusError]) -> list[type[BiblicusError]]:
    """The class and all below it, parents first."""
    return [top, *(cls for child in top.__subclasses__() for cls in _tree(child))]

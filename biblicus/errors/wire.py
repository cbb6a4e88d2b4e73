"""Errors that came over a wire."""

from __future__ import annotations

from collections.abc import Mapping

from biblicus.errors.families import FAMILIES, BiblicusError


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

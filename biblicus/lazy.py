"""Modules that are imported at their first use, so that a command loads those it needs and no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["NDArray", "modules_of", "np"]


def modules_of(package: str, homes: Mapping[str, str] = MappingProxyType({})) -> Callable[[str], Any]:
    """Return a package's `__getattr__`: it imports modules, and names from the modules in `homes` (PEP 562)."""

    def attribute(name: str) -> Any:
        if name in homes:
            return getattr(import_module(homes[name]), name)
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return attribute


def _library(name: str) -> ModuleType:
    """Return a module that imports the library `name` when an attribute is first needed, and keeps the attribute."""
    module = ModuleType(name)

    def attribute(key: str) -> Any:
        setattr(module, key, value := getattr(import_module(name), key))
        return value

    vars(module)["__getattr__"] = attribute
    return module


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = _library("numpy")
    NDArray = Any  # in annotations, which are not evaluated

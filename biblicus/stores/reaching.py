"""Shared parts of connection settings: the target, and reading secrets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from biblicus.errors import ConfigInvalid


class Target:
    """Connection target of a store. It contains secrets: its repr hides them, and it cannot be pickled.
    `connections`: maximum number at a time, where the client has a pool."""

    __slots__ = ("_parameters", "connections", "name")

    def __init__(self, name: str, parameters: Mapping[str, str], connections: int = 0) -> None:
        self.name, self._parameters, self.connections = name, dict(parameters), connections

    def parameters(self) -> dict[str, str]:
        """Return the parameters for the engine's client."""
        return dict(self._parameters)

    def __repr__(self) -> str:
        return f"Target({self.name!r})"

    def __reduce__(self) -> Any:
        raise TypeError("Where a store connects to stays in its process.")


def secret(
    where: str,
    kind: str,
    itself: SecretStr | None,
    variable: str | None,
    file: str | None,
    environment: Mapping[str, str],
) -> str | None:
    """Return a secret given directly, by a variable or by a file."""
    if sum(source is not None for source in (itself, variable, file)) > 1:
        raise ConfigInvalid(where, f"say the {kind} once: itself, by its variable, or by its file.")
    if variable is not None:
        if variable not in environment:
            raise ConfigInvalid(where, f"the variable {variable} is not set.", f"export {variable}=…")
        return environment[variable]
    if file is not None:
        try:
            return Path(file).expanduser().read_text("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError):
            raise ConfigInvalid(where, f"the file {file} cannot be read.") from None
    return itself.get_secret_value() if itself is not None else None

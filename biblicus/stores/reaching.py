"""How a store is reached, as the user's own settings say it: secrets from where they are, and what is this machine."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path

from pydantic import SecretStr

from biblicus.errors import ConfigInvalid


def secret(
    where: str,
    kind: str,
    said: SecretStr | None,
    variable: str | None,
    file: str | None,
    environment: Mapping[str, str],
) -> str | None:
    """A secret from where the settings say that it is."""
    if sum(one is not None for one in (said, variable, file)) > 1:
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
    return said.get_secret_value() if said is not None else None


def is_loopback(host: str) -> bool:
    """Whether a host's name or address is this machine for sure."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False

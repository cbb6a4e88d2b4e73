"""A server in the user's configuration: its address, and the environment variable that contains its key."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, Field

from biblicus.errors import BiblicusError
from biblicus.guards.network.urls import server_address

Address = Annotated[str, AfterValidator(server_address)]
KeyName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
"""Name of the environment variable."""


def headers_of(model: str, key_env: str | None, failure: Callable[[str, str, str], BiblicusError]) -> dict[str, str]:
    """Return the request headers with the key from the variable `key_env`, if one is named.
    If that variable is empty, raise `failure(model, cause, remedy)`."""
    if key_env is None:
        return {}
    key = os.environ.get(key_env, "")
    if not key or not key.isprintable() or not key.isascii():
        raise failure(model, f"the environment variable {key_env} holds no key", f"export {key_env}=…")
    return {"Authorization": f"Bearer {key}"}


def remedy(key_env: str | None) -> str:
    """Return the command to type if a server refuses the key."""
    return f"export {key_env or 'YOUR_KEY'}=… (and name it as key_env in your configuration)"

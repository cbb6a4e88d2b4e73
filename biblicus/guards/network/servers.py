"""What the user's configuration says of a server: its address, and which variable of the environment holds its key."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, Field

from biblicus.errors import BiblicusError
from biblicus.guards.network.urls import server_address

Address = Annotated[str, AfterValidator(server_address)]
KeyName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
"""What the variable is called."""


def headers_of(model: str, key_env: str | None, failure: Callable[[str, str, str], BiblicusError]) -> dict[str, str]:
    """What a request is sent with: the key, where a variable for it is named. Raises the `failure` that is made of the
    model, the cause and what to type, where that variable holds none."""
    if key_env is None:
        return {}
    key = os.environ.get(key_env, "")
    if not key or not key.isprintable() or not key.isascii():
        raise failure(model, f"the environment variable {key_env} holds no key", f"export {key_env}=…")
    return {"Authorization": f"Bearer {key}"}


def remedy(key_env: str | None) -> str:
    """What to type where a server wants another key."""
    return f"export {key_env or 'YOUR_KEY'}=… (and name it as key_env in your configuration)"

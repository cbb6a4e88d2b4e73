"""Connection settings for Milvus from the user's configuration: address, token, TLS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from biblicus.errors import ConfigInvalid, StoreUnprotected
from biblicus.guards.network.addresses import is_loopback
from biblicus.stores.reaching import Target, secret


class Options(BaseModel):
    """Options of a store `milvus`.

    `uri`: its address. `token`: `USER:PASSWORD` or a key; or `token_env`, `token_file`: a variable or file with it.
    `database`: one of the server's. `certificate`: file of the authority that signs its certificate. `partitions`:
    number of partitions of a run's chunks; those of an item stay together."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    uri: str = "http://127.0.0.1:19530"
    token: SecretStr | None = None
    token_env: str | None = None
    token_file: str | None = None
    database: str = ""
    certificate: str | None = None
    partitions: Annotated[int, Field(ge=1, le=1_024)] = 1


def target(name: str, options: Options, environment: Mapping[str, str] = os.environ) -> Target:
    """Return the connection target. Raises `ConfigInvalid`, or `StoreUnprotected` if TLS is missing."""
    where = f"stores.{name}"
    scheme, host = _parts(options.uri)
    if not host:
        raise ConfigInvalid(where, "its uri is not http://HOST:PORT or https://HOST:PORT, without a name or password.")
    if scheme == "http" and not is_loopback(host):
        raise StoreUnprotected(name, "http", "https in its uri")
    parameters = {"uri": options.uri, "db_name": options.database}
    if token := secret(where, "token", options.token, options.token_env, options.token_file, environment):
        parameters["token"] = token
    if options.certificate:
        parameters["server_pem_path"] = os.path.expanduser(options.certificate)
    return Target(name, parameters)


def _parts(uri: str) -> tuple[str, str]:
    """Return scheme and host of an address with a port; empty if it is invalid."""
    try:
        parts = urlsplit(uri)
        is_plain = parts.scheme in ("http", "https") and parts.port is not None and "@" not in parts.netloc
    except ValueError:
        return "", ""
    return (parts.scheme, parts.hostname or "") if is_plain else ("", "")

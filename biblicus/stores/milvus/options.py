"""How a Milvus is reached, as the user's own settings say it: its address, its token, TLS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from biblicus.errors import ConfigInvalid, StoreUnprotected
from biblicus.stores.reaching import Target, is_loopback, secret


class Options(BaseModel):
    """Of a store `milvus`. `uri`: where it listens; `token` (`USER:PASSWORD`, or a key), `token_env`, `token_file`:
    itself, or a variable or a file that holds it. `database`: one of the server's; `certificate`: a file with the
    authority that its certificate is checked against. `partitions`: among how many the chunks of a run are shared out,
    all of an item's in one."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    uri: str = "http://127.0.0.1:19530"
    token: SecretStr | None = None
    token_env: str | None = None
    token_file: str | None = None
    database: str = ""
    certificate: str | None = None
    partitions: Annotated[int, Field(ge=1, le=1_024)] = 1


def target(name: str, options: Options, environment: Mapping[str, str] = os.environ) -> Target:
    """Where to connect to. Raises `ConfigInvalid`, `StoreUnprotected` where that would be without TLS."""
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
    """Scheme and host of an address with a port; empty where it is none."""
    try:
        parts = urlsplit(uri)
        is_plain = parts.scheme in ("http", "https") and parts.port is not None and "@" not in parts.netloc
    except ValueError:
        return "", ""
    return (parts.scheme, parts.hostname or "") if is_plain else ("", "")

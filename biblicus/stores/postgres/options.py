"""Connection settings for PostgreSQL from the user's configuration: addresses, secrets, TLS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from biblicus.errors import ConfigInvalid, ExtraMissing
from biblicus.errors import StoreUnprotected as StoreUnprotected
from biblicus.guards.network.addresses import is_loopback
from biblicus.stores.reaching import Target, secret

_SAFE = ("verify-full", "verify-ca", "require")
_SECONDS = 10
_ALIVE = {"keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"}
"""Keepalive settings that detect a vanished machine."""
_BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


class Options(BaseModel):
    """Options of a store `postgres`.

    `dsn`: a connection string; or `dsn_env`, `dsn_file`: a variable or file with it. `password_env`, `password_file`:
    of the password alone. `connections`: maximum number at a time."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    dsn: SecretStr | None = None
    dsn_env: str | None = None
    dsn_file: str | None = None
    password_env: str | None = None
    password_file: str | None = None
    connections: Annotated[int, Field(ge=1, le=1000)] = 16


class ShardsOptions(BaseModel):
    """Options of a store `shards`. `nodes`: names of the `postgres` stores that each run is spread over."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    nodes: Annotated[list[str], Field(min_length=1, max_length=64)]


def target(name: str, options: Options, environment: Mapping[str, str] = os.environ) -> Target:
    """Return the connection target. Raises `ConfigInvalid`, or `StoreUnprotected` if TLS is missing."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        raise ExtraMissing("The store postgres", "postgres") from None
    where = f"stores.{name}"
    dsn = secret(where, "dsn", options.dsn, options.dsn_env, options.dsn_file, environment)
    read: dict[str, Any] | None = None
    with suppress(ProgrammingError):  # its message repeats its input: it is not even kept as a cause
        read = conninfo_to_dict(dsn or "")
    if read is None:
        raise ConfigInvalid(where, "its dsn is no connection string of PostgreSQL.")
    parameters = {key: str(value) for key, value in read.items() if value is not None}
    if password := secret(where, "password", None, options.password_env, options.password_file, environment):
        parameters["password"] = password
    parameters.setdefault("connect_timeout", str(_SECONDS))
    parameters.setdefault("application_name", "biblicus")
    parameters = {**_ALIVE, **parameters}
    if not _is_here(parameters, environment):
        mode = parameters.setdefault("sslmode", "verify-full")
        if mode not in _SAFE:
            raise StoreUnprotected(name, f"sslmode={mode}", "sslmode=verify-full in its dsn")
        if mode == "verify-full":
            parameters.setdefault("sslrootcert", _roots())
        parameters.setdefault("gssencmode", "disable")
    return Target(name, parameters, options.connections)


def _roots() -> str:
    """Return the file of trusted certificates: the user's for PostgreSQL, else the system's.
    A libpq bundled with psycopg does not know the system's location."""
    from ssl import get_default_verify_paths

    places = ("~/.postgresql/root.crt", get_default_verify_paths().cafile or "", *_BUNDLES)
    return next((place for place in map(os.path.expanduser, places) if os.path.isfile(place)), "system")


def _is_here(parameters: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Return true if every address is a socket or a loopback address. A service file could contain any."""
    if "service" in parameters or "PGSERVICE" in environment:
        return False
    named = [parameters.get(key) or environment.get(variable) or "" for key, variable in _ADDRESSES]
    addresses = [address for hosts in named for address in hosts.split(",") if hosts]
    return all(map(_is_local, addresses))


_ADDRESSES = (("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"))


def _is_local(address: str) -> bool:
    return not address or address.startswith(("/", "@")) or is_loopback(address)

"""Connection settings for stores from the user's configuration: addresses, secrets, TLS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from biblicus.errors import ConfigInvalid, ExtraMissing
from biblicus.errors import StoreUnprotected as StoreUnprotected
from biblicus.guards.network.addresses import is_loopback

_SAFE = ("verify-full", "verify-ca", "require")
_SECONDS = 10
_ALIVE = {"keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"}
"""Keepalive settings that detect a vanished machine."""
_BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


class PostgresOptions(BaseModel):
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


def postgres_target(name: str, options: PostgresOptions, environment: Mapping[str, str] = os.environ) -> Target:
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


class MilvusOptions(BaseModel):
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


def milvus_target(name: str, options: MilvusOptions, environment: Mapping[str, str] = os.environ) -> Target:
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

"""The reader that a proxy names in headers, if the request comes from it and has its secret."""

from __future__ import annotations

import hmac
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from starlette.types import Scope

from biblicus.config import ProxySetting
from biblicus.disk import files
from biblicus.errors import ConfigInvalid
from biblicus.models.sources.readers import ANYBODY, GROUP, Reader, name_of

SECRET = b"biblicus-proxy"
_SHORTEST = 16


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy of the user's settings, with its secret."""

    setting: ProxySetting
    secret: bytes

    @classmethod
    def of(cls, setting: ProxySetting | None) -> Self | None:
        """Return the proxy of the settings. Raises `ConfigInvalid` if its secret is missing or short."""
        if setting is None:
            return None
        secret = b""
        if setting.secret_file:
            secret = files.read(Path(setting.secret_file).expanduser(), limit=files.SMALL).strip()
        elif setting.secret_env:
            secret = os.environ.get(setting.secret_env, "").encode()
        if len(secret) < _SHORTEST:
            problem = f"proxy: its secret needs {_SHORTEST} characters, in secret_file or secret_env."
            raise ConfigInvalid("the settings", problem)
        return cls(setting, secret)

    def reader(self, scope: Scope) -> Reader | None:
        """Return the reader in the headers; None if the proxy did not send them."""
        client = scope.get("client")
        sent_secret = _once(scope, SECRET)
        if not client or client[0] != self.setting.address or not hmac.compare_digest(sent_secret, self.secret):
            return None
        name = name_of(_once(scope, self.setting.header.lower().encode()).decode("utf-8", "replace"))
        if not name or name.startswith(GROUP):
            return ANYBODY
        groups = _once(scope, self.setting.groups_header.lower().encode()).decode("utf-8", "replace")
        return Reader(name, tuple(filter(None, map(name_of, groups.split(",")))))


def _once(scope: Scope, header: bytes) -> bytes:
    """Return a header's value; empty if it is absent or stands twice."""
    values: list[bytes] = [value for name, value in scope["headers"] if name == header]
    return values[0] if len(values) == 1 else b""

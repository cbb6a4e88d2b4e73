"""One call of a tool or resource: which corpora it may reach, and how their answers come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biblicus.contracts import Call
from biblicus.models import requests
from biblicus.models.plain import plain
from biblicus.service.corpora import Corpora

Object = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """`remote`: perhaps asked from another machine. `arguments`: as they came; a cursor belongs to them."""

    corpora: Corpora
    remote: bool
    call: Call
    arguments: Mapping[str, Any]

    def one(self, verb: str, corpus: str | None, request: requests.Request) -> Object:
        """The answer of one corpus as JSON values."""
        found: Object = plain(self.corpora.ask(verb, corpus, request, self.call, remote=self.remote))
        return found

    def names(self) -> list[str]:
        return self.corpora.names(remote=self.remote)

"""Which store keeps a corpus's runs: what the user's own settings say of this folder, and nothing else.

A corpus says nothing of it. A copy of one has another folder, and what it says of itself opens nobody's schema.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from typing import TYPE_CHECKING

from biblicus.config import options_of, settings_file
from biblicus.disk import seals
from biblicus.errors import ConfigInvalid, UnknownStore
from biblicus.stores.local import LocalStore

if TYPE_CHECKING:
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.stores.contract import RunStore

LOCAL = "local"
_ENGINES = ("postgres",)
_TAKEN = ("pg_", "public", "information_schema")


def store_of(corpus: CorpusFolder) -> RunStore:
    """The store of a corpus. Raises `ConfigInvalid`, `UnknownStore`, `ExtraMissing`, `StoreUnprotected`."""
    settings = corpus.settings
    folder = os.path.realpath(corpus.root)
    bound = next(
        (one for place, one in settings.corpora.items() if os.path.realpath(os.path.expanduser(place)) == folder), None
    )
    name = settings.store or (bound.store if bound else LOCAL)
    if name == LOCAL:
        return LocalStore(corpus.index)
    if name not in settings.stores:
        raise UnknownStore(name, [LOCAL, *settings.stores], str(settings_file()))
    setting = settings.stores[name]
    if bound and bound.schema_.startswith(_TAKEN):
        raise ConfigInvalid(f"corpora.{folder}", f"{bound.schema_} is not for a corpus; name another schema.")
    if setting.by not in _ENGINES:
        raise ConfigInvalid(f"stores.{name}", f"no engine is called {setting.by}; known: {', '.join(_ENGINES)}.")
    from biblicus.stores.postgres.options import Options, target  # lazy: only where it is configured

    options = options_of(Options, setting.model_extra or {}, f"stores.{name}")
    reached = target(name, options)
    from biblicus.stores.postgres.server import server
    from biblicus.stores.postgres.store import PostgresStore

    clone = clone_of(folder)
    schema = bound.schema_ if bound and bound.store == name and bound.schema_ else f"corpus_{clone}"
    return PostgresStore(server(reached), schema, corpus.config.corpus_id, clone, corpus.index)


def clone_of(folder: str) -> str:
    """What this machine calls a folder: nobody else can know it."""
    return hmac.new(seals.machine_key(), b"clone\0" + os.fsencode(folder), hashlib.sha256).hexdigest()[:16]

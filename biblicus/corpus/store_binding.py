"""Choose the run store for this folder from the user's settings, never from the corpus.

A copied corpus has another folder, so it cannot gain access to somebody's database."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from biblicus import stores
from biblicus.config import options_of, settings_file
from biblicus.corpus.folder import find
from biblicus.disk import seals
from biblicus.errors import ConfigInvalid, ExtraMissing, NotFound, UnknownStore
from biblicus.stores import milvus, postgres
from biblicus.stores.local import LocalStore

if TYPE_CHECKING:
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.models.records import Chosen
    from biblicus.stores.contract import RunStore
    from biblicus.stores.postgres.store import PostgresStore

LOCAL = "local"
SYSTEM = "system"
"""The name, in the user's places or at a service, of a corpus that is never written to."""
_ENGINES = ("milvus", "postgres", "shards")
_Mine = tuple[str, str, str, Path]
"""Schema, corpus id, clone id, and the folder of mirrors."""
_TAKEN = ("pg_", "public", "information_schema")


def store_of(corpus: CorpusFolder) -> RunStore:
    """Return the run store of a corpus. Raises `ConfigInvalid`, `UnknownStore`, `ExtraMissing`, `StoreUnprotected`."""
    settings = corpus.settings
    folder = os.path.realpath(corpus.root)
    binding = next(
        (entry for place, entry in settings.corpora.items() if os.path.realpath(os.path.expanduser(place)) == folder),
        None,
    )
    name = settings.store or (binding.store if binding else LOCAL)
    if name == LOCAL:
        return LocalStore(corpus.index)
    if name not in settings.stores:
        raise UnknownStore(name, [LOCAL, *settings.stores], str(settings_file()))
    setting = settings.stores[name]
    if binding and binding.schema_.startswith(_TAKEN):
        raise ConfigInvalid(f"corpora.{folder}", f"{binding.schema_} is not for a corpus; name another schema.")
    if setting.by not in _ENGINES:
        raise ConfigInvalid(f"stores.{name}", f"no engine is called {setting.by}; known: {', '.join(_ENGINES)}.")
    where = f"stores.{name}", setting.options
    clone = clone_of(folder)
    schema = binding.schema_ if binding and binding.store == name and binding.schema_ else f"corpus_{clone}"
    mine = schema, corpus.config.corpus_id, clone, corpus.mirrors
    if setting.by == "shards":
        return _shards(name, where, mine, settings.stores)
    return _milvus(name, where, mine) if setting.by == "milvus" else _postgres(name, where, mine)


# Lazy: each only if it is configured.


def _shards(name: str, said: tuple[str, Mapping[str, Any]], mine: _Mine, stores: Mapping[str, Chosen]) -> RunStore:
    from biblicus.stores.options import ShardsOptions

    nodes = options_of(ShardsOptions, said[1], said[0]).nodes
    for node in nodes:
        if node not in stores or stores[node].by != "postgres":
            raise ConfigInvalid(said[0], f"{node} is no store by postgres.", "nodes: names of stores by postgres")
    node_stores = [_postgres(node, (f"stores.{node}", stores[node].options), mine) for node in nodes]
    if len({store.address for store in node_stores}) < len(node_stores):
        raise ConfigInvalid(said[0], "two of its nodes are one database.")

    return postgres.shards.ShardsStore(name, node_stores, *mine)


def _postgres(name: str, said: tuple[str, Mapping[str, Any]], mine: _Mine) -> PostgresStore:
    reached = stores.options.postgres_target(name, options_of(stores.options.PostgresOptions, said[1], said[0]))

    return postgres.store.PostgresStore(postgres.server.server(reached), *mine)


def _milvus(name: str, said: tuple[str, Mapping[str, Any]], mine: _Mine) -> RunStore:
    options = options_of(stores.options.MilvusOptions, said[1], said[0])
    reached = stores.options.milvus_target(name, options)
    try:
        from biblicus.stores.milvus.store import MilvusStore
    except ImportError:
        raise ExtraMissing("The store milvus", "milvus") from None
    return MilvusStore(milvus.server.server(reached), *mine, options.partitions)


def is_system(corpus: CorpusFolder) -> bool:
    """Return true if the user's places call a corpus `system`."""
    for word in filter(None, map(str.strip, corpus.settings.places.get(SYSTEM, "").split(","))):
        with suppress(NotFound):
            if find(Path(unquote(word.removeprefix("file://"))).expanduser()).root.samefile(corpus.root):
                return True
    return False


def clone_of(folder: str) -> str:
    """Return this machine's secret identifier of a folder, 16 hexadecimal digits that nobody can guess."""
    return hmac.new(seals.machine_key(), b"clone\0" + os.fsencode(folder), hashlib.sha256).hexdigest()[:16]

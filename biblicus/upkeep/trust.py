"""Trust: adopts materializations from other machines, and trusts listed sources."""

from __future__ import annotations

import os
from contextlib import nullcontext

from biblicus import bring
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, Untrusted
from biblicus.models.fields import NoRequest
from biblicus.models.sources.entries import shown
from biblicus.stores.local import LocalStore
from biblicus.stores.vectors import stores
from biblicus.upkeep.kinds import tables_fit_run


def trust(corpus: CorpusFolder, request: NoRequest, call: Call) -> dict[str, list[str]]:
    """Seal every materialization that matches its committed manifest, and every vector store with valid digests.

    Returns `sealed`, `already` and `refused`; `sources`: the sources of `sources.yml` that may be synced now and could
    not before, each with its address. The user vouches for the folder's origin; the index files themselves cannot be
    verified with the manifest."""

    report: dict[str, list[str]] = {"sealed": [], "already": [], "refused": [], "sources": []}
    is_ours = os.access(corpus.local, os.W_OK)
    with corpus.writing(call) if is_ours else nullcontext():
        if is_ours:
            report["sources"] = [f"{entry.name} ({shown(entry)})" for entry in bring.sources.trust_all(corpus)[0]]
        here = LocalStore(corpus.index)
        for run_id in here.runs():
            call.check()
            try:
                here.check(run_id)
                report["already"].append(run_id)
            except Untrusted:
                is_link = here.folder(run_id).is_symlink()
                is_good = not is_link and _fits(corpus, here, run_id) and here.trust(run_id)
                report["sealed" if is_good else "refused"].append(run_id)
        for store in stores(corpus.vectors):
            name = f"vectors/{store.folder.name}"
            if store.is_sealed():
                report["already"].append(name)
            else:
                report["sealed" if is_ours and store.trust() else "refused"].append(name)
    return report


def _fits(corpus: CorpusFolder, here: LocalStore, run_id: str) -> bool:
    try:
        return tables_fit_run(corpus, run_id, here)
    except (BiblicusError, ValueError, KeyError, TypeError):
        return False  # also for a record that is not an item

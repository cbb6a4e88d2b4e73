"""Remove: forgets an import and deletes its copy. A user's own file is deleted only on request."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence

from biblicus.bring.by_content import IMPORTED
from biblicus.contracts import Call
from biblicus.corpus.changes.synced import synced_from
from biblicus.corpus.described.sidecars import sidecar_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh, refreshed_for
from biblicus.corpus.report import Report
from biblicus.disk import changes, files
from biblicus.errors import Refused, StorageFailed
from biblicus.errors.families import typed
from biblicus.measure import documents
from biblicus.measure import documents as judged
from biblicus.models.item import Item
from biblicus.models.requests.bring import RemoveRequest
from biblicus.sources.folder import SIDECAR
from biblicus.text.paths import file_of, is_member


def remove(corpus: CorpusFolder, request: RemoveRequest, call: Call) -> Report:
    """Remove items by id, id prefix or path. Raises `ItemNotFound`, `Refused`; nothing is removed then.

    The catalog is written first: if that fails, every file is still there; a file that cannot be deleted becomes an
    item again at the next refresh."""
    with corpus.writing(call):
        before, items = refreshed_for(corpus, request.items, call)
        items = list({item.path: item for item in items}.values())
        for item in items:
            if is_member(item.path):
                file = file_of(item.path)
                raise Refused(f"{item.path} lies in {file}, which is never written.", f"biblicus remove {typed(file)}")
            if not request.delete_file:
                _check(corpus, item)
        paths = [item.path for item in items]
        report = refresh(corpus, call, paths, before=before, written=()).report
        errors = [error for path in paths for error in _delete(corpus, path)]
        if errors:
            changes.then(_rest(corpus, paths, request.delete_file))
            raise errors[0]
        return report


def _delete(corpus: CorpusFolder, path: str) -> Iterator[StorageFailed]:
    """Delete a file, then its sidecar: without it the file would be another item."""
    try:
        files.remove(corpus.inside(path))
        files.remove(sidecar_of(corpus, path))
    except StorageFailed as error:
        yield error


def _rest(corpus: CorpusFolder, paths: Sequence[str], delete_file: bool) -> str:
    """Return the command that deletes the remaining files."""
    present_paths = [path for path in paths if os.path.lexists(corpus.inside(path))]
    sidecars = [
        path + SIDECAR for path in paths if path not in present_paths and os.path.lexists(sidecar_of(corpus, path))
    ]
    option = ["--delete-file"] if delete_file else []
    commands = [["rm", *sidecars]] if sidecars else []
    commands += [["biblicus", "remove", *present_paths, *option]] if present_paths else []
    return " && ".join(map(shlex.join, commands)) or "biblicus ingest"


def _check(corpus: CorpusFolder, item: Item) -> None:
    if source := synced_from(corpus, item.path):
        raise Refused(
            f"{item.path} follows the source {source}, and would come again.",
            f"exclude it in .biblicus/sources.yml, then: biblicus sources sync {source}",
        )
    if item.source.kind == judged.KIND:
        as_imported = documents.is_as_imported(files.read(corpus.inside(item.path)))
    elif item.source.kind in IMPORTED:
        as_imported = item.source.ref == f"sha256:{item.sha256}"
    else:
        raise Refused(
            f"{item.path} is your own file; to leave it out of the corpus, name it in .biblicusignore.",
            f"biblicus remove {typed(item.path)} --delete-file",
        )
    if not as_imported:
        raise Refused(
            f"{item.path} was edited since it was imported.", f"biblicus remove {typed(item.path)} --delete-file"
        )

"""Remove: forget an import and delete the copy Biblicus made. A user's own file goes only when that was said."""

from __future__ import annotations

from biblicus.bring.ingest import IMPORTED
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import catalog_of
from biblicus.corpus.refresh import Report, refresh
from biblicus.corpus.registries import synced_from
from biblicus.corpus.selection import named
from biblicus.corpus.sidecars import sidecar_of
from biblicus.disk import files
from biblicus.errors import Refused
from biblicus.measure import documents
from biblicus.measure import judgements as judged
from biblicus.models.item import Item
from biblicus.models.requests.bring import RemoveRequest


def remove(corpus: CorpusFolder, request: RemoveRequest, call: Call) -> Report:
    """Remove items by id, id prefix or path. Raises `ItemNotFound`, `Refused`; then nothing was removed."""
    with corpus.writing(call):
        refresh(corpus, call)
        catalog = catalog_of(corpus)
        items = list({item.path: item for item in (named(catalog, name) for name in request.items)}.values())
        for item in items:
            if not request.delete_file:
                _check(corpus, item)
        for item in items:
            files.remove(corpus.inside(item.path))
            files.remove(sidecar_of(corpus, item.path))
        return refresh(corpus, call).report


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
            f"biblicus remove {item.path} --delete-file",
        )
    if not as_imported:
        raise Refused(f"{item.path} was edited since it was imported.", f"biblicus remove {item.path} --delete-file")

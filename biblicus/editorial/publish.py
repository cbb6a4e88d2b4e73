"""Publish: a sealed run over the approved items of a layer, under a permanent name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.editorial import log as editorial
from biblicus.corpus.editorial import publications
from biblicus.corpus.editorial.approvals import layer_named, shown_on
from biblicus.corpus.editorial.publications import Publication
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.editorial.promote import now_after, who
from biblicus.errors import NotPromoted, UsageError
from biblicus.models.fields import NoRequest
from biblicus.models.plain import jsonable
from biblicus.models.requests.editorial import PublishRequest
from biblicus.runs import manifests as runs
from biblicus.runs.views import Publishing


@dataclass(frozen=True)
class PublishReport:
    """Result: `already` if the name exists with the same items and texts. `items`: their number."""

    outcome: Literal["published", "already"]
    items: int
    publication: Publication

    def as_object(self) -> dict[str, object]:
        return {"outcome": self.outcome, "items": self.items, **jsonable(self.publication)}


@dataclass(frozen=True)
class PublicationList:
    """Publications by name."""

    publications: tuple[Publication, ...]


def publish(corpus: CorpusFolder, request: PublishRequest, call: Call) -> PublishReport:
    """Seal a run over the layer's approved items. Raises `NotPromoted`, and `UsageError` if the name is taken."""
    with corpus.writing(call):
        name = request.layer or _most_trusted(corpus)
        if layer_named(corpus, name).base is None:
            raise NotPromoted(f"{name} approves nothing: it takes what is put there.", "biblicus editorial status")
        recipe = recipes.find(corpus, request.recipe)
        refreshed = refresh(corpus, call)
        catalog = _approved(corpus, name, call)
        if not catalog.entries:
            raise NotPromoted(f"Nothing is approved for {name}.", f"biblicus promote ITEM --to {name}")
        publishing = Publishing(corpus, recipe, refreshed, catalog, call)
        if request.name in publications.names(corpus):
            before = publications.read(corpus, request.name)
            same = before.publication.recipe_id == recipe.recipe_id and before.entries == catalog.entries
            if not same:
                raise UsageError(
                    f"{request.name} is published, and is never another.", f"biblicus publish {request.name}-2"
                )
            return PublishReport("already", len(before.entries), before.publication)
        manifest = publishing.seal()
        publication = Publication(
            name=request.name,
            layer=name,
            run_id=manifest.run_id,
            recipe_id=manifest.recipe_id,
            index_version=manifest.index_version,
            chunks_digest=manifest.chunks_digest,
            corpus_id=manifest.corpus_id,
            at=now_after(editorial.read(corpus), call),
            by=request.reviewer or who(),
            reason=request.reason,
            manifest=runs.read(corpus, manifest.run_id).model_dump(mode="json"),
        )
        runs.keep(corpus, manifest.run_id)
        return PublishReport(
            "published", len(catalog.entries), publications.write(corpus, publication, catalog.lines())
        )


def _most_trusted(corpus: CorpusFolder) -> str:
    promoted = [layer.name for layer in corpus.config.layers if layer.base is not None]
    if not promoted:
        raise NotPromoted("The corpus has no layer that approves anything.", "edit .biblicus/config.yml: layers")
    return promoted[-1]


def _approved(corpus: CorpusFolder, layer: str, call: Call) -> Catalog:
    """Return the layer's visible items as a catalog."""
    catalog = catalog_of(corpus)
    is_shown = shown_on(corpus, (layer,), call)
    entries = {path: catalog.entries[path] for path, item in catalog.items.items() if is_shown(item)}
    digest = catalogs.corpus_digest(entry.line for entry in entries.values())
    return Catalog(replace(catalog.header, corpus_digest=digest), entries)


def list_publications(corpus: CorpusFolder, request: NoRequest, call: Call) -> PublicationList:
    """Return every publication, by name. Raises `ConfigInvalid` for a damaged one."""
    entries = (publications.read(corpus, name).publication for name in publications.names(corpus))
    return PublicationList(tuple(entries))

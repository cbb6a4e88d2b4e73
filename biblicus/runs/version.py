"""Version: what a bare query is answered from, and which software answers. Exact texts are read together with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BadData, BiblicusError, NoRun, Unavailable
from biblicus.models.fields import NoRequest
from biblicus.runs import manifests as runs

if TYPE_CHECKING:
    from biblicus.models.reading import Excerpt, Excerpts
    from biblicus.models.requests.items import GetBatchRequest, GetRequest


@dataclass(frozen=True)
class Version:
    """What a bare query is answered from, and the software. `built_at`: UTC, ISO 8601. `build_id`: the digest of what
    the run was built by. `current`: the catalog is still what it was built from."""

    corpus_id: str
    name: str
    corpus_digest: str
    index_version: str
    run_id: str
    current: bool
    recipe: str
    build_id: str
    built_at: str
    software: str


def get(corpus: CorpusFolder, request: GetRequest, call: Call) -> Excerpt:
    """Exact text of an item as it is now, and which index there is beside it. Raises what `corpus.items.get` raises."""
    from biblicus.corpus import items  # lazy: a question asks for the version alone

    return replace(items.get(corpus, request, call), index_version=_index_version(corpus))


def get_batch(corpus: CorpusFolder, request: GetBatchRequest, call: Call) -> Excerpts:
    """Several exact texts."""
    from biblicus.corpus import items  # lazy, as above
    from biblicus.models.reading import Excerpt, Excerpts

    now = _index_version(corpus)
    texts = items.get_batch(corpus, request, call).results
    return Excerpts(tuple(replace(text, index_version=now) if isinstance(text, Excerpt) else text for text in texts))


def _index_version(corpus: CorpusFolder) -> str | None:
    try:
        return version(corpus, NoRequest(), Call()).index_version
    except BiblicusError:  # the text is there all the same
        return None


def version(corpus: CorpusFolder, request: NoRequest, call: Call) -> Version:
    """Reads the catalog's first line and one manifest, once for each state of the corpus. Raises `NoRun`."""
    if corpus.host is not None:
        made: Version = corpus.host.remembered("version", lambda: _version(corpus))
        return made
    return _version(corpus)


def _version(corpus: CorpusFolder) -> Version:
    from importlib.metadata import version as installed  # lazy: it reads mails, archives and tables

    header = catalogs.read_header(corpus)
    entry = header.latest.get(corpus.default_recipe) if header else None
    if header is None or entry is None:
        raise NoRun(corpus.default_recipe, True)
    manifest = runs.read(corpus, entry.run_id)
    return Version(
        corpus_id=header.corpus_id,
        name=corpus.config.name,
        corpus_digest=header.corpus_digest,
        index_version=manifest.index_version,
        run_id=manifest.run_id,
        current=manifest.corpus_digest == header.corpus_digest,
        recipe=corpus.default_recipe,
        build_id=manifest.build_id,
        built_at=runs.as_of(manifest.run_id),
        software=f"biblicus {installed('biblicus-corpus')}",
    )


def embedding_model(corpus: CorpusFolder) -> str | None:
    """The embedder behind a bare query, by name; None where it ranks by words alone. Raises `NoRun`."""
    manifest = runs.read(corpus, version(corpus, NoRequest(), Call()).run_id)
    legs = manifest.recipe["build"]["legs"].values()
    return next((str(leg["embedder"]) for leg in legs if leg.get("embedder")), None)


def check_model(corpus: CorpusFolder, name: str) -> None:
    """Raise `BadData` where a bare query would be answered from vectors of another model than its embedder is now. One
    that cannot be asked which it is is no other. `name`: the corpus, for the message."""
    from biblicus.runs.legs import Legs  # lazy: only who is about to serve looks

    try:
        manifest = runs.read(corpus, version(corpus, NoRequest(), Call()).run_id)
    except NoRun:
        return
    legs = Legs(corpus)
    for leg, choice in manifest.recipe["build"]["legs"].items():
        try:
            now = legs(choice).fingerprints().get("model")
        except Unavailable:
            continue
        built = manifest.components.get(f"{leg}.model")
        if now != built:
            recipe = manifest.recipe["name"]
            raise BadData(
                f'The corpus {name} was built with the model "{built}", and the embedder {choice["embedder"]} is '
                f'"{now}" now.',
                f"biblicus reindex -C {corpus.root} --recipe {recipe}",
            )

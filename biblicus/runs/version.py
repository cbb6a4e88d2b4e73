"""Version of the index behind a bare query, and of the software; exact texts are returned with it."""

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
    """The index behind a bare query, and the software.

    `built_at`: UTC, ISO 8601. `build_id`: digest of the recipe's build. `current`: the catalog has not changed
    since."""

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
    """Return exact text of the current file, with the index version. Raises the errors of `corpus.items.get`."""
    from biblicus.corpus import items  # lazy: a query needs only the version

    return replace(items.get(corpus, request, call), index_version=_index_version(corpus))


def get_batch(corpus: CorpusFolder, request: GetBatchRequest, call: Call) -> Excerpts:
    """Return several exact texts."""
    from biblicus.corpus import items  # lazy, as above
    from biblicus.models.reading import Excerpt, Excerpts

    now = _index_version(corpus)
    texts = items.get_batch(corpus, request, call).results
    return Excerpts(tuple(replace(text, index_version=now) if isinstance(text, Excerpt) else text for text in texts))


def _index_version(corpus: CorpusFolder) -> str | None:
    try:
        return version(corpus, NoRequest(), Call()).index_version
    except BiblicusError:  # return the text without the version
        return None


def version(corpus: CorpusFolder, request: NoRequest, call: Call) -> Version:
    """Return the version, cached for each state of the corpus. Raises `NoRun`."""
    if corpus.host is not None:
        cached: Version = corpus.host.remembered("version", lambda: _version(corpus))
        return cached
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
    """Return the name of the embedder behind a bare query; None if it ranks by words alone. Raises `NoRun`."""
    manifest = runs.read(corpus, version(corpus, NoRequest(), Call()).run_id)
    legs = manifest.recipe["build"]["legs"].values()
    return next((str(leg["embedder"]) for leg in legs if leg.get("embedder")), None)


def check_model(corpus: CorpusFolder, name: str) -> None:
    """Raise `BadData` if the vectors behind a bare query are of another model than the current embedder.
    An unreachable embedder is not reported. `name`: the corpus, for the message."""
    from biblicus.runs.parts import Legs  # lazy: only servers check this

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

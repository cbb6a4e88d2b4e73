"""Publications on disk: `.biblicus/publications/<name>.json`, the items of a sealed run.

One JSON document like the catalog: a header, then an item a line, as approved. With the copies under `approved/`, the
run can be rebuilt on any machine, even if the files have changed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, field, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from biblicus.corpus.catalog import Catalog, Header, corpus_digest, entry_of, parse_lines
from biblicus.corpus.folder import FOLDER, CorpusFolder, stems
from biblicus.corpus.lines import Entry
from biblicus.disk import files
from biblicus.errors import BiblicusError, ConfigInvalid, PublicationNotFound, UnsafeInput
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import SCHEMA_VERSION
from biblicus.models.plain import EXCLUDED

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_ITEMS = b', "items": [\n'
_CLOSE = b"\n]}\n"


@dataclass(frozen=True)
class Publication:
    """A run sealed over the approved items of a layer.

    `chunks_digest`, `index_version`: of the run, which determine its answers. `digest`: of the whole file. `at`: time
    of publication. `by`: name that the publisher gave. `manifest`: of the run."""

    name: str
    layer: str
    run_id: str
    recipe_id: str
    index_version: str
    chunks_digest: str
    corpus_id: str
    at: str
    by: str
    reason: str
    digest: str = ""
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False, metadata=EXCLUDED)


@dataclass(frozen=True)
class Published:
    """A publication with its items."""

    publication: Publication
    entries: dict[str, Entry]

    @cached_property
    def catalog(self) -> Catalog:
        """Return the items as a catalog."""
        lines = (entry.line for entry in self.entries.values())
        header = Header(
            schema_version=SCHEMA_VERSION, corpus_id=self.publication.corpus_id, corpus_digest=corpus_digest(lines)
        )
        return Catalog(header, self.entries)


def where(corpus: CorpusFolder, name: str) -> Path:
    """Return the path of a publication."""
    return corpus.publications / f"{name}.json"


def names(corpus: CorpusFolder) -> list[str]:
    """Return the names of the publications here, sorted."""
    return [name for name in stems(corpus.publications) if _NAME.fullmatch(name)]


def read(corpus: CorpusFolder, name: str) -> Published:
    """Read a publication. Raises `PublicationNotFound`, `ConfigInvalid`."""
    if name not in (known_names := names(corpus)):
        raise PublicationNotFound(name, known_names)
    path = where(corpus, name)
    return _read(path, files.stamp(path, follow=False))


@lru_cache(maxsize=4)
def _read(path: Path, stamp: files.Stamp | None) -> Published:
    name = path.stem
    shown_path = f"{FOLDER}/publications/{name}.json"
    try:
        data = files.read(path, limit=files.LARGE)
        head, _, rest = data.partition(_ITEMS)
        values = json.loads(head + b"}")
        lines = rest.removesuffix(_CLOSE).split(b",\n") if rest != _CLOSE.lstrip(b"\n") else []
        publication = Publication(**{entry.name: values[entry.name] for entry in fields(Publication)})
        items = parse_lines(lines)
    except (OSError, UnsafeInput, ValueError, KeyError, TypeError, BiblicusError) as error:
        raise ConfigInvalid(shown_path, "it cannot be read.", f"git checkout {shown_path}") from error
    if publication.name != name or _encoded(publication, lines) != data:
        raise ConfigInvalid(shown_path, "it is not what was written.", f"git checkout {shown_path}")
    return Published(publication, {item.path: entry_of(item) for item in items})


def runs_published(corpus: CorpusFolder) -> dict[str, str]:
    """Return the run ids of publications, with their names."""
    published = {}
    for name in names(corpus):
        try:
            head = files.read(where(corpus, name), limit=files.LARGE).partition(_ITEMS)[0]
            published[str(json.loads(head + b"}")["run_id"])] = name
        except (OSError, UnsafeInput, ValueError, KeyError):
            continue  # damaged: `check` reports it
    return published


def write(corpus: CorpusFolder, publication: Publication, lines: Iterable[bytes]) -> Publication:
    """Write a new publication durably and return it with its digest. Call under the lock. Raises `FileExistsError`."""
    files.make_folder(corpus.publications)
    data = _encoded(publication, list(lines))
    files.write(where(corpus, publication.name), data, replace=False)
    return read(corpus, publication.name).publication


def _encoded(publication: Publication, lines: list[bytes]) -> bytes:
    values = {"schema_version": 1, **asdict(publication)}
    del values["digest"]
    head = json.dumps(values, ensure_ascii=False).encode()[:-1]
    body = b",\n".join(lines)
    digest = hashlib.sha256(head + b"\n" + body).hexdigest()
    return head + f', "digest": "{digest}"'.encode() + _ITEMS + body + _CLOSE

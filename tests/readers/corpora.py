"""Random corpora with readers, and the same corpora without what a reader may not see, to compare what both answer."""

import io
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus.described.readers import hidden_from
from biblicus.errors import BiblicusError
from biblicus.models.fields import NoRequest
from biblicus.models.plain import plain
from biblicus.models.requests.answer import AnswerRequest, ContextRequest
from biblicus.models.requests.items import (
    FacetsRequest,
    GetBatchRequest,
    GetRequest,
    ListRequest,
    ShowRequest,
    TreeRequest,
)
from biblicus.models.requests.query import QueryRequest
from biblicus.models.sources.readers import Reader
from biblicus.service.askers.here import Here
from biblicus.service.verbs import ANSWER, CONTEXT, FACETS, GET, GET_BATCH, LIST, QUERY, SHOW, STATS, TREE, VERSION
from tests.copies import copied

PEOPLE = tuple(f"person{number}" for number in range(50))
GROUPS = ("hr", "law", "lab", "sales", "board")
_SYLLABLES = ("lan", "tor", "mip", "sel", "dra", "quo", "ven", "hus", "bri", "zak")
WORDS = tuple(a + b for a in _SYLLABLES for b in _SYLLABLES)
_IDS = ("run_id", "timings", "pending", "as_of", "sizes", "built_at", "cursor", "next_cursor")
"""Fields that differ between any two indexes of equal corpora."""


def reader_of(number: int) -> Reader:
    """Return a person with some groups; number 0 is nobody in particular."""
    return Reader() if not number else Reader(PEOPLE[number % 50], tuple(GROUPS[: number % 4]))


class Made:
    """A random corpus in `folder`, and copies without what a reader may not see."""

    def __init__(self, folder: Path, seed: int, files: int = 36) -> None:
        self.folder, self.random = folder / "all", random.Random(seed)
        self.folder.mkdir()
        with Corpus.init(self.folder, name="all"):
            pass
        names = [f"{self.random.choice(('hr', 'lab', 'open'))}/{number}.md" for number in range(files)]
        for name in names:
            self._write(name)
        for number, name in enumerate(names[::6]):  # bytes equal to those of items with other readers
            (self.folder / f"open/copy{number}.md").write_bytes((self.folder / name).read_bytes())
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("inner.txt", self._text())
        (self.folder / "hr" / "box.zip").write_bytes(packed.getvalue())
        access = "paths:\n  hr: ['group:hr', 'group:board', person1, person7]\n  lab/1*.md: ['group:lab', person2]\n"
        (self.folder / ".biblicus/access.yml").write_text(access + "groups:\n  law: [person3, person4, person5]\n")
        with Corpus.open(self.folder) as corpus:
            corpus.reindex()

    def _text(self) -> str:
        return (
            " ".join(self.random.choices(WORDS, k=30)) + f" {self.random.choice(WORDS)}{self.random.randrange(99)}.\n"
        )

    def _write(self, name: str) -> None:
        path, chance = self.folder / name, self.random.random()
        path.parent.mkdir(exist_ok=True)
        readers = [self.random.choice(PEOPLE[:9]), f"group:{self.random.choice(GROUPS)}"]
        front = ""
        if chance < 0.25:
            front = f"---\ntitle: {self.random.choice(WORDS)}\nreaders: {readers!r}\n---\n"
        elif chance < 0.35:
            path.with_name(path.name + ".biblicus.yml").write_text(f"readers: {readers!r}\ntags: [{readers[0]}]\n")
        elif chance < 0.4:
            path.with_name(path.name + ".biblicus.yml").write_text("readers: [unclosed\n")
        elif chance < 0.45:
            front = "---\nreaders: 7\n---\n"
        heading = self.random.choice(WORDS)
        path.write_text(f"{front}# {heading}\n\n{self._text()}\n{self._text()}")

    def hidden(self, reader: Reader) -> frozenset[str]:
        """Return the paths that a reader may not see."""
        with Corpus.open(self.folder) as corpus:
            folder = corpus.asker.corpus
            hidden = hidden_from(folder, corpus.asker.catalog(folder), reader)
            assert hidden
            return hidden

    def without(self, folder: Path, hidden: frozenset[str]) -> Path:
        """Make the corpus that never had the hidden items. A container whose members alone are hidden is not made."""
        copied(self.folder, folder)
        for path in hidden:
            (folder / path).unlink(missing_ok=True)
            (folder / f"{path}.biblicus.yml").unlink(missing_ok=True)
        for name in ("catalog.json", "runs", "local"):
            _delete(folder / ".biblicus" / name)
        with Corpus.open(folder) as corpus:
            corpus.reindex()
        return folder

    def requests(self, hidden: frozenset[str], count: int) -> Iterator[tuple[Any, Any]]:
        """Yield random requests: questions, misspelt ones, filters, hidden and missing items."""
        secrets = sorted(hidden) or ["hr/none.md"]
        yield from ((LIST, ListRequest()), (STATS, NoRequest()), (FACETS, FacetsRequest()), (VERSION, NoRequest()))
        yield TREE, TreeRequest()
        for _ in range(count - 5):
            words = self.random.choices(WORDS, k=self.random.randrange(1, 4))
            kind = self.random.random()
            if kind < 0.1:
                yield SHOW, ShowRequest(self.random.choice(secrets))
            elif kind < 0.15:
                yield GET, GetRequest(self.random.choice(secrets))
            elif kind < 0.2:
                yield QUERY, QueryRequest(" ".join(words), path=(self.random.choice(("hr", "lab/*.md", secrets[0])),))
            elif kind < 0.3:
                yield QUERY, QueryRequest(f'"{" ".join(words[:2])}"')
            elif kind < 0.4:
                yield QUERY, QueryRequest(words[0][:-1] + "xe")
            elif kind < 0.45:
                yield CONTEXT, ContextRequest(" ".join(words))
            elif kind < 0.5:
                yield ANSWER, AnswerRequest(" ".join(words))
            elif kind < 0.55:
                yield GET_BATCH, GetBatchRequest(requests=tuple(map(GetRequest, (secrets[0], "open/copy0.md"))))
            else:
                yield QUERY, QueryRequest(" ".join(words), limit=self.random.choice((None, 1, 50)))


def _delete(path: Path) -> None:
    import shutil

    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def reply(asker: Here, verb: Any, request: Any, reader: Reader | None = None) -> Any:
    """Return a reply or an error as JSON values, without what differs between any two indexes."""
    try:
        return bare(plain(asker.ask(verb, request, Call(reader=reader))))
    except BiblicusError as error:
        return error.as_object()


def bare(value: Any) -> Any:
    """Return a value without ids of runs and times."""
    if isinstance(value, dict):
        return {key: bare(inner) for key, inner in value.items() if key not in _IDS}
    return [bare(inner) for inner in value] if isinstance(value, list | tuple) else value

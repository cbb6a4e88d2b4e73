"""What connectors read, as their users change it: one class for each kind of upstream."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from biblicus import Corpus, plugins
from tests.listening import listening
from tests.sampling import IS_LONG
from tests.sources.conformance import memory
from tests.sources.repositories import repository
from tests.sources.test_share import S3, Place


@dataclass
class Upstream:
    """`write`: publish these documents. `copies`: the corpus's copies, in the form that `write` takes.

    `fault`: make the next lists fail in a way ("cut", "429", "500", "401"), or "" to end that; None: not possible."""

    write: Callable[[dict[str, bytes]], None]
    add: Callable[[Corpus], object]
    fault: Callable[[str], None] | None = None
    documents: dict[str, bytes] = field(default_factory=dict)

    def publish(self, documents: dict[str, bytes]) -> None:
        self.documents = dict(documents)
        self.write(self.documents)

    def copies(self, corpus: Corpus) -> dict[str, bytes]:
        top = corpus.path / "imports" / "up"
        return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


def cloud(place: Path, monkeypatch: pytest.MonkeyPatch, ending: ExitStack) -> Upstream:
    """The connector of `memory`; a document's id is the name that it had first."""
    monkeypatch.setitem(plugins.OURS["sources"], "memory", "tests.sources.conformance.memory")
    monkeypatch.setattr(memory, "CLOUD", memory.Cloud())

    def write(documents: dict[str, bytes]) -> None:
        memory.CLOUD.documents = {path: (path, data) for path, data in documents.items()}

    def fault(what: str) -> None:
        memory.CLOUD.cut = what == "cut"
        memory.CLOUD.status = int(what) if what.isdigit() else 0

    def add(corpus: Corpus) -> object:
        return corpus.add_source("https://cloud.example.org/x", name="up", kind="memory", options={"page": "2"})

    return Upstream(write, add, fault)


def folder(place: Path, monkeypatch: pytest.MonkeyPatch, ending: ExitStack) -> Upstream:
    top = place / "folder"
    top.mkdir()

    def write(documents: dict[str, bytes]) -> None:
        for path in top.rglob("*.md"):
            path.unlink()
        for name, data in documents.items():
            (top / name).parent.mkdir(exist_ok=True)
            (top / name).write_bytes(data)

    return Upstream(write, lambda corpus: corpus.add_source(str(top), name="up", allow_local=True))


def void(_: object) -> None:
    """Drop a value."""


def git(place: Path, monkeypatch: pytest.MonkeyPatch, ending: ExitStack) -> Upstream:
    repo = repository(place / "up.git", {"first.md": b"first"})
    return Upstream(
        lambda documents: void(repo.files(documents)),
        lambda corpus: corpus.add_source(str(repo.path), name="up", allow_local=True),
    )


def share(place: Path, monkeypatch: pytest.MonkeyPatch, ending: ExitStack) -> Upstream:
    there = Place()
    there.url = ending.enter_context(listening(type("Bound", (S3,), {"place": there})))
    setting = {"by": "s3", "path": "harbour/papers", "endpoint_url": there.url, "key": "ada", "secret": "ebb"}
    monkeypatch.setenv("BIBLICUS_SHARES", json.dumps({"papers": setting}))

    def write(documents: dict[str, bytes]) -> None:
        there.files = {f"papers/{path}": data for path, data in documents.items()}

    def fault(what: str) -> None:
        there.is_closed = what != ""

    return Upstream(write, lambda corpus: corpus.add_source("share:papers", name="up"), fault)


UPSTREAMS = {"cloud": cloud, "folder": folder, "git": git, **({"share": share} if IS_LONG else {})}

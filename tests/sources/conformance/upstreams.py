"""What connectors read, as their users change it: one class for each kind of upstream."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from biblicus import Corpus, plugins
from biblicus.sources import web
from biblicus.sources.connectors import zotero as connector
from tests.listening import listening
from tests.sampling import IS_LONG
from tests.sources.conformance import dovecot, memory
from tests.sources.conformance.forge import Forge, Project, github
from tests.sources.repositories import repository
from tests.sources.test_share import S3, Place
from tests.sources.zotero import Zotero


@dataclass
class Upstream:
    """`write`: publish these documents. `copies`: the corpus's copies, in the form that `write` takes.

    `fault`: make the next lists fail in a way ("cut", "429", "500", "401"), or "" to end that; None: not possible.
    `named`: name and content of a copy; None: by its path."""

    write: Callable[[dict[str, bytes]], None]
    add: Callable[[Corpus], object]
    fault: Callable[[str], None] | None = None
    named: Callable[[bytes], tuple[str, bytes]] | None = None
    documents: dict[str, bytes] = field(default_factory=dict)

    def publish(self, documents: dict[str, bytes]) -> None:
        self.documents = dict(documents)
        self.write(self.documents)

    def copies(self, corpus: Corpus) -> dict[str, bytes]:
        top = corpus.path / "imports" / "up"
        copies = {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}
        return copies if self.named is None else dict(map(self.named, copies.values()))


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


def issues(place: Path, monkeypatch: pytest.MonkeyPatch, ending: ExitStack) -> Upstream:
    """Threads of a project; their titles are the names."""
    there = Project()
    url = ending.enter_context(listening(type("Bound", (Forge,), {"project": there})))
    monkeypatch.setattr(web.Visitor, "_sleep", lambda visitor, url, seconds: None)
    monkeypatch.setenv("BIBLICUS_ACCOUNTS", '{"work": {"host": "127.0.0.1", "secret": "ebb"}}')
    numbers = count(1)

    def write(documents: dict[str, bytes]) -> None:
        known = {thread["title"]: number for number, thread in there.threads.items()}
        there.threads = {
            (number := known.get(name) or next(numbers)): github(number, name, data.decode(), f"{hash(data):x}")
            for name, data in documents.items()
        }

    def fault(what: str) -> None:
        there.status = int(what) if what.isdigit() else 502 if what == "cut" else 0

    def add(corpus: Corpus) -> object:
        options = {"api": url}
        where = "https://github.com/harbour/pilot"
        return corpus.add_source(where, name="up", kind="issues", account="work", options=options, allow_private=True)

    def named(data: bytes) -> tuple[str, bytes]:
        title, _, body = data.decode().partition("\n# ")[2].partition("\n")
        return title.rpartition(" (#")[0], body.strip().encode()

    return Upstream(write, add, fault, named=named)


def imap(place: Path, monkeypatch: pytest.MonkeyPatch, ending: ExitStack) -> Upstream:
    """Messages of a mailbox; their subjects are the names. What is edited is another message."""
    port = ending.enter_context(dovecot.serving())
    account = {"host": "127.0.0.1", "user": "ada", "secret": "ebb"}
    monkeypatch.setenv("BIBLICUS_ACCOUNTS", json.dumps({"work": account}))
    box = dovecot.opened(port)
    there: dict[tuple[str, bytes], bytes] = {}

    def write(documents: dict[str, bytes]) -> None:
        box.select("INBOX")
        for key in there.keys() - documents.items():
            box.uid("STORE", there.pop(key).decode(), "+FLAGS", r"(\Deleted)")
        box.expunge()
        for name, data in documents.items():
            if (name, data) not in there:
                message = b"From: ada@example.org\r\nSubject: " + name.encode() + b"\r\n\r\n" + data + b"\r\n"
                _, answer = box.append("INBOX", "", "", message)
                uid = answer[0].split(b"APPENDUID ")[1].split()[1].rstrip(b"]")
                there[name, data] = uid

    def fault(what: str) -> None:
        secret = "ebb" if what == "" else what
        monkeypatch.setenv("BIBLICUS_ACCOUNTS", json.dumps({"work": {**account, "secret": secret}}))

    def add(corpus: Corpus) -> object:
        where = f"imap://127.0.0.1:{port}"
        return corpus.add_source(where, name="up", kind="imap", account="work", allow_private=True)

    def named(data: bytes) -> tuple[str, bytes]:
        head, _, body = data.partition(b"\r\n\r\n")
        return head.rpartition(b"Subject: ")[2].decode(), body.strip()

    return Upstream(write, add, fault, named=named)


def zotero(place: Path, monkeypatch: pytest.MonkeyPatch, ending: ExitStack) -> Upstream:
    """Entries of a library; their titles are the names."""
    library = Zotero(place / "Zotero")
    keys = count(10_000_000)
    there: dict[str, str] = {}
    monkeypatch.setattr(connector, "_PAUSE", 0)

    def write(documents: dict[str, bytes]) -> None:
        for name in there.keys() - documents.keys():
            library.rows.execute("DELETE FROM items WHERE key = ?", (there.pop(name),))
        for name, data in documents.items():
            library.entry(there.setdefault(name, str(next(keys))), title=name, abstractNote=data.decode())

    def fault(what: str) -> None:
        (library.folder / "zotero.sqlite-journal").write_bytes(what.encode())

    def add(corpus: Corpus) -> object:
        return corpus.add_source(str(library.folder), name="up", allow_local=True)

    def named(data: bytes) -> tuple[str, bytes]:
        title, _, body = data.decode().removeprefix("# ").partition("\n")
        return title, body.strip().encode()

    return Upstream(write, add, fault, named=named)


_LONG = {"zotero": zotero, "share": share, "issues": issues, "imap": imap}
UPSTREAMS = {"cloud": cloud, "folder": folder, "git": git, **(_LONG if IS_LONG else {})}

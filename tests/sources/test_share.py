"""Shares as sources: an S3 bucket and a WebDAV folder on this machine, which remember what they were asked for."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.front_door import biblicus
from tests.listening import listening

TIME = "2026-05-01T10:00:00.000Z"
RFC_TIME = "Fri, 01 May 2026 10:00:00 GMT"


@dataclass
class Place:
    """What a server holds, by path. `fetched`: what was read, in order. `is_closed`: it answers nobody."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)
    is_closed: bool = False


def etag(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    place: Place
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def file(self, path: str) -> None:
        data = self.place.files.get(path)
        if data is None or self.place.is_closed:
            self.reply(403 if self.place.is_closed else 404)
            return
        headers = {"ETag": f'"{etag(data)}"', "Last_Modified": RFC_TIME}
        if self.command == "GET":
            self.place.fetched.append(path)
        self.reply(200, data, **headers)


class S3(_Handler):
    """As much of S3 as listing and reading take: buckets in the path, one page of at most a thousand keys."""

    def do_HEAD(self) -> None:
        self.file(unquote(urlsplit(self.path).path).partition("/")[2].partition("/")[2])

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        if "list-type" not in query:
            self.do_HEAD()
            return
        prefix = query.get("prefix", [""])[0]
        entries = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>{TIME}</LastModified><ETag>&quot;{etag(data)}&quot;</ETag>"
            f"<Size>{len(data)}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for key, data in sorted(self.place.files.items())
            if key.startswith(prefix)
        )
        body = f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
        self.reply(403 if self.place.is_closed else 200, body.encode(), Content_Type="application/xml")


class WebDav(_Handler):
    """As much of WebDAV (RFC 4918) as listing and reading take."""

    def do_HEAD(self) -> None:
        self.file(unquote(urlsplit(self.path).path).strip("/"))

    def do_GET(self) -> None:
        self.do_HEAD()

    def do_PROPFIND(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        top = unquote(urlsplit(self.path).path).strip("/")
        head = f"{top}/" if top else ""
        below = [path for path in self.place.files if path.startswith(head)]
        if self.place.is_closed or not (below or top in self.place.files):
            self.reply(403 if self.place.is_closed else 404)
            return
        folders = {head + path[len(head) :].split("/")[0] for path in below if "/" in path[len(head) :]}
        here = {path for path in below if "/" not in path[len(head) :]} | ({top} & self.place.files.keys())
        is_one = self.headers.get("Depth") == "0"
        shown = [*(() if top in self.place.files else (self._entry(f"{top}/", None),))]
        if not is_one or top in self.place.files:
            shown += [self._entry(path, self.place.files[path]) for path in sorted(here)]
        if not is_one:
            shown += [self._entry(f"{path}/", None) for path in sorted(folders)]
        body = f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">{"".join(shown)}</d:multistatus>'
        self.reply(207, body.encode(), Content_Type="application/xml")

    def _entry(self, path: str, data: bytes | None) -> str:
        kind = "<d:resourcetype><d:collection/></d:resourcetype>"
        if data is not None:
            kind = (
                f"<d:resourcetype/><d:getcontentlength>{len(data)}</d:getcontentlength><d:getetag>{etag(data)}</d:getetag>"
                f"<d:getlastmodified>{RFC_TIME}</d:getlastmodified>"
            )
        return (
            f"<d:response><d:href>/{escape(path.lstrip('/'))}</d:href><d:propstat><d:prop>{kind}</d:prop>"
            "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        )


@pytest.fixture(params=[S3, WebDav], ids=["s3", "webdav"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A running server that the share `papers` names, with two reports."""
    there = Place(files={"papers/reports/may.md": b"The moon pulls.", "papers/reports/b/june.md": b"The quay is dry."})
    there.files["papers/reports2/x.md"] = b"Elsewhere."
    with listening(type("Bound", (request.param,), {"place": there})) as there.url:
        share: dict[str, object] = {"by": "webdav", "path": "papers", "base_url": there.url, "auth": ["ada", "ebb"]}
        if request.param is S3:
            share = {"by": "s3", "path": "harbour/papers", "endpoint_url": there.url, "key": "ada", "secret": "ebb"}
        monkeypatch.setenv("BIBLICUS_SHARES", json.dumps({"papers": share}))
        yield there


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.init(tmp_path / "corpus") as made:
        assert biblicus(["sources", "add", "share:papers/reports", "-C", str(made.path)]) == 0
        yield made


def synced(corpus: Corpus) -> Callable[[str], list[str]]:
    """What one sync says of documents, by its lists."""
    (report,) = Corpus.open(corpus.path).sync().sources
    return lambda name: [str(getattr(one, "path", one)) for one in getattr(report, name)]


def test_it_is_followed_and_what_did_not_change_is_not_fetched_again(place: Place, corpus: Corpus) -> None:
    assert len(synced(corpus)("added")) == 2
    copies = corpus.path / "imports" / "reports"
    assert (copies / "b" / "june.md").read_bytes() == b"The quay is dry."
    assert sorted(place.fetched) == ["papers/reports/b/june.md", "papers/reports/may.md"]
    place.fetched.clear()
    synced(corpus)
    assert place.fetched == []
    place.files["papers/reports/may.md"] = b"The moon pulled."
    del place.files["papers/reports/b/june.md"]
    listed = synced(corpus)
    assert (len(listed("changed")), len(listed("removed"))) == (1, 1)
    assert place.fetched == ["papers/reports/may.md"]
    assert [path.name for path in copies.rglob("*.md")] == ["may.md"]


@pytest.mark.parametrize("harm", ["closed", "emptied"])
def test_a_share_that_shows_nothing_deletes_nothing(place: Place, corpus: Corpus, harm: str) -> None:
    synced(corpus)
    if harm == "closed":
        place.is_closed = True
    else:
        place.files.clear()
    with pytest.raises(BiblicusError) as raised:
        synced(corpus)
    assert "share:papers/reports" in str(raised.value)
    assert len(list((corpus.path / "imports").rglob("*.md"))) == 2


def test_no_secret_stands_in_the_corpus(place: Place, corpus: Corpus) -> None:
    synced(corpus)
    kept = [path.read_bytes() for path in (corpus.path / ".biblicus").rglob("*") if path.is_file()]
    assert [data for data in kept if b'"ebb"' in data] == []

"""A web server on this machine that misbehaves in every way a page may ask for, and remembers what it was asked."""

import socket
import ssl
import struct
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.listening import listening

Act = Callable[["Handler"], None]


@dataclass(frozen=True)
class Page:
    """What a path gives. `etag` and `modified` are honoured in conditional requests."""

    body: bytes = b""
    type: str | None = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    etag: str | None = None
    modified: str | None = None


@dataclass
class Web:
    """`pages` by path with its query. `asked`: the paths asked for, in order; `headers`: of each request."""

    url: str = ""
    pages: dict[str, Page | Act] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    connections: int = 0

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def html(self, path: str, body: str, head: str = "", **more: object) -> None:
        text = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
        self.pages[path] = Page(text.encode(), **more)  # type: ignore[arg-type]

    def redirect(self, path: str, to: str, status: int = 302) -> None:
        self.pages[path] = Page(status=status, headers={"Location": to})


class Handler(BaseHTTPRequestHandler):
    """Plain HTTP/1.1 for pages; an act writes to the socket what it likes."""

    web: Web
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def setup(self) -> None:
        super().setup()
        self.web.connections += 1

    def handle(self) -> None:
        with suppress(OSError):
            super().handle()

    def do_GET(self) -> None:
        self.close_connection = True
        self.web.asked.append(self.path)
        self.web.headers.append(dict(self.headers))
        page = self.web.pages.get(self.path, Page(b"nothing here", "text/plain", 404))
        if isinstance(page, Page):
            self._give(page)
        else:
            page(self)

    def _give(self, page: Page) -> None:
        told = {"ETag": page.etag, "Last-Modified": page.modified}
        same = page.status == 200 and (
            self.headers.get("If-None-Match") == page.etag
            if page.etag and "If-None-Match" in self.headers
            else page.modified is not None and self.headers.get("If-Modified-Since") == page.modified
        )
        self.send_response(304 if same else page.status)
        for name, value in {**told, "Content-Type": page.type, **page.headers}.items():
            if value is not None:
                self.send_header(name, value)
        if not same and "Content-Length" not in page.headers:
            self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        if not same:
            self.wfile.write(page.body)

    def raw(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()


def sends(*pieces: bytes, pause: float = 0.0) -> Act:
    """Bytes as they are, with a pause between them, then the end of the connection."""

    def act(handler: Handler) -> None:
        for piece in pieces:
            handler.raw(piece)
            time.sleep(pause)

    return act


def drips(head: bytes, piece: bytes, pause: float, seconds: float = 60.0) -> Act:
    """A head, then one piece after the other."""

    def act(handler: Handler) -> None:
        handler.raw(head)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            handler.raw(piece)
            time.sleep(pause)

    return act


def says_nothing(handler: Handler) -> None:
    time.sleep(5)


def hangs_up(handler: Handler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def zeros(size: int) -> bytes:
    """So many zeros, packed by gzip, in no time: a mebibyte is packed once and stands there as often as it takes."""
    packing = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = packing.compress(bytes(1 << 20)) + packing.flush(zlib.Z_FULL_FLUSH)
    head, rest = b"\x1f\x8b\x08" + bytes(6) + b"\xff", packing.compress(bytes(size % (1 << 20))) + packing.flush()
    return head + block * (size >> 20) + rest + struct.pack("<II", zlib.crc32(bytes(size)), size)


def bomb(size: int) -> Page:
    """Zeros, packed."""
    return Page(zeros(size), headers={"Content-Encoding": "gzip"})


@contextmanager
def serving(context: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> Iterator[Web]:
    """A server on a free port, until the end of the block."""
    web = Web()
    with listening(type("Bound", (Handler,), {"web": web}), context, host) as web.url:
        yield web

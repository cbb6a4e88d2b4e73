"""A small server that speaks the chat protocols of Ollama and OpenAI, and misbehaves on request.

It answers as the real ones do: `/api/chat` as lines of JSON, `/v1/chat/completions` as server-sent events, embeddings
and lists of models besides. What it says comes from `says`: a text for each request, or a function of the request.
"""

import json
import struct
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.listening import scripted_server

MODEL = "tiny"
KEY = "let-me-in"

Says = Callable[["Asked"], str]


@dataclass(frozen=True)
class Asked:
    """One request for a reply: its messages, the schema that was asked for, and the rest of its body."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def user(self) -> str:
        return str(self.body["messages"][-1]["content"])

    @property
    def system(self) -> str:
        first = self.body["messages"][0]
        return str(first["content"]) if first["role"] == "system" else ""

    @property
    def schema(self) -> Any:
        if self.path == "/api/chat":
            return self.body.get("format")
        return (self.body.get("response_format") or {}).get("json_schema", {}).get("schema")


@dataclass
class Scripted:
    """`says`: the replies' texts in turn, the last for ever; or who makes them. `script`: what happens to the next
    requests, then `always`. `asked`: the requests so far. `read`, `written`: tokens that were told to be used. `over`:
    nobody listens any more. `dripped`: the first word of a reply that takes long has left."""

    says: list[str] | Says = field(default_factory=lambda: ["Good day."])
    script: list[str] = field(default_factory=list)
    always: str = "good"
    key: str | None = None
    asked: list[Asked] = field(default_factory=list)
    read: int = 0
    written: int = 0
    url: str = ""
    stop: Callable[[], None] = lambda: None
    over: threading.Event = field(default_factory=threading.Event)
    dripped: threading.Event = field(default_factory=threading.Event)

    def text(self, asked: Asked) -> str:
        if callable(self.says):
            return self.says(asked)
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]


def _handler(scripted: Scripted) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        # --- what both protocols need ---

        def send(self, status: int, value: Any, headers: Mapping[str, str] = {}) -> None:
            body = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            for key, text in {"Content-Type": "application/json", **headers}.items():
                self.send_header(key, text)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def begin(self, kind: str, headers: Mapping[str, str] = {}) -> None:
            self.send_response(200)
            for key, text in {"Content-Type": kind, "Transfer-Encoding": "chunked", **headers}.items():
                self.send_header(key, text)
            self.end_headers()

        def part(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

        def do_GET(self) -> None:
            models = [{"name": f"{MODEL}:latest", "model": f"{MODEL}:latest", "digest": "ab" * 32}]
            data = [{"id": MODEL, "object": "model"}]
            self.send(200, {"models": models} if self.path == "/api/tags" else {"object": "list", "data": data})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with suppress(BrokenPipeError, ConnectionResetError):
                if self.path in ("/api/embed", "/v1/embeddings"):
                    self.embed(body)
                elif self.path in ("/api/chat", "/v1/chat/completions"):
                    self.chat(Asked(self.path, body, dict(self.headers)))
                else:
                    self.send(404, b"404 page not found", {"Content-Type": "text/plain"})

        def embed(self, body: Mapping[str, Any]) -> None:
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            rows = [[float(len(text)), 1.0, 2.0] for text in texts]
            if self.path == "/api/embed":
                return self.send(200, {"model": MODEL, "embeddings": rows, "prompt_eval_count": len(texts)})
            data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
            return self.send(200, {"object": "list", "data": data, "model": MODEL, "usage": {"total_tokens": 3}})

        # --- one reply ---

        def chat(self, asked: Asked) -> None:
            scripted.asked.append(asked)
            if scripted.key and self.headers.get("Authorization") != f"Bearer {scripted.key}":
                return self.send(401, {"error": {"message": "Incorrect API key provided."}})
            if str(asked.body["model"]).split(":")[0] != MODEL:
                return self.unknown(str(asked.body["model"]))
            act = scripted.script.pop(0) if scripted.script else scripted.always
            if act.isdigit():
                headers = {"Retry-After": "0"} if act == "429" else {}
                return self.send(int(act), {"error": "not\x1b[31m now"}, headers)
            if act == "no schemas" and asked.body.get("response_format", {}).get("type") == "json_schema":
                return self.send(400, {"error": {"message": "response_format json_schema is not supported"}})
            if act in ("good", "no schemas", "one object", "length", "no usage", "thinking"):
                return self.reply(asked, act)
            getattr(self, act.replace(" ", "_"))(asked)
            return None

        def unknown(self, model: str) -> None:
            if self.path == "/api/chat":
                return self.send(404, {"error": f"model '{model}' not found"})
            return self.send(404, {"error": {"message": f"The model `{model}` does not exist", "type": "not_found"}})

        def reply(self, asked: Asked, act: str = "good") -> None:
            text = scripted.text(asked)
            if act == "one object":
                return self.send(200, _whole(asked, text))
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            used = _used(asked, text)  # counted first: who has the last line goes on
            scripted.read, scripted.written = scripted.read + used["prompt"], scripted.written + used["output"]
            for line in _lines(asked, text, act):
                self.part(line)
            return self.part(b"")

        # --- how it can go wrong ---

        def silent(self, asked: Asked) -> None:
            scripted.over.wait(20)
            self.close_connection = True

        def dripping(self, asked: Asked) -> None:
            """A reply that takes long, a word at a time."""
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            word = next(line for line in _lines(asked, "one word", "good") if b"one word" in line)
            for _ in range(100):
                self.part(word)
                scripted.dripped.set()
                if scripted.over.wait(0.2):
                    break

        def halting(self, asked: Asked) -> None:
            """Half of a reply, and the rest when somebody says so."""
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            lines = list(_lines(asked, scripted.text(asked), "good"))
            for line in lines[: len(lines) // 2]:
                self.part(line)
            scripted.dripped.set()
            scripted.over.wait(20)
            for line in lines[len(lines) // 2 :]:
                self.part(line)
            self.part(b"")

        def breaking(self, asked: Asked) -> None:
            """Half of a reply, and no more."""
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            lines = list(_lines(asked, scripted.text(asked), "good"))
            for line in lines[: len(lines) // 2]:
                self.part(line)
            self.part(b"")

        def hang_up(self, asked: Asked) -> None:
            self.close_connection = True
            self.connection.close()

        def truncated(self, asked: Asked) -> None:
            """The stream ends where the reply does not."""
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            for line in list(_lines(asked, scripted.text(asked), "good"))[:1]:
                self.part(line)
            self.part(b"")

        def torn(self, asked: Asked) -> None:
            """The connection ends within a line."""
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            self.part(next(_lines(asked, scripted.text(asked), "good"))[:-20])
            self.close_connection = True
            self.connection.close()

        def endless(self, asked: Asked) -> None:
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            words = "and so on " * 50
            line = next(line for line in _lines(asked, words, "good") if b"and so on" in line)
            while True:
                self.part(line)

        def endless_line(self, asked: Asked) -> None:
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            self.part(b'data: {"choices": "' if asked.path != "/api/chat" else b'{"message": "')
            while True:
                self.part(b"x" * 65_536)

        def bomb(self, asked: Asked) -> None:
            """A small body that is large when it is opened."""
            self.send(200, _bomb(), {"Content-Encoding": "gzip"})

        def nested(self, asked: Asked) -> None:
            deep = b"[" * 100_000 + b"]" * 100_000
            line = b'{"message": {"role": "assistant", "content": ' + deep + b"}}\n"
            event = b'data: {"choices": ' + deep + b"}\n\n"
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            self.part(line if asked.path == "/api/chat" else event)
            self.part(b"")

        def html(self, asked: Asked) -> None:
            self.send(200, b"<html>sign in</html>", {"Content-Type": "text/html"})

        def other_shape(self, asked: Asked) -> None:
            """JSON, but not of the protocol."""
            data = b'{"message": [1], "done": "yes"}\n'
            event = b'data: {"choices": [{"delta": ["x"], "finish_reason": "stop"}]}\n\n'
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            self.part(data if asked.path == "/api/chat" else event)
            self.part(b"")

        def failing(self, asked: Asked) -> None:
            """An error in the middle of a stream."""
            self.begin("application/x-ndjson" if asked.path == "/api/chat" else "text/event-stream")
            self.part(next(_lines(asked, scripted.text(asked), "good")))
            error = json.dumps({"error": "model runner has unexpectedly stopped"}).encode()
            self.part(error + b"\n" if asked.path == "/api/chat" else b"data: " + error + b"\n\n")
            self.part(b"")

        def redirect(self, asked: Asked) -> None:
            self.send(307, {}, {"Location": f"{scripted.url}/elsewhere{asked.path}"})

    return Handler


def _lines(asked: Asked, text: str, act: str) -> Iterator[bytes]:
    """A reply as its protocol streams it: a line or event for each few characters, then one that ends it."""
    pieces = _pieces(text)
    length = act == "length"
    used = _used(asked, text)
    if asked.path == "/api/chat":
        head: dict[str, Any] = {"model": f"{MODEL}:latest", "created_at": "2026-11-21T12:00:00.000000Z"}
        if act == "thinking":
            yield _line({**head, "message": {"role": "assistant", "content": "", "thinking": "Hm."}, "done": False})
        for piece in pieces:
            yield _line({**head, "message": {"role": "assistant", "content": piece}, "done": False})
        end = {"done": True, "done_reason": "length" if length else "stop", "total_duration": 5_000_000}
        counts = {} if act == "no usage" else {"prompt_eval_count": used["prompt"], "eval_count": used["output"]}
        yield _line({**head, "message": {"role": "assistant", "content": ""}, **end, **counts})
        return
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
    yield b": a comment, as some servers send to keep a connection open\n\n"
    yield _event({**head, "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})
    if act == "thinking":
        yield _event({**head, "choices": [{"index": 0, "delta": {"reasoning_content": "Hm."}}]})
    for piece in pieces:
        yield _event({**head, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "length" if length else "stop"}]})
    if act != "no usage":
        usage = {"prompt_tokens": used["prompt"], "completion_tokens": used["output"], "total_tokens": 0}
        yield _event({**head, "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def _pieces(text: str) -> list[str]:
    return [text[at : at + 12] for at in range(0, len(text), 12)] or [""]


def _used(asked: Asked, text: str) -> dict[str, int]:
    """Tokens, as a server counts them."""
    return {"prompt": len(str(asked.body["messages"])) // 4, "output": len(_pieces(text))}


def _whole(asked: Asked, text: str) -> dict[str, Any]:
    """A reply of a server that does not stream."""
    if asked.path == "/api/chat":
        return {"model": MODEL, "message": {"role": "assistant", "content": text}, "done": True, "eval_count": 1}
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 9, "completion_tokens": 1}
    return {"id": "1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}


@cache
def _bomb() -> bytes:
    """64 MiB of blanks, packed by gzip: a mebibyte is packed once and stands there as often as it takes, so that no
    deadline passes meanwhile and no test of memory sees it."""
    blanks, packing, checksum = b" " * (1 << 20), zlib.compressobj(wbits=-zlib.MAX_WBITS), 0
    block = packing.compress(blanks) + packing.flush(zlib.Z_FULL_FLUSH)
    for _ in range(64):
        checksum = zlib.crc32(blanks, checksum)
    head = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    return head + block * 64 + packing.flush() + struct.pack("<II", checksum, 64 << 20)


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _event(value: Any) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def running() -> AbstractContextManager[Scripted]:
    return scripted_server(Scripted(), _handler)

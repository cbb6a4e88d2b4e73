"""A small server that speaks the wire protocols of Ollama and OpenAI, and misbehaves on request."""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.listening import scripted_server

DIM = 6


def vector(text: str) -> list[float]:
    """What the server gives for a text; not normalised."""
    return [byte / 16 - 7 for byte in hashlib.sha256(text.encode()).digest()[:DIM]]


@dataclass
class Scripted:
    """`script`: what happens to the next requests for vectors, then `always`. `bad`: texts that are answered 400.
    `over`: nobody listens any more."""

    script: list[str] = field(default_factory=list)
    always: str = "good"
    bad: set[str] = field(default_factory=set)
    poison: set[str] = field(default_factory=set)
    asked: list[list[str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    stop: Callable[[], None] = lambda: None
    over: threading.Event = field(default_factory=threading.Event)


def _handler(scripted: Scripted) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def _send(self, status: int, value: Any, raw: bytes | None = None, headers: Mapping[str, str] = {}) -> None:
            body = json.dumps(value).encode() if raw is None else raw
            self.send_response(status)
            for key, text in headers.items():
                self.send_header(key, text)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            known = [{"name": "tiny:latest", "model": "tiny:latest", "digest": "abcdef0123456789" * 4}]
            self._send(200, {"models": known} if self.path == "/api/tags" else {})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/api/show":
                return self._send(200, {"model_info": {"bert.context_length": 512}})
            texts: list[str] = body["texts"] if self.path == "/embed.text" else body["input"]
            scripted.asked.append(texts)
            scripted.bodies.append(body)
            scripted.headers.append(dict(self.headers))
            act = scripted.script.pop(0) if scripted.script else scripted.always
            return self._act(act, body, texts)

        def _act(self, act: str, body: dict[str, Any], texts: list[str]) -> None:
            rows: list[Any] = [vector(text) for text in texts]
            if act == "good" and scripted.bad & set(texts):
                return self._send(400, {"error": {"message": "I cannot take this\x1b[31m text"}})
            if act.isdigit():
                return self._send(int(act), {"error": "not now"}, headers={"Retry-After": "0"} if act == "429" else {})
            if act == "redirect":
                return self._send(302, {}, headers={"Location": "http://127.0.0.1:1/"})
            if act == "silent":
                scripted.over.wait(20)
                return None
            if act == "hang up":
                self.connection.close()
                return None
            if act == "not json":
                return self._send(200, None, raw=b"<html>busy</html>")
            if act == "empty":
                return self._send(200, {})
            if act == "text rows":
                rows = ["oh" for _ in rows]
            if act == "ragged":
                rows[0] = rows[0][:-1]
            if act == "zeros":
                rows[0] = [0.0] * DIM
            if act == "one too few":
                rows = rows[:-1]
            if act == "wider":
                rows = [[*row, 1.0] for row in rows]
            for index, text in enumerate(texts):
                if text in scripted.poison or act == "nan":
                    rows[index] = [float("nan")] * DIM
            if self.path == "/api/embed":
                reply = {"model": body["model"], "embeddings": rows, "prompt_eval_count": 3 * len(texts)}
            elif self.path == "/embed.text":
                reply = {"model": body["model"], "embeddings": rows, "tokens": 3 * len(texts)}
            else:
                data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
                usage = {"prompt_tokens": 3 * len(texts), "total_tokens": 3 * len(texts)}
                reply = {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}
            raw = json.dumps(reply).encode()
            if act == "truncated":
                self.send_response(200)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw[: len(raw) // 2])
                self.connection.close()
                return None
            return self._send(200, None, raw=raw)

    return Handler


def running() -> AbstractContextManager[Scripted]:
    return scripted_server(Scripted(), _handler)

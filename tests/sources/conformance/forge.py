"""As much of GitHub's and GitLab's interfaces as lists of threads take, in the shapes of their documentation:
https://docs.github.com/en/rest/issues/issues#list-repository-issues, https://docs.gitlab.com/api/issues/#list-issues."""

import json
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class Project:
    """`threads`: by number. `status`: reply to everything. `tokens`: what requests had as authorization."""

    threads: dict[int, dict[str, Any]] = field(default_factory=dict)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    wikis: list[dict[str, Any]] = field(default_factory=list)
    status: int = 0
    cut: bool = False
    waits: int = 0
    tokens: list[str | None] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


class Forge(BaseHTTPRequestHandler):
    project: Project
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        there, parts = self.project, urlsplit(self.path)
        there.tokens.append(self.headers.get("Authorization"))
        there.asked.append(parts.path)
        if there.waits:
            there.waits -= 1
            self.reply(429, {"message": "slow down"}, Retry_After="1")
        elif there.status:
            self.reply(there.status, {"message": "no"})
        else:
            self.answer(parts.path.split("/"), int(parse_qs(parts.query).get("page", ["1"])[0]))

    def answer(self, path: list[str], page: int) -> None:
        there = self.project
        if path[-1] in ("issues", "merge_requests"):
            shown = [thread for _, thread in sorted(there.threads.items()) if path[-1] == "issues"]
            if there.cut and page > 1:
                self.reply(502, {})
            else:
                self.reply(200, shown[100 * (page - 1) : 100 * page])
        elif path[-1] in ("comments", "notes"):
            self.reply(200, there.comments.get(int(path[-2]), []) if path[-3] != "pulls" else [])
        elif path[-1] == "wikis":
            self.reply(200, there.wikis)
        elif int(path[-1]) in there.threads:
            self.reply(200, there.threads[int(path[-1])])
        else:
            self.reply(410, {"message": "This issue was deleted"})

    def reply(self, status: int, value: object, **headers: str) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def github(number: int, title: str, body: str, updated: str, labels: tuple[str, ...] = ()) -> dict[str, Any]:
    """A thread in GitHub's shape."""
    return {
        "number": number,
        "title": title,
        "body": body,
        "state": "open",
        "created_at": "2026-05-01T10:00:00Z",
        "updated_at": updated,
        "html_url": f"https://github.com/harbour/pilot/issues/{number}",
        "user": {"login": "ada"},
        "labels": [{"name": label} for label in labels],
        "comments": 1,
    }


def gitlab(number: int, title: str, body: str) -> dict[str, Any]:
    """A thread in GitLab's shape."""
    return {
        "iid": number,
        "title": title,
        "description": body,
        "state": "opened",
        "created_at": "2026-05-01T10:00:00.000Z",
        "updated_at": "2026-05-02T10:00:00.000Z",
        "web_url": f"https://gitlab.com/harbour/pilot/-/issues/{number}",
        "author": {"username": "ada"},
        "labels": ["tide"],
        "user_notes_count": 2,
    }

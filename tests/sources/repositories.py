"""Repositories for tests: well-behaved ones, and trees that no honest git would write."""

import http.server
import os
import ssl
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.listening import listening

FILE, SCRIPT, LINK, TREE, MODULE = b"100644", b"100755", b"120000", b"40000", b"160000"


@dataclass
class Repository:
    """A bare repository at `path`, written with git's plumbing alone."""

    path: Path
    commits: list[str] = field(default_factory=list)

    def git(self, *words: str, data: bytes = b"") -> str:
        who = {
            f"GIT_{role}_{what}": "ada@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", **who}
        command = ["git", "-c", "core.fsync=none", "-c", "safe.directory=*", f"--git-dir={self.path}", *words]
        done = subprocess.run(command, input=data, env=environment, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def blob(self, data: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", data=data)

    def tree(self, entries: Sequence[tuple[bytes, bytes, str]]) -> str:
        """A tree of (mode, name, object id), whatever the names are."""
        data = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
        return self.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", data=data)

    def commit(self, tree: str, branch: str = "trunk") -> str:
        parent = ["-p", self.commits[-1]] if self.commits else []
        commit = self.git("commit-tree", *parent, "-m", "more", tree)
        self.git("update-ref", f"refs/heads/{branch}", commit)
        self.commits.append(commit)
        return commit

    def files(self, files: Mapping[str, bytes], branch: str = "trunk") -> str:
        """A commit of exactly these files."""
        stream = [f"commit refs/heads/{branch}\ncommitter Ada <ada@example.org> {len(self.commits)} +0000\ndata 0\n"]
        if self.commits:
            stream.append(f"from {self.commits[-1]}\n")
        stream.append("deleteall\n")
        data = "".join(stream).encode()
        for path, content in files.items():
            data += f'M 100644 inline "{path}"\ndata {len(content)}\n'.encode() + content + b"\n"
        self.git("fast-import", "--quiet", "--date-format=raw", "--force", data=data)
        self.commits.append(self.git("rev-parse", f"refs/heads/{branch}"))
        return self.commits[-1]

    def show(self, commit: str, path: str) -> bytes:
        command = ["git", f"--git-dir={self.path}", "show", f"{commit}:{path}"]
        return subprocess.run(command, check=True, capture_output=True).stdout


def repository(path: Path, files: Mapping[str, bytes] | None = None) -> Repository:
    """A new one, with a commit of these files."""
    subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=trunk", str(path)], check=True)
    made = Repository(path)
    if files is not None:
        made.files(files)
    return made


class _Handler(http.server.BaseHTTPRequestHandler):
    root: Path
    redirects: str | None = None
    asked: list[str]

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _answer(self, body: bytes) -> None:
        path, _, query = self.path.partition("?")
        self.asked.append(path)
        if self.redirects:
            self.send_response(302)
            self.send_header("Location", self.redirects + self.path)
            self.end_headers()
            return
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.root), "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command, "PATH_INFO": path, "QUERY_STRING": query, "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("Content-Type") or "", "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
        }  # fmt: skip
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines() if ": " in line)
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Silent."""


@dataclass(frozen=True)
class Served:
    """`url`: of the folder that is served. `asked`: the paths that were asked for."""

    url: str
    asked: list[str]


@contextmanager
def serving(root: Path, context: ssl.SSLContext, redirects: str | None = None) -> Iterator[Served]:
    """The repositories of a folder over https, by git's own backend; or a redirect to elsewhere."""
    asked: list[str] = []
    handler = type("Bound", (_Handler,), {"root": root, "redirects": redirects, "asked": asked})
    with listening(handler, context) as url:
        yield Served(url, asked)

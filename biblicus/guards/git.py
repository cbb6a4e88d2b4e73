"""Run git on a bare repository of Biblicus, isolated from hostile remotes and repositories.

* The environment is made, not inherited: no configuration of the system, the user or an attacker, no prompts, no
  credentials, no proxy, no ssh. `https` is the only protocol, and `file` for a path that the user allowed.
* No hooks, filters, submodules, replacement objects or background maintenance; there is no work tree.
* A host is resolved once, all its addresses are checked (`guards.network.addresses`), and git must use one of them
  (`http.curloptResolve`). Redirects are not followed.
* Time, memory, disk and output are bounded; git and its child processes are ended together."""

from __future__ import annotations

import os
import re
import selectors
import shutil
import subprocess
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from biblicus.contracts import Call
from biblicus.errors import IngestionError, Unavailable
from biblicus.guards.children import VARIABLES, Stream, apart, bound_child, end_group, signal_name
from biblicus.guards.network import addresses, transport
from biblicus.guards.network.urls import UrlRefused, parse

_KEPT = (*VARIABLES, "TMPDIR", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Environment variables that git inherits: program paths and trusted certificates."""

_OWN = {
    "LC_ALL": "C",
    "HOME": "/nonexistent",
    "XDG_CONFIG_HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "false",
    "SSH_ASKPASS": "false",
    "GIT_SSH_COMMAND": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PROTOCOL_FROM_USER": "0",
}
_SETTINGS = {
    "core.hooksPath": "/dev/null",
    "core.symlinks": "false",
    "core.fsmonitor": "false",
    "core.attributesFile": "/dev/null",
    "core.bigFileThreshold": "16m",
    "core.packedGitLimit": "512m",
    "core.alternateRefsCommand": "false",
    "credential.helper": "",
    "diff.renameLimit": "3000",
    "fetch.fsckObjects": "false",
    "fetch.writeCommitGraph": "false",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "http.followRedirects": "false",
    "http.proxy": "",
    "http.sslVerify": "true",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
    "pack.threads": "1",
    "protocol.allow": "never",
    "protocol.version": "2",
    "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
    "transfer.bundleURI": "false",
}
_STEP = 0.2
"""Seconds between two checks of time and disk use."""
_COMPLAINT = 16 << 10
_PINNING = (2, 37)
"""The first git version with `http.curloptResolve`."""


@dataclass(frozen=True)
class Bounds:
    """`bytes`: of the repository on disk. `seconds`: of one command. `printed`: bytes of its output."""

    bytes: int = 2 << 30
    seconds: float = 900.0
    printed: int = 256 << 20


class Git:
    """git on one bare repository. Not thread-safe.

    `remote`: an https URL or an absolute path. `private`: its host may be on a private network."""

    def __init__(self, folder: Path, remote: str, call: Call, bounds: Bounds, *, private: bool = False) -> None:
        self.folder, self.remote, self.call, self.bounds = folder, remote, call, bounds
        self.program = shutil.which("git")
        if self.program is None:
            raise Unavailable("git is not installed here.", "install git")
        self._private = private
        self._pinned: list[str] | None = None

    @property
    def url(self) -> str:
        """Return the remote as a URL for git."""
        return self.remote if self.remote.startswith("https://") else f"file://{self.remote}"

    def make(self, format_: str = "sha1") -> None:
        """Create the bare repository, or reset its configuration to the few lines written here."""
        if not (self.folder / "objects").is_dir():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._run(["init", "--quiet", "--bare", "--template=", f"--object-format={format_}", str(self.folder)])
        version, more = (1, "[extensions]\n\tobjectformat = sha256\n") if format_ == "sha256" else (0, "")
        for leftover in (*self.folder.glob("*.lock"), *(self.folder / "objects" / "pack").glob("tmp_*")):
            leftover.unlink(missing_ok=True)  # of a git process that was ended
        text = f"[core]\n\trepositoryformatversion = {version}\n\tbare = true\n{more}"
        (self.folder / "config").write_text(text, encoding="ascii")

    def ask(self, *words: str) -> bytes:
        """Return the output of a command on the remote, without a repository. Raises `IngestionError`."""
        return self._run([*self._to_remote(), "--git-dir=/nonexistent", *words])

    def fetch(self, *words: str) -> None:
        """Run a command that fetches objects from the remote. Raises `IngestionError`."""
        self._run([*self._to_remote(), f"--git-dir={self.folder}", *words])

    def read(self, *words: str) -> bytes:
        """Return the output of a command on the local repository. Raises `IngestionError`."""
        return self._run([f"--git-dir={self.folder}", *words])

    def records(self, *words: str) -> Iterator[bytes]:
        """Yield the NUL-terminated records of a command's output as they arrive."""
        rest = b""
        with self._started([f"--git-dir={self.folder}", *words]) as process:
            for block in self._blocks(process):
                *complete, rest = (rest + block).split(b"\0")
                yield from complete

    def blobs(self, names: Iterable[str], at_once: int = 256) -> Generator[bytes | None, None, None]:
        """Yield the bytes of each blob in order, or None if it is missing. The caller has checked their sizes.

        `at_once`: number of names to take before the first of them is read."""
        with self._started([f"--git-dir={self.folder}", "cat-file", "--batch"], asking=True) as process:
            assert process.stdin is not None  # for the type checker: they are pipes
            assert process.stdout is not None
            watchdog = threading.Timer(self._seconds(), end_group, [process])
            watchdog.daemon = True
            watchdog.start()
            try:
                for batch in _batches(names, at_once):
                    self.call.check()
                    writer = threading.Thread(target=_feed, args=(process.stdin, batch), daemon=True)
                    writer.start()
                    for name in batch:
                        yield self._blob(process.stdout, name)
                    writer.join()
            finally:
                watchdog.cancel()

    def _blob(self, output: IO[bytes], name: str) -> bytes | None:
        head = output.readline(200)
        if head == f"{name} missing\n".encode():
            return None
        *_, last = head.split(b" ")
        size = int(last) if head.count(b" ") == 2 and last.strip().isdigit() else -1
        data = output.read(size + 1) if size >= 0 else b""
        if len(data) != size + 1:
            raise IngestionError(self.remote, "its copy here cannot be read")
        return data[:-1]

    # --- processes ---

    def _run(self, words: Sequence[str]) -> bytes:
        with self._started(words) as process:
            return b"".join(self._blocks(process))

    @contextmanager
    def _started(self, words: Sequence[str], *, asking: bool = False) -> Iterator[subprocess.Popen[bytes]]:
        command = [
            self.program or "git",
            "--no-pager",
            "--literal-pathspecs",
            "--no-optional-locks",
            *_flags(_SETTINGS),
        ]
        process = subprocess.Popen(
            [*command, *words],
            stdin=subprocess.PIPE if asking else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if asking else subprocess.PIPE,
            cwd="/",
            env=self._environment(),
            **apart(),
        )
        self._confine(process)
        try:
            yield process
        finally:
            end_group(process)

    def _environment(self) -> Mapping[str, str]:
        inherited = {name: os.environ[name] for name in _KEPT if name in os.environ}
        allowed = "https" if self.remote.startswith("https://") else "file"
        return {**inherited, **_OWN, "GIT_ALLOW_PROTOCOL": allowed}

    def _confine(self, process: subprocess.Popen[bytes]) -> None:
        """Set limits for git and its child processes. Without `prlimit`, only time and disk use are checked."""
        bounds = self.bounds
        bound_child(process, file_bytes=bounds.bytes, seconds=bounds.seconds, memory=bounds.bytes + (2 << 30))

    def _seconds(self) -> float:
        left = self.bounds.seconds
        if self.call.deadline is not None:
            left = min(left, self.call.deadline - time.monotonic())
        return max(left, 0.01)

    def _blocks(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        """Yield the output until git ends. Raises `IngestionError` with git's message if it fails."""
        assert process.stdout is not None  # for the type checker: they are pipes
        assert process.stderr is not None
        until = time.monotonic() + self.bounds.seconds
        printed, complaint = 0, b""
        with selectors.DefaultSelector() as selector:
            output, errors = Stream(process.stdout), Stream(process.stderr)
            for stream in (output, errors):
                selector.register(stream, selectors.EVENT_READ, stream)
            looked = time.monotonic()
            while selector.get_map():
                for key, _ in selector.select(_STEP):
                    block: bytes = key.data.read()
                    if not block:
                        selector.unregister(key.data)
                    elif key.data is errors:
                        complaint = (complaint + block)[-_COMPLAINT:]
                    else:
                        printed += len(block)
                        yield block
                if time.monotonic() - looked >= _STEP:
                    looked = time.monotonic()
                    self._look(until)
                if printed > self.bounds.printed:
                    raise IngestionError(self.remote, f"git printed more than {self.bounds.printed:,} bytes")
        if process.wait() != 0:
            raise IngestionError(self.remote, _cause(complaint, process.returncode))

    def _look(self, until: float) -> None:
        self.call.check()
        if time.monotonic() > until:
            raise IngestionError(self.remote, f"it took longer than {self.bounds.seconds:g} s")
        if (used := _bytes(self.folder)) > self.bounds.bytes:
            raise IngestionError(self.remote, f"it is larger than {self.bounds.bytes:,} bytes ({used:,} so far)")

    # --- the remote ---

    def _to_remote(self) -> list[str]:
        """Return flags that bind git to one checked address. Raises `UrlRefused`, `IngestionError`."""
        if self._pinned is None:
            self._pinned = self._pins() if self.remote.startswith("https://") else ["-c", "protocol.file.allow=always"]
        return self._pinned

    def _pins(self) -> list[str]:
        url = parse(self.remote)
        if self._version() < _PINNING:
            raise Unavailable("This git is too old to be held to a checked address.", "install git 2.37 or newer")
        try:
            found = transport.resolve(url.host, url.port)
        except OSError as error:
            raise IngestionError(self.remote, f"its host is not known ({error.strerror or error})") from error
        kinds = {addresses.reach(address) for address in found}
        if not found or "never" in kinds:
            raise UrlRefused(self.remote, "its host has an address that nothing is fetched from")
        if "private" in kinds and not self._private:
            hint = "the same with --allow-private, where you know that host"
            raise UrlRefused(self.remote, "its host is on a private network", hint)
        address_list = ",".join(f"[{address}]" if ":" in address else address for address in found)
        pin = f"http.curloptResolve={url.host}:{url.port}:{address_list}"
        return ["-c", "protocol.https.allow=always", "-c", pin]

    def _version(self) -> tuple[int, int]:
        match = re.search(rb"(\d+)\.(\d+)", self._run(["version"]))
        return (int(match[1]), int(match[2])) if match else (0, 0)


def _flags(settings: Mapping[str, str]) -> list[str]:
    return [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]


def _batches(names: Iterable[str], size: int) -> Iterator[list[str]]:
    left = iter(names)
    while batch := list(islice(left, size)):
        yield batch


def _feed(pipe: IO[bytes], names: Sequence[str]) -> None:
    with suppress(OSError, ValueError):  # it has ended: the reader sees that
        pipe.write("".join(f"{name}\n" for name in names).encode())
        pipe.flush()


def _bytes(folder: Path) -> int:
    """Return the size of a folder on disk in bytes."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_size
    return total


def _cause(complaint: bytes, code: int) -> str:
    """Return git's last fatal line, or how it ended, as the end of a sentence."""
    lines = [" ".join(line.split()) for line in complaint.decode("utf-8", "replace").splitlines()]
    reasons = [line.partition(":")[2].strip() for line in lines if line.startswith(("fatal:", "error:"))]
    if code < 0:
        return f"git was ended ({signal_name(code)})"
    text = reasons[-1] if reasons else f"git ended with {code}"
    return "".join(char if char.isprintable() else "?" for char in text)[:300].rstrip(".")

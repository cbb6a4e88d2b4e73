"""A parser that tries to break out, to prove that it cannot: files, connections, processes; and tells how it fared.

`check --sandbox` runs it in a guarded worker. What it is handed is the path of a file that it may not read.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.models.extraction import Extraction

CLOSED, OPEN = "closed", "open"


class Options(BaseModel):
    """None."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Probe:
    """Each line of its text is a wall and how it was found; `metadata` says the same."""

    guarded = True
    fingerprint = "probe/1"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction:
        path = Path(os.fsdecode(raw))
        tries: dict[str, Callable[[], object]] = {
            "files": path.read_bytes,
            "folders": lambda: os.listdir(path.parent),
            "writing": lambda: _write(path.with_name(f"{path.name}.probe")),
            "network": lambda: socket.socket().connect(("127.0.0.1", 9)),
            "sockets": lambda: socket.socketpair()[0].close(),
            "processes": _fork,
            "programs": lambda: subprocess.run([sys.executable, "-c", ""], check=True),
            "signals": lambda: os.kill(os.getppid(), 0),
        }
        outcomes = {wall: _tried(attempt) for wall, attempt in tries.items()}
        return Extraction("".join(f"{wall}: {how}\n" for wall, how in outcomes.items()), metadata=outcomes)


def _tried(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except ConnectionRefusedError:  # it got out: there was nobody
        return OPEN
    except PermissionError:
        return CLOSED
    except OSError as error:
        return f"{OPEN} ({(error.strerror or str(error)).lower()})"
    return OPEN


def _write(path: Path) -> None:
    try:
        path.write_bytes(b"x")
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _fork() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def build(options: Options, given: Given) -> Extractor:
    """The probe."""
    return Probe()

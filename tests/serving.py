"""Services on sockets of their own, in threads of this process."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from biblicus.connectors.http.server import Server, listening
from biblicus.connectors.http.service import Service


@contextmanager
def served(app: Any, service: Service, *, is_warm: bool = True) -> Iterator[str]:
    """An application that runs: its address. `is_warm`: its indexes are open."""
    bound = listening("127.0.0.1", 0)
    server = Server(app, service, lambda: None)
    thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
    thread.start()
    until = time.monotonic() + 60
    while is_warm and not (server.started and service.warm.is_set()):
        assert time.monotonic() < until, "the service did not start"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
    assert not thread.is_alive(), "the service did not stop"

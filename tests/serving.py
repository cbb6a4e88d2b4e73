"""Services on sockets of their own, in threads of this process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from biblicus.connectors.http.server import Server, listening
from biblicus.connectors.http.service import Service


@contextmanager
def served(app: Any, service: Service, *, is_warm: bool = True) -> Iterator[str]:
    """An application that runs: its address. `is_warm`: its indexes are open."""
    bound = listening("127.0.0.1", 0)
    started = threading.Event()
    server = Server(app, service, started.set)
    thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
    thread.start()
    assert not is_warm or (started.wait(60) and service.warm.wait(60)), "the service did not start"
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
    assert not thread.is_alive(), "the service did not stop"

"""A server for a first try of a store: how it is named in the settings, and its end."""

from __future__ import annotations

import signal
import sys

_ENDING = {signal.SIGINT, signal.SIGTERM}


def heed_signals() -> None:
    """From now on a signal to end waits until it is looked for, so that the server is ended and not left."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)


def until_stopped(product: str, setting: str) -> None:
    """Say how the server is named in the user's settings, and wait for Ctrl-C."""
    print(f"{product} runs until Ctrl-C. In ~/.config/biblicus/config.yml:\n")
    print(f"stores:\n  here: {setting}\n")
    print("Then: biblicus reindex --store here && biblicus query --store here TEXT")
    sys.stdout.flush()
    signal.sigwait(_ENDING)

"""Entry point of the process that `biblicus daemon start` starts."""

from __future__ import annotations

import os
import sys

from biblicus.connectors.daemon.server import run
from biblicus.errors import BiblicusError

if __name__ == "__main__":
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        sys.exit(run())
    except BiblicusError as error:
        sys.exit(f"{error.message} {error.hint}")

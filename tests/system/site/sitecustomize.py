"""Make every Python that is started with this folder on its path one of another system."""

import os
import sys
from importlib import import_module
from pathlib import Path

if name := os.environ.get("BIBLICUS_FAKE_SYSTEM"):
    sys.path.insert(0, str(Path(__file__).parents[1]))
    install = import_module("fakes").install
    sys.path.pop(0)
    install(name)

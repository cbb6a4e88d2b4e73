"""Make every Python that is started with this folder on its path one of another system."""

import os
import sys
from pathlib import Path

if name := os.environ.get("BIBLICUS_FAKE_SYSTEM"):
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import fakes

    sys.path.pop(0)
    fakes.install(name)

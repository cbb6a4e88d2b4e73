"""Where the shared documents are: beside the checkout, or where BIBLICUS_DATA says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def mixed() -> Path:
    """The folder of real documents with known truth."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("BIBLICUS_DATA", beside)) / "mixed"
    if not folder.is_dir():
        message = f"the shared documents are not in {folder}; set BIBLICUS_DATA"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder

"""Fixtures of the specification, and its steps: star-imported, so that every feature finds them."""

# ruff: noqa: E402 (asserts must be registered before what holds them is imported)

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytest.register_assert_rewrite("features.steps", "features.world")

from features.steps.agents import *
from features.steps.bibliography import *
from features.steps.budgets import *
from features.steps.catalog import *
from features.steps.checks import *
from features.steps.commands import *
from features.steps.comparison import *
from features.steps.damage import *
from features.steps.datasets import *
from features.steps.desk import *
from features.steps.embedders import *
from features.steps.evaluations import *
from features.steps.events import *
from features.steps.evidence import *
from features.steps.folder import *
from features.steps.hosting import *
from features.steps.imports import *
from features.steps.items import *
from features.steps.language_models import *
from features.steps.machines import *
from features.steps.models import *
from features.steps.outcome import *
from features.steps.packs import *
from features.steps.personas import *
from features.steps.printed import *
from features.steps.proof import *
from features.steps.questions import *
from features.steps.quotes import *
from features.steps.recipes import *
from features.steps.runs import *
from features.steps.service import *
from features.steps.sources import *
from features.steps.tables import *
from features.steps.tuning import *
from features.steps.twins import *
from features.steps.web import *
from features.surfaces import CommandLine, Python, Surface
from features.world import World


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A user's settings and key of our own: never those of whoever runs the tests."""
    folder = tmp_path_factory.mktemp("home")
    with TemporaryDirectory(prefix="bq") as short, pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("BIBLICUS_") and name != "BIBLICUS_DATA"]:
            patch.delenv(name)
        patch.setenv("BIBLICUS_STATE_HOME", str(folder / "state"))
        patch.setenv("BIBLICUS_CONFIG_HOME", str(folder / "config"))
        patch.setenv("BIBLICUS_RUNTIME_HOME", short)  # a socket's path has a limit
        patch.setenv("BIBLICUS_WORKERS", "1")
        yield folder


@pytest.fixture
def command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    return CommandLine(capsys, monkeypatch)


@pytest.fixture(params=["python", "cli"])
def surface(request: pytest.FixtureRequest, command_line: CommandLine) -> Surface:
    """The core features run through each of these."""
    return Python() if request.param == "python" else command_line


@pytest.fixture
def world(tmp_path: Path, surface: Surface) -> Iterator[World]:
    python = surface if isinstance(surface, Python) else Python()
    found = World(tmp_path / "corpus", tmp_path / "outside", surface, python)
    yield found
    found.close()


@pytest.fixture(scope="session")
def mixed() -> Path:
    """The folder of real documents: beside the checkout, or where BIBLICUS_DATA says."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("BIBLICUS_DATA", beside)) / "mixed"
    if not folder.is_dir():
        message = f"the shared documents are not in {folder}; set BIBLICUS_DATA"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder

"""Fixtures of the specification, and its steps: star-imported, so that every feature finds them."""

# ruff: noqa: E402 (asserts must be registered before what holds them is imported)

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from pytest_bdd.parser import Step

pytest.register_assert_rewrite("features.steps", "features.world")

from biblicus.connectors.http import openapi
from biblicus.connectors.http.endpoints import Endpoint
from features.lookup import FEATURES, Situation
from features.shelf import *
from features.steps.acts import *
from features.steps.alerts import *
from features.steps.bibliography import *
from features.steps.budgets import *
from features.steps.catalog import *
from features.steps.checks import *
from features.steps.commands import *
from features.steps.comparison import *
from features.steps.damage import *
from features.steps.datasets import *
from features.steps.desk import *
from features.steps.doctor import *
from features.steps.documents import *
from features.steps.editorial import *
from features.steps.embedders import *
from features.steps.evaluations import *
from features.steps.events import *
from features.steps.evidence import *
from features.steps.folder import *
from features.steps.git_settings import *
from features.steps.hosting import *
from features.steps.imports import *
from features.steps.items import *
from features.steps.language_models import *
from features.steps.machines import *
from features.steps.models import *
from features.steps.notes import *
from features.steps.outcome import *
from features.steps.packs import *
from features.steps.page import *
from features.steps.personas import *
from features.steps.printed import *
from features.steps.procedures import *
from features.steps.profiles import *
from features.steps.programs import *
from features.steps.proof import *
from features.steps.questions import *
from features.steps.quotes import *
from features.steps.readers import *
from features.steps.recipes import *
from features.steps.replies import *
from features.steps.runs import *
from features.steps.scans import *
from features.steps.service import *
from features.steps.sources import *
from features.steps.stores import *
from features.steps.tables import *
from features.steps.tuning import *
from features.steps.twins import *
from features.steps.web import *
from features.surfaces import CommandLine, Python, Surface
from features.world import World
from tests.sampling import by_turns


@pytest.fixture
def command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    return CommandLine(capsys, monkeypatch)


_BOTH = ("python", "cli")
SURFACES = {
    # What a file says, a run holds and a question finds is the same, whoever asks: `tests/conformance/test_places.py`
    # has each verb that reads, and what is asked in other words on a surface is said there.
    "answering/model_failures.feature": ("cli",),
    "answering/quoted_": ("cli",),
    "answering/tasks_in_other_languages.feature": ("cli",),
    "connectors/": ("cli",),
    "corpus/damaged_corpus.feature": ("cli",),
    "desk/code": ("cli",),
    "embedding/": ("cli",),
    "extraction/": ("cli",),
    "hosting/daemon.feature": ("cli, with a daemon of its own",),
    "hosting/page.feature": ("cli",),  # for what leads there; the scenarios look at the page
    "hosting/places.feature": ("cli, with a daemon of its own",),
    "hosting/profile_": ("cli",),
    "hosting/service.feature": ("cli",),  # for what leads there; the scenarios ask over HTTP
    "runs/folded_runs.feature": ("cli",),
    "runs/incremental_run.feature": ("cli",),
    "runs/vectors.feature": ("cli",),
    "search/budgets.feature": _BOTH,
    "search/evidence.feature": _BOTH,
    "search/filters.feature": _BOTH,
    "search/pending_changes.feature": _BOTH,
    "search/stale_evidence.feature": _BOTH,
    "search/verified_evidence.feature": _BOTH,
    "search/": ("cli",),
    "": _BOTH,
}
"""The ways to use a corpus that the scenarios of a place run through: the first that fits counts. Where it is both, the
scenarios of a file take turns; `make test-long` has each through both."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Situation | None:
    return Situation.from_parent(parent, path=file_path) if file_path.suffix == ".feature" else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    place = metafunc.definition.path.relative_to(FEATURES).as_posix()
    through: Sequence[str] = next(surfaces for start, surfaces in SURFACES.items() if place.startswith(start))
    if through is _BOTH:
        through = by_turns(through, metafunc.function.turn)
    metafunc.parametrize("surface", through, indirect=True)


def pytest_bdd_step_error(step: Step, exception: BaseException) -> None:
    """Name the step with the values of its row, which several rows of one test share."""
    exception.add_note(f"{step.keyword} {step.name}")


@pytest.fixture
def surface(request: pytest.FixtureRequest, command_line: CommandLine) -> Surface:
    match request.param:
        case "python":
            return Python()
        case "cli, with a daemon of its own":
            request.getfixturevalue("own_daemon")
    return command_line


@pytest.fixture(autouse=True, scope="session")
def described_once() -> Iterator[None]:
    """What describes a family's service is made once: it takes longer than what most scenarios ask of one, and says the
    same of the same endpoints. `tests/http/test_profiles.py` has each make its own."""
    documents: dict[object, Mapping[str, object]] = {}
    make = openapi.document_of

    def document_of(endpoints: Sequence[Endpoint], public_url: str | None) -> Mapping[str, object]:
        key = public_url, *((endpoint.method, endpoint.path, endpoint.id) for endpoint in endpoints)
        if key not in documents:
            documents[key] = make(endpoints, public_url)
        return documents[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openapi, "document_of", document_of)
        yield


@pytest.fixture
def world(tmp_path: Path, surface: Surface) -> Iterator[World]:
    python = surface if isinstance(surface, Python) else Python()
    found = World(tmp_path / "corpus", tmp_path / "outside", surface, python)
    yield found
    found.close()

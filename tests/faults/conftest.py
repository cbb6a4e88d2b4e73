import compileall
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.figures import Figures
from tests.faults.scenes import SCENES, Prepared, prepare
from tests.faults.volume import missing, volume, workplace
from tests.faults.world import ROOT, World

_FIGURES = pytest.StashKey[Figures]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is the fault matrix."""
    here = f"{Path(__file__).parent.relative_to(ROOT).as_posix()}/"
    for item in items:
        if item.nodeid.startswith(here):
            item.add_marker(pytest.mark.faults)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    figures = config.stash.get(_FIGURES, None)
    if figures is not None and figures.rows:
        terminalreporter.section("figures")
        for line in figures.lines():
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def figures(pytestconfig: pytest.Config, tally: Callable[..., None]) -> Figures:
    return pytestconfig.stash.setdefault(_FIGURES, Figures(tally))


@pytest.fixture(scope="session")
def power() -> None:
    """Skips, with the reason, where there are no file systems of our own."""
    if (reason := missing()) is not None:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def images(power: None) -> Iterator[Path]:
    """A folder for images of prepared volumes."""
    folder = workplace()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def prepared(images: Path) -> dict[str, Prepared]:
    """Every scene, played once without faults.

    Modules are compiled first: a call's number would change once something else compiled one that commands import.
    """
    compileall.compile_dir(ROOT / "biblicus", quiet=2)
    found: dict[str, Prepared] = {}
    for number, scene in enumerate(SCENES):
        with volume() as made:
            found[scene.name] = prepare(scene, made, images / str(number))
    return found


@pytest.fixture(scope="session")
def thorough(prepared: dict[str, Prepared]) -> list[Prepared]:
    """The scenes whose every call is failed."""
    return [scene for scene in prepared.values() if scene.scene.thorough]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A world on the ordinary file system, with a corpus of one run."""
    made = World(tmp_path)
    made.lay_out()
    made.must("init", "@/corpus")
    made.must("-C", "@/corpus", "ingest", "@/outside/note.txt")
    made.must("-C", "@/corpus", "reindex")
    return made

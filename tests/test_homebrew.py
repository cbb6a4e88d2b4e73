"""The formula pins what Biblicus needs, and can be read by Ruby; `brew` itself is not asked."""

import hashlib
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from tools import homebrew
from tools.homebrew import Wheel

FORMULA = homebrew.FORMULA.read_text(encoding="utf-8")
PINNED = homebrew.pinned(FORMULA)
PROJECT = tomllib.loads((homebrew.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def formula(tmp_path: Path) -> str:
    """That of a release."""
    wheel = tmp_path / "biblicus_corpus-9.9.9-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    return homebrew.released(FORMULA, wheel)


@pytest.mark.parametrize("system", homebrew.SYSTEMS)
def test_every_dependency_is_pinned_within_its_bounds(system: str):
    versions = {
        canonicalize_name(wheel.name): parse_wheel_filename(Path(wheel.url).name)[1] for wheel in PINNED[system]
    }
    processor, _ = homebrew.SYSTEMS[system]
    there = {"platform_machine": processor, "python_version": homebrew.PYTHON}
    there["sys_platform"] = {"macos": "darwin", "linux": "linux"}[system]
    every = [Requirement(line) for line in PROJECT["dependencies"]]
    wanted = [need for need in every if need.marker is None or need.marker.evaluate(there)]
    assert [need.name for need in wanted if versions[canonicalize_name(need.name)] not in need.specifier] == []


@pytest.mark.parametrize("system", homebrew.SYSTEMS)
def test_a_pin_is_a_wheel_of_the_public_index_that_runs_there(system: str):
    processor, _ = homebrew.SYSTEMS[system]
    for wheel in PINNED[system]:
        name, _, _, tags = parse_wheel_filename(Path(wheel.url).name)
        assert wheel.url.startswith("https://files.pythonhosted.org/packages/")
        assert name == canonicalize_name(wheel.name)
        assert re.fullmatch("[0-9a-f]{64}", wheel.sha256)
        assert any(
            tag.abi in ("none", "abi3", "cp313") and tag.platform.endswith(("any", processor, "universal2"))
            for tag in tags
        )


def test_nothing_is_pinned_twice_and_what_is_written_is_what_is_read():
    for wheels in PINNED.values():
        assert len({wheel.name for wheel in wheels}) == len(wheels)
    assert homebrew.written(FORMULA, PINNED) == FORMULA
    other = {system: [Wheel("one", f"https://x/{system}", "1" * 64)] for system in PINNED}
    assert homebrew.pinned(homebrew.written(FORMULA, other)) == other


def test_a_release_is_filled_in(formula: str):
    assert f'sha256 "{hashlib.sha256(b"a wheel").hexdigest()}"' in formula
    assert '/biblicus_corpus-9.9.9-py3-none-any.whl", using: :nounzip' in formula
    assert "@" not in re.sub(r"python@3\.\d+", "", formula)
    assert f'"python@{homebrew.PYTHON}"' in formula


def test_ruby_can_read_it(formula: str):
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("there is no ruby here")
    done = subprocess.run([ruby, "-c"], input=formula, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "Syntax OK"), done.stderr


def test_words_that_mean_nothing_are_refused(capsys: pytest.CaptureFixture[str]):
    assert homebrew.main(["--pni"]) == 2
    assert "--pin" in capsys.readouterr().err

"""A release can be built by anyone, twice, with the same bytes; and what the docs say to install exists."""

import json
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools import installs, release

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[list[Path]]:
    """Artefacts of two builds, from two copies of the checkout in folders of different names."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    made = []
    for name in ("first", "second"):
        copy = tmp_path_factory.mktemp(name) / "checkout"
        for file in filter(None, names.split("\0")):
            if (ROOT / file).is_file():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / file, copy / file)
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
            who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
            home = {"HOME": str(copy), "PATH": "/usr/bin:/bin"}
            dates = {"GIT_AUTHOR_DATE": "2026-01-05T09:00:00Z", "GIT_COMMITTER_DATE": "2026-01-05T09:00:00Z"}
            subprocess.run(["git", *who, *words], cwd=copy, check=True, env=dates | home)
        made.append(release.build(copy, copy / "dist"))
    return made


def test_two_builds_have_the_same_bytes(built: list[list[Path]]):
    first, second = built
    assert [path.name for path in first] == [path.name for path in second]
    assert len(first) == 2
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_a_wheel_carries_manual_bill_of_materials_and_commit(built: list[list[Path]]):
    (wheel,) = [path for path in built[0] if path.suffix == ".whl"]
    with zipfile.ZipFile(wheel) as archive:
        files = {name.split("/", 1)[1]: name for name in archive.namelist()}
        manual = archive.read(files["data/share/man/man1/biblicus.1"]).decode()
        bill = json.loads(archive.read(files["sboms/biblicus.cdx.json"]))
        commit = archive.read(files["commit.txt"]).decode().strip()
        about = archive.read(files["METADATA"]).decode()
    assert '.SH "biblicus query"' in manual
    assert re.fullmatch(r"[0-9a-f]{40}", commit)
    assert {row["name"] for row in bill["components"]} >= {"pydantic", "tantivy", "usearch"}
    targets = re.findall(r"\]\(([^)\s]+)\)", about)
    assert targets
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []


def test_what_the_docs_install_exists():
    known = PROJECT["optional-dependencies"].keys()
    assert [name for line in installs.shown() for name in line.split(",") if name and name not in known] == []


def test_the_version_stands_in_one_place():
    others = ("packaging/mcpb/manifest.json", "packaging/vscode/package.json")
    for file in ("server.json", ".claude-plugin/plugin.json", *others):
        assert json.loads((ROOT / file).read_text("utf-8"))["version"] == PROJECT["version"]
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version: {PROJECT['version']}\n" in cited

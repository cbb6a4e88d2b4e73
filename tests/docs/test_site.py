"""The site is built without the network, without a warning, and asks no other host for anything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import cli_page

ROOT = Path(__file__).resolve().parents[2]
_FETCHED = re.compile(r"<(?:script|img|iframe)[^>]*\ssrc=\"(https?:)?//|<link[^>]*stylesheet[^>]*href=\"(https?:)?//")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_each_command_has_its_page(site: Path):
    names = [name for name, _ in cli_page.commands()]
    pages = {name: site / "commands" / name.replace(" ", "-") / "index.html" for name in names}
    assert [name for name, page in pages.items() if f"biblicus {name}" not in page.read_text("utf-8")] == []


def test_no_page_asks_another_host(site: Path):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 80
    assert [page.name for page in pages if _FETCHED.search(page.read_text("utf-8"))] == []

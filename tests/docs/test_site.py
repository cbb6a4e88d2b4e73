"""The site is built without the network, without a warning, and asks no other host for anything."""

import re
import subprocess
import sys
from pathlib import Path

from tools import cli_page

ROOT = Path(__file__).resolve().parents[2]
_FETCHED = re.compile(r"<(?:script|img|iframe)[^>]*\ssrc=\"(https?:)?//|<link[^>]*stylesheet[^>]*href=\"(https?:)?//")


def test_each_command_has_its_page_and_no_page_asks_another_host(tmp_path: Path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = [name for name, _ in cli_page.commands()]
    texts = {name: tmp_path / "commands" / name.replace(" ", "-") / "index.html" for name in names}
    assert [name for name, page in texts.items() if f"biblicus {name}" not in page.read_text("utf-8")] == []
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 80
    assert [page.name for page in pages if _FETCHED.search(page.read_text("utf-8"))] == []

"""llms.txt: what language models are told of the documentation; llms-full.txt: all of it in one file."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_ROW = re.compile(r"^\| (\[.+?) \| (.+?) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
_REFERENCE = ("cli.md", "errors.md", "recipes.md", "disk-format.md", "schemas/", "benchmarks.md")
"""What few need: lists of everything, and figures."""
_SUMMARY = re.compile(r"^\*\*(.+?)\*\*$", re.MULTILINE)


def pages() -> list[tuple[str, str]]:
    """The pages that the README leads to, with what they are for, in its order."""
    readme = (ROOT / "README.md").read_text("utf-8")
    table = readme.partition("## Where to read on")[2]
    found = [(path, about) for links, about in _ROW.findall(table) for _, path in _LINK.findall(links)]
    listed = {path for path, _ in found}
    rest = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
    return found + [(path, "") for path in rest if path not in listed]


def title(path: str) -> str:
    """What a page calls itself; a folder, its path."""
    file = ROOT / path
    if file.is_dir():
        return path
    return next(line[2:] for line in file.read_text("utf-8").splitlines() if line.startswith("# "))


def index() -> str:
    """The list of pages, in the form of llmstxt.org."""
    summary = _SUMMARY.search((ROOT / "README.md").read_text("utf-8"))
    assert summary is not None
    first: list[str] = []
    later: list[str] = []
    for path, about in pages():
        row = f"- [{title(path)}]({path}){f': {about}' if about else ''}"
        (later if path.removeprefix("docs/") in _REFERENCE else first).append(row)
    skill = "- [The skill for agents](skills/biblicus/SKILL.md): how to ask, read, cite and verify on the command line"
    head = f"# Biblicus\n\n> {summary[1]}\n\nPaths are relative to this file.\n"
    return "\n".join([head, "## Docs\n", skill, *first, "\n## Optional\n", *later, ""])


def whole() -> str:
    """The README and every page that is written by hand, one after the other."""
    files = ["README.md", *(path for path, _ in pages() if path.endswith(".md"))]
    texts = (f"<!-- {path} -->\n{(ROOT / path).read_text('utf-8').strip()}\n" for path in dict.fromkeys(files))
    return "\n".join(texts)

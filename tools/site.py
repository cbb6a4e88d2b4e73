"""Hook of MkDocs: the documentation as a site, from the same pages (`make site`).

Adds a page for each command and the README as the start page, and points links that leave `docs/` at the repository.
Nothing is fetched while the site is built.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from tools import cli_page

ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
_WIDE = "---\nhide: [toc]\n---\n"
"""Front matter of a page without headings: its text takes the room of the table of contents."""
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the start page and the pages of the commands."""
    made = {"index.md": _from_top((ROOT / "README.md").read_text("utf-8"))}
    made |= {f"commands/{_slug(name)}.md": _WIDE + cli_page.command_page(name) for name, _ in cli_page.commands()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_nav(nav: Navigation, config: Any, files: Files) -> Navigation:
    """List the pages of the commands under the section "Commands"."""
    (section,) = [found for part in nav.items for found in [part, *(part.children or [])] if found.title == "Commands"]
    assert isinstance(section, Section)
    for name, _ in cli_page.commands():
        file = files.get_file_from_path(f"commands/{_slug(name)}.md")
        assert file is not None
        page = Page(name, file, config)
        page.parent = section
        section.children.append(page)
        nav.pages.append(page)
    return nav


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Drop comments, and point links to files outside of `docs/` at the repository."""

    def pointed(link: re.Match[str]) -> str:
        target = (ROOT / "docs" / page.file.src_uri).parent / link[1]
        path = target.resolve()
        if path.is_relative_to(ROOT / "docs") and path.suffix in (".md", ".png", ".svg"):
            return link[0]
        if not path.exists():
            return link[0]
        kind = "tree" if path.is_dir() else "blob"
        return f"]({config.repo_url}/{kind}/main/{path.relative_to(ROOT)}{link[2] or ''})"

    return _LINK.sub(pointed, _COMMENT.sub("", markdown))


def _from_top(readme: str) -> str:
    """Return the README with its links as seen from `docs/`."""

    def moved(link: re.Match[str]) -> str:
        path = link[1].removeprefix("docs/") if link[1].startswith("docs/") else f"../{link[1]}"
        return f"]({path}{link[2] or ''})"

    return _LINK.sub(moved, readme)


def _slug(name: str) -> str:
    return name.replace(" ", "-")

"""Writes the generated pages under docs/, or checks that they are up to date.

`python -m tools.docs` writes them, and `llms-full.txt`, which is not kept in git. `python -m tools.docs --check` writes
nothing and leaves with 1 where one is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools import (
    cli_page,
    damage_table,
    errors_page,
    llms,
    proofs,
    python_stub,
    recipes_page,
    schemas,
)

DOCS = Path(__file__).resolve().parents[1] / "docs"


def pages(docs: Path = DOCS) -> dict[str, str]:
    """The text of every generated page by its path below docs/; of `recipes.md` and `disk-format.md` only a part is."""
    recipes = (docs / "recipes.md").read_text(encoding="utf-8")
    on_disk = (docs / "disk-format.md").read_text(encoding="utf-8")
    return {
        "cli.md": cli_page.page(),
        "errors.md": errors_page.page(),
        "promises.md": proofs.page(proofs.records(), proofs.version()),
        "recipes.md": recipes_page.page(recipes),
        "disk-format.md": damage_table.page(on_disk),
        "../llms.txt": llms.index(),
        "../biblicus/connectors/python/methods.pyi": python_stub.stub(),
        **{f"schemas/{name}.json": text for name, text in schemas.documents().items()},
    }


def stale(wanted: Mapping[str, str], docs: Path = DOCS) -> list[str]:
    """Pages that are missing, not as wanted, or schemas that nothing writes any more."""
    found = [name for name, text in wanted.items() if not _is(docs / name, text)]
    orphans = [f"schemas/{path.name}" for path in sorted((docs / "schemas").glob("*.json"))]
    return found + [name for name in orphans if name not in wanted]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def write(docs: Path = DOCS) -> list[str]:
    """Write what is stale; returns the pages that changed."""
    wanted = pages(docs)
    changed = stale(wanted, docs)
    for name in changed:
        if name in wanted:
            (docs / name).parent.mkdir(parents=True, exist_ok=True)
            (docs / name).write_text(wanted[name], encoding="utf-8")
        else:
            (docs / name).unlink()
    return changed


def main(arguments: Sequence[str]) -> int:
    """The exit code: 1 where `--check` found a stale page, 2 for other words."""
    if list(arguments) not in ([], ["--check"]):
        print("python -m tools.docs [--check]", file=sys.stderr)
        return 2
    names = stale(pages()) if arguments else write()
    if not arguments:
        (DOCS.parent / "llms-full.txt").write_text(llms.whole(), encoding="utf-8")
    for name in names:
        print(f"docs/{name} is stale: make docs" if arguments else f"wrote docs/{name}")
    return 1 if arguments and names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

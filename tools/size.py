"""Size of the package: lines, files, regular expressions, numeric thresholds and imports in functions, by room.

`python -m tools.size` prints a table. Lines count Python, JavaScript, CSS, templates, stubs and data tables that are
read as code; blank lines and docstrings count too.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "biblicus"
_READ_AS_CODE = {".py", ".pyi", ".js", ".css", ".html", ".json", ".md"}
_COUNTS = ("lines", "files", "regexes", "thresholds", "imports")
_ROW = "{:<14}{:>9}{:>7}{:>9}{:>12}{:>9}"


def measured(package: Path = PACKAGE) -> dict[str, Counter[str]]:
    """Return the counts of `_COUNTS` of each room (a top-level folder or file)."""
    rooms: dict[str, Counter[str]] = {}
    for path in sorted(package.rglob("*")):
        if path.suffix not in _READ_AS_CODE or "__pycache__" in path.parts:
            continue
        parts = path.relative_to(package).parts
        room = rooms.setdefault(parts[0] if len(parts) > 1 else "(root)", Counter())
        source = path.read_text("utf-8")
        room["lines"] += source.count("\n")
        room["files"] += 1
        if path.suffix == ".py":
            room.update(_of_code(ast.parse(source)))
    return rooms


def _of_code(tree: ast.Module) -> Counter[str]:
    """Count uses of `re`, fractions between 0 and 1 that module constants name, and imports in functions."""
    counts: Counter[str] = Counter()
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    inner = {node for function in functions for node in ast.walk(function)}
    counts["imports"] = sum(isinstance(node, ast.Import | ast.ImportFrom) for node in inner)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re":
            counts["regexes"] += node.attr in {"compile", "sub", "search", "match", "fullmatch", "findall", "finditer"}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            counts["thresholds"] += sum(
                isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value < 1
                for node in ast.walk(statement.value)
            )
    return counts


def main() -> None:
    rooms = measured()
    print(_ROW.format("room", *_COUNTS))
    for name, counts in [*sorted(rooms.items()), ("sum", sum(rooms.values(), Counter()))]:
        numbers = (f"{counts[key]:,}" for key in _COUNTS)
        print(_ROW.format(name, *numbers))


if __name__ == "__main__":
    main()

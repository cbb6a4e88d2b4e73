"""Language check: docstrings and pages against the house style (`python -m tools.language`).

Counts docstrings whose first word opens a riddle ("What is held"), docstrings with a banned idiom, and sentences of the
docs with more than 30 words. `-v` lists the places. The counts may only fall: `tests/docs/test_language.py`.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 30
"""Words of a sentence in the docs."""
_OPENINGS = ("What", "Whether", "That", "Those", "One that", "How", "Which", "Where", "Who")
_IDIOMS = ("none where none", "of itself", "all else", "where nobody says", "as it stands", "stands in", "is told of")
_FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1`*~*$", re.MULTILINE | re.DOTALL)
_NO_PROSE = re.compile(r"^\s*(\||#|<|\[\^|[-*_]{3,}\s*$)")
_LINK = re.compile(r"\]\([^)]*\)|`[^`]*`")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+")
Found = tuple[str, str]
"""A place (`path:line`) and the text there."""


@cache
def docstrings(folder: Path = ROOT / "biblicus") -> tuple[Found, ...]:
    """Return each docstring of the package: of modules, classes, functions, and strings below a constant."""
    return tuple(_docstrings(folder))


def _docstrings(folder: Path) -> Iterator[Found]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for statement in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
                value = statement.value if isinstance(statement, ast.Expr) else None
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield f"{path.relative_to(folder.parent)}:{statement.lineno}", value.value.strip()


def riddles(folder: Path = ROOT / "biblicus") -> list[Found]:
    """Return the docstrings that open with a word such as "What" or "Whether"."""
    return [
        (place, text) for place, text in docstrings(folder) if any(text.startswith(f"{word} ") for word in _OPENINGS)
    ]


def idioms(folder: Path = ROOT / "biblicus") -> list[Found]:
    """Return the docstrings that contain a banned idiom."""
    return [(place, text) for place, text in docstrings(folder) if any(idiom in text.lower() for idiom in _IDIOMS)]


def long_sentences(pages: list[Path] | None = None) -> list[Found]:
    """Return the sentences with more than `LONGEST` words in README and docs; code, tables and links do not count."""
    found = []
    for path in pages if pages is not None else [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = _FENCED.sub("", path.read_text("utf-8"))
        lines = ("" if _NO_PROSE.match(line) else line.lstrip(" >*-0123456789.").rstrip() for line in text.splitlines())
        prose = "\n".join(lines)
        for paragraph in prose.split("\n\n"):
            sentences = _SENTENCE.split(" ".join(_LINK.sub("x", paragraph).split()))
            found += [(path.name, sentence) for sentence in sentences if len(sentence.split()) > LONGEST]
    return found


CHECKS: dict[str, Callable[[], list[Found]]] = {"riddles": riddles, "idioms": idioms, "long sentences": long_sentences}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.language", description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="list the places")
    arguments = parser.parse_args()
    for name, check in CHECKS.items():
        found = check()
        print(f"{len(found):6,} {name}")
        for place, text in found if arguments.verbose else []:
            print(f"       {place}: {text.splitlines()[0][:90]}")


if __name__ == "__main__":
    main()

"""Code questions out of installed packages: the first sentence of a docstring asks for its definition without it.

`python -m benchmarks.docstrings FOLDER PACKAGE…` writes each definition to `FOLDER/c/N.py` and the questions, a JSON
object a line with `question` and `paths`, to `FOLDER.jsonl`.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

_WORDS = range(5, 26)
_LINES = range(3, 81)


def pairs(package: str) -> Iterator[tuple[str, str]]:
    """A question and a definition for each function of a package that has a docstring and more; tests are left out."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).rglob("*.py")):
            if "test" not in path.relative_to(folder).as_posix():
                yield from _of(path.read_text("utf-8", errors="replace"))


def _of(source: str) -> Iterator[tuple[str, str]]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    lines = source.splitlines(keepends=True)
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or len(node.body) < 2:
            continue
        sentence = re.split(r"(?<=[.!?])\s|\n\s*\n", (ast.get_docstring(node) or "").strip())[0]
        sentence = " ".join(re.sub(r":\w+:|`", "", sentence).split())
        doc = node.body[0]
        body = "".join(lines[node.lineno - 1 : doc.lineno - 1] + lines[doc.end_lineno : node.end_lineno])
        if len(sentence.split()) in _WORDS and body.count("\n") in _LINES:
            yield sentence, body


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.docstrings", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("package", nargs="+")
    arguments = parser.parse_args()
    (arguments.folder / "c").mkdir(parents=True)
    asked = dict(pair for package in arguments.package for pair in pairs(package))
    with arguments.folder.with_suffix(".jsonl").open("w", encoding="utf-8") as questions:
        for number, (question, body) in enumerate(asked.items()):
            (arguments.folder / "c" / f"{number:05}.py").write_text(body, "utf-8")
            questions.write(json.dumps({"question": question, "paths": [f"c/{number:05}.py"]}) + "\n")
    print(f"{len(asked)} questions")


if __name__ == "__main__":
    main()

"""Symbol questions: does the definition of a function come first when it is asked for by name?

The functions are those of an installed package, found by `ast`, which the product does not use. A function is asked
for by its qualified name where it is a method (`Console.print`), else by its bare name, and again in a sentence. It is
found where a piece of evidence is of its file and holds the line of its `def`.
"""

from __future__ import annotations

import ast
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench
from biblicus.connectors.python import Corpus
from biblicus.models.evidence import Evidence

PACKAGE = "rich"
COUNT = 200
_SEED = 20261121
_ASKED = {"by name": "{name}", "in a sentence": "Where is {name} defined?"}
_BARS = {1: 0.80, 5: 0.95}


class Symbol(NamedTuple):
    """A function: its qualified name in its file, the file, and the line of its `def`."""

    name: str
    path: str
    line: int


def measure(bench: Workbench) -> list[Figure]:
    """Two rows `symbols` for each way to ask."""
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return []
    source, place = Path(found.submodule_search_locations[0]), bench.place / "symbols"
    shutil.copytree(source, place, ignore=lambda _, names: [name for name in names if name.startswith("__pycache__")])
    with Corpus.init(place) as corpus:
        corpus.reindex("lexical")
        chosen = sample(place)
        figures = []
        for how, form in _ASKED.items():
            ranks = [rank(corpus, symbol, form) for symbol in chosen]
            for depth, bar in _BARS.items():
                share = sum(0 < place <= depth for place in ranks) / len(ranks)
                detail = f"{len(ranks)} functions of {PACKAGE}, asked {how}"
                figures.append(
                    Figure("symbols", f"definition in the first {depth}", "share", share, bar, detail=detail)
                )
    shutil.rmtree(place)
    return figures


def sample(root: Path) -> list[Symbol]:
    """Functions whose name, as it is asked for, means one of them alone."""
    symbols = [symbol for path in sorted(root.rglob("*.py")) for symbol in _of_file(root, path)]
    times = Counter(symbol.name for symbol in symbols)
    return random.Random(_SEED).sample([symbol for symbol in symbols if times[symbol.name] == 1], COUNT)


def _of_file(root: Path, path: Path) -> Iterator[Symbol]:
    def walk(body: list[ast.stmt], prefix: str) -> Iterator[Symbol]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield Symbol(prefix + node.name, path.relative_to(root).as_posix(), node.lineno)

    return walk(ast.parse(path.read_text("utf-8")).body, "")


def rank(corpus: Corpus, symbol: Symbol, form: str = "{name}") -> int:
    """The rank of the definition, from 1; 0 where it is not among the first ten."""
    for piece in corpus.query(
        form.format(name=symbol.name), limit=10, max_tokens=1_000_000, max_per_source=10
    ).evidence:
        if _holds(piece, symbol):
            return piece.rank
    return 0


def _holds(piece: Evidence, symbol: Symbol) -> bool:
    return piece.path == symbol.path and piece.line_start <= symbol.line <= piece.line_end

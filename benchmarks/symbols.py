"""Symbol questions: does the definition of a function come first when it is asked for by name?

The functions are those of an installed package, found by `ast`, which the product does not use. A function is asked
for by its qualified name where it is a method (`Console.print`), else by its bare name, and again in a sentence. It is
found where a piece of evidence is of its file and holds the line of its `def`.

Namesakes are names that differ in their capitals alone, or that are ordinary words, too: a class `Source` beside a
property `source`. `namesakes.jsonl` asks for 40 of them in a repository and five installed packages, in one corpus.
"""

from __future__ import annotations

import ast
import json
import random
import shutil
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench, data_folder
from biblicus.connectors.python import Corpus
from biblicus.models.evidence import Evidence

PACKAGE = "rich"
COUNT = 200
_SEED = 20261121
_ASKED = {"by name": "{name}", "in a sentence": "Where is {name} defined?"}
_BARS = {1: 0.80, 5: 0.95}

NAMESAKES = Path(__file__).with_name("namesakes.jsonl")
"""A line: `question`, and `name` and `kind` (`class`, `def`) of what must come first: any definition that has them."""
_REPOSITORY = "networkx"
_PACKAGES = ("rich", "click", "httpx", "anyio", "starlette")
_NAMESAKES_BAR = 0.95


class Symbol(NamedTuple):
    """A function: its qualified name in its file, the file, and the line of its `def`."""

    name: str
    path: str
    line: int
    kind: str = "def"


def measure(bench: Workbench) -> list[Figure]:
    """Two rows `symbols` for each way to ask."""
    place = bench.place / "symbols"
    if not _copied(PACKAGE, place):
        return []
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


def measure_namesakes(bench: Workbench) -> list[Figure]:
    """The row `namesakes`."""
    place, archive = bench.place / "namesakes", data_folder() / "folders" / f"{_REPOSITORY}.tar.xz"
    if not archive.exists() or not all(_copied(package, place / package) for package in _PACKAGES):
        return []
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="data")
    with Corpus.init(place) as corpus:
        corpus.reindex("lexical")
        first = namesakes_first(corpus, place)
    shutil.rmtree(place)
    share, detail = sum(first.values()) / len(first), f"{sum(first.values())} of {len(first)} questions"
    return [
        Figure("namesakes", "the namesake that is meant comes first", "share", share, _NAMESAKES_BAR, detail=detail)
    ]


def namesakes_first(corpus: Corpus, root: Path) -> Mapping[str, bool]:
    """Of each question whether a definition of the name that it means comes first."""
    named: dict[tuple[str, str], list[Symbol]] = {}
    for symbol in definitions(root):
        parts = symbol.name.split(".")
        for count in range(1, min(2, len(parts)) + 1):
            named.setdefault((".".join(parts[-count:]), symbol.kind), []).append(symbol)
    first = {}
    for line in NAMESAKES.read_text("utf-8").splitlines():
        asked = json.loads(line)
        evidence = corpus.query(asked["question"], limit=1).evidence
        meant = named.get((asked["name"], asked["kind"]), [])
        first[asked["question"]] = any(_holds(piece, symbol) for piece in evidence for symbol in meant)
    return first


def _copied(package: str, place: Path) -> bool:
    """Copy an installed package's files. False where it is not installed."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return False
    shutil.copytree(spec.submodule_search_locations[0], place, ignore=shutil.ignore_patterns("__pycache__*"))
    return True


def definitions(root: Path) -> list[Symbol]:
    """What the Python files of a folder define."""
    return [symbol for path in sorted(root.rglob("*.py")) for symbol in _of_file(root, path)]


def sample(root: Path) -> list[Symbol]:
    """Functions whose name, as it is asked for, means one of them alone."""
    symbols = [symbol for symbol in definitions(root) if symbol.kind == "def"]
    times = Counter(symbol.name for symbol in symbols)
    return random.Random(_SEED).sample([symbol for symbol in symbols if times[symbol.name] == 1], COUNT)


def _of_file(root: Path, path: Path) -> Iterator[Symbol]:
    def walk(body: list[ast.stmt], prefix: str) -> Iterator[Symbol]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield Symbol(prefix + node.name, path.relative_to(root).as_posix(), node.lineno, "class")
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

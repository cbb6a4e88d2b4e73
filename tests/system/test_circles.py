"""Which files import each other, imports inside functions and modules that a room loads late included."""

import ast
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import biblicus

PACKAGE = Path(biblicus.__file__).parent
KNOWN = {
    "corpus.auto corpus.catalog corpus.changes.file_stats corpus.editorial.approvals "
    "corpus.editorial.log corpus.extracted.transcripts corpus.folder corpus.founding corpus.store_binding": "a folder "
    "gives its store, its recipe and its journal",
    "corpus.changes.synced corpus.registries": "a registry is read when a source has one",
    "extraction.pdf extraction.pdf.pdfium extraction.pdf.pypdf extraction.pdf.sizes": "two readers of one form",
    "runs.build runs.cutting runs.parts runs.vectors": "a part is built again from its run",
    "runs.reindex runs.views": "a reindex brings back what is published",
    "service.askers service.askers.answering service.askers.here service.askers.in_turn service.views": "a "
    "view is asked like a corpus, and who serves encodes what an asker replies",
    "text.media text.media.beginnings": "a type of XML is in the table of types",
}
"""Circles that there are, with their reasons. A new one needs a better reason than these."""


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, modules: Iterable[str]) -> set[str]:
    """Return the modules of the package that a source imports, or takes from a package that loads them at first use."""
    tree = ast.parse(source)
    typed = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found, packages = set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and node not in typed:
            found |= {alias.name.removeprefix("biblicus.") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node not in typed and f"{node.module}.".startswith("biblicus."):
            for alias in node.names:
                name = f"{node.module}.{alias.name}".removeprefix("biblicus.")
                packages[alias.asname or alias.name] = name
                found |= {name, f"{node.module}".removeprefix("biblicus.")}
                if name in modules:
                    found.discard(name.rpartition(".")[0])
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in packages:
            found.add(f"{packages[node.value.id]}.{node.attr}")
    return found & set(modules)


def circles(sources: Mapping[str, str]) -> set[tuple[str, ...]]:
    """Return the sets of modules that reach each other."""
    imports = {name: imported(source, sources) - {name} for name, source in sources.items()}
    found: set[tuple[str, ...]] = set()
    while True:
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            there = reached(imports, error.args[1][0])
            circle = {name for name in there if error.args[1][0] in reached(imports, name)}
            found.add(tuple(sorted(circle)))
            imports = {name: set() if name in circle else needed for name, needed in imports.items()}
        else:
            return found


def reached(imports: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = imports[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def test_files_import_each_other_where_a_reason_is_known():
    sources = {dotted(path): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    assert {" ".join(circle) for circle in circles(sources)} == set(KNOWN)


def test_a_module_that_a_room_loads_late_counts():
    late = {"search": "", "search.verify": "from biblicus.runs import kept\n", "runs": ""}
    late["runs.kept"] = "from biblicus import search\n\ndef read():\n    return search.verify.read()\n"
    assert circles(late) == {("runs.kept", "search.verify")}
    assert circles({**late, "runs.kept": "from biblicus import search\n"}) == set()

"""Where definitions start: the scan against `ast`, which the product does not use, and what `ast` cannot read."""

import ast
import re
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus.extraction.source_code.python_source import definitions
from tests.sampling import some

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
FOLDERS = ("asyncio", "collections", "concurrent", "email", "encodings", "http", "importlib", "json", "logging",
           "multiprocessing", "unittest", "urllib", "xml", "")  # fmt: skip


def by_ast(text: str) -> list[tuple[int, str]]:
    """Line and qualified name of each class and function that stands in no function."""

    def walk(body: list[ast.stmt], prefix: str) -> Iterator[tuple[int, str]]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node.lineno, prefix + node.name
                if isinstance(node, ast.ClassDef):
                    yield from walk(node.body, f"{prefix}{node.name}.")
                continue
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                for part in getattr(node, name, ()) or ():
                    yield from walk(
                        part.body if hasattr(part, "body") and not isinstance(part, ast.stmt) else [part], prefix
                    )

    return sorted(walk(ast.parse(text).body, ""))


def by_scan(text: str) -> list[tuple[int, str]]:
    found = definitions(text)
    ends = [*(heading.offset for heading in found[1:]), len(text)]
    lines = []
    for heading, end in zip(found, ends, strict=True):
        start, name = heading.offset, heading.title
        last = re.escape(name.rpartition(".")[2])
        defined = re.compile(rf"^[ \t\f\ufeff]*(?:async[ \t]+)?(?:def|class)[ \t]+{last}\b", re.MULTILINE)
        if name and (line := defined.search(text, start, end)):
            lines.append((text.count("\n", 0, line.start()) + 1, name))
    return sorted(lines)


def files() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((LIBRARY / folder).glob("*.py"))]


@pytest.mark.parametrize("folder", some(FOLDERS, 4))
def test_the_scan_finds_what_ast_finds(folder: str) -> None:
    for path in sorted((LIBRARY / folder).glob("*.py"))[:60]:
        text = path.read_bytes().decode("utf-8", "replace")
        assert by_scan(text) == by_ast(text), path


SOURCE = '''"""Doc."""
import x

# About f.
@one
@two(
    3)

def f():
    def inner(): pass
    return 1

LIMIT = 3

class A(B):
    """Its text: def not(): a definition"""
    n = 1

    async def g(self): return """
def nor_this(): pass
"""

    m = 2
    class Inner:
        def h(self): ...
if LIMIT:
    def k(): pass
else:
    k = None
'''


def test_parts_cover_all_and_start_at_decorators_and_comments() -> None:
    parts = [(heading.level, heading.title, SOURCE[heading.offset :].split("\n")[0]) for heading in definitions(SOURCE)]
    assert parts == [
        (1, "", '"""Doc."""'),
        (2, "f", "# About f."),
        (1, "", "LIMIT = 3"),
        (2, "A", "class A(B):"),
        (3, "A.g", '    async def g(self): return """'),
        (2, "A", "    m = 2"),
        (3, "A.Inner", "    class Inner:"),
        (4, "A.Inner.h", "        def h(self): ..."),
        (1, "", "if LIMIT:"),
        (2, "k", "    def k(): pass"),
        (1, "", "else:"),
    ]


CYTHON = """cimport ropes
cdef extern from "winch.h":
    int winch(int)
cdef inline ropes.metre_t pull(ropes.metre_t* rope,
        int hands) noexcept nogil:
    cdef int turns = winch(3)
    return turns
cpdef double[:, ::1] wind(int hands):
    pass
cdef np.ndarray[np.float64_t, ndim=2] grid(int hands):
    pass
cdef (int, int) pair(int hands):
    pass
cdef int spaced (int hands):
    pass
cdef public class Drum [object D, type T]:
    cdef int turns
    cpdef turn(self, int hands):
        pass
"""


NAMES = ("grid", "pair", "spaced", "Drum")


def test_definitions_with_types_are_found() -> None:
    titles = [(heading.level, heading.title) for heading in definitions(CYTHON)]
    assert titles == [(1, ""), (2, "pull"), (2, "wind"), *((2, name) for name in NAMES), (3, "Drum.turn")]


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n  (\ndef g(): pass\n",  # brackets that nothing closes
        "\ufeffdef f(): pass\ndef g(): pass\n",  # a byte order mark
        "x = '\ndef f(): pass\nclass g: pass\n",  # a quote that nothing closes
        'print "old"\ndef f(): pass\nexec code in space\ndef g(): pass\n',  # an older Python
        'def f[T: (int, str)](x: T) -> T: ...\ntype A = int\ndef g(): f"{x["a"]}"\n',  # a newer one
    ],
)
def test_what_no_python_reads_is_still_scanned(text: str) -> None:
    assert [heading.title for heading in definitions(text) if heading.title] == ["f", "g"]


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        "'",
        '"""',
        "\\\n",
        "@a\n",
        "#\n",
        "def f():\n",
        "\t" * 50 + "def f(): {\n",
        '"\\',
        "\f",
        "class a:\n ",
        "cdef " + "a" * 99_000,
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()
    definitions(text)
    assert time.process_time() - began < 3

"""Sources: what keeping up with a repository costs, and whether citations stand on the right lines."""

from __future__ import annotations

import resource
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

from benchmarks.figures import Figure
from benchmarks.searching import asked
from benchmarks.workbench import Workbench, run_folder
from biblicus.connectors.python import Corpus
from biblicus.models.evidence import Evidence

FILES = 5_000
_EDITED = 10
CITATIONS = 1_000
_WEB = "https://github.com/MicrosoftDocs/cpp-docs"


def measure(bench: Workbench) -> list[Figure]:
    """The rows `sync-unchanged`, `sync-edited` and `citations`, over a bare repository on this machine."""
    place = bench.place / "sources"
    repository, corpus = place / "docs.git", place / "corpus"
    paths = sorted(path for path in bench.documents.rglob("*.md"))[:FILES]
    texts = {path.relative_to(bench.documents).as_posix(): path.read_bytes() for path in paths}
    subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=main", str(repository)], check=True)
    _commit(repository, texts)
    bench.biblicus("init", str(corpus))
    add = ("sources", "add", str(repository), "--name", "docs", "--allow-local", "--web", _WEB)
    bench.biblicus("-C", str(corpus), *add)
    figures = [*_keeping_up(bench, repository, corpus, texts), _citations(bench, repository, corpus)]
    shutil.rmtree(place)
    return figures


def _keeping_up(bench: Workbench, repository: Path, corpus: Path, texts: dict[str, bytes]) -> Iterator[Figure]:
    first_wall, first = _sync(bench, corpus)
    unchanged = sorted(_sync(bench, corpus) for _ in range(bench.runs))[bench.runs // 2]
    detail = f"{len(texts):,} files; {unchanged[1]:.2f} s of processor time"
    yield Figure("sync-unchanged", "`sources sync`, nothing new", "s", unchanged[0], 2.0, detail=detail)
    for path in list(texts)[:: len(texts) // _EDITED][:_EDITED]:
        texts[path] += b"\nA sentence was added here.\n"
    _commit(repository, texts)
    wall, edited = _sync(bench, corpus)
    detail = (
        f"{edited:.2f} s of processor time against {first:.2f} s ({wall:.2f} s against {first_wall:.2f} s by the clock)"
    )
    name = f"`sources sync` after a commit touching {_EDITED} files, against the first"
    yield Figure("sync-edited", name, "%", 100 * edited / first, 15.0, detail=detail)


def _citations(bench: Workbench, repository: Path, corpus: Path) -> Figure:
    """Of so many citations, those whose lines at that commit, told by git, are the evidence's text."""
    bench.biblicus("-C", str(corpus), "reindex")
    seen: dict[tuple[str, int], Evidence] = {}
    with Corpus.open(corpus) as opened:
        for question in asked(run_folder(corpus)):
            for piece in opened.query(question, limit=10).evidence:
                seen.setdefault((piece.path, piece.span_start), piece)
            if len(seen) >= CITATIONS:
                break
    pieces = list(seen.values())[:CITATIONS]
    right = sum(holds(repository, piece) for piece in pieces)
    detail = f"{right:,} of {len(pieces):,}, held against `git show`"
    return Figure(
        "citations",
        "citations on the right lines of the right commit",
        "share",
        right / len(pieces),
        1.0,
        detail=detail,
    )


def holds(repository: Path, piece: Evidence) -> bool:
    """Whether the lines that a citation names are, in that commit, exactly those that hold the evidence's text."""
    address, _, anchor = (piece.citation_url or "").partition("#L")
    commit, _, path = address.removeprefix(f"{_WEB}/blob/").removesuffix("?plain=1").partition("/")
    shown = subprocess.run(
        ["git", f"--git-dir={repository}", "show", f"{commit}:{unquote(path)}"], capture_output=True, check=False
    )
    first, _, last = anchor.partition("-L")
    if shown.returncode or not first.isdigit():
        return False
    start, end = int(first), int(last or first)
    lines = shown.stdout.decode("utf-8-sig").split("\n")[start - 1 : end]
    text, cited = piece.text, "\n".join(lines)
    inside = text in cited and text not in "\n".join(lines[1:]) and text not in "\n".join(lines[:-1])
    return inside and (piece.line_start, piece.line_end) == (start, end)


def _sync(bench: Workbench, corpus: Path) -> tuple[float, float]:
    """Seconds for a whole process: by the clock, and of processors, git's included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    bench.biblicus("-C", str(corpus), "sources", "sync", "docs")
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _commit(repository: Path, texts: Mapping[str, bytes]) -> None:
    """A commit of these files, without a work tree."""
    head = (
        b"commit refs/heads/main\ncommitter Ada <ada@example.org> 0 +0000\ndata 0\nfrom refs/heads/main^0\ndeleteall\n"
    )
    if not (repository / "refs/heads/main").exists():
        head = head.replace(b"from refs/heads/main^0\n", b"")
    files = (b'M 100644 inline "%b"\ndata %d\n%b\n' % (path.encode(), len(text), text) for path, text in texts.items())
    command = ["git", f"--git-dir={repository}", "fast-import", "--quiet", "--date-format=raw"]
    subprocess.run(command, input=b"".join(chain((head,), files)), check=True)

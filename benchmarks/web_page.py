"""What the page costs: its pictures of PDF pages, its first byte, a new file until it is found, how the folder stands.

`python -m benchmarks.web_page [images | first-byte | found | pending]`: all, or some. The folder is cpp-docs, 9,746
files, but for the pictures. Leaves with 1 where a bar is missed.
"""

from __future__ import annotations

import compileall
import http.client
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from statistics import median
from unittest.mock import patch
from urllib.parse import quote

import pypdfium2

import biblicus
from benchmarks.figures import Figure, table
from benchmarks.hosting import percentile, service
from benchmarks.searching import asked
from benchmarks.workbench import Workbench, data_folder, opened
from biblicus.connectors.python import Corpus
from biblicus.errors import BiblicusError
from biblicus.models.evidence import NOT_WALKED
from biblicus.runs.freshness import Freshness

PAGES = 6
"""Of a document, that are drawn."""
QUESTIONS = 200
FILES = 30
PATIENCE = 30.0
"""Seconds until a file must be found."""
_RESULTS = b"</ol>"
"""End of the results; the first list of a page."""
MARKED = 120
"""Characters of a page that are marked."""


def images(bench: Workbench) -> list[Figure]:
    """Pictures of the first pages of all PDFs of `mixed`, with a passage marked, from a service that is ready: the
    first time, when they are drawn, and the second, when they are not."""
    folder = bench.place / "pictures"
    folder.mkdir()
    pages: list[tuple[str, int]] = []
    for path in sorted((data_folder() / "mixed").glob("*.pdf")):
        try:
            count = len(pypdfium2.PdfDocument(path))
        except pypdfium2.PdfiumError:
            continue
        shutil.copyfile(path, folder / path.name)
        pages += [(path.name, number + 1) for number in range(min(count, PAGES))]
    bench.index(folder)
    with Corpus.open(folder) as corpus:
        addresses = [_picture(corpus, name, page) for name, page in pages]
    with service(folder) as (_, port):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        _milliseconds(line, "/search?q=ready")
        rounds = [[_milliseconds(line, address) for address in addresses] for _ in ("cold", "cached")]
    figures = []
    for name, times, bar in (("cold", rounds[0], 250), ("cached", rounds[1], 15)):
        detail = f"{len(times)} pages, {len({name for name, _ in pages})} PDFs: the first {times[0]:.0f}, "
        detail += f"p50 {percentile(times, 0.5):.1f}, the slowest {max(times):.0f} ms"
        figures.append(Figure("images", f"page image, {name}, p95", "ms", percentile(times, 0.95), bar, detail=detail))
    return figures


def first_byte(bench: Workbench) -> list[Figure]:
    """The search page against the same search of the API, question by question: from the request until the page's
    first byte, and until its results have come."""
    folder, questions = _indexed(bench)
    rows = []
    with service(folder, "--web") as (_, port):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for number, question in enumerate(questions):
            page, api = (f"{path}?q={quote(question)}" for path in ("/", "/search"))
            times = {page: (0.0, 0.0), api: (0.0, 0.0)}
            for address in (page, api) if number % 2 else (api, page):
                times[address] = _first_and(line, address, _RESULTS if address is page else b"")
            rows.append((*times[page], times[api][1]))
    figures = []
    for at, name in enumerate(("first byte of a search page", "a search page until its results are there")):
        share = median(row[at] / row[2] for row in rows[20:])
        detail = f"{len(rows) - 20} questions: {median(row[at] for row in rows[20:]):.1f} against "
        detail += f"{median(row[2] for row in rows[20:]):.1f} ms"
        figures.append(Figure("first-byte", f"{name} against the API's answer", "×", share, 1.4, detail=detail))
    return figures


def until_found(bench: Workbench) -> list[Figure]:
    """A new file under watch, from when it is written until a search finds it."""
    folder, _ = _indexed(bench)
    times = []
    with service(folder, "--watch") as (_, port):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        _milliseconds(line, "/search?q=ready")
        for number in range(FILES):
            word = f"zyx{number}wvu"
            (folder / f"new-{number}.md").write_text(f"# News\n\nThe word is {word}.\n", "utf-8")
            began = time.perf_counter()
            while word.encode() not in _answer(line, f"/search?q={word}&limit=1").partition(b'"evidence"')[2]:
                if time.perf_counter() - began > PATIENCE:
                    raise RuntimeError(f"new-{number}.md was not found within {PATIENCE} s")
                time.sleep(0.02)
            times.append(time.perf_counter() - began)
    detail = f"{FILES} files: p50 {median(times):.2f}, the slowest {max(times):.2f} s"
    return [
        Figure("found", "a new file under watch until it is found, p95", "s", percentile(times, 0.95), 2, detail=detail)
    ]


def pending(bench: Workbench) -> list[Figure]:
    """Queries that tell how the folder stands against the same that do not look, cold and warm."""
    folder, questions = _indexed(bench)
    cold = []
    for _ in range(2 * bench.runs + 1):
        pair = [bench.python("-c", _COLD, look, str(folder), questions[0]) for look in ("look", "no look")]
        cold.append((pair[0], pair[1]))
    warm: list[tuple[float, float]] = []
    looks = Freshness.pending
    with Corpus.open(folder) as corpus:
        for number, question in enumerate(questions):
            pair = [0.0, 0.0]
            for at in (number % 2, 1 - number % 2):
                with patch.object(Freshness, "pending", looks if at == 0 else lambda *_: NOT_WALKED):
                    began = time.perf_counter()
                    corpus.query(f"{question} {at}", limit=10)
                    pair[at] = time.perf_counter() - began
            warm.append((pair[0], pair[1]))
    figures = []
    for name, pairs in (("cold", cold[1:]), ("warm", warm[20:])):
        with_look, without = (median(pair[at] for pair in pairs) * 1000 for at in (0, 1))
        detail = f"{len(pairs)} queries: {with_look:.1f} against {without:.1f} ms"
        share = median(one / other for one, other in pairs)
        figures.append(
            Figure("pending", f"{name} query with `pending` against without", "×", share, 1.1, detail=detail)
        )
    return figures


_COLD = """
import sys
look, folder, question = sys.argv[1:]
from biblicus.runs import freshness
if look == "no look":
    freshness.Freshness.pending = lambda *_: freshness.NOT_WALKED
from biblicus.__main__ import main
sys.argv = ["biblicus", "query", "-C", folder, question]
main()
"""


def _indexed(bench: Workbench) -> tuple[Path, list[str]]:
    """The documents, indexed once, and questions over them."""
    folder = bench.copies(1)
    if not (folder / ".biblicus").exists():
        bench.index(folder)
    return folder, list(islice(asked(next((folder / ".biblicus" / "local" / "index").iterdir())), QUESTIONS))


def _picture(corpus: Corpus, name: str, page: int) -> str:
    """The address of a page's picture, with the middle of its text marked where it has any."""
    address = f"/items/{quote(name)}/pages/{page}.png"
    try:
        text = corpus.get(name, page=page)
    except BiblicusError:
        return address
    middle = (text.span_start + text.span_end) // 2
    return f"{address}?mark={middle}:{min(middle + MARKED, text.span_end)}"


def _milliseconds(line: http.client.HTTPConnection, address: str) -> float:
    """From the request to the end of its answer."""
    return _first_and(line, address)[1]


def _first_and(line: http.client.HTTPConnection, address: str, mark: bytes = b"") -> tuple[float, float]:
    """Milliseconds from the request to the first byte of its answer, and to a mark in it; without one to its end."""
    began = time.perf_counter()
    line.request("GET", address)
    answer = line.getresponse()
    first = (time.perf_counter() - began) * 1000
    body = b""
    while mark and mark not in body and (more := answer.read1(1 << 16)):
        body += more
    reached = (time.perf_counter() - began) * 1000
    _good(address, answer)
    return first, reached if mark else (time.perf_counter() - began) * 1000


def _answer(line: http.client.HTTPConnection, address: str) -> bytes:
    line.request("GET", address)
    return _good(address, line.getresponse())


def _good(address: str, answer: http.client.HTTPResponse) -> bytes:
    """The body, which must be that of an answer."""
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status} {body[:200].decode('utf-8', 'replace')}")
    return body


MEASURES: Mapping[str, Callable[[Workbench], list[Figure]]] = {
    "images": images,
    "first-byte": first_byte,
    "pending": pending,
    "found": until_found,
}
"""The last one adds files, so that it comes last."""


def main(arguments: list[str]) -> int:
    """The exit code."""
    if unknown := set(arguments) - set(MEASURES):
        print(f"no such figure: {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}", file=sys.stderr)
        return 2
    compileall.compile_dir(Path(biblicus.__file__).parent, quiet=2)  # as an installed package is: workers are isolated
    figures: list[Figure] = []
    with opened(runs=5) as bench:
        for name, measure in MEASURES.items():
            figures += measure(bench) if not arguments or name in arguments else []
    print(table(figures))
    return 0 if all(figure.is_reached for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the page costs: its pictures of PDF pages, its first byte, a new file until it is found, how the folder stands.

`python -m benchmarks.web_page [images | first-byte | found | pending]`: all, or some. Leaves with 1 where a bar is
missed.
"""

from __future__ import annotations

import compileall
import http.client
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

import pypdfium2

import biblicus
from benchmarks.figures import Figure, table
from benchmarks.hosting import percentile, service
from benchmarks.workbench import Workbench, apart, data_folder
from biblicus.connectors.python import Corpus
from biblicus.errors import BiblicusError

PAGES = 6
"""Of a document, that are drawn."""
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
    """From the request to the end of its answer, which must be good."""
    began = time.perf_counter()
    line.request("GET", address)
    answer = line.getresponse()
    body = answer.read()
    took = (time.perf_counter() - began) * 1000
    if answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status} {body[:200].decode('utf-8', 'replace')}")
    return took


MEASURES: Mapping[str, Callable[[Workbench], list[Figure]]] = {"images": images}


def main(arguments: list[str]) -> int:
    """The exit code."""
    if unknown := set(arguments) - set(MEASURES):
        print(f"no such figure: {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}", file=sys.stderr)
        return 2
    compileall.compile_dir(Path(biblicus.__file__).parent, quiet=2)  # as an installed package is: workers are isolated
    figures: list[Figure] = []
    with apart() as place:
        bench = Workbench(place, data_folder() / "mixed")
        for name, measure in MEASURES.items():
            figures += measure(bench) if not arguments or name in arguments else []
    print(table(figures))
    return 0 if all(figure.is_reached for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

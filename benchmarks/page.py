"""The page research/benchmarks.md: the figures, the machine they are from, and what exactly was compared.

What was measured stands in `benchmarks/measured.json`, each figure with its day: those that are measured again take the
place of the same ones, the others stay.
"""

from __future__ import annotations

import json
import os
import platform
import re
import sqlite3
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.workbench import ROOT

_KEPT = "benchmarks/measured.json"
MEASURED = ROOT / _KEPT
PAGE = ROOT / "research" / "benchmarks.md"
_LIBRARIES = ("tantivy", "pydantic", "typer", "PyYAML", "rank-bm25", "pycld2", "numpy")

_MEANING = ("meaning", "languages", "embedding", "reembedding", "cold-hybrid", "legs", "eval", "neighbours")

_RANKING = ("quality", "known-items", "natural", "copies")

_ANSWERS = ("answers", "reader", "careless")

_SOURCES = ("sync-unchanged", "sync-edited", "citations", "mail", "mail-unchanged")

_PAGE = """\
# Benchmarks

<!-- Written by `python -m benchmarks --write`; do not edit. -->

Seconds depend on the machine, so the bars are ratios wherever they can be: both sides measured in one run, taking
turns, and the median of the ratios counts. `python -m benchmarks` measures everything below (half an hour), `python -m
benchmarks warm` one row, each beside what the last release came with (before the first one: beside what stands here);
`--json` is for programs, `--write` puts what was measured in here, with its day.
What the seconds and the bytes are made of is in [costs](costs.md).

{sections}
## What is compared

* **Documents**: the Markdown files of MicrosoftDocs/cpp-docs at a2e592a8fc, 9,746 files and 45 MB, recipe `lexical`,
  page cache warm. *Four times over*: four folders of them. Where files are fewer, they are every tenth by size.
* **Full**: two whole processes, `biblicus init` and `biblicus reindex`: walk, hash, read front matter, detect
  languages, extract, cut, fill the tables, index, fsync, seal. **Raw tantivy** gets the same chunks' texts from memory
  in a process of its own and takes as many threads as there are cores, 128 MB, the analyzer `en_stem`, and stores the
  text; the clock runs while documents are added, committed and merged, and for nothing else. **One core**: the same
  `reindex`, bound to one.
* **Five times the folder**: five copies, to each file of which a line is added that tells its copy, so that nothing is
  there twice; bytes are those of the texts.
* **Edited**: a sentence is appended to one file, then a whole `biblicus reindex` process. **Unchanged**: the same with
  no edit.
* **Warm**: processor time of `Corpus.query(text, limit=10)`, from text to evidence with snippets, against that of
  *tantivy's own answer*. That parses the text, searches the index of "raw tantivy" above and reads the 10 texts.
  Questions are titles and headings of the documents, 4 to 8 words; none is asked twice.
* **Entered**: source files with a function that a plain question calls (`python -m benchmarks.entered`).
* **HTTP**: `biblicus serve` with as many processes as it takes by itself, over connections that stay open;
  *killed*: with two, of which the one that has worked most gets SIGKILL. More of it:
  [research/hosting.md](hosting.md).
* **Cold**: a whole `biblicus query` process against `python -c "import typer, pydantic"`.
* **Memory**: proportional set size, summed over all processes every 20 ms, files they map included.
* **Growth**: whole processes on new corpora, three rounds of all sizes; starting a process is not subtracted.
* **Hostile** (`python -m benchmarks hostile`): 1,000 files, 16 of them PDFs that hang, bomb or are broken, against
  1,000 that are read; both indexed before, with 2 s to parse a file. A line is ingested as `POST /ingest` does it, and
  indexed when the clock stops; both corpora take turns.
* **Quality**: each document one file, its title in front matter; the default budget but for 10 items, one piece of
  evidence each. One recipe, no option set for any collection. Linear gains, as in trec_eval.
* **Known documents, natural questions**: for the PEPs and networkx, written by hand before any result was seen, as are
  the natural ones over the mixed documents (`benchmarks/natural_mixed.jsonl`). 408 more natural ones, over folders that
  are not here: [search.md](search.md).
* **Copies**: the PEPs in three folders; each piece of evidence names its two copies, and is evidence once.
* **Meaning** (the throughput needs `pip install sentence-transformers`): the recipes `lexical`, `vector` and `hybrid`
  as they come, with MiniLM; collections imported by `biblicus datasets import`, scored by `biblicus eval`.
  *Languages*: the same with `multilingual` where MiniLM does not know the language.
  *Throughput*: our embedder against sentence-transformers' `encode`, 256 abstracts, batches of 32, the same threads.
  *Neighbours*: graphs as the engine `hnsw` builds them (M 24, ef at construction 200, ef 256); 60,000 vectors are
  real ones filled up with means of two.
* **The judge** (`python -m benchmarks judge`, or one row, `judge-cisi`): the default recipe with `[meaning]` (*auto*),
  the same before any vector is stored (*judged*), words, vectors, and both without the judge (*fused*). Questions are
  drawn with a fixed seed. Folders, vectors and scores stay in `$BIBLICUS_BENCHMARKS`. *libraries*, *tools*, *manuals*:
  folders in `$BIBLICUS_NATURAL` that are not here. Collections without a row above are still to be
  measured. The model alone takes 16 × 31 ms of one core for such a question on this machine. What each
  collection gains in the fit stands in [retrieval.md](search.md#the-judge). The judge's
  weights were fitted on questions of cisi and on those of code. *auto* of 29 November is the order that these weights
  give to the candidates and scores that the rows had kept; they were made before the models' products became whole
  numbers (logits differ by .04 in the mean, vectors have a cosine of .993).
* **Answers** (`python -m benchmarks answers`, `reader`): `quote`, at most 60 words, with the recipe `lexical`, then
  `judged`. Questions of another collection count as unanswerable; the AUC is that of the confidence. *Natural
  questions* and *facts* are written by hand over the PEPs and networkx (`benchmarks/triples.tsv`,
  `reader_questions.tsv`), each fact with a twin in other words. *Definitions* are sentences that define the title of a
  page of cpp-docs, asked for in seven wordings, of which the worst counts. The four xquad have gold answers; each
  question is asked once more with its paragraph filtered out. Of collections for which weights were fitted, only
  documents that the fit has not seen are asked about; a set of `qa` is held against the best three sentences by cosine.
* **PostgreSQL** (`python -m benchmarks postgres`): the server of a wheel on this machine, over its socket, with 256 MB
  of shared buffers; the same folders as *warm* and *meaning*; both stores answer each question, one after the other.
* **Sources**: 5,000 of the Markdown files in a bare repository on this machine; whole `biblicus sources sync`
  processes, git's included. The percentage is of processor time. A citation is right where the lines that it names,
  as `git show` tells them at that commit, are exactly those that hold the evidence's text.

## Search by words: bars that are missed

| figure | bar | measured |
|---|---|---|
| cisi, nDCG@10 | 0.410 | 0.405 |
| "What is …?" for 47 definitions of cpp-docs, page first / in three | 43 / 47 | 39 / 46 |
| lines of `text`, `retrieval` and `search`, 29 November 2026 | 7,000 | 13,001 |
| lines of `stores`, 29 November 2026 | 3,800 | 5,565 |

Met: scifact .702, xquad-de .940, networkx 21 of 25 first and 24 in three. The worst of six wordings of these
definitions has 37 and 43 (bar 34 and 39). Of 12 shared cases of spellings and scripts 11 are right (bar 10).

## Measured elsewhere

* `hybrid` on code, held-out packages, against its better leg: [search.md](search.md), by
  questions that `python -m benchmarks.docstrings` makes.
* Weights of legs that a build measures on the corpus itself were tried and lost
  ([search.md](search.md)): a build measures nothing, and takes no time for it.
* A query by `hybrid` against that of former code, which is not here to be asked: `python -m benchmarks legs` holds it
  against its two legs apart instead; over the 240 paragraphs of xquad-en, 397 questions, 1.01 times as long (154 ms
  against 29 and 123, on a busy machine).
* What a full build, an edit, a question and the bytes are made of: [costs](costs.md), by `python -m
  benchmarks.costs`.
* Bytes written by an edit, modules imported, files opened, texts read: bounds in `tests/reliability/test_counts.py`,
  which `make test` runs.
* The same evidence from files, PostgreSQL and Milvus: `tests/stores/test_conformance.py`; what they reach and cost,
  [stores.md](stores.md), by `python -m benchmarks postgres` and `milvus`.
* A store's server killed, cut off, full, aborted, 300 times: [stores.md](../docs/stores.md), by `make
  test-faults-stores`.
* 327,000 and 1,000,000 passages: [scale.md](scale.md), by `make bench-scale`; one more item among 100,000, by `python
  -m benchmarks.growth`.
* Builds on one worker and on many, some of them killed: [scale.md](scale.md#builds-on-many-machines), by `make test-ray
  SEEDS=40`.
"""


def keep(figures: Sequence[Figure], order: Sequence[str]) -> None:
    """Put figures in the place of those that the same words measured before, and write the page. `order`: of words."""
    again = {figure.command for figure in figures}
    kept = _read(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else []
    rows = [figure for figure in kept if figure.command not in again and figure.command in order]
    rows += [replace(figure, on=date.today().isoformat()) for figure in figures]
    rows.sort(key=lambda figure: order.index(figure.command))
    MEASURED.write_text(json.dumps([row.as_object() for row in rows], indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(rows), encoding="utf-8")


def _read(written: str) -> list[Figure]:
    return [Figure(**{key: row[key] for key in row if key != "verdict"}) for row in json.loads(written)]


def before(root: Path = ROOT) -> list[Figure]:
    """The figures that the last release came with; before the first one, those that were kept last; none where they
    cannot be read."""
    tag = _git(root, "describe", "--tags", "--abbrev=0", "--match", "v*").strip()
    try:
        return _read((tag and _git(root, "show", f"{tag}:{_KEPT}")) or (root / _KEPT).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):  # the last where a figure had other fields then
        return []


def _git(root: Path, *words: str) -> str:
    """What git says; nothing where it has nothing to say, or is not there."""
    try:
        return subprocess.run(("git", *words), cwd=root, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def page(figures: Sequence[Figure]) -> str:
    """The whole page."""
    titles: dict[str, tuple[str, ...] | None] = {"Figures": None, "Quality of ranking": _RANKING}
    judge = tuple(sorted({figure.command for figure in figures if figure.command.startswith("judge-")}))
    titles |= {
        "Meaning": _MEANING,
        "The judge": judge or ("judge-all",),
        "Answers": _ANSWERS,
        "Sources": _SOURCES,
        "PostgreSQL": ("postgres",),
    }
    named = {command for commands in titles.values() for command in commands or ()}
    sections = ""
    for title, commands in titles.items():
        rows = [figure for figure in figures if figure.command in (commands or {figure.command} - named)]
        sections += f"## {title}\n\n{_rows(rows)}\n"
    sections += "## The machine\n\nOf the last measurement:\n\n"
    return _PAGE.format(sections=sections + "".join(f"* {line}\n" for line in machine()))


def machine() -> list[str]:
    """Processor, system and versions: what decides the figures, and nothing that names one machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"Processor: {_processor()}, {len(os.sched_getaffinity(0))} cores; {memory:.0f} GiB of memory",
        f"{platform.system()} {_kernel()}, {platform.libc_ver()[0]} {platform.libc_ver()[1]}",
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}",
        ", ".join(f"{name} {version(name)}" for name in _LIBRARIES),
    ]


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return " ".join(found[1].split()) if found else platform.machine()


def _kernel() -> str:
    """The version number alone: what follows it may name a host or an owner."""
    found = re.match(r"[\d.]+", platform.release())
    return found[0].rstrip(".") if found else ""


def _rows(figures: Iterable[Figure]) -> str:
    lines = ["| figure | bar | aim | measured | | | on |", "|---|---|---|---|---|---|---|"]
    lines += [f"| {' | '.join(figure.cells())} |" for figure in figures]
    return "\n".join(lines) + "\n"


def write_between(page: Path, mark: str, text: str) -> None:
    """Put a text in the place of what stands in a page between the comments of a mark."""
    head, _, rest = page.read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")
    _, _, tail = rest.partition(f"<!-- /{mark} -->\n")
    page.write_text(f"{head}<!-- {mark} -->\n{text}<!-- /{mark} -->\n{tail}", encoding="utf-8")

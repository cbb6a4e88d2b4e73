"""`python -m benchmarks [FIGURE…] [--runs N] [--json | --write]`; leaves with 1 where a bar is missed."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from benchmarks import (
    ablate,
    agents,
    answers,
    careless,
    entered,
    growth,
    hostile,
    hosting,
    indexing,
    judge_quality,
    judge_speed,
    known,
    mail,
    meaning,
    memory,
    milvus,
    near_copies,
    neighbours,
    page,
    postgres,
    quality,
    reader,
    searching,
    sources,
    symbols,
)
from benchmarks.figures import Figure, table
from benchmarks.workbench import Workbench, opened

MEASURES: Mapping[tuple[str, ...], Callable[[Workbench], list[Figure]]] = {
    ("full", "cores", "edit", "unchanged"): indexing.measure,
    ("five", "size"): indexing.measure_growth,
    ("warm", "cold"): searching.measure,
    ("http", "killed"): hosting.measure_load,
    ("entered",): entered.measure,
    ("help",): searching.measure_help,
    ("memory",): memory.measure,
    ("growth",): growth.measure,
    ("hostile",): hostile.measure,
    ("quality",): quality.measure,
    **judge_quality.MEASURES,
    **judge_speed.MEASURES,
    ("ablate",): ablate.measure,
    ("known-items",): known.measure_items,
    ("natural",): known.measure_natural,
    ("copies",): known.measure_copies,
    ("symbols",): symbols.measure,
    ("namesakes",): symbols.measure_namesakes,
    ("headers",): symbols.measure_headers,
    ("meaning",): meaning.measure,
    ("languages",): meaning.measure_languages,
    ("embedding",): meaning.measure_throughput,
    ("reembedding",): meaning.measure_reembedding,
    ("cold-hybrid",): meaning.measure_cold,
    ("legs",): meaning.measure_legs,
    ("eval",): meaning.measure_eval,
    ("neighbours",): neighbours.measure,
    ("tools", "answer", "stdio"): agents.measure,
    ("initialize",): agents.measure_start,
    ("careless",): careless.measure,
    ("postgres",): postgres.measure,
    ("milvus",): milvus.measure,
    ("answers",): answers.measure,
    ("reader",): reader.measure,
    ("sync-unchanged", "sync-edited", "citations"): sources.measure,
    ("mail", "mail-unchanged"): mail.measure,
    ("doctor",): near_copies.measure,
}
"""What measures which figures; those that share a measurement stand together."""
_BY_NAME = frozenset(("milvus", "ablate", "mail"))
"""What is measured where it is named alone: it needs what `make env` does not install, or is no published row."""

GROUPS = {"judge": tuple(name for names in MEASURES for name in names if name.startswith("judge-"))}
"""Words that stand for several figures."""


def measured(bench: Workbench, wanted: Sequence[str], *, kept: bool = False) -> list[Figure]:
    """The rows of the figures named, of all where none is. What needs a package that is not here is left out, and said.
    `kept`: whether each is kept as soon as it is measured."""
    figures: list[Figure] = []
    order = [name for names in MEASURES for name in names]
    wanted = [name for word in wanted for name in GROUPS.get(word, (word,))]
    for names, measure in MEASURES.items():
        if not (set(names) & set(wanted) if wanted else _BY_NAME.isdisjoint(names)):
            continue
        began = time.perf_counter()
        try:
            rows = [figure for figure in measure(bench) if not wanted or figure.command in wanted]
        except ModuleNotFoundError as error:
            print(f"left out {', '.join(names)}: {error}", file=sys.stderr, flush=True)
            continue
        print(f"measured {', '.join(names)}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        figures += rows
        if kept:
            page.keep(rows, order)
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [name for group in MEASURES for name in group]
    parser.add_argument("figure", nargs="*", help=f"all, or some of: {', '.join((*names, *GROUPS))}")
    parser.add_argument("--runs", type=int, default=5, help="how often a timing is repeated; the median counts")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="one JSON document")
    shown.add_argument("--write", action="store_true", help="write them into research/benchmarks.md")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.figure) - {*names, *GROUPS}:
        parser.error(f"no such figure: {', '.join(sorted(unknown))}")
    before = page.before()  # what is kept meanwhile may take its place
    with opened(max(1, asked.runs)) as bench:
        figures = measured(bench, asked.figure, kept=asked.write)
    if asked.json:
        print(json.dumps({"machine": page.machine(), "figures": [figure.as_object() for figure in figures]}))
    else:
        print(table(figures, before))
    return 0 if all(figure.is_reached for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())

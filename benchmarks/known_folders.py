"""Collections with questions whose files are known, each as a corpus with a run of `lexical`."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from benchmarks.quality import load, write
from benchmarks.triples import indexed, unpacked
from benchmarks.workbench import ROOT, Workbench, data_folder
from biblicus.connectors.python import Corpus

Grades = Mapping[str, int]
"""Grades by part of a path."""
Questions = list[tuple[str, Grades]]
_LANGUAGES = ("en", "de", "ru", "zh")
_WORDINGS = ("What is {t}?", "explain {t} to me", "what does {t} mean", "tell me about {t}", "{t} meaning")
_AROUND = re.compile(r"^(?:About|Using) |\s*\(.*\)| Objects?$| Overview$")
"""Parts of a title that no question says."""
_PAGES = 60


def passages(name: str, bench: Workbench) -> tuple[Corpus, Questions]:
    """A collection of `qa/`: each passage one file."""
    folder, place = data_folder() / "qa" / name, bench.place / name
    place.mkdir(exist_ok=True)
    paths = {}
    for number, passage in enumerate(map(json.loads, (folder / "passages.jsonl").open(encoding="utf-8"))):
        paths[passage["id"]] = path = f"{number:05}.txt"
        title = json.dumps(passage["title"], ensure_ascii=False)
        (place / path).write_text(f"---\ntitle: {title}\n---\n{passage['text']}\n", encoding="utf-8")
    asked = map(json.loads, (folder / "questions.jsonl").open(encoding="utf-8"))
    questions = [(row["question"], {paths[one["passage"]]: 1 for one in row["answers"]}) for row in asked]
    return indexed(place), [entry for entry in questions if entry[1]]


def judged_collection(name: str, bench: Workbench) -> tuple[Corpus, Questions]:
    """A collection of `ir/`: each document one file."""
    collection, place = load(data_folder() / "ir" / name), bench.place / name
    path_of = {document: path for path, document in write(collection, place).items()}
    return indexed(place), [
        (text, {path_of[document]: grade for document, grade in collection.judged[question].items()})
        for question, text in collection.questions.items()
    ]


def _natural(folder: Path) -> Questions:
    rows = map(json.loads, (ROOT / "benchmarks" / f"natural_{folder.name}.jsonl").open(encoding="utf-8"))
    questions = [(row["query"], {path: 1 for path in row["relevant"] if (folder / path).exists()}) for row in rows]
    return [entry for entry in questions if entry[1]]


def collections(
    bench: Workbench, natural: Path | None
) -> Iterator[tuple[str, bool, Callable[[], tuple[Corpus, Questions]]]]:
    """Name of each collection, if it has grades, and what makes its corpus and questions."""
    for name in ("scifact", "cranfield", "cisi", *(f"xquad-{code}" for code in _LANGUAGES)):
        yield name, True, partial(judged_collection, name, bench)
    for name in ("faq-docs", "tydi-en", "covidqa"):
        yield name, False, partial(passages, name, bench)
    for name in ("peps", "networkx"):
        yield name, False, partial(unpacked_folder, name, bench)
    cpp = bench.copies(1)
    yield "definitions", False, lambda: (indexed(cpp), definitions(cpp))
    for folder in sorted(natural.iterdir()) if natural else ():
        yield f"natural-{folder.name}", False, partial(copied, bench, folder)


def unpacked_folder(name: str, bench: Workbench) -> tuple[Corpus, Questions]:
    """A folder of `folders/` with the questions that were written for it."""
    return indexed(unpacked(bench, name)), _known(name)


def copied(bench: Workbench, folder: Path) -> tuple[Corpus, Questions]:
    """A copy of a folder with its natural questions."""
    place = bench.place / f"natural-{folder.name}"
    shutil.copytree(folder, place, dirs_exist_ok=True)
    return indexed(place), _natural(folder)


def _known(name: str) -> Questions:
    lines = (data_folder() / "questions" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [(row["question"], dict.fromkeys(row["paths"], 1)) for row in map(json.loads, lines)]


def definitions(folder: Path) -> Questions:
    """Pages called by up to three words that begin a sentence which defines them, asked for in several wordings."""
    titles: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text("utf-8", errors="replace")
        title = re.search(r"^# ([^_`\n]+)$", text, re.MULTILINE)
        name = _AROUND.sub("", title[1].strip()).rstrip("s") if title else ""
        if 2 < len(name) < 33 and len(name.split()) < 4 and _defines(text, name):
            titles.setdefault(name.lower(), []).append(path.relative_to(folder).as_posix())
    named = [(title, paths[0]) for title, paths in sorted(titles.items()) if len(paths) == 1]
    random.Random(11).shuffle(named)
    return [(form.format(t=title), {path: 1}) for form in _WORDINGS for title, path in named[:_PAGES]]


def _defines(text: str, name: str) -> bool:
    return re.search(rf"(?im)^(?:(?:an?|the) )?[*_`]*{re.escape(name)}[*_`]* is (?:an?|the) [a-z]", text) is not None

"""Questions with their answers, from the collections beside the checkout."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biblicus.answering.reader.units import Candidate

SEED = 20261128
CARRIERS = (
    "What is {a} {t}?", "{t}", "explain {t} to me", "what do people mean by {t}",
    "tell me in one sentence what {a} {t} does", "can you say what {ts} are",
    "I keep reading about {ts}, what are they",
    "meaning of {t}", "define {t}", "what would you call {a} {t} in plain words", "give me a short description of {ts}",
    "someone mentioned {a} {t} and I did not understand it",
)  # fmt: skip
"""Wordings of a question for a definition; each is left out of the fit in turn (`{a}` article, `{t}` term)."""
FOLDERS = {
    "definitions": "cpp-docs", "cpp-parameters": "cpp-docs", "parameters": "networkx", "headings": "peps",
    "strangers-cpp": "cpp-docs", "strangers-networkx": "networkx", "strangers-peps": "peps",
}  # fmt: skip
"""Collections that are made from the structure of a folder, and that folder."""
PARAMETERS = (
    "what does the {p} parameter of {f} do", "{f} {p}", "what do I pass as {p} to {f}", "why would I set {p} in {f}",
    "meaning of the argument {p} of {f}", "I am calling {f} and wonder about {p}", "{p} in {f}?",
    "which values make sense for {p} when I use {f}",
)  # fmt: skip
HEADINGS = (
    "{h}", "what should I know about {h}", "how does it handle {h}", "what is said about {h}", "why {h}",
    "could you point me to the rule on {h}", "I have a question on {h}, what is the short answer",
)  # fmt: skip
WEIGHTS = {"pubmedqa": 0.3}


@dataclass(frozen=True)
class Asking:
    """A question to a collection. `holds`: whether a unit has its answer, None where there is none; `path`: of the
    passage with the answer; `half`: 0 to fit, 1 to test; `answer`: its text; `carrier`: the wording's place."""

    collection: str
    question: str
    half: int
    holds: Callable[[Candidate], bool] | None
    path: str = ""
    answer: str = ""
    carrier: int = -1


STRANGERS = ("xquad-en", "tydi-en", "covidqa", "faq-docs", "pubmedqa")
"""Collections whose questions have no answer in any of the folders."""


def of_collection(name: str, data: Path, place: Path, most: int) -> list[Asking]:
    """Return at most so many questions of a collection, chosen by a fixed seed. `place`: of the unpacked folders."""
    if name.startswith("strangers"):
        found = [
            Asking(name, one.question, one.half, None)
            for source in STRANGERS
            for one in of_collection(source, data, place, most // len(STRANGERS))
        ]
    elif name in FOLDERS:
        found = list(_MADE[name](place / FOLDERS[name]))
    else:
        found = list(_xquad(name, data) if name.startswith("xquad") else _qa(name, data))
    random.Random(SEED).shuffle(found)
    return found[:most]


def passages(name: str, data: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of the passages of a collection, as files of their own."""
    if name.startswith("xquad"):
        for entry in _lines(data / "ir" / name / "corpus.jsonl"):
            yield f"{entry['_id']}.md", f"{_head(entry)}{entry['text']}\n"
    else:
        for entry in _lines(data / "qa" / name / "passages.jsonl"):
            yield _path(entry["id"]), f"{_head(entry)}{entry['text']}\n"


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def _head(entry: dict[str, Any]) -> str:
    return f"# {entry['title'].replace('_', ' ')}\n\n" if entry.get("title") else ""


def _path(passage: str) -> str:
    return re.sub(r"[^\w#/-]", "_", passage).replace("#", "__") + ".md"


def _half(document: str) -> int:
    return random.Random(document).randrange(2)


def _xquad(name: str, data: Path) -> Iterator[Asking]:
    folder = data / "ir" / name
    heads = {entry["_id"]: entry for entry in _lines(folder / "corpus.jsonl")}
    asked = {entry["_id"]: entry["text"] for entry in _lines(folder / "queries.jsonl")}
    for entry in _lines(folder / "answers.jsonl"):
        if entry["_id"] in asked:
            head = heads[entry["doc"]]
            spans = _spans(entry["answers"], len(_head(head)))
            path = f"{entry['doc']}.md"
            title = head.get("title") or entry["doc"]
            yield Asking(name, asked[entry["_id"]], _half(title), _within(path, spans), path, _text(entry["answers"]))


def _qa(name: str, data: Path) -> Iterator[Asking]:
    folder = data / "qa" / name
    heads = {entry["id"]: len(_head(entry)) for entry in _lines(folder / "passages.jsonl")}
    for entry in _lines(folder / "questions.jsonl"):
        half = int(entry["split"] == "test")
        answers = entry["answers"]
        if not answers:
            yield Asking(name, entry["question"], half, None)
            continue
        passage = answers[0]["passage"]
        answers = [answer for answer in answers if answer["passage"] == passage]
        spans = _spans(answers, heads[passage])
        path = _path(passage)
        yield Asking(name, entry["question"], half, _within(path, spans), path, _text(answers))


def _text(answers: Sequence[dict[str, Any]]) -> str:
    return min((str(answer["text"]) for answer in answers), key=len)


def _spans(answers: Sequence[dict[str, Any]], offset: int) -> list[tuple[int, int]]:
    return [(offset + int(one["start"]), offset + int(one["start"]) + len(one["text"])) for one in answers]


def _within(path: str, spans: Sequence[tuple[int, int]]) -> Callable[[Candidate], bool]:
    def holds(candidate: Candidate) -> bool:
        if candidate.piece.path != path:
            return False
        start, end = (candidate.piece.span_start + at for at in (candidate.unit.start, candidate.unit.end))
        return any(2 * (min(end, high) - max(start, low)) >= high - low for low, high in spans)

    return holds


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[*_`\\]|\[|\]\([^)]*\)", "", text)).strip()


def _definitions(folder: Path) -> Iterator[Asking]:
    """Yield pages that define their own title in a sentence, in each of the carriers."""
    gold: dict[str, list[tuple[str, str]]] = {}
    for file in sorted(folder.rglob("*.md")):
        if ".biblicus" in file.parts:
            continue
        text = file.read_text("utf-8", "replace")
        title = re.search(r"^# ([^_`\n]+)$", text, re.MULTILINE)
        base = re.sub(r"^(About|Using) |\s*\(.*\)| Objects?$| Overview$", "", _plain(title[1])) if title else ""
        base = re.sub(r"s$", "", base)
        if not 3 <= len(base) <= 32 or len(base.split()) > 3:
            continue
        named = rf"(An? |The )?({re.escape(base)})( object| function| resource)? is (a|an|the) [a-z][^.]{{25,260}}\."
        for paragraph in re.split(r"\n\s*\n", text):
            if found := re.match(named, _plain(paragraph), re.IGNORECASE):
                gold.setdefault(base.lower(), []).append((str(file.relative_to(folder)), found[0]))
    for term, places in sorted(gold.items()):
        if len(places) == 1:
            path, sentence = places[0]
            for at, carrier in enumerate(CARRIERS):
                asked = carrier.format(a="an" if term[0] in "aeiou" else "a", t=term, ts=f"{term}s")
                yield Asking("definitions", asked, _half(term), _says(sentence), path, sentence, at)


def _says(sentence: str) -> Callable[[Candidate], bool]:
    beginning = sentence.lower()[:60]

    def holds(candidate: Candidate) -> bool:
        return beginning in _plain(candidate.unit.reads).lower()

    return holds


def _python_parameters(folder: Path) -> Iterator[Asking]:
    """Yield the parameters of documented functions, in each of the wordings."""
    documented = re.compile(r"^    (\w+) : [^\n]*\n        (\S[^\n]{25,})", re.MULTILINE)
    for file in sorted(folder.rglob("*.py")):
        text, path = file.read_text("utf-8", "replace"), str(file.relative_to(folder))
        for function in re.split(r"^def (?=[a-z])", text, flags=re.MULTILINE)[1:]:
            yield from _parameters("parameters", function.partition("(")[0], documented.findall(function), path)


def _page_parameters(folder: Path) -> Iterator[Asking]:
    """Yield the parameters on the pages of functions, in each of the wordings."""
    documented = re.compile(r"^\*`?(\w+)`?\*\\\n([A-Z][^\n]{25,})", re.MULTILINE)
    for file in sorted((folder / "c-runtime-library" / "reference").glob("*.md")):
        text, path = file.read_text("utf-8", "replace"), str(file.relative_to(folder))
        title = re.search(r"^# `(\w+)`", text, re.MULTILINE)
        if title:
            yield from _parameters("cpp-parameters", title[1], documented.findall(text), path)


def _parameters(name: str, function: str, documented: Sequence[tuple[str, str]], path: str) -> Iterator[Asking]:
    for parameter, said in [pair for pair in documented if len(pair[0]) > 2][:3]:
        for at, wording in enumerate(PARAMETERS):
            asked = wording.format(p=parameter, f=function)
            yield Asking(name, asked, _half(path), _says_there(said, path), path, said, at)


def _headings(folder: Path) -> Iterator[Asking]:
    """Yield sections with a telling heading; the answer is their first sentence."""
    headed = re.compile(r"^([A-Z][^\n]{12,60})\n[=~^*-]{8,}\n\n([A-Z][^\n]{30,})", re.MULTILINE)
    for file in sorted(folder.glob("pep-*.rst")):
        text, path = file.read_text("utf-8", "replace"), file.name
        for heading, said in headed.findall(text):
            if 2 < len(heading.split()) < 8:
                for at, wording in enumerate(HEADINGS):
                    asked = wording.format(h=heading.lower())
                    yield Asking("headings", asked, _half(path), _says_there(said, path), path, said, at)


def _says_there(said: str, path: str) -> Callable[[Candidate], bool]:
    beginning = _plain(said).lower()[:30]

    def holds(candidate: Candidate) -> bool:
        return candidate.piece.path == path and beginning in _plain(candidate.unit.reads).lower()

    return holds


_MADE = {
    "definitions": _definitions, "cpp-parameters": _page_parameters, "parameters": _python_parameters,
    "headings": _headings,
}  # fmt: skip

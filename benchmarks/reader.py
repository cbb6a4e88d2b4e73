"""Answers of `quote` to questions it was not fitted on: `python -m benchmarks reader`, an hour; by words, then judged.

Natural questions and facts come from `reader_questions.tsv` and `triples.tsv`, written by hand from two folders; each
fact has a twin in other words. Definitions come from the pages of cpp-docs. The rest are collections with gold answers.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks.figures import Figure
from benchmarks.triples import indexed, letters, triples, unpacked
from benchmarks.workbench import ROOT, Workbench, data_folder
from biblicus import plugins
from biblicus.connectors.python import Corpus
from biblicus.contracts import Call, Embedder, Given
from biblicus.corpus.auto import are_installed
from biblicus.measure.answer_metrics import auc, calibration, calibration_error
from biblicus.measure.answer_metrics import holds as stands
from biblicus.models.answers.answer import Answer
from biblicus.models.evidence import Evidence
from biblicus.models.recipe import JUDGED, WORDS
from biblicus.text.sentences import sentences

QUESTIONS = ROOT / "benchmarks" / "reader_questions.tsv"
FOLDERS = ("peps", "networkx")
WORDINGS = (
    "What is {a} {t}?", "{t}", "explain {t} to me", "what do people mean by {t}",
    "tell me in one sentence what {a} {t} does", "can you say what {ts} are",
    "I keep reading about {ts}, what are they",
)  # fmt: skip
XQUAD = ("xquad-en", "xquad-de", "xquad-ru", "xquad-zh")
QA = ("tydi-en", "tydi-multi", "covidqa", "faq-docs", "pubmedqa")
SURE, ANSWERED = 0.6, 0.9
"""Confidence of a sure answer; share of the answerable questions that are answered where doubt is counted."""
DEFINITIONS, EVERY, ASKED = 60, {WORDS: 2, JUDGED: 10}, {WORDS: 150, JUDGED: 40}
"""Terms, each so manyth question of an xquad, and questions of a set in `qa`."""
_LETTERS, _WORDS, _BINS = 60, 60, 10
"""Letters by which a gold answer is known, words of the best sentences by cosine, bins of the calibration error."""


class Asked(NamedTuple):
    """A question with its gold answers (none: it has no answer here)."""

    question: str
    gold: Sequence[str]


class Outcome(NamedTuple):
    """An answer measured. `quoted`: the gold is in what is answered; `shown`: there or in the nearest statement."""

    answered: bool
    quoted: bool
    shown: bool
    confidence: float


def measure(bench: Workbench) -> list[Figure]:
    """The rows `reader`: by words alone, then with models where they are installed."""
    rows = []
    for recipe in (WORDS, *((JUDGED,) if are_installed() else ())):
        with _models(recipe):
            for measured in (natural, facts, definitions, paragraphs, collections):
                rows += measured(bench, recipe)
    return rows


def natural(bench: Workbench, recipe: str) -> list[Figure]:
    """Natural questions over the folders, and those that have no answer there."""
    outcomes: list[Outcome] = []
    none: list[Outcome] = []
    for name in FOLDERS:
        with _opened(unpacked(bench, name), recipe) as corpus:
            asked = [Asked(triple.question, [triple.sentence]) for triple in triples(name)]
            asked += [Asked(twin, gold) for folder, gold, _, twin in handwritten() if folder == name]
            for question in asked:
                (outcomes if question.gold else none).append(outcome(corpus, question, recipe))
    count = len(outcomes)
    right = [one.confidence for one in outcomes if one.quoted]
    wrong = [one.confidence for one in outcomes if one.answered and not one.quoted]
    sure = [one for one in outcomes if one.answered and one.confidence >= SURE]
    loose = sum(one.answered for one in none)
    return [
        _share(f"natural questions, gold in the answer, {recipe}", [one.quoted for one in outcomes], 0.3),
        _share(f"natural questions, gold in the answer or the nearest, {recipe}", [o.shown for o in outcomes], 0.5),
        _share(f"natural questions, of those at {SURE} or more: gold, {recipe}", [one.quoted for one in sure], 0.72),
        Figure("reader", f"questions without an answer, answered, {recipe}", "%", 100 * loose / len(none), 7,
               detail=f"{loose} of {len(none)}; {count} with one"),
        Figure("reader", f"right against wrong quotation, AUC, {recipe}", "share", auc(right, wrong) or 0.5, 0.7,
               0.8, f"{len(right)} right, {len(wrong)} wrong"),
    ]  # fmt: skip


def facts(bench: Workbench, recipe: str) -> list[Figure]:
    """Facts and parameters as their text has them, and in other words."""
    said, reworded = [], []
    for name in FOLDERS:
        with _opened(unpacked(bench, name), recipe) as corpus:
            for folder, gold, question, twin in handwritten():
                if folder == name and gold:
                    said.append(outcome(corpus, Asked(question, gold), recipe).quoted)
                    reworded.append(outcome(corpus, Asked(twin, gold), recipe).quoted)
    return [_share(f"facts as the text has them, {recipe}", said, 0.9),
            _share(f"facts in other words, {recipe}", reworded, 0.6)]  # fmt: skip


def definitions(bench: Workbench, recipe: str) -> list[Figure]:
    """The worst of seven wordings of a question for what a term is."""
    folder = bench.copies(1)
    terms = defined(folder)[:DEFINITIONS]
    found = {}
    with _opened(folder, recipe) as corpus:
        for wording in WORDINGS:
            asked = [Asked(wording.format(a=_article(term), t=term, ts=f"{term}s"), [gold]) for term, gold in terms]
            found[wording] = [outcome(corpus, question, recipe) for question in asked]
    quoted = {wording: sum(one.quoted for one in outcomes) for wording, outcomes in found.items()}
    wrong = {
        wording: sum(one.answered and not one.quoted and one.confidence >= SURE for one in outcomes)
        for wording, outcomes in found.items()
    }
    detail = "; ".join(f"{wording} {quoted[wording]}, wrong {wrong[wording]}" for wording in WORDINGS)
    worst, count = min(quoted.values()), len(terms)
    return [
        Figure("reader", f"definitions, worst wording, {recipe}", "share", worst / count, 0.63, 0.8, detail),
        Figure("reader", f"definitions, worst wording: wrong at {SURE} or more, {recipe}", "%",
               100 * max(wrong.values()) / count, 5.3, detail=f"of {count}"),
    ]  # fmt: skip


def paragraphs(bench: Workbench, recipe: str) -> list[Figure]:
    """Questions whose paragraph is there, and the same with it filtered out."""
    rows = []
    for name in XQUAD:
        folder = data_folder() / "ir" / name
        asked = {row["_id"]: row["text"] for row in _lines(folder / "queries.jsonl")}
        titles = {row["_id"]: row.get("title") or row["_id"] for row in _lines(folder / "corpus.jsonl")}
        lines = [row for row in _lines(folder / "answers.jsonl") if _half(titles[row["doc"]]) and row["_id"] in asked]
        there, gone = [], []
        with _opened(_xquad(bench, name), recipe) as corpus:
            for row in lines[:: EVERY[recipe]]:
                question = Asked(asked[row["_id"]], [answer["text"] for answer in row["answers"]])
                there.append(outcome(corpus, question, recipe))
                others = _others(f"imports/{name}/{row['doc']}.")
                gone.append(outcome(corpus, question, recipe, path=others))
        rows += _doubt(f"{name}, {recipe}", there, gone)
    return rows


def _doubt(name: str, there: Sequence[Outcome], gone: Sequence[Outcome]) -> list[Figure]:
    sure = sorted((one.confidence for one in there), reverse=True)
    least = sure[int(ANSWERED * len(sure)) - 1]
    share = 100 * sum(one.confidence >= least for one in gone) / len(gone)
    pairs = [(one.confidence, float(one.quoted)) for one in there if one.answered]
    error = calibration_error(calibration(pairs, _BINS)) or 0.0
    separated = auc([one.confidence for one in there], [one.confidence for one in gone]) or 0.5
    is_english = name.startswith("xquad-en")
    return [
        _share(f"gold quoted, {name}", [one.quoted for one in there], 0.9 if is_english else 0.84),
        Figure("reader", f"AUC against the paragraph gone, {name}", "share", separated, 0.97 if is_english else 0.95),
        Figure("reader", f"answered with the paragraph gone, {name}", "%", share, 7 if is_english else 12),
        Figure("reader", f"calibration error, {name}", "error", error, 0.05, 0.035, f"{len(pairs)} answers"),
    ]


def collections(bench: Workbench, recipe: str) -> list[Figure]:
    """The test halves of `qa`, against the three sentences of the same passages that are best by cosine."""
    rows = []
    for name in QA:
        folder = data_folder() / "qa" / name
        heads = {row["id"]: row for row in _lines(folder / "passages.jsonl")}
        lines = [row for row in _lines(folder / "questions.jsonl") if row["answers"] and _tests(name, row)]
        chosen = random.Random(54).sample(lines, min(len(lines), ASKED[recipe]))
        quoted, nearest = [], []
        with _opened(_passages(bench, name, heads), recipe) as corpus:
            for row in chosen:
                question = Asked(row["question"], [answer["text"] for answer in row["answers"]])
                quoted.append(outcome(corpus, question, recipe).quoted)
                if recipe == JUDGED:
                    evidence = corpus.query(row["question"], recipe=recipe).evidence
                    nearest.append(holds(_by_cosine(row["question"], evidence[:6]), question.gold))
        bar = sum(nearest) / len(nearest) if nearest else 0.0
        rows.append(_share(f"gold quoted, {name}, {recipe}", quoted, bar))
    return rows


# --- questions --------------------------------------------------------------------------------------------------------


def handwritten() -> list[tuple[str, Sequence[str], str, str]]:
    """Folder, gold answers, a question as the text has it, the same in other words; without gold the last alone."""
    lines = QUESTIONS.read_text("utf-8").splitlines()[1:]
    cells = (line.split("\t") for line in lines)
    return [(folder, [part for part in gold.split("||") if part], said, twin) for folder, gold, said, twin in cells]


def defined(folder: Path) -> list[tuple[str, str]]:
    """Terms and the sentences that define them, of pages with such a title; the half that no fit has seen."""
    gold: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.md")):
        text = file.read_text("utf-8", errors="replace") if ".biblicus" not in file.parts else ""
        title = re.search(r"^# ([^_`\n]+)$", text, re.MULTILINE)
        base = re.sub(r"^(About|Using) |\s*\(.*\)| Objects?$| Overview$", "", _plain(title[1])) if title else ""
        base = re.sub(r"s$", "", base)
        if not 3 <= len(base) <= 32 or len(base.split()) > 3:
            continue
        named = rf"(An? |The )?({re.escape(base)})( object| function| resource)? is (a|an|the) [a-z][^.]{{25,260}}\."
        sentences_found = (re.match(named, _plain(part), re.IGNORECASE) for part in re.split(r"\n\s*\n", text))
        gold.setdefault(base.lower(), []).extend(found[0] for found in sentences_found if found)
    known = [(term, found[0]) for term, found in sorted(gold.items()) if len(found) == 1 and _half(term)]
    random.Random(11).shuffle(known)
    return known


def _half(term: str) -> int:
    return random.Random(term).randrange(2)


def _tests(name: str, row: Mapping[str, str]) -> bool:
    """Two sets have no test half here: the half of their documents that no fit has seen."""
    return row["split"] == "test" or (name in ("covidqa", "tydi-multi") and bool(_half(row["doc"])))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[*_`\\]|\[|\]\([^)]*\)", "", text)).strip()


def _article(term: str) -> str:
    return "an" if term[0] in "aeiou" else "a"


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


# --- answers ----------------------------------------------------------------------------------------------------------


def outcome(corpus: Corpus, asked: Asked, recipe: str, path: Sequence[str] = ()) -> Outcome:
    """Ask, and measure the answer."""
    answer: Answer = corpus.answer(asked.question, recipe=recipe, path=path)
    answered = bool(answer.answer) and not answer.insufficient
    shown = holds(answer.answer or answer.reasoning_summary, asked.gold)
    return Outcome(answered, answered and shown, shown, answer.confidence)


def holds(text: str, gold: Sequence[str]) -> bool:
    """Return true if the first words of a gold answer stand in a text, as whole words, without marks."""
    beginnings = [_beginning(letters(_plain(answer))) for answer in gold]
    return stands(letters(_plain(text)), [beginning for beginning in beginnings if beginning])


def _beginning(answer: str) -> str:
    """Return the first 60 letters of a longer answer, without the word that is cut."""
    return answer if len(answer) <= _LETTERS else answer[:_LETTERS].rpartition(" ")[0] or answer[:_LETTERS]


def _by_cosine(question: str, evidence: Sequence[Evidence]) -> str:
    """The three sentences nearest to a question, of 60 words together; at least one."""
    texts = [piece.text[start:end] for piece in evidence for start, end in sentences(piece.text)]
    texts = [text.strip() for text in texts if len(text.split()) > 1 or text[:1] > "\u2e80"]
    if not texts:
        return ""
    vectors = _embedder().embed([question, *texts], Call())
    order = sorted(range(len(texts)), key=lambda at: -float(vectors[0] @ vectors[at + 1]))
    chosen: list[str] = []
    words = 0
    for at in order[:3]:
        words += len(texts[at].split())
        if chosen and words > _WORDS:
            break
        chosen.append(texts[at])
    return " … ".join(chosen)


@cache
def _embedder() -> Embedder:
    name = "minilm-int8"
    made: Embedder = plugins.make("embedding", name, plugins.checked("embedding", name, {}, "embedder"), Given())
    return made


def _share(name: str, right: Sequence[bool], bar: float) -> Figure:
    share = sum(right) / len(right) if right else 0.0
    return Figure("reader", name, "share", share, bar, detail=f"{sum(right)} of {len(right)}")


# --- corpora ----------------------------------------------------------------------------------------------------------


@contextmanager
def _models(recipe: str) -> Iterator[None]:
    """Let models be used, for as long as they take, but where words alone are asked."""
    meaning = "off" if recipe == WORDS else "auto"
    with patch.dict(os.environ, BIBLICUS_MEANING=meaning, BIBLICUS_JUDGE_SECONDS="0"):
        yield


@contextmanager
def _opened(folder: Path, recipe: str) -> Iterator[Corpus]:
    """The corpus of a folder with a run of the recipe."""
    indexed(folder).close()
    with Corpus.open(folder) as corpus:
        corpus.reindex(recipe)
        yield corpus


def _xquad(bench: Workbench, name: str) -> Path:
    folder = bench.place / f"reader-{name}"
    if not folder.exists():
        with Corpus.init(folder) as corpus:
            corpus.import_dataset(data_folder() / "ir" / name)
    return folder


def _passages(bench: Workbench, name: str, passages: Mapping[str, Mapping[str, str]]) -> Path:
    folder = bench.place / f"reader-{name}"
    for key, row in passages.items() if not folder.exists() else ():
        file = folder / (re.sub(r"[^\w#/-]", "_", key).replace("#", "__") + ".md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {row['title'].replace('_', ' ')}\n\n{row['text']}\n", encoding="utf-8")
    return folder


def _others(path: str) -> list[str]:
    """Globs of all paths in a folder but those that begin so."""
    start = path.rfind("/") + 1
    return [f"{path[:at]}[!{path[at]}]*" for at in range(start, len(path))]

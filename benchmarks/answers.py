"""What `quote` answers: are its citations true, does it hold the answer, is it silent where it should be, how fast.

Through `Corpus.evaluate(…, answerer="quote")`, as `biblicus eval --answers`, and `Corpus.answer`. Of xquad-en,
`xquad_en_answers.tsv` says for 283 questions where an answer stands in the judged paragraph.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.quality import load
from benchmarks.workbench import ROOT, Workbench, data_folder
from biblicus.connectors.python import Corpus
from biblicus.errors import ExtraMissing
from biblicus.evaluation.answers import auc, calibration, calibration_error, holds
from biblicus.models.answers.evaluation import System

MARKED = ROOT / "benchmarks" / "xquad_en_answers.tsv"
_PAIRS = (("xquad-en", "scifact"), ("scifact", "xquad-en"), ("cranfield", "scifact"), ("scifact", "cranfield"),
          ("cisi", "scifact"))  # fmt: skip
"""A collection, and another whose questions it does not answer."""
_PARAGRAPHS = {"xquad-en": (0.88, 10.0), "xquad-de": (0.82, 15.0), "xquad-ru": (0.82, 15.0), "xquad-zh": (0.82, 15.0)}
"""Collections with gold answers: the share of questions whose answer holds them, and the most that may be answered, in
percent, though their paragraph is away."""
_ANSWERED = 0.9
"""Of the answerable questions: where that many are answered, those without their paragraph are counted."""
_EVERY = 4
"""Which questions are asked by meaning: those take ten times as long."""
_GOLD = {"lexical": 0.65, "hybrid": 0.70}


def measure(bench: Workbench) -> list[Figure]:
    """The rows `answers`."""
    measured = {pair: _measured(bench, *pair) for pair in _PAIRS}
    proved = [_proved(measured[pair]) for pair in _PAIRS[:2]]
    share = sum(true for true, _ in proved) / sum(all_ for _, all_ in proved)
    detail = f"{sum(all_ for _, all_ in proved):,} citations of the answers to 1,190 xquad-en and 300 scifact questions"
    found = [Figure("answers", "quoted citations that verify", "share", share, 1.0, detail=detail)]
    found += _gold(bench)
    found += [figure for name, bars in _PARAGRAPHS.items() for figure in _paragraphs(bench, name, *bars)]
    for name, bars in _PARAGRAPHS.items():
        by_meaning = "hybrid" if name == "xquad-en" else "multilingual"
        found += _paragraphs(bench, name, *bars, recipe=by_meaning, every=_EVERY)
    for (name, other), system in measured.items():
        silent = system.metrics["abstained"]
        detail = f"answered {system.metrics['answered']:.2f} of its own, {1 - silent:.2f} of the others"
        figure = system.system["abstention_auc"]
        found.append(
            Figure("answers", f"abstention AUC, {name} asked of {other}", "share", figure, 0.85, detail=detail)
        )
    warm = measured[_PAIRS[0]].system
    detail = f"{warm['latency_p50']:.1f} ms with the evidence, {warm['query_p50']:.1f} ms for that alone; medians"
    ratio = warm["latency_p50"] / warm["query_p50"]
    return [*found, Figure("answers", "warm answer against its query", "×", ratio, 3.0, detail=detail)]


def _corpus(bench: Workbench, name: str) -> Corpus:
    folder = bench.place / f"answers-{name}"
    if folder.exists():
        return Corpus.open(folder)
    corpus = Corpus.init(folder)
    corpus.import_dataset(data_folder() / "ir" / name)
    corpus.reindex("lexical")
    return corpus


def _measured(bench: Workbench, name: str, other: str) -> System:
    with _corpus(bench, name) as corpus:
        others = str(data_folder() / "ir" / other)
        return corpus.evaluate(name, recipes=["lexical"], answerer="quote", unanswerable=others).systems[0]


def _proved(system: System) -> tuple[float, int]:
    """Citations that verify, and all."""
    rows = [row for row in system.rows if row.ranking]
    return sum(row.metrics["citations_verified"] * len(row.ranking) for row in rows), sum(len(r.ranking) for r in rows)


def _gold(bench: Workbench) -> list[Figure]:
    """How often the marked answer stands in what is quoted; with `hybrid` where its model is installed."""
    asked = bench.place / "marked.jsonl"
    count = _write_marked(asked)
    with _corpus(bench, "xquad-en") as corpus:
        recipes = ["lexical", *_built(corpus, "hybrid")]
        systems: Sequence[System] = corpus.evaluate(str(asked), recipes=recipes, answerer="quote").systems
    return [
        Figure(
            "answers", f"answer among 60 quoted words, xquad-en, {system.name}", "share",
            system.metrics["answer_gold"], _GOLD[system.name],
            detail=f"{count} questions; {system.system['answer_words']:.0f} words an answer",
        )
        for system in systems
    ]  # fmt: skip


def _paragraphs(
    bench: Workbench, name: str, gold_bar: float, gone_bar: float, recipe: str = "lexical", every: int = 1
) -> list[Figure]:
    """How often the gold words stand in what is quoted; how often something is quoted with the paragraph away, and how
    well the confidence tells the two apart; how far it is from how often answers are right. Nothing where the recipe's
    model is not installed. `every`: which questions are asked, each second, each third."""
    folder = data_folder() / "ir" / name
    collection = load(folder)
    right, sure, mistaken, both = [], [], [], []
    with _corpus(bench, name) as corpus:
        if recipe != "lexical" and not _built(corpus, recipe):
            return []
        for line in (folder / "answers.jsonl").read_text("utf-8").splitlines()[::every]:
            gold = json.loads(line)
            question = collection.questions[gold["_id"]]
            answer = corpus.answer(question, recipe=recipe)
            texts = [one["text"] for one in gold["answers"]]
            right.append(holds(answer.answer, texts))
            sure.append((answer.confidence, float(right[-1])))
            others = _others(f"imports/{name}/{gold['doc']}.")
            without = corpus.answer(question, path=others, recipe=recipe)
            mistaken.append(without.confidence)
            both += [sure[-1], (without.confidence, float(holds(without.answer, texts)))]
    least = sorted((confidence for confidence, _ in sure), reverse=True)[int(_ANSWERED * len(sure)) - 1]
    share = 100 * sum(confidence >= least > 0 for confidence in mistaken) / len(mistaken)
    error, of_both = (
        calibration_error(calibration([pair for pair in pairs if pair[0]])) or 0.0 for pairs in (sure, both)
    )
    separated = auc([confidence for confidence, _ in sure], mistaken) or 0.0
    detail = f"{len(right):,} questions"
    auc_bar = 0.95 if name == "xquad-en" else 0.93
    asked = name if recipe == "lexical" else f"{name}, {recipe}"
    return [
        Figure("answers", f"gold answer quoted, {asked}", "share", sum(right) / len(right), gold_bar, detail=detail),
        Figure("answers", f"answered without the paragraph, {asked}", "%", share, gone_bar,
               detail="where 90 % of the answerable are answered"),
        Figure("answers", f"AUC of the confidence against the same without it, {asked}", "share", separated, auc_bar,
               0.97 if name == "xquad-en" else None),
        Figure("answers", f"expected calibration error, {asked}", "error", error, 0.08, 0.04,
               f"{of_both:.3f} with the questions whose paragraph is away"),
    ]  # fmt: skip


def _others(path: str) -> list[str]:
    """Globs of all paths in a folder but those that begin so."""
    start = path.rfind("/") + 1
    return [f"{path[:at]}[!{path[at]}]*" for at in range(start, len(path))]


def _built(corpus: Corpus, recipe: str) -> list[str]:
    """The recipe; nothing where the package of its model is not installed."""
    try:
        corpus.reindex(recipe)
    except ExtraMissing:
        return []
    return [recipe]


def _write_marked(file: Path) -> int:
    folder = data_folder() / "ir" / "xquad-en"
    collection = load(folder)
    texts = {document["_id"]: document["text"] for document in collection.documents}
    lines = [line.split("\t") for line in MARKED.read_text("utf-8").splitlines()[1:]]
    with file.open("w", encoding="utf-8") as stream:
        for question, start, end in lines:
            (document,) = collection.judged[question]
            answer = texts[document][int(start) : int(end)]
            asked = {
                "id": question,
                "query": collection.questions[question],
                "relevant": [document],
                "answers": [answer],
            }
            stream.write(json.dumps(asked, ensure_ascii=False) + "\n")
    return len(lines)

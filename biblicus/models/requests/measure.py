"""Requests about datasets and evaluations."""

from __future__ import annotations

from dataclasses import field

from biblicus.models.fields import Request, doc, option

_DATASET = "A registered name, or the path of a dataset."
_SPLIT = doc("The split of the judgements (default: test).")


class DatasetRequest(Request):
    """Show the content of a dataset, and how many judged items are in the corpus."""

    name: str = field(kw_only=False, metadata=doc(_DATASET))
    split: str | None = option(None, _SPLIT)


class EvaluationRequest(Request):
    """Show a stored evaluation."""

    name: str = field(kw_only=False, metadata=doc("Its name in the list of evaluations."))


class ImportDatasetRequest(Request):
    """Register a dataset, and add its documents, if any, as items."""

    path: str = field(kw_only=False, metadata=doc("A BEIR folder, or questions as JSON lines."))
    name: str | None = option(None, "A name for the dataset (default: the folder's or file's).")


class SynthesizeRequest(Request):
    """Generate questions from the items' titles and headings, without a model; they are marked synthetic."""

    kinds: tuple[str, ...] = field(
        default=(), kw_only=False, metadata=doc("The kind of questions: title or heading (repeat; default: both).")
    )
    name: str | None = option(None, "The dataset's name (default: synthetic).")
    count: int = option(100, "Maximum number of questions.", ge=1)
    seed: int = option(0, "The random seed; another seed gives other questions.")


class EvaluateRequest(Request):
    """Measure recipes and runs on a dataset, compared with the first one (none named: all with a run).

    `answerer`: measure its answers instead of rankings. `procedures`, `commands`: also check them against the dataset's
    requirements. Failed conditions raise nothing; they are in the result's `gates`."""

    dataset: str = field(kw_only=False, metadata=doc(_DATASET))
    recipes: tuple[str, ...] = option((), "A recipe that has a run (repeat).")
    runs: tuple[str, ...] = option((), "A run (repeat).")
    metrics: tuple[str, ...] = option(
        (), "ndcg, recall, precision, map, mrr, success, span_success; with a cut-off: ndcg@10 (repeat)."
    )
    cutoffs: tuple[int, ...] = option((), "Cut-off of metrics named without one (repeat).")
    split: str | None = option(None, _SPLIT)
    baseline: str | None = option(None, "The recipe or run that others are compared with, or an evaluation's JSON.")
    fail_if: tuple[str, ...] = option((), 'Exit with code 4 if this holds: "ndcg@10 < baseline - 0.01" (repeat).')
    wait: bool = option(False, "For the recipe auto: first compute the embeddings that are missing.")
    reports: tuple[str, ...] = option((), "Write .html, .md, .xml (JUnit) or .json (repeat).")
    answerer: str | None = option(None, "The answerer to measure.")
    llm: str | None = option(None, "The language model that answers, by its name in your configuration.")
    calibrate: bool = option(False, "Fit the confidence of answers to this dataset, and store the fit with the recipe.")
    unanswerable: str | None = option(None, "Questions that the corpus does not answer, to measure wrong answers.")
    procedures: tuple[str, ...] = option(
        (), "A procedure to check: answer, persona:ID, pack:PROMPT-FILE, or one of your settings (repeat)."
    )
    commands: tuple[str, ...] = option(
        (), "Your own command that answers, with JSON in and out, checked the same way (repeat)."
    )
    seconds: float | None = option(None, "Time limit of a procedure for one question (default: 60).", gt=0, le=3600)


class GoldenRequest(Request):
    """Run the golden questions and report which pass."""

    file: str | None = field(
        default=None,
        kw_only=False,
        metadata=doc("The file with the questions (default: .biblicus/datasets/golden.yml)."),
    )
    recipe: str | None = option(None, "The recipe to query with.")
    reports: tuple[str, ...] = option((), "Write JUnit (.xml) (repeat).")


class TuneRequest(Request):
    """Search for better settings of a recipe on one part of a dataset, and check the best on the other."""

    dataset: str = field(kw_only=False, metadata=doc(_DATASET))
    over: tuple[str, ...] = field(
        default=(),
        kw_only=False,
        metadata=doc("retrieve.candidates=20,50,100 or KEY=LOW..HIGH:STEP; a key of the recipe (repeat for more)."),
    )
    recipe: str | None = option(None, "The recipe to start from.")
    metric: str = option("ndcg@10", "What to improve.")
    seed: int = option(0, "The random seed of the split.")
    holdout: float = option(0.5, "Share of the questions that are held out for the check.")
    split: str | None = option(None, _SPLIT)
    save: str | None = option(None, "Write the best settings as this new recipe, unless the gain may be chance.")
    even_if_chance: bool = option(False, "Write it even if the held-out questions do not confirm the gain.")

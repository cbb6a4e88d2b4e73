"""Evaluates recipes and runs on a dataset: compares them with the first, checks conditions, stores the result."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from string import hexdigits
from typing import Any

from biblicus import search
from biblicus.contracts import Call, LLMClient
from biblicus.corpus import auto, calibrations, recipes
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError, ConfigInvalid, NoRun, NotFound, SourceNotFound, UsageError
from biblicus.measure import comparison, datasets, metrics, stored
from biblicus.measure.answer_metrics import COMPARED, METRICS
from biblicus.measure.comparison import compare
from biblicus.measure.metrics import Metric
from biblicus.measure.systems import Bench, Measured, Target, measure, measure_answers
from biblicus.models.answers.evaluation import NOTHING, Dataset, Evaluation, JudgedQuestion, System
from biblicus.models.plain import plain
from biblicus.models.recipe import AUTO, MEANING
from biblicus.models.requests.measure import EvaluateRequest
from biblicus.models.requests.runs import ReindexRequest
from biblicus.runs import manifests as runs
from biblicus.runs.reindex import reindex
from biblicus.search.query import searcher

_KEPT = 50
"""Maximum number of stored evaluations; older ones are deleted."""
_DIGEST = 12
"""Hexadecimal digits of the digest in a stored evaluation's name."""


@dataclass(frozen=True)
class Evaluated:
    """An evaluation, and the paths of its reports."""

    evaluation: Evaluation
    files: tuple[str, ...]

    def as_object(self) -> Any:
        """The JSON object of the evaluation."""
        return plain(self.evaluation)


def evaluate(corpus: CorpusFolder, request: EvaluateRequest, call: Call) -> Evaluated:
    """Measure, compare and store, and write the requested reports. Failed conditions do not raise; see `gates`.

    Raises `DatasetNotFound`, `NoRun`, `RunNotFound`, `RecipeNotFound`, `UsageError`.
    """
    conditions = [comparison.parse_condition(text) for text in request.fail_if]
    for path in request.reports:
        stored.check_report(Path(path))
    if request.baseline is None and (needy := [condition for condition in conditions if condition.needs_baseline]):
        raise UsageError(f'"{needy[0].text}" needs a baseline.', "biblicus eval DATASET --baseline RUN|FILE|RECIPE")
    chosen = chosen_metrics(request.metrics, request.cutoffs)
    runs_procedures = bool(request.procedures or request.commands)
    if request.seconds is not None and not runs_procedures:
        raise UsageError(
            "Nothing here takes seconds: only a procedure does.", "biblicus eval DATASET --procedure answer"
        )
    measures_answers = request.answerer is not None and not runs_procedures
    dataset = datasets.load(corpus, request.dataset, request.split, silence=measures_answers, stated=runs_procedures)
    measured_metrics = _with_spans(chosen, dataset, explicit=bool(request.metrics))
    measured_metrics += [
        metric for name in comparison.needed(conditions) if (metric := metrics.parse(name)) not in measured_metrics
    ]
    depth, open_searcher = metrics.depth_of(measured_metrics), partial(searcher, corpus, hold=True)
    bench = Bench(corpus, partial(searcher, corpus), dataset, measured_metrics, depth, open_searcher)
    before, first = _baseline(bench, request.baseline)
    targets = _targets(corpus, request, first, call)
    if first and conditions and len(targets) == 1 and len(request.procedures + request.commands) < 2:
        raise UsageError(
            f"Nothing stands beside the baseline {first.name}: there is nothing that the conditions could fail.",
            f"biblicus eval {dataset.name} --baseline {first.name} --recipe ANOTHER",
        )
    others = list(dataset.stated) if runs_procedures else []
    others += _unanswerable(bench, request) if runs_procedures or measures_answers else ()
    settings: dict[str, Any] = {
        "depth": bench.depth, "aggregation": "max", "split": request.split, "unasked": dataset.unasked
    }  # fmt: skip
    systems = [before] if before else []
    if runs_procedures:
        systems += _procedures(bench, request, targets, others, call)
    elif not measures_answers:
        systems += [measure(bench, target, call) for target in targets]
    else:
        measured = _answers(bench, request, targets, others, call)
        systems += [answered.system for answered in measured]
        settings |= {"answerer": request.answerer, "unanswerable": request.unanswerable}
        settings["calibration"] = {answered.system.name: answered.calibration for answered in measured}
    baseline = systems[0] if request.baseline is not None else None
    unjudged = dataset.unjudged - (len(dataset.stated) if runs_procedures else 0)
    created_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(call.clock()))
    compared = _compared(measured_metrics, request, several=len(targets) > 1 or before is not None)
    guarded = systems[1 if baseline else 0 :]
    evaluation = Evaluation(
        dataset=dataset.name,
        dataset_digest=dataset.digest,
        created_at=created_at,
        questions=len(dataset.questions) + len(others),
        unjudged=unjudged,
        systems=systems,
        comparisons=compare(systems, compared),
        versions=_versions(corpus, systems),
        settings=settings,
        gates=[comparison.check_condition(each, system, baseline) for each in conditions for system in guarded],
    )
    _keep(corpus, evaluation)
    for path in request.reports:
        stored.write_report(corpus, evaluation, Path(path))
    return Evaluated(evaluation, request.reports)


def _compared(wanted: Sequence[Metric], request: EvaluateRequest, *, several: bool) -> list[str]:
    """Return the metrics for the comparison of systems. `several`: True if the systems have different rankings."""
    of_rankings = [metric.name for metric in wanted]
    if request.procedures or request.commands:
        return [*COMPARED, *(of_rankings if several else [])]
    return of_rankings if request.answerer is None else list(METRICS)


def _procedures(
    bench: Bench, request: EvaluateRequest, targets: Sequence[Target], others: Sequence[JudgedQuestion], call: Call
) -> list[System]:
    from biblicus.measure import procedures  # lazy, as above
    from biblicus.measure.procedures import check_layers, measure_procedure

    check_layers(bench, [*bench.dataset.questions, *others])
    chosen = procedures.procedures(bench.corpus, request)
    systems = []
    for target in targets:
        ranked = measure(bench, target, call) if bench.dataset.questions else None
        systems += [measure_procedure(bench, target, ranked, procedure, others, call) for procedure in chosen]
    return systems


def _answers(
    bench: Bench, request: EvaluateRequest, targets: Sequence[Target], others: Sequence[JudgedQuestion], call: Call
) -> list[Measured]:
    name = request.answerer or ""
    llm = search.language_models.for_answerer(bench.corpus, name, request.llm)
    if not request.calibrate:
        return [measure_answers(bench, target, name, llm, others, call) for target in targets]
    if request.runs:
        raise UsageError("A recipe is calibrated, not a run.", "biblicus eval DATASET --answers --calibrate")
    return [_calibrated(bench, target, name, llm, others, call) for target in targets]


def _calibrated(
    bench: Bench, target: Target, name: str, llm: LLMClient | None, others: Sequence[JudgedQuestion], call: Call
) -> Measured:
    """Measure answers, then fit and store their calibration. Raises `UsageError` with too few questions."""
    recipe = recipes.find(bench.corpus, target.recipe).name
    calibrations.path_of(bench.corpus, recipe).unlink(missing_ok=True)
    measured = measure_answers(bench, target, name, llm, others, call)
    calibration = calibrations.fitted(name, measured.pairs)
    if calibration is None:
        problem = (
            f"{len(measured.pairs)} answers calibrate nothing: {calibrations.LEAST} are needed, and a fit that helps"
        )
        raise UsageError(f"{problem}.", "biblicus eval DATASET --answers --calibrate --unanswerable OTHER")
    calibrations.write(bench.corpus, recipe, calibration)
    figures = {"calibrated_before": calibration.error_before, "calibrated_after": calibration.error_after}
    system = replace(measured.system, system={**measured.system.system, **figures})
    return replace(measured, system=system)


def _unanswerable(bench: Bench, request: EvaluateRequest) -> list[JudgedQuestion]:
    """Return the questions without an answer in the corpus, of this dataset and of a second one."""
    others = list(bench.dataset.unanswerable)
    if request.unanswerable is not None:
        more = datasets.load(bench.corpus, request.unanswerable, judged=False)
        questions = [*more.questions, *more.unanswerable]
        others += [
            replace(extra_question, judgements=(), answers=(), unanswerable=True, must=NOTHING)
            for extra_question in questions
        ]
    question_ids = {question.question_id for question in [*bench.dataset.questions, *bench.dataset.stated]}
    return [replace(extra_question, question_id=_other(extra_question, question_ids)) for extra_question in others]


def _other(question: JudgedQuestion, known: Collection[str]) -> str:
    """Return an id for a question of the second dataset that is unique in this one."""
    return f"unanswerable:{question.question_id}" if question.question_id in known else question.question_id


# --- systems and metrics ---


def chosen_metrics(names: Sequence[str], cutoffs: Sequence[int]) -> list[Metric]:
    """Return the requested metrics without duplicates; those without a cut-off at each of `cutoffs`."""
    if any(not 1 <= k <= 9999 for k in cutoffs):
        raise UsageError("A cut-off is a number from 1 to 9999.", "biblicus eval DATASET -k 10 -k 100")
    kinds = list(dict.fromkeys(name.partition("@")[0] for name in metrics.DEFAULT))
    metric_names = list(names) or (kinds if cutoffs else list(metrics.DEFAULT))
    full = [f"{name}@{k}" for name in metric_names for k in cutoffs if "@" not in name] if cutoffs else []
    full = [name for name in metric_names if "@" in name or not cutoffs] + full
    return list({metric.name: metric for metric in map(metrics.parse, full)}.values())


def _with_spans(asked: list[Metric], dataset: Dataset, *, explicit: bool) -> list[Metric]:
    """Return the metrics that the dataset has judgements for; adds one for spans if it judges spans and none was
    given."""
    has_spans = any(judgement.span for question in dataset.questions for judgement in question.judgements)
    of_spans = [metric for metric in asked if metric.kind == "span_success"]
    if of_spans and not has_spans:
        raise UsageError(f"{dataset.name} judges no spans, which {of_spans[0].name} needs.", "biblicus datasets list")
    return [*asked, metrics.parse("span_success@10")] if has_spans and not explicit else list(asked)


def _targets(corpus: CorpusFolder, request: EvaluateRequest, first: Target | None, call: Call) -> list[Target]:
    """Return the systems to measure without duplicates, the baseline first. If the vector index is behind, builds it
    with `--wait`, otherwise refuses."""
    named = [Target(name, recipe=name) for name in request.recipes]
    run_ids = [runs.resolve(corpus, name) for name in request.runs]
    named += [Target(run_id, run_id=run_id) for run_id in run_ids]
    takes_default = not request.recipes and not request.runs
    if (takes_default or AUTO in request.recipes) and auto.is_behind(corpus):
        if not request.wait:
            raise UsageError(
                "Meaning has not caught up with words: the recipe auto would be measured by words alone.",
                "biblicus eval DATASET --wait (or --recipe judged)",
            )
        reindex(corpus, ReindexRequest((MEANING,)), call)
    if takes_default:
        named = [Target(name, recipe=name) for name in _with_runs(corpus)]
    systems = ([first] if first else []) + named
    targets = list({target.name: target for target in systems}.values())
    for target in targets:
        if target.recipe is not None:
            _check_run(corpus, target.recipe, is_default=not request.recipes)
    return targets


def _check_run(corpus: CorpusFolder, name: str, *, is_default: bool) -> None:
    """Raise `NoRun` early, before long measurements."""
    recipe = recipes.find(corpus, name)
    header = catalogs.read_header(corpus)
    if recipe.build_id not in {entry.build_id for entry in header.latest.values()} if header else True:
        raise NoRun(name, is_default and name == corpus.default_recipe)


def _with_runs(corpus: CorpusFolder) -> list[str]:
    """Return the recipes with a run of their present build, the default first; only the default if there are none."""
    default = corpus.default_recipe
    header = catalogs.read_header(corpus)
    built = []
    for name, entry in (header.latest if header else {}).items():
        try:
            if recipes.find(corpus, name).build_id == entry.build_id:
                built.append(name)
        except (NotFound, ConfigInvalid):
            continue  # its recipe was deleted; the run can still be given by id
    return sorted(built, key=lambda name: (name != default, name)) or [default]


def _baseline(bench: Bench, name: str | None) -> tuple[System | None, Target | None]:
    """Return a baseline as a stored system (from a file), or as a target to measure first (a run or recipe)."""
    if name is None:
        return None, None
    corpus, path = bench.corpus, Path(name)
    if path.suffix == ".json" or (path.is_file() and not recipes.is_file_name(name)):
        return _measured(path, bench.dataset), None
    if runs.is_run_id(name):
        return None, Target(runs.resolve(corpus, name), run_id=runs.resolve(corpus, name))
    return None, Target(name, recipe=name)


def _measured(path: Path, dataset: Dataset) -> System:
    """Return the first system of a stored evaluation. Raises if its questions or judgements differ."""
    try:
        evaluation = stored.read(files.read(path), str(path))
    except FileNotFoundError:
        raise SourceNotFound(str(path), "biblicus eval DATASET --baseline RUN|FILE|RECIPE") from None
    if evaluation.dataset_digest != dataset.digest:
        raise ConfigInvalid(
            str(path), f"it was measured on another version of {evaluation.dataset}.", f"biblicus eval {dataset.name}"
        )
    system = evaluation.systems[0]
    return replace(system, name=f"{system.name} ({path.stem})")


# --- stored evaluations ---


def _versions(corpus: CorpusFolder, systems: Sequence[System]) -> dict[str, str]:
    """Return the versions of Biblicus, Python and the components of the runs, as far as they are available."""
    versions = {"biblicus": version("biblicus-corpus"), "python": platform.python_version()}
    for system in systems:
        try:
            components: Mapping[str, str] = runs.read(corpus, system.run_id).components
        except NotFound:
            continue  # a baseline from another corpus
        versions.update({f"{system.name}: {name}": text for name, text in components.items()})
    return versions


def _keep(corpus: CorpusFolder, evaluation: Evaluation) -> Path:
    """Store the evaluation under `.biblicus/local/evaluations/` and return the file."""
    corpus.refuse_links()
    files.make_folder(corpus.evaluations)
    stamp = evaluation.created_at.replace("-", "").replace(":", "")
    document = stored.as_document(evaluation, per_query=True)
    body = (json.dumps(document, ensure_ascii=False) + "\n").encode()
    path = corpus.evaluations / f"{stamp}-{evaluation.dataset}-{_digest(body)}.json"
    files.write(path, body)
    for old in sorted(corpus.evaluations.glob("*.json"))[:-_KEPT]:
        files.remove(old)
    return path


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:_DIGEST]


def is_as_kept(path: Path) -> bool:
    """Return True if a stored evaluation is unchanged: its name ends with the digest of its bytes. An older one without
    a digest in its name must be a valid evaluation."""
    try:
        body = files.read(path, limit=stored.LARGEST)
        named = path.stem.rpartition("-")[2]
        if len(named) == _DIGEST and set(named) <= set(hexdigits.lower()):
            return named == _digest(body)
        stored.read(body, path.name)
    except (OSError, BiblicusError):
        return False
    return True

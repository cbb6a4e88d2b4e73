"""Tune: finds better settings of a recipe on one part of a dataset, and measures them on the rest."""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, fields, replace
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from biblicus.config import nearest
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import changes, files
from biblicus.errors import ConfigInvalid, NoRun, UsageError
from biblicus.measure import datasets, metrics, space
from biblicus.measure.comparison import compare
from biblicus.measure.metrics import Metric
from biblicus.measure.space import Axis, Settings
from biblicus.measure.systems import Bench, Target, judgements_for, rank_all
from biblicus.models.answers.evaluation import Dataset, Difference, JudgedQuestion, Row, System
from biblicus.models.digest import digest
from biblicus.models.recipe import BUILT_IN, QuerySection, Recipe
from biblicus.models.requests.measure import TuneRequest
from biblicus.models.requests.runs import ReindexRequest
from biblicus.runs import manifests as runs
from biblicus.runs.reindex import reindex
from biblicus.search.query import searcher
from biblicus.search.searcher import LocalSearcher

_NO_RANKING = ("query.budget", "query.threshold")
"""Sections that affect only the size of a result or its sufficiency, never the ranking."""
_PLUGIN_KEYS = ("by", "engine")


@dataclass(frozen=True)
class Trial:
    """A recipe to measure. `settings`: the changes by full key; empty for the original recipe."""

    name: str
    settings: Settings
    recipe: Recipe


def full_key(key: str) -> str:
    """Return a key with its section, `query` by default. Raises `UsageError`."""
    first = key.partition(".")[0]
    if first not in ("build", "query"):
        query_keys = [entry.name for entry in fields(QuerySection)]
        if first not in query_keys:
            raise UsageError(
                f'A recipe has no "{key}"{nearest(first, ["build", "query", *query_keys])}',
                "biblicus recipes show NAME",
            )
        key = f"query.{key}"
    if any(key == section or key.startswith(f"{section}.") for section in _NO_RANKING):
        raise UsageError(f'"{key}" changes no ranking, so there is nothing to measure.', "biblicus recipes show NAME")
    return key


def changed(base: Recipe, settings: Settings, name: str) -> Recipe:
    """Return the recipe with these settings, validated. Raises `UsageError` with the nearest key."""
    data = copy.deepcopy(base.model_dump(mode="json"))
    # A plug-in's name goes first, as it removes the options of the former plug-in.
    for key in sorted(settings, key=lambda key: key.rpartition(".")[2] not in _PLUGIN_KEYS):
        _set(data, key.split("."), settings[key], key)
    try:
        return recipes.resolve({**data, "name": name, "description": ""}, "--over")
    except ConfigInvalid as error:
        raise UsageError(error.message, f"biblicus recipes show {base.name}") from error


def _set(data: dict[str, Any], path: Sequence[str], value: Any, key: str) -> None:
    *above, last = path
    here = data
    for part in above:
        if here.get(part) is None:
            here[part] = {}
        here = here[part]
        if not isinstance(here, dict):
            raise UsageError(f'"{key}" leads nowhere: "{part}" is a value.', "biblicus recipes show NAME")
    plugin = path[:2] in (["build", "chunking"], ["build", "legs"]) or path[:2] == ["query", "rerank"]
    if plugin and last in _PLUGIN_KEYS and here.get(last) != value:
        here.clear()
    here[last] = value


@dataclass
class Runs:
    """A run for each build of the trials; temporary runs are deleted afterwards."""

    corpus: CorpusFolder
    base: Recipe
    by_build: dict[str, str] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _made: set[str] = field(default_factory=set)

    def build(self, trials: Sequence[Trial], call: Call) -> None:
        """Update the run of the recipe, and build one for each further build."""
        report = reindex(self.corpus, ReindexRequest((self.base.name,)), call)
        self.by_build[self.base.build_id] = report.runs[0].manifest.run_id
        builds = {trial.recipe.build_id: trial.recipe for trial in trials}
        for build_id, recipe in builds.items():
            if build_id not in self.by_build:
                self.by_build[build_id] = self._built(recipe, call)

    def _built(self, recipe: Recipe, call: Call) -> str:
        name = f"tune-{recipe.build_id}"
        self._names.add(name)
        with TemporaryDirectory() as folder:
            file = Path(folder) / f"{name}.yml"
            file.write_text(recipes.as_text(replace(recipe, name=name)), "utf-8")
            report = reindex(self.corpus, ReindexRequest((str(file),)), call).runs[0]
        if report.built in ("fresh", "incremental"):
            self._made.add(report.manifest.run_id)
        return report.manifest.run_id

    def latest(self) -> Mapping[str, str]:
        """Return the run of the original recipe by build id, without building."""
        header = catalogs.read_header(self.corpus)
        for entry in (header.latest if header else {}).values():
            if entry.build_id == self.base.build_id:
                self.by_build[entry.build_id] = entry.run_id
        return self.by_build

    def tidy(self, call: Call) -> None:
        """Remove the trials' names from the catalog, and delete the runs that no recipe needs."""
        if not self._names:
            return
        with self.corpus.writing(call):
            header = catalogs.read_header(self.corpus)
            if header is None:
                return
            latest = {name: entry for name, entry in header.latest.items() if name not in self._names}
            catalogs.write_header(self.corpus, replace(header, latest=latest))
            for run_id in sorted(self._made - {entry.run_id for entry in latest.values()}):
                runs.delete(self.corpus, run_id)


_SURE = 0.05
"""Maximum p-value of a significant difference."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True)
class Outcome:
    """Mean metric of a trial.

    `search`: over the questions that chose the best trial. `holdout`: over the others, for the original recipe and the
    best one.
    """

    settings: Settings
    search: float
    holdout: float | None = None


@dataclass(frozen=True)
class Tuning:
    """Result of tuning. `questions`: number in the search part and in the held-out part.

    `on_search`, `on_holdout`: the best against the original recipe; the first is biased, as it chose the best. `legs`:
    results of each leg of the best alone, if it has several. `chance`: the reason why the best may not be better; then
    it is saved only on request. `saved`: the recipe's file.
    """

    dataset: str
    dataset_digest: str
    recipe: str
    metric: str
    seed: int
    questions: tuple[int, int]
    trials: Sequence[Outcome]
    base: Outcome
    best: Outcome
    on_search: Difference | None
    on_holdout: Difference | None
    legs: Mapping[str, Outcome] = field(default_factory=dict)
    chance: str | None = None
    saved: str | None = None


def tune(corpus: CorpusFolder, request: TuneRequest, call: Call) -> Tuning:
    """Measure the recipe and its variations, choose the best, and check it on the held-out questions.

    Settings of `query` need no reindex. Each build among the trials gets a run, which is deleted unless the best is
    saved with it. Raises `UsageError`, `DatasetNotFound`, `NoRun`, `RecipeNotFound`.
    """
    base = recipes.find(corpus, request.recipe)
    metric = metrics.parse(request.metric)
    settings = _settings([axis._replace(key=full_key(axis.key)) for axis in map(space.parse, request.over)])
    if request.save is not None:
        _check_name(corpus, request.save)
    trials = _trials(base, settings)
    dataset = datasets.load(corpus, request.dataset, request.split)
    chosen, holdout_set = split(dataset, request.holdout, request.seed)
    by_name = {trial.name: trial.recipe for trial in trials}
    with (
        _runs(corpus, base, trials, call) as built,
        closing(searcher(corpus, lambda name: by_name[name or ""])) as asker,
    ):
        tried = [
            Outcome(trial.settings, _mean(rows, metric))
            for rows, trial in _measured(corpus, asker, chosen, metric, trials, built, call)
        ]
        # `max` returns the first of equals: the original recipe precedes all.
        at = max(range(len(tried)), key=lambda n: (tried[n].search, -n))
        pair = [trials[0], trials[at]] if at else [trials[0]]
        alone = _legs_alone(trials[at])
        by_name.update({trial.name: trial.recipe for trial in alone})
        sides = [
            [rows for rows, _ in _measured(corpus, asker, side, metric, pair + alone, built, call)]
            if side.questions
            else []
            for side in (chosen, holdout_set)
        ]
        means = [[_mean(rows, metric) for rows in side] for side in sides]
        on_search, on_holdout = (_difference(side[: len(pair)], metric, request.seed) for side in sides)
        legs = {
            trial.name: Outcome(trial.settings, means[0][place], means[1][place] if means[1] else None)
            for place, trial in enumerate(alone, len(pair))
        }
        base_outcome, best = (
            replace(tried[n], holdout=means[1][place] if means[1] else None)
            for n, place in ((0, 0), (at, len(pair) - 1))
        )
        chance = _chance(best, on_holdout, legs) if at else None
        may_save = request.save and at and (chance is None or request.even_if_chance)
        saved = _save(corpus, trials[at], request.save, base, call) if request.save and may_save else None
    about = (dataset.name, dataset.digest, base.name, metric.name, request.seed)
    counts = (len(chosen.questions), len(holdout_set.questions))
    return Tuning(*about, counts, tried, base_outcome, best, on_search, on_holdout, legs, chance, saved)


# --- trials ---


def _settings(axes: Sequence[Axis]) -> list[Settings]:
    """Return every combination. Raises `UsageError` for none, or too many."""
    if not axes:
        raise UsageError("Say what to search over.", space.HINT)
    if len({axis.key for axis in axes}) < len(axes):
        raise UsageError("A key is given twice.", space.HINT)
    combinations = prod(len(axis.values) for axis in axes)
    if combinations > space.LIMIT:
        raise UsageError(f"There are {combinations:,} settings, more than {space.LIMIT}.", space.HINT)
    return space.grid(axes)


def _trials(base: Recipe, grid: Sequence[Settings]) -> list[Trial]:
    """Return the original recipe, then each variation that differs from all before it."""
    trials = [Trial("trial-0", {}, replace(base, name="trial-0"))]
    identities = {_identity(base)}
    for settings in grid:
        name = f"trial-{len(trials)}"
        recipe = changed(base, settings, name)
        if _identity(recipe) not in identities:
            identities.add(_identity(recipe))
            trials.append(Trial(name, settings, recipe))
    if len(trials) == 1:
        raise UsageError(
            "Every one of these settings is the recipe as it stands.", f"biblicus recipes show {base.name}"
        )
    return trials


def _identity(recipe: Recipe) -> str:
    return digest(replace(recipe, name="x", description="").model_dump())


def split(dataset: Dataset, holdout: float, seed: int) -> tuple[Dataset, Dataset]:
    """Return the questions that choose, and the held-out ones. Seed and question id decide, so most questions stay on
    their side if others are added or removed."""
    if not 0 <= holdout < 1:
        raise UsageError("--holdout is a share from 0 up to, but not, 1.", "biblicus tune DATASET … --holdout 0.5")

    def drawn(question: JudgedQuestion) -> bytes:
        return hashlib.sha256(f"{seed}:{question.question_id}".encode()).digest()

    ordered = sorted(dataset.questions, key=drawn)
    count = round(len(ordered) * holdout)
    if holdout and not 0 < count < len(ordered):
        raise UsageError(
            f"{dataset.name} has too few questions ({len(ordered)}) to hold some out.",
            "biblicus tune DATASET … --holdout 0",
        )
    holdout_ids = {question.question_id for question in ordered[:count]}
    sides = [[q for q in dataset.questions if (q.question_id in holdout_ids) == side] for side in (False, True)]
    return replace(dataset, questions=sides[0]), replace(dataset, questions=sides[1])


# --- measuring ---


@contextmanager
def _runs(corpus: CorpusFolder, base: Recipe, trials: Sequence[Trial], call: Call) -> Iterator[Runs]:
    built = Runs(corpus, base)
    try:
        if any(trial.recipe.build_id != base.build_id for trial in trials):
            built.build(trials, call)
        elif not built.latest():
            raise NoRun(base.name, base.name == corpus.default_recipe)
        yield built
    finally:
        built.tidy(call)


def _measured(
    corpus: CorpusFolder,
    asked: LocalSearcher,
    dataset: Dataset,
    metric: Metric,
    trials: Sequence[Trial],
    built: Runs,
    call: Call,
) -> Iterator[tuple[list[Row], Trial]]:
    bench = Bench(corpus, lambda: asked, dataset, [metric], metric.k)
    for trial in trials:
        target = Target(trial.name, trial.name, built.by_build[trial.recipe.build_id])
        result = asked.search(target.query(dataset.questions[0].text), call)
        rows = rank_all(bench, asked, target, judgements_for(bench, result), {}, call)
        if not any(metric.name in row.metrics for row in rows):
            raise UsageError(f"{dataset.name} judges no spans, which {metric.name} needs.", "biblicus datasets list")
        yield rows, trial


def _mean(rows: Sequence[Row], metric: Metric) -> float:
    return metrics.means([row.metrics for row in rows]).get(metric.name, 0.0)


def _difference(side: Sequence[Sequence[Row]], metric: Metric, seed: int) -> Difference | None:
    if len(side) < 2:
        return None
    systems = [System(name, "", "", "", {}, {}, rows) for name, rows in zip(("base", "best"), side, strict=True)]
    return next(iter(compare(systems, [metric.name], seed=seed)), None)


def _legs_alone(trial: Trial) -> list[Trial]:
    """Return a trial for each leg alone, if there are several."""
    recipe = trial.recipe
    legs = recipe.query.retrieve.legs or tuple(recipe.build.legs)
    key = "query.retrieve.legs"
    return [Trial(leg, {key: [leg]}, changed(recipe, {key: [leg]}, leg)) for leg in legs] if len(legs) > 1 else []


def _chance(best: Outcome, on_holdout: Difference | None, legs: Mapping[str, Outcome]) -> str | None:
    """Return the reason why the best trial may not be better than before, or None."""
    if on_holdout is None or best.holdout is None:
        return "no questions were held out"
    if on_holdout.difference <= 0:
        return "on the questions held out it is no better"
    if on_holdout.p_value > _SURE:
        return f"on the questions held out the difference may be chance (p = {on_holdout.p_value:.2g})"
    better = {
        name: leg.holdout for name, leg in legs.items() if leg.holdout is not None and leg.holdout >= best.holdout
    }
    if better:
        return f"on the questions held out {max(better, key=lambda name: better[name])} alone is as good"
    return None


# --- saving ---


def _check_name(corpus: CorpusFolder, name: str) -> None:
    """Raise `UsageError` before any measurement if the recipe cannot be saved."""
    if not _NAME.fullmatch(name):
        raise UsageError(f'"{name}" is no recipe name.', "biblicus tune DATASET … --save better")
    if name in BUILT_IN or (corpus.recipes / f"{name}.yml").exists():
        raise UsageError(f'The recipe "{name}" exists.', f"biblicus tune DATASET … --save {name}-2")


def _save(corpus: CorpusFolder, best: Trial, name: str, base: Recipe, call: Call) -> str:
    """Write the best recipe as a new file, and build its run if it needs one. Never replaces a recipe."""
    description = f"{base.name} tuned: {space.words(best.settings)}"
    recipe = replace(best.recipe, name=name, description=description)
    corpus.check_writable()
    files.make_folder(corpus.recipes)
    path = corpus.recipes / f"{name}.yml"
    try:
        files.write(path, recipes.as_text(recipe).encode(), replace=False)
    except FileExistsError:
        raise UsageError(f'The recipe "{name}" exists.', f"biblicus tune DATASET … --save {name}-2") from None
    if recipe.build_id != base.build_id:
        changes.then(f"biblicus reindex --recipe {name}")
        reindex(corpus, ReindexRequest((name,)), call)
    return corpus.shown(path)

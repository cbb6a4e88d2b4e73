"""Runs of other tools as TREC run files: scored by the same metrics and compared like own runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from biblicus.corpus.catalog import catalog_of
from biblicus.disk import files
from biblicus.errors import ConfigInvalid, SourceNotFound
from biblicus.evaluation import metrics
from biblicus.evaluation.report import TREC
from biblicus.evaluation.trec_runs import TrecRun, read_run
from biblicus.measure.judgements import Judgements, absent, resolved
from biblicus.measure.systems import Bench
from biblicus.models.answers.evaluation import RankedItem, Row, System


def is_file_name(name: str) -> bool:
    """Return True if a run's name is a TREC run file."""
    return name.lower().endswith(TREC)


@dataclass(frozen=True)
class RunFile:
    """A parsed run file."""

    path: Path
    run: TrecRun

    @classmethod
    def read(cls, path: Path) -> RunFile:
        """Read a run file. Raises `SourceNotFound`, `ConfigInvalid`."""
        try:
            return cls(path, read_run(files.blocks(path), path.name))
        except FileNotFoundError:
            raise SourceNotFound(str(path), "biblicus eval DATASET --run FILE") from None
        except OSError as error:
            raise ConfigInvalid(str(path), f"cannot be read: {files.describe(error)}.") from error

    def scored(self, bench: Bench) -> System:
        """Return its rankings as a system, named by its file. Documents resolve to items as in judgements. An unranked
        question counts as one without results."""
        rankings = self.run.rankings
        if not any(question.question_id in rankings for question in bench.dataset.questions):
            raise ConfigInvalid(str(self.path), f"it ranks no question of {bench.dataset.name}.")
        items = [(item.item_id, path, item.source.uri) for path, item in catalog_of(bench.corpus).items.items()]
        judged = Judgements(bench.dataset, items)
        paths = {item_id: path for item_id, path, _ in items}
        names = {item.item_id for ranking in rankings.values() for item in ranking}
        ids = resolved(bench.dataset.name, names, items)
        rows = []
        for question in bench.dataset.questions:
            by_item: dict[str, RankedItem] = {}
            for item in rankings.get(question.question_id, ()):  # the better rank of two names
                by_item.setdefault(ids[item.item_id] or absent(item.item_id), item)
            keyed = [replace(item, item_id=name) for name, item in by_item.items()][: bench.depth]
            answers = judged.of(question)
            rows.append(
                Row(
                    question_id=question.question_id,
                    text=question.text,
                    metrics=metrics.score(bench.metrics, keyed, answers.grades, {}),
                    ranking=[_shown(item, paths) for item in keyed],
                    tags=question.tags,
                    kind=question.kind,
                    relevant={name.lstrip("\0"): grade for name, grade in answers.grades.items() if grade > 0},
                )
            )
        return System(
            name=self.path.stem,
            recipe_id="",
            run_id=self.path.name,
            index_version="",
            metrics=metrics.means([row.metrics for row in rows]),
            system={},
            rows=rows,
            missing=len(judged.missing),
        )


def _shown(item: RankedItem, paths: Mapping[str, str]) -> RankedItem:
    """Return an item for reports: by its path if it is in the corpus, else by its name in the run."""
    name = item.item_id.lstrip("\0")
    return replace(item, item_id=name, path=paths.get(item.item_id, name), chunk_id="")

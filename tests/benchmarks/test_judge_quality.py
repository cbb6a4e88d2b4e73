"""The rows of the judge: figures of a collection, and their sums over those that were kept."""

import json

from benchmarks import judge_quality
from benchmarks.__main__ import GROUPS, MEASURES
from benchmarks.judge_quality import figures, graded, summary
from benchmarks.workbench import Workbench


def _scores(**by_system: float) -> dict[str, list[tuple[float, float, float]]]:
    return {system: [(score, float(score == 1), 1.0), (score, 0.0, 1.0)] for system, score in by_system.items()}


def test_each_row_can_be_measured_alone() -> None:
    assert {"judge-cisi", "judge-all", "judge-warm"} <= set(GROUPS["judge"])
    assert all((name,) in MEASURES for name in GROUPS["judge"])


def test_auto_is_compared_with_the_best_of_the_others() -> None:
    (row, reached) = figures("cisi", _scores(words=0.4, vectors=0.3, fused=0.5, judged=0.6, auto=0.45))
    assert round(row.measured, 3) == -0.05
    assert not row.is_reached
    assert reached.measured == 0.45


def test_code_is_compared_with_the_better_leg() -> None:
    (row,) = figures("code", _scores(words=0.4, vectors=0.5, fused=0.3, judged=0.4, auto=0.52))
    assert round(row.measured, 3) == 0.02


def test_sums_are_of_what_was_kept(tmp_path) -> None:
    (tmp_path / "results").mkdir()
    for name, auto in (("peps", 1.0), ("tools", 0.5)):
        scores = _scores(words=0.5, vectors=0.5, fused=0.5, judged=0.5, auto=auto)
        (tmp_path / "results" / f"{name}.json").write_text(json.dumps(scores), "utf-8")
    rows = {row.name: row for row in summary(Workbench(tmp_path, tmp_path, kept=str(tmp_path)))}
    assert rows["natural questions, auto: first"].detail == "1 of 4"
    assert rows["natural questions, words alone: first"].measured == 0


def test_a_known_document_is_named_by_a_part_of_its_path() -> None:
    assert graded("docs/pep-0008.rst", {"pep-0008": 1}, True) == 1
    assert graded("docs/pep-0008.rst", {"pep-0008": 1}, False) == 0
    assert set(judge_quality.ENGLISH) <= set(judge_quality.COLLECTIONS)

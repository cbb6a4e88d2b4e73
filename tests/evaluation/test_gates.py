import pytest

from biblicus.errors import UsageError
from biblicus.measure import comparison
from biblicus.models.answers.evaluation import Row, System


def system(name: str, values: dict[str, float], **figures: float) -> System:
    rows = [Row(question, question, {"ndcg@10": value}, ()) for question, value in values.items()]
    mean = sum(values.values()) / len(values)
    return System(name, "lexical-1", "run", "v", {"ndcg@10": mean}, figures, rows)


BASE = system("base", {"a": 1.0, "b": 0.5, "c": 0.5}, latency_p95=10.0)
WORSE = system("new", {"a": 0.9, "b": 0.0, "c": 0.6}, latency_p95=14.0)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("ndcg@10 < baseline", False),
        ("ndcg@10 < baseline - 0.01", False),
        ("NDCG@10<baseline-0.2", True),
        ("ndcg@10 < 0.4", True),
        ("ndcg@10 < 0.6", False),
        ("ndcg@10 <= 0.5", False),
        ("ndcg@10 >= 0.6", True),
        ("latency_p95 > baseline * 1.5", True),
        ("latency_p95 > baseline * 1.3", False),
        ("latency_p95 > baseline + 3", False),
        ("latency_p95 > 20", True),
    ],
)
def test_a_condition_holds_where_it_did_not_come_true(condition, holds):
    assert comparison.check_condition(comparison.parse_condition(condition), WORSE, BASE).holds is holds


def test_questions_that_got_worse_the_worst_first():
    found = comparison.check_condition(comparison.parse_condition("ndcg@10 < baseline"), WORSE, BASE)
    assert found.worse == ("b", "a")
    assert found.detail == "ndcg@10 is 0.5000, the limit 0.6667, the baseline 0.6667"


def test_what_was_not_measured_does_not_pass():
    found = comparison.check_condition(comparison.parse_condition("build_ms > 1"), WORSE, BASE)
    assert not found.holds
    assert found.detail == "build_ms was not measured for new"


def test_a_baseline_that_was_not_measured_does_not_pass():
    bare = system("base", {"a": 1.0})
    found = comparison.check_condition(comparison.parse_condition("latency_p95 > baseline"), WORSE, bare)
    assert (found.holds, found.detail) == (False, "latency_p95 was not measured for base")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ndcg@10",
        "ndcg@10 == 1",
        "ndcg@10 < base",
        "ndcg@10 < baseline / 2",
        "nd@10 < 1",
        "ndcg@10 < 1 or 1",
        "__import__('os') < 1",
    ],
)
def test_what_is_no_condition(text):
    with pytest.raises(UsageError) as refused:
        comparison.parse_condition(text)
    assert "--fail-if" in refused.value.hint

"""When a recipe found by `tune` may be no better than what there was."""

import pytest

from biblicus.corpus.recipes import resolve
from biblicus.measure.tune import Outcome, Trial, _chance, _legs_alone
from biblicus.models.answers.evaluation import Difference
from biblicus.models.recipe import BUILT_IN

BEST = Outcome({}, 0.8, 0.7)


def difference(by, p):
    return Difference("ndcg@10", "base", "best", by, by - 0.1, by + 0.1, p, p, 3, 2, 1)


@pytest.mark.parametrize(
    ("best", "on_holdout", "legs", "reason"),
    [
        (BEST, None, {}, "no questions were held out"),
        (BEST, difference(0.0, 1.0), {}, "it is no better"),
        (BEST, difference(0.1, 0.06), {}, "may be chance (p = 0.06)"),
        (
            BEST,
            difference(0.1, 0.01),
            {"lexical": Outcome({}, 0.9, 0.7), "vector": Outcome({}, 1, 0.6)},
            "lexical alone",
        ),
        (BEST, difference(0.1, 0.01), {"lexical": Outcome({}, 0.9, 0.69)}, None),
    ],
)
def test_what_may_be_chance(best, on_holdout, legs, reason):
    doubt = _chance(best, on_holdout, legs)
    assert (doubt is None) == (reason is None)
    assert (reason or "") in (doubt or "")


@pytest.mark.parametrize(("name", "legs"), [("lexical", []), ("hybrid", [("lexical",), ("vector",)])])
def test_legs_are_measured_alone_where_there_are_several(name, legs):
    recipe = resolve(BUILT_IN[name], name)
    alone = _legs_alone(Trial("best", {}, recipe))
    assert [trial.recipe.query.retrieve.legs for trial in alone] == legs
    assert {trial.recipe.build_id for trial in alone} <= {recipe.build_id}

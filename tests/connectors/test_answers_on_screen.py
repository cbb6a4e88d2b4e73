"""An answer without a statement says why there is none."""

from types import SimpleNamespace
from typing import Any

import pytest

from biblicus.connectors.cli.answer import show_answer
from biblicus.models.answers.answer import LeftOut

SEARCHED = {"recipe_id": "lexical-1", "run_id": "r", "pieces": 3, "support": {"lexical": 0.9}, "filters": {}}


@pytest.mark.parametrize(
    ("texts", "says", "not_said"),
    [
        (["Whales sing.", "Gulls swim."], "2 statements left out, for no citation", "nothing in the corpus"),
        (["Whales sing."], "1 statement left out", "nothing in the corpus"),
        ([], "nothing in the corpus answers this", "left out"),
    ],
)
def test_statements_that_were_left_out_are_told(
    texts: list[str], says: str, not_said: str, capsys: pytest.CaptureFixture[str]
):
    left_out = tuple(LeftOut(text, "it cites what was not supplied") for text in texts)
    answer: Any = SimpleNamespace(statements=(), left_out=left_out, searched=SEARCHED)
    show_answer(answer, None)
    shown = capsys.readouterr().out
    assert says in shown
    assert not_said not in shown
    assert all(f"{text}: it cites what was not supplied" in shown for text in texts)

"""What `biblicus check` prints."""

from pathlib import Path

import pytest

from biblicus import Corpus
from tests.front_door import biblicus


def test_one_of_a_kind_is_named_in_the_singular_and_a_problem_with_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with Corpus.init(tmp_path / "harbour") as corpus:
        (corpus.path / "lamp.md").write_text("The lamp.")
        corpus.reindex()
    (tmp_path / "harbour/.biblicus/weights.yml").write_text("[oops")
    assert biblicus(["check", "-C", str(tmp_path / "harbour")]) == 4
    shown = capsys.readouterr().out
    assert "(edit .biblicus/weights.yml)\n" in shown
    assert "1 problem; checked 1 item, 1 run, 1 materialization, 3 caches.\n" in shown

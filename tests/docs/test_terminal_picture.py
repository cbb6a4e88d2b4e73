"""The recorded terminal shows what the program prints today."""

from __future__ import annotations

import pytest

from tools import terminal


def test_the_recorded_terminal_is_what_the_program_prints() -> None:
    picture = terminal.PICTURE.read_text("utf-8")
    assert len(picture) < 100_000
    assert terminal.words_of(picture) == terminal.words_of(terminal.drawn(terminal.recorded())), "make pictures"


@pytest.mark.parametrize("part", ["13 files", "What does a lift cost?", "[1] rules/handbook.pdf", " 1. Tolvay", "Sure"])
def test_it_shows_state_question_answer_and_results(part: str) -> None:
    assert part in terminal.words_of(terminal.PICTURE.read_text("utf-8"))

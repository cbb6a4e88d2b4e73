"""What looks like an answer of a table, a label, a list of authors or a version's section, and is none."""

from collections.abc import Iterator

import pytest

from biblicus import Corpus
from tests.folders import write

TEXTS = {
    "talks.md": "# Meeting\n\nThe largest problem was the rain. The heaviest storm came in 1962. The minimum age is 18."
    "\n\n"
    "| Talk | Minutes | Rating |\n|---|---|---|\n| Pumps | 45 | 4.5 |\n| Keels | 30 | 4.9 |\n| Sails | 60 | n/a |\n",
    "ships.csv": 'Ship,Captain,Weight,Price\nAlba,Ann,3 t,"$1.2k"\nTern,Bo,900 kg,$900\nSkua,Cy,1.2 t,"$1.1M"\n',
    "lakes.csv": "Lake,Country,Depth,Area\nComo,Italy,410,146\nGarda,Italy,346,370\nBaikal,Russia,1642,31722\n",
    "crew.csv": "Sailor,Joined\nAda,12/31/2020\nBen,01/15/2021\nCal,02/13/2021\n",
    "AUTHORS": "Uwe\n",
    "story.md": "# Story\n\nThe author of the song is Cleo.\n",
    "pump.md": "# Pump\n\nTime: 10:40\n\nThe pump runs for two hours.\n",
    "notes.md": "# Changes\n\n## Installing 2.0\n\nRun the installer.\n\n## 2.0\n\nNew pumps.\n",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("near") / "answers"
    with Corpus.init(folder) as made:
        write(folder, TEXTS)
        made.reindex()
        yield made


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Which talk had the highest rating?", "Talk: Keels"),
        ("Which lake has the largest area?", "Lake: Baikal"),
        ("Which lake in Italy is the deepest?", "Lake: Como"),
        ("What was the largest problem?", "The largest problem"),
        ("When was the heaviest storm?", "The heaviest storm"),
        ("What is the minimum age?", "The minimum age"),
        ("Who is the author of the song?", "The author of the song is Cleo"),
        ("How long does the pump run?", "The pump runs for two hours"),
        ("What is new in 2.0?", "New pumps"),
    ],
)
def test_what_answers_is_told(corpus: Corpus, question: str, begins: str) -> None:
    answer = corpus.answer(question)
    assert answer.answer.startswith(begins)


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Which ship is the fastest?", id="no such column"),
        pytest.param("Which ship has the highest price?", id="a number with thousands or millions behind it"),
        pytest.param("Which ship has the highest weight?", id="several units"),
        pytest.param("Which country has the most lakes?", id="a count"),
        pytest.param("Which lake is not the deepest?", id="all but one"),
        pytest.param("What is the second deepest lake?", id="a rank"),
        pytest.param("What is the average depth of the largest lakes?", id="a mean"),
        pytest.param("Which sailor joined earliest?", id="days whose month may come first or second"),
    ],
)
def test_no_row_is_told_for_what_no_row_answers(corpus: Corpus, question: str) -> None:
    assert "with the most by" not in (summary := corpus.answer(question).reasoning_summary)
    assert "with the least by" not in summary


def test_a_cell_that_is_no_number_for_long_is_left_at_once() -> None:
    from biblicus.answering.reader import superlatives

    assert superlatives._NUMBER.fullmatch("1" + "." * 50_000 + "x" * 20) is None


def test_an_answer_is_printed_as_what_it_says(corpus: Corpus):
    answer = corpus.answer("Which lake has the largest area?")
    assert str(answer) == answer.answer != ""

"""The example folder says what `examples/questions.md` claims it says."""

import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
HARBOUR = EXAMPLES / "harbour"
ROW = re.compile(r"^\| (\d) \| (.+?) \| `(.+?)` \| (page|line) (\d+) \| (.+?) \|$", re.MULTILINE)
QUESTIONS = ROW.findall((EXAMPLES / "questions.md").read_text(encoding="utf-8"))


def place(path: Path, unit: str, number: int) -> str:
    """The text of one line or page, counted from 1."""
    if unit == "line":
        return path.read_text(encoding="utf-8").split("\n")[number - 1]
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return str(document[number - 1].get_textpage().get_text_range())


def test_there_are_six_questions():
    assert [row[0] for row in QUESTIONS] == list("123456")


@pytest.mark.parametrize(("question", "file", "unit", "number", "words"), [row[1:] for row in QUESTIONS])
def test_the_answer_stands_where_the_table_says(question: str, file: str, unit: str, number: str, words: str):
    assert words.replace("\\|", "|") in place(HARBOUR / file, unit, int(number)), question


def test_the_words_of_the_unanswerable_question_occur_nowhere():
    texts = " ".join(p.read_text("utf-8") for p in HARBOUR.rglob("*") if p.is_file() and p.suffix != ".pdf").lower()
    handbook = (EXAMPLES / "sources" / "handbook.txt").read_text("utf-8").lower()
    assert not [word for word in ("won ", "chess", "tournament", "reykjavik") if word in texts + handbook]


def test_the_pdf_holds_its_source_text():
    pages = (EXAMPLES / "sources" / "handbook.txt").read_text("utf-8").split("=== page")
    for number, source in enumerate(pages, start=1):
        words = re.sub(r"^#+ ", "", source, flags=re.MULTILINE).split()
        assert " ".join(words) in " ".join(place(HARBOUR / "rules" / "handbook.pdf", "page", number).split())


def test_the_demo_asks_questions_of_the_table():
    asked = re.findall(r'^ask "(.+)"$', (EXAMPLES / "demo.sh").read_text("utf-8"), flags=re.MULTILINE)
    assert asked == [QUESTIONS[i][1] for i in (0, 2, 5)]


def test_the_folder_is_no_corpus_yet():
    assert not (HARBOUR / ".biblicus").exists()

"""Headings become questions for how something is done, and an answer is known by the section that it is from."""

from pathlib import Path

from benchmarks import instructions
from benchmarks.instructions import Told
from biblicus import Corpus

WORDS = "It is hauled by two men who stand at the drum and turn it until the mark on the rope comes over the rail. " * 2
MANUAL = f"# Winch\n\n## Using the winch\n\n{WORDS}\n\n### How to stop it\n\n{WORDS}\n\n## Ropes\n\n{WORDS}\n"
TIDES = f"Tides\n=====\n\nRunning a *gauge*\n-----------------\n\n{WORDS}\n\nThe moon\n--------\n\n{WORDS}\n"


def test_headings_become_questions(tmp_path: Path) -> None:
    (tmp_path / "winch.md").write_text(MANUAL, "utf-8")
    (tmp_path / "tides.rst").write_text(TIDES, "utf-8")
    (tmp_path / "news.md").write_text(f"# News\n\n## Adding ropes\n\n{WORDS}", "utf-8")
    asked = instructions.questions(tmp_path)
    begins, ends = MANUAL.index("## Using"), MANUAL.index("## Ropes")
    assert asked == [
        Told("How do I run a gauge?", "tides.rst", TIDES.index("Running"), TIDES.index("The moon")),
        Told("How do I use the winch?", "winch.md", begins, ends),
        Told("How do I stop it?", "winch.md", MANUAL.index("### How"), ends),
    ]
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex("lexical")
        wrong = Told("How do I use the winch?", "winch.md", 0, begins)
        line = instructions.measure(corpus, [asked[1], wrong, Told("How do I fly?", "tides.rst", 0, 9)])
        assert line == "3 questions: begins in its section 1, all from there 1, nothing quoted 1"

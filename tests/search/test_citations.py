"""Citations in documents: quotations of real texts all stand, and none does once a word of it is changed."""

import random
import re
import shutil
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.connectors.web.showing import forms
from biblicus.models.plain import plain
from biblicus.search.quoted import quoted
from tests.sampling import IS_LONG

PEPS = Path(__file__).resolve().parents[3] / "shared" / "data" / "folders" / "peps.tar.xz"
COUNT = 1_000 if IS_LONG else 250
_SENTENCE = re.compile(r"(?<=\n\n)[A-Z][^\n]{30,}\n(?:[^\n]+\n){0,3}")


@pytest.fixture(scope="module")
def peps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    if not PEPS.exists():
        pytest.skip("the shared data are not here")
    folder = tmp_path_factory.mktemp("peps")
    with tarfile.open(PEPS) as archive:
        archive.extractall(folder, filter="data")
    with Corpus.init(folder) as corpus:
        corpus.ingest()
        yield corpus
    shutil.rmtree(folder)


def passages(corpus: Corpus) -> list[tuple[str, str, int, int]]:
    """Passages with their items, and their first and last lines."""
    chance = random.Random(7)
    drawn: list[tuple[str, str, int, int]] = []
    items = [item for item in corpus.list() if item.path.endswith(".rst")]
    while len(drawn) < COUNT:
        item = chance.choice(items)
        text = (corpus.path / item.path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        matches = list(_SENTENCE.finditer(text))
        if not matches:
            continue
        match = chance.choice(matches)
        words = match[0].rstrip()
        if '"' in words:  # marks that look alike cannot be told apart within each other
            continue
        first = text.count("\n", 0, match.start()) + 1
        drawn.append((item.path, words, first, first + words.count("\n")))
    return drawn


def written(number: int, corpus: Corpus, path: str, words: str, first: int, last: int) -> str:
    """A citation in one of the forms, in turn."""
    quoted = "\n".join(f"> {row}" for row in words.split("\n"))
    flat = " ".join(words.split())
    match number % 6:
        case 0:
            return f"{quoted}\n>\n> [{path}:{first}-{last}]\n"
        case 1:
            return f'As it says, "{flat}" ({path}:{first}), and more.\n'
        case 2:
            return f"{quoted}\n[^{number}]\n\n[^{number}]: {path}:{first}\n"
        case 3:
            return f"* „{flat}“ [the place](/{path}#L{first}-L{last})\n"
        case _:
            excerpt = corpus.get(path, lines=(first, last))
            item = plain(corpus.show(path))
            return dict(forms(item, plain(excerpt), "peps"))["Text" if number % 6 == 4 else "Markdown"] + "\n"


def changed(words: str, chance: random.Random) -> str:
    """The same with one word of it replaced."""
    places = [match.span() for match in re.finditer(r"[A-Za-z]{3,}", words)]
    start, end = chance.choice(places)
    return f"{words[:start]}quagmire{words[end:]}"


def test_untouched_quotations_stand_and_changed_ones_do_not(peps: Corpus, tmp_path: Path):
    chance = random.Random(8)
    right, wrong = tmp_path / "right.md", tmp_path / "wrong.md"
    drawn = passages(peps)
    texts = [written(number, peps, *passage) for number, passage in enumerate(drawn)]
    right.write_text("\n".join(texts), "utf-8")
    outcome = peps.verify_citations(right)
    assert [quotation for quotation in outcome.quotations if not quotation.holds] == []
    assert outcome.ok
    assert sum(outcome.counts.values()) == COUNT
    altered = []
    for text, (_, words, _, _) in zip(texts, drawn, strict=True):
        flat = " ".join(words.split())
        there = flat if flat in text else words.split("\n")[0]  # a block quote has it row by row
        altered.append(text.replace(there, changed(there, chance), 1))
    wrong.write_text("\n".join(altered), "utf-8")
    outcome = peps.verify_citations(wrong)
    assert outcome.counts == {"stale": COUNT}


HEAD = f'{"a" * 32} path="x"'
PARTS = (
    '"[',
    '" [a.md:1] ',
    "“",
    "”(",
    "> [\n",
    "[1] a:1\n",
    '" — (a, ',
    "`` ",
    "### [1] `a`, line 1\n",
    '"—a:1  ',
    '"[x]',
)


@pytest.mark.parametrize(
    "part", [*PARTS, f'<piece number="1" mark="{HEAD.replace(" ", chr(34) + " ")}>\n', f"[1] {HEAD}\n"]
)
def test_a_document_of_nothing_but_marks_costs_what_its_length_does(part: str):
    def steps(length: int) -> int:
        """How many functions are called for a document of this length."""
        count = 0

        def look(frame: object, event: str, argument: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(look)
        try:
            list(quoted(part * (length // len(part))))
        finally:
            sys.setprofile(None)
        return count

    assert steps(40_000) < 2.5 * steps(20_000)

"""Questions for how something is done, made from the headings of a folder's own Markdown and reStructuredText.

`python -m benchmarks.instructions FOLDER [COUNT] [-v]`, where FOLDER is an indexed corpus. "Installing plugins",
"Install plugins" and "How to install plugins" become "How do I install plugins?", where one section alone is called so.
Asked is whether the quoted answer begins in that section, and whether all of it is from there.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from biblicus.answering.reader.reading.readable import readable
from biblicus.connectors.python import Corpus

_SEED = 7
_WORDS = 25
"""Words of a section at least."""
_VERBS = (
    "access add build call check configure create debug declare define delete deploy disable document download enable"
    " export extend handle import inspect install load manage modify override parse pass profile read register remove"
    " resume run send set specify test translate uninstall update upgrade use verify write"
)
_HOW = re.compile(r"how (?:to|do i|can i) (.+?)\??$", re.IGNORECASE)
_TOLD = re.compile(r"changelog|changes|history|news|release|whatsnew", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")
_UNDERLINE = re.compile(r"([=~*^\"'`+#.:_-])\1{2,}\s*$")


class Told(NamedTuple):
    """A question, and the section that tells it: its path and its characters."""

    question: str
    path: str
    start: int
    end: int


def questions(folder: Path) -> list[Told]:
    """Those of a folder; what several sections are called is nothing to ask for."""
    known: dict[str, list[Told]] = {}
    for page in sorted(folder.rglob("*")):
        path = page.relative_to(folder).as_posix()
        if page.suffix in (".md", ".rst") and ".biblicus" not in page.parts and not _TOLD.search(path):
            text = page.read_text("utf-8", errors="replace")
            for name, start, end in _sections(text, page.suffix == ".md"):
                if (question := _question(name)) and len(text[start:end].split()) >= _WORDS:
                    known.setdefault(question, []).append(Told(question, path, start, end))
    return [told[0] for told in known.values() if len(told) == 1]


def _question(heading: str) -> str | None:
    words = readable(heading).rstrip(".:").split()
    if not 2 <= len(words) <= 9 or re.search(r"[(){}=<>|/]", heading):
        return None
    if how := _HOW.match(" ".join(words)):
        return f"How do I {how[1][0].lower()}{how[1][1:]}?"
    verb = next((verb for verb in _VERBS.split() if _doing(verb) == words[0].lower()), None)
    if verb is None:
        return None
    others = [word if re.search(r"[A-Z_.]", word[1:]) else word.lower() for word in words[1:]]
    return f"How do I {verb} {' '.join(others)}?"


def _doing(verb: str) -> str:
    """A verb as headings have it: `using`, `running`, `adding`."""
    doubled = verb[-1] if len(verb) == len("run") and verb[1] in "aeiou" and verb[-1] not in "aeioud" else ""
    return f"{verb.removesuffix('e')}{doubled}ing"


def _sections(text: str, is_markdown: bool) -> Iterator[tuple[str, int, int]]:
    """The name of each section, and its characters, those of its parts among them."""
    heads: list[tuple[str, str, int]] = []
    fenced = False
    before, at = "", 0
    for line in text.splitlines(keepends=True):
        if is_markdown:
            fenced ^= _FENCE.match(line) is not None
            if not fenced and (heading := _HEADING.match(line)):
                heads.append((heading[1], heading[2], at))
        elif _UNDERLINE.match(line) and _is_title(before, line):
            heads.append((line[0], before.strip(), at - len(before)))
        before, at = line, at + len(line)
    levels = (
        sorted({mark for mark, _, _ in heads}) if is_markdown else list(dict.fromkeys(mark for mark, _, _ in heads))
    )
    for number, (mark, name, start) in enumerate(heads):
        above = (other for other in heads[number + 1 :] if levels.index(other[0]) <= levels.index(mark))
        yield name, start, next((other[2] for other in above), len(text))


def _is_title(line: str, below: str) -> bool:
    """Whether a line is a title by the marks below it."""
    return bool(line.strip()) and not line[0].isspace() and line[0] != below[0] and len(below) >= len(line)


def measure(corpus: Corpus, asked: list[Told], verbose: bool = False) -> str:
    """How many answers begin in the section, and how many are all from there, in one line."""
    begins = all_of_it = silent = 0
    for question, path, start, end in asked:
        answer = corpus.answer(question)
        inside = [
            piece.path == path and start <= piece.span_start + first and piece.span_start + last <= end
            for statement in answer.statements
            for piece, first, last in ((one.piece, one.start, one.end) for one in statement.citations)
        ]
        silent += not inside
        begins += inside[:1] == [True]
        all_of_it += bool(inside) and all(inside)
        if verbose and inside[:1] != [True]:
            print(f"  {question} ({path}): {answer.confidence:.2f} {answer.answer[:120]!r}")
    return (
        f"{len(asked)} questions: begins in its section {begins}, all from there {all_of_it}, nothing quoted {silent}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.instructions", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    asked = questions(arguments.folder)
    random.Random(_SEED).shuffle(asked)
    with Corpus.open(arguments.folder) as corpus:
        print(measure(corpus, asked[: arguments.count], arguments.verbose))


if __name__ == "__main__":
    main()

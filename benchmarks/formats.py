"""`python -m benchmarks.formats [--write]`: what is found in files of many formats, how exactly it is cited, how fast.

Real documents with known sentences (`shared/data/mixed`), generated ones whose every sentence has a known place, and
mutations of both. `--write` puts the tables into docs/formats.md. Leaves with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import generated
from benchmarks.mutations import ARCHIVES, FAMILIES, is_crash, mutations, outcomes, unpacked
from benchmarks.page import write_between
from benchmarks.workbench import data_folder
from biblicus import Corpus

PAGE = Path(__file__).resolve().parents[1] / "docs" / "formats.md"
_SENTENCE = re.compile(r'\[([^\]]*)\] "(.+?)"(?=$| ;| \()')
_FURTHER = {
    "eng_spa_mult.odt": "They are endowed with reason and conscience",
    "eng_spa_mult.org": "They are endowed with reason and conscience",
    "eng_spa_mult.rtf": "They are endowed with reason and conscience",
    "equations.docx": "The angle is θ rad",
    "test_with_comment.docx": "AutoGen is an open-source framework that allows developers to build LLM applications",
    "markitdown_test.xls": "6ff4173b-42a5-4784-9b19-f49caff4d93d",
    "markitdown_test.xlsx": "6ff4173b-42a5-4784-9b19-f49caff4d93d",
    "test_outlook_msg.msg": "This is the body of the test email message",
    "testMBOX_complex.mbox": "Thank you in advance for your response",
    "testEPUB.epub": "This is the text for chapter One",
    "webvtt_example_01.vtt": "just down the street from the American Museum of Natural History",
    "introduction.tex": "Recurrent neural networks, long short-term memory and gated recurrent neural networks",
    "email-with-image.eml": "The unstructured logo is attached to this email",
    "de-DE_(We_Are_At_School_x2).mp3": "ENDE004",
}
"""Sentences of files for which the manifest names none."""
_BARS = {"found": 0.95, "told": 1.0, "placed": 1.0, "pace": 0.6}


class Row(NamedTuple):
    """A format: how many files with a known sentence there are, how many were found; files that gave no text."""

    format: str
    known: int
    found: int
    silent: int
    told: int


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.formats", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/formats.md")
    parser.add_argument("--mutations", type=int, default=2_000, help="of each family")
    asked_for = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure_mixed(Path(folder) / "mixed")
        places = measure_places(Path(folder) / "generated", 5)
        paces = measure_paces(Path(folder) / "many", 334)
    fuzz = measure_mutations(asked_for.mutations)
    text = _text(rows, places, paces, fuzz)
    print(text)
    if asked_for.write:
        write_between(PAGE, "measured", text)
    known, first = sum(row.known for row in rows), sum(row.found for row in rows)
    silent, reasoned = sum(row.silent for row in rows), sum(row.told for row in rows)
    right, all_places = sum(one for one, _ in places.values()), sum(all_ for _, all_ in places.values())
    shares = {"found": first / known, "told": reasoned / max(1, silent), "placed": right / all_places}
    shares["pace"] = min(ours / theirs for ours, theirs in paces.values())
    missed = [name for name, bar in _BARS.items() if shares[name] < bar] + (["crashes"] if any(fuzz.values()) else [])
    for name in missed:
        print(f"missed: {name} {shares.get(name)}", file=sys.stderr)
    return 1 if missed else 0


def measure_mixed(folder: Path) -> list[Row]:
    """The real documents, by format."""
    shutil.copytree(data_folder() / "mixed", folder)
    (folder / "MANIFEST.tsv").unlink()
    with open(data_folder() / "mixed" / "MANIFEST.tsv", encoding="utf-8", newline="") as file:
        manifest = list(csv.DictReader(file, delimiter="\t"))
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    with Corpus.init(folder) as corpus:
        (run,) = corpus.reindex().runs
        reasons = {note.path: note.reason for note in (*run.manifest.skipped, *run.manifest.failed)}
        for row in manifest:
            name, count = row["file"], counts[row["format"]]
            if name in reasons:
                count[2] += 1
                count[3] += bool(reasons[name].strip())
                continue
            sentences = [words for _, words in _SENTENCE.findall(row["known_truth"]) if words]
            if row["known_truth"].startswith("OCR"):
                sentences = []
            if name in _FURTHER:
                sentences.append(_FURTHER[name])
            if sentences:
                count[0] += 1
                count[1] += all(_is_found(corpus, name, words) for words in sentences)
                if not all(_is_found(corpus, name, words) for words in sentences):
                    print("not found:", name, sentences, file=sys.stderr)
    return [Row(kind, *count) for kind, count in sorted(counts.items()) if any(count)]


def _is_found(corpus: Corpus, name: str, sentence: str) -> bool:
    """Whether the file, or its twin of another format, is among the first three by the sentence's words."""
    stem = name.partition(".")[0]
    evidence = corpus.query(sentence, limit=3).evidence
    return any(piece.path == name or piece.path.partition(".")[0] == stem for piece in evidence)


def measure_places(folder: Path, files: int) -> Mapping[str, tuple[int, int]]:
    """Of each generated format: sentences whose evidence stands where they were written, and all of them."""
    folder.mkdir()
    wanted = list(generated.write(folder, files, random.Random(7)))
    right: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        for sentence in wanted:
            count = right[sentence.path.rpartition(".")[2]]
            count[0] += generated.stands_right(corpus, sentence)
            count[1] += 1
    return {kind: (good, all_) for kind, (good, all_) in sorted(right.items())}


def measure_paces(folder: Path, files: int) -> Mapping[str, tuple[float, float]]:
    """Files a second, ours (a whole reindex with one worker) and the library alone, by format."""
    from docx import Document
    from openpyxl import load_workbook
    from pptx import Presentation

    def word(path: Path) -> None:
        document = Document(str(path))
        "\n".join(paragraph.text for paragraph in document.paragraphs)
        [[cell.text for cell in row.cells] for table in document.tables for row in table.rows]

    def slides(path: Path) -> None:
        for slide in Presentation(str(path)).slides:
            [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]

    def book(path: Path) -> None:
        workbook = load_workbook(str(path), read_only=True, data_only=True)
        [list(sheet.iter_rows(values_only=True)) for sheet in workbook]

    readers: Mapping[str, Callable[[Path], None]] = {"docx": word, "pptx": slides, "xlsx": book}
    paces = {}
    for kind, reader in readers.items():
        inside = folder / kind
        inside.mkdir(parents=True)
        list(generated.write(inside, files, random.Random(11), kinds=(kind,)))
        began = time.perf_counter()
        for path in sorted(inside.iterdir()):
            reader(path)
        library = time.perf_counter() - began
        os.environ["BIBLICUS_WORKERS"] = "1"
        with Corpus.init(inside) as corpus:
            began = time.perf_counter()
            corpus.reindex()
            ours = time.perf_counter() - began
        paces[kind] = (files / ours, files / library)
    return paces


def measure_mutations(count: int) -> Mapping[str, int]:
    """Of each family: how many of so many mutations cost more than themselves."""
    bad = {}
    for family in FAMILIES:
        bad[family] = count - sum(1 for _ in outcomes(mutations(family, count, random.Random(3))))
    for family in ARCHIVES:
        bad[family] = count - sum(
            not any(map(is_crash, members)) for members in unpacked(family, count, random.Random(3))
        )
    return bad


def _text(rows: Sequence[Row], places: Mapping[str, Any], paces: Mapping[str, Any], fuzz: Mapping[str, int]) -> str:
    def lines() -> Iterator[str]:
        yield "| format | files with a known sentence | found in the first three | without text | of these told why |"
        yield "|---|---|---|---|---|"
        for row in rows:
            known = f"{row.known} | {row.found}" if row.known else "– | –"
            silent = f"{row.silent} | {row.told}" if row.silent else "– | –"
            yield f"| {row.format} | {known} | {silent} |"
        total = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)]
        yield f"| all | {total[0]} | {total[1]} | {total[2]} | {total[3]} |"
        yield ""
        yield "| generated | sentences | whose locator holds them, and whose `get` shows them |"
        yield "|---|---|---|"
        for kind, (good, all_) in places.items():
            yield f"| {kind} | {all_} | {good} |"
        yield ""
        yield "| files a second, one core | a whole `reindex` | the library alone |"
        yield "|---|---|---|"
        for kind, (ours, theirs) in paces.items():
            yield f"| {kind} | {ours:.0f} | {theirs:.0f} |"
        yield ""
        yield f"Mutations that crashed the command: {', '.join(f'{family} {bad}' for family, bad in fuzz.items())}."

    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    sys.exit(main())

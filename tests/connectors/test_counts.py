"""One of something is told as one, and several as several."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from biblicus.connectors.cli.answer import _worth
from biblicus.connectors.cli.corpus import _bibliography, _show_runs
from biblicus.connectors.cli.evaluation import _show_lacking
from biblicus.connectors.cli.runs import _listed
from biblicus.models.plain import count
from tests.front_door import biblicus


@pytest.mark.parametrize(
    ("number", "things", "told"),
    [
        (0, "files", "0 files"),
        (1, "files", "1 file"),
        (2, "files", "2 files"),
        (1, "entries", "1 entry"),
        (2, "entries", "2 entries"),
        (1, "judged items", "1 judged item"),
    ],
)
def test_a_number_of_things(number: int, things: str, told: str) -> None:
    assert count(number, things) == told


@pytest.mark.parametrize(
    ("entries", "told"),
    [(1, "1 entry: 1 item known, 1 told something new."), (2, "2 entries: 2 items known, 2 told something new.")],
)
def test_the_entries_of_a_bibliography(entries: int, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    match = SimpleNamespace(path="a.pdf", key="a", by="doi", written=["title"])
    report: Any = SimpleNamespace(
        entries=entries, matched=[match] * entries, ambiguous=[], unmatched=[], failed=[], dry_run=False
    )
    given: Any = None
    _bibliography(report, given)
    assert capsys.readouterr().out.splitlines()[-1] == told


@pytest.mark.parametrize(("pieces", "told"), [(1, "1 piece of 1 source, 1 cited"), (2, "2 pieces of 2 sources")])
def test_the_pieces_that_an_answer_stands_on(pieces: int, told: str) -> None:
    assessment: Any = SimpleNamespace(
        strength="strong", pieces=pieces, sources=pieces, cited_sources=pieces, missing=(), stale=0
    )
    assert told in _worth(assessment)


def test_a_run_of_one_chunk(capsys: pytest.CaptureFixture[str]) -> None:
    run: Any = SimpleNamespace(run_id="r", built="fresh", counts={"chunks": 1}, latest_of=(), kept=False, indexed=False)
    _show_runs({"lexical": {"run_id": "r", "chunks": 1, "failed": 0, "current": True}})
    told = capsys.readouterr().out
    assert _listed(run).endswith("fresh  1 chunk")
    assert "r, 1 passage, current" in told


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, ["1 judgement is of a question that", "1 judged item is not in words; it counts as not found."]),
        (2, ["2 judgements are of questions that", "2 judged items are not in words; they count as not found."]),
    ],
)
def test_what_an_evaluation_lacks(number: int, told: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    system = SimpleNamespace(missing=number, name="words")
    found: Any = SimpleNamespace(settings={"unasked": number}, systems=[system])
    _show_lacking(found)
    shown = capsys.readouterr().out
    assert all(line in shown for line in told)


def test_one_file_that_fails_fails_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert biblicus(["init"]) == 0
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    assert biblicus(["reindex", "--strict"]) != 0
    assert "1 file failed." in capsys.readouterr().err

"""Whatever is edited, promoted, retracted, planted or killed: nobody is shown bytes that are not approved."""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from biblicus.corpus.editorial import approvals
from biblicus.corpus.editorial.approvals import Trust
from tests.editorial.fuzzing import Fuzz
from tests.sampling import IS_LONG

STEPS = int(os.environ.get("BIBLICUS_LAYER_STEPS", "10000"))
"""Of the whole fuzz: `make test-layers`."""
_QUICK = 100 if IS_LONG else 60
_A_CORPUS = 500
"""Steps after which another corpus is begun."""


def _fuzzed(folder: Path, seed: int, steps: int, recipe: str = "lexical") -> Fuzz:
    fuzz = Fuzz(folder, random.Random(seed), recipe)
    for _ in range(steps):
        fuzz.step()
    return fuzz


@pytest.mark.parametrize("recipe", ["lexical", "scan"])
def test_nothing_is_shown_that_is_not_approved(tmp_path: Path, recipe: str) -> None:
    fuzz = _fuzzed(tmp_path / "corpus", 7, _QUICK, recipe)
    assert fuzz.wrong == []
    assert fuzz.shown > 20
    assert {"kill", "edit", "promote", "retract"} <= set(fuzz.steps)


def test_the_fuzz_finds_it_where_approvals_are_not_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control."""
    monkeypatch.setattr(Trust, "shows", lambda self, item, expires: True)
    assert _fuzzed(tmp_path / "corpus", 7, 40).wrong


def test_the_fuzz_finds_edits_that_stand_in_for_what_was_approved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another: an approval is taken for one of the path, not of the bytes."""
    monkeypatch.setattr(approvals, "_is_of", lambda event, item: event.to_path == item.path)
    monkeypatch.setattr(
        "biblicus.corpus.described.describe._placed",
        lambda corpus, item, standing: (approvals_of_path(item, standing), ()),
    )
    monkeypatch.setattr("biblicus.corpus.passes.standing_of", _as_it_lies)
    assert _fuzzed(tmp_path / "corpus", 7, 40).wrong


def approvals_of_path(item: object, standing: approvals.Standing | None) -> object:
    from dataclasses import replace

    layer = "published" if item.path.startswith("published/") else "raw"  # type: ignore[attr-defined]
    return replace(item, layer=layer, approval=standing.event.id if standing else None)  # type: ignore[type-var]


def _as_it_lies(*words: object) -> approvals.Standing | None:
    standing = approvals.standing_of(*words)  # type: ignore[arg-type]
    return standing and standing._replace(is_kept=False)


@pytest.mark.layers
def test_ten_thousand_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str], tally: Callable[..., None]) -> None:
    counts: dict[str, int] = {}
    shown = 0
    for seed in range(STEPS // _A_CORPUS):
        fuzz = _fuzzed(tmp_path / str(seed), seed, _A_CORPUS, "scan" if seed % 5 == 4 else "lexical")
        assert fuzz.wrong == [], seed
        shown += fuzz.shown
        for name, count in fuzz.steps.items():
            counts[name] = counts.get(name, 0) + count
    tally(kills=counts.get("kill", 0), edits=sum(counts.values()) - counts.get("kill", 0))
    with capsys.disabled():
        sys.stdout.write(f"\n{sum(counts.values())} steps {counts}: {shown} pieces shown, 0 of unapproved bytes\n")

"""Two branches of a corpus merge: what git cannot merge under `.biblicus/` one command mends, to the same state
whichever was merged into which."""

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus.editorial import log
from tests.editorial.layered import layered
from tests.editorial.merging import base, git, pair

PAIRS = int(os.environ.get("BIBLICUS_MERGE_PAIRS", "1000"))
"""Of the whole: `make test-merges`, or fewer with PAIRS=60."""
_QUICK = 6


def _merged(folder: Path, seeds: range) -> Counter[str]:
    origin = base(folder / "base")
    counts: Counter[str] = Counter()
    for seed in seeds:
        place = folder / str(seed)
        one, other = pair(place, origin, seed)
        assert (one.problems, other.problems) == ([], []), seed
        is_same = one.state["raw"] == other.state["raw"]
        for name, value in one.state.items():
            if is_same or name in ("log", "approved", "published"):
                assert value == other.state[name], (seed, name)
        counts["raw files that git merges otherwise"] += not is_same
        counts.update(one.conflicts)
        counts["pairs"] += 1
        shutil.rmtree(place)
    return counts


def test_merges_come_to_the_same_either_way(tmp_path: Path) -> None:
    counts = _merged(tmp_path, range(_QUICK))
    assert {name for name in counts if name.startswith(".biblicus/")} == {".biblicus/catalog.json"}
    assert counts[".biblicus/catalog.json"], "no pair was in conflict"


def test_lines_of_both_branches_stay_without_a_command(tmp_path: Path) -> None:
    origin = base(tmp_path / "base")
    for side, note in (("left", "note1"), ("right", "note2")):
        shutil.copytree(origin, tmp_path / side)
        git(tmp_path / side, "checkout", "-q", "-b", side)
        with Corpus.open(tmp_path / side) as corpus:
            corpus.promote(f"drafts/{note}.md", to="published", reviewer=side)
        git(tmp_path / side, "add", "-A")
        git(tmp_path / side, "commit", "-qm", side)
    git(tmp_path / "left", "fetch", "-q", str(tmp_path / "right"), "right:right")
    git(tmp_path / "left", "merge", "-q", "--no-edit", "right", check=False)
    assert git(tmp_path / "left", "diff", "--name-only", "--diff-filter=U").split() == [".biblicus/catalog.json"]
    with Corpus.open(tmp_path / "left") as corpus:
        assert [event.by for event in corpus.editorial_log()][:2] == ["right", "left"]


def test_what_a_merge_without_our_attributes_left_in_the_log_is_mended(tmp_path: Path) -> None:
    folder = layered(tmp_path / "corpus")
    path = folder / ".biblicus/editorial.jsonl"
    whole = path.read_bytes()
    path.write_bytes(b"<<<<<<< HEAD\n" + whole + b"=======\n" + whole + b">>>>>>> right\n")
    with Corpus.open(folder) as corpus:
        assert [problem["hint"] for problem in corpus.check().problems] == ["biblicus check --repair"]
        assert corpus.check(repair=True).problems == []
    assert path.read_bytes() == whole


def test_a_line_that_was_altered_is_not_mended_by_leaving_it_out(tmp_path: Path) -> None:
    folder = layered(tmp_path / "corpus")
    path = folder / ".biblicus/editorial.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"Ana"', b'"Eve"'))
    with Corpus.open(folder) as corpus:
        assert [problem["hint"] for problem in corpus.check().problems] == [f"git checkout {log.WHERE}"]


@pytest.mark.merges
def test_a_thousand_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str], tally: Callable[..., None]) -> None:
    counts = _merged(tmp_path, range(PAIRS))
    tally(merges=2 * PAIRS)
    assert {name for name in counts if name.startswith(".biblicus/")} == {".biblicus/catalog.json"}
    with capsys.disabled():
        sys.stdout.write(f"\n{dict(counts)}: all mended by check --repair, to the same state either way\n")

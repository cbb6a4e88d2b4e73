"""How a corpus stands against its run: a look that is given up, and a folder that is observed."""

import os
import time
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.corpus.catalog import read, read_header
from biblicus.corpus.changes import folder_scan, pending
from biblicus.corpus.changes.folder_scan import looked_at
from biblicus.corpus.changes.known_folder import load
from biblicus.corpus.changes.pending import Look
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk.observing import Observer, is_own
from biblicus.disk.system import Folder
from biblicus.guards import processes
from biblicus.models.evidence import NOT_WALKED, Pending
from biblicus.models.item import NO_DIFFERENCES, Differences
from biblicus.runs import freshness as standings
from biblicus.runs import manifests as runs
from biblicus.runs.freshness import Freshness, against_default


@pytest.fixture
def folder(tmp_path: Path) -> CorpusFolder:
    with Corpus.init(tmp_path / "corpus") as corpus:
        for path in ("tides.txt", "sea/gulls.md", "sea/far/wind.md"):
            (tmp_path / "corpus" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "corpus" / path).write_text(f"Of {path}.", "utf-8")
        corpus.reindex()
    return CorpusFolder(tmp_path / "corpus")


class Counting(Look):
    """Counts its looks."""

    looks = 0

    def differences(self, *words: object) -> Differences | None:
        self.looks += 1
        return super().differences(*words)  # type: ignore[arg-type]


@pytest.fixture
def observed(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch) -> Iterator[Freshness]:
    monkeypatch.setattr(pending, "Look", Counting)
    monkeypatch.setattr("biblicus.disk.observing.is_own", lambda root: True)
    found = Freshness(folder, observed=True)
    yield found
    found.close()


def ask(folder: CorpusFolder, freshness: Freshness, monkeypatch: pytest.MonkeyPatch) -> Differences | None:
    with monkeypatch.context() as patched:
        patched.setattr(standings, "freshness", lambda corpus: freshness)
        return against_default(folder)


def test_a_look_that_takes_too_long_says_so_and_guesses_nothing(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch):
    (folder.root / "new.txt").write_text("New.", "utf-8")
    monkeypatch.setattr(folder_scan, "BETWEEN", 1)
    for allowed in range(3):
        asked = count()
        given_up = Freshness(folder, patience=lambda asked=asked, allowed=allowed: lambda: next(asked) >= allowed)  # type: ignore[misc]
        assert ask(folder, given_up, monkeypatch) is None
        assert next(asked) == allowed + 1
    patient = Freshness(folder, patience=lambda: lambda: False)
    assert ask(folder, patient, monkeypatch) == Differences(new=frozenset({"new.txt"}))


def test_a_look_that_was_given_up_is_told_where_something_is_known_to_have_changed(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(folder_scan, "BETWEEN", 1)
    given_up = Freshness(folder, patience=lambda: lambda: True)
    header = read_header(folder)
    assert header is not None
    manifest = runs.read(folder, header.latest["lexical"].run_id)
    assert given_up.pending(manifest, dict, header.corpus_digest) == NOT_WALKED
    assert NOT_WALKED.sentence == ""
    (folder.root / "new.txt").write_text("New.", "utf-8")
    with Corpus.open(folder.root) as corpus:
        corpus.ingest()
    header = read_header(folder)
    catalog = read(folder)
    assert header is not None
    assert catalog is not None
    records = {path: entry.line.decode() for path, entry in catalog.entries.items() if path != "new.txt"}
    told = Freshness(folder, patience=lambda: lambda: True).pending(manifest, lambda: records, header.corpus_digest)
    assert told == Pending(1, 0, 0, walked=False)
    assert told.sentence == "At least 1 file is not indexed yet: biblicus reindex"


def test_the_first_look_may_be_begun_in_a_process_of_its_own(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pending, "Look", Counting)
    monkeypatch.setattr(processes, "may_fork", lambda: True)
    monkeypatch.setattr(processes, "cores", lambda: 2)
    (folder.root / "new.txt").write_text("New.", "utf-8")
    (folder.root / "sea/gulls.md").unlink()
    is_so = Differences(new=frozenset({"new.txt"}), removed=frozenset({"sea/gulls.md"}))
    begun = Freshness(folder)
    begun.begin()
    assert ask(folder, begun, monkeypatch) == is_so
    assert begun._look.looks == 0  # type: ignore[attr-defined]
    assert ask(folder, begun, monkeypatch) == is_so
    assert begun._look.looks == 1  # type: ignore[attr-defined]


def test_a_look_of_another_catalog_or_of_a_process_that_failed_is_done_again_here(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(processes, "may_fork", lambda: True)
    monkeypatch.setattr(processes, "cores", lambda: 2)
    begun = Freshness(folder)
    begun.begin()
    (folder.root / "new.txt").write_text("New.", "utf-8")
    with Corpus.open(folder.root) as corpus:
        corpus.ingest(str(folder.root / "new.txt"))
    assert ask(folder, begun, monkeypatch) == Differences(new=frozenset({"new.txt"}))
    monkeypatch.setattr(Freshness, "_looked", lambda freshness: 1 / 0)
    begun.begin()
    assert ask(folder, begun, monkeypatch) == Differences(new=frozenset({"new.txt"}))
    begun.begin()
    begun.close()


def test_a_look_that_took_too_long_in_its_process_is_not_done_again(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(processes, "may_fork", lambda: True)
    monkeypatch.setattr(processes, "cores", lambda: 2)
    monkeypatch.setattr(folder_scan, "BETWEEN", 1)
    given_up = Freshness(folder, patience=lambda: lambda: True)
    given_up.begin()
    assert ask(folder, given_up, monkeypatch) is None


def test_where_no_process_is_to_be_had_the_look_is_done_here(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch):
    def refused() -> int:
        raise BlockingIOError

    monkeypatch.setattr(processes, "may_fork", lambda: True)
    monkeypatch.setattr(processes, "cores", lambda: 2)
    monkeypatch.setattr(os, "fork", refused)
    alone = Freshness(folder)
    alone.begin()
    assert ask(folder, alone, monkeypatch) == NO_DIFFERENCES


def test_reading_what_was_touched_is_given_up_too(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch):
    known = load(folder)
    assert known is not None
    os.utime(folder.root / "tides.txt", (1, 1))
    monkeypatch.setattr(pending, "_HASHED", 1)
    assert Look(folder).differences(known, lambda: True) is None
    assert Look(folder).differences(known, lambda: False) == NO_DIFFERENCES


def test_nothing_is_looked_at_again_where_nothing_happened(
    folder: CorpusFolder, observed: Freshness, monkeypatch: pytest.MonkeyPatch
):
    for _ in range(5):
        assert ask(folder, observed, monkeypatch) == NO_DIFFERENCES
    looks = observed._look.looks  # type: ignore[attr-defined]
    assert looks == 2  # the first, and the one from which the folder is observed
    (folder.root / "sea/far/wind.md").write_text("Other words.", "utf-8")
    for _ in range(3):
        assert ask(folder, observed, monkeypatch) == Differences(changed=frozenset({"sea/far/wind.md"}))
    assert observed._look.looks == looks + 1  # type: ignore[attr-defined]


def test_a_look_that_was_given_up_goes_on_with_the_next_question_unless_something_happened(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("biblicus.disk.observing.is_own", lambda root: True)
    monkeypatch.setattr(folder_scan, "BETWEEN", 1)
    compared: list[str] = []
    original = folder_scan._compare_files

    def noted(opened: Folder, of: str, names: list[str], *words: Any) -> None:
        compared.extend(of + name for name in names)
        original(opened, of, names, *words)

    monkeypatch.setattr(folder_scan, "_compare_files", noted)

    def for_two() -> Callable[[], bool]:
        asked = count()
        return lambda: next(asked) >= 2

    short = Freshness(folder, observed=True, patience=for_two)
    files = ["tides.txt", "sea/gulls.md", "sea/far/wind.md"]
    told = [ask(folder, short, monkeypatch) for _ in range(4)]
    assert told == [None, None, NO_DIFFERENCES, NO_DIFFERENCES]
    assert compared == [*files[:2], *files[:2], files[2]]  # before the folder was observed, then on from there
    for path in files[:2]:  # while a look goes on, what was compared already changes: it begins anew
        (folder.root / path).unlink()
        assert ask(folder, short, monkeypatch) is None
    assert ask(folder, short, monkeypatch) == Differences(removed=frozenset(files[:2]))
    short.close()


def test_what_happens_in_a_folder_that_is_new_is_seen(
    folder: CorpusFolder, observed: Freshness, monkeypatch: pytest.MonkeyPatch
):
    for _ in range(3):
        ask(folder, observed, monkeypatch)
    (folder.root / "more/and").mkdir(parents=True)
    assert ask(folder, observed, monkeypatch) == NO_DIFFERENCES
    (folder.root / "more/and/more.md").write_text("More.", "utf-8")
    assert ask(folder, observed, monkeypatch) == Differences(new=frozenset({"more/and/more.md"}))
    (folder.root / "more/and/more.md").unlink()
    assert ask(folder, observed, monkeypatch) == NO_DIFFERENCES


def test_a_folder_that_is_replaced_is_observed_again(
    folder: CorpusFolder, observed: Freshness, monkeypatch: pytest.MonkeyPatch
):
    for _ in range(3):
        ask(folder, observed, monkeypatch)
    (folder.root / "sea").rename(folder.root / "ocean")
    moved = Differences(changed=frozenset({"ocean/gulls.md", "ocean/far/wind.md"}))
    assert ask(folder, observed, monkeypatch) == moved
    (folder.root / "ocean").rename(folder.root / "sea")
    assert ask(folder, observed, monkeypatch) == NO_DIFFERENCES
    (folder.root / "sea/gulls.md").unlink()
    assert ask(folder, observed, monkeypatch) == Differences(removed=frozenset({"sea/gulls.md"}))


def test_where_nothing_can_be_observed_each_question_looks(
    folder: CorpusFolder, observed: Freshness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("biblicus.disk.observing.is_own", lambda root: False)
    for number in range(3):
        (folder.root / f"{number}.txt").write_text("New.", "utf-8")
        found = ask(folder, observed, monkeypatch)
        assert found is not None
        assert len(found.new) == number + 1
    assert observed._look.looks == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("mounts", "own"),
    [
        ("/dev/a / ext4 rw 0 0\n", True),
        ("/dev/a / ext4 rw 0 0\nnas:/x /home nfs4 rw 0 0\n", False),
        ("/dev/a / ext4 rw 0 0\nnas:/x /home/me/corpus/shared\\040here cifs rw 0 0\n", False),
        ("/dev/a / ext4 rw 0 0\nnas:/x /home nfs4 rw 0 0\ntmpfs /home/me tmpfs rw 0 0\n", True),
        ("/dev/a / ext4 rw 0 0\nnas:/x /home/me/corpus2 nfs4 rw 0 0\n", True),
        ("", False),
    ],
)
def test_what_may_change_without_this_kernels_knowing_is_not_observed(tmp_path: Path, mounts: str, own: bool):
    (tmp_path / "mounts").write_text(mounts, "utf-8")
    assert is_own(Path("/home/me/corpus"), tmp_path / "mounts") is own


def test_an_observer_hears_of_what_was_done_before_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("biblicus.disk.observing.is_own", lambda root: True)
    observer = Observer(tmp_path)
    assert observer.observe([""])
    assert not observer.observe([""])
    assert not observer.heard()
    for act in (
        lambda: (tmp_path / "a").write_text("a", "utf-8"),
        lambda: (tmp_path / "a").chmod(0o600),
        lambda: (tmp_path / "a").rename(tmp_path / "b"),
        lambda: (tmp_path / "b").unlink(),
        lambda: (tmp_path / "c").mkdir(),
    ):
        act()
        assert observer.heard()
        assert not observer.heard()
    observer.close()


def test_a_refresh_sees_what_changes_though_it_lists_no_folder_that_is_as_it_was(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
):
    for module in ("passes", "changes.known_folder"):  # as files of yesterday
        monkeypatch.setattr(f"biblicus.corpus.{module}.is_calm", lambda stamp, started_ns: True)

    def is_as_seen() -> bool:
        now = CorpusFolder(folder.root)
        known = load(now)
        present = looked_at(now, known, list, (), time.time_ns()) if known else None
        return present is not None and present.folder is known

    def skipped() -> list[str]:
        with Corpus.open(folder.root) as corpus:
            return [note["path"] for note in corpus.reindex().refresh.skipped]

    far = folder.root / "sea" / "far"
    changes: list[Callable[[], object]] = [
        lambda: (far / "wind.md").write_text("Of storms.", "utf-8"),
        lambda: (far / "rain.md").write_text("Of rain.", "utf-8"),
        lambda: (far / "rain.md").rename(far / "hail.md"),
        lambda: (far / "hail.md").unlink(),
        lambda: (far / ".biblicusignore").write_text("*.csv\n", "utf-8"),
        lambda: (far / ".biblicusignore").write_text("*.tsv\n", "utf-8"),
        lambda: (folder.root / ".git").mkdir(),
        lambda: far.rename(folder.root / "sea" / "near"),
    ]
    assert skipped() == []
    for change in changes:
        assert is_as_seen()
        change()
        assert not is_as_seen()
        skipped()
    monkeypatch.setenv("BIBLICUS_MAX_FILE_BYTES", "12")
    assert not is_as_seen()
    assert skipped() == ["sea/gulls.md", "tides.txt"]
    assert is_as_seen()
    monkeypatch.delenv("BIBLICUS_MAX_FILE_BYTES")
    assert not is_as_seen()
    assert skipped() == []


def test_where_looks_are_given_up_fewer_and_fewer_questions_wait_for_one(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pending, "Look", Counting)
    monkeypatch.setattr(standings, "_SPARED", 8)
    monkeypatch.setattr(folder_scan, "BETWEEN", 1)
    is_over = True
    freshness = Freshness(folder, observed=True, patience=lambda: lambda: is_over)
    look = freshness._look
    assert isinstance(look, Counting)
    header = read_header(folder)
    assert header is not None
    manifest = runs.read(folder, header.latest["lexical"].run_id)
    looks, told = [], []
    for question in range(40):
        is_over = question < 30
        told.append(freshness.pending(manifest, dict, header.corpus_digest).walked)
        looks.append(look.looks)
    freshness.close()
    assert [at for at, (before, now) in enumerate(pairwise(looks), 1) if now > before][:5] == [2, 6, 14, 23, 32]
    assert told == [False] * 32 + [True] * 8
    assert freshness.differences(manifest, dict, header.corpus_digest) == NO_DIFFERENCES, (
        "who needs to know always looks"
    )

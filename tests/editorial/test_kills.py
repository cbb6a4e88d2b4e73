"""A promotion or a retraction that is killed at one of its writes, of which every fourth one is tried, is whole, or not
there at all, once somebody writes again. `make test-long` tries them all."""

import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from tests.editorial.fuzzing import die_at
from tests.editorial.layered import LAYERS
from tests.sampling import IS_LONG

_MOST = 200
_TEXT = "# Tides\n\nThe moon pulls the tides.\n"


def _base(folder: Path) -> Path:
    with Corpus.init(folder) as corpus:
        config = folder / ".biblicus/config.yml"
        config.write_text(config.read_text("utf-8") + LAYERS, "utf-8")
        (folder / "drafts").mkdir()
        (folder / "drafts/tides.md").write_text(_TEXT, "utf-8")
        (folder / "drafts/tides.md.biblicus.yml").write_text("tags: [sea]\n", "utf-8")
        corpus.ingest()
    return folder


def _promoted(folder: Path) -> Path:
    with Corpus.open(_base(folder)) as corpus:
        corpus.promote("drafts/tides.md", to="published", index=False)
    return folder


def _edited(folder: Path) -> Path:
    (_promoted(folder) / "published/tides.md").write_text(_TEXT + "Twice a day.\n", "utf-8")
    return folder


def _state(folder: Path) -> tuple[Any, ...]:
    """Where the files are, what is approved, and what is shown."""
    with Corpus.open(folder) as corpus:
        corpus.ingest()
        report = corpus.check(read_data=True)
        assert report.problems == []
        shown = [(item.path, item.sha256, item.tags) for item in corpus.list(layer=("published",))]
        log = [(event.happened, event.to_path, event.to_sha256) for event in corpus.editorial_log()]
    raw = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md*") if ".biblicus/" not in str(path))
    return raw, shown, log


@pytest.mark.parametrize(
    ("prepare", "act"),
    [
        (_base, lambda corpus: corpus.promote("drafts/tides.md", to="published", index=False)),
        (_edited, lambda corpus: corpus.promote("published/tides.md", to="published", index=False)),
        (_edited, lambda corpus: corpus.retract("published/tides.md", index=False)),
    ],
    ids=["promote", "approve", "retract"],
)
def test_killed_at_any_write_it_is_whole_or_not_there(
    tmp_path: Path, prepare: Callable[[Path], Path], act: Callable[[Corpus], Any]
) -> None:
    base = prepare(tmp_path / "base")
    done = tmp_path / "done"
    shutil.copytree(base, done)
    with Corpus.open(done) as corpus:
        act(corpus)
    old, new = _state(base), _state(done)
    assert old != new
    seen = set()
    for at in range(1, _MOST, 1 if IS_LONG else 4):
        folder = tmp_path / str(at)
        shutil.copytree(base, folder)
        if not _killed(folder, act, at):
            break
        state = _state(folder)
        assert state in (old, new), at
        seen.add(state == new)
        shutil.rmtree(folder)
    else:
        raise AssertionError("it never came to its end")
    assert at > 10
    assert seen == {False, True}


def _killed(folder: Path, act: Callable[[Corpus], Any], at: int) -> bool:
    """Whether the act died at that write."""
    child = os.fork()
    if not child:
        signal.alarm(60)
        die_at(at)
        with suppress(BaseException):
            act(Corpus.open(folder))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0

"""Random pairs of branches, merged by git, either into the other; then one command. Raw files in conflict are put right
as a person would: by what they hold, whichever side it came from."""

import random
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biblicus import Call, Corpus
from biblicus.errors import BiblicusError
from tests.editorial.layered import LAYERS

_ENV = {
    "GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.org", "GIT_COMMITTER_NAME": "Ana",
    "GIT_COMMITTER_EMAIL": "ana@example.org", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
    "PATH": "/usr/bin:/bin:/usr/local/bin",
}  # fmt: skip
_NOON = 1_790_000_000.0


def git(folder: Path, *words: str, check: bool = True) -> str:
    """What git prints."""
    done = subprocess.run(["git", *words], cwd=folder, env=_ENV, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def base(folder: Path) -> Path:
    """A committed corpus with layers, some drafts, one published."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "trunk")
    with Corpus.init(folder) as corpus:
        config = folder / ".biblicus/config.yml"
        config.write_text(config.read_text("utf-8") + LAYERS, "utf-8")
        (folder / "drafts").mkdir()
        for number in range(5):
            (folder / f"drafts/note{number}.md").write_text(f"# Note {number}\n\nThe tide of {number}.\n", "utf-8")
        corpus.promote("drafts/note0.md", to="published", reviewer="Ana", index=False, call=Call(clock=lambda: _NOON))
        corpus.reindex()
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    return folder


@dataclass
class Branch:
    """One side's work: ingests, edits, promotions, retractions, each at a time of its own."""

    folder: Path
    dice: random.Random
    side: str
    now: float

    def work(self) -> None:
        for _ in range(self.dice.randrange(1, 6)):
            self.now += self.dice.choice((0.0, 1.0, 2.5))
            with suppress(BiblicusError), Corpus.open(self.folder) as corpus:
                self._step(corpus, Call(clock=lambda: self.now))
        if self.dice.random() < 0.3:
            with Corpus.open(self.folder) as corpus:
                corpus.reindex()
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-qm", f"work of {self.side}", "--allow-empty")

    def _step(self, corpus: Corpus, call: Call) -> None:
        number = self.dice.randrange(7)
        draft, published = f"drafts/note{number}.md", f"published/note{number}.md"
        text = f"# Note {number}\n\nThe tide of {number} as {self.side} tells it, {self.dice.randrange(3)}.\n"
        act = self.dice.choice(("write", "write", "edit", "promote", "promote", "approve", "retract", "import", "tag"))
        if act == "write":
            (self.folder / draft).parent.mkdir(exist_ok=True)
            (self.folder / draft).write_text(text, "utf-8")
            corpus.ingest(call=call)
        elif act == "edit" and (self.folder / published).exists():
            (self.folder / published).write_text(text, "utf-8")
            corpus.ingest(call=call)
        elif act == "promote":
            corpus.promote(draft, to="published", reviewer=self.side, index=False, call=call)
        elif act == "approve":
            corpus.promote(published, to="published", reviewer=self.side, index=False, call=call)
        elif act == "retract":
            corpus.retract(published, reviewer=self.side, index=False, call=call)
        elif act == "import":
            outside = self.folder.parent / f"letter-{self.side}.txt"
            outside.write_text(text, "utf-8")
            corpus.ingest(outside, call=call)
        elif act == "tag":
            corpus.tag(self.dice.choice((draft, published)), f"+{self.side}", call=call)


@dataclass
class Merged:
    """What a merge left. `conflicts`: files under `.biblicus/` that git could not merge; `problems`: what a check says
    after the one command; `state`: the corpus then."""

    conflicts: list[str]
    problems: list[str]
    state: dict[str, Any]


def merged(folder: Path, theirs: str) -> Merged:
    """Merge a branch into the one that is checked out, settle raw files, and mend the rest by one command."""
    git(folder, "merge", "-q", "--no-edit", theirs, check=False)
    ours = _settle(folder)
    with Corpus.open(folder) as corpus:
        corpus.check(repair=True)
        report = corpus.check(read_data=True)
        problems = [f"{problem['path']}: {problem['reason']}" for problem in report.problems]
        return Merged(ours, problems, _state(folder, corpus))


def _settle(folder: Path) -> list[str]:
    """Raw files in conflict: what holds more, or comes later in the alphabet. Those of ours stay as git left them."""
    stages: dict[str, dict[int, str]] = {}
    for line in git(folder, "ls-files", "-u", "-z").split("\0"):
        if line:
            facts, path = line.split("\t", 1)
            _, blob, stage = facts.split()
            stages.setdefault(path, {})[int(stage)] = blob
    ours = []
    for path, blobs in sorted(stages.items()):
        if path.startswith(".biblicus/"):
            ours.append(path)
            continue
        sides = [git(folder, "cat-file", "blob", blob) for stage, blob in blobs.items() if stage > 1]
        if sides:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(max(sides, key=lambda text: (len(text), text)), "utf-8")
        else:  # both moved it away
            (folder / path).unlink(missing_ok=True)
    for left in folder.rglob("*~*"):  # what git wrote beside a path that is a folder on the other side
        if left.is_file():
            left.unlink()
    return ours


def _state(folder: Path, corpus: Corpus) -> dict[str, Any]:
    """All that must be the same whichever branch was merged into which; runs have ids of their own. `raw`: the files
    themselves, which git may merge otherwise the other way round, where it takes one for a renamed other."""
    items = (folder / ".biblicus/catalog.json").read_text("utf-8").split("\n", 1)[1]
    log = folder / ".biblicus/editorial.jsonl"
    return {
        "items": items,
        "log": log.read_text("utf-8") if log.exists() else "",
        "approved": sorted(path.name for path in (folder / ".biblicus/approved").glob("*")),
        "published": [(item.path, corpus.get(item.path).text) for item in corpus.list(layer=("published",))],
        "raw": _raw(folder),
        "status": [f"{note.path} {note.reason}" for note in corpus.editorial_status().notes],
    }


def _raw(folder: Path) -> dict[str, bytes]:
    """The files of the corpus, by path."""
    within = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in within.items() if not name.startswith((".git/", ".biblicus/"))}


def pair(folder: Path, origin: Path, seed: int) -> tuple[Merged, Merged]:
    """Two branches of a base, merged either way."""
    dice = random.Random(seed)
    sides = {}
    for side in ("left", "right"):
        place = folder / side
        shutil.copytree(origin, place, symlinks=True)
        git(place, "checkout", "-q", "-b", side)
        Branch(place, dice, side, _NOON + 100 + dice.random()).work()
        sides[side] = place
    git(sides["left"], "fetch", "-q", str(sides["right"]), "right:right")
    git(sides["right"], "fetch", "-q", str(sides["left"]), "left:left")
    return merged(sides["left"], "right"), merged(sides["right"], "left")

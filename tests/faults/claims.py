"""What a message claims after a fault, held against what lies on disk; and does what it says to type finish the work?

Runs on ordinary folders, in a process of its own: `python -m tests.faults.claims MOST SCENE…` prints each message that
is false. MOST: how many faults at most (0: all there are), spread over the scenes, which are all where none is named.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from biblicus.disk.files import TEMPORARY
from tests.faults import tracing
from tests.faults.scenes import CLAIMING, Scene
from tests.faults.tracing import Point, faults
from tests.faults.volume import workplace
from tests.faults.world import Done, Torn, World
from tests.faults.zygote import Start, Zygote

NOTHING = "Nothing was changed."
_STANDS = re.compile(r"What was done before stands: (.+?)\. Try: ")
_PART = re.compile(r"(?P<names>.+) (?:was|were) (?P<done>written|deleted)")
_THEN = re.compile(r"Try: free space or fix permissions, then (.+)$")


@dataclass(frozen=True)
class Snapshot:
    """Files by path with their digests, and the folders outside of `.biblicus`: all that a person would miss."""

    files: dict[str, str]
    folders: frozenset[str]

    @classmethod
    def of(cls, corpus: Path) -> Snapshot:
        files, folders = {}, set()
        for path in sorted(corpus.rglob("*")):
            name = path.relative_to(corpus).as_posix()
            if name.startswith(".biblicus/local") or path.name.startswith(TEMPORARY):
                continue
            if path.is_dir() and not path.is_symlink():
                folders |= set() if name.startswith(".biblicus") else {name}
            else:
                content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
                files[name] = hashlib.sha256(content).hexdigest()
        return cls(files, frozenset(folders))


def false_claims(before: Snapshot, after: Snapshot, message: str) -> Iterator[str]:
    """What a message claims that is not so."""
    changed = {
        "written": {name for name, digest in after.files.items() if before.files.get(name) != digest},
        "deleted": before.files.keys() - after.files.keys(),
    }
    stands = _STANDS.search(message)
    if NOTHING in message:
        if any(changed.values()) or before.folders != after.folders:
            yield f"claims that nothing was changed, yet {changed}, {sorted(before.folders ^ after.folders)}"
    elif stands is None:
        yield "does not say what stands"
    else:
        claimed = dict.fromkeys(changed, 0)
        for part in stands[1].split("; "):
            match = _PART.fullmatch(part)
            if match is None:
                yield f"cannot be understood: {part}"
                continue
            done, names = match["done"], re.split(r", | and ", match["names"])
            for name in names:
                more = re.fullmatch(r"(\d+) more", name)
                claimed[done] += int(more[1]) if more else 1
                if not more and name not in changed[done]:
                    yield f"claims that {name} was {done}"
        for done, paths in changed.items():
            if claimed[done] != len(paths):
                yield f"claims {claimed[done]} {done}, yet {sorted(paths)}"


@dataclass(frozen=True)
class Verdict:
    """What came of a fault. `claimed`: a message was held against the disk. `false`: what was wrong with it."""

    where: str
    claimed: bool = False
    false: tuple[str, ...] = ()


@dataclass
class Ground:
    """A scene on a folder, as it is before its command, and what becomes of it undisturbed."""

    scene: Scene
    zygote: Zygote
    folder: Path = field(default_factory=workplace)

    def __post_init__(self) -> None:
        self.world = World(self.folder / "world")
        self.world.root.mkdir()
        self.world.lay_out()
        self.scene.prepare(self.world)
        shutil.copytree(self.world.root, self.folder / "kept", symlinks=True)
        self.before = Snapshot.of(self.world.corpus)
        trace = self.folder / "trace"
        done = self._run(tracing.tracer(trace))
        assert done.code == 0, f"{self.scene.name}: {done.err}{done.out}"
        self.points = tracing.points(trace, self.world.root)
        self.new = self.world.observe()

    def close(self) -> None:
        shutil.rmtree(self.folder)

    def tried(self, point: Point, error: str) -> Verdict:
        """Fail one call of the command, hold what it says against the disk, and type what it says to type."""
        where = f"{self.scene.name}: {error} from {point.call} {point.number}"
        self._restore()
        trace = self.folder / "trace"
        done = self._run(tracing.at(point, f"error={error}", trace))
        if done.code == 0 or not self._was_struck(trace) or tracing.was_silenced(trace):
            return Verdict(where)
        if done.code != 6:  # what could not be read: nothing is claimed
            is_told = done.code == 4 or (done.is_one_line and NOTHING not in done.err)  # 4: a check finds a problem
            return Verdict(where, False, () if is_told else (f"exit {done.code}: {done.err}",))
        false = list(false_claims(self.before, Snapshot.of(self.world.corpus), done.err.strip()))
        return Verdict(where, True, tuple(f"{claim}: {done.err.strip()}" for claim in (*false, *self._type(done.err))))

    def _was_struck(self, trace: Path) -> bool:
        """Whether the fault met a file of ours, and not one of the interpreter's."""
        lines = trace.read_text(errors="replace").splitlines()
        return any("(INJECTED)" in line and str(self.world.root) in line for line in lines)

    def _type(self, message: str) -> Iterator[str]:
        """Do what the message says."""
        match = _THEN.search(message.strip())
        if match is None:
            yield "does not say what to type"
            return
        again = match[1] == "the same command"
        for words in [list(self.scene.command)] if again else _commands(match[1]):
            if words[0] == "rm":
                for name in words[1:]:
                    (self.world.corpus / name).unlink()
                continue
            done = self._run((), words) if again else self._run((), [*words, "-C", "@/corpus"])
            if done.code != 0:
                yield f"what it says to type leaves with {done.code}: {done.err}"
                return
        if wrong := self._unfinished():
            yield f"what it says to type leaves {wrong}"

    def _unfinished(self) -> str:
        try:
            state = self.world.observe()
        except Torn as torn:
            return str(torn)
        if litter := self.world.litter():
            return f"litter: {litter}"
        same = state.made == self.new.made and (self.scene.dated or state.catalog == self.new.catalog)
        return "" if same else f"{state} rather than {self.new}"

    def _restore(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self.folder / "kept", self.world.root, symlinks=True)

    def _run(self, tracer: Sequence[str], words: Sequence[str] | None = None) -> Done:
        """The scene's command, or another, under a tracer or not."""
        placed = tuple(map(self.world.placed, words or self.scene.command))
        start = Start(placed, self.scene.variant, self.world.environment, self.folder)
        return self.zygote.run(start, tracer)


def _commands(text: str) -> Iterator[list[str]]:
    for command in text.split(" && "):
        words = shlex.split(command)
        yield words[1:] if words[0] == "biblicus" else words


def sweep(most: int, names: Sequence[str]) -> Iterator[Verdict]:
    """The scenes with every fault, or with some of them, spread over all calls: at most so many in all."""
    zygote = Zygote()
    scenes = [scene for scene in CLAIMING if scene.name in names or not names]
    for scene in scenes:
        ground = Ground(scene, zygote)
        tasks = list(faults(ground.points))
        step = -(-len(tasks) // (most // len(scenes))) if most else 1
        for point, error in tasks[::-step]:
            yield ground.tried(point, error)
        ground.close()
        print(f"{scene.name}: every {step} of {len(tasks)} faults", flush=True)  # noqa: T201


def main(most: str, *names: str) -> int:
    verdicts = []
    for verdict in sweep(int(most), names):
        verdicts.append(verdict)
        for claim in verdict.false:
            print(f"{verdict.where}: {claim}", flush=True)  # noqa: T201
    claimed = sum(verdict.claimed for verdict in verdicts)
    false = sum(bool(verdict.false) for verdict in verdicts)
    print(f"{len(verdicts)} faults, {claimed} messages, {false} false")  # noqa: T201
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

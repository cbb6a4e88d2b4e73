"""A small corpus with everything around it, the commands run on it, and what can be observed of it."""

from __future__ import annotations

import gc
import hashlib
import io
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, fields
from pathlib import Path

from biblicus.connectors.cli.front.app import run
from biblicus.connectors.python import Corpus
from biblicus.disk.files import TEMPORARY
from biblicus.errors import BiblicusError, CorpusNotFound, NoRun

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "what do the moon and the sun pull"
SIDECAR = ".biblicus.yml"


class Torn(AssertionError):
    """Neither the state before nor the one after."""


@dataclass(frozen=True)
class Done:
    """How a command ended. A negative `code` is the signal that killed it."""

    code: int
    out: str
    err: str

    @property
    def killed(self) -> bool:
        return self.code < 0 or self.code == 128 + 9

    @property
    def is_one_line(self) -> bool:
        """Whether the error is one line for a person, and no surprise."""
        lines = [line for line in self.err.splitlines() if line.strip()]
        return len(lines) == 1 and lines[0].startswith("Error: ") and "unexpected" not in lines[0]


@dataclass(frozen=True)
class State:
    """What stands in a corpus. `catalog`: a digest of its items. `answer`: path and text of the evidence. `made`: files
    that Biblicus made, by path."""

    catalog: str
    runs: int
    answer: tuple[tuple[str, str], ...]
    made: frozenset[tuple[str, str]]

    def between(self, old: State, new: State) -> bool:
        """Whether each part is the old one or the new one, and no file is neither."""
        parts = [name.name for name in fields(self) if name.name != "made"]
        whole = all(getattr(self, part) in (getattr(old, part), getattr(new, part)) for part in parts)
        return whole and old.made & new.made <= self.made <= old.made | new.made


class World:
    """A folder with a `corpus`, the user's `state` and `config`, and files `outside`."""

    def __init__(self, root: Path) -> None:
        self.root, self.corpus, self.outside = root, root / "corpus", root / "outside"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", ""),
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8",
            "HOME": str(self.root),
            "BIBLICUS_STATE_HOME": str(self.root / "state"),
            "BIBLICUS_CONFIG_HOME": str(self.root / "config"),
            "BIBLICUS_MEANING": "off",  # in scenes that are played before a test is, too
            "BIBLICUS_WORKERS": "1",
            "BIBLICUS_LOCK_TIMEOUT": "10",
        }

    def lay_out(self) -> None:
        """The user's files: several folders, encodings, modes, an archive and a link."""
        (self.corpus / "notes").mkdir(parents=True)
        (self.outside).mkdir()
        (self.corpus / "tides.md").write_text("# Tides\n\nThe moon pulls tides, twice a day.\n")
        (self.corpus / "notes" / "sun.txt").write_text("The sun pulls, too.\n")
        (self.corpus / "notes" / "gulls.md").write_text("---\ntags: [sea]\n---\nGulls follow boats.\n")
        (self.corpus / "page.html").write_text("<title>Harbour</title><p>The harbour master counts moons.</p>")
        with zipfile.ZipFile(self.corpus / "stores.zip", "w") as archive:
            archive.writestr(zipfile.ZipInfo("lamps/oil.txt"), "Lamps burn oil, as the moon does not.\n")
        (self.corpus / "notes" / "sun.txt").chmod(0o640)
        (self.corpus / "link.md").symlink_to("tides.md")
        (self.outside / "letter.html").write_text("<title>Letter</title><p>The moon pulled me to the harbour.</p>")
        (self.outside / "note.txt").write_text("A note on what the sun can pull.\n")

    def command(self, words: Sequence[str], variant: str | None = None) -> list[str]:
        """The command as a process: the real one, or a variant of it (`variants.py`)."""
        start = ["-m", "biblicus"] if variant is None else [str(Path(__file__).with_name("variants.py")), variant]
        return [sys.executable, *start, *map(self.placed, words)]

    def run(self, *words: str, variant: str | None = None, under: Sequence[str] = ()) -> Done:
        """Run a command, `under` a tracer or not. `@` in its words stands for the root."""
        done = subprocess.run(
            [*under, *self.command(words, variant)],
            cwd="/",
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def run_here(self, *words: str) -> tuple[int, str, str]:
        """Run a command in this process, which is faster: its exit code, and what it printed."""
        out, err = io.StringIO(), io.StringIO()
        with self.home(), redirect_stdout(out), redirect_stderr(err):
            code = run([self.placed(word) for word in words])
        gc.collect()  # mapped files would keep the volume busy
        return code, out.getvalue(), err.getvalue()

    def placed(self, word: str) -> str:
        return word.replace("@", str(self.root))

    def must(self, *words: str, variant: str | None = None) -> Done:
        done = Done(*self.run_here(*words)) if variant is None else self.run(*words, variant=variant)
        assert done.code == 0, f"{words}: {done.err}{done.out}"
        return done

    # --- what can be seen ---

    def raw(self) -> str:
        """A digest over the user's own files: names, kinds, modes, bytes."""
        digest = hashlib.sha256()
        for path in sorted(self.corpus.rglob("*")):
            relative = path.relative_to(self.corpus)
            if relative.parts[0] in (".biblicus", "imports") or path.name.endswith(SIDECAR):
                continue
            if path.name.startswith(TEMPORARY):
                continue
            mode = path.lstat().st_mode
            content = os.readlink(path).encode() if stat.S_ISLNK(mode) else b"" if path.is_dir() else path.read_bytes()
            digest.update(f"{relative}:{mode:o}:{hashlib.sha256(content).hexdigest()}\n".encode())
        return digest.hexdigest()

    def made(self) -> frozenset[tuple[str, str]]:
        """Sidecars, imports and recipes, with their content but for when and from where it was brought."""
        found = [*self.corpus.glob(f"**/*{SIDECAR}"), *self.corpus.glob("imports/**/*")]
        found += self.corpus.glob(".biblicus/recipes/*.yml")
        kept = [path for path in found if path.is_file() and not path.name.startswith(TEMPORARY)]
        return frozenset((str(path.relative_to(self.corpus)), _content(path)) for path in kept)

    def litter(self) -> list[str]:
        """What a writer that ended should not have left."""
        found = [path for path in self.corpus.rglob("*") if path.name.startswith(TEMPORARY) or path.suffix == ".tmp"]
        index = self.corpus / ".biblicus" / "local" / "index"
        runs = self.corpus / ".biblicus" / "runs"
        if index.is_dir():
            found += [path for path in index.iterdir() if not (runs / f"{path.name}.json").exists()]
        return sorted({str(path.relative_to(self.corpus)) for path in found})

    def observe(self, *, deep: bool = False) -> State:
        """The state as a program sees it. Raises `Torn` where anything is damaged or unreadable."""
        with self.home():
            try:
                with Corpus.open(self.corpus) as corpus:
                    report = corpus.check(read_data=deep)
                    if report.problems:
                        raise Torn(f"check finds {report.problems}")
                    _compare_events(corpus)
                    return State(_items(corpus), len(corpus.runs()), _answer(corpus), self.made())
            except CorpusNotFound:
                return State("none", 0, (), self.made())
            except BiblicusError as error:
                raise Torn(f"{type(error).__name__}: {error.message}") from error
            finally:
                gc.collect()  # mapped files would keep the volume busy

    @contextmanager
    def home(self) -> Iterator[None]:
        """This world's settings and key, for calls in this process."""
        before = {name: os.environ.get(name) for name in self.environment}
        os.environ.update({name: value for name, value in self.environment.items() if name.startswith("BIBLICUS_")})
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def _compare_events(corpus: Corpus) -> None:
    """Raise `Torn` where the newest event of an item tells otherwise than the catalog."""
    told: dict[str, str | None] = {}
    page = corpus.events()
    while True:
        for event in page.events:
            if event.item_id is not None:
                told[event.item_id] = None if event.event == "item.removed" else event.sha256
        if not page.more:
            break
        page = corpus.events(after=page.cursor)
    held = {item.item_id: item.sha256 for item in corpus.list()}
    if wrong := sorted(item_id for item_id, sha256 in told.items() if held.get(item_id) != sha256):
        raise Torn(f"the event log tells otherwise of {wrong[0]}")


def _items(corpus: Corpus) -> str:
    """A digest over the catalog, but for when and from where an item was brought."""
    items = [(item.item_id, item.path, item.sha256, item.title, item.tags, item.media_type) for item in corpus.list()]
    return hashlib.sha256(repr(items).encode()).hexdigest()


def _content(path: Path) -> str:
    lines = [line for line in path.read_bytes().split(b"\n") if b"retrieved_at" not in line and b"uri: " not in line]
    return hashlib.sha256(b"\n".join(lines)).hexdigest()


def _answer(corpus: Corpus) -> tuple[tuple[str, str], ...]:
    try:
        result = corpus.query(QUESTION)
    except NoRun:
        return ()
    for piece in result.evidence:
        if hashlib.sha256(piece.text.encode()).hexdigest() != piece.hash:
            raise Torn(f"evidence of {piece.path} does not fit its hash")
    return tuple((piece.path, piece.text) for piece in result.evidence)

"""Bit rot is found, and repaired from the raw files."""

import hashlib
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from biblicus.connectors.python import Corpus
from biblicus.runs import reindex
from tests.faults.figures import Figures
from tests.faults.world import QUESTION, World

FLIPS = 5  # in each file, at places chosen by its name
USERS = (".gitignore", "config.yml")  # a person edits these: git watches over them
HINTS = ("total",)  # what it holds is counted anew where it does not fit


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A corpus with every kind of file that Biblicus writes."""
    world = World(tmp_path_factory.mktemp("rot"))
    world.lay_out()
    with pytest.MonkeyPatch.context() as patch, world.home(), Corpus.init(world.corpus) as corpus:
        patch.setattr(reindex, "FRESH_BELOW", 0)
        patch.setattr(reindex, "CHURN_LIMIT", 100.0)
        corpus.ingest(world.outside / "note.txt")
        corpus.reindex()
        (world.corpus / "tides.md").write_text("# Tides\n\nThe moon and the sun pull tides.\n")
        assert corpus.reindex().runs[0].built == "incremental"
        corpus.ingest()
        assert not corpus.check(read_data=True).problems
    return world


def kind(path: Path, home: Path) -> str:
    """What a file under `.biblicus/` is, whatever its run or digest."""
    parts = path.relative_to(home).parts
    if parts[0] == "runs":
        return "manifest"
    if parts[:2] == ("local", "cache"):
        return "cache"
    if parts[:2] == ("local", "index"):
        return f"{parts[3]}/*{path.suffix or path.name}" if len(parts) > 4 else path.name
    return path.name


def machine_files(world: World) -> dict[str, list[Path]]:
    """The files that Biblicus writes and nobody edits, by kind."""
    home = world.corpus / ".biblicus"
    found: dict[str, list[Path]] = {}
    for path in sorted(home.rglob("*")):
        if path.is_file() and path.stat().st_size and path.name not in (*USERS, *HINTS):
            found.setdefault(kind(path, home), []).append(path)
    return found


def flip(path: Path, seed: str) -> None:
    """Flip one bit, and keep the times: rot leaves no trace."""
    before = path.stat()
    data = bytearray(path.read_bytes())
    where = random.Random(seed).randrange(len(data) * 8)
    data[where // 8] ^= 1 << where % 8
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def copied(world: World, folder: Path) -> World:
    shutil.copytree(world.root, folder / "copy", symlinks=True)
    return World(folder / "copy")


def evidence(corpus: Corpus) -> list[tuple[object, ...]]:
    """All but scores: those of an incremental run and of a fresh one agree to 1e-3 (DESIGN §5)."""
    return [
        (piece.item_id, piece.path, piece.span_start, piece.span_end, piece.text, piece.item_sha256)
        for piece in corpus.query(QUESTION).evidence
    ]


def test_a_flipped_bit_is_found_in_every_kind_of_file(sound: World, tmp_path: Path, figures: Figures):
    world = copied(sound, tmp_path)
    kinds = machine_files(world)
    raw = [path for path in world.corpus.rglob("*") if path.is_file() and not path.is_symlink()]
    kinds["raw"] = [path for path in raw if ".biblicus" not in path.parts and path.suffix != ".yml"]
    missed, injected = [], 0
    with world.home(), Corpus.open(world.corpus) as corpus:
        for name, paths in kinds.items():
            for path in paths:
                kept = path.read_bytes()
                for number in range(FLIPS):
                    flip(path, f"{name}{number}")
                    injected += 1
                    report = corpus.check(read_data=True)
                    told = [*report.problems, *report.notes]
                    where = str(path.relative_to(world.corpus))
                    if not any(where.startswith(entry["path"].rstrip("/")) for entry in told):
                        missed.append((where, number))
                    path.write_bytes(kept)
    figures.record(
        "bit rot is found",
        f"one bit flipped in each of {sum(map(len, kinds.values()))} files of {len(kinds)} kinds, `check --read-data`",
        f"detected: {injected - len(missed)} of {injected}",
        damaged_files=injected,
    )
    assert not missed
    assert {
        "catalog.json",
        "manifest",
        "tables.db",
        "delta.db",
        "seal.json",
        "scan.json",
        "stamps.json",
        "folder.json",
        "cache",
    } <= set(kinds)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "noise": lambda path: path.write_bytes(hashlib.sha256(path.name.encode()).digest() * 40),
    "flipped": lambda path: flip(path, path.name),
}


def test_a_repair_gives_the_same_catalog_and_the_same_evidence(sound: World, tmp_path: Path, figures: Figures):
    wrong: list[str] = []
    tried = 0
    with sound.home(), Corpus.open(sound.corpus) as corpus:
        digest, expected = corpus.stats()["corpus_digest"], evidence(corpus)
    paths = [path.relative_to(sound.corpus) for found in machine_files(sound).values() for path in found]
    paths.append(Path(".biblicus/config.yml"))
    for number, path in enumerate(paths):
        for damage, do in DAMAGES.items():
            if damage == "flipped" and path.name in USERS:
                continue
            world = copied(sound, tmp_path / f"{number}-{damage}")
            raw = world.raw()
            with world.home():
                do(world.corpus / path)
                with Corpus.open(world.corpus) as corpus:
                    report = corpus.check(read_data=True, repair=True)
                    now = corpus.stats()["corpus_digest"], evidence(corpus), report.problems, world.raw()
            tried += 1
            if now != (digest, expected, [], raw):
                wrong.append(f"{path} {damage}: {report.problems or now[:2]}")
            shutil.rmtree(world.root)
    figures.record(
        "repair = rebuild from raw",
        f"each of {len(paths)} files {', '.join(DAMAGES)}; `check --repair`",
        f"same corpus digest and same evidence: {tried - len(wrong)} of {tried}",
        damaged_files=tried,
    )
    assert not wrong

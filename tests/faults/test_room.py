"""No room, no permission: an exit code and one line; what stood still stands, and can still be read."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.faults.figures import Figures
from tests.faults.scenes import Prepared
from tests.faults.volume import volume, workplace
from tests.faults.world import Torn, World

ROOMS = (0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128)  # KiB
LARGEST = (0, 64, 256, 512, 1024, 1536, 2048, 4096, 8192, 16384, 32768)  # bytes of a file; and what the largest needs
NOBODY = 65534


@contextmanager
def tmpfs(root: Path, kibibytes: int) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", str(root)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(root)], check=True)


def judge(world: World, words: tuple[str, ...], wrong: list[str], where: str) -> bool:
    """Run a command that may fail; whether it did."""
    done = world.run(*words)
    if done.code and not done.is_one_line:
        wrong.append(f"{where}: {words[-1]}: {done.err}")
    try:
        world.observe()
    except Torn as torn:
        wrong.append(f"{where}: {words[-1]}: {torn}")
    return done.code != 0


def test_a_full_disk_is_told_and_costs_nothing(power: None, tmp_path: Path, figures: Figures):
    wrong: list[str] = []
    refused = runs = 0
    for kibibytes in ROOMS:
        root = tmp_path / str(kibibytes)
        root.mkdir()
        with tmpfs(root, 4096):
            world = World(root)
            world.lay_out()
            world.must("init", "@/corpus")
            world.must("-C", "@/corpus", "ingest")
            raw = world.raw()
            used = sum(path.lstat().st_blocks * 512 for path in root.rglob("*")) // 1024
            subprocess.run(["mount", "-o", f"remount,size={used + kibibytes}k", str(root)], check=True)
            for words in (("-C", "@/corpus", "ingest", "@/outside/note.txt"), ("-C", "@/corpus", "reindex")):
                refused += judge(world, words, wrong, f"{kibibytes} KiB free")
                runs += 1
            subprocess.run(["mount", "-o", "remount,size=8192k", str(root)], check=True)
            world.must("-C", "@/corpus", "ingest", "@/outside/note.txt")
            world.must("-C", "@/corpus", "reindex")
            if world.litter() or world.raw() != raw or not world.observe(deep=True).answer:
                wrong.append(f"{kibibytes} KiB free: not sound once there was room: {world.litter()}")
    figures.record(
        "", f"tmpfs with {ROOMS[0]} to {ROOMS[-1]} KiB left, {runs} commands", f"{refused} refused, {len(wrong)} wrong"
    )
    assert not wrong
    assert 0 < refused < runs


def test_a_limit_on_file_sizes_is_told_and_costs_nothing(tmp_path: Path, figures: Figures):
    wrong: list[str] = []
    refused = 0
    free = _begun(tmp_path / "free")
    free.must("-C", "@/corpus", "reindex")
    enough = max(path.lstat().st_size for path in free.root.rglob("*") if path.is_file())
    for number, largest in enumerate((*LARGEST, 2 * enough)):
        world = _begun(tmp_path / str(number))
        done = subprocess.run(
            world.command(("-C", "@/corpus", "reindex")),
            env=world.environment,
            capture_output=True,
            text=True,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (largest, largest)),
        )
        lines = [line for line in done.stderr.splitlines() if line]
        if done.returncode and (len(lines) != 1 or not lines[0].startswith("Error: ") or "unexpected" in lines[0]):
            wrong.append(f"{largest} bytes: {done.stderr}")
        refused += done.returncode != 0
        try:
            world.observe()
        except Torn as torn:
            wrong.append(f"{largest} bytes: {torn}")
        world.must("-C", "@/corpus", "reindex")
        if world.litter():
            wrong.append(f"{largest} bytes: litter {world.litter()}")
    tried = f"RLIMIT_FSIZE 0 to {2 * enough // 1024} KiB, {len(LARGEST) + 1} reindexes"
    figures.record("", tried, f"{refused} refused, {len(wrong)} wrong")
    assert not wrong
    assert 0 < refused <= len(LARGEST)


def _begun(root: Path) -> World:
    """A corpus that was never indexed."""
    root.mkdir()
    world = World(root)
    world.lay_out()
    world.must("init", "@/corpus")
    return world


READING = (
    "query moon", "list", "show tides.md", "get tides.md", "tree", "stats", "runs list", "recipes list", "check",
    "check --read-data",
)  # fmt: skip
WRITING = ("ingest", "reindex", "tag tides.md +sea", "remove imports/note.txt", "check --repair")


def test_a_read_only_mount_can_be_read_and_refuses_writers(prepared: dict[str, Prepared], figures: Figures):
    wrong: list[str] = []
    with volume(prepared["tag"].image) as made:
        made.unmount()
        made.mount("ro")
        world = World(made.root)
        for words in READING:
            done = world.run("-C", "@/corpus", *words.split())
            if done.code != 0:
                wrong.append(f"{words}: {done.err}")
        for words in WRITING:
            done = world.run("-C", "@/corpus", *words.split())
            if done.code == 0 or not done.is_one_line:
                wrong.append(f"{words}: exit {done.code}: {done.err}")
    figures.record(
        "", f"read-only mount: {len(READING)} reading commands, {len(WRITING)} writing", f"{len(wrong)} wrong"
    )
    assert not wrong


@pytest.fixture
def corpus_for_all() -> Iterator[World]:
    """A corpus in a folder that every user can reach (pytest's own cannot be), and a copy of it beside."""
    folder = workplace()
    world = World(folder)
    world.lay_out()
    world.must("init", "@/corpus")
    world.must("-C", "@/corpus", "reindex")
    shutil.copytree(world.corpus, folder / "copy", symlinks=True)
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    yield world
    shutil.rmtree(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_a_corpus_of_another_user_can_be_read(corpus_for_all: World):
    world = corpus_for_all
    # The interpreter may lie where that user cannot go: the same is asked of the copy first, which imports everything.
    code = (
        "import os, sys\n"
        "from biblicus.connectors.cli.front.app import run\n"
        "assert run(['-C', sys.argv[2], *sys.argv[3:]]) == 0\n"
        f"os.setresuid({NOBODY}, {NOBODY}, {NOBODY})\n"
        "sys.exit(run(['-C', sys.argv[1], *sys.argv[3:]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(world.corpus), str(world.root / "copy"), "query", "moon"],
        env={**world.environment, "TMPDIR": "/tmp"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("tides.md") == 2

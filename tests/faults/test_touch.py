"""What a command touches outside `.biblicus/`: nothing but what it says; modes and links stay as they are."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from tests.faults import tracing
from tests.faults.figures import Figures
from tests.faults.scenes import Prepared
from tests.faults.volume import volume
from tests.faults.world import SIDECAR, World

TOUCHING = (
    "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "truncate", "ftruncate", "openat", "chmod",
    "fchmod", "fchmodat", "utimensat", "link", "linkat", "symlink", "symlinkat",
)  # fmt: skip
READING = (("query", "moon"), ("list",), ("show", "tides.md"), ("get", "page.html"), ("check", "--read-data"))


def touched(trace: Path, root: Path) -> Iterator[str]:
    """The paths under `root` that calls changed: names given, and names of descriptors."""
    for line in trace.read_text(errors="replace").splitlines():
        call = re.match(r"^\d+ +(\w+)\(", line)
        if call is None or call[1] not in TOUCHING or " = -1 " in line:
            continue
        if call[1] == "openat" and not re.search(r"O_(TRUNC|WRONLY|RDWR|CREAT)", line):
            continue
        names = re.findall(r'"([^"]*)"', line) + re.findall(r"\(\d+<([^>]*)>", line)
        yield from (name for name in names if name.startswith(str(root)))


def is_ours(path: str, world: World) -> bool:
    """Whether a path is one that Biblicus may change without being told to."""
    name = os.path.relpath(path, world.root)
    base = os.path.basename(name)
    if name.split("/")[0] in ("state", "config"):
        return True
    return (
        name.startswith(("corpus/.biblicus", "corpus/imports"))
        or base.endswith(SIDECAR)
        or base.startswith(".biblicus-tmp-")
    )


def test_no_command_touches_a_file_of_the_users(prepared: dict[str, Prepared], figures: Figures):
    violations: list[str] = []
    commands = calls = 0
    for scene in prepared.values():
        for words in (scene.scene.command, *(("-C", "@/corpus", *words) for words in READING)):
            with volume(scene.image) as made:
                world = World(made.root)
                trace = made.folder / "trace"
                if words == scene.scene.command:
                    world.run(*words, under=tracing.tracer(trace, calls=TOUCHING), variant=scene.scene.variant)
                elif scene.scene.name == "reindex":
                    world.run(*words, under=tracing.tracer(trace, calls=TOUCHING))
                else:
                    continue
                commands += 1
                for path in touched(trace, made.root):
                    calls += 1
                    if not is_ours(path, world):
                        violations.append(f"{' '.join(words)}: {path}")
                if world.raw() != scene.raw:
                    violations.append(f"{' '.join(words)}: the raw tree changed")
    figures.record(
        "raw files never change",
        f"raw tree hashed around every command and fault; {commands} commands traced for rename, unlink, truncate, "
        "open to write, chmod",
        f"violations: {len(violations)} of {calls} calls",
    )
    assert not violations
    assert calls > 100


def test_modes_and_links_are_kept(world: World, figures: Figures):
    world.must("-C", "@/corpus", "tag", "tides.md", "+sea")
    paths = [world.corpus / name for name in (".biblicus/catalog.json", f"tides.md{SIDECAR}", "tides.md")]
    changes: list[str] = []
    cases = [(mode, umask) for mode in (0o600, 0o644, 0o664) for umask in (0o002, 0o077)]
    for number, (mode, umask) in enumerate(cases):
        for path in paths:
            path.chmod(mode)
        before = os.umask(umask)
        try:
            world.must("-C", "@/corpus", "tag", "tides.md", f"+moon{number}")
            world.must("-C", "@/corpus", "reindex")
        finally:
            os.umask(before)
        changes += [f"{path.name}: {mode:o}" for path in paths if stat.S_IMODE(path.stat().st_mode) != mode]
    figures.record(
        "modes and symlinks kept",
        f"{len(paths)} files rewritten with modes 0600, 0644, 0664 under umask 002 and 077",
        f"mode changes: {len(changes)} of {len(cases) * len(paths)}",
    )
    assert not changes
    assert (world.corpus / "link.md").readlink() == Path("tides.md")

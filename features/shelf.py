"""Corpora that scenarios start from: made and sealed once, then copied for each scenario that starts from the same.

What is copied is what the product left behind. Two starts are the same where all is that goes into them: the files, the
words of the step, the settings, and the machine whose key sealed it. After any other act, nothing is copied any more.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from biblicus.disk.seals import check_folder
from features.world import World
from tests.copies import copied


@dataclass
class Shelf:
    """`folder`: where the originals lie. `kept`: by what went into them, the original and the names that came of it."""

    folder: Path
    kept: dict[Any, tuple[Path, dict[str, Any]]] = field(default_factory=dict)

    def start(self, world: World, make: Callable[[], None], *words: Any) -> None:
        """What `make` makes of the folder, as the first acts of a scenario."""
        if not world.untouched:
            make()
            return
        key = (words, *_digest(world.folder), *(pair for pair in os.environ.items() if pair[0].startswith("BIBLICUS_")))
        if key in self.kept:
            original, names = self.kept[key]
            world.python.close()
            shutil.rmtree(world.folder, ignore_errors=True)
            copied(original, world.folder)
            for run in world.folder.glob(".biblicus/local/index/*"):
                check_folder(run)  # as any other reader: from now on inode and times stand for these files, too
            world.names |= names
        else:
            before = dict(world.names)
            make()
            original = self.folder / str(len(self.kept))
            copied(world.folder, original)
            self.kept[key] = original, {name: value for name, value in world.names.items() if name not in before}
        world.untouched = True


def _digest(folder: Path) -> Iterator[str]:
    """Of all that git would hold of a corpus: what is under `local/` follows from it and from the acts."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "local" or not parent.endswith(".biblicus"))
        for name in sorted(names):
            path = os.path.join(parent, name)
            yield path[len(str(folder)) :]
            if os.path.islink(path):
                yield os.readlink(path)
            else:
                with open(path, "rb") as file:
                    yield hashlib.sha256(file.read()).hexdigest()


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """Of one file, whose scenarios share the machine's key."""
    folder = tmp_path_factory.mktemp("shelf")
    yield Shelf(folder)
    shutil.rmtree(folder)

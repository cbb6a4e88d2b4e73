"""The commands that are interrupted, each with the state it starts from."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.volume import Volume
from tests.faults.world import State, Torn, World


@dataclass(frozen=True)
class Scene:
    """A command (`@` stands for the world's root). `variant`: how it is started (`variants.py`).

    `again`: the exit codes that say that all is well when the command is given once more. `thorough`: whether every
    call is failed; else only the power is cut, because another scene has the same calls.
    """

    name: str
    command: tuple[str, ...]
    prepare: Callable[[World], None]
    variant: str | None = None
    again: tuple[int, ...] = (0,)
    thorough: bool = True


def _folder(world: World) -> None:
    """Files, and no corpus yet."""


def _corpus(world: World) -> None:
    world.must("init", "@/corpus")


def _built(world: World) -> None:
    """Two runs, so that a third one prunes the first; and an import."""
    _corpus(world)
    world.must("-C", "@/corpus", "ingest", "@/outside/note.txt")
    world.must("-C", "@/corpus", "reindex")
    _edit(world, "The moon pulls tides, every day.")
    world.must("-C", "@/corpus", "reindex")


def _edit(world: World, text: str) -> None:
    (world.corpus / "tides.md").write_text(f"# Tides\n\n{text}\n")


def _edited(world: World) -> None:
    _built(world)
    _edit(world, "The moon and the sun pull tides.")


def _changed_outside(world: World) -> None:
    _built(world)
    world.must("-C", "@/corpus", "ingest", "@/outside/letter.html")
    (world.outside / "letter.html").write_text("<title>Letter</title><p>The sun can pull nothing here.</p>")


def _damaged(world: World) -> None:
    _built(world)
    (world.corpus / ".biblicus" / "catalog.json").write_text("{noise")


def _on(*words: str) -> tuple[str, ...]:
    """A command on the corpus. It stands first, so that no other group of commands is made ready (`app.run`)."""
    return (*words, "-C", "@/corpus")


SCENES = (
    Scene("init", ("init", "@/corpus"), _folder, again=(0, 2)),
    Scene("first ingest", _on("ingest"), _corpus),
    Scene("ingest a file", _on("ingest", "@/outside/letter.html", "--tag", "post"), _built),
    Scene("ingest a changed file", _on("ingest", "@/outside/letter.html"), _changed_outside),
    Scene("tag", _on("tag", "tides.md", "+sea"), _built),
    Scene("remove", _on("remove", "imports/note.txt"), _built, again=(0, 3)),
    Scene("recipes new", _on("recipes", "new", "mine"), _built, again=(0, 2)),
    Scene("runs prune", _on("runs", "prune", "--keep", "1"), _built),
    Scene("reindex", _on("reindex"), _edited),
    Scene("reindex, incremental", _on("reindex"), _edited, "incremental"),
    Scene("check --repair", _on("check", "--repair"), _damaged),
    Scene("first reindex", _on("reindex"), _corpus, thorough=False),
)


@dataclass(frozen=True)
class Prepared:
    """A scene as an image to start from, and its states before (None: damaged) and after, undisturbed."""

    scene: Scene
    image: Path
    old: State | None
    new: State
    raw: str


def prepare(scene: Scene, made: Volume, image: Path) -> Prepared:
    """Play a scene once without faults, on a fresh volume."""
    world = World(made.root)
    world.lay_out()
    scene.prepare(world)
    made.unmount()
    shutil.copyfile(made.image, image)
    made.mount()
    try:
        old = world.observe()
    except Torn:
        old = None
    raw = world.raw()
    world.must(*scene.command, variant=scene.variant)
    return Prepared(scene, image, old, world.observe(deep=True), raw)

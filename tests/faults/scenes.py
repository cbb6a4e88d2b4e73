"""The commands that are interrupted, each with the state it starts from."""

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
    call is failed; else only the power is cut, because another scene has the same calls. `dated`: whether items hold
    the time at which they were brought.
    """

    name: str
    command: tuple[str, ...]
    prepare: Callable[[World], None]
    variant: str | None = None
    again: tuple[int, ...] = (0,)
    thorough: bool = True
    dated: bool = False


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


def _tagged(world: World) -> None:
    _built(world)
    world.must("-C", "@/corpus", "tag", "tides.md", "+moon")


def _weighted(world: World) -> None:
    _built(world)
    world.must("-C", "@/corpus", "weight", "set", "tides.md", "2")


def _several_imports(world: World) -> None:
    _built(world)
    world.must("-C", "@/corpus", "ingest", "@/outside/letter.html", "--title", "A letter")


def _renamed(world: World) -> None:
    _built(world)
    (world.corpus / "tides.md").rename(world.corpus / "ebb.md")


def _folder_source(world: World) -> None:
    _built(world)
    world.must("-C", "@/corpus", "sources", "add", "@/outside", "--name", "desk", "--allow-local")


def _synced(world: World) -> None:
    _folder_source(world)
    world.must("-C", "@/corpus", "sources", "sync", "desk")


def _dataset(world: World) -> None:
    _built(world)
    folder = world.root / "beir"
    (folder / "qrels").mkdir(parents=True)
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "what pulls tides"}\n')
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "title": "Moon", "text": "The moon pulls tides."}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")


def _without_config(world: World) -> None:
    _built(world)
    (world.corpus / ".biblicus" / "config.yml").write_text("corpus_id: [oops")


def _without_manifest(world: World) -> None:
    _built(world)
    manifest = max((world.corpus / ".biblicus" / "runs").glob("*.json"))
    manifest.write_bytes(manifest.read_bytes()[:-40])


CLAIMING = (
    *(scene for scene in SCENES if scene.thorough),
    Scene("remove --delete-file", _on("remove", "tides.md", "--delete-file"), _tagged),
    Scene("remove several", _on("remove", "imports/note.txt", "imports/letter.html"), _several_imports),
    Scene("tag again", _on("tag", "tides.md", "+sea", "-moon"), _tagged),
    Scene("weight set", _on("weight", "set", "tides.md", "2"), _built),
    Scene("weight clear", _on("weight", "clear", "tides.md"), _weighted),
    Scene("ingest a folder", _on("ingest", "@/outside", "--tag", "post"), _built),
    Scene("ingest over the wire", ("receive", "@/corpus"), _built, "receive"),
    Scene("reindex after a rename", _on("reindex"), _renamed),
    Scene("sources add", _on("sources", "add", "@/outside", "--name", "desk", "--allow-local"), _built),
    Scene("sources sync", _on("sources", "sync"), _folder_source),
    Scene("sources remove", _on("sources", "remove", "desk"), _synced),
    Scene("personas new", _on("personas", "new", "keeper"), _built),
    Scene("datasets import", _on("datasets", "import", "@/beir"), _dataset, dated=True),
    Scene("check --repair, configuration", _on("check", "--repair"), _without_config),
    Scene("check --repair, manifest", _on("check", "--repair"), _without_manifest),
)
"""Those whose messages are held against the disk."""


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

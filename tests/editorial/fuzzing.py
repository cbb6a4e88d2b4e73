"""Random editing of a layered corpus, and what must hold after every step: nobody is shown bytes that are not approved.

What is approved is told by the bytes that were promoted here, and by the lines of the log as they are read here, not by
what is tested.
"""

import base64
import hashlib
import json
import os
import random
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.editorial.layered import LAYERS

_WORDS = ("tide", "moon", "lamp", "mole", "buoy", "keel")
_QUESTION = " ".join(_WORDS)
_KILLED = 137
_PATIENCE = 60


@dataclass
class Fuzz:
    """One corpus, and what was done to it. `versions`: by digest, the bytes that were ever promoted."""

    folder: Path
    dice: random.Random
    recipe: str = "lexical"
    number: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    shown: int = 0
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        with Corpus.init(self.folder):
            pass
        config = self.folder / ".biblicus/config.yml"
        config.write_text(config.read_text("utf-8") + LAYERS, "utf-8")
        for _ in range(4):
            self.draft()
        self.open().reindex(self.recipe)

    def open(self) -> Corpus:
        return Corpus.open(self.folder)

    # --- steps -------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        names = [name for name, weight in _STEPS.items() for _ in range(weight)]
        name = self.dice.choice(names)
        self.steps[name] = self.steps.get(name, 0) + 1
        with suppress(BiblicusError):  # what cannot be done is refused, which is as good as another step
            getattr(self, name)()
        self.look()

    def words(self) -> str:
        self.number += 1
        chosen = " ".join(self.dice.choices(_WORDS, k=6))
        return f"# Note {self.number}\n\nVersion v{self.number} tells of the {chosen}.\n"

    def some(self, folder: str) -> Path | None:
        paths = sorted(path for path in (self.folder / folder).glob("*.md"))
        return self.dice.choice(paths) if paths else None

    def draft(self) -> None:
        path = self.folder / f"drafts/note{self.dice.randrange(10)}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(self.words(), "utf-8")

    def edit(self) -> None:
        if path := self.some("published"):
            path.write_text(self.words(), "utf-8")

    def undo(self) -> None:
        """As `git checkout` would."""
        path = self.some("published")
        approved = standing(self.folder).get(f"published/{path.name}") if path else None
        if path and approved:
            path.write_bytes(
                base64.b64decode((self.folder / f".biblicus/approved/{approved['to_sha256']}").read_bytes())
            )

    def plant(self) -> None:
        """A file that nobody approved, and its bytes among those that were."""
        path = self.folder / f"published/note{self.dice.randrange(10)}.md"
        path.parent.mkdir(exist_ok=True)
        raw = self.words().encode()
        path.write_bytes(raw)
        (self.folder / ".biblicus/approved").mkdir(exist_ok=True)
        (self.folder / f".biblicus/approved/{hashlib.sha256(raw).hexdigest()}").write_bytes(base64.encodebytes(raw))

    def sidecar(self) -> None:
        if path := self.some("published"):
            title = f"Version v{self.number + 1}"
            self.number += 1
            path.with_name(f"{path.name}.biblicus.yml").write_text(f"title: {title}\n", "utf-8")

    def delete(self) -> None:
        if path := self.some("published"):
            path.unlink()

    def rename(self) -> None:
        if path := self.some("published"):
            path.rename(path.with_name(f"moved{self.dice.randrange(5)}.md"))

    def promote(self) -> None:
        if path := self.some("drafts"):
            self.open().promote(f"drafts/{path.name}", to="published", reviewer="Ana", index=False)

    def approve(self) -> None:
        if path := self.some("published"):
            self.open().promote(f"published/{path.name}", to="published", reviewer="Ana", index=False)

    def retract(self) -> None:
        if path := self.some("published"):
            self.open().retract(f"published/{path.name}", reviewer="Ben", index=False)

    def ingest(self) -> None:
        self.open().ingest()

    def reindex(self) -> None:
        self.open().reindex(self.recipe)

    def kill(self) -> None:
        """One of the acts, in a process that dies at one of its writes."""
        act = getattr(self, self.dice.choice(("promote", "promote", "approve", "retract", "ingest")))
        at, state = self.dice.randrange(1, 14), self.dice.getstate()
        child = os.fork()
        if not child:
            signal.alarm(_PATIENCE)
            die_at(at)
            with suppress(BaseException):
                act()
            os._exit(0)
        os.waitpid(child, 0)
        self.dice.setstate(state)

    # --- looking -----------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Ask on the published layer, and hold every piece against what is approved."""
        with self.open() as corpus:
            try:
                result = corpus.query(_QUESTION, layer=("published",), recipe=self.recipe, limit=50, max_per_source=5)
            except BiblicusError as error:
                self.wrong.append(f"step {sum(self.steps.values())}: {error.code}: {error.message}")
                return
        approved = standing(self.folder)
        for piece in result.evidence:
            self.shown += 1
            event = approved.get(piece.path)
            if event is None or event["to_sha256"] != piece.item_sha256:
                self.wrong.append(f"{piece.path}: {piece.text!r} is shown, and is not approved ({piece.approval})")
                continue
            raw = base64.b64decode((self.folder / f".biblicus/approved/{piece.item_sha256}").read_bytes())
            if hashlib.sha256(raw).hexdigest() != piece.item_sha256:
                self.wrong.append(f"{piece.path}: what is kept is not what was approved")
            elif raw.decode()[piece.span_start : piece.span_end] != piece.text:
                self.wrong.append(f"{piece.path}: {piece.text!r} is not the approved text at its span")


_STEPS = {
    "draft": 3, "edit": 4, "undo": 1, "plant": 2, "sidecar": 1, "delete": 1, "rename": 1, "promote": 5, "approve": 2,
    "retract": 2, "ingest": 2, "reindex": 5, "kill": 4,
}  # fmt: skip


def standing(folder: Path) -> dict[str, dict[str, Any]]:
    """What the lines of the log approve now, by path."""
    log = folder / ".biblicus/editorial.jsonl"
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    approved: dict[str, dict[str, Any]] = {}
    for line in sorted(lines, key=lambda line: (line["at"], line["id"])):
        if line["happened"] == "promoted":
            approved.pop(line["from_path"], None)
            approved[line["to_path"]] = line
        elif line["happened"] == "retracted":
            approved.pop(line["from_path"], None)
    return approved


def die_at(count: int) -> None:
    """Let this process die at one of its writes: before it, or just after it."""
    left = count

    def deadly(do: Callable[..., Any]) -> Callable[..., Any]:
        def act(*words: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if not left:
                os._exit(_KILLED)
            done = do(*words, **named)
            left -= 1
            if not left:
                os._exit(_KILLED)
            return done

        return act

    for name in ("replace", "link", "unlink", "fsync"):
        setattr(os, name, deadly(getattr(os, name)))

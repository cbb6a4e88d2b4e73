"""Notes of two branches merge without a conflict: each is a file, written once."""

import random
import subprocess
from pathlib import Path

from biblicus import Corpus


def test_branches_that_write_and_delete_notes_merge(tmp_path: Path) -> None:
    folder, chance = tmp_path / "harbour", random.Random(59)
    words = ["moon", "tide", "lamp", "keeper", "rope", "water", "wall", "mole", "gull", "boat"]

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)

    def changes(corpus: Corpus, by: str) -> set[str]:
        for note in chance.sample(corpus.notes(), k=min(2, len(corpus.notes()))):
            corpus.remove_note(note.note_id)
        for word in chance.sample(words, k=2):
            corpus.add_note("words.txt", f"On the {word}", quote=word, by=chance.choice(("Ada", by)))
        git("add", "-A")
        git("commit", "-m", by)
        return {note.note_id for note in corpus.notes()}

    with Corpus.init(folder) as corpus:
        (folder / "words.txt").write_text(" ".join(words), "utf-8")
        corpus.reindex()
        git("init", "-q", "-b", "main")
        before = changes(corpus, "first")
        for number in range(4):
            git("checkout", "-q", "-b", f"side-{number}")
            side = changes(corpus, "side")
            git("checkout", "-q", "main")
            main = changes(corpus, "main")
            git("merge", "-q", "-m", "both", f"side-{number}")
            merged = {note.note_id for note in corpus.notes()}
            assert merged == (side & main) | (side - before) | (main - before)
            before = merged

"""Storms of edits: each new passage of a saved question is told once. `make test-alerts`: 200 storms."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from biblicus import Corpus

STORMS = int(os.environ.get("BIBLICUS_ALERT_STORMS", "12"))
_FILES = [f"log/{number}.md" for number in range(12)]
_OTHER = ["The sea was calm", "Gulls came", "Nobody sailed", "The mole stood", "Ropes dried", "It rained on the quay."]


def _storm(folder: Path, chance: random.Random, planted: set[tuple[str, str]], number: int) -> None:
    """Files are edited, emptied, deleted, renamed and written; some get a sentence that the question is about."""
    for step in range(chance.randint(1, 6)):
        path = folder / chance.choice(_FILES)
        lines = path.read_text("utf-8").split("\n\n") if path.exists() else []
        act = chance.choice(("plant", "plant", "other", "cut", "delete", "shuffle", "touch"))
        if act == "plant":
            sentence = f"Beacon {number}x{step} was lit by keeper {chance.randrange(10_000)}."
            lines.insert(chance.randrange(len(lines) + 1), f"{chance.choice(_OTHER)}. {sentence}")
        elif act == "other":
            lines.insert(chance.randrange(len(lines) + 1), f"{chance.choice(_OTHER)}.")
        elif act == "cut" and lines:
            del lines[chance.randrange(len(lines))]
        elif act == "shuffle":
            chance.shuffle(lines)
        if act == "delete":
            path.unlink(missing_ok=True)
        else:
            path.write_text("\n\n".join(lines), "utf-8")
    for path in folder.glob("log/*.md"):
        for part in path.read_text("utf-8").split(". "):
            if "Beacon" in part:
                sentence = part[part.index("Beacon") :].split("\n\n")[0].rstrip(".") + "."
                planted.add((path.relative_to(folder).as_posix(), sentence))


def test_each_new_passage_is_told_once(tmp_path: Path, tally: Callable[..., None]) -> None:
    chance, planted = random.Random(59), set[tuple[str, str]]()
    told: list[tuple[str, str]] = []
    folder = tmp_path / "harbour"
    with Corpus.init(folder) as corpus:
        (folder / "log").mkdir()
        (folder / _FILES[0]).write_text("The first beacon was lit by a keeper.", "utf-8")
        corpus.reindex("lexical")
        corpus.add_alert("lamps", "Which keeper lit the beacon?")
        cursor = corpus.events(after="now").cursor
        for number in range(STORMS):
            _storm(folder, chance, planted, number)
            corpus.reindex("lexical")
            corpus.reindex("lexical", fresh=chance.random() < 0.3)
            page = corpus.events(after=cursor)
            cursor = page.cursor
            told += [(event.path or "", event.text or "") for event in page.events if event.alert]
        present = {item.path for item in corpus.list()}
        feed = ElementTree.fromstring(corpus.alert_feed("lamps"))
    tally(reindexes=2 * STORMS)
    assert sorted(set(told)) == sorted(planted)
    assert len(told) == len(set(told))
    atom = "{http://www.w3.org/2005/Atom}"
    entries = [entry.findtext(f"{atom}content") for entry in feed.iter(f"{atom}entry")]
    assert entries == [text for path, text in told[::-1][:500] if path in present]
    assert len(planted) > STORMS // 2

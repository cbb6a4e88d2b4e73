"""Every file under `.biblicus/` is of a kind that the list names, and what the list says of damage to it is so.

The corpus is made by the verbs themselves: a new kind of file makes these tests fail until the list names it.
"""

import hashlib
import os
import random
import re
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.upkeep.kinds import DAMAGES, KINDS, Damage, Kind, command_for, kind_of
from tests.sampling import crossed
from tests.upkeep.conftest import QUESTION, Rich


def damage(path: Path, how: Damage) -> None:
    """Damage a file; its times stay, as rot leaves them."""
    before = path.stat()
    content = path.read_bytes()
    place = random.Random(path.name).randrange(max(1, len(content) * 8))
    flipped = bytearray(content)
    if flipped:
        flipped[place // 8] ^= 1 << place % 8
    noise = hashlib.sha256(path.name.encode()).digest() * 40
    damaged = {"garbled": noise, "truncated": content[: len(content) // 2], "flipped": bytes(flipped)}
    if how == "deleted":
        path.unlink()
        return
    path.write_bytes(damaged[how])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def of_kind(rich: Rich, kind: Kind, how: Damage) -> list[str]:
    """Some files of a kind: of each extension the first that holds anything, or the last, by turns."""
    by_extension: dict[str, list[str]] = {}
    for name in rich.files():
        if kind_of(name) is kind and (rich.home / name).stat().st_size:
            by_extension.setdefault(Path(name).suffix or Path(name).name, []).append(name)
    turn = -(DAMAGES.index(how) % 2)
    return sorted(names[turn] for names in by_extension.values())


def test_every_file_is_of_a_kind_and_every_kind_has_a_file(rich: Rich):
    rich.restore()
    kinds = {name: kind_of(name) for name in rich.files()}
    assert [name for name, kind in kinds.items() if kind is None] == []
    assert [kind.path for kind in KINDS if kind not in kinds.values()] == []


@pytest.mark.parametrize(
    ("kind", "how"), [pytest.param(kind, how, id=f"{kind.path}-{how}") for kind, how in crossed(KINDS, DAMAGES)]
)
def test_damage_is_found_and_mended_as_the_list_says(rich: Rich, kind: Kind, how: Damage):
    rich.restore()
    for number, name in enumerate(of_kind(rich, kind, how)):
        if number:
            rich.restore()
        damage(rich.home / name, how)
        with Corpus.open(rich.folder / "corpus") as corpus:
            problems = corpus.check(read_data=True).problems
            of_file = [problem for problem in problems if f".biblicus/{name}".startswith(problem["path"])]
            if how not in kind.unseen:
                assert of_file, f"{name} {how} is not found"
                assert all(problem.get("hint") for problem in of_file)
            hint = of_file[0]["hint"] if of_file else ""
            if hint == "biblicus check --repair":
                assert corpus.check(read_data=True, repair=True).problems == [], name
            elif hint == "biblicus reindex":
                corpus.reindex()
                assert corpus.check(read_data=True).problems == [], name
            elif hint:
                assert (kind.mends, hint) == ("you", command_for(name))
                continue
            assert corpus.query(QUESTION).evidence[0].path == "tides.md"


def test_what_was_synced_is_mended_by_the_next_sync(rich: Rich):
    rich.restore()
    registry = rich.home / "sources/walls.json"
    damage(registry, "flipped")
    with Corpus.open(rich.folder / "corpus") as corpus:
        corpus.sync("walls")
        assert corpus.check(read_data=True).problems == []
        assert "imports/walls/docs/mole.md" in [item.path for item in corpus.list()]


def test_a_file_that_biblicus_knows_nothing_of_is_a_note(rich: Rich):
    rich.restore()
    (rich.home / "shopping.txt").write_text("eggs")
    with Corpus.open(rich.folder / "corpus") as corpus:
        report = corpus.check()
        left = ".biblicus/local/promoting.json"
        assert ([note["path"] for note in report.notes], report.problems) == ([".biblicus/shopping.txt", left], [])


def test_files_of_before_there_were_digests_are_read_and_sound(rich: Rich):
    rich.restore()
    catalog, registry = rich.home / "catalog.json", rich.home / "sources/walls.json"
    head, _, rest = catalog.read_bytes().partition(b"\n")
    catalog.write_bytes(head[: head.index(b', "digest"')] + b', "items": [\n' + rest)
    lines = registry.read_bytes().split(b"\n")
    assert all(b',"crc":"' in line for line in lines[:-2])
    registry.write_bytes(re.sub(rb',"crc":"[0-9a-f]{8}"', b"", b"\n".join(lines)))
    with Corpus.open(rich.folder / "corpus") as corpus:
        assert corpus.check(read_data=True).problems == []
        assert corpus.sync("walls").sources[0].outcome == "unchanged"

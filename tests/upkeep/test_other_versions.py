"""What another version of Biblicus kept for itself on this machine, in a form that this one does not know, is as good
as absent: every verb works, and what it needs is made anew."""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.corpus.editorial import approvals
from biblicus.disk import seals
from biblicus.errors import NewerSchema
from biblicus.runs.embedders import remembered_digest
from biblicus.upkeep.kinds import KINDS, kind_of
from tests.front_door import biblicus
from tests.sampling import crossed
from tests.upkeep.conftest import QUESTION, Rich


def parted(body: bytes) -> tuple[bytes, dict[str, Any]]:
    """What stands before the object, and that."""
    place = int(body[:16]) if body[:16].isdigit() else 0
    return body[:place], json.loads(body[place:])


def later(body: bytes) -> bytes:
    before, fields = parted(body)
    return before + json.dumps({**fields, "version": 99}).encode()


VERBS = ("list", "stats", "query moon", "check", "ingest", "reindex")
OTHERS: dict[str, Callable[[bytes], bytes]] = {
    "a later version": later,
    "an object of nothing": lambda body: b"{}",
    "an object of something else": lambda body: b'{"x":[7]}',
    "a list": lambda body: b"[7]",
    "nothing": lambda body: b"",
    "zeros": lambda body: bytes(99),
    "half of it": lambda body: body[: len(body) // 2],
}
"""What another version may have sealed."""
FEW = ("stats", "reindex")
"""Verbs that read all of it; the others are tried where it is JSON of another form, and where it is none."""
TELLING = ("a later version", "half of it")
KEPT = (
    "local/scan.json",
    "local/stamps.json",
    "local/folder.json",
    "local/cache/**",
    "local/index/<run>/**",
    "local/vectors/<model>/**",
    "local/sources/<source>.seal",
    "local/alerts/<alert>.json",
    "local/views/**",
)


def sealed(rich: Rich) -> dict[str, str]:
    """The last file of each kind that is sealed, by its kind."""
    names = [name for name in rich.files() if name.startswith("local/") and seals.read_sealed(rich.home / name)]
    return {kind.path: name for name in names if (kind := kind_of(name))}


def tried(rich: Rich, path: Path, body: bytes, verbs: tuple[str, ...]) -> list[str]:
    """The verbs that fail where a file holds this, under its seal."""
    failed = []
    for verb in verbs:
        path.parent.mkdir(parents=True, exist_ok=True)  # a view that is damaged is deleted
        seals.write_sealed(path, body)
        if biblicus([*verb.split(), "-C", str(rich.folder / "corpus")]) not in (0, 4):
            failed.append(verb)
    return failed


def is_sound(rich: Rich) -> bool:
    """Whether what was made anew is as it was."""
    with Corpus.open(rich.folder / "corpus") as corpus:
        corpus.sync("walls")
        corpus.reindex()
        assert corpus.query(QUESTION).evidence[0].path == "tides.md"
        return corpus.check(read_data=True).problems == []


def test_the_rows_are_all_kinds_of_files_that_are_sealed(rich: Rich):
    rich.restore()
    assert {*sealed(rich)} == {*KEPT} <= {kind.path for kind in KINDS}


@pytest.mark.parametrize(("kind", "other"), crossed(KEPT, [*OTHERS]))
def test_what_another_version_kept_is_made_anew(rich: Rich, kind: str, other: str):
    rich.restore()
    path = rich.home / sealed(rich)[kind]
    verbs = VERBS if other in TELLING else FEW
    assert tried(rich, path, OTHERS[other](seals.read_sealed(path) or b""), verbs) == []
    assert is_sound(rich)


_GONE = object()


@pytest.mark.parametrize("kind", KEPT)
def test_a_key_that_is_gone_or_of_another_type_makes_it_another_form(rich: Rich, kind: str):
    rich.restore()
    path = rich.home / sealed(rich)[kind]
    before, fields = parted(seals.read_sealed(path) or b"")
    for key, other in crossed(fields, (_GONE, None, 7, {"x": [7]})):
        body = {**fields, key: other}
        if other is _GONE:
            del body[key]
        if type(other) is not type(fields[key]):
            assert tried(rich, path, before + json.dumps(body).encode(), FEW) == [], json.dumps(body)
    assert is_sound(rich)


def test_tables_of_another_version_are_told_and_built_anew(rich: Rich, capsys: pytest.CaptureFixture[str]):
    rich.restore()
    for tables in (rich.home / "local/index").glob("*/tables.db"):
        content = tables.read_bytes()
        tables.unlink()  # several runs may share its bytes
        tables.write_bytes(content)
        with sqlite3.connect(tables) as connection:
            connection.execute("ALTER TABLE chunks RENAME TO pieces")
        seals.seal_folder(tables.parent)
    where = ["-C", str(rich.folder / "corpus")]
    assert biblicus(["query", "moon", *where]) == 5
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert shown.endswith("Try: biblicus reindex --fresh\n")
    assert biblicus(["reindex", "--fresh", *where]) == 0
    assert biblicus(["query", "moon", *where]) == 0
    assert biblicus(["check", "--repair", *where]) == 0  # older runs
    assert is_sound(rich)


def test_what_a_later_version_was_promoting_is_left_to_it(rich: Rich):
    rich.restore()
    begun = rich.home / "local" / approvals.NAME
    seals.write_sealed(begun, b'{"version":2,"acts":[]}')
    with Corpus.open(rich.folder / "corpus") as corpus:
        with pytest.raises(NewerSchema, match="version 2"):
            corpus.ingest()
        assert corpus.query(QUESTION).evidence
    assert begun.exists()


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"event":{},"places":[],"removes":{}}', b'{"event":7}', b"{"])
def test_what_was_being_promoted_in_no_known_form_was_not_begun(rich: Rich, body: bytes):
    rich.restore()
    begun = rich.home / "local" / approvals.NAME
    seals.write_sealed(begun, body)
    assert biblicus(["ingest", "-C", str(rich.folder / "corpus")]) == 0
    assert not os.path.lexists(begun)


@pytest.mark.parametrize("body", [b"[]", b'{"PATH":7}', b'{"PATH":[[1],7]}', b'{"PATH":[]}', b"\0", b""])
def test_digests_of_weights_that_are_remembered_in_another_form_are_computed(tmp_path: Path, home: Path, body: bytes):
    weights = tmp_path / "weights.bin"
    weights.write_bytes(b"weights")
    digest = remembered_digest(weights)
    memory = next(home.rglob("weights.json"))
    seals.write_sealed(memory, body.replace(b"PATH", str(weights).encode()))
    assert remembered_digest(weights) == digest

"""A `.biblicus/` of a stranger is data: whatever stands in it costs a clean refusal at most, and little of our time."""

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reliability.conftest import Command
from tests.sampling import crossed, examples, some

READING = (
    "query moon", "list", "show tides.md", "get tides.md", "tree", "stats", "runs list", "recipes list", "check",
    "runs show lexical", "recipes show mine", "personas list", "personas show mine", "personas check",
    "check --read-data", "sources list", "sources sync", "check --sources",
)  # fmt: skip
CHECKS = ("check", "check --read-data", "check --sources")
READERS = {
    "recipes/mine.yml": ("recipes list", "recipes show mine", *CHECKS),
    "personas/mine.yml": ("personas list", "personas show mine", "personas check", *CHECKS),
    "sources.yml": ("sources list", "sources sync", *CHECKS),
    "sources/x.json": ("sources list", "sources sync", *CHECKS),
}
"""The commands that open a file at all. All are tried where it is empty, of another kind or too large."""
FILES = (
    "catalog.json", "config.yml", "manifest", "recipes/mine.yml", "personas/mine.yml", "sources.yml", "sources/x.json",
)  # fmt: skip
JSON = {
    "null": b"null",
    "list": b"[]",
    "text": b'"text"',
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "not a number": b'{"schema_version": NaN, "items": [\n]}',
    "infinite": b'{"schema_version": 1e999, "items": [\n]}',
    "huge number": b'{"schema_version": ' + b"9" * 100_000 + b', "items": [\n]}',
    "a key twice": b'{"schema_version": 1, "schema_version": 2, "items": [\n]}',
    "half a surrogate pair": b'{"schema_version": 1, "corpus_id": "\\ud800", "latest": {}, "corpus_digest": "", '
    b'"items": [\n]}',
}
YAML = {
    "deep lists": b"[" * 200_000,
    "escapes": b"\x1b]0;owned\x07\x1b[2J: [",
    "a coloured key": b'"\\e[31m\\u202e": x\n',
    "billion laughs": b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    "a tag that runs": b"!!python/object/apply:os.system ['touch owned']\n",
    "merge keys": b"<<: {name: x}\n",
    "text": b"text",
}
BOTH = {
    "empty": b"",
    "not UTF-8": b'{"corpus_id": "\xff\xfe", "items": [\n]}',
}
ABUSES = [
    pytest.param(name, abuse, id=f"{kind} in {name}")
    for name in FILES
    for kind, abuse in ((YAML if name.endswith(".yml") else JSON) | BOTH).items()
]


def named(corpus: Path, name: str) -> Path:
    """A file of ours by its name; the manifest by what it is."""
    home = corpus / ".biblicus"
    (home / "recipes").mkdir(exist_ok=True)
    (home / "personas").mkdir(exist_ok=True)
    (home / "sources").mkdir(exist_ok=True)
    return next((home / "runs").iterdir()) if name == "manifest" else home / name


@pytest.fixture(autouse=True)
def _counted(tally: Callable[..., None]) -> None:
    """Each test is about one hostile file, at least."""
    tally(hostile_files=1)


def read_everything(told: Command, corpus: Path, commands: Sequence[str] = READING) -> None:
    """Every reading command ends in time, with success, findings, or one clean line that no terminal obeys."""
    for words in commands:
        began = time.thread_time()
        done = told(*words.split())
        assert done.is_clean or (done.code == 4 and not done.err), (words, done)
        assert not any(mark in done.out + done.err for mark in ("\x1b", "\x07", "\u202e")), (words, done)
        assert time.thread_time() - began < 15, words
    assert not (corpus / "owned").exists()


@pytest.mark.parametrize(("name", "abuse"), some(ABUSES, 3))
def test_abuse_in_a_committed_file_is_refused_cleanly(corpus: Path, told: Command, name: str, abuse: bytes):
    named(corpus, name).write_bytes(abuse)
    read_everything(told, corpus, READERS.get(name, READING) if abuse else READING)


@pytest.mark.parametrize("name", READERS)
def test_the_commands_that_open_a_file_are_those(
    corpus: Path, told: Command, name: str, monkeypatch: pytest.MonkeyPatch
):
    path = named(corpus, name)
    path.write_bytes(b"{}")
    opened: set[str] = set()
    real = os.open

    def watched(place: Any, *words: Any, **options: Any) -> int:
        opened.add(os.fspath(place) if isinstance(place, str | os.PathLike) else "")
        return real(place, *words, **options)

    monkeypatch.setattr(os, "open", watched)
    readers = []
    for words in READING:
        opened.clear()
        told(*words.split())
        readers += [words] if str(path) in opened else []
    assert sorted(readers) == sorted(READERS[name])


OTHERS = ("local/stamps.json", "../.biblicusignore", "../tides.md.biblicus.yml")


@pytest.mark.parametrize("name", some([*FILES, *OTHERS], 2))
def test_a_sparse_file_of_100_gib_is_refused_unread(corpus: Path, told: Command, name: str):
    path = named(corpus, name)
    path.unlink(missing_ok=True)
    with path.open("wb") as stream:
        stream.truncate(100 << 30)
    read_everything(told, corpus)
    for words in ("ingest", "reindex"):
        assert told(*words.split()).is_clean, words


@pytest.mark.parametrize(("name", "kind"), crossed(FILES, ["pipe", "folder", "link to a device"]))
def test_a_committed_file_that_is_none_is_refused_cleanly(corpus: Path, told: Command, name: str, kind: str):
    path = named(corpus, name)
    path.unlink(missing_ok=True)
    make: dict[str, Callable[[], None]] = {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "link to a device": lambda: path.symlink_to("/dev/zero"),
    }
    make[kind]()
    read_everything(told, corpus)
    assert told("reindex").is_clean


@pytest.mark.parametrize("name", FILES)
def test_a_repair_brings_a_hostile_corpus_back(corpus: Path, told: Command, name: str):
    """All that can be derived; a file that a person wrote stays, and is named."""
    named(corpus, name).write_bytes(b"[" * 200_000)
    written_by_hand = name.startswith(("recipes/", "personas/", "sources.yml"))
    repaired = told("check", "--repair")
    assert repaired.code == (4 if written_by_hand else 0)
    assert f".biblicus/{name}: " in repaired.out or not written_by_hand
    assert "tides.md" in told("query", "moon").out


Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("../../etc/passwd"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.parametrize("name", ["catalog.json", "manifest"])
def test_any_value_in_any_place_is_refused_cleanly_or_harmless(
    corpus: Path, told: Command, name: str, data: st.DataObject
):
    path = named(corpus, name)
    before = path.read_bytes()
    document = json.loads(before)
    part, key = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(part[key], dict | list) and part[key] and data.draw(st.booleans()):
        part = part[key]
        key = data.draw(st.sampled_from(sorted(part) if isinstance(part, dict) else range(len(part))))
    part[key] = data.draw(Json)
    if name == "catalog.json":
        items = ",\n".join(json.dumps(item) for item in document["items"]) if type(document["items"]) is list else "1"
        head = json.dumps({key: value for key, value in document.items() if key != "items"})
        path.write_text(f'{head[:-1]}, "items": [\n{items}\n]}}\n')
    else:
        path.write_text(json.dumps(document))
    try:
        for words in ("query moon", "list", "runs list", "stats", "check"):
            done = told(*words.split())
            assert done.is_clean or (done.code == 4 and not done.err), (words, done)
    finally:
        path.write_bytes(before)


def test_what_lies_in_local_is_never_opened_unsealed(corpus: Path, told: Command, another_machine: Callable[[], None]):
    """Every file of the index and the caches is noise: no reader so much as parses it."""
    another_machine()
    for path in (corpus / ".biblicus" / "local").rglob("*"):
        if path.is_file() and path.name != "lock":
            path.write_bytes(b"\x80\x04cos\nsystem\n(S'touch owned'\ntR." * 50)
    assert told("query", "moon").code == 7
    read_everything(told, corpus)
    assert told("reindex").code == 0
    assert "tides.md" in told("query", "moon").out


def test_a_hostile_index_does_not_survive_the_loss_of_its_manifest(corpus: Path, told: Command):
    shutil.rmtree(corpus / ".biblicus" / "runs")
    assert told("query", "moon").code in (3, 5)
    assert told("reindex").code == 0
    assert told("query", "moon").code == 0

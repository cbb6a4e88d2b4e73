"""A cache that a team shares, below what a build sees of it: names, seals, what is told, how texts are grouped."""

from __future__ import annotations

import os
import shutil
import sys
import time
import zlib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from biblicus.config import SharedCacheSetting, load_settings
from biblicus.contracts import Call
from biblicus.corpus.extracted.raw import Raw
from biblicus.corpus.extracted.shared_texts import Outgoing
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.runs.shared_vectors import SharedVectors
from biblicus.stores.shared import SharedCache, shared_cache
from biblicus.stores.shared_places import Folder, Remote
from biblicus.stores.vectors import key_of

KEY = "0123456789abcdef" * 2


def cache_in(place: Path, **options: object) -> SharedCache:
    setting = SharedCacheSetting.model_validate({"by": "folder", "path": str(place), "seal_env": "KEY", **options})
    return SharedCache(setting, {"KEY": KEY})


def found(cache: SharedCache, *identities: str) -> dict[str, bytes]:
    return {name: body for batch in cache.found("texts", identities, Call()) for name, body in batch}


def test_what_was_put_is_found_by_what_it_was_made_from(tmp_path: Path):
    cache = cache_in(tmp_path)
    cache.put("texts", {f"text {number}": b"%d" % number for number in range(150)}, Call())
    assert found(cache_in(tmp_path), "text 7", "text 149", "text 150") == {"text 7": b"7", "text 149": b"149"}
    assert list(cache_in(tmp_path).found("vectors", ["text 7"], Call())) == [[]]
    assert not [path for path in tmp_path.rglob("*") if "text" in path.name.removesuffix("texts")]


def test_what_is_larger_than_any_entry_is_neither_put_nor_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cache = cache_in(tmp_path)
    cache.put("texts", {"much": b"." * 500, "little": b"."}, Call())
    monkeypatch.setattr("biblicus.stores.shared._LONGEST", 100)
    assert found(cache, "much", "little") == {"little": b"."}
    assert cache.shared.refused == 1
    cache.put("texts", {"much more": b"." * 500}, Call())
    assert found(cache, "much more") == {}


class Unwilling(Folder):
    """Counts how often it is tried, and names what it is opened by."""

    tries = 0

    def __init__(self, by: str, path: str, options: Mapping[str, object]) -> None:
        super().__init__(Path(path))

    def read(self, names, limit):
        Unwilling.tries += 1
        raise OSError("no such user: hush-hush, 424242")


def test_what_is_away_is_tried_twice_and_told_of_once_without_what_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("biblicus.stores.shared.Remote", Unwilling)
    cache = cache_in(tmp_path, by="s3", secret="hush-hush", auth=["ada", 424242])
    lines: list[str] = []
    for _ in range(3):
        assert not any(cache.found("texts", ["a"] * 200, Call(tell=lines.append)))
    cache.put("texts", {"a": b""}, Call(tell=lines.append))
    told = f"The shared cache s3:{tmp_path}: it is not used (no such user: …, …). Try: biblicus check"
    assert (Unwilling.tries, lines) == (2, [told])
    assert cache.shared.trouble == told
    cache.begin()
    assert cache.shared.trouble == ""
    assert cache.standing(Call(tell=lines.append)).endswith(f"{tmp_path} is there, with no entries of your key.")
    assert len(lines) == 1


def test_a_link_in_a_folder_leads_nowhere(tmp_path: Path):
    cache, elsewhere = cache_in(tmp_path / "team"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "team").mkdir()
    cache.put("texts", {"a": b"a"}, Call())
    (head,) = (tmp_path / "team").iterdir()
    for path in head.rglob("*"):
        if path.is_file():
            path.unlink()
    for path in sorted(head.rglob("*"), reverse=True):
        path.rmdir()
    (head / "texts").symlink_to(elsewhere)
    lines: list[str] = []
    cache.put("texts", {"a": b"a"}, Call(tell=lines.append))
    assert [path for path in elsewhere.rglob("*") if path.is_file()] == []
    assert "nothing more is put there" in lines[0]


def test_its_standing_tells_of_the_key(tmp_path: Path):
    mine = cache_in(tmp_path)
    lines: list[str] = []
    mine.put("texts", {"a": b"a"}, Call())
    other = SharedCache(replace(mine._setting), {"KEY": KEY + "!"})
    (tmp_path / "quarterly report").mkdir()
    assert "with entries of your key" in mine.standing(Call())
    assert "with entries of your key" in SharedCache(mine._setting, {"KEY": f"{KEY}\r\n"}).standing(Call())
    assert "compare it with a colleague's" in other.standing(Call(tell=lines.append))
    assert lines == []
    shutil.rmtree(next(path for path in tmp_path.iterdir() if path.name != "quarterly report"))
    assert "with no entries of your key." in other.standing(Call())


def test_its_key_may_lie_in_the_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    held = {("biblicus", "shared_cache"): KEY}
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=lambda *names: held.get(names)))
    cache_in(tmp_path).put("texts", {"a": b"a"}, Call())
    assert found(cache_in(tmp_path, seal_env=None), "a") == {"a": b"a"}


def test_neither_key_nor_setting_leaves_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(TypeError):
        deepcopy(cache_in(tmp_path))  # asks what pickle asks
    monkeypatch.setenv("BIBLICUS_SHARED_CACHE", "{by: s3, path: team/cache, seal_env: KEY, secret: hush-hush}")
    settings = load_settings()
    assert "hush-hush" not in repr(settings)
    corpus = CorpusFolder(tmp_path)
    corpus.__dict__.update(settings=settings, config=None)
    assert corpus.alone().settings.shared_cache is None


@pytest.mark.parametrize(
    "value",
    [
        "{by: folder}",
        "{by: folder, path: ''}",
        "{path: /mnt}",
        "{by: s3, path: a, bytes: -1}",
        "{by: folder, path: /mnt, folders: [handbook]}",
    ],
)
def test_a_setting_is_checked_where_it_is_read(monkeypatch: pytest.MonkeyPatch, value: str):
    monkeypatch.setenv("BIBLICUS_SHARED_CACHE", value)
    with pytest.raises(ConfigInvalid, match="BIBLICUS_SHARED_CACHE: shared_cache"):
        load_settings()
    monkeypatch.setenv("BIBLICUS_SHARED_CACHE", "")
    assert load_settings().shared_cache is None


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        ({"path": "team"}, "its path is no absolute path"),
        ({"seal_env": None, "seal_file": "team.key"}, "its seal_file is no absolute path"),
        ({"by": "file"}, "by: folder"),
        ({"folder": ["/srv/handbook"]}, "a folder has no key folder"),
    ],
)
def test_a_setting_that_leaves_open_what_it_says_puts_nothing_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], trouble: str
):
    (tmp_path / "team.key").write_text(KEY)
    monkeypatch.chdir(tmp_path)
    cache = cache_in(tmp_path, **options)
    cache.put("texts", {"a": b"a"}, Call())
    assert trouble in cache.shared.trouble
    assert [path.name for path in tmp_path.iterdir()] == ["team.key"]


def test_pruning_deletes_nothing_but_entries(tmp_path: Path):
    (team := tmp_path / "team").mkdir()
    cache = cache_in(team, bytes=0)
    cache.put("texts", {"a": b"a"}, Call())
    (head,) = team.iterdir()
    (head / "notes.txt").write_text("Mine.")
    assert cache.prune(Call())[0] == 1
    assert [path.name for path in head.rglob("*") if path.is_file()] == ["notes.txt"]
    elsewhere = head.rename(tmp_path / "elsewhere")
    entry = elsewhere / "texts/ab" / ("ab" * 32)
    entry.parent.mkdir()
    entry.write_text("Another's.")
    head.symlink_to(elsewhere)
    assert cache.prune(Call()) == (0, 0)
    assert entry.exists()


def test_who_may_use_the_folder_may_use_what_is_in_it(tmp_path: Path):
    (team := tmp_path / "team").mkdir()
    team.chmod(0o770)
    cache_in(team).put("texts", {"a": b"a"}, Call())
    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in team.rglob("*")}
    assert modes == {True: 0o770, False: 0o660}


def test_what_strangers_put_there_does_not_fill_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("biblicus.stores.shared._AT_ONCE", 100)
    read, together = Folder.read, []

    def measured(place: Folder, names: Sequence[str], limit: int) -> dict[str, bytes]:
        entries = read(place, names, limit)
        together.append(sum(map(len, entries.values())))
        return entries

    monkeypatch.setattr(Folder, "read", measured)
    cache = cache_in(tmp_path)
    cache.put("texts", {str(number): b"." * 10_000 for number in range(30)}, Call())
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file())[:20]:
        path.write_bytes(b"-" * 20_000)
    assert len(found(cache, *map(str, range(30)))) == 10
    assert cache.shared.refused == 20
    assert max(together) <= 20_000


def test_it_takes_no_more_than_half_of_the_time_that_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    waits: list[float] = []

    def silent(seconds: float, work: object) -> None:
        waits.append(seconds)

    monkeypatch.setattr("biblicus.stores.shared._within", silent)
    assert not any(cache_in(tmp_path).found("texts", ["a"], Call(deadline=time.monotonic() + 8)))
    assert len(waits) == 1
    assert waits[0] <= 4


def test_only_what_lies_in_a_named_folder_shares(tmp_path: Path):
    setting = cache_in(tmp_path, folders=[str(tmp_path / "handbook")])._setting
    inside = [tmp_path / "handbook", tmp_path / "handbook/part"]
    assert all(shared_cache(setting, root) for root in inside)
    assert not any(shared_cache(setting, root) for root in (tmp_path, tmp_path / "handbook2"))


def test_a_bound_takes_the_oldest(tmp_path: Path):
    cache = cache_in(tmp_path, bytes=100)
    for number in range(5):
        cache.put("texts", {str(number): b"." * 8}, Call())
    times = {path: at for at, path in enumerate(sorted(path for path in tmp_path.rglob("*") if path.is_file()))}
    for path, at in times.items():
        os.utime(path, (at, at))
    assert cache.prune(Call()) == (3, 120)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(times)[3:]
    assert cache_in(tmp_path).prune(Call()) == (0, 0)


# --- texts ---


def test_only_texts_go_out_and_what_has_none(tmp_path: Path):
    cache = cache_in(tmp_path)
    outgoing = Outgoing(cache, Call())
    outcomes: dict[str, Extraction | NoExtraction] = {
        "a": Extraction("The tide.", warnings=("odd",)),
        "b": NoExtraction("needs ocr", "page 1"),
        "c": NoExtraction("crashed", "SIGKILL"),
        "d": NoExtraction("unsupported", "an extra is not installed"),
    }
    files = {identity: Raw(f"{identity}.pdf", identity, "application/pdf", 1) for identity in outcomes}
    for identity, outcome in outcomes.items():
        outgoing.add(files[identity], identity, outcome)
    outgoing.send()
    others = dict(Outgoing(cache, Call()).others(files))
    assert others == {files["a"]: outcomes["a"], files["b"]: outcomes["b"]}
    assert dict(Outgoing(cache, Call()).others({"a": files["a"]._replace(media_type="text/plain")})) == {}


@pytest.mark.parametrize("body", [b"", b"no zlib", zlib.compress(b"no JSON"), zlib.compress(b'{"text": 1}')])
def test_a_text_of_another_form_is_absent(tmp_path: Path, body: bytes):
    cache = cache_in(tmp_path)
    cache.put("texts", {"1 application/pdf a": body}, Call())
    assert found(cache, "1 application/pdf a") == {"1 application/pdf a": body}
    assert list(Outgoing(cache, Call()).others({"a": Raw("a.pdf", "a", "application/pdf", 1)})) == []


# --- vectors ---


def vectors_in(place: Path) -> SharedVectors:
    return SharedVectors(cache_in(place), "model", 3, lambda path: path != "secret.md")


def test_an_edit_leaves_the_groups_around_it(tmp_path: Path):
    keys = [key_of(f"text {number}") for number in range(2_000)]
    edited = [*keys[:1_000], key_of("edited"), *keys[1_001:]]
    shorter = keys[1:]
    shared = vectors_in(tmp_path)

    def identities(texts: list[bytes]) -> set[str]:
        groups = shared.groups(texts, ["a.md"] * len(texts), [-1] * len(texts))
        assert [key for group in groups for key in group.keys] == texts
        return {shared._identity(group) for group in groups}

    assert len(identities(keys)) > 20
    assert len(identities(edited) - identities(keys)) <= 2
    assert len(identities(shorter) - identities(keys)) <= 2


def test_vectors_come_back_whole_once_and_sound(tmp_path: Path):
    shared = vectors_in(tmp_path)
    texts = ["a", "b", "a", "c", "d"]
    keys, paths = [key_of(text) for text in texts], ["1.md", "1.md", "2.md", "2.md", "secret.md"]
    rows = {key: row for row, key in enumerate(dict.fromkeys(keys))}
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
    matrix[2, 1] = np.nan
    places = [rows[key] for key in keys]
    groups = shared.groups(keys, paths, [-1] * 5)
    assert [group.places for group in groups] == [[0, 1], [2, 3]]
    shared.put(groups, places, [False, True, False, False, False], matrix, Call())
    (fetched,) = vectors_in(tmp_path).fetched(groups, Call())
    assert (fetched.keys, fetched.cut) == ([keys[0], keys[1]], [False, True])
    assert fetched.vectors.tolist() == matrix[:2].tolist()
    assert list(SharedVectors(cache_in(tmp_path), "another", 3, lambda path: True).fetched(groups, Call())) == []


def test_a_group_that_lacks_a_vector_stays_here(tmp_path: Path):
    shared = vectors_in(tmp_path)
    keys = [key_of("a"), key_of("b")]
    groups = shared.groups(keys, ["1.md"] * 2, [0, -1])
    shared.put(groups, [0, -1], [False, False], np.zeros((1, 3), np.float32), Call())
    assert list(tmp_path.iterdir()) == []
    assert shared.groups(keys, ["1.md"] * 2, [0, 1]) == []


# --- behind fsspec ---


def test_webdav_is_reached_by_its_own_library():
    pytest.importorskip("webdav4", reason="the extra [webdav] is not installed")
    Remote("webdav", "team", {"base_url": "http://127.0.0.1:1", "auth": ["ada", "ebb"]})


class Folders:
    """A file system that has folders, as WebDAV and SFTP have: what lies in none that is there cannot be put."""

    def __init__(self) -> None:
        self.folders, self.entries = {"/srv/team"}, dict[str, bytes]()

    def mkdir(self, path: str, create_parents: bool) -> None:
        if create_parents or path in self.folders or path.rpartition("/")[0] not in self.folders:
            raise FileExistsError
        self.folders.add(path)

    def pipe(self, entries: Mapping[str, bytes]) -> None:
        if not all(path.rpartition("/")[0] in self.folders for path in entries):
            raise FileNotFoundError("no such folder")
        self.entries |= entries

    def cat(self, paths: Sequence[str], on_error: str, end: int) -> dict[str, bytes]:
        return {path: self.entries[path][:end] for path in paths}


def test_folders_are_made_where_a_place_has_any_below_what_must_be_there():
    for top, comes_back in (("/srv/team/", True), ("/srv/else", False)):
        remote = Remote.__new__(Remote)
        remote._top, remote._system, remote._has_folders = top.rstrip("/"), Folders(), True
        entries = {"a/texts/12/1234": b"a", "a/texts/56/5678": b"b"}
        if comes_back:
            remote.write(entries)
            assert remote.read(list(entries), 10) == entries
        else:
            with pytest.raises(FileNotFoundError):
                remote.write(entries)


class Refusing:
    """A file system of which each entry, or one, cannot be read."""

    def __init__(self, entries: Mapping[str, object]) -> None:
        self._entries = entries

    def cat(self, names, on_error, end):
        return {name: self._entries.get(name, FileNotFoundError()) for name in names}


def test_an_entry_that_cannot_be_read_is_its_own_matter_and_all_are_the_places(tmp_path: Path):
    remote = Remote.__new__(Remote)
    remote._top, remote._system = "team", Refusing({"team/a": b"a", "team/b": PermissionError("no")})
    assert remote.read(["a", "b", "c"], 10) == {"a": b"a", "b": b""}
    with pytest.raises(PermissionError):
        remote.read(["b"], 10)

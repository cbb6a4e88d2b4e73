"""The machine's key: all that was sealed with it is worth no more than it."""

import errno
import os
import stat
from pathlib import Path

import pytest

from biblicus.disk import files, seals
from biblicus.errors import StorageFailed, UnsafeInput, Untrusted


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "key"


def test_the_key_is_made_once_and_for_its_owner_alone(key: Path):
    made = seals.machine_key()
    assert len(made) == 32
    assert seals.machine_key() == made
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("error", [errno.EIO, errno.EACCES, errno.EMFILE])
def test_a_key_that_cannot_be_read_is_not_replaced(key: Path, monkeypatch: pytest.MonkeyPatch, error: int):
    made = seals.machine_key()

    def failing(path: Path, **_: object) -> bytes:
        raise OSError(error, os.strerror(error), str(path))

    monkeypatch.setattr(files, "read", failing)
    with pytest.raises(StorageFailed):
        seals.machine_key()
    monkeypatch.undo()
    assert key.read_bytes() == made


def test_a_key_that_is_a_link_is_not_followed(key: Path, tmp_path: Path):
    seals.machine_key()
    key.rename(tmp_path / "elsewhere")
    key.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafeInput):
        seals.machine_key()


def test_another_machines_seal_and_an_altered_body_are_as_good_as_absent(
    key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    sealed = tmp_path / "sealed.json"
    seals.write_cache(sealed, b'{"a":1}', tmp_path)
    assert seals.read_sealed(sealed) == b'{"a":1}'
    whole = sealed.read_bytes()
    sealed.write_bytes(whole.replace(b"1", b"2"))
    assert seals.read_sealed(sealed) is None
    sealed.write_bytes(whole)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "another"))
    assert seals.read_sealed(sealed) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_what_another_user_made_is_trusted_in_this_users_own_state(key: Path, tmp_path: Path):
    folder = tmp_path / "index"
    folder.mkdir()
    (folder / "chunks").write_bytes(b"moon")
    os.chown(folder, 54_321, -1)
    with pytest.raises(Untrusted):
        seals.check_folder(folder)
    seals.seal_folder(folder)
    assert not (folder / seals.SEAL).exists(), "theirs is left as it is"
    assert set(seals.check_folder(folder)) == {"chunks"}
    assert len(list((key.parent / "seals").iterdir())) == 1
    (folder / "chunks").write_bytes(b"noon")
    with pytest.raises(Untrusted):
        seals.check_folder(folder)

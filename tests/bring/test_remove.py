"""What is said when a removal is stopped half way."""

import errno
import os
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.errors import StorageFailed


def test_a_full_disk_after_the_file_is_gone_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "harbour"
    with Corpus.init(folder) as corpus:
        (folder / "lamp.md").write_text("The lamp.")
        corpus.reindex()
        replace = os.replace

        def full(source: str, target: str) -> None:
            if str(target).endswith("catalog.json"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            replace(source, target)

        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", full)
            with pytest.raises(StorageFailed, match="what was done before stands") as failed:
                corpus.remove("lamp.md", delete_file=True)
        assert "Nothing was changed" not in str(failed.value)
        assert not (folder / "lamp.md").exists()
        corpus.reindex()
        assert corpus.list() == ()

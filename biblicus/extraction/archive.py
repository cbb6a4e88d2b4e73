"""Extractor of archives: checks that an archive opens. It has no text; `members` unpacks its files."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Sequence

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.extras import installed
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.members import OPENED, packed
from biblicus.models.extraction import Extraction, NoExtraction, Unopened

_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError)
_PACKAGES = ("py7zr", "rars", "pyzipper")


class Archive:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self, passwords: Sequence[str]) -> None:
        self._passwords = passwords
        self.fingerprint = "archive/2 " + " ".join(name for name in _PACKAGES if installed(name) != "none")

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        try:
            next(packed(raw, hint.path, hint.media_type, self._passwords), None)
        except Unopened as unopened:
            return unopened.why
        except _DAMAGED as error:
            raise ExtractionFailed(f"the archive is damaged: {error}") from error
        return OPENED


def build(options: Options, given: Given) -> Extractor:
    return Archive(given.passwords)

"""Archives: they hold no text of their own. Whether one can be opened is looked at here; `members` unpacks it."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.members import ARCHIVES, OPENED
from biblicus.extraction.members.tarred import is_tar
from biblicus.extraction.members.zipped import are_all_locked
from biblicus.extraction.text import Options
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]

_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError)


class Archive:
    """Looked at in a guarded worker."""

    guarded = True
    fingerprint = "archive/1"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        if hint.media_type not in ARCHIVES:
            return NoExtraction(
                "unsupported", "such archives are not opened: unpack it into the folder, or make it a zip"
            )
        try:
            if hint.media_type != "application/zip":
                is_tar(raw)
            elif are_all_locked(raw):
                return NoExtraction("encrypted", "its members ask for a password; unpack it into the folder")
        except _DAMAGED as error:
            raise ExtractionFailed(f"the archive is damaged: {error}") from error
        return OPENED


def build(options: Options, given: Given) -> Extractor:
    """The extractor for archives."""
    return Archive()

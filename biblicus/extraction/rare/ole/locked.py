"""Office documents with a password, decrypted with msoffcrypto-tool (extra `[office]`)."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from biblicus.extraction.kit.composing import encrypted
from biblicus.extraction.kit.extras import installed
from biblicus.models.extraction import NoExtraction

PACKAGE = "msoffcrypto-tool"
_ANYBODYS = "VelvetSweatshop"
"""Default password of Excel, which opens workbooks that are only write-protected."""
_LOCKED_SLIDES = 0xF3D1C4DF
_FILE_PASS, _LAST = 0x002F, 0x000A
_MOST_RECORDS = 100
"""Maximum records of a workbook before the one that marks encryption."""


def is_locked_presentation(current_user: bytes) -> bool:
    """Return True if an older presentation has a password, by its stream `Current User` ([MS-PPT] 2.3.2)."""
    return len(current_user) >= 16 and struct.unpack_from("<I", current_user, 12)[0] == _LOCKED_SLIDES


def is_locked_workbook(book: bytes) -> bool:
    """Return True if an older workbook has a password, by its first records ([MS-XLS] 2.4.117)."""
    at = 0
    for _ in range(_MOST_RECORDS):
        kind, length = struct.unpack_from("<HH", book, at) if at + 4 <= len(book) else (_LAST, 0)
        if kind in (_FILE_PASS, _LAST):
            return bool(kind == _FILE_PASS)
        at += 4 + length
    return False


def unlocked(raw: bytes, passwords: Sequence[str]) -> bytes | NoExtraction:
    """Return the decrypted document, or the reason why no password opens it."""
    if installed(PACKAGE) == "none":
        return NoExtraction(
            "encrypted", 'the file asks for a password; what opens it takes pip install "biblicus-corpus[office]"'
        )
    import msoffcrypto
    from msoffcrypto.exceptions import DecryptionError
    from msoffcrypto.format import doc97, ppt97, xls97

    for module in (doc97, ppt97, xls97):
        module.tempfile = SimpleNamespace(TemporaryFile=io.BytesIO)  # the sandbox has no folder for temporary files
    for password in (_ANYBODYS, *passwords):
        opened = io.BytesIO()
        try:
            document: Any = msoffcrypto.OfficeFile(io.BytesIO(raw))
            document.load_key(password=password)
            document.decrypt(opened)
        except DecryptionError:  # wrong password
            continue
        except Exception as error:  # the library raises various errors for unknown or damaged encryption
            return NoExtraction("encrypted", f"the file asks for a password, in a way that is not read ({error})")
        return opened.getvalue()
    return encrypted(passwords)

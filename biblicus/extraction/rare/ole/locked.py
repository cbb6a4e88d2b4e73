"""Office documents that ask for a password, opened by msoffcrypto-tool (extra `[office]`)."""

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
"""What Excel itself tries: workbooks that are only protected from changes open with it."""
_LOCKED_SLIDES = 0xF3D1C4DF
_FILE_PASS, _LAST = 0x002F, 0x000A
_MOST_RECORDS = 100
"""Of a workbook, before the one that says that it is locked."""


def is_locked_presentation(current_user: bytes) -> bool:
    """Whether a presentation of an older version asks for a password, by its stream `Current User` ([MS-PPT] 2.3.2)."""
    return len(current_user) >= 16 and struct.unpack_from("<I", current_user, 12)[0] == _LOCKED_SLIDES


def is_locked_workbook(book: bytes) -> bool:
    """Whether a workbook of an older version asks for a password, by its first records ([MS-XLS] 2.4.117)."""
    at = 0
    for _ in range(_MOST_RECORDS):
        kind, length = struct.unpack_from("<HH", book, at) if at + 4 <= len(book) else (_LAST, 0)
        if kind in (_FILE_PASS, _LAST):
            return bool(kind == _FILE_PASS)
        at += 4 + length
    return False


def unlocked(raw: bytes, passwords: Sequence[str]) -> bytes | NoExtraction:
    """The document as it is without its password, or why it stays locked."""
    if installed(PACKAGE) == "none":
        return NoExtraction(
            "encrypted", 'the file asks for a password; what opens it takes pip install "biblicus-corpus[office]"'
        )
    import msoffcrypto
    from msoffcrypto.exceptions import DecryptionError
    from msoffcrypto.format import doc97, ppt97, xls97

    for module in (doc97, ppt97, xls97):
        module.tempfile = SimpleNamespace(TemporaryFile=io.BytesIO)  # behind the walls there is no folder to write into
    for password in (_ANYBODYS, *passwords):
        opened = io.BytesIO()
        try:
            document: Any = msoffcrypto.OfficeFile(io.BytesIO(raw))
            document.load_key(password=password)
            document.decrypt(opened)
        except DecryptionError:  # another password
            continue
        except Exception as error:  # of a kind that it does not know, or damaged: it raises what it likes
            return NoExtraction("encrypted", f"the file asks for a password, in a way that is not read ({error})")
        return opened.getvalue()
    return encrypted(passwords)

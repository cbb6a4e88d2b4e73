"""Office documents that ask for a password, opened by msoffcrypto-tool (extra `[office]`)."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from typing import Any

from biblicus.extraction.composing import encrypted
from biblicus.extraction.extras import installed
from biblicus.models.extraction import NoExtraction

PACKAGE = "msoffcrypto-tool"
_ANYBODYS = "VelvetSweatshop"
"""What Excel itself tries: workbooks that are only protected from changes open with it."""
_LOCKED_SLIDES = 0xF3D1C4DF


def is_locked_presentation(current_user: bytes) -> bool:
    """Whether a presentation of an older version asks for a password, by its stream `Current User` ([MS-PPT] 2.3.2)."""
    return len(current_user) >= 16 and struct.unpack_from("<I", current_user, 12)[0] == _LOCKED_SLIDES


def unlocked(raw: bytes, passwords: Sequence[str]) -> bytes | NoExtraction:
    """The document as it is without its password, or why it stays locked."""
    if installed(PACKAGE) == "none":
        return NoExtraction(
            "encrypted", 'the file asks for a password; what opens it takes pip install "biblicus-corpus[office]"'
        )
    import msoffcrypto
    from msoffcrypto.exceptions import DecryptionError, FileFormatError, ParseError

    for password in (_ANYBODYS, *passwords):
        opened = io.BytesIO()
        try:
            document: Any = msoffcrypto.OfficeFile(io.BytesIO(raw))
            document.load_key(password=password)
            document.decrypt(opened)
        except (FileFormatError, ParseError) as error:
            return NoExtraction("encrypted", f"the file asks for a password, in a way that is not read ({error})")
        except DecryptionError:  # another password
            continue
        return opened.getvalue()
    return encrypted(passwords)

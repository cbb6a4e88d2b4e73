"""Classify unreadable files and suggest remedies, from the reasons in reports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from biblicus.models.frozen import dataclass

PICTURE = "picture without words"
"""Class of an image without words of its own: a photograph, or a scan that was not recognised."""
_OCR = (
    "biblicus recipes new lexical --ocr rapidocr --language en, then biblicus reindex "
    '(pip install "biblicus-corpus[ocr]")'
)
TOO_LARGE = "too large"
"""Class of a file larger than the reading limit."""
_ITS_LIMITS = "BIBLICUS_EXTRACTION_SECONDS=120 BIBLICUS_EXTRACTION_MEMORY=4294967296 biblicus reindex"
_HINTS: Mapping[str, str] = {
    "needs password": "save it without its password",
    "needs ocr": _OCR,
    "damaged": "open it in its program and save it anew; biblicus reindex --retry-failed",
    TOO_LARGE: "split it, or raise the limit in your own settings",
    "unsupported": "save it in one of the formats that are read (docs/formats.md)",
    "crashed parser": _ITS_LIMITS,
    "not taken": "biblicus ingest, once the cause is mended",
    PICTURE: f"where they show text: {_OCR}",
}
_WORDS: Mapping[str, str] = {
    "needs password": "locked by a password",
    "needs ocr": "scanned",
    "unsupported": "of an unknown format",
    "crashed parser": "given up",
    PICTURE: "without words (pictures)",
}
KINDS = tuple(_HINTS)
"""Classes in the order of listing."""
_STATUSES = {
    "encrypted": "needs password",
    "needs ocr": "needs ocr",
    "failed": "damaged",
    TOO_LARGE: TOO_LARGE,
    "unsupported": "unsupported",
    "crashed": "crashed parser",
}
_TOLD = {
    "encrypted": "needs a password",
    "needs ocr": "needs text recognition (OCR)",
    "empty": "holds no text",
    "failed": "could not be read",
    "unsupported": "is of a kind that is not read",
    "crashed": "stopped its reader",
}
_UNOPENED = ("failed: changed", "failed: could not be read")
_PICTURE = "needs ocr: a picture without words"
_INSTALL = "pip install "
_SETS = re.compile(r"archive_depth: \d in \.biblicus/config\.yml")
_ASKS = "asks for a password", "asks for another password"
"""Ends of the reasons for files that need a password."""
_UNSURE = "is not sure"
_ASKING = "biblicus reindex --password, which asks for it; or passwords: {GLOB: …} in ~/.config/biblicus/config.yml"
_OTHER_MODELS = (
    "biblicus recipes new scans --ocr tesseract --language ru, in the scan's own languages; or a better scan"
)


@dataclass(frozen=True)
class Unread:
    """A file that may contain text but gives none. `kind`: its class, of `KINDS`; `hint`: a remedy."""

    path: str
    kind: str
    reason: str
    hint: str


def word_of(kind: str) -> str:
    """Return a class in words for people: `needs ocr` is `scanned`."""
    return _WORDS.get(kind, kind)


def cause_of(sentence: str) -> str:
    """Return a report's reason without its status, which the class implies."""
    status, _, cause = sentence.partition(": ")
    return cause if status in _STATUSES and cause else sentence


def in_words(sentence: str) -> str:
    """Return a report's reason in words for people: `needs ocr: …` is `needs text recognition (OCR): …`."""
    status, colon, detail = sentence.partition(":")
    return f"{_TOLD.get(status, status)}{colon}{detail}"


def kind_of(sentence: str, *, failed: bool) -> str | None:
    """Return the class for a report's reason; None if the file was left out on purpose or is empty but valid."""
    if sentence.startswith(_UNOPENED):
        return "not taken"
    if sentence.startswith("larger than "):
        return TOO_LARGE
    if sentence.startswith(_PICTURE):
        return PICTURE
    return _STATUSES.get(sentence.partition(":")[0]) or ("not taken" if failed else None)


def unread_of(skipped: Iterable[Mapping[str, str]], failed: Iterable[Mapping[str, str]]) -> list[Unread]:
    """Return the unreadable files in a report's notes, by class and path."""
    entries = []
    for notes, is_failure in ((skipped, False), (failed, True)):
        for note in notes:
            kind = kind_of(note["reason"], failed=is_failure)
            if kind is not None:
                entries.append(Unread(note["path"], kind, note["reason"], _hint(kind, note["reason"], note["path"])))
    return sorted(entries, key=lambda entry: (KINDS.index(entry.kind), entry.path))


def hint_of(sentence: str, path: str) -> str:
    """Return a remedy for a reason, or an empty string."""
    kind = kind_of(sentence, failed=False)
    return _hint(kind, sentence, path) if kind else ""


def counted(entries: Iterable[Unread]) -> dict[str, int]:
    """Count files by class."""
    counts = Counter(entry.kind for entry in entries)
    return {kind: counts[kind] for kind in KINDS if counts[kind]}


def summary(counts: Mapping[str, int]) -> str:
    """Return a summary for people: `3 could not be read: 2 scanned, 1 damaged`."""
    parts = [f"{count:,} {word_of(kind)}" for kind, count in counts.items()]
    return f"{sum(counts.values()):,} could not be read: {', '.join(parts)}"


def _hint(kind: str, reason: str, path: str) -> str:
    """Return a remedy: the package or setting in the reason if there is one."""
    if _INSTALL in reason:
        return reason[reason.index(_INSTALL) :]
    if (match := _SETS.search(reason)) is not None:
        return match[0]
    if kind == "needs password" and reason.endswith(_ASKS):
        return _ASKING
    if _UNSURE in reason:
        return _OTHER_MODELS
    if kind == TOO_LARGE and reason.endswith(")"):
        setting = reason[reason.rindex("(") + 1 : -1]
        return f"split it, or raise {setting} in your own settings (BIBLICUS_{setting.upper()}=… biblicus reindex)"
    return _HINTS[kind]

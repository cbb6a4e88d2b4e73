"""Common names of unsupported formats, shown in reports beside the media type."""

from __future__ import annotations

from collections.abc import Mapping

FORMAT_NAMES: Mapping[str, str] = {
    "application/vnd.apple.pages": "Apple Pages",
    "application/vnd.apple.keynote": "Apple Keynote",
    "application/vnd.apple.numbers": "Apple Numbers",
    "application/x-hwp": "Hangul Word Processor",
    "application/onenote": "Microsoft OneNote",
    "application/vnd.visio": "Microsoft Visio",
    "application/x-mspublisher": "Microsoft Publisher",
    "application/vnd.ms-htmlhelp": "compiled HTML Help",
    "application/vnd.dbf": "dBase",
    "application/vnd.ms-access": "Microsoft Access",
    "application/x-mobipocket-ebook": "Mobipocket or Kindle book",
    "application/vnd.wordperfect": "WordPerfect",
    "audio/aac": "AAC",
    "audio/amr": "AMR",
    "application/vnd.sqlite3": "SQLite",
    "application/vnd.apache.parquet": "Parquet",
    "image/vnd.djvu": "DjVu",
    "application/postscript": "PostScript",
}


def format_name(media_type: str) -> str:
    """Return a media type with its common name: `application/vnd.apple.pages (Apple Pages)`."""
    name = FORMAT_NAMES.get(media_type)
    return f"{media_type} ({name})" if name else media_type

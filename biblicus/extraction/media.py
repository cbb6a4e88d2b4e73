"""What a file is: its media type by content and name, and what follows from it.

One table says for each type which suffixes it has, what its items are (`doctype`) and which extractor reads it by
default. Types without an extractor are catalogued, and their items reported as having no text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from biblicus.text.decoding import is_binary

VERSION = "1"
"""Grows with any change that gives the same file another media type, doctype or extractor."""

BINARY = "application/octet-stream"
PLAIN = "text/plain"
_ZIP = "application/zip"
_OLE = "application/x-ole-storage"


class _Kind(NamedTuple):
    """`suffixes`: the usable one first. `extractor`: the default plug-in's name, or None while there is none."""

    media_type: str
    suffixes: tuple[str, ...]
    doctype: str
    extractor: str | None


def _kinds(doctype: str, extractor: str | None, rows: str) -> list[_Kind]:
    """One row a line: a media type and its suffixes."""
    return [_Kind(name, tuple(suffixes), doctype, extractor) for name, *suffixes in map(str.split, rows.splitlines())]


_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
_KINDS = [
    *_kinds("doc", "text", "text/plain txt text log nfo wiki textile man"),
    *_kinds("doc", "markdown", "text/markdown md markdown mdown mkd mdx rmd qmd"),
    *_kinds("doc", "html", "text/html html htm\napplication/xhtml+xml xhtml xht"),
    *_kinds("doc", "rst", "text/x-rst rst rest"),
    *_kinds("doc", "text", "text/x-tex tex latex ltx\ntext/org org\ntext/asciidoc adoc asciidoc\ntext/vtt vtt"),
    *_kinds("doc", "text", "application/x-subrip srt\ntext/troff roff 1 2 3 4 5 6 7 8"),
    *_kinds("paper", "pdf", "application/pdf pdf"),
    *_kinds("notebook", "notebook", "application/x-ipynb+json ipynb"),
    *_kinds("message", "text", "message/rfc822 eml\napplication/mbox mbox"),
    *_kinds("data", "json", "application/json json geojson webmanifest\napplication/ld+json jsonld"),
    *_kinds("data", "text", "application/x-ndjson ndjson jsonl\napplication/yaml yaml yml\napplication/toml toml"),
    *_kinds("data", "csv", "text/csv csv\ntext/tab-separated-values tsv tab"),
    *_kinds("data", "text", "application/xml xml xsd xsl xslt rss atom opml wsdl plist\ntext/x-bibtex bib"),
    *_kinds("data", "text", "text/x-ini ini cfg conf properties editorconfig"),
    *_kinds(
        "code",
        "code",
        """text/x-python py pyi pyw
text/javascript js mjs cjs jsx
text/x-typescript ts tsx mts cts
text/x-c c h
text/x-c++ cpp cc cxx hpp hh hxx ino
text/x-csharp cs
text/x-java java
text/x-kotlin kt kts
text/x-scala scala sc
text/x-go go
text/x-rust rs
text/x-ruby rb
text/x-php php
text/x-perl pl pm
text/x-lua lua
text/x-r r
text/x-julia jl
text/x-swift swift
text/x-objective-c m mm
text/x-haskell hs
text/x-ocaml ml mli
text/x-erlang erl hrl
text/x-elixir ex exs
text/x-clojure clj cljs edn
text/x-lisp lisp el scm rkt
text/x-fortran f f90 f95
text/x-pascal pas
text/x-assembly asm s
text/x-shellscript sh bash zsh fish ksh
text/x-powershell ps1 psm1
text/x-batch bat cmd
text/x-sql sql
text/css css scss sass less
text/x-vue vue svelte
text/x-makefile mk mak makefile
text/x-cmake cmake
text/x-dockerfile dockerfile
text/x-protobuf proto
text/x-graphql graphql gql
text/x-terraform tf
text/x-nix nix
text/x-zig zig
text/x-dart dart
text/x-groovy groovy gradle
text/x-feature feature
text/x-diff diff patch""",
    ),
    *_kinds("doc", None, f"{_OFFICE}.wordprocessingml.document docx\n{_OFFICE}.presentationml.presentation pptx"),
    *_kinds("data", None, f"{_OFFICE}.spreadsheetml.sheet xlsx\n{_OPEN}.spreadsheet ods"),
    *_kinds("doc", None, f"{_OPEN}.text odt\n{_OPEN}.presentation odp\napplication/epub+zip epub"),
    *_kinds("doc", None, "application/msword doc\napplication/vnd.ms-powerpoint ppt\napplication/rtf rtf"),
    *_kinds("data", None, "application/vnd.ms-excel xls\napplication/vnd.sqlite3 sqlite sqlite3 db"),
    *_kinds("data", None, "application/vnd.apache.parquet parquet"),
    *_kinds("message", None, "application/vnd.ms-outlook msg"),
    *_kinds("image", None, "image/png png\nimage/jpeg jpg jpeg jpe\nimage/gif gif\nimage/webp webp\nimage/bmp bmp"),
    *_kinds("image", None, "image/tiff tiff tif\nimage/heic heic heif\nimage/avif avif\nimage/svg+xml svg"),
    *_kinds("image", None, "image/x-icon ico\nimage/vnd.djvu djvu djv"),
    *_kinds("audio", None, "audio/mpeg mp3\naudio/wav wav\naudio/mp4 m4a\naudio/ogg ogg oga opus\naudio/flac flac"),
    *_kinds("video", None, "video/mp4 mp4 m4v\nvideo/quicktime mov\nvideo/webm webm\nvideo/x-matroska mkv"),
    *_kinds("video", None, "video/x-msvideo avi\nvideo/mpeg mpg mpeg"),
    *_kinds("other", None, f"{_ZIP} zip jar whl\napplication/gzip gz tgz\napplication/x-bzip2 bz2"),
    *_kinds("other", None, "application/x-xz xz\napplication/x-7z-compressed 7z\napplication/x-tar tar"),
    *_kinds("other", None, "application/zstd zst\napplication/vnd.rar rar\napplication/x-executable exe so dll"),
    *_kinds("other", None, f"font/ttf ttf otf woff woff2\napplication/postscript ps eps\n{_OLE}\n{BINARY} bin"),
]
_BY_TYPE = {kind.media_type: kind for kind in reversed(_KINDS)}
_BY_SUFFIX = {suffix: kind.media_type for kind in reversed(_KINDS) for suffix in kind.suffixes}
_BY_NAME = {"makefile": "text/x-makefile", "dockerfile": "text/x-dockerfile", "cmakelists.txt": "text/x-cmake"}

_IN_ZIP = frozenset(
    name for name in _BY_TYPE if name.startswith((_OFFICE, _OPEN)) or name in ("application/epub+zip", _ZIP)
)
_IN_OLE = frozenset(
    ("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/vnd.ms-outlook")
)
_MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"AT&TFORM", "image/vnd.djvu"),
    (b"PK\x03\x04", _ZIP),
    (b"PK\x05\x06", _ZIP),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _OLE),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"OggS", "audio/ogg"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"\x7fELF", "application/x-executable"),
    (b"{\\rtf", "application/rtf"),
)
_FIRST_BYTES = frozenset(magic[0] for magic, _ in _MAGIC) | frozenset(b"R")
_TEXTUAL_MAGIC = frozenset(("application/pdf", "application/rtf"))
_BRANDS = {
    b"M4A": "audio/mp4",
    b"M4B": "audio/mp4",
    b"qt ": "video/quicktime",
    b"hei": "image/heic",
    b"avi": "image/avif",
}
_IN_MP4 = frozenset(("audio/mp4", "video/quicktime", "image/heic", "image/avif"))
_RIFF = {b"WAVE": "audio/wav", b"WEBP": "image/webp", b"AVI ": "video/x-msvideo"}
_MARKUP = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,64}(?:(<!doctype html|<html)|(<\?xml)|#![^\n]{0,80}(?:(python)|(?:ba|z|k|da)?sh\b))",
    re.IGNORECASE,
)


def media_type(path: str, head: bytes) -> str:
    """The type of a file, by its first bytes (4 KiB are enough) and its name; where they contradict, content wins."""
    named = _named(path)
    if found := _by_magic(head, named):
        return found
    textual = named is None or is_textual(named)
    if not head:
        return named if named and textual else PLAIN
    if is_binary(head):
        return BINARY if textual or named is None else named
    return named if named and textual else _by_markup(head)


def is_textual(media_type: str) -> bool:
    """Whether files of the type are text that can be read as it is."""
    kind = _BY_TYPE.get(media_type)
    if kind is None:
        return media_type.startswith("text/")
    return kind.extractor not in (None, "pdf") or media_type in ("image/svg+xml", "application/postscript")


def doctype(path: str, media_type: str) -> str:
    """What kind of document an item is, one of `models.item.DOCTYPES`."""
    kind = _BY_TYPE.get(media_type)
    name = path.rpartition("/")[2].lower()
    if name.partition(".")[0] == "readme" and (kind is None or kind.doctype in ("doc", "paper", "code")):
        return "readme"
    if kind is not None:
        return kind.doctype
    family = media_type.partition("/")[0]
    return {"text": "doc", "image": "image", "audio": "audio", "video": "video", "message": "message"}.get(
        family, "other"
    )


def usable_extension(media_type: str) -> str:
    """The suffix, with its dot, under which files of the type are known; `.bin` where there is none."""
    kind = _BY_TYPE.get(media_type)
    if kind is not None and kind.suffixes:
        return "." + kind.suffixes[0]
    return ".txt" if media_type.startswith("text/") else ".bin"


def choose(media_type: str) -> str | None:
    """The extractor that reads the type by default, or None where none can."""
    kind = _BY_TYPE.get(media_type)
    if kind is None:
        return "text" if media_type.startswith("text/") else None
    return kind.extractor


def _named(path: str) -> str | None:
    """What the name says."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if found := _BY_NAME.get(name):
        return found
    return _BY_SUFFIX.get(suffix) if dot and stem else None


def _by_magic(head: bytes, named: str | None) -> str | None:
    """What the first bytes say, if anything."""
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:11]) or (named if named in _IN_MP4 else "video/mp4")
    if head[:1] and head[0] in _FIRST_BYTES:
        if head[:4] == b"RIFF":
            return _RIFF.get(head[8:12])
        for magic, found in _MAGIC:
            if head.startswith(magic) and (found in _TEXTUAL_MAGIC or is_binary(head)):
                return _container(head, found, named)
    if b"%PDF-" in head[:1024] and (named == "application/pdf" or is_binary(head)):
        return "application/pdf"
    return "application/x-tar" if head[257:262] == b"ustar" else None


def _container(head: bytes, found: str, named: str | None) -> str:
    """The format inside a container, by name, else by the names of its first members."""
    if found == _OLE:
        return named if named in _IN_OLE else _OLE
    if found == "video/webm":
        return named if named == "video/x-matroska" else found
    if found != _ZIP or named in _IN_ZIP:
        return named if named in _IN_ZIP and found == _ZIP else found
    if b"mimetypeapplication/" in head[:128]:
        inside = re.match(rb"mimetype([\w.+/-]{1,80})PK", head[30:160])
        return inside[1].decode() if inside and inside[1].decode() in _BY_TYPE else _ZIP
    for folder, name in ((b"word/", "docx"), (b"ppt/", "pptx"), (b"xl/", "xlsx")):
        if b"[Content_Types].xml" in head and folder in head:
            return _BY_SUFFIX[name]
    return _ZIP


def _by_markup(head: bytes) -> str:
    """What text without a telling name is: by its first characters."""
    found = _MARKUP.match(head)
    if found is None:
        return PLAIN
    html, xml, python = found.groups()
    return "text/html" if html else "application/xml" if xml else "text/x-python" if python else "text/x-shellscript"

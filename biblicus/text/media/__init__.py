"""Media types: detection by content and name, with the doctype and default extractor of each type.

One table gives the extensions, doctype and extractor of each type. Files of types without an extractor are catalogued
and reported as having no text.
"""

from __future__ import annotations

import json
import re
from functools import partial
from io import BytesIO
from typing import NamedTuple

from biblicus.text.decoding import is_binary
from biblicus.text.media.format_names import UNREAD

VERSION = "28"
"""Increase when a file gets another media type, doctype or extractor. If only the extractor changes, also increase the
old extractor's fingerprint, by which runs detect the change."""

SELDOM_WORDS = frozenset(("picture", "recording", "archive"))
"""Extractors of files that mostly have no text; such files are not copied into the corpus."""

BINARY = "application/octet-stream"
PLAIN = "text/plain"
OWN = "application/x-biblicus"
"""Media type of files that Biblicus wrote: results, packs, reports. They quote documents and are no sources."""
YAML = "application/yaml"
TOML = "application/toml"
INI = "text/x-ini"
_ZIP = "application/zip"
_PACKAGE = "application/java-archive"
"""Program packages, whose contents are not for readers."""
_OLE = "application/x-ole-storage"


class _Kind(NamedTuple):
    """A media type. `suffixes`: the usual one first. `extractor`: name of the default plug-in, or None. `is_text`: its
    files are plain text; text content under another type's name is not of that type."""

    media_type: str
    suffixes: tuple[str, ...]
    doctype: str
    extractor: str | None
    is_text: bool


def _kinds(is_text: bool, doctype: str, extractor: str | None, rows: str) -> list[_Kind]:
    """Parse rows of media types, each followed by its suffixes."""
    split = map(str.split, rows.split(";"))
    return [_Kind(name, tuple(suffixes), doctype, extractor, is_text) for name, *suffixes in split]


_text, _binary = partial(_kinds, True), partial(_kinds, False)
_OFFICE = "application/vnd.openxmlformats-officedocument"
OPEN = "application/vnd.oasis.opendocument"
_SUN = "application/vnd.sun.xml"
FLAT = "-flat-xml"
XML = "application/xml"
_MS = "application/vnd.ms"
_MACROS = ".macroenabled.12"
_KINDS = [
    *_text("doc", "text", "text/plain txt text log nfo textile"),
    *_text("doc", "markdown", "text/markdown md markdown mdown mkd mdx rmd qmd"),
    *_text("doc", "html", "text/html html htm; application/xhtml+xml xhtml xht"),
    *_text("doc", "mhtml", "multipart/related mhtml mht"),
    *_text("doc", "rst", "text/x-rst rst rest"),
    *_text("doc", "outline", "text/x-tex tex latex ltx rnw snw rtex"),
    *_text("doc", "org", "text/org org"),
    *_text("doc", "info", "text/x-info"),
    *_text("doc", "wiki", "text/x-wiki wiki mediawiki dokuwiki creole tid"),
    *_text("doc", "pod", "text/x-pod pod"),
    *_text("doc", "asciidoc", "text/asciidoc adoc asciidoc asc"),
    *_text("doc", "xml", "application/docbook+xml docbook dbk; application/dita+xml dita; application/tei+xml tei"),
    *_text("doc", "xml", "application/jats+xml nxml; application/x-mallard+xml; application/x-fictionbook+xml fb2"),
    *_text("doc", "subtitles", "text/vtt vtt; application/x-subrip srt; text/x-subviewer sbv"),
    *_text("doc", "text", "text/x-ssa ass ssa; application/ttml+xml ttml dfxp"),
    *_text("doc", "man", "text/troff man roff mdoc 1 2 3 4 5 6 7 8 9"),
    *_binary("paper", "pdf", "application/pdf pdf"),
    *_text("notebook", "notebook", "application/x-ipynb+json ipynb"),
    *_text("message", "mail", "message/rfc822 eml emlx; application/mbox mbox mbx"),
    *_text("data", "icalendar", "text/calendar ics ical; text/vcard vcf"),
    *_text("doc", "feed", "application/enex+xml enex"),
    *_text("message", "chat", "application/x-chat+json"),
    *_text("data", "json", "application/json json geojson webmanifest canvas; application/ld+json jsonld"),
    *_text("data", "text", "application/x-ndjson ndjson jsonl; application/yaml yaml yml; application/toml toml"),
    *_text("data", None, OWN),
    *_text("data", "archive", "application/x-confluence+xml"),
    *_text("data", "csv", "text/csv csv; text/tab-separated-values tsv tab"),
    *_text("data", "text", "application/xml xml xsd xsl xslt wsdl plist"),
    *_text("data", "literature", "text/x-bibtex bib; application/x-research-info-systems ris"),
    *_text("data", "text", "application/x-endnote-refer enw; application/x-pubmed-nbib nbib"),
    *_text("data", "literature", "application/vnd.citationstyles.csl+json"),
    *_text("data", "text", "text/x-opml opml"),
    *_text("data", "text", "application/vnd.google-earth.kml+xml kml; application/gpx+xml gpx"),
    *_text("doc", "genealogy", "text/vnd.familysearch.gedcom ged gedcom"),
    *_text("data", "text", "application/x-ofx ofx qfx; application/x-qif qif"),
    *_text("data", "text", "text/x-ini ini cfg conf properties editorconfig env tfvars"),
    *_text(
        "code",
        "tree-sitter",
        "text/javascript js mjs cjs jsx; text/x-typescript ts tsx mts cts; text/x-c c h; "
        "text/x-c++ cpp cc cxx hpp hh hxx ino; text/x-csharp cs; text/x-java java; text/x-go go; text/x-rust rs; "
        "text/x-ruby rb rake gemspec podspec; text/x-php php; text/x-shellscript sh bash zsh fish ksh",
    ),
    *_text(
        "code",
        "code",
        "text/x-python py pyi pyw pyx pxd pxi; text/x-kotlin kt kts; text/x-scala scala sc; text/x-perl pl pm; "
        "text/x-lua lua; text/x-r r; text/x-julia jl; text/x-swift swift; text/x-objective-c m mm; "
        "text/x-haskell hs; text/x-ocaml ml mli; text/x-erlang erl hrl; text/x-elixir ex exs; "
        "text/x-clojure clj cljs edn; text/x-lisp lisp el scm rkt; text/x-fortran f f90 f95; text/x-pascal pas; "
        "text/x-assembly asm s; text/x-powershell ps1 psm1; "
        "text/x-batch bat cmd; text/x-sql sql; text/css css scss sass less; text/x-vue vue svelte; "
        "text/x-makefile mk mak am makefile; text/x-cmake cmake; text/x-dockerfile dockerfile; text/x-protobuf proto; "
        "text/x-graphql graphql gql graphqls; text/x-terraform tf hcl tofu; text/x-m4 m4 ac; "
        "text/x-nix nix; text/x-zig zig; text/x-dart dart; "
        "text/x-groovy groovy gradle; text/x-feature feature; text/x-diff diff patch",
    ),
    *_binary("doc", "docx", f"{_OFFICE}.wordprocessingml.document docx; {_OFFICE}.wordprocessingml.template dotx"),
    *_binary("doc", "docx", f"{_MS}-word.document{_MACROS} docm; {_MS}-word.template{_MACROS} dotm"),
    *_binary("doc", "pptx", f"{_OFFICE}.presentationml.presentation pptx; {_OFFICE}.presentationml.template potx"),
    *_binary("doc", "pptx", f"{_OFFICE}.presentationml.slideshow ppsx; {_MS}-powerpoint.presentation{_MACROS} pptm"),
    *_binary("data", "xlsx", f"{_OFFICE}.spreadsheetml.sheet xlsx; {_OFFICE}.spreadsheetml.template xltx"),
    *_binary("data", "xlsx", f"{_MS}-excel.sheet{_MACROS} xlsm; {_MS}-excel.template{_MACROS} xltm"),
    *_binary("data", "calamine", f"{_MS}-excel.sheet.binary{_MACROS} xlsb"),
    *_binary("data", "odf", f"{OPEN}.spreadsheet ods; {OPEN}.spreadsheet-template ots"),
    *_binary("doc", "odf", f"{OPEN}.text odt; {OPEN}.text-template ott; {OPEN}.presentation odp"),
    *_binary("doc", "odf", f"{OPEN}.presentation-template otp; {OPEN}.graphics odg; {OPEN}.graphics-template otg"),
    *_binary("doc", "odf", f"{_SUN}.writer sxw; {_SUN}.writer.template stw; {_SUN}.writer.global sxg"),
    *_binary(
        "doc", "odf", f"{_SUN}.impress sxi; {_SUN}.impress.template sti; {_SUN}.draw sxd; {_SUN}.draw.template std"
    ),
    *_binary("data", "odf", f"{_SUN}.calc sxc; {_SUN}.calc.template stc"),
    *_text("doc", "odf", f"{OPEN}.text{FLAT} fodt; {OPEN}.presentation{FLAT} fodp; {OPEN}.graphics{FLAT} fodg"),
    *_text("data", "odf", f"{OPEN}.spreadsheet{FLAT} fods"),
    *_binary("doc", "epub", "application/epub+zip epub"),
    *_text("doc", "feed", "application/rss+xml rss; application/atom+xml atom"),
    *_binary("doc", "ole", f"application/msword doc dot; {_MS}-powerpoint ppt pps"),
    *_binary("doc", "rtf", "application/rtf rtf"),
    *_binary("data", "ole", f"{_MS}-excel xls xlt"),
    *_binary("message", "ole", f"{_MS}-outlook msg"),
    *_binary("message", "tnef", "application/ms-tnef tnef"),
    *_binary(
        "image", "picture", "image/png png; image/jpeg jpg jpeg jpe; image/gif gif; image/webp webp; image/bmp bmp"
    ),
    *_binary("image", "picture", "image/tiff tiff tif; image/heic heic heif; image/avif avif"),
    *_text("image", "drawing", "image/svg+xml svg"),
    *_binary("image", None, "image/x-icon ico"),
    *_binary("audio", "recording", "audio/mpeg mp3; audio/wav wav; audio/mp4 m4a m4b; audio/ogg ogg oga opus"),
    *_binary("audio", "recording", "audio/flac flac; audio/aiff aiff aif; audio/x-ms-wma wma"),
    *_binary("video", "recording", "video/mp4 mp4 m4v; video/quicktime mov"),
    *_binary("video", None, "video/webm webm; video/x-matroska mkv; video/x-msvideo avi; video/mpeg mpg mpeg"),
    *_binary("other", "archive", f"{_ZIP} zip; application/gzip gz tgz; application/x-bzip2 bz2 tbz tbz2"),
    *_binary("other", "archive", "application/x-xz xz txz; application/x-7z-compressed 7z; application/x-tar tar"),
    *_binary("other", "archive", "application/zstd zst; application/vnd.rar rar"),
    *_binary("other", None, f"{_PACKAGE} jar war whl; application/x-executable exe so dll"),
    *(_Kind(row.media_type, tuple(row.suffixes.split()), row.doctype, None, False) for row in UNREAD),
    *_text("other", None, "application/postscript ps eps; image/vnd.dxf dxf; application/x-mork msf"),
    *_binary("other", None, "font/ttf ttf otf woff woff2"),
    *_binary("other", "ole", _OLE),
    *_binary(
        "other",
        None,
        f"{BINARY} bin dat o a class pyc pyo pyd dylib wasm npy npz pkl pt pth onnx safetensors feather arrow "
        "iso dmg egg deb rpm apk keystore jks p12 icns eot",
    ),
]
_BY_TYPE = {kind.media_type: kind for kind in reversed(_KINDS)}
_BY_SUFFIX = {suffix: kind.media_type for kind in reversed(_KINDS) for suffix in kind.suffixes}
_SHOWS = frozenset(("sample", "example", "dist", "default", "template"))
"""Suffixes of sample files, after the name of the actual file: `postgresql.conf.sample`."""
_NAMES = """
x-makefile makefile gnumakefile; x-dockerfile dockerfile containerfile; x-cmake cmakelists.txt; x-groovy jenkinsfile;
x-ruby gemfile rakefile vagrantfile podfile fastfile brewfile config.ru;
x-ini .env ssh_config sshd_config .gitconfig gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc .wgetrc .curlrc
"""
_BY_NAME = {name: f"text/{kind}" for kind, *names in map(str.split, _NAMES.split(";")) for name in names}

_OF_OFFICES = (
    r"(?<![^\W_])(?:invoices?|bills?|receipts?|contracts?|leases?|quotes?|payslips?|statements?|minutes|rechnung(?:en)?"
    r"|quittung(?:en)?|belege?|\w{0,12}vertr[aä]ge?|angebote?|mahnung(?:en)?|lieferscheine?|protokolle?|kontoausz[uü]ge?"
    r"|factures?|devis|contrats?|baux?|bail|relevés?|facturas?|contratos?|recibos?|presupuestos?|fattur[ae]|contratti?"
    r"|счета?|договоры?|发票|合同|請求書)(?![^\W_])"
)
"""Names of unpublished office papers (invoices, contracts, minutes) in file and folder names."""
_WITH_ENDINGS = ("makefile", "dockerfile", "containerfile")
"""Names that may be followed by a variant: `Dockerfile.dev`, `Makefile.am`."""

_IN_ZIP = frozenset(
    name
    for name in _BY_TYPE
    if (name.startswith((_OFFICE, OPEN, _SUN)) and not name.endswith(FLAT))
    or name.endswith(_MACROS)
    or name in ("application/epub+zip", _ZIP, _PACKAGE)
) | {row.media_type for row in UNREAD if "zip" in row.holder}
_IN_OLE = frozenset(
    (
        *("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"),
        "application/vnd.ms-outlook",
        *(row.media_type for row in UNREAD if "ole" in row.holder),
    )
)
_MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"PK\x03\x04", _ZIP),
    (b"PK\x05\x06", _ZIP),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _OLE),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"OggS", "audio/ogg"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"\x7fELF", "application/x-executable"),
    (b"{\\rtf", "application/rtf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\xc5\xd0\xd3\xc6", "application/postscript"),
    (b"\x78\x9f\x3e\x22", "application/ms-tnef"),
    *((magic, row.media_type) for row in UNREAD for magic in row.magics),
)
_FIRST_BYTES = frozenset(magic[0] for magic, _ in _MAGIC) | frozenset(b"R")
_TEXTUAL_MAGIC = frozenset(("application/pdf", "application/rtf", "application/postscript"))
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1f\x80-\xff]")
"""Bytes that cannot occur at the beginning of a text."""
_MEMBERS = (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx"))
_BEGINS_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")
_BEGINS_MARKDOWN = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:---\r?\n(?s:.{0,4000}?)\n---\r?\n)?\s{0,64}#{1,6} [^\n]+\r?\n[ \t]*\r?\n"
)
_DOCUMENTS = re.compile(rb"^=(?:head[1-6]|pod|encoding|over|item)\b", re.MULTILINE)
"""POD commands in a Perl module."""
_BRANDS = {
    b"M4A": "audio/mp4",
    b"M4B": "audio/mp4",
    b"qt ": "video/quicktime",
    b"hei": "image/heic",
    b"avi": "image/avif",
}
_IN_MP4 = frozenset(("audio/mp4", "video/quicktime", "image/heic", "image/avif"))
_RIFF = {b"WAVE": "audio/wav", b"WEBP": "image/webp", b"AVI ": "video/x-msvideo", b"CDR": "application/vnd.corel-draw"}
_JSON = "application/json"
_MAILDIR = frozenset(("cur", "new"))
"""Maildir folders, in which each file is a message whatever its extension."""
_MARKUP = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,64}(?:(<!doctype html|<html)|(<\?xml)|#![^\n]{0,80}(?:(python)|(?:ba|z|k|da)?sh\b))",
    re.IGNORECASE,
)


def media_type(path: str, head: bytes) -> str:
    """Return the media type of a file by its first bytes (4 KiB are enough) and name; content takes precedence."""
    from biblicus.text.media import beginnings  # lazy: a question needs none

    named = of_name(path)
    if known := _by_magic(head, named):
        return known
    if path.rpartition("/")[0].rpartition("/")[2] in _MAILDIR and beginnings.is_message(head):
        return "message/rfc822"
    textual = named is None or is_textual(named)
    if not head:
        return named if named and textual else PLAIN
    if is_binary(head):
        return BINARY if textual or named is None else named
    kind = named if named and textual else _by_markup(head)
    if kind == XML or (kind == PLAIN and named is None and head.lstrip()[:1] == b"<"):
        return beginnings.written_as(head) or kind
    if kind == PLAIN:
        return beginnings.of_text(head) or PLAIN
    if kind == "text/x-perl" and path.lower().endswith(".pm") and _DOCUMENTS.search(head[:8192]):
        return "text/x-pod"
    if kind == _JSON and beginnings.is_library(head):
        return "application/vnd.citationstyles.csl+json"
    return "application/x-chat+json" if kind == _JSON and beginnings.is_chat(head) else kind


def of_bytes(data: bytes) -> str:
    """Return the media type of a complete document without a name, including the content of archives."""
    kind = media_type("", data[:8192])
    if kind == _ZIP:
        return _archived(data)
    if kind == PLAIN and _BEGINS_JSON.match(data):
        return "application/json" if _is_json(data) else PLAIN
    return "text/markdown" if kind == PLAIN and _BEGINS_MARKDOWN.match(data) else kind


def _archived(data: bytes) -> str:
    """Return the format of a zip archive by the names of its members."""
    from zipfile import BadZipFile, ZipFile  # lazy: few documents have no name

    try:
        names = ZipFile(BytesIO(data)).namelist()
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return _ZIP
    for folder, name in _MEMBERS:
        if "[Content_Types].xml" in names and any(member.startswith(folder) for member in names):
            return _BY_SUFFIX[name]
    return _ZIP


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def is_textual(media_type: str) -> bool:
    """Return True if files of the type are readable as plain text."""
    kind = _BY_TYPE.get(media_type)
    return media_type.startswith("text/") if kind is None else kind.is_text


def doctype(path: str, media_type: str) -> str:
    """Return the kind of document of an item, one of `models.item.DOCTYPES`."""
    kind = _BY_TYPE.get(media_type)
    name = path.rpartition("/")[2].lower()
    if name.partition(".")[0] == "readme" and (kind is None or kind.doctype in ("doc", "paper", "code")):
        return "readme"
    if kind is not None:
        return "doc" if kind.doctype == "paper" and re.search(_OF_OFFICES, path.lower()) else kind.doctype
    family = media_type.partition("/")[0]
    return {"text": "doc", "image": "image", "audio": "audio", "video": "video", "message": "message"}.get(
        family, "other"
    )


def usable_extension(media_type: str) -> str:
    """Return the usual extension of a type with its dot, or `.bin`."""
    kind = _BY_TYPE.get(media_type)
    if kind is not None and kind.suffixes:
        return "." + kind.suffixes[0]
    if media_type.endswith("+xml"):
        return ".xml"
    return ".txt" if media_type.startswith("text/") else ".bin"


def choose(media_type: str) -> str | None:
    """Return the name of the default extractor of a type, or None."""
    kind = _BY_TYPE.get(media_type)
    if kind is None:
        return "text" if media_type.startswith("text/") else None
    return kind.extractor


_UNMARKED = frozenset(("html", "mhtml", "xml", "pdf", "docx", "pptx", "odf", "epub", "feed", "ole", "rtf"))


def shows_no_headings(media_type: str) -> bool:
    """Return True if extracted text of this type has no heading markup."""
    return choose(media_type) in _UNMARKED


def suffixes_of(media_type: str) -> tuple[str, ...]:
    """Return the extensions of a type without the dot."""
    kind = _BY_TYPE.get(media_type)
    return kind.suffixes if kind is not None else ()


def suffixes_without_text() -> frozenset[str]:
    """Return the extensions of files that have no text to read, whatever their first bytes."""
    shown = ("image", "audio", "video", "other")
    return frozenset(suffix for kind in _KINDS if kind.doctype in shown for suffix in kind.suffixes)


def of_name(path: str) -> str | None:
    """Return the media type by name, or None."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if known := _BY_NAME.get(name):
        return known
    if suffix in _SHOWS and "." in stem:
        return of_name(stem)
    if suffix.startswith("ini-"):  # for example `php.ini-production`
        suffix = "ini"
    if dot and stem and (known := _BY_SUFFIX.get(suffix)):
        return known
    return _BY_NAME.get(stem) if stem in _WITH_ENDINGS else None


def _by_magic(head: bytes, named: str | None) -> str | None:
    """Return the media type by magic numbers, or None."""
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:11]) or (named if named in _IN_MP4 else "video/mp4")
    if head[:1] and head[0] in _FIRST_BYTES:
        if head[:4] == b"RIFF":
            return _RIFF.get(head[8:12]) or _RIFF.get(head[8:11])
        for magic, kind in _MAGIC:
            if head.startswith(magic) and (kind in _TEXTUAL_MAGIC or _NO_TEXT.search(magic) or is_binary(head)):
                return _container(head, kind, named)
    if b"%PDF-" in head[:1024] and (named == "application/pdf" or is_binary(head)):
        return "application/pdf"
    return "application/x-tar" if head[257:262] == b"ustar" else None


def _container(head: bytes, found: str, named: str | None) -> str:
    """Return the format inside a container by the file's name, or else by its first members."""
    if found == _OLE:
        return named if named in _IN_OLE else _OLE
    if found == "video/webm":
        return named if named == "video/x-matroska" else found
    if found != _ZIP or named in _IN_ZIP:
        return named if named in _IN_ZIP and found == _ZIP else found
    if b"mimetypeapplication/" in head[:128]:
        inside = re.match(rb"mimetype([\w.+/-]{1,80})PK", head[30:160])
        return inside[1].decode() if inside and inside[1].decode() in _BY_TYPE else _ZIP
    for folder, name in _MEMBERS:
        if b"[Content_Types].xml" in head and folder.encode() in head:
            return _BY_SUFFIX[name]
    return _ZIP


def _by_markup(head: bytes) -> str:
    """Return the media type of text by its first characters."""
    match = _MARKUP.match(head)
    if match is None:
        return PLAIN
    html, xml, python = match.groups()
    return "text/html" if html else XML if xml else "text/x-python" if python else "text/x-shellscript"

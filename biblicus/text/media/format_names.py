"""Formats that nothing reads, with their common names, which reports show beside the media type."""

from __future__ import annotations

from typing import NamedTuple


class Unread(NamedTuple):
    """A format. `holder`: `zip` or `ole` if its files are such containers; `magics`: first bytes of other files."""

    doctype: str
    media_type: str
    suffixes: str
    name: str
    holder: str = ""
    magics: tuple[bytes, ...] = ()


UNREAD = (
    Unread("doc", "application/vnd.apple.pages", "pages", "Apple Pages", "zip"),
    Unread("doc", "application/vnd.apple.keynote", "key", "Apple Keynote", "zip"),
    Unread("data", "application/vnd.apple.numbers", "numbers", "Apple Numbers", "zip"),
    Unread("doc", "application/x-hwp", "hwp hwpx", "Hangul Word Processor", "zip ole"),
    Unread("doc", "application/onenote", "one onetoc2", "Microsoft OneNote", "",
           (b"\xe4\x52\x5c\x7b", b"\xa1\x2f\xff\x43")),
    Unread("doc", "application/vnd.visio", "vsd vsdx vss vst", "Microsoft Visio", "zip ole"),
    Unread("doc", "application/x-mspublisher", "pub", "Microsoft Publisher", "ole"),
    Unread("data", "application/vnd.ms-project", "mpp mpt", "Microsoft Project", "ole"),
    Unread("doc", "application/vnd.ms-works", "wps wdb", "Microsoft Works", "ole"),
    Unread("data", "application/vnd.ms-access", "mdb accdb", "Microsoft Access", "",
           (b"\0\1\0\0Standard Jet DB", b"\0\1\0\0Standard ACE DB")),
    Unread("message", "application/vnd.ms-outlook-pst", "pst ost", "Outlook mailbox", "", (b"!BDN",)),
    Unread("message", "application/x-outlook-express", "dbx", "Outlook Express mailbox", "", (b"\xcf\xad\x12\xfe",)),
    Unread("doc", "application/vnd.ms-xpsdocument", "xps oxps", "XPS", "zip"),
    Unread("doc", "application/vnd.ms-htmlhelp", "chm", "compiled HTML Help", "", (b"ITSF\3",)),
    Unread("doc", "application/x-mobipocket-ebook", "mobi azw azw3", "Mobipocket or Kindle book"),
    Unread("doc", "application/vnd.wordperfect", "wpd", "WordPerfect", "", (b"\xffWPC",)),
    Unread("data", "application/vnd.lotus-1-2-3", "wk1 wk3 wk4 123", "Lotus 1-2-3", "",
           (b"\0\0\2\0\6\4\6\0", b"\0\0\x1a\0")),
    Unread("doc", "application/x-indesign", "indd indt", "Adobe InDesign", "", (b"\x06\x06\xed\xf5\xd8\x1d\x46\xe5",)),
    Unread("doc", "application/vnd.adobe.illustrator", "ai", "Adobe Illustrator"),
    Unread("doc", "application/vnd.framemaker", "fm", "Adobe FrameMaker", "", (b"<MakerFile ", b"<MIFFile ")),
    Unread("image", "image/vnd.adobe.photoshop", "psd psb", "Adobe Photoshop", "", (b"8BPS\0",)),
    Unread("image", "image/x-xcf", "xcf", "GIMP", "", (b"gimp xcf ",)),
    Unread("image", "application/vnd.sketch", "sketch", "Sketch", "zip"),
    Unread("image", "application/x-figma", "", "Figma", "", (b"fig-kiwi",)),
    Unread("image", "application/vnd.corel-draw", "cdr", "CorelDRAW", "zip"),
    Unread("image", "image/vnd.dwg", "dwg", "AutoCAD drawing", "", (b"AC10",)),
    Unread("image", "application/x-blender", "blend", "Blender", "", (b"BLENDER",)),
    Unread("image", "image/vnd.djvu", "djvu djv", "DjVu", "", (b"AT&TFORM",)),
    Unread("image", "image/emf", "emf", "Windows metafile"),
    Unread("image", "image/wmf", "wmf", "Windows metafile", "", (b"\xd7\xcd\xc6\x9a",)),
    Unread("data", "application/vnd.dbf", "dbf", "dBase"),
    Unread("data", "application/vnd.sqlite3", "sqlite sqlite3 db", "SQLite", "", (b"SQLite format 3\0",)),
    Unread("data", "application/vnd.apache.parquet", "parquet", "Parquet", "", (b"PAR1",)),
    Unread("data", "application/x-hdf5", "h5 hdf5", "HDF5", "", (b"\x89HDF\r\n\x1a\n",)),
    Unread("data", "application/x-spss-sav", "sav zsav", "SPSS", "", (b"$FL2", b"$FL3")),
    Unread("data", "application/x-stata-dta", "dta", "Stata", "", (b"<stata_dta>",)),
    Unread("data", "application/x-sas-data", "sas7bdat", "SAS"),
    Unread("data", "application/x-matlab-data", "mat", "MATLAB data", "", (b"MATLAB 5.0",)),
    Unread("audio", "audio/aac", "aac", "AAC"),
    Unread("audio", "audio/amr", "amr", "AMR", "", (b"#!AMR",)),
)  # fmt: skip
_NAMES = {row.media_type: row.name for row in UNREAD} | {
    "application/postscript": "PostScript",
    "image/vnd.dxf": "AutoCAD exchange",
}


def format_name(media_type: str) -> str:
    """Return a media type with its common name: `application/vnd.apple.pages (Apple Pages)`."""
    name = _NAMES.get(media_type)
    return f"{media_type} ({name})" if name else media_type

"""Describe one raw file: media type, title, language, doctype, tags, source and metadata.

Precedence: sidecar > front matter > the corpus's rules > the file's content. Bad metadata never costs the text: it is
ignored with a warning; but where it may name readers, only the owner sees the item. All readers that are stated must
agree. For a file synced from a source, the source's registry says where it came from; its front
matter, which a stranger may have written, cannot set an id, a source, a toolkit or a category."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from textwrap import shorten
from typing import Any

from biblicus import guards
from biblicus.corpus.catalog import entry_of
from biblicus.corpus.editorial.approvals import LEFT_OUT, Standing, layer_of, read_approved
from biblicus.corpus.extracted import transcripts
from biblicus.corpus.extracted.transcripts import Transcript
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.disk import files
from biblicus.errors import BadData, UnsafeInput
from biblicus.errors.families import typed
from biblicus.extraction.kit.composing import day
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.item import DOCTYPES, Item, Source
from biblicus.models.sources import readers
from biblicus.models.sources.syncing import Provenance
from biblicus.text import media
from biblicus.text.anchoring import content_hash
from biblicus.text.fitting import matches_path
from biblicus.text.languages import detect
from biblicus.text.links import tags as inline_tags
from biblicus.text.paths import as_uri

ITEM_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")
LANGUAGE = re.compile(r"[a-z]{2,3}")
KEYS = ("id", "title", "tags", "media_type", "doctype", "language", "source", "metadata", "members")
_PLAIN = frozenset({"markdown", "text"})
_DECLARING = _PLAIN | {"rst", "asciidoc", "org", "wiki", "html"}
_TITLE_LIMIT = 300
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_SAMPLE = 4096
_FIRST_WORDS = 80
_BEGINS_WITH_WORDS = re.compile("[#>*\"'„“«(\\s-]{0,6}(?:\\[[ xX]\\]\\s)?\\w")
_COMMENT, _BETWEEN_PARAGRAPHS = re.compile(r"<!--.*?-->", re.DOTALL), re.compile(r"\n\s*\n")
_SENTENCE = re.compile(
    r"\s*(?!(?:import|export)\s)[^\w\[\]!<{}|]{0,8}[^\W\d_](?:[^\n]|\n(?!\s*\n)){6,}(?:[.!?:…][)*_`\"'”»]{0,3}\s*\Z|[。！？])"
)
"""A paragraph that is a sentence or begins with one."""
_NUMBER = re.compile(r"[\d\W_]+")
_DAY = re.compile(r"\d{4} \d\d \d\d\b")
_MARKS = re.compile(r"\A[-+>#\s]+(?:\[[ xX]\]\s+)?|\[\[(?:[^\[\]|]{1,200}\|)?|(?:(?<!\[)#[^\[\]|]{1,200})?\]\]|\*")
_PAGES = frozenset({"text/html", "application/xhtml+xml", "multipart/related"})
"""Media types with a title besides their headings."""
_CHAT = "application/x-chat+json"
"""Media type of conversations, which are identified by a day within a folder named after them."""
_ID = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{8}(?:[ -][0-9a-f]{4}){3}[ -][0-9a-f]{12})", re.IGNORECASE)
"""Identifiers that programs use as file names and people cannot read."""
_WITH_ID = re.compile(r"(?<=\S) [0-9a-f]{32}(?:_all)?(?=\.\w{1,8}\Z|\Z)")
"""The identifier that Notion appends to a name."""
_PROPERTIES = re.compile(r"\ufeff?# [^\n]*\n\n((?:[^\W_][^:\n]{0,60}: [^\n]*\n){1,60})(?:\n|\Z)")
"""The lines between the title and the text of a page of Notion."""
_ANY_TEXT = re.compile(
    "(?:an? |the )?(?:introduction|overview|summary|abstract|contents|table of contents|index|read ?me|preface|"
    "foreword|about|description|home|untitled|main|document|motivation|background|general)|"
    "(?:chapter|section|part|page) (?:\\d+|[ivxl]+|one|two|three|four|five|six|seven|eight|nine|ten)|"
    "memo|memorandum|(?:rough )?draft|(?:strictly )?confidential|press release|vertraulich|entwurf|"
    "confidencial|borrador|confidentiel|brouillon|черновик|"
    "einleitung|einführung|überblick|übersicht|zusammenfassung|inhalt|inhaltsverzeichnis|vorwort|"
    "introducción|resumen|índice|contenido|prólogo|résumé|sommaire|table des matières|aperçu|préface|"
    "введение|содержание|аннотация|обзор|оглавление|предисловие|简介|介绍|目录|摘要|概述|引言|前言"
)
"""Titles that many texts share, in lower case."""
_ANY_PART = re.compile(
    "references?|bibliography|citations?|footnotes?|notes?|see also|(?:related|further|more|additional|useful)"
    "(?: [a-z]+){0,2}|resources|links|examples?|usage|implementation|enhancements|fixes|bug ?fixes|quellen|literatur"
    "|siehe auch|beispiele?|références|voir aussi|exemples?|referencias|ver también|véase también|ejemplos?|riferimenti"
    "|esempi[eo]?|referências|veja também|exemplos?|ссылки|литература|см\\. также|примеры?|参考文献|参考|示例|例子"
)
"""Headings of sections that many texts share, in lower case; never the title of the text before them."""


@dataclass(frozen=True)
class Declared:
    """Valid values of a sidecar or front matter. `rest`: unknown keys, which become `metadata`."""

    values: Mapping[str, Any] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """An item as a compact catalog entry. Its id is the declared or the first derived one; the refresh decides.

    `declared_id`: the id in the file or its sidecar."""

    entry: Entry
    declared_id: str | None
    warnings: tuple[str, ...]


def derived_id(path: str, variant: int = 0) -> str:
    """Derive an item's id from its path. `variant`: next try if the id is taken."""
    name = path if not variant else f"{path}\0{variant}"
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def read_sidecar(corpus: CorpusFolder, path: str, approved: str | None = None) -> Declared:
    """Read an item's sidecar; problems become warnings. `approved`: digest of the approved sidecar to use instead."""

    where = f"{path}.biblicus.yml"
    try:
        if approved:
            raw = read_approved(corpus, where, approved, files.SMALL)
        else:
            raw = files.read(corpus.absolute(where), limit=files.SMALL)
        if approved and hashlib.sha256(raw).hexdigest() != approved:
            return _broken("its sidecar was left aside: it changed while it was read")
        data = guards.yaml.read(raw.decode())
    except FileNotFoundError:
        return Declared()
    except (OSError, UnicodeDecodeError, BadData, UnsafeInput) as error:
        return _broken(f"its sidecar was left aside: {str(error).rstrip('.')}")
    if data is None:
        return Declared()
    if not isinstance(data, dict):
        return _broken("its sidecar was left aside: it holds no keys and values")
    return declared(data, "sidecar")


def _broken(warning: str) -> Declared:
    """Return the metadata of an unreadable sidecar: it may have named readers, so only the owner sees the item."""
    return Declared(rest={readers.KEY: []}, warnings=(f"{warning}; only the owner sees the item",))


def declared(data: Mapping[str, Any], origin: str) -> Declared:
    """Validate declared metadata. Unknown keys become metadata; invalid values are ignored with a warning.
    Empty values are ignored, such as `title: ''` in issue templates."""
    values: dict[str, Any] = {}
    warnings: list[str] = []
    for key in KEYS:
        written = data.get(key)
        if written is None or (isinstance(written, str) and not written.strip()):
            continue
        value = _CLEAN[key](written)
        if value is None:
            warnings.append(f'its {origin}\'s "{key}" was left aside: not a valid {key.replace("_", " ")}')
        else:
            values[key] = value
    rest = {key: value for key, value in data.items() if key not in KEYS}
    return Declared(values, rest, tuple(warnings))


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    return " ".join(value.translate(_INVISIBLE).split())[:_TITLE_LIMIT] or None


def _tags(value: Any) -> tuple[str, ...] | None:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        return None
    return tuple(dict.fromkeys(tag for part in parts if (tag := " ".join(part.split()))))


def _fitting(pattern: re.Pattern[str]) -> Any:
    def clean(value: Any) -> str | None:
        return value if isinstance(value, str) and pattern.fullmatch(value) else None

    return clean


def _source(value: Any) -> Source | None:
    if isinstance(value, str):
        return Source("declared", value) if value.strip() else None
    if not isinstance(value, dict) or not isinstance(value.get("uri"), str):
        return None
    parts = {key: value.get(key) for key in ("kind", "uri", "ref", "retrieved_at")}
    if any(part is not None and not isinstance(part, str) for part in parts.values()):
        return None
    return Source(parts["kind"] or "declared", parts["uri"] or "", parts["ref"], parts["retrieved_at"])


_CLEAN: Mapping[str, Any] = {
    "id": _fitting(ITEM_ID),
    "title": _text,
    "tags": _tags,
    "media_type": lambda value: (
        value.lower() if isinstance(value, str) and MEDIA_TYPE.fullmatch(value.lower()) else None
    ),
    "doctype": lambda value: value if value in DOCTYPES else None,
    "language": lambda value: (
        code if isinstance(value, str) and LANGUAGE.fullmatch(code := value.lower().split("-")[0]) else None
    ),
    "source": _source,
    "metadata": lambda value: value if isinstance(value, dict) else None,
    "members": lambda value: value if isinstance(value, dict) else None,
}


def describe(
    corpus: CorpusFolder,
    path: str,
    size: int,
    sha256: str,
    media_type: str,
    outcome: Extraction | NoExtraction,
    sidecar: Declared,
    synced: Provenance | None = None,
    transcript: Transcript = transcripts.NONE,
    standing: Standing | None = None,
) -> Description:
    """Describe a raw file from its extraction, its sidecar and its source's registry. `standing`: its approval."""
    text = outcome if isinstance(outcome, Extraction) else None
    front = Declared()
    text_metadata: Mapping[str, Any] = text.metadata if text else {}
    if text and media.choose(media_type) in _DECLARING:
        front, text_metadata = declared(text_metadata or _properties(text, path), "front matter"), {}
    source = _of_source(synced, sha256, front) if synced else Declared()
    values = {**front.values, **source.values, **sidecar.values}
    metadata = {**text_metadata, **front.rest, **front.values.get("metadata", {}), **source.rest, **sidecar.rest}
    metadata.update(sidecar.values.get("metadata", {}))
    of_front = front.values.get("metadata", {})
    origins = (text_metadata, front.rest, of_front, source.rest, sidecar.rest, sidecar.values.get("metadata", {}))
    stated_readers = [origin[readers.KEY] for origin in origins if readers.KEY in origin]
    if text and media.choose(media_type) in _PLAIN and not text.metadata and _may_name_readers(text):
        stated_readers.append(None)
    if stated_readers:
        metadata[readers.KEY] = readers.combined(stated_readers)
    if transcript.path:
        metadata[transcripts.KEY] = transcript._asdict()
    item = Item(
        item_id=values.get("id") or derived_id(path),
        path=path,
        media_type=values.get("media_type") or media_type,
        bytes=size,
        sha256=sha256,
        title=values.get("title") or _title(text, path, media_type),
        language=values.get("language") or _language(text),
        doctype=values.get("doctype") or _doctype(corpus, path, media_type),
        tags=sidecar.values["tags"] if "tags" in sidecar.values else _tags_of(corpus, text, values, media_type),
        source=values.get("source") or Source("corpus", as_uri(path)),
        metadata=metadata,
        content_hash=content_hash(text.text) if text else None,
    )
    warnings = (*(text.warnings if text else ()), *front.warnings, *source.warnings, *sidecar.warnings)
    if readers.OWNER in readers.rules_of(metadata) and not sidecar.warnings:
        warnings += ("its readers are empty or unreadable: only the owner sees the item",)
    if corpus.config.layers:
        item, note = _placed(corpus, item, standing)
        warnings += note
    return Description(entry_of(item), values.get("id"), warnings)


def _properties(text: Extraction, path: str) -> Mapping[str, Any]:
    """Return the properties that Notion writes below the title of a page: `Status: Done`."""
    match = _PROPERTIES.match(text.text) if _WITH_ID.search(path) else None
    if match is None:
        return {}
    lines = [line.partition(": ") for line in match[1].strip().splitlines()]
    values = {key.lower(): day(value) or day(f"{value} 00:00") or value.strip() for key, _, value in lines}
    tags = next((values.pop(key) for key in ("tags", "tag") if key in values), "")
    return {"tags": tags, "metadata": values}


def _may_name_readers(text: Extraction) -> bool:
    """Return true if a text without readable front matter begins like one that has the key `readers`."""
    return text.text[:1] in ("-", "+", "{") and readers.KEY in text.text[:_SAMPLE]


def _placed(corpus: CorpusFolder, item: Item, standing: Standing | None) -> tuple[Item, tuple[str, ...]]:
    """Return the item with its layer, and warnings about its approval."""
    layers = corpus.config.layers
    if standing is None:
        return replace(item, layer=layer_of(layers, item.path, item.metadata)), ()
    event = standing.event
    item = replace(item, layer=layer_of(layers, item.path, item.metadata, event))
    if not standing.is_kept:
        return item, ("edited since it was approved, and what was approved is gone: git checkout .biblicus/approved",)
    is_left_out = any(rule.name == item.layer and rule.pending == "left_out" for rule in layers)
    approval = event.id + LEFT_OUT if standing.is_pending and is_left_out else event.id
    note = f"edited since it was approved, which is pending: biblicus promote {typed(item.path)} --to {event.layer}"
    item = replace(item, approval=approval) if item.layer == event.layer else item
    return item, (note,) if standing.is_pending else ()


def _tags_of(
    corpus: CorpusFolder, text: Extraction | None, stated: Mapping[str, Any], media_type: str
) -> tuple[str, ...]:
    """Return the declared tags and, if the configuration enables them, inline tags of Markdown."""
    declared_tags: tuple[str, ...] = stated.get("tags", ())
    if not corpus.config.inline_tags or text is None or media_type != "text/markdown":
        return declared_tags
    start = text.masked[0].end if text.masked and text.masked[0].start == 0 else 0
    return tuple(dict.fromkeys((*declared_tags, *inline_tags(text.text[start:]))))


def _of_source(synced: Provenance, sha256: str, front: Declared) -> Declared:
    """Return a registry's metadata of an item, over its front matter. An edited copy gets no source address."""
    row = synced.row
    fields: dict[str, Any] = {"title": row.title, "doctype": front.values.get("doctype") or synced.doctype}
    fields["tags"] = tuple(dict.fromkeys((*front.values.get("tags", ()), *synced.tags)))
    values = {key: value for key, value in fields.items() if value}
    values["id"] = row.item_id if row.item_id and ITEM_ID.fullmatch(row.item_id) else None
    if sha256 == row.sha256:
        values["source"] = Source(synced.kind, row.uri, row.ref, row.retrieved_at)
        return Declared(values, synced.metadata)
    values["source"] = None
    return Declared(values, synced.metadata, ("edited here since it was synced from its source",))


def _language(text: Extraction | None) -> str | None:
    """Detect the language of the ranked text; a declared language is used only if detection is unsure."""
    if text is None:
        return None
    start = text.masked[0].end if text.masked and text.masked[0].start == 0 else 0
    declared_code = (text.language or "").lower().split("-")[0]
    return detect(text.text[start : start + _SAMPLE]) or (declared_code if LANGUAGE.fullmatch(declared_code) else None)


def _title(text: Extraction | None, path: str, media_type: str) -> str:
    """Return the text's own title, else one from its file name. A title that says little is extended: a common one by
    the name of file or folder, a date or number by the first words."""
    title = (text and _text(text.title)) or ""
    name = _title_of_name(path, media_type)
    title = (text and _below_banner(text, name)) or title
    is_below = bool(text and media_type == "text/markdown" and _is_below(text) and _says_something_above(text))
    is_part = is_below and _ANY_PART.fullmatch(title.casefold()) is not None
    if (
        text
        and ((_ANY_TEXT.fullmatch(name.casefold()) and _place(path)) or is_below)
        and (is_part or _is_of_a_part(text))
    ):
        title = ""
    is_of_a_day = bool(text and media_type not in _PAGES and _DAY.match(name) and _is_below(text))
    if title and not is_of_a_day and not _ANY_TEXT.fullmatch(title.casefold()) and not _NUMBER.fullmatch(title):
        return title
    is_any = bool(_ANY_TEXT.fullmatch(name.casefold()))
    if not title and not is_any and not _NUMBER.fullmatch(name) and not _ID.fullmatch(name):
        return name
    place = _place(path) if is_any or media_type == _CHAT else name
    words = title or (text and media_type != _CHAT and _first_words(text)) or name
    if _ID.fullmatch(name):
        return words if words != name else place
    if not place or words.casefold() in place.casefold():
        return place or words
    return f"{place}: {words}"[:_TITLE_LIMIT]


def is_untitled(item: Item, text: str) -> bool:
    """Return true if neither an item's name nor its title is one. `text`: its first passage, which has no heading."""
    name, title = _title_of_name(item.path, item.media_type), item.title.removesuffix("…")
    is_said = any(pattern.fullmatch(title.casefold()) for pattern in (_ANY_TEXT, _NUMBER, _ID))
    is_named = not any(pattern.fullmatch(name.casefold()) for pattern in (_ANY_TEXT, _NUMBER, _ID))
    return not is_named and (is_said or title.rpartition(": ")[2] in text)


_OF_FOLDERS = ("readme", "index")
"""File names of a folder's main page."""


def _below_banner(text: Extraction, name: str) -> str:
    """Return the second heading if it directly follows the first and matches the file name.
    The first heading is then a banner that all pages of a project share. Common names do not count."""
    first, second = (*text.headings[:2], None, None)[:2]
    if first is None or second is None or _text(first.title) != _text(text.title):
        return ""
    is_any = _ANY_TEXT.fullmatch(name.casefold()) or name.casefold() in _OF_FOLDERS or _NUMBER.fullmatch(name)
    if is_any or second.level <= first.level or _letters(second.title) != _letters(name):
        return ""
    lines = text.text[first.offset : second.offset].splitlines()
    has_text = sum(any(map(str.isalnum, line)) for line in lines) > 1
    return "" if has_text else _text(second.title) or ""


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _is_of_a_part(text: Extraction) -> bool:
    """Return true if the text's title is only the heading of its first section.
    That is one of several headings of its level, below the first level or without a mark of level (as in docutils)."""
    headings = [heading for heading in text.headings if heading.title]
    if not headings or _text(headings[0].title) != _text(text.title):
        return False
    level, is_marked = headings[0].level, text.text.startswith("#", headings[0].offset)
    return sum(heading.level == level for heading in headings) > 1 and not (is_marked and level == 1)


def _is_below(text: Extraction) -> bool:
    """Return true if the title's heading is below the first level and follows other text, as in daily notes."""
    header = next((heading for heading in text.headings if _text(heading.title) == _text(text.title)), None)
    start = text.masked[0].end if text.masked and text.masked[0].start == 0 else 0
    return header is not None and header.level > 1 and bool(text.text[start : header.offset].strip())


def _says_something_above(text: Extraction) -> bool:
    """Return true if a sentence precedes the first heading: no badge, comment, import, date or link."""
    start = text.masked[0].end if text.masked and text.masked[0].start == 0 else 0
    above = _COMMENT.sub("", text.text[start : text.headings[0].offset][:_SAMPLE])
    return any(_SENTENCE.match(paragraph) for paragraph in _BETWEEN_PARAGRAPHS.split(above))


def _place(path: str) -> str:
    """Return the name of the folder that contains a file, or the title of the container of a member."""
    above = PurePosixPath(path).parent.name
    return PurePosixPath(above.removesuffix("!")).stem if above.endswith("!") else above


def _first_words(text: Extraction) -> str:
    """Return the first line that begins with words, shortened to a title; no badge and no directive."""
    start = text.masked[0].end if text.masked and text.masked[0].start == 0 else 0
    lines = [line.strip() for line in text.text[start : start + _SAMPLE].strip().split("\n")]
    line = next((line for line in lines if _BEGINS_WITH_WORDS.match(line)), lines[0])
    return shorten(_MARKS.sub("", line), _FIRST_WORDS, placeholder="…")


def _title_of_name(path: str, media_type: str) -> str:
    name = PurePosixPath(_WITH_ID.sub("", path))
    if media.doctype(path, media_type) in ("code", "data"):
        return name.name
    return " ".join(name.stem.replace("_", " ").replace("-", " ").split()) or name.name


def _doctype(corpus: CorpusFolder, path: str, media_type: str) -> str:
    for rule in corpus.config.doctypes:
        if matches_path(path, (rule.path,)):
            return rule.doctype
    return media.doctype(path, media_type)

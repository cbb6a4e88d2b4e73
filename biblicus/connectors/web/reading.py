"""Data of the reader: a PDF page, Markdown, a table or lines, with the cited text marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from biblicus.connectors.web import doing, marking, showing, tables
from biblicus.connectors.web.asking import Asked, cited_address, item_address, joined, picture_address
from biblicus.connectors.web.kinds import day_of, kind_of, value_name
from biblicus.connectors.web.searching import query
from biblicus.errors import BiblicusError, NoPageImage, NoText, OutOfBounds
from biblicus.extraction.kit.grids import is_header
from biblicus.models.item import DATES
from biblicus.models.locator import sheet_name, time_code
from biblicus.models.question import Question
from biblicus.models.requests.items import GetRequest
from biblicus.retrieval.snippet import highlights
from biblicus.service.verbs import GET, PAGE_IMAGE, SHOW, TREE
from biblicus.text.headings import MARKDOWN
from biblicus.text.paths import MEMBER

_SECTIONS = 500
WINDOW = 400
"""Number of lines shown at once."""
_MARKDOWN = 300_000
"""Maximum characters of a document rendered as a whole."""
_HEAD = 20
"""Number of lines searched for a table's first two records."""
_WORKBOOKS = ("spreadsheet", "ms-excel")
_PROSE = (
    "application/vnd",
    "application/msword",
    "application/rtf",
    "application/epub",
    "text/html",
    "message/",
    "application/mbox",
)
"""Types with one paragraph per line."""
_SENTENCE = 240
"""Maximum characters of a citation that is marked as strongly as a sentence; a longer one is a passage."""
_CHIPS = 12
"""Maximum members of an item that are named on its page."""
_TABLES = {"text/csv": ",", "text/tab-separated-values": "\t"}


def read(asked: Asked, name: str) -> dict[str, Any]:
    """Return the page's values. Raises `ItemNotFound`, `OutOfBounds`, `UsageError`."""
    item = asked.ask(SHOW, item=name)
    question = asked.word("q").strip()
    matches = _matches(asked, item, question)
    cited, gone = _cited(asked, item)
    page: dict[str, Any] = {
        **_UNSEEN,
        "item": item,
        "question": question,
        "cited": cited,
        "standing": _standing(asked, cited, gone),
        "note": item["note"],
        "kind": kind_of(item["media_type"]),
        "language": _language(item),
        "byline": _byline(item),
        "original": _original(asked, item),
        **_family(asked, item),
        "folder": joined("/corpus", [("folder", item["path"].rpartition("/")[0]), *_corpus_pair(asked)]),
        "is_passage": cited is not None and len(cited["text"]) > _SENTENCE,
        "notes": doing.notes_of(asked, item=item["item_id"]),
        "forms": showing.forms(item, cited, asked.corpus),
        **_steps(matches, item, cited),
        "back": asked.address("/", q=question, **_NOT_OF_SEARCH) if question else None,
    }
    hits = [(piece["span_start"], piece["span_end"]) for piece in matches if piece["item_id"] == item["item_id"]]
    if item["media_type"] == "application/pdf":
        return page | _pdf(asked, item, cited, hits) | {"sections": _sections(asked, item)}
    page["shown"] = showing.view(asked, item, cited)
    if item["note"] is not None:
        return page
    return page | _text(asked, item, cited, hits)


_UNSEEN: Mapping[str, Any] = {
    "view": "none",
    "shown": {"kind": ""},
    "sections": (),
    "levels": {},
    "fields": (),
    "listed": (),
    "unmarked": False,
    "switch": None,
    "is_source": False,
    "prose": False,
}
"""Values of an item whose text is not shown."""


def _corpus_pair(asked: Asked) -> list[tuple[str, str]]:
    return [("corpus", asked.corpus)] if len(asked.names) > 1 else []


def _language(item: Mapping[str, Any]) -> str:
    """Return the name of the language of an item's prose."""
    is_prose = item["language"] and kind_of(item["media_type"]).icon != "code"
    return value_name("language", item["language"]) if is_prose else ""


def _byline(item: Mapping[str, Any]) -> str:
    """Return who wrote an item and when, as its metadata says."""
    metadata = item["metadata"]
    authors = metadata.get("author") or metadata.get("authors") or []
    names = ", ".join(map(str, authors)) if isinstance(authors, list) else str(authors)
    day = next((str(metadata[name]) for name in DATES if metadata.get(name)), "")
    return " · ".join(filter(None, (names, day_of(day[:10]))))


def _original(asked: Asked, item: Mapping[str, Any]) -> str | None:
    """Return the address of an item's file; None for a member of another file, and for a file that is too large."""
    if item.get("parent") or item["bytes"] > showing.MOST:
        return None
    return joined(f"/file/{quote(item['item_id'], safe='')}", [("original", "1"), *_corpus_pair(asked)])


def _family(asked: Asked, item: Mapping[str, Any]) -> dict[str, Any]:
    """Return links to the items in a container (an archive, a mail with attachments), and to an item's container."""
    pair = _corpus_pair(asked)
    inside = (item["path"] + MEMBER).rstrip("/")
    nodes = asked.ask(TREE, prefix=inside, depth=1, max_entries=_CHIPS)["nodes"] if item.get("members") else []
    chips = [
        (node["path"].rpartition("/")[2], item_address(node["item_id"], **dict(pair)))
        for node in nodes
        if node.get("item_id")
    ]
    return {
        "chips": chips,
        "held": item.get("members") and joined("/corpus", [("folder", inside), *pair]),
        "holder": item.get("parent") and item_address(item["parent"], **dict(pair)),
    }


_NOT_OF_SEARCH = dict.fromkeys(("span", "lines", "page", "hash", "sheet", "tab", "t", "source", "from", "locator"))


def _cited(asked: Asked, item: Mapping[str, Any]) -> tuple[dict[str, Any] | None, BiblicusError | None]:
    """Return the excerpt given by the address; an error if it no longer exists."""
    words = asked.word
    where: dict[str, Any] = {}
    if (span := marking.span_of(words("span"))) is not None:
        where = {"span": span}
    elif (lines := marking.span_of(words("lines"))) is not None:
        where = {"lines": lines}
    elif label := words("sheet") or words("locator") or _time(words("t")):
        where = {"locator": label}
    if not where:
        return None, None
    try:
        excerpt: dict[str, Any] = asked.ask(GET, item=item["item_id"], **where, spots=True)
    except (OutOfBounds, NoText) as error:
        return None, error
    if words("t") and "locator" in where:
        return _from_cue(asked, excerpt, int(words("t"))), None
    return excerpt, None


def _from_cue(asked: Asked, excerpt: dict[str, Any], seconds: int) -> dict[str, Any]:
    """Return the speech at a time, without the cue that ends at that time."""
    cues = [spot for spot in excerpt.get("spots", ()) if spot["kind"] == "time"]
    begun = [spot["offset"] for spot in cues[1:] if showing.seconds_of(spot["start"]) <= seconds]
    if not begun:
        return excerpt
    later: dict[str, Any] = asked.ask(GET, item=excerpt["item_id"], span=[begun[-1], excerpt["span_end"]])
    return later


def _time(seconds: str) -> str:
    return time_code(int(seconds)) if seconds.isascii() and seconds.isdigit() and len(seconds) < 7 else ""


def _standing(asked: Asked, cited: Mapping[str, Any] | None, gone: BiblicusError | None) -> tuple[str, str] | None:
    """Return the status of the cited text: a style class, and a sentence. None if the address has no hash."""
    digest = asked.word("hash")
    if gone is not None:
        return "gone", f"The cited place is there no more. {gone.message}"
    if cited is None or not digest:
        return None
    if len(digest) >= 16 and cited["sha256"].startswith(digest):
        return "verified", "Verified now: the cited words stand here, character by character."
    return "changed", "Changed: other words stand here now than were cited. Search again to find where they went."


def _matches(asked: Asked, item: Mapping[str, Any], question: str) -> list[dict[str, Any]]:
    """Return the evidence for the question of the address, in order."""
    if not question:
        return []
    names = [name for name in asked.words.getlist("corpus") if name in asked.names] or asked.names
    try:
        evidence: list[dict[str, Any]] = query(asked, question, names)["evidence"]
    except BiblicusError:
        return []
    several = len(asked.names) > 1
    for piece in evidence:
        corpus = (piece.get("corpus") or names[0]) if several else None
        piece["address"] = cited_address(piece, q=question, corpus=corpus)
    return evidence


def _steps(matches: list[dict[str, Any]], item: Mapping[str, Any], cited: Mapping[str, Any] | None) -> dict[str, Any]:
    addresses = [piece["address"] for piece in matches]
    starts = [(piece["item_id"], piece["span_start"]) for piece in matches]
    place = (item["item_id"], cited["span_start"]) if cited else None
    rank = starts.index(place) + 1 if place in starts else 0
    before = addresses[rank - 2] if rank > 1 else None
    return {"before": before, "after": next(iter(addresses[rank:]), None), "rank": rank or None, "of": len(matches)}


# --- PDF ---


def _pdf(
    asked: Asked, item: Mapping[str, Any], cited: Mapping[str, Any] | None, hits: list[tuple[int, int]]
) -> dict[str, Any]:
    """Return one page as an image with the cited text in boxes, and its text."""
    number = asked.number("page") or (cited["page"] if cited and cited["page"] else 1)
    marks = [f"{cited['span_start']}:{cited['span_end']}"] if cited else []
    address_fields = _own(asked)
    pages = item["pages"]
    if not pages:  # without text, the count is unknown
        try:
            pages = asked.ask(PAGE_IMAGE, item=item["item_id"], page=number)["pages"]
        except NoPageImage:
            return {}
    number = min(number, pages)  # if the file has fewer pages now, the last one
    view: dict[str, Any] = {
        "view": "pdf",
        "page": number,
        "pages": pages,
        "picture": picture_address(item["item_id"], page=number, mark=marks, corpus=address_fields["corpus"]),
        "page_before": item_address(item["item_id"], **address_fields, page=number - 1) if number > 1 else None,
        "page_after": item_address(item["item_id"], **address_fields, page=number + 1) if number < pages else None,
        "lines": [],
        "quote": " ".join(cited["text"].split())[:400] if cited else "",
    }
    if item["note"] is None:
        excerpt = asked.ask(GET, item=item["item_id"], page=number)
        span = (cited["span_start"], cited["span_end"]) if cited else None
        view["lines"] = marking.lines(excerpt["text"], excerpt["span_start"], excerpt["line_start"], span, hits)
    return view


# --- text ---


def _text(
    asked: Asked, item: Mapping[str, Any], cited: Mapping[str, Any] | None, hits: list[tuple[int, int]]
) -> dict[str, Any]:
    """Return Markdown as a document, tables as tables, anything else as numbered lines."""
    as_source = bool(asked.word("source"))
    kind = item["media_type"]
    switch = asked.address(item_address(item["item_id"]), source=None if as_source else 1)
    is_workbook = any(name in kind for name in _WORKBOOKS)
    is_rendered = kind in MARKDOWN and item["characters"] <= _MARKDOWN
    if not as_source and is_workbook and (sheet := _sheet(asked, item, cited)):
        return {**sheet, "switch": switch}
    if not as_source and is_rendered:
        return {**_rendered(asked, item, cited), "switch": switch}
    first = _first_line(asked, item, cited)
    last = min(item["lines"], first + WINDOW - 1)
    excerpt = asked.ask(GET, item=item["item_id"], lines=[first, max(first, last)], spots=True)
    span = (cited["span_start"], cited["span_end"]) if cited else None
    rows = marking.lines(excerpt["text"], excerpt["span_start"], first, span, hits, _words(asked, item, cited))
    address = asked.address(item_address(item["item_id"]), **{"from": None})
    join = "&" if "?" in address else "?"
    prose = kind.startswith(_PROSE)
    blocks = tables.blocks(rows, _above(asked, item, first)) if prose and not as_source else rows
    has_table = any(isinstance(block, tables.Table) for block in blocks)
    has_other = is_workbook or is_rendered or kind in _TABLES or has_table or (prose and as_source)
    view = {
        "view": "document" if prose and not as_source else "lines",
        **tables.structure(excerpt),
        "sections": _sections(asked, item),
        "lines": blocks,
        "is_source": as_source,
        "prose": prose,
        "first": first,
        "last": last,
        "times": _times(asked, item, excerpt),
        "switch": switch if has_other else None,
        "lines_before": f"{address}{join}from={max(1, first - WINDOW)}" if first > 1 else None,
        "lines_after": f"{address}{join}from={last + 1}" if last < item["lines"] else None,
    }
    if kind in _TABLES and not as_source and (table := tables.records(excerpt["text"], first, _TABLES[kind], rows)):
        return {**view, "view": "table", "head": _head(asked, item, _TABLES[kind], table), "table": table}
    return view


def _question(asked: Asked, item: Mapping[str, Any]) -> Question | None:
    question, language = asked.word("q").strip(), item["language"]
    return Question(question, {language: 1.0} if language else {}) if question else None


def _words(asked: Asked, item: Mapping[str, Any], cited: Mapping[str, Any] | None) -> list[tuple[int, int]]:
    """Return the spans of the question's words in a cited passage."""
    question = _question(asked, item)
    if cited is None or question is None or len(cited["text"]) <= _SENTENCE:
        return []
    marks = highlights(cited["text"], question)
    return [(cited["span_start"] + start, cited["span_start"] + end) for start, end in marks]


def _above(asked: Asked, item: Mapping[str, Any], first: int) -> list[str]:
    if first == 1:
        return []
    text: str = asked.ask(GET, item=item["item_id"], lines=[max(1, first - WINDOW), first - 1])["text"]
    return text.removesuffix("\n").split("\n")


def _first_line(asked: Asked, item: Mapping[str, Any], cited: Mapping[str, Any] | None) -> int:
    """Return the window's first line: as in the address, or a little above the citation."""
    first_line = asked.number("from")
    if first_line is None:
        first_line = cited["line_start"] - WINDOW // 4 if cited and cited["line_end"] > WINDOW else 1
    return max(1, min(first_line, int(item["lines"])))


def _sections(asked: Asked, item: Mapping[str, Any]) -> list[marking.Section]:
    """Return the headings of a document, each with the address of its page or line."""
    if item["headings"] < 2:
        return []
    full_text = asked.corpora.ask(asked.corpus, GET, GetRequest(item["item_id"], spots=True), asked.call)
    titled = [heading for heading in full_text.headings if heading["title"]][:_SECTIONS]
    sections = []
    line, at = 1, 0
    for heading in titled:
        line, at = line + full_text.text.count("\n", at, heading["offset"]), heading["offset"]
        end = min(at + len(heading["title"]), len(full_text.text))
        where = {"span": f"{at}-{end}"} if item["pages"] else {"from": line}
        sections.append(
            marking.Section(heading["level"], heading["title"], item_address(item["item_id"], **_own(asked), **where))
        )
    return sections


def _times(asked: Asked, item: Mapping[str, Any], excerpt: Mapping[str, Any]) -> dict[int, tuple[str, int, str]]:
    """Return the start of each cue by line: the time code, the seconds, and its address."""
    times: dict[int, tuple[str, int, str]] = {}
    line, at = excerpt["line_start"], excerpt["span_start"]
    for spot in excerpt.get("spots", ()):
        if spot["kind"] == "time" and spot["offset"] >= at:
            line += excerpt["text"].count("\n", at - excerpt["span_start"], spot["offset"] - excerpt["span_start"])
            at = spot["offset"]
            seconds = showing.seconds_of(spot["start"])
            times[line] = spot["start"], seconds, item_address(item["item_id"], **_own(asked), t=seconds) + "#mark"
    return times


def _sheet(asked: Asked, item: Mapping[str, Any], cited: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a sheet of a workbook: as in the address, or the cited one, or the first."""
    full_text = asked.corpora.ask(asked.corpus, GET, GetRequest(item["item_id"], spots=True), asked.call)
    names = tables.sheets(full_text.spots)
    if not names:
        return None
    place = cited["locator"] if cited and cited["locator"] and cited["locator"]["kind"] == "sheet" else None
    of_cited = next((name for name in names if place and place["label"].rpartition("!")[0] == sheet_name(name)), None)
    chosen = asked.word("tab") if asked.word("tab") in names else of_cited or names[0]
    label = asked.word("sheet") if place and "!" in asked.word("sheet") else (place or {}).get("label", "")
    marked = tables.corners(label.rpartition("!")[2]) if of_cited == chosen else None
    grid = tables.grid(tables.sheet_rows(full_text.text, full_text.spots, chosen), marked, asked.number("from"))
    address = asked.address(item_address(item["item_id"]), **{"from": None, "tab": chosen})
    return {
        "unmarked": cited is not None and not any(row.is_cited for row in grid.rows),
        "view": "grid",
        "grid": grid,
        "tabs": [
            {"name": name, "on": name == chosen, "address": item_address(item["item_id"], **_own(asked), tab=name)}
            for name in names
        ],
        "rows_before": f"{address}&from={max(0, grid.first - tables.ROWS)}" if grid.first else None,
        "rows_after": f"{address}&from={grid.last}" if grid.last < grid.total else None,
    }


def _own(asked: Asked) -> dict[str, str | None]:
    """Return the fields kept in addresses of the same item."""
    return {"corpus": asked.word("corpus") or None, "q": asked.word("q") or None}


def _rendered(asked: Asked, item: Mapping[str, Any], cited: Mapping[str, Any] | None) -> dict[str, Any]:
    text = asked.ask(GET, item=item["item_id"])["text"].removeprefix(marking.BYTE_ORDER_MARK)
    about = _question(asked, item)
    page = marking.rendered(
        text,
        (cited["line_start"], cited["line_end"]) if cited else None,
        lambda path: asked.item_address(marking.beside(item["path"], path)),
        (lambda words: highlights(words, about)) if about and cited and len(cited["text"]) > _SENTENCE else None,
    )
    is_unmarked = cited is not None and 'id="mark"' not in page.html
    return {"unmarked": is_unmarked, "view": "markdown", **page._asdict()}


def _head(asked: Asked, item: Mapping[str, Any], separator: str, table: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the header record, removed from the rows; None if the table has none."""
    beginning = table
    if table[0]["number"] > 1:
        text = asked.ask(GET, item=item["item_id"], lines=[1, min(_HEAD, item["lines"])])["text"]
        beginning = tables.records(text, 1, separator, []) or table
    if len(beginning) < 2 or not is_header(beginning[0]["cells"], beginning[1]["cells"]):
        return None
    return table.pop(0) if beginning is table else beginning[0]

"""Citations of a passage to copy: text, Markdown, BibTeX, CSL JSON, and JSON with the span."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from biblicus.connectors.web.asking import item_address
from biblicus.guards.terminal import safe

_BIBTEX = str.maketrans({char: f"\\{char}" for char in "&%$#_{}"} | {"\\": "\\textbackslash{}"})


def forms(item: Mapping[str, Any], cited: Mapping[str, Any] | None, corpus: str) -> list[tuple[str, str]]:
    """Return names of formats, and the texts to copy."""
    if cited is None:
        return []
    words = " ".join(safe(cited["text"], keep_newlines=True).split())
    title, label = safe(item["title"]), cited["locator"]["label"] if cited.get("locator") else ""
    path = safe(item["path"])
    where = f"{title} ({path}{', ' + label if label else ''})"
    span = f"{cited['span_start']}-{cited['span_end']}"
    address = cited.get("citation_url") or item_address(item["item_id"], corpus=corpus, span=span)
    evidence = {name: cited[name] for name in _SHOWN if cited.get(name) is not None} | {"hash": cited["sha256"]}
    return [
        ("Text", f"“{words}” — {where}"),
        ("Markdown", f"> {words}\n>\n> — [{_plain(title)}]({address}){', ' + label if label else ''}"),
        ("BibTeX", _bibtex(item, label)),
        ("CSL JSON", json.dumps([_csl(item, label)], ensure_ascii=False, indent=1)),
        ("JSON", json.dumps(evidence, ensure_ascii=False, indent=1)),
    ]


_SHOWN = (
    "item_id", "path", "text", "item_sha256", "extraction_id", "span_start", "span_end", "line_start", "line_end",
    "page", "locator",
)  # fmt: skip


def _plain(text: str) -> str:
    return re.sub(r"([\[\]\\`*_<>])", r"\\\1", text)


def _authors(item: Mapping[str, Any]) -> list[str]:
    authors = item["metadata"].get("author") or item["metadata"].get("authors") or []
    return [safe(str(author)) for author in (authors if isinstance(authors, list) else [authors])]


def _csl(item: Mapping[str, Any], label: str) -> dict[str, Any]:
    """Return CSL JSON for reference managers. Names are not split."""
    metadata = item["metadata"]
    day = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", str(metadata.get("date") or metadata.get("year") or ""))
    fields = {
        "id": item["item_id"],
        "type": "article-journal" if metadata.get("journal") else "document",
        "title": safe(item["title"]),
        "author": [{"literal": author} for author in _authors(item)],
        "issued": {"date-parts": [[int(part) for part in day.groups() if part]]} if day else None,
        "container-title": metadata.get("journal"),
        "DOI": metadata.get("doi"),
        "URL": item["source"]["uri"] if item["source"]["kind"] != "corpus" else None,
        "note": f"{safe(item['path'])}{', ' + label if label else ''}",
    }
    return {name: value for name, value in fields.items() if value}


def _bibtex(item: Mapping[str, Any], label: str) -> str:
    metadata = item["metadata"]
    named = " and ".join(_authors(item))
    fields = {
        "title": item["title"],
        "author": named,
        "year": str(metadata.get("date") or metadata.get("year") or "")[:4],
        "doi": metadata.get("doi"),
        "url": item["source"]["uri"] if item["source"]["kind"] != "corpus" else None,
        "note": f"{item['path']}{', ' + label if label else ''}",
    }
    key = re.sub(r"[^A-Za-z0-9]+", "-", str(item["item_id"])).strip("-") or "item"
    lines = [f"  {name} = {{{safe(str(value)).translate(_BIBTEX)}}}" for name, value in fields.items() if value]
    return f"@misc{{{key},\n" + ",\n".join(lines) + "\n}"

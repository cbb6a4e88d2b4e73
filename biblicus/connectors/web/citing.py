"""A passage as a citation to copy: as text, as Markdown, as BibTeX, as JSON that names the span."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from biblicus.connectors.web.asking import item_address
from biblicus.guards.terminal import safe

_BIBTEX = str.maketrans({char: f"\\{char}" for char in "&%$#_{}"} | {"\\": "\\textbackslash{}"})


def forms(item: Mapping[str, Any], cited: Mapping[str, Any] | None, corpus: str) -> list[tuple[str, str]]:
    """Names of forms, and the texts to copy."""
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
        ("JSON", json.dumps(evidence, ensure_ascii=False, indent=1)),
    ]


_SHOWN = (
    "item_id", "path", "text", "item_sha256", "extraction_id", "span_start", "span_end", "line_start", "line_end",
    "page", "locator",
)  # fmt: skip


def _plain(text: str) -> str:
    return re.sub(r"([\[\]\\`*_<>])", r"\\\1", text)


def _bibtex(item: Mapping[str, Any], label: str) -> str:
    metadata = item["metadata"]
    authors = metadata.get("author") or metadata.get("authors")
    named = " and ".join(map(str, authors)) if isinstance(authors, list) else authors
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

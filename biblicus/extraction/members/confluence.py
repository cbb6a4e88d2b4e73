"""Pages of a Confluence space exported as XML (`entities.xml`): current versions with their comments, as HTML.

A page's front matter names its labels as tags and, with view restrictions of its own or of a page above it, its
readers.

Storage format: https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from biblicus.guards import xml
from biblicus.models.extraction import Packed

_PARAMETER = re.compile(
    r"<ac:parameter\b[^<>]*>[^<]*</ac:parameter>|<ac:placeholder\b(?:(?!<ac:placeholder\b).)*?</ac:placeholder>",
    re.DOTALL,
)
_PLAIN = re.compile(r"<!\[CDATA\[((?:(?!<!\[CDATA\[).)*?)\]\]\s?>", re.DOTALL)
_LINK = re.compile(r"<ac:link\b[^<>]*>((?:(?!<ac:link\b).)*?)</ac:link>", re.DOTALL)
_TARGET = re.compile(r"<ri:(?:page|blog-post)\b[^<>]*?\bri:content-title=\"([^\"<>]*)\"[^<>]*>")
_BODY = re.compile(r"<ac:(?:plain-text-)?link-body>((?:(?!link-body>).)*)</ac:(?:plain-text-)?link-body>", re.DOTALL)
_DEEPEST = 100
"""Maximum pages above a page."""


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the pages and blog posts. Raises `XmlRefused`."""
    objects = _Objects()
    xml.scan_part(raw, objects)
    comments: dict[str, list[dict[str, str]]] = defaultdict(list)
    for comment in sorted(objects.of["Comment"], key=lambda comment: comment.get("creationDate", "")):
        if _is_current(comment):
            comments[comment.get("containerContent", comment.get("owner", ""))].append(comment)
    bodies = {body.get("content", ""): body.get("body", "") for body in objects.of["BodyContent"]}
    people = {person["id"]: person.get("name", "") for person in objects.of["ConfluenceUserImpl"] if "id" in person}
    restricted, labels = _restrictions(objects, people), _labels(objects)
    parents = {page.get("id", ""): page.get("parent", "") for page in objects.of["Page"]}
    for page in (*objects.of["Page"], *objects.of["BlogPost"]):
        if not _is_current(page) or not (title := page.get("title", "").strip()):
            continue
        id, author = page.get("id", ""), people.get(page.get("creator", ""), page.get("creatorName", ""))
        head = {**_readers(id, parents, restricted), **({"tags": labels[id]} if id in labels else {})}
        parts = (
            ["---\n", *(f"{name}: {json.dumps(listed)}\n" for name, listed in head.items()), "---\n"] if head else []
        )
        parts += [f"<!doctype html><html><head><meta charset=utf-8><title>{escape(title)}</title>"]
        parts += [f'<meta name="author" content="{escape(author)}">'] if author else []
        parts += [f'<meta name="date" content="{escape(page.get("lastModificationDate", "")[:10])}"></head><body>']
        parts += [f"<main><h1>{escape(title)}</h1>\n{_html(bodies.get(id, ''))}\n"]
        for comment in comments[id]:
            date = comment.get("creationDate", "")[:16]
            heading = ", ".join(filter(None, (people.get(comment.get("creator", "")), date)))
            parts.append(f"<h2>{escape(heading)}</h2>\n{_html(bodies.get(comment.get('id', ''), ''))}\n")
        yield Packed(_file(title), ["".join((*parts, "</main></body></html>")).encode("utf-8", "replace")])


def _restrictions(objects: _Objects, people: dict[str, str]) -> dict[str, list[str]]:
    """Return the people and groups that may view a page, for each that is restricted itself."""
    readers: dict[str, list[str]] = defaultdict(list)
    for permission in objects.of["ContentPermission"]:
        person = permission.get("userName") or people.get(permission.get("userSubject", ""), "")
        group = permission.get("groupName")
        readers[permission.get("owningSet", "")] += filter(None, (person, group and f"group:{group}"))
    sets = [entry for entry in objects.of["ContentPermissionSet"] if entry.get("type", "View").lower() == "view"]
    return {entry.get("owningContent", ""): readers[entry.get("id", "")] for entry in sets}


def _labels(objects: _Objects) -> dict[str, list[str]]:
    """Return the labels of each page that all its readers see; those of one person are left out."""
    names = {label.get("id", ""): label for label in objects.of["Label"] if label.get("namespace", "global") != "my"}
    labels: dict[str, list[str]] = defaultdict(list)
    for labelling in objects.of["Labelling"]:
        if name := names.get(labelling.get("label", ""), {}).get("name"):
            labels[labelling.get("labelableId") or labelling.get("content", "")].append(name)
    return labels


def _readers(id: str, parents: dict[str, str], restricted: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the readers of a restricted page, else nothing. Several lists that differ leave the owner alone."""
    lists = []
    for _ in range(_DEEPEST):
        lists += [restricted[id]] if id in restricted else []
        if not (id := parents.get(id, "")):
            break
    if not (id or lists):
        return {}
    return {"readers": [] if id or any(readers != lists[0] for readers in lists) else lists[0]}


def _is_current(content: dict[str, str]) -> bool:
    """Return true for content that is no earlier version, no draft and not in the trash."""
    return not content.get("originalVersion") and content.get("contentStatus", "current") == "current"


def _file(title: str) -> str:
    """Return the name of a page's file, not a hidden one."""
    name = re.sub(r"[/\\\0:]+|\A\.", "-", " ".join(title.split()))
    return f"{name[:150]}.html"


def _html(storage: str) -> str:
    """Return a text of storage format as HTML."""
    text = _LINK.sub(_link, _PARAMETER.sub("", storage))
    text = text.replace("<ac:plain-text-body>", "<pre>").replace("</ac:plain-text-body>", "</pre>")
    return _PLAIN.sub(lambda match: escape(match[1]), text)


def _link(match: re.Match[str]) -> str:
    target, body = _TARGET.search(match[1]), _BODY.search(match[1])
    words = body[1] if body else target[1] if target else ""
    return f'<a href="{quote(_file(target[1]))}">{words}</a>' if target else words


class _Objects:
    """Objects of an export by class, each with its texts and the ids of related objects by name of property."""

    def __init__(self) -> None:
        self.of: dict[str, list[dict[str, str]]] = defaultdict(list)
        self._values: dict[str, str] = {}
        self._name, self._in_collection = "", 0
        self._text: list[str] = []

    def start(self, name: str, attributes: dict[str, Any], /) -> None:
        if name == "object":
            self._values, self._name = {}, ""
            self.of[attributes.get("class", "")].append(self._values)
        elif name == "collection":
            self._in_collection += 1
        elif name == "property":
            self._name = attributes.get("name", "")
        self._text.clear()

    def data(self, text: str, /) -> None:
        self._text.append(text)

    def end(self, name: str, /) -> None:
        if name == "collection":
            self._in_collection -= 1
        elif name in ("property", "id") and not self._in_collection:
            text = "".join(self._text).strip()
            self._values.setdefault(self._name or "id", text)
            self._name = "" if name == "property" else self._name
        self._text.clear()

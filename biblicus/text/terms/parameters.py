"""Parameters described in MDX components and object literals.

Examples: `<ParamField path="boat" type="string">The boat.</ParamField>` and `{name: "boat", type: "string",
description: "The boat."}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from biblicus.models.extraction import Span
from biblicus.models.frozen import dataclass

_KINDS = "Param|Parameter|Property|Prop|Field|Option|Argument|Attribute"
_COMPONENT = re.compile(rf"<(?:[A-Z]\w*)?(?:{_KINDS})\s")
_KEYS = "name|prop|param|property|option|field|attribute"
_BRACED = re.compile(rf"\{{\s*[\"']?(?:{_KEYS})[\"']?:")
"""Beginnings of components and objects, for a fast first search."""
_VALUE = r"(?:\"[^\"\n]*\"|'[^'\n]*'|\{(?:[^{}\n]|\{[^{}\n]*\})*\})"
_TAG = re.compile(
    rf"^[ \t]*(?P<all><(?P<tag>(?:[A-Z]\w*)?(?:{_KINDS}))(?:\s+[\w:-]+(?:={_VALUE})?)+\s*(?P<closed>/)?>)", re.MULTILINE
)
_BOUND = re.compile(rf"(?P<all></?(?P<tag>(?:[A-Z]\w*)?(?:{_KINDS}))\b[^<>]*?(?P<closed>/)?>)")
_NAMED = re.compile(
    r"\s(?:path|body|query|header|name|param|prop|field|option|attribute)="
    r"(?:\"(?P<double>[^\"\n]{1,80})\"|'(?P<single>[^'\n]{1,80})'|\{[\"'`](?P<braced>[^\"'`\n]{1,80})[\"'`]\})"
)
_OBJECT = re.compile(
    rf"^[ \t]*(?P<all>{_BRACED.pattern}\s*(?P<mark>[\"'`])"
    r"(?P<name>[^\"'`\n]{1,80})(?P=mark))",
    re.MULTILINE,
)
_DESCRIBED = re.compile(
    r"[\s{,][\"']?(?:description|desc)[\"']?:\s*(?P<mark>[\"'`])(?P<text>(?:\\.|(?!(?P=mark))[^\\]){1,2000}?)(?P=mark)",
    re.DOTALL,
)
_SAYS = re.compile(r"desc(?:ription)?[\"']?:")
"""Key that every described object has."""
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[{}]")
_TOLD = {
    "": re.compile(r"[\s{,][\"']?type[\"']?(?:=|:\s*)(?:([\"'`])(.*?)\1|\{[\"'`]?([^{}\n]*?)[\"'`]?\})", re.DOTALL),
    "default: ": re.compile(
        r"[\s{,][\"']?(?:default|defaultValue|initial)[\"']?(?:=|:\s*)"
        r"(?:([\"'`])(.*?)\1|\{[\"'`]?([^{}\n]*?)[\"'`]?\}|([\w.+-]+))",
        re.DOTALL,
    ),
}
"""Details of a parameter in a component or object."""
_REQUIRED = re.compile(
    r"[\s{,](?:required(?=[\s/>])|[\"']?required[\"']?(?::\s*|=\{)true|[\"']?(?:isOptional)[\"']?:\s*false)"
)
_WIDEST = 20_000
"""Maximum characters of a component or object."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter with the range of its description. `depth`: number of parameters around it; `head`: end of name, type
    and default; `text`: its description if that is not below the head."""

    name: str
    start: int
    end: int
    depth: int
    head: int
    text: Span | None


def parameters(text: str) -> list[Parameter]:
    """Return all parameters of a text in ascending order, including those in code."""
    heads = [*_tags(text)] if _COMPONENT.search(text) else []
    if _BRACED.search(text) and _SAYS.search(text):
        heads += _objects(text)
    ends: list[int] = []
    nested = []
    for one in sorted(heads, key=lambda one: one.start):
        while ends and ends[0] <= one.start:
            heappop(ends)
        nested.append(Parameter(one.name, one.start, one.end, len(ends), one.head, one.text))
        heappush(ends, one.end)
    return nested


def _tags(text: str) -> Iterator[Parameter]:
    heads = [*_TAG.finditer(text)]
    closed = _closed(text, heads)
    for head in heads:
        if named := _NAMED.search(head["all"]):
            begin, end = head.span("all")
            yield Parameter(next(filter(None, named.groups())), begin, closed.get(begin, end), 0, end, None)


def _closed(text: str, heads: Sequence[re.Match[str]]) -> dict[int, int]:
    """Return the end of each component by its start, without unclosed ones."""
    begun: dict[str, list[tuple[int, int]]] = {}
    closed: dict[int, int] = {}
    beyond = 0
    for bound in sorted((*heads, *_BOUND.finditer(text)), key=lambda bound: bound.start("tag")):
        if bound.start("tag") < beyond:
            continue
        begin, beyond = bound.span("all")
        others = begun.setdefault(bound["tag"], [])
        if text.startswith("</", begin):
            opened, head = others.pop() if others else (begin, begin)
            if beyond - head <= _WIDEST:
                closed[opened] = beyond
        elif not bound["closed"]:
            others.append((begin, beyond))
    return closed


def _objects(text: str) -> Iterator[Parameter]:
    heads = [*_OBJECT.finditer(text)]
    starts = [head.start("all") for head in heads]
    ends = _braced(text, starts)
    for head, start, following in zip(heads, starts, (*starts, len(text))[1:], strict=True):
        if (end := ends.get(start)) is None:
            continue
        if described := _DESCRIBED.search(text, start, min(following, end)):
            yield Parameter(head["name"], start, end, 0, described.start() + 1, Span(*described.span("text")))


def _braced(text: str, starts: Sequence[int]) -> dict[int, int]:
    """Return the end of each object literal by its start, skipping braces in strings; an unclosed one has maximum
    length."""
    ends: dict[int, int] = {}
    beyond = 0
    for start in starts:
        if start < beyond:
            continue
        begun: list[int] = []
        beyond = min(len(text), start + _WIDEST)
        for match in _STRING.finditer(text, start, beyond):
            if match[0] == "{":
                begun.append(match.start())
            elif match[0] == "}":
                ends[begun.pop()] = match.end()
                if not begun:
                    beyond = match.end()
                    break
        ends |= dict.fromkeys(begun, beyond)
    return ends


def said(text: str) -> str:
    """Return the details in a parameter's head: `boat: string; default: Tern; required`, or an empty string."""
    if not text.startswith(("<", "{")):
        return ""
    named = _NAMED.search(text) if text.startswith("<") else _OBJECT.match(text)
    if named is None:
        return ""
    name = named["name"] if text.startswith("{") else next(filter(None, named.groups()))
    details = []
    for label, pattern in _TOLD.items():
        if (match := pattern.search(text)) is not None:
            details.append(label + " ".join(next(filter(None, match.groups()[1:]), "").split()))
    details += ["required"] if _REQUIRED.search(text) else []
    return f"{name}: {'; '.join(details)}" if details else ""


def named(text: str) -> str:
    """Return the name of the parameter at the start of a text, or an empty string."""
    if text.startswith("{"):
        return match["name"] if (match := _OBJECT.match(text)) else ""
    match = _TAG.match(text) if text.startswith("<") else None
    one = _NAMED.search(match["all"]) if match else None
    return next(filter(None, one.groups())) if one else ""

"""What pages of MDX tell of parameters in components, `<ParamField path="boat" type="string">The boat.</ParamField>`,
and in objects that are given to one, `{name: "boat", type: "string", description: "The boat."}`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from biblicus.models.extraction import Span

_KINDS = "Param|Parameter|Property|Prop|Field|Option|Argument|Attribute"
_COMPONENT = re.compile("<[A-Z]")
_VALUE = r"(?:\"[^\"\n]*\"|'[^'\n]*'|\{(?:[^{}\n]|\{[^{}\n]*\})*\})"
_TAG = re.compile(
    rf"^[ \t]*(?P<all><(?P<tag>(?:[A-Z]\w*)?(?:{_KINDS}))(?:\s+[\w:-]+(?:={_VALUE})?)+\s*(?P<closed>/)?>)", re.MULTILINE
)
_NAMED = re.compile(
    r"\s(?:path|body|query|header|name|param|prop|field|option|attribute)="
    r"(?:\"(?P<double>[^\"\n]{1,80})\"|'(?P<single>[^'\n]{1,80})'|\{[\"'`](?P<braced>[^\"'`\n]{1,80})[\"'`]\})"
)
_OBJECT = re.compile(
    r"^[ \t]*(?P<all>\{\s*[\"']?(?:name|prop|param|property|option|field|attribute)[\"']?:\s*(?P<mark>[\"'`])"
    r"(?P<name>[^\"'`\n]{1,80})(?P=mark))",
    re.MULTILINE,
)
_DESCRIBED = re.compile(
    r"[\s{,][\"']?(?:description|desc)[\"']?:\s*(?P<mark>[\"'`])(?P<text>(?:\\.|(?!(?P=mark)).){1,2000}?)(?P=mark)",
    re.DOTALL,
)
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[{}]")
_TOLD = {
    "": re.compile(r"[\s{,][\"']?type[\"']?(?:=|:\s*)(?:([\"'`])(.*?)\1|\{[\"'`]?([^{}\n]*?)[\"'`]?\})", re.DOTALL),
    "default: ": re.compile(
        r"[\s{,][\"']?(?:default|defaultValue|initial)[\"']?(?:=|:\s*)"
        r"(?:([\"'`])(.*?)\1|\{[\"'`]?([^{}\n]*?)[\"'`]?\}|([\w.+-]+))",
        re.DOTALL,
    ),
}
"""What a component or an object says of its parameter."""
_REQUIRED = re.compile(
    r"[\s{,](?:required(?=[\s/>])|[\"']?required[\"']?(?::\s*|=\{)true|[\"']?(?:isOptional)[\"']?:\s*false)"
)
_HEADINGS = re.compile(r"(?:#{1,6} [^\n]*\n\s*)+")
_WIDEST = 20_000
"""Characters of a component or an object at most."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One of them: its name, where what is said of it begins and ends, how many others it is within, where its head
    ends (name, type and default), and where its description stands, if not below the head."""

    name: str
    start: int
    end: int
    depth: int
    head: int
    text: Span | None


def parameters(text: str) -> list[Parameter]:
    """All of a text, ascending; those within code, too."""
    is_tagged = ('="' in text or "={" in text or "='" in text) and _COMPONENT.search(text) is not None
    heads = [*_tags(text)] if is_tagged and any(kind in text for kind in _KINDS.split("|")) else []
    if "{" in text and ("escription" in text or "desc" in text):
        heads += _objects(text)
    ends: list[int] = []
    nested = []
    for one in sorted(heads, key=lambda one: one.start):
        ends = [end for end in ends if end > one.start]
        nested.append(Parameter(one.name, one.start, one.end, len(ends), one.head, one.text))
        ends.append(one.end)
    return nested


def _tags(text: str) -> Iterator[Parameter]:
    for match in _TAG.finditer(text):
        if named := _NAMED.search(match["all"]):
            closes = match.end() if match["closed"] else _closed(text, match["tag"], match.end())
            name = next(filter(None, named.groups()))
            yield Parameter(name, match.start("all"), closes, 0, match.end("all"), None)


def _closed(text: str, tag: str, at: int) -> int:
    """Where the component ends that was opened before `at`."""
    depth = 1
    for match in re.compile(rf"<(/?){tag}\b[^<>]*?(/?)>").finditer(text, at, at + _WIDEST):
        depth += -1 if match[1] else 0 if match[2] else 1
        if not depth:
            return match.end()
    return at


def _objects(text: str) -> Iterator[Parameter]:
    for match in _OBJECT.finditer(text):
        start = match.start("all")
        end = _braced(text, start)
        inner = _OBJECT.search(text, match.end(), end)
        described = _DESCRIBED.search(text, start, inner.start() if inner else end)
        if described is not None:
            yield Parameter(match["name"], start, end, 0, described.start() + 1, Span(*described.span("text")))


def _braced(text: str, start: int) -> int:
    """Where the object ends that begins at a brace."""
    depth = 0
    for match in _STRING.finditer(text, start, start + _WIDEST):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not depth:
            return match.end()
    return min(len(text), start + _WIDEST)


def said(text: str) -> str:
    """What the head of a parameter tells: `boat: string; default: Tern; required`; empty where it is no more than its
    name."""
    if not text.startswith(("<", "{")):
        return ""
    named = _NAMED.search(text) if text.startswith("<") else _OBJECT.match(text)
    if named is None:
        return ""
    name = named["name"] if text.startswith("{") else next(filter(None, named.groups()))
    told = []
    for label, pattern in _TOLD.items():
        if (match := pattern.search(text)) is not None:
            told.append(label + " ".join(next(filter(None, match.groups()[1:]), "").split()))
    told += ["required"] if _REQUIRED.search(text) else []
    return f"{name}: {'; '.join(told)}" if told else ""


def named(text: str) -> str:
    """The name of the parameter that a text begins with; empty where it begins with none."""
    if text.startswith("{"):
        return match["name"] if (match := _OBJECT.match(text)) else ""
    match = _TAG.match(text) if text.startswith("<") else None
    one = _NAMED.search(match["all"]) if match else None
    return next(filter(None, one.groups())) if one else ""


def begins_with_one(text: str) -> bool:
    """Whether nothing but headings stands before the first."""
    if not text.startswith(("<", "{", "#")):
        return False
    headings = _HEADINGS.match(text)
    return bool(named(text[headings.end() if headings else 0 :]))


def outside(found: list[Parameter], fences: list[int]) -> list[Parameter]:
    """Those that stand in no code. `fences`: where it begins and ends, in turn."""
    return [one for one in found if not bisect_left(fences, one.start) % 2]

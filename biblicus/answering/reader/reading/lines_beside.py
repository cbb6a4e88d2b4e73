"""Lines whose kind depends on their neighbours: document headers, consecutive facts and messages, nested keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from biblicus.answering.reader.reading.written_lines import CODE
from biblicus.text import replies

_HEADER = re.compile(r"[^\W\d_][\w-]{0,30}:(?:[ \t]|$)")
_OF_A_DOCUMENT = re.compile(
    r"(?:author|status|version|created|last-modified|obsoletes|category|superseded-by)s?:", re.IGNORECASE
)
_OF_A_MESSAGE = re.compile(r"(?:from|to|subject|date|von|an|betreff):", re.IGNORECASE)
_HEADERS = 3
"""Minimum lines of a document's header."""
_KEY = re.compile(r"([ \t]*(?:- )?)[a-z_][\w.-]*:(?:[ \t]+(\S)|$)")
"""A line of a configuration mapping: `become_user: root`."""
_QUOTING = ("text/plain", *replies.TYPES)
"""Media types in which `>>> ` marks a quotation."""
_MARKUP = re.compile(r"[ \t]*(?:</?[A-Za-z][\w.]*[ \t>/]|</?[A-Za-z][\w.]*$|[\w-]+=[\"{])")
"""A line with a tag or a tag's attribute."""
_MEMBER = re.compile(r"[ \t]*\"[^\"\n]{1,80}\"[ \t]*:[ \t]*\S")
"""A line of a JSON object."""
_NONE = "-"
"""Placeholder for no prompt."""
_CLOSES = ('"""', "'''", "```", "~~~")
"""The beginnings of lines that end a text with an interpreter session."""
FACT = re.compile(r"[ \t]{0,3}(?:\*\*|`)?[^\W\d_][\w()/-]*(?: [\w()/%-]+){0,3}(?:\*\*|`)?::?(?:\*\*)?[ \t]+\S")
"""A line with a name and a value: `Blood type: A+`, `Deadline:: May`."""
VALUE = re.compile(r":[ \t]+[*_\"'“(]{0,3}(?:[`+€$£]|\d)")
"""A colon followed by a number, date, amount or code."""
TERM = re.compile(r"[ \t]{0,3}[^\W\d_][\w()/'’-]*(?: [\w()/'’-]+){0,3}[ \t]+[-–—=][ \t]+\S")
"""A line with a term and its definition: `leeward - the side away from the wind`."""
MESSAGE = re.compile(
    r"[\u200e\u200f]?\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[,T]?[ \t]*)?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:[ \u202f]?[ap]\.?m\.?)?\]?(?:\t[@+%~&]?(?P<nick>[^\s:<>*!=-][^\s:]{0,39})\t(?=\S)"
    r"|[ \t]*(?:[-–][ \t]*)?(?:(?:<(?P<angled>[^<>\n]{1,40})>|(?P<named>[^:\n\s][^:\n]{0,39}):)[ \t]+\S"
    r"|From (?P<sender>[^:\n]{1,100}):[ \t]*$))",
    re.IGNORECASE,
)
"""A line of a conversation or log with its time and speaker: `12/03/2025, 18:04 - Ada: Ahoy`."""
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:[ \u202f]?[ap]\.?m\.?)?"
_SPEAKER = re.compile(rf"\[\d{{1,4}}[./-]\w{{1,9}}[./-]\d{{1,4}},? {_CLOCK}\][ \t]+[^\s:][^:\n]{{0,60}}", re.IGNORECASE)
"""A line with the time and speaker of the text below: `[06-May-24 10:12 AM] ada`."""
_MARKED_PLACE = re.compile(rf"- [^|\n]{{3,120}}\|[^\n]{{0,120}}\b\d{{4}}\b[^\n]{{0,20}}{_CLOCK}", re.IGNORECASE)
"""The location and time that e-book readers write below the title of a highlight."""
_TIME_ALONE = re.compile(rf"[ \t]*{_CLOCK}[ \t]*", re.IGNORECASE)
_NAME_ALONE = re.compile(r"[^\W\d_][\w .,'’-]{1,40}")


_USAGE = re.compile(r"[ \t]{0,8}usage:", re.IGNORECASE)
_EXPLAINED = re.compile(
    r"[ \t]{1,12}(?:-\w, ?)?-{0,2}\w[\w.-]{0,60}(?:[ =,]{1,2}[^\s=,]{1,60}){0,6}[ \t]{2,60}[^\W\d_][\w'’-]{0,60} \S"
)
"""A line of help with an option or command and its description: ` -o, --output string Write to a file`."""
_TERM = 8
"""Maximum words of a term above its definition."""
MEANS = re.compile(r"[ ]{0,3}:[ \t]+\S")
_OF_CODE, _FEW = "```", 3
"""The marks of an unseen fence, and the minimum lines of a text inside one."""
_OF_MARKDOWN = re.compile(r"[-*+] \S|\d{1,3}[.)] |[|>]|\[|\*\*|</?[A-Za-z]")
"""The beginnings of lines that are no code: an item, a row, a quotation, a link, a tag."""
DRAWING = re.compile(
    r"[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?(?:mermaid|plantuml|puml|graphviz|dot|d2|ditaa|blockdiag|seqdiag|svgbob|pikchr"
    r"|vega(?:-lite)?|wavedrom|nomnoml|erd)\b",
    re.IGNORECASE,
)
"""Opening of a fence with a diagram description, which is no program code."""
_OF_TEXT = re.compile(
    r"[ \t>]*(?:`{3,}|~{3,})[ \t]*(?:(?:text|txt|console|help|output|md|markdown)\b.*)?\Z", re.IGNORECASE
)
"""Opening of a fence that may contain text: without a language or with one for text."""


def commented(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of lines in HTML comments of several lines, which Markdown readers do not see."""
    places: set[int] = set()
    begun: int | None = None
    for at, line in enumerate(lines):
        if begun is None and line.lstrip(" \t>").startswith("<!--"):
            begun = at
        if begun is not None and "-->" in line:
            places.update(range(begun, at + 1))
            begun = None
    return frozenset(places)


def helps(lines: Sequence[str]) -> dict[int, str]:
    """Return lines in fences that are no code with their kind (`fact`, `label`, `prose`). Such lines are usage help of
    programs and definition lists."""
    drawn = [at for at, line in enumerate(lines) if line.lstrip(" \t>").startswith(("```", "~~~"))]
    places: dict[int, str] = {}
    for start, end in pairwise((-1, *drawn, len(lines))):  # text between fences is never read as code
        if drawn and (start < 0 or _OF_TEXT.match(lines[start])):
            places.update(_helping(lines, range(start + 1, end)))
    return places


def _helping(lines: Sequence[str], within: range) -> dict[int, str]:
    means: set[int] = set()
    for at in within[1:]:
        is_term = at - 1 in means or (lines[at - 1].strip() and not CODE.search(lines[at - 1]))
        if is_term and MEANS.match(lines[at]):
            means.add(at)
    told = means.union(at for at in within if _EXPLAINED.match(lines[at]))
    usage = {at for at in within if _USAGE.match(lines[at])}
    shown = {at for at in within if lines[at].lstrip(" \t>").startswith("$ ")}
    written = [at for at in within if lines[at].strip() and at not in usage | shown]
    is_list = 0 < len(written) <= 3 * len(means)
    has_code = any(CODE.search(lines[at]) for at in written if at not in told)
    if has_code or not (is_list or (usage and len(told) > 1)):
        return {}

    def kind(at: int) -> str:
        leads = lines[at].rstrip().endswith(":") or (at + 1 in means and len(lines[at].split()) <= _TERM)
        return "fact" if at in told else "label" if leads else "prose"

    return {at: kind(at) for at in written}


def speakers(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of lines that give speaker and time of the text below, on one line or two."""
    places = {at for at, line in enumerate(lines) if line[:1] == "[" and _SPEAKER.fullmatch(line)}
    for at, (one, below) in enumerate(pairwise(lines)):
        if one.strip() and _MARKED_PLACE.fullmatch(below) and not "".join(lines[at + 2 : at + 3]).strip():
            places.update((at, at + 1))
        if _TIME_ALONE.fullmatch(below) and _NAME_ALONE.fullmatch(one) and (at == 0 or not lines[at - 1].strip()):
            places.update((at, at + 1))
    return frozenset(places)


def speaker(message: str) -> str:
    """Return the speaker of a message by its first line, or an empty string."""
    match = MESSAGE.match(message)
    return next(filter(None, match.groups()), "") if match else ""


def headers(lines: Sequence[str]) -> int:
    """Return the number of header lines at the start of a text (`Author: …`, `Status: …`); 0 for messages."""
    count = 0
    for line in lines:
        if not (_HEADER.match(line) or (count and line[:1] in " \t" and line.strip())):
            break
        count += 1
    header = lines[:count]
    ends = not "".join(lines[count : count + 1]).strip()
    is_document = any(map(_OF_A_DOCUMENT.match, header)) and not any(map(_OF_A_MESSAGE.match, header))
    return count if count >= _HEADERS and ends and is_document else 0


def facts(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of lines that are facts, at least two in a row, and of lines directly below them."""
    is_fact = [FACT.match(line) is not None for line in lines]
    terms = [TERM.match(line) is not None for line in lines]
    messages = {at for at, line in enumerate(lines) if line[:3].strip() and MESSAGE.match(line)}
    places: set[int] = messages if len(messages) > 1 else set()
    places |= {place for at, both in enumerate(pairwise(terms)) if all(both) for place in (at, at + 1)}
    fact_above = -1
    for at, line in enumerate(lines):
        if is_fact[at]:
            places |= {fact_above, at} if 0 <= fact_above < at - 1 else set()  # lines between are indented further
            fact_above = at
        elif not (line[:2].isspace() and line.strip()):
            fact_above = -1
    for at, (one, next_one) in enumerate(pairwise(is_fact)):
        if one and (next_one or (at in places and lines[at + 1][:1].isupper())):
            places.update((at, at + 1))
    return frozenset(places)


def open_fence(lines: Sequence[str], marked: Sequence[int]) -> str | None:
    """Return the marks of the fence in which a text starts, or None. `marked`: numbers of the lines that are fences.

    The first fence must be bare. Then either the next one opens another, or it is the last of an odd number and code or
    a line directly above precedes it.
    """
    first = marked[0] if marked else 0
    marks = [lines[at].strip(" \t>") for at in marked[:2]]
    if not marks or marks[0].strip("`~"):
        return None
    if marks[1:] and marks[1].strip("`~") and marks[1][:3] == marks[0][:3]:
        return marks[0][:3]
    before = [line for line in lines[:first] if line.strip()]
    if len(marked) % 2 == 0 or not before:
        return None
    if lines[first - 1].strip() and not "".join(lines[first + 1 : first + 2]).strip():
        return marks[0][:3]
    return marks[0][:3] if 3 * _codelike(before) >= len(before) else None


def _codelike(lines: Iterable[str]) -> int:
    """Return the number of lines that look like code."""
    return sum(any(look(line) for look in (CODE.search, _MEMBER.match, _MARKUP.match)) for line in lines)


def within_fence(lines: Sequence[str]) -> str | None:
    """Return the marks of the fence around a Markdown text without fences, or None. Most lines must look like code and
    none like Markdown."""
    written = [line for line in lines if line.strip()]
    if len(written) < _FEW or any(map(_OF_MARKDOWN.match, written)):
        return None
    return _OF_CODE if 2 * _codelike(written) > len(written) else None


def coded(lines: Sequence[str], media_type: str) -> frozenset[int]:
    """Return the numbers of lines that are code by their neighbours: nested keys, interpreter sessions."""
    return nested_keys(lines) | (frozenset() if media_type in _QUOTING else session(lines))


def session(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of lines from a prompt (`>>> reef.depth`) to a blank one: input and output."""
    places: set[int] = set()
    prompt = _NONE
    for at, line in enumerate(lines):
        words = line.lstrip(" \t#")
        if words.startswith(">>> "):
            prompt = line[: len(line) - len(words)]
        elif not words.strip() or words.startswith(_CLOSES) or ("#" in prompt and not line.lstrip().startswith("#")):
            prompt = _NONE
        if prompt != _NONE:
            places.add(at)
    return frozenset(places)


def nested_keys(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of lines of a configuration: consecutive keys with some nested ones."""
    nested: set[int] = set()
    keys = [_KEY.match(line) for line in lines]
    start = 0
    for at, key in enumerate([*keys, None]):
        if key is None:
            run = [match for match in keys[start:at] if match]
            if any(_holds(above, below) for above, below in pairwise(run)):
                nested.update(range(start, at))
            start = at + 1
    return frozenset(nested)


def _holds(above: re.Match[str], below: re.Match[str]) -> bool:
    """Return True if the second key is nested in the first, below its list mark or its missing value."""
    marked, further = above[1].endswith("- "), len(below[1]) - len(above[1])
    return not below[1].endswith("- ") and (further == 0 if marked else further > 0 and above[2] is None)

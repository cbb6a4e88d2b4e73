"""TREC format: topics (`<top>` records, or `id<TAB>text` lines) and qrels (`topic iteration document grade`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from biblicus.measure.formats.lines import invalid, numbered
from biblicus.models.answers.evaluation import JudgedQuestion, Judgement

_TAG = re.compile(r"(?=<(?:num|title|desc|narr|/top|top)>)", re.IGNORECASE)
_LABEL = r"(?:(?:Number|Topic|Description|Narrative)\s*:)?"
_FIELD = re.compile(rf"<(num|title|desc|narr|/top|top)>\s*{_LABEL}\s*(.*)", re.IGNORECASE)


def topics(blocks: Iterable[bytes], where: str) -> Iterator[JudgedQuestion]:
    """Yield the questions: the title of a `<top>` record, or its description if it has no title."""
    lines = numbered(blocks, where)
    topic_ids: set[str] = set()
    first = next(lines, None)
    if first is None:
        return
    read = _records if first[1].lstrip().startswith("<") else _rows
    for number, question_id, text in read(chain([first], lines), where):
        if question_id in topic_ids:
            raise invalid(where, number, f'the topic "{question_id[:80]}" stands twice')
        topic_ids.add(question_id)
        yield JudgedQuestion(question_id, text)


def _rows(lines: Iterator[tuple[int, str]], where: str) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        question_id, tab, text = line.partition("\t")
        if not tab or not question_id.strip() or not text.strip():
            raise invalid(where, number, "expected a topic's id, a tab and its text")
        yield number, question_id.strip(), text.strip()


def _records(lines: Iterator[tuple[int, str]], where: str) -> Iterator[tuple[int, str, str]]:
    """Yield `<top>` records; fields have a start tag and rarely an end tag."""
    fields: dict[str, str] = {}
    open_field, inside = "", False
    parts = ((number, part) for number, full_line in lines for part in _TAG.split(full_line) if part.strip())
    for number, line in parts:
        tag = _FIELD.match(line.strip())
        if tag is None:
            if open_field:
                fields[open_field] = f"{fields[open_field]} {re.sub('</[a-z]+>', '', line).strip()}".strip()
            continue
        name, value = tag[1].lower(), re.sub(r"</\w+>", "", tag[2]).strip()
        if name == "top":
            fields, open_field, inside = {}, "", True
        elif not inside:
            raise invalid(where, number, f"<{name}> stands outside a <top> record")
        elif name == "/top":
            text = fields.get("title") or fields.get("desc") or ""
            if not fields.get("num") or not text:
                raise invalid(where, number, "a topic without number or title ends here")
            yield number, fields["num"], " ".join(text.split())
            inside, open_field = False, ""
        else:
            fields[name], open_field = value, name


def judgements(blocks: Iterable[bytes], where: str) -> dict[str, list[Judgement]]:
    """Return judgements by topic."""
    by_question: dict[str, list[Judgement]] = {}
    for number, line in numbered(blocks, where):
        fields = line.split()
        if len(fields) != 4:
            raise invalid(where, number, "expected topic, iteration, document and grade")
        by_question.setdefault(fields[0], []).append(Judgement(fields[2], grade_of(fields[3], where, number)))
    return by_question


def grade_of(text: str, where: str, number: int) -> int:
    """Return a grade, which may be written as `1.0`. Negative grades (junk, spam) are kept and never relevant."""
    if not re.fullmatch(r"[+-]?[0-9]{1,6}(\.0{1,6})?", text):
        raise invalid(where, number, f'"{text[:40]}" is no grade; expected a whole number')
    return int(text.partition(".")[0])

"""Reads and writes TREC run files: `question Q0 document rank score tag`.

Ids with white space are percent-encoded, since white space separates columns. Scores are written strictly decreasing in
single precision, which trec_eval reads and would otherwise reorder as ties.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biblicus.errors import ConfigInvalid
from biblicus.measure.formats.lines import invalid, numbered
from biblicus.measure.metrics import in_trec_order, single_precision
from biblicus.models.answers.evaluation import RankedItem, System

_SPACE = re.compile(r"[\s%]")
_ENCODED = re.compile(r"%(09|0A|0B|0C|0D|1C|1D|1E|1F|20|25|85|A0|u[0-9A-F]{4})")


@dataclass(frozen=True, slots=True)
class TrecRun:
    """Rankings of another tool by question id. `item_id` and `path` contain document ids as written."""

    tag: str
    rankings: Mapping[str, Sequence[RankedItem]] = field(default_factory=dict)


def write_run(system: System) -> Iterator[str]:
    """Yield the lines of a system's rankings."""
    tag = encoded(system.name) or "biblicus"
    for row in system.rows:
        last = math.inf
        for rank, item in enumerate(row.ranking, 1):
            last = min(single_precision(item.score), _below(last))
            yield f"{encoded(row.question_id)} Q0 {encoded(item.item_id)} {rank} {last!r} {tag}\n"


def read_run(blocks: Iterable[bytes], where: str) -> TrecRun:
    """Read a run file, ranked by score as trec_eval does; ignores the rank column. Raises `ConfigInvalid`."""
    tag = ""
    scores: dict[str, dict[str, float]] = {}
    for number, line in numbered(blocks, where):
        fields = line.split()
        if len(fields) != 6:
            raise invalid(where, number, "expected question, Q0, document, rank, score and tag")
        question, document = decoded(fields[0]), decoded(fields[2])
        ranking = scores.setdefault(question, {})
        if document in ranking:
            raise invalid(where, number, f'the document "{document[:80]}" stands twice for question "{question[:80]}"')
        ranking[document] = _score(fields[4], where, number)
        if not tag:
            tag = fields[5]
        elif tag != fields[5]:
            raise invalid(where, number, f'a second tag, "{fields[5][:80]}": one file holds one run')
    if not scores:
        raise ConfigInvalid(where, "it holds no ranking.")
    return TrecRun(decoded(tag), {question: _ranking(lines) for question, lines in scores.items()})


def _ranking(scores: Mapping[str, float]) -> tuple[RankedItem, ...]:
    return tuple(RankedItem(name, name, scores[name], name, 0, 0) for name in in_trec_order(scores))


def _score(text: str, where: str, number: int) -> float:
    try:
        score = float(text)
        if math.isfinite(score) and math.isfinite(single_precision(score)):
            return score
    except (ValueError, OverflowError):
        pass
    raise invalid(where, number, f'"{text[:40]}" is no score')


def encoded(name: str) -> str:
    """Return a name as one column."""
    return _SPACE.sub(lambda match: f"%{ord(match[0]):02X}" if ord(match[0]) < 256 else f"%u{ord(match[0]):04X}", name)


def decoded(column: str) -> str:
    """Return the name encoded by `encoded`; other `%` stay."""
    return _ENCODED.sub(lambda match: chr(int(match[1].removeprefix("u"), 16)), column)


def _below(value: float) -> float:
    """Return the next smaller number in single precision."""
    if math.isinf(value):
        return value
    if value == 0:
        return -single_precision(2.0**-149)
    bits = struct.unpack("i", struct.pack("f", value))[0]
    below: float = struct.unpack("f", struct.pack("i", bits - 1 if value > 0 else bits + 1))[0]
    return below

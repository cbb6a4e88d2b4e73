"""Statements of an answer: units as people read them, each with its exact citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, Unit
from biblicus.answering.reader.sections import Section
from biblicus.answering.reader.units import Candidate
from biblicus.models.answers.answer import Citation, Statement


def of(
    picked: Sequence[Candidate], most: int, most_steps: int, scores: Mapping[tuple[str, int], float]
) -> tuple[Statement, ...]:
    """Return the statements of the units that are quoted, best first, in at most so many words.

    A sentence that leads to a list brings its items, the best by `scores` (by place) where not all fit. Steps are
    quoted from the first of their section on.
    """
    if not picked:
        return ()
    best = picked[0]
    if best.unit.kind is Kind.STEP:
        return (of_units(best.section, _steps(best, most_steps)),)
    groups = _lists(picked, most, scores)
    listed = {one.place for group in groups for one in group}
    alone = sorted((one for one in picked if one.place not in listed), key=_position)
    groups += [
        [one for _, one in group]
        for _, group in groupby(enumerate(alone), key=lambda pair: (id(pair[1].piece), _position(pair[1])[1] - pair[0]))
    ]
    order = {one.place: at for at, one in enumerate(picked)}
    groups.sort(key=lambda group: min(order.get(one.place, len(order)) for one in group))
    return tuple(of_units(group[0].section, [one.unit for one in group]) for group in groups)


def _position(one: Candidate) -> tuple[int, int]:
    return one.order, one.section.start + one.at


def _lists(picked: Sequence[Candidate], most: int, scores: Mapping[tuple[str, int], float]) -> list[list[Candidate]]:
    """Return each unit that leads to a list with its items that fit, in the order of the text."""
    found = []
    used = sum(one.unit.words for one in picked)
    places = {one.place for one in picked}
    for lead in picked:
        items = [item for item in lead.items if item.place not in places]
        gap = int(used + sum(item.unit.words for item in items) > most)  # a place for "…"
        for item in sorted(items, key=lambda item: -scores.get(item.place, 0.0)):
            if used + item.unit.words + gap <= most:
                places.add(item.place)
                used += item.unit.words + gap
        if items:
            found.append([lead, *(item for item in lead.items if item.place in places)])
    return found


def _steps(best: Candidate, most: int) -> list[Unit]:
    """Return the steps of the section of a step, with what stands between them."""
    listed = best.section.units
    start = next(at for at, unit in enumerate(listed) if unit.kind is Kind.STEP)
    taken, used = [listed[start]], listed[start].words
    for unit in listed[start + 1 :]:
        if (unit.leads and unit.kind is not Kind.STEP) or used + unit.words > most:
            break
        taken.append(unit)
        used += unit.words
    return taken if best.unit in taken else [best.unit]


def of_units(section: Section, units: Sequence[Unit]) -> Statement:
    """Return the statement of units of a section, under its heading, with "…" for items or steps that are left out."""
    piece = replace(section.piece, heading=section.heading) if section.is_within else section.piece
    places = [section.units.index(unit) for unit in units]
    runs = [[units[at] for at, _ in run] for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0])]
    citations = [Citation(piece, run[0].start, run[-1].end) for run in runs]
    if header := units[0].header:
        citations.append(Citation(piece, header.start, header.end))
    texts = [_reads(run, is_list=len(units) > 1) for run in runs]
    next_kinds = [unit.kind for unit in section.units[places[-1] + 1 : places[-1] + 2]]
    is_led = units[0].leads or units[0].kind is Kind.STEP
    if is_led and next_kinds and next_kinds[0] in LISTED and len(units) > 1:
        texts.append("")
    return Statement("\n…\n".join(texts).rstrip(), tuple(citations), quoted=True)


def _reads(units: Sequence[Unit], *, is_list: bool) -> str:
    """Return what people read: sentences in a row, each item of a list on a line of its own."""
    if not is_list or not any(unit.kind in LISTED for unit in units):
        return " ".join(unit.reads for unit in units)
    text = ""
    for unit in units:
        begins = "\n" if text and unit.kind in LISTED and not unit.joined else " " if text else ""
        mark = "- " if unit.kind is Kind.ITEM and not unit.joined else ""
        text += f"{begins}{mark}{unit.reads}"
    return text

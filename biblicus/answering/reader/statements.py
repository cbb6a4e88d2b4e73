"""Statements of an answer: the readable text of units with exact citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, Unit
from biblicus.answering.reader.sections import Section
from biblicus.answering.reader.units import Candidate
from biblicus.models.answers.answer import Citation, Statement


def of(picked: Sequence[Candidate], most: int, most_steps: int) -> tuple[Statement, ...]:
    """Return the statements of the quoted units, best first, with at most `most` words. A sentence that introduces a
    list is followed by its items. Steps are quoted from the first of their section."""
    if not picked:
        return ()
    best = picked[0]
    if best.unit.kind is Kind.STEP:
        return (of_units(best.section, _steps(best, most_steps)),)
    picked = _with_items(picked, most)
    order = {id(one): at for at, one in enumerate(picked)}
    placed = sorted(picked, key=lambda one: (one.order, one.section.start + one.at))
    groups = [
        [one for _, one in group]
        for _, group in groupby(
            enumerate(placed), key=lambda pair: (id(pair[1].piece), pair[1].section.start + pair[1].at - pair[0])
        )
    ]
    groups.sort(key=lambda group: min(order[id(one)] for one in group))
    return tuple(of_units(group[0].section, [one.unit for one in group]) for group in groups)


def _with_items(picked: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return the units, each followed by the list items it introduces as far as they fit."""
    found = list(picked)
    known = {(one.order, one.section.start + one.at) for one in picked}
    used = sum(one.unit.words for one in picked)
    for one in picked:
        for item in one.items:
            place = (item.order, item.section.start + item.at)
            if place in known:
                continue
            if used + item.unit.words > most:
                break
            known.add(place)
            used += item.unit.words
            found.append(item)
    return found


def _steps(best: Candidate, most: int) -> list[Unit]:
    """Return the steps in the section of a step, with the text between them."""
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
    """Return the statement of consecutive units, under the heading of their section."""
    piece = replace(section.piece, heading=section.heading) if section.is_within else section.piece
    citations = [Citation(piece, units[0].start, units[-1].end)]
    if header := units[0].header:
        citations.append(Citation(piece, header.start, header.end))
    return Statement(_reads(units), tuple(citations), quoted=True)


def _reads(units: Sequence[Unit]) -> str:
    """Return the text of units: sentences joined, list items on separate lines."""
    if len(units) < 2 or not any(unit.kind in LISTED for unit in units):
        return " ".join(unit.reads for unit in units)
    text = ""
    for unit in units:
        begins = "\n" if text and unit.kind in LISTED and not unit.joined else " " if text else ""
        mark = "- " if unit.kind is Kind.ITEM and not unit.joined else ""
        text += f"{begins}{mark}{unit.reads}"
    return text

"""Statements of an answer: which units are quoted, and their readable text with exact citations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from biblicus.answering.reader.features import NUMBER
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, Unit
from biblicus.answering.reader.units import Candidate, Section
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
    candidates = list(picked)
    used_places = {(candidate.order, candidate.section.start + candidate.at) for candidate in picked}
    used = sum(candidate.unit.words for candidate in picked)
    for candidate in picked:
        for item in candidate.items:
            place = (item.order, item.section.start + item.at)
            if place in used_places:
                continue
            if used + item.unit.words > most:
                break
            used_places.add(place)
            used += item.unit.words
            candidates.append(item)
    return candidates


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


NEAR, NEAR_JUDGED, MOST = 1.2, 4.0, 3
"""Maximum score difference of a further quoted unit to the best, the same with a judge's scores, and maximum units."""

_SAME = 0.6
"""Minimum share of common words for two units to make the same statement with other numbers."""
_WORD = re.compile(r"[^\W\d_]+")


def chosen(scores: Sequence[float], words: Sequence[int], most: int, *, judged: bool = False) -> list[int]:
    """Return the indices of the units to quote, best first, with at most `most` words in all."""
    near = NEAR_JUDGED if judged else NEAR
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    order = [place for place in order if words[place] <= most]
    picked: list[int] = []
    used = 0
    for place in order:
        if len(picked) == MOST or scores[place] < scores[order[0]] - near:
            break
        if used + words[place] <= most:
            picked.append(place)
            used += words[place]
    return picked


def without_repeats(picked: Sequence[int], texts: Sequence[str]) -> list[int]:
    """Return the indices without units whose text contains a better unit's text or is contained in it."""
    distinct_places: list[int] = []
    for place in picked:
        text = _letters(texts[place])
        if not any(
            text in (other_text := _letters(texts[other_place])) or other_text in text
            for other_place in distinct_places
        ):
            distinct_places.append(place)
    return distinct_places


def with_differing(picked: Sequence[int], candidates: Sequence[Candidate], most: int) -> list[int]:
    """Return the indices to quote, including units of other items that state the same with other numbers."""
    if not picked:
        return []
    best, used = candidates[picked[0]], candidates[picked[0]].unit.words
    others = [place for place, candidate in enumerate(candidates) if differing([best, candidate])]
    chosen_places = [picked[0]]
    for place in (*others, *picked[1:]):
        if place not in chosen_places and used + candidates[place].unit.words <= most:
            chosen_places.append(place)
            used += candidates[place].unit.words
    return chosen_places


def differing(quoted: Sequence[Candidate]) -> list[str]:
    """Return the paths of units from different items that state the same as the best with other numbers."""
    if not quoted:
        return []
    best, *others = quoted
    paths = [
        candidate.piece.path
        for candidate in others
        if candidate.piece.item_id != best.piece.item_id and _differ(best.unit.reads, candidate.unit.reads)
    ]
    return [best.piece.path, *dict.fromkeys(paths)] if paths else []


def _differ(text: str, other: str) -> bool:
    numbers, other_numbers = (frozenset(NUMBER.findall(sentence)) for sentence in (text, other))
    words, other_words = (frozenset(_WORD.findall(sentence.casefold())) for sentence in (text, other))
    shared = len(words & other_words) / (min(len(words), len(other_words)) or 1)
    return bool(numbers and other_numbers) and not numbers & other_numbers and shared >= _SAME


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()

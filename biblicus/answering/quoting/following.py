"""How something is done, quoted as it is told: from where the section begins that is called so, in order.

Sentences collected from several places are no instruction. A section is known by its heading, and need not begin where
its chunk does. Where none is called what is asked, the text is followed from the sentence that answers best.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, dropwhile, islice, takewhile

from biblicus.answering.quoting import entries, mailed
from biblicus.answering.quoting.scores import acts, conditions
from biblicus.answering.quoting.scores.scored import Scored
from biblicus.answering.quoting.sections import Section, called, tells_how
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import ASKS, FIELDS, LISTED, Unit, asides, items_after, opens_list
from biblicus.errors import Unavailable
from biblicus.models.evidence import Evidence, Likeness

_CALLED = 0.5
"""How much a heading says what is asked at least, for its section to be followed."""
_ALIKE, _COMPARED = 0.45, 12
"""How like the question a heading in other words is at least (cosine), for its section to be followed; so many are
compared at most, of the best pieces."""
_LONG_WORD = re.compile(r"\w{4,}")
_BETWEEN = 8
"""Characters between two pieces of a text that follow each other, at most."""
_NOTICES = 2
"""Other pages that have a sentence, too, for it to be a notice."""
_FORMED = 0.5
"""A sentence that has the form that is asked for so much answers by itself."""
_ENTRY = 0.9
"""How much the heading of an entry names what is asked about at least."""
_PLAIN, _LACKS = 0.75, 0.2
"""A heading that says less than this is of another matter where its piece holds so much less of what is asked than the
best one: "Record a fingerprint" does not tell how to record the screen."""
_FIRST, _HELD, _BEGINS, _HOW = 0.4, 0.2, 0.1, 0.3
"""What counts beside a section's heading: that it is of the page that comes first, for as much as the heading leaves
unsaid; the score of its best sentence; that it begins in its piece; and that its heading says that it tells how."""
_NAMED = re.compile(r"(?:[-*+•] +)?(?:\[[^\]\n]+\]\(|(\*\*|`)[^*`\n]+\1(?: *[-–—:(]|\Z))")
"""How an item begins that tells of what it names: with a link, or with a name in bold or as code and a dash."""
_SHORT = 40
"""Words at most with which a page begins, to be told with how its command is called."""
_ONLY_TELLS = 0.7
"""What a section counts that tells nothing that is to be done, where it is asked how something is done."""
_IN_PROGRAMS = 0.5
"""What a section of source code counts where it is asked how people do something: its name says what it does itself."""
_BIAS, _SURE, _WORDS = -4.0, 4.4, 1.2
"""Of a section's confidence, by how much it is called so and how many words are asked. Flatter than a regression over
headings that are asked as they stand: questions in other words are less often right (docs/quoting-measured.md)."""
_ALIKE_BIAS, _ALIKE_SURE = -2.0, 3.5
"""Of the confidence of a section whose heading is like the question. Of 59 such sections three fifths were of a wanted
page with a cosine from .45 to .6, three quarters above; less is said, since questions that nothing answers find such
headings, too."""


def section(parts: Sequence[Section], candidates: Sequence[Scored], likeness: Likeness | None = None) -> Section | None:
    """What is told from its beginning, instead of sentences that are chosen one by one. Of how something is done: the
    section whose heading says it, in the question's words or else in others; else what follows the sentence that
    answers best. Of what a name does: its entry. Below a heading that is asked for: all of it. Of anything else: the
    section whose heading asks the same, or says it where code would answer. None where there is none, or a sentence
    has the form that is asked for.

    `parts`: all sections that may be quoted; `candidates`: their units, best first; `likeness` of texts to the
    question, where the run has a model.
    """
    best = candidates[0]
    form = best.question.form
    if form.usage and conditions.tells_use(best.unit.reads):
        return None
    if best.question.speech and best.question.names and best.piece.doctype == "message":
        return None  # a letter tells what others say, too
    if is_entry(best):
        return _of_entry(best)
    if is_list(best):
        return _of_list(best)
    if best.is_below_label:
        return _below_label(best)
    if form.contrast or form.code or best.parts["form"] >= _FORMED > form.steps:
        return None
    part = _called_so(parts, candidates)
    if part is None and form.steps:
        part = (likeness and _called_alike(parts, likeness)) or _from_sentence(best)
    return part and _without_notices(_with_what_it_does(part, parts), parts)


def _with_what_it_does(section: Section, parts: Sequence[Section]) -> Section:
    """A section that only shows how a command is called, with what the beginning of its page says right above it."""
    if not tells_how(section) or any(unit.kind is not Kind.CODE for unit in section.units if _tells(unit)):
        return section
    above = next((part for part in parts if part.piece is section.piece and _is_right_above(part, section)), None)
    if above is None or above.heading != (section.piece.title or "") or not any(unit.says for unit in above.units):
        return section
    if sum(unit.words for unit in above.units if unit.says) > _SHORT:
        return section
    return replace(above, units=[*above.units, *section.units])


def _is_right_above(part: Section, section: Section) -> bool:
    return part.start + len(part.units) == section.start


def is_entry(best: Scored) -> bool:
    """Whether the unit that answers best begins the entry of what it is asked to do."""
    return best.question.form.does and best.parts["about"] >= _ENTRY and best.parts["form"] >= _FORMED


def is_list(best: Scored) -> bool:
    """Whether the unit that answers best says what the things are that are asked for, or that they differ, and a list
    names them, or how."""
    return best.question.form.opens(best.unit.reads) and opens_list(best.section.units, best.at - best.section.start)


def sure(section: Section, best: Scored, answers: float) -> float:
    """How likely a section tells what is asked, by its heading. `best`: a unit that was scored for the question;
    `answers`: how likely what is quoted answers by its sentences, which counts where no heading says what is asked, for
    an entry, for what something is or how it is done in source code, and where a heading asks the same."""
    if section.likeness:
        return max(_logistic(_ALIKE_BIAS + _ALIKE_SURE * section.likeness), answers)
    says = called(section, best.question, best.rarity)
    form = best.question.form
    is_definition = (form.steps or form.term) and section.piece.doctype == "code"
    if says < _CALLED or is_definition or is_entry(best) or is_list(best) or best.is_below_label:
        return answers
    tells = _logistic(_BIAS + _SURE * says + _WORDS * math.log1p(len(best.question.terms)))
    return max(tells, answers) if section.asks else tells


def _logistic(value: float) -> float:
    return round(1 / (1 + math.exp(-value)), 4)


def _called_so(parts: Sequence[Section], candidates: Sequence[Scored]) -> Section | None:
    """The section whose heading says best what is asked; None where none says so much."""
    best = candidates[0]
    scores = {(one.piece.rank, one.at): one.score / (best.score or 1.0) for one in candidates}

    is_followed = best.question.form.steps or best.unit.kind is Kind.CODE  # code is told with what leads to it
    covered: dict[int, float] = {}
    for one in candidates:
        covered[one.piece.rank] = max(one.covered, covered.get(one.piece.rank, 0.0))
    enough = max(covered.values()) - _LACKS

    def worth(section: Section) -> float:
        says = called(section, best.question, best.rarity) if section.asks or is_followed else 0.0
        if says < _CALLED or not (any(map(_tells, section.units)) or _below(section, parts, shows=False)):
            return 0.0
        held = max(scores.get((section.piece.rank, section.start + at), 0.0) for at in range(len(section.units)))
        is_of_first = section.piece.item_id == parts[0].piece.item_id
        if says < _PLAIN and not is_of_first and covered.get(section.piece.rank, 0.0) < enough:
            return 0.0
        begins = _BEGINS * section.begins + _HOW * tells_how(section)
        tells = says + _FIRST * (1 - says) * is_of_first + _HELD * held + begins
        if not best.question.form.steps:
            return tells
        tells *= _IN_PROGRAMS if section.piece.doctype == "code" else 1.0
        return tells * (1.0 if acts.is_told(section.piece, section.units) else _ONLY_TELLS)

    return max(filter(worth, parts), key=worth, default=None)


def _called_alike(parts: Sequence[Section], likeness: Likeness) -> Section | None:
    """The section that begins in its piece whose heading is most like the question, by that and its piece's score;
    None where none is so much like it."""
    best = max(part.piece.score for part in parts)
    if best <= 0:
        return None
    known = likeness.languages
    telling = [
        part
        for part in parts
        if part.begins and (known is None or part.piece.language in known) and any(map(_tells, part.units))
    ]
    headings = list(dict.fromkeys(part.heading for part in telling))[:_COMPARED]
    try:
        cosines = dict(zip(headings, likeness.of(headings) if headings else (), strict=True))
    except Unavailable:  # as where there is no model
        return None
    liked = [replace(part, likeness=cosines[part.heading]) for part in telling if part.heading in cosines]
    nearest = max(liked, key=lambda part: part.likeness + part.piece.score / best, default=None)
    return nearest if nearest is not None and nearest.likeness >= _ALIKE else None


def _tells(unit: Unit) -> bool:
    return unit.says or unit.kind is Kind.CODE


def _from_sentence(best: Scored) -> Section:
    """What follows the sentence that answers best in its section, with what leads right to it. A step is told with
    those before it, a row of a table and an item that tells of what it names alone."""
    section = best.section
    start = best.at - section.start
    if _is_of_catalogue(best):
        return replace(section, start=best.at, units=[best.unit, *takewhile(_is_joined, section.units[start + 1 :])])
    while start and (best.unit.kind is Kind.STEP or section.units[start - 1].leads):
        start -= 1
    depth = 0 if start else section.depth
    return replace(section, start=section.start + start, units=section.units[start:], depth=depth)


def _is_of_catalogue(best: Scored) -> bool:
    """Whether a unit is a row of a table, or an item that begins with the name of what it tells of and holds what is
    asked as no other near it: the rows and items behind it tell of other things."""
    if best.unit.kind is Kind.ROW:
        return True
    return best.unit.kind is Kind.ITEM and _NAMED.match(best.piece.text, best.unit.start) is not None


def _is_joined(unit: Unit) -> bool:
    return unit.joined


def _of_entry(best: Scored) -> Section:
    """What an entry says of what it is called, from its first sentence to what leads to an example or a list; all of it
    where that sentence leads."""
    section, units = best.section, best.section.units[best.at - best.section.start :]
    is_listed = best.unit.kind is Kind.ITEM and entries.DEFAULT_FIELD.match(best.unit.reads)
    if best.unit.kind in FIELDS or is_listed:
        fields = (*FIELDS, best.unit.kind)  # what it is for, or its default, and then its text: not its other fields
        after = dropwhile(lambda unit: unit.kind in fields, units)
        units = [best.unit, *takewhile(lambda unit: unit.says and unit.kind is Kind.PROSE, after)]
    elif best.unit.kind is Kind.LABEL:  # the heading says it: `port (default: 25)`
        text = takewhile(lambda unit: unit.says and unit.kind is not Kind.CODE, units[1:])
        units = [replace(best.unit, kind=Kind.FACT, says=True, leads=False), *text]
    elif not best.unit.leads:
        units = list(takewhile(lambda unit: unit.says and unit.kind is not Kind.CODE, units))
    return replace(section, start=best.at, units=units)


def _below_label(best: Scored) -> Section:
    """What stands below a heading that is asked for, up to what says nothing."""
    section, units = best.section, best.section.units[best.at - best.section.start :]
    return replace(section, start=best.at, units=list(takewhile(lambda unit: unit.says, units)))


def _of_list(best: Scored) -> Section:
    """What says what the things are, and the list that names them."""
    section, at = best.section, best.at - best.section.start
    return replace(section, start=best.at, units=[section.units[at], *items_after(section.units, at)])


def _without_notices(section: Section, parts: Sequence[Section]) -> Section:
    """A section without the notes it begins with, and the sentences that two pages of other titles have, too: they tell
    nothing of any of them. Steps stay: many tasks begin alike."""
    text, title = section.piece.text, section.piece.title
    aside = asides(text, section.units)
    first = next((at for at, unit in enumerate(section.units) if unit.says and at not in aside), 0)
    others = {part.piece.chunk_id: part.piece.text for part in parts if part.piece.title != title}.values()
    own = [unit for at, unit in enumerate(section.units) if at >= first or at not in aside]
    own = [
        unit
        for unit in own
        if not unit.says
        or unit.kind is Kind.STEP
        or sum(text[unit.start : unit.end] in other for other in others) < _NOTICES
    ]
    return replace(section, units=own) if any(unit.says for unit in own) else section


def told(
    section: Section, parts: Sequence[Section], max_words: int, *, steps: bool = False
) -> list[tuple[Section, list[Unit]]]:
    """What a section tells, as much as fits, and what it tells where it goes on in other `parts`. `steps`: whether it
    is asked how something is done, which sections below it may tell."""
    told: list[tuple[Section, list[Unit]]] = []
    part: Section | None = section
    while part is not None:
        quoted = _told(part, max_words, goes_on=bool(told)) or ([] if told else _begun(part, max_words))
        max_words -= _words(quoted)
        told.append((part, quoted))
        saying = [unit for unit in part.units if unit.says or unit.kind is Kind.CODE]
        is_all = bool(part.units) and (not saying or (bool(quoted) and quoted[-1] is saying[-1]))
        shows = any(unit.kind in (Kind.CODE, Kind.STEP) for _, group in told for unit in group)
        below = _below(part, parts, shows) if is_all and steps else None
        part = below or (_rest(part, parts) if is_all else None)
    return [(part, quoted) for part, quoted in told if quoted]


def listed(section: Section, max_words: int, question: str = "") -> list[tuple[Section, list[Unit]]]:
    """What leads to a list, and its items, as many as fit: in a row, where nothing stands between them. Of a table the
    rows of which a cell has a word of the question, if some do and others do not."""
    units = _with_cell(section, question)
    room = accumulate((unit.words for unit in units), operator.sub, initial=max_words)
    fitting = [unit for unit, left in zip(units, islice(room, 1, None), strict=True) if left >= 0]
    groups: list[list[Unit]] = []
    for unit in fitting:
        if groups and not section.piece.text[groups[-1][-1].end : unit.start].strip():
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return [(section, group) for group in groups]


def _with_cell(section: Section, question: str) -> Sequence[Unit]:
    """The units of a table that have a word of the question in a cell, where it stands neither above the table nor in
    the names of its columns ("Which subscriptions renew monthly?"); else all."""
    piece, rows = section.piece, [unit for unit in section.units if unit.kind is Kind.ROW]
    if not question or len(rows) < len(section.units) - 1:
        return section.units
    above = f"{piece.path} {piece.title or ''} {section.heading}".casefold()
    spans = {unit.header for unit in rows if unit.header}
    above += " ".join(piece.text[span.start : span.end] for span in spans).casefold()
    telling = {word for word in _LONG_WORD.findall(question.casefold()) if word not in above}
    holding = [unit for unit in rows if telling.intersection(_LONG_WORD.findall(unit.reads.casefold()))]
    return holding if 0 < len(holding) < len(rows) else section.units


def _below(section: Section, parts: Sequence[Section], shows: bool) -> Section | None:
    """The section that stands below another in its piece, where that only leads to it: it tells no step and no code;
    and what a command does behind how it is called. `shows`: whether there was a step or code."""
    after = section.start + len(section.units)
    following = next((part for part in parts if part.piece is section.piece and part.start == after), None)
    if following is None:
        return None
    is_call = all(unit.kind is Kind.CODE for unit in section.units if _tells(unit))
    if is_call and tells_how(section) and entries.OVERVIEW.match(following.heading):
        return following
    return following if 0 < section.depth < following.depth and not shows else None


def _rest(section: Section, parts: Sequence[Section]) -> Section | None:
    """What a section at the end of its piece goes on with in the next one of its item."""
    own = section.piece
    if section.units[-1].end < len(own.text.rstrip()):
        return None
    for part in parts:
        follows = part.piece.item_id == own.item_id and 0 <= part.piece.span_start - own.span_end <= _BETWEEN
        if follows and not part.is_within and not part.begins and part.heading in ("", section.heading):
            return part
    return None


def _told(section: Section, max_words: int, *, goes_on: bool) -> list[Unit]:
    """What a part tells, in order: its steps where it has any; else sentences, items and code, each with what leads to
    it. What does not fit ends it; at the beginning it is passed over, unless the part `goes_on` from another or begins
    with it."""
    steps = [unit for unit in section.units if unit.kind is Kind.STEP and (unit.says or _introduces(unit))]
    steps = steps if any(unit.says for unit in steps) else []
    quoted: list[Unit] = []
    leads: list[Unit] = []
    for whole in _wholes(steps or section.units):
        if quoted and whole[0].leads and whole[0].reads.endswith(ASKS):  # the next question
            break
        if whole[0].leads and whole[0].kind in (Kind.PROSE, Kind.ITEM):
            leads = whole
        elif whole[0].says or whole[0].kind is Kind.CODE or _introduces(whole[0]):
            if _words(quoted, leads, whole) <= max_words:
                quoted += [*leads, *whole]
            else:
                may_be_cut = whole[0].kind is Kind.CODE if goes_on else whole[0] is section.units[0]
                cut = _fitting(whole, max_words) if may_be_cut and not quoted else []
                if quoted or goes_on or cut:
                    return quoted or cut
            leads = []
        elif whole[0].kind in (*LISTED, Kind.HEADING):  # what led to it leads to nothing that is quoted
            leads = []
    return quoted


def _introduces(unit: Unit) -> bool:
    """Whether a step says in parts what is done: `3. There are two ways:`."""
    return unit.kind is Kind.STEP and unit.leads and not unit.reads.endswith(ASKS)


def _fitting(whole: Sequence[Unit], max_words: int) -> list[Unit]:
    """The first clauses of a long sentence, as many as fit: what answers best is cut rather than passed over."""
    return [unit for number, unit in enumerate(whole) if _words(whole[: number + 1]) <= max_words]


def _begun(section: Section, max_words: int) -> list[Unit]:
    """The beginning of the first code or sentence of a section, of which nothing fits as a whole."""
    first = next((unit for unit in section.units if unit.says or unit.kind is Kind.CODE), None)
    return [first] if first is not None and first.words <= max_words else []


def _words(*told: Sequence[Unit]) -> int:
    return sum(unit.words for units in told for unit in units)


def _wholes(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Each unit alone, but the parts of one piece of code, and those of a sentence, together."""
    whole: list[Unit] = []
    for unit in units:
        if whole and not (unit.joined or unit.kind is whole[-1].kind is Kind.CODE):
            yield whole
            whole = []
        whole.append(unit)
    if whole:
        yield whole


def together(section: Section, quoted: Sequence[Unit]) -> Iterator[list[Unit]]:
    """What is quoted in statements: sentences that follow each other are one, and so are the parts of code."""
    group: list[Unit] = []
    for unit in quoted:
        if group and not _goes_on(section.piece, group[-1], unit):
            yield group
            group = []
        group.append(unit)
    if group:
        yield group


def _goes_on(piece: Evidence, before: Unit, unit: Unit) -> bool:
    """Whether a unit is of one statement with the one before it."""
    flows = unit.joined or (unit.kind is before.kind and unit.kind in (Kind.PROSE, Kind.CODE))
    return flows and not piece.text[before.end : unit.start].strip() and mailed.are_of_one(piece, before, unit)

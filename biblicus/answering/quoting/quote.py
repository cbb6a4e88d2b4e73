"""The answerer `quote`: the sentences that answer best, quoted exactly and cited. No model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from biblicus.answering import in_parts, question_words
from biblicus.answering.quoting import (
    declarations,
    facts,
    following,
    front_matter,
    mailed,
    outline,
    question_forms,
    releases,
)
from biblicus.answering.quoting.confidence import (
    LEAST,
    confidence,
    doubted,
    signs,
)
from biblicus.answering.quoting.reference import aspects, members, rows
from biblicus.answering.quoting.scores import acts, changes
from biblicus.answering.quoting.scores.scored import Scored
from biblicus.answering.quoting.scores.statements import lead_of, listed, statement, with_name, with_who
from biblicus.answering.quoting.scores.untold import lacks_default, stands_apart, tells_default, wanted
from biblicus.answering.quoting.scoring import quotable, scored
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader import superlatives
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.contracts import Call, Given
from biblicus.models.answers.answer import Drafted
from biblicus.models.evidence import Evidence, Result
from biblicus.text import editions, kinds
from biblicus.text.terms import file_names

PIECES = 6
"""How much of the evidence is read, by rank."""
_WORDS, _INSTRUCTION = 60, 120
"""Words of an answer, and of how something is done, where nobody says how many."""
_WORTH = 0.6
"""A further sentence counts at least this share of what the best one does."""
_REPEATS = 0.7
"""Of a sentence's terms: where one that is quoted holds more, it says the same."""
_UNKNOWN = 0.5
"""What is quoted beside what somebody says who is asked for: what nobody is known to say, and nothing of others."""
_BEGINS = 0.7
"""A sentence that defines or contrasts so much begins a statement."""
_CONTRASTS = 0.5
"""The form of a sentence that says how things differ, at least."""
_SPACES, _MARKS = re.compile(r"(\s)\s+"), re.compile(r"(\W{8})\W+")
_LONGEST = 1_000
"""Characters of the beginning and of the end of a question that are read: what is asked stands in one of them."""
_NEARLY = 0.75
"""What one that tells a default scores at least, beside the best that tells none."""
_DEFINES, _OPENS = 0.9, 0.5
"""The form of a sentence that really defines, at least; and what the beginning of a page counts beside one that names
nothing."""


class Options(BaseModel):
    """`max_words`: of all that is quoted together; where none is named 60, and 120 of how something is done."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_words: int | None = Field(default=None, ge=5, le=2_000)


def build(options: Options, given: Given) -> Quote:
    """The answerer; it uses no model."""
    return Quote(options)


class Quote:
    """Picks sentences by score while they fit, and quotes them in the order of their sources (see `Answerer`)."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        result = replace(result, evidence=tuple(piece.at_opening() for piece in result.evidence))
        # What a question asks is slow to find among thousands of blanks or marks, and in what is as long as a page.
        return in_parts.answered(
            _both_ends(_MARKS.sub(r"\1", _SPACES.sub(r"\1", result.meant or question))),
            self._options.max_words,
            lambda part, most: self._quoted(part, result, call, most),
        )

    def _quoted(self, question: str, result: Result, call: Call, max_words: int | None) -> Drafted:
        call.check()
        evidence = facts.of_edition(question, facts.of_named(question, result.texts[:PIECES]))
        if of_itself := facts.field(question, evidence, result.whole):
            summary = f"{of_itself.piece.path} says so of itself where it begins."
            return Drafted((statement(of_itself, of_itself.units),), facts.SURE, False, summary)
        most = max_words or _WORDS
        row = superlatives.told(question, result.texts, result.whole)
        if row and sum(unit.words for section in row.sections for unit in section.units) <= most:
            statements = [statement(section, section.units) for section in row.sections]
            return Drafted(tuple(statements), superlatives.SURE, False, row.summary)
        if changed := changes.told(question, result.texts, max_words or _INSTRUCTION):
            summary = f"{changed.groups[-1][0].piece.path} and an older edition of it differ."
            return Drafted(tuple(statement(*group) for group in changed.groups), changed.sure, False, summary)
        parts = quotable(question, _instructing(question, evidence), most)
        if groups := releases.quoted(question, parts, most):
            summary = f"{groups[0][0].piece.path} says so of the version."
            return Drafted(tuple(statement(*group) for group in groups), releases.SURE, False, summary)
        came, sure = releases.came_with(question, result.texts, parts, result.whole)
        if came:
            summary = f"{came[0][0].piece.path} says so of a version."
            return Drafted(tuple(statement(*group) for group in came), sure, False, summary)
        longest = max_words or _INSTRUCTION
        part = declarations.default(question, parts, longest, result.whole)
        part = part or declarations.documented(question, parts, longest, result.whole)
        part = part or members.section_of_part(question, evidence, longest, result.whole)
        if part and members.tells_of_case(question, part):
            summary = f"{part.piece.path} documents it."
            return Drafted((statement(part, part.units),), declarations.DOCUMENTED, result.insufficient, summary)
        defined = declarations.definition(question, parts)
        if declared := defined or declarations.quoted(question, parts, longest):
            summary = f"{declared[0].piece.path} declares it."
            is_thin = result.insufficient and defined is None  # what has the very name is enough
            return Drafted((statement(declared[0], [declared[1]]),), declarations.SURE, is_thin, summary)
        if row_of := rows.told(question, evidence, result.whole):
            summary = f"{row_of.piece.path} has a table that tells of it."
            return Drafted((statement(row_of, row_of.units),), rows.SURE, result.insufficient, summary)
        if side := aspects.section(question, evidence, longest, result.whole):
            summary = f"{side.piece.path} has a section that is called so."
            return Drafted((statement(side, side.units),), aspects.SURE, result.insufficient, summary)
        parts = front_matter.beside(question, evidence, parts, result.whole)
        parts += facts.of_option(question, evidence, result.whole, most)
        unmarked = editions.without_marks(question, (piece.path for piece in result.texts))
        candidates = _as_defined(scored(unmarked, evidence, parts, rarity=result.rarity, likeness=result.likeness))
        candidates = _telling_default(question, candidates)
        if names := _outlined(question, evidence, result, candidates):
            summary = f"{names.piece.path} has headings that name them."
            return Drafted((listed(names, longest),), outline.SURE, result.insufficient, summary)
        if both := _apart(evidence, result, candidates):
            summary = f"{both[0].piece.path} has sections about both."
            statements = [statement(side, side.units) for side in both]
            return Drafted(tuple(statements), outline.APART, result.insufficient, summary)
        about, is_about = facts.beginning(question, evidence, parts, result.whole)
        section = about or (following.section(parts, candidates, result.likeness) if candidates else None)
        if candidates and stands_apart(question, candidates[0]):
            about = section = None
        if section is not None:
            is_done = bool(candidates) and candidates[0].question.form.steps
            is_short = about is not None or following.is_entry(candidates[0])
            longest = max_words or (_WORDS if is_short else _INSTRUCTION)
            if about is None and following.is_list(candidates[0]):
                groups = following.listed(section, longest, question)
            else:
                told = following.told(section, parts, longest, steps=is_done)
                groups = [(part, group) for part, quoted in told for group in following.together(part, quoted)]
            statements = [statement(part, group) for part, group in groups]
            statements = [with_name(statements[0], *groups[0]), *statements[1:]] if is_done and groups else statements
            shown = [(part.piece, group) for part, group in groups]
            places = {(part.piece.chunk_id, unit.start) for part, group in groups for unit in group}
            picked = [one for one in candidates if (one.piece.chunk_id, one.unit.start) in places]
        else:
            picked = with_next(question, pick(candidates, most), candidates, most)
            picked = with_before(picked, candidates, most)
            quoted = _grouped(picked)
            shown = [(group[0].piece, [one.unit for one in group]) for group in quoted]
            statements = [
                statement(group[0].section, [one.unit for one in group], lead_of(group[0])) for group in quoted
            ]
            if picked and picked[0].question.speech:
                statements = [with_who(*group, evidence) for group in zip(statements, quoted, strict=True)]
        told_by = signs(question, picked, candidates, evidence, result.likeness) if picked else {}
        if told_by and acts.asks(question) and not acts.tells(shown, statements[0].text):
            told_by["without"] = 1.0
        sure = confidence(told_by) if picked else 0.0
        if section is not None and statements:
            sure = doubted(following.sure(section, candidates[0], sure), told_by) if about is None else is_about
        if sure < LEAST:
            return Drafted((), 0.0, True, _summary(result, candidates))
        return Drafted(tuple(statements), sure, result.insufficient, _summary(result, candidates, picked))


def _instructing(question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The evidence; where it is asked how something is done, that without release notes and tests, if there is other
    and neither is asked about, nor a version. Of tests that are programs."""
    if not question_forms.form_of(question).steps or file_names.versions(question):
        return evidence
    worths = kinds.worths(question)
    never = [kind for kind in (kinds.RELEASE, kinds.TEST) if worths[kind] < 1]
    return [
        piece
        for piece in evidence
        if (kind := kinds.of_path(piece.path)) not in never or (kind == kinds.TEST and piece.doctype != "code")
    ] or evidence


def _as_defined(candidates: Sequence[Scored]) -> list[Scored]:
    """The candidates; where a sentence defines by its name what is asked for, one without it tells less what it is:
    that a page opens with whose title stands in its front matter, or that the same section begins with."""
    definers = [candidate for candidate in candidates if candidate.parts["form"] >= _DEFINES and _has_name(candidate)]
    if not definers or candidates[0].question.form.does:
        return [*candidates]
    within = {(definer.piece.chunk_id, definer.section.heading) for definer in definers}
    weighed = [
        replace(candidate, score=_OPENS * candidate.score, parts={**candidate.parts, "form": 0.0})
        if (candidate.section.opens or (candidate.piece.chunk_id, candidate.section.heading) in within)
        and candidate.parts["about"]
        and candidate.parts["form"]
        and not _has_name(candidate)
        else candidate
        for candidate in candidates
    ]
    return sorted(weighed, key=lambda candidate: -candidate.score)


def _telling_default(question: str, candidates: list[Scored]) -> list[Scored]:
    """The candidates; where a default or a place is asked for and the best tells none, one first that does and is about
    it."""
    if not candidates or (tells := wanted(question, candidates[:1])) is None:
        return candidates
    near = [other for other in candidates if other.score >= _NEARLY * candidates[0].score and tells(other)]
    near = [other for other in near if other.parts["about"] or other.section is candidates[0].section]
    return [near[0], *(other for other in candidates if other is not near[0])] if near else candidates


def _has_name(candidate: Scored) -> bool:
    """Whether a sentence holds itself the name of what is to be defined."""
    names = candidate.question.telling_subject
    return bool(names) and names <= candidate.terms


def _outlined(
    question: str, evidence: Sequence[Evidence], result: Result, candidates: Sequence[Scored]
) -> Section | None:
    """The headings that name what is asked for, where no list does."""
    if not candidates or not candidates[0].question.form.several or following.is_list(candidates[0]):
        return None
    return outline.section(question, evidence, result.whole)


def _both_ends(question: str) -> str:
    """A long question without its middle, cut between words."""
    if len(question) <= 2 * _LONGEST:
        return question
    return f"{question[:_LONGEST].rpartition(' ')[0]} {question[-_LONGEST:].partition(' ')[2]}"


def _apart(evidence: Sequence[Evidence], result: Result, candidates: Sequence[Scored]) -> list[Section]:
    """What sections about both say of two things that are to be told apart, where no sentence says how they differ."""
    if not candidates or candidates[0].parts["form"] >= _CONTRASTS:
        return []
    return outline.sides(candidates[0].question.form.sides, evidence, result.whole, result.texts)


def _summary(result: Result, candidates: Sequence[Scored], picked: Sequence[Scored] = ()) -> str:
    """What was read and what of it was quoted, in one sentence."""
    read = _count(min(PIECES, len(result.texts)), "piece")
    if picked:
        sources = len({candidate.piece.item_id for candidate in picked})
        best = f"the best holds {picked[0].parts['own']:.0%} of the question's words, weighted by how rare they are"
        others = [other for other in picked[1:] if _contradicts(other, picked[0])]
        if others:
            places = ", ".join(dict.fromkeys(other.piece.path for other in others))
            best = f"{best}; {picked[0].piece.path} and {places} differ in numbers"
        return (
            f"{_count(len(picked), 'sentence')} of {_count(sources, 'source')} quoted from {read} of evidence; {best}."
        )
    nearest = max((candidate.covered for candidate in candidates), default=0.0)
    return f"Nothing quoted: {read} of evidence read, and the nearest holds {nearest:.0%} of what was asked."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def pick(candidates: Sequence[Scored], max_words: int) -> list[Scored]:
    """The best candidates that fit together, without repeats, best first.

    Where the best has the form that is asked for, so have the others.
    """
    fitting = [candidate for candidate in candidates if candidate.unit.words <= max_words]
    if not fitting:
        return []
    best = fitting[0]
    formed = best.parts["form"] >= _BEGINS
    against = [candidate for candidate in fitting[1:] if _contradicts(candidate, best)][:1]
    return _first(
        (
            candidate
            for candidate in (best, *against, *fitting[1:])
            if candidate.score >= _WORTH * best.score
            and candidate.parts["sender"] >= best.parts["sender"] - _UNKNOWN
            and (not formed or candidate.parts["form"] >= _BEGINS)
            and not (
                candidate.unit.leads and candidate.question.form.opens(candidate.unit.reads)
            )  # without its list it says nothing
            and not _is_another_row(candidate, best)
            and not _is_a_mention(candidate, best)
        ),
        max_words,
    )


def with_next(question: str, picked: Sequence[Scored], candidates: Sequence[Scored], max_words: int) -> list[Scored]:
    """The same, with the sentence behind the best one, where a default, a number or a time is asked for and only that
    one has it: the best one says again what is asked."""
    if not picked:
        return []
    best = picked[0]
    behind = [other for other in candidates if other.piece is best.piece and other.at == best.at + 1]
    behind = [other for other in behind if other.unit.kind is Kind.PROSE]
    if not best.lacks_option and lacks_default(question, picked):
        wanted = next(filter(tells_default, behind), None)
    elif best.question.kinds & question_words.FIGURES and best.parts["kind"] != 1 and not best.parts["form"]:
        wanted = next((other for other in behind if other.parts["kind"] == 1), None)
    else:
        return [*picked]
    if wanted is None or wanted in picked:
        return [*picked]
    room = max_words - best.unit.words - wanted.unit.words
    return [best, wanted, *_first(picked[1:], room)] if room >= 0 else [*picked]


_GOES_BACK = re.compile(
    r"\W*(?!it (?:is|was|has been|can be|may be|should be)(?: \w+)? (?:that|to)\b|it (?:costs|takes|seems|appears)\b"
    r"|her majesty|(?:this|these|those|diese[rsmn]?|cet(?:te)?|ces|est[aeo]s?|quest[aoei]|deze|эт\w*) "
    r"(?:year|month|week|day|morning|evening|afternoon|night|spring|summer|autumn|fall|winter|season|time|who|that"
    r"|jahr|monat|woche|tag|mal|abend|sommer|année|mois|semaine|jour|matin|soir|fois|año|mes|semana|día|vez|tarde"
    r"|noche|ano|mês|dia|noite|anno|mese|settimana|giorno|volta|sera|maand|keer|год|месяц|недел|день|раз|вечер))"
    r"(?:(?:it|they|he|she|this|these|those|such|his|her|their|its|both|the (?:latter|former)"
    r"|er|diese?[rsmn]?|solche[rsmn]?|beide|seine?[rsmn]?|он[аио]?|это[тй]?|эт[аиу]|его|её|их|так(?:ие|ой|ая)"
    r"|elles|ils|cet(?:te)?|ces|leurs?|él|ell[ao]s|est[aeo]s?|el[ae]s|isso|isto|lui|loro|quest[aoei]"
    r"|hij|deze|hun)\b(?!['’])|他(?![人国乡方日处])|[她它]|这些|其(?![他它余实中次])|それ(?!ぞれ)|これ(?!から|まで)|彼(?![岸此方]))",
    re.IGNORECASE,
)
"""How a sentence begins that speaks of what stands before it."""


def with_before(picked: Sequence[Scored], candidates: Sequence[Scored], max_words: int) -> list[Scored]:
    """The same, with the sentence before the best one, where the best one speaks of it ("They …") and both fit."""
    if not picked or picked[0].unit.kind is not Kind.PROSE or not _GOES_BACK.match(picked[0].unit.reads):
        return [*picked]
    best = picked[0]
    before = [other for other in candidates if _follows(other, best) and other.section.heading == best.section.heading]
    before = [other for other in before if other.unit.kind is Kind.PROSE and other not in picked]
    fits = sum(candidate.unit.words for candidate in (*picked, *before)) <= max_words
    return [*picked, *before] if fits else [*picked]


def _first(candidates: Iterable[Scored], max_words: int) -> list[Scored]:
    """As many as fit, none that says what one before it says."""
    picked: list[Scored] = []
    room = max_words
    for candidate in candidates:
        if candidate.unit.words <= room and not any(_repeats(candidate, other) for other in picked):
            picked.append(candidate)
            room -= candidate.unit.words
    return picked


def _contradicts(candidate: Scored, best: Scored) -> bool:
    """Whether another item says the same of what is asked, but with other numbers, where a number or time is asked."""
    if candidate.piece.item_id == best.piece.item_id or not best.question.kinds & {"number", "time"}:
        return False
    numbers, others = _numbers(candidate), _numbers(best)
    words, same = candidate.terms - numbers, (candidate.terms & best.terms) - others
    return (
        bool(numbers and others and numbers.isdisjoint(others))
        and best.held <= candidate.held
        and len(same) > _REPEATS * min(len(words), len(best.terms - others))
    )


def _is_another_row(candidate: Scored, best: Scored) -> bool:
    """Whether it is a row of the same table, or another of the item, that lacks a word of the question which the best
    one holds: what both hold are mostly the names of columns."""
    are_rows = candidate.unit.kind is best.unit.kind is Kind.ROW and candidate.piece.item_id == best.piece.item_id
    return are_rows and not candidate.held >= best.held


def _is_a_mention(candidate: Scored, best: Scored) -> bool:
    """Whether a sentence of another document defines nothing, where the best one says what its own is called."""
    is_of_another = candidate.piece.item_id != best.piece.item_id and best.parts["about"] > candidate.parts["about"]
    return best.question.form.term and is_of_another and candidate.parts["form"] < _OPENS


def _numbers(candidate: Scored) -> frozenset[str]:
    """The numbers in digits that the question does not hold."""
    return frozenset(term for term in candidate.terms - candidate.question.asked if term.isdecimal())


def _repeats(candidate: Scored, other: Scored) -> bool:
    """Whether one says no more than the other."""
    return not _contradicts(candidate, other) and len(candidate.terms & other.terms) > _REPEATS * len(candidate.terms)


def _grouped(picked: Sequence[Scored]) -> list[list[Scored]]:
    """Sentences that follow each other together, in the order of the best of each group."""
    groups: list[list[Scored]] = []
    for unit in sorted(picked, key=lambda unit: (unit.piece.rank, unit.at)):
        if groups and _follows(groups[-1][-1], unit) and unit.parts["form"] < _BEGINS:
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return sorted(groups, key=lambda group: -max(unit.score for unit in group))


def _follows(last: Scored, unit: Scored) -> bool:
    """Whether a unit stands right behind another, and in a message is said by the same one."""
    if last.piece is not unit.piece or last.at + 1 != unit.at:
        return False
    return mailed.are_of_one(unit.piece, last.unit, unit.unit)

"""How well each unit of the evidence answers a question: by its words, its neighbourhood, and its form."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from biblicus.answering import question_words
from biblicus.answering.quoting import contrasting, entries, labels, mailed, properties, question_forms
from biblicus.answering.quoting.held import Held, close, days, joined, of_days
from biblicus.answering.quoting.held import held as held_of
from biblicus.answering.quoting.question_terms import QuestionTerms, kind_of, question_terms, stemmer_for, terms_in
from biblicus.answering.quoting.reading import definitions, lines_beside, settings
from biblicus.answering.quoting.reading.blocks import Kind
from biblicus.answering.quoting.reading.units import FIELDS, LISTED, LONGEST, Unit, opens_list
from biblicus.answering.quoting.sections import Section, is_called, letters, says_itself, sections
from biblicus.errors import Unavailable
from biblicus.models.evidence import Evidence, Likeness, Rarity
from biblicus.text import kinds
from biblicus.text.terms import synonyms
from biblicus.text.terms.inflections import ALIKE, forms
from biblicus.text.terms.titles import without_kind

WEIGHTS: Mapping[str, float] = {
    "own": 1.0, "words": 0.4, "pair": 0.05, "before": 0.35, "after": 0.1, "around": -0.1, "title": 0.1, "kind": 0.22,
    "place": 0.5, "form": 0.8, "about": 0.2, "whole": 0.1, "meaning": 0.8, "page": 0.4,
}  # fmt: skip
"""Of the parts of a score (see `Scored`)."""

_CLOSE, _COMPARED = 0.8, 8
"""Units that score at least this share of what the best one does, and so many at most, are compared by meaning, where
the best has no form that is asked for: of the others words and forms have decided."""
_FOREIGN = 0.5
"""What likeness counts in a language that the model does not know."""
_FIRST = 0.3
"""What another page than the first counts less where nothing is to be defined or done: there the form decides."""
_OTHERS = 0.5
"""What a sentence counts that does not hold the option which is asked about, where another does."""
_OF_OTHERS = 0.7
"""What a sentence counts that somebody else says than the one of whom it is asked what he says."""
_DECLARED = re.compile(r"^[ \t]*(?:async )?(?:class|def) \w[^\0]*:\s*\Z", re.MULTILINE)
"""What a docstring tells of, right above it."""
_CODE = 0.5
"""What code counts that nobody asked for, in texts that are code, or behind what does not say the task."""
_SHOWN = 0.75
"""The share of a task's words that what leads to code holds which shows how it is done."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score. `section`: the part of the evidence it is of, `at`: its place among the piece's units.

    `parts`, each 0-1 but for `meaning` and `page`: `own` the idf-weighted share of the question's words that it, or
    what leads right to it, holds; `words` the same of it alone, each word counting the same; `pair` of neighbouring
    words of the question that stand close together in it; `before`, `after`, `around`, `title`: the share that it
    lacks and that the unit before it, the one after it, the piece, or title and heading hold; `kind`: whether it
    holds words of the kind that is asked for; `place`: the piece's score relative to the best; `form`: whether it
    has the form of the answer (it defines, contrasts, is a step, is code); `about`: whether title or heading name
    just what is to be defined; `whole`: whether it ends as a sentence does; `meaning`: how like the question it is,
    by the model of the run's vectors; `page`: -1 where it is of another item than the one that comes first and it
    is asked how something is done, -.3 where nothing is to be defined. Beside the score, `sender`: whether somebody
    says it whom the question names, where it asks for that (.5 where that is not known). `terms`: all of its terms;
    `held`: those of `own`; `alike`: those of it that only synonyms hold.
    `question`: as read for it; `rarity`: of its words; `is_below_label`: whether the heading right above it is asked
    for.
    """

    section: Section
    at: int
    unit: Unit
    score: float
    parts: Mapping[str, float]
    terms: frozenset[str]
    held: frozenset[str]
    alike: frozenset[str]
    question: QuestionTerms
    rarity: Rarity
    is_below_label: bool = False

    @property
    def piece(self) -> Evidence:
        return self.section.piece

    @property
    def lacks_option(self) -> bool:
        """Whether an option is asked about that neither it, nor what it stands under, has in its very spelling."""
        option, at = entries.option_of(self.question.form.subject), self.at - self.section.start
        texts = (unit.reads for unit in self.section.units[max(0, at - 1) : at] if unit.kind is Kind.LABEL)
        return bool(option) and not entries.has_option(option, self.unit.reads, self.section.heading, *texts)

    @property
    def covered(self) -> float:
        """The share of the question's words that the unit, its piece, or title and heading hold."""
        return sum(self.parts[name] for name in ("own", "before", "after", "around", "title"))


def quotable(question: str, evidence: Sequence[Evidence], longest: int = LONGEST) -> list[Section]:
    """The sections of the evidence, but for what was generated, and for lists of links unless these may name what is
    asked for. `longest`: words of a unit; longer sentences are cut where a clause ends."""
    never = (kinds.GENERATED,) if question_forms.form_of(question).several else (kinds.GENERATED, kinds.NAVIGATION)
    pieces = [piece for piece in evidence if kinds.of(piece.path, piece.text) not in never]
    return [section for piece in pieces for section in sections(piece, min(longest, LONGEST))]


def scored(
    question: str,
    evidence: Sequence[Evidence],
    parts: Sequence[Section],
    weights: Mapping[str, float] = WEIGHTS,
    rarity: Rarity | None = None,
    likeness: Likeness | None = None,
) -> list[Scored]:
    """Every unit of the `quotable` parts of the evidence that says something and holds a word of the question or is of
    a piece that does, best first.

    `rarity`: of the question's words in the run, and `likeness` of texts to it: where they are known. Only units that
    words put close together are compared by meaning.
    """
    read = _as_spelled([_Read.of(question, section, evidence) for section in parts])
    seen: dict[str, int] = {}
    for piece in read:
        for held in piece.held:
            for term in held:
                seen[term] = seen.get(term, 0) + 1
    count = sum(len(part.section.units) for part in read)
    best = max((part.section.piece.score for part in read), default=0.0)
    within = {term: math.log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in seen.items()}
    local = Rarity(within, math.log(1 + (count + 0.5) / 0.5))
    first = evidence[0].item_id if evidence else ""
    worths = kinds.worths(question)
    units = [unit for piece in read for unit in piece.scored(local, rarity or local, best, first, weights, worths)]
    units = _of_the_option(units)
    units.sort(key=_order)
    if likeness is not None and units and not units[0].parts["form"]:
        close = [unit for unit in units[:_COMPARED] if unit.score >= _CLOSE * units[0].score]
        if len(close) > 1:
            units[: len(close)] = _compared(close, likeness, weights["meaning"])
            units.sort(key=_order)
    return units


def _of_the_option(units: Sequence[Scored]) -> list[Scored]:
    """The units; where an option is asked about and some have it as it is spelled, the others count less."""
    lacking = [unit.lacks_option for unit in units]
    if all(lacking) or not any(lacking):
        return [*units]
    weighed = zip(units, lacking, strict=True)
    return [replace(unit, score=_OTHERS * unit.score) if lacks else unit for unit, lacks in weighed]


def _order(unit: Scored) -> tuple[float, int, int]:
    return -unit.score, unit.piece.rank, unit.at


def _compared(units: Sequence[Scored], likeness: Likeness, weight: float) -> list[Scored]:
    """The units, each with less the less it is like the question than the one that is most like it."""
    try:
        cosines = likeness.of([unit.unit.reads for unit in units])
    except Unavailable:  # the words decide, as where there is no model
        return list(units)
    known = likeness.languages
    compared = []
    for unit, cosine in zip(units, cosines, strict=True):
        sure = 1.0 if known is None or unit.piece.language in known else _FOREIGN
        meaning = sure * (cosine - max(cosines))
        compared.append(replace(unit, score=unit.score + weight * meaning, parts={**unit.parts, "meaning": meaning}))
    return compared


def _as_spelled(read: Sequence[_Read]) -> list[_Read]:
    """The sections; where one is called just as what is asked about is spelled, those of another spelling, `slip` for
    `slips`, are not what is asked for."""
    if not any(part.is_spelled_so for part in read):
        return list(read)
    return [part if part.is_spelled_so or not part.about else part.called_otherwise() for part in read]


@dataclass(frozen=True, slots=True)
class _Read:
    """A section of a piece of evidence, each unit with its terms in order, and those of the question among them.

    `names`: the terms of title and heading; `called`: their letters; `about`: how much one of them names just what is
    to be defined (0-1); `entry`: the place of the sentence that an entry begins with which is called so; `labelled`:
    what each unit says behind a label.
    """

    section: Section
    question: QuestionTerms
    terms: Sequence[Sequence[str]]
    held: Sequence[Held]
    names: Sequence[frozenset[str]]
    called: frozenset[str]
    about: float
    entry: int | None
    letter: mailed.Letter | None
    sender: Held
    labelled: Sequence[labels.Labelled]

    @property
    def is_spelled_so(self) -> bool:
        """Whether its heading is one word, perhaps with what that is, in the spelling of what is asked about."""
        subject, heading = self.question.form.subject.lower(), self.section.heading
        return " " not in subject and bool(subject) and subject in (heading.lower(), without_kind(heading).lower())

    def called_otherwise(self) -> _Read:
        """The same, where its heading is one word in another form in a page: it names something else."""
        heading, asked = self.section.heading.lower(), self.question.form.subject.lower()
        is_other = heading.isalnum() and (heading.startswith(asked) or asked.startswith(heading))
        is_page = self.section.piece.media_type == "text/html"
        return replace(self, about=0.0, entry=None) if is_other and is_page else self

    @classmethod
    def of(cls, question: str, section: Section, others: Sequence[Evidence]) -> _Read:
        piece, parts = section.piece, section.units
        stemmer = stemmer_for(piece.language, [other.language for other in others])
        reading = question_terms(question, stemmer)
        terms = [terms_in(unit.reads, reading) if unit.kind is not Kind.MARKS else [] for unit in parts]
        called = {name: frozenset(terms_in(name, reading)) for name in (piece.title, section.heading) if name}
        about = {name: entries.named(name, words, reading, piece.text) for name, words in called.items()}
        is_defined = piece.doctype == "code" and entries.defines(section.heading, piece.path, reading)
        if is_defined and not entries.goes_on(piece, others):
            about[section.heading] = 1.0
        above = frozenset(terms_in(" ".join(piece.sections), reading))
        if section.heading and piece.title and not any(about.values()):
            whose = called[piece.title].union(terms_in(piece.path.replace("/", " "), reading), above)
            about[section.heading] = entries.named_together(section.heading, whose, reading)
        wants_property = reading.form.does and entries.DEFAULT.search(question) is not None
        is_entry = not section.is_described and about.get(section.heading or piece.title or "")
        if not is_entry and entries.OVERVIEW.match(section.heading):
            is_entry = about.get(piece.title or "")
        entry = None
        if is_entry and piece.media_type in settings.TYPES:
            entry = entries.of_setting(section, wants_property)
        elif is_entry:
            entry = entries.told(section) if is_defined else entries.entry(section, reading.form, wants_property)
        other_forms = {term: (word, synonyms.COUNTS) for term, word in reading.synonyms.items()}
        other_forms.update(forms(reading.terms, {term for unit in terms for term in unit}, stemmer))
        other_forms.update({term: (verb, ALIKE) for term, verb in reading.also.items()})
        held = [held_of(unit, reading, other_forms) for unit in terms]
        if asked_days := days(question, reading):
            dated = (of_days(asked_days, unit.reads, piece.path.rpartition("/")[2]) for unit in parts)
            held = [joined(*both) for both in zip(held, dated, strict=True)]
        names, about_it = [*called.values(), *filter(None, [above])], max(about.values(), default=0.0)
        of = mailed.letter(piece, others)
        sender = held_of(terms_in(of.sender.reads, reading), reading, {}) if of is not None and of.sender else {}
        around = labels.Around(piece, reading, frozenset[str]().union(*held, *called.values()), frozenset(sender))
        labelled = labels.labelled(question, reading, parts, around)
        names_of = {name for name in called if not says_itself(name, piece.text)}
        letters_of = frozenset(map(letters, filter(None, (*names_of, reading.form.subject))))
        return cls(section, reading, terms, held, names, letters_of, about_it, entry, of, sender, labelled)

    def scored(
        self,
        local: Rarity,
        rarity: Rarity,
        best: float,
        first: str,
        weights: Mapping[str, float],
        worths: Sequence[float],
    ) -> list[Scored]:
        """Its units. `best`: the highest score of a piece; `first`: the item that comes first; `worths`: what scores
        count by the kind of a text: release notes, tests and the like hold the words and seldom answer."""
        weigh = {term: local.of(term) for term in self.question.terms}
        whole = sum(weigh.values()) or 1.0
        around = joined(*self.held)
        title = {term: 1.0 for names in self.names for term in names if term in weigh}
        evidence, units = self.section.piece, self.section.units
        several = self.question.form.several
        is_instruction = self.question.form.steps or frozenset(self.question.terms) in self.names
        elsewhere = 1.0 if self.question.form.steps else 0.0 if self.question.subject else _FIRST
        only_lists = several and kinds.of(evidence.path, evidence.text) == kinds.NAVIGATION
        place = evidence.score / best if best > 0 else 0.0

        def share(held: Held, *without: Held) -> float:
            taken = frozenset[str]().union(*without)
            rest = [count * weigh[term] for term, count in held.items() if term not in taken]
            return sum(rest) / whole if rest else 0.0

        titled, worth = share(title, around), worths[kinds.of_path(evidence.path)]
        of, sender, speech = self.letter, self.sender, self.question.speech
        is_dated = "said" in speech and "time" in self.question.kinds and of is not None and of.day is not None
        sender = joined(title, sender) if sender and speech else sender
        scored = []
        led: Held = {}
        for at, unit in enumerate(units):
            opens = several and opens_list(units, at)
            is_written = of is not None and of.says(evidence.text, unit)
            is_sent = is_written and bool(sender)
            is_own = is_sent and "said" in speech and not is_called(unit.reads, self.called)
            is_of_asker = "asked" in speech and (is_written or unit.kind is Kind.FACT)
            is_asked = (is_own or is_of_asker) and labels.asks(unit)
            if at != self.entry and not is_asked and (unit.leads or is_called(unit.reads, self.called)):
                is_speaker = unit.kind is Kind.LABEL and lines_beside.is_speaker(unit.reads)
                led = led if is_speaker else {term: _LED * counts for term, counts in self.held[at].items()}
                if not opens:
                    continue
            alone = unit.kind in FIELDS
            before = self.held[at - 1] if at and not alone else {}
            after = self.held[at + 1] if at + 1 < len(self.held) and not alone else {}
            own = joined(self.held[at], led)
            if self._is_below_name(at):
                own = joined(dict.fromkeys(self.question.asked & self.question.subject, _LED), own)
            if is_sent:
                own = joined({term: _LED * counts for term, counts in sender.items()}, own)
            words = len(self.held[at])
            if self.labelled[at].worth >= _LABELLED:
                own = joined(dict.fromkeys(self.labelled[at].terms, _LED), own)
                words = len(own)
            if at == self.entry and self.about >= entries.LAST:  # an entry need not say again what it is called
                own = dict.fromkeys(self.question.asked & (self.question.subject | own.keys()), 1.0)
                words = len(own)
            code = unit.kind is Kind.CODE and (
                self.question.form.code or evidence.doctype == "code" or (bool(led) and is_instruction)
            )
            says_below = any(other.reads.endswith(":") for other in units[max(0, at - 2) : at])  # and is no heading
            is_shown = code and self.question.form.steps and share(led) >= _SHOWN and says_below
            goes_on = unit.kind in LISTED and at + 1 < len(units) and units[at + 1].kind is unit.kind
            if not (unit.leads or unit.kind is Kind.MARKS or goes_on):
                declared = _DECLARED.findall(unit.reads) if unit.kind is Kind.CODE else ()
                led = dict.fromkeys(self.question.asked & {*self._terms("".join(declared[-1:]))}, _LED)
            tells = unit.says or code or unit.leads or (of is not None and of.tells(unit))
            if not tells or (only_lists and not opens) or not (own or before or after or around):
                continue
            if unit.kind is Kind.FACT and not (
                self.held[at] or self.labelled[at].worth or labels.asks(units[at - 1] if at else None)
            ):
                continue  # what stands around it says other things
            parts = {
                "own": share(own),
                "pair": close(self.question.terms, self.terms[at], self.held[at]),
                "before": share(before, own),
                "after": share(after, own, before),
                "around": share(around, own, before, after),
                "title": titled,
                "kind": 1.0 if is_sent and is_dated else kind_of(unit.reads, self.question),
                "place": place,
                "form": share(own) * self._brief(at) if opens else max(self._form(at, own), self.labelled[at].worth),
                "about": self.about,
                "words": words / max(1, len(weigh)),
                "page": -elsewhere * (evidence.item_id != first),
                "whole": float(unit.kind is not Kind.PROSE or unit.reads.endswith(entries.ENDS)),
            }
            score = sum(weights[name] * value for name, value in parts.items())
            parts["sender"] = self._of_sender(unit)
            if "said" in speech and self.question.names and not parts["sender"]:
                score *= _OF_OTHERS
            if code and not (self.question.form.code or is_shown):
                score *= _CODE
            if of is not None:
                score *= of.worth(evidence.text, unit)
            if "task" in self.question.kinds:
                score *= question_words.task_worth(evidence.text[unit.start : unit.end])
            score *= worth
            terms = frozenset(self.terms[at])
            alike = frozenset(term for term, counts in own.items() if counts <= synonyms.COUNTS)
            own_terms = frozenset(own) - alike
            here = self.section.start + at
            below = self.labelled[at].is_below and self.labelled[at].worth >= _LABELLED
            made = Scored(self.section, here, unit, score, parts, terms, own_terms, alike, self.question, rarity, below)
            scored.append(made)
        return scored

    def _form(self, at: int, own: Held) -> float:
        """Whether a unit has the form that the answer to the question has."""
        form, unit = self.question.form, self.section.units[at]
        if form.code and unit.kind is Kind.CODE:
            return 1.0
        if form.contrast:
            if contrasting.is_one_sided(unit.reads, own.keys() & self.question.asked, form.sides, self._terms):
                return 0.0
            return (0.5 + 0.5 * len(own) / max(1, len(self.question.terms))) * contrasting.contrasts(unit.reads)
        if form.steps:
            return float(unit.kind is Kind.STEP)
        subject = self.question.subject
        if not subject:
            return 0.0
        if at == self.entry and is_called(unit.reads, self.called):  # a heading that says what is asked
            return self.about
        if self._is_below_name(at) and at != self.entry:
            return max(_UNDER_LABEL, self._defined(unit.reads))
        if form.named or (form.does and self.entry is not None and self.about >= entries.LAST):
            return self.about * definitions.begins_entry(unit.reads, form.does) if at == self.entry else 0.0
        says_it = self.question.telling_subject <= set(self.held[at])
        if at == self.entry and not says_it:
            of_list = _OF_A_LIST if unit.kind is Kind.ITEM and not form.does else 1.0
            return of_list * self.about * definitions.begins_entry(unit.reads, form.does)
        defined = _TELLS_OF_IT * question_forms.says_of_a_symbol(unit.reads, form)
        defined = max(self._defined(unit.reads), defined) if says_it else defined
        if at != self.entry or not says_it:
            return defined
        begins = subject <= {*self._terms(" ".join(unit.reads.split()[: len(subject) + 1]))}
        says = 1.0 if self.is_spelled_so and entries.tells_what_it_does(unit.reads) else _BEGINS if begins else _SAYS
        return max(defined, says * definitions.begins_entry(unit.reads, form.does))

    def _is_below_name(self, at: int) -> bool:
        """Whether a unit stands below a label that is asked about, or below its name alone."""
        units = self.section.units
        if not at or entries.is_syntax(units[at].reads, letters(self.section.heading)):
            return False
        if units[at - 1].kind is Kind.LABEL:
            return self._is_labelled(at - 1)
        return labels.is_below_name(units, at, letters(self.question.form.subject))

    def _is_labelled(self, at: int) -> bool:
        """Whether a label is what is asked about, or an option's beside its other names: `-t, --title <title>`."""
        option = entries.option_of(self.question.form.subject)
        if option and entries.has_option(option, self.section.units[at].reads):
            return entries.is_of(self.section.piece.path, self.names, option, self.question)
        return set(self.terms[at]) == self.question.subject

    def _of_sender(self, unit: Unit) -> float:
        """1 for what somebody says whom the question names, 0 for what others do, .5 where that is not known."""
        of = self.letter
        if self.question.speech and unit.kind is Kind.FACT and (speaker := lines_beside.speaker(unit.reads)):
            return float(not self.question.names.isdisjoint(self._terms(speaker)))
        if of is None or of.sender is None or not self.question.speech:
            return 0.5
        return float(bool(self.sender) and of.says(self.section.piece.text, unit))

    def _brief(self, at: int) -> float:
        """How little a sentence says beside what is asked (0.5-1)."""
        return 0.5 + 0.5 * len(self.held[at]) / max(1, len(set(self.terms[at])))

    def _defined(self, text: str) -> float:
        """How much a sentence that holds the subject defines it, or tells the value that is asked for."""
        worth = _OF_A_LIST if kinds.of_path(self.section.piece.path) == kinds.RELEASE else 1.0
        return worth * properties.defined(text, self.question, self._terms)

    def _terms(self, text: str) -> list[str]:
        return terms_in(text, self.question)


_LABELLED = 0.7
"""What is said behind a label that is asked for so much need not be said again."""
_LED = 0.8
"""What a word counts that stands in what leads to a unit."""
_BEGINS = 0.85
"""What it counts that the first sentence of an entry begins with its name and does not define it."""
_SAYS = 0.7
"""What the first sentence of an entry counts that says its name and does not define it."""
_TELLS_OF_IT = 0.3
"""What a sentence counts with the very name of an option or a file, where it is asked what that does."""
_OF_A_LIST = 0.4
"""What an item of a list counts that an entry begins with and that does not say its name; and one of release notes that
begins with it (`Winch: lets go of ropes`)."""
_UNDER_LABEL = 0.8
"""How much a text defines that stands under the word itself, as glossaries have it."""

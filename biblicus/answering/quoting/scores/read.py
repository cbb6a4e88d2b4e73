"""A section of the evidence as a question reads it, and what each of its units scores."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from biblicus.answering import called_by_number, question_words
from biblicus.answering.quoting import contrasting, definitions, entries, labels, mailed, properties, question_forms
from biblicus.answering.quoting.held import Held, close, days, joined, of_days, of_type, without_parts
from biblicus.answering.quoting.held import held as held_of
from biblicus.answering.quoting.question_terms import QuestionTerms, kind_of, question_terms, stemmer_for, terms_in
from biblicus.answering.quoting.scores import conditions
from biblicus.answering.quoting.scores.scored import Scored
from biblicus.answering.quoting.sections import Section, is_called, letters, says_itself
from biblicus.answering.reader.reading import lines_beside, settings
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import FIELDS, LISTED, Unit, opens_list
from biblicus.models.evidence import Evidence, Rarity
from biblicus.text import kinds
from biblicus.text.terms import synonyms
from biblicus.text.terms.inflections import ALIKE, forms
from biblicus.text.terms.titles import without_kind

_FIRST = 0.3
"""What another page than the first counts less where nothing is to be defined or done: there the form decides."""
_OF_OTHERS = 0.7
"""What a sentence counts that somebody else says than the one of whom it is asked what he says."""
_DECLARED = re.compile(r"^[ \t]*(?:async )?(?:class|def) \w[^\0]*:\s*\Z", re.MULTILINE)
"""What a docstring tells of, right above it."""
_SHOWS_ITSELF = 0.4
"""What the code of a program counts where code is asked for: an example, a command or how something is written."""
_CODE = 0.5
"""What code counts that nobody asked for, in texts that are code, or behind what does not say the task."""
_SHOWN = 0.75
"""The share of a task's words that what leads to code holds which shows how it is done."""
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
_CONDITIONED, _DENIED = 0.5, 0.5
"""The share of the question's words that the conditions of a sentence hold that tells what comes of them, at least; and
what it counts where one of them is denied ("not connected") and the other is not."""
_NO_USE = 0.6
"""What it counts what something is or does, where it is asked when it is used."""
_UNDER_LABEL = 0.8
"""How much a text defines that stands under the word itself, as glossaries have it."""


@dataclass(frozen=True, slots=True)
class _Common:
    """What the units of a section have in common.

    `weigh`: what each word of the question weighs, `whole`: all of them; `around`: those that the section holds,
    `titled`: the share that only title and heading hold; `sender`: those of who sent a letter, where it is asked what
    somebody says; `place`: its piece's score relative to the best; `page`: see `Scored`; `worth`: what its kind of file
    counts; `is_list`: whether it only leads elsewhere.
    """

    weigh: Mapping[str, float]
    whole: float
    around: Held
    titled: float
    sender: Held
    place: float
    page: float
    worth: float
    is_list: bool

    def share(self, held: Held, *without: Held) -> float:
        return _share(self.weigh, self.whole, held, *without)


def _share(weigh: Mapping[str, float], whole: float, held: Held, *without: Held) -> float:
    """The share of the question's words, by weight, that `held` has and the others have not."""
    taken = frozenset[str]().union(*without)
    rest = [count * weigh[term] for term, count in held.items() if term not in taken]
    return sum(rest) / whole if rest else 0.0


@dataclass(frozen=True, slots=True)
class Read:
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
    def _is_of_program(self) -> bool:
        """Whether it is of a program, which shows how it is made itself and not how it is used; a sample's shows that,
        too."""
        path = self.section.piece.path
        return self.section.piece.doctype == "code" and kinds.of_path(path) not in (kinds.EXAMPLE, kinds.TEST)

    @property
    def is_spelled_so(self) -> bool:
        """Whether its heading is one word, perhaps with what that is, in the spelling of what is asked about."""
        subject, heading = self.question.form.subject.lower(), self.section.heading
        return " " not in subject and bool(subject) and subject in (heading.lower(), without_kind(heading).lower())

    @property
    def is_of_several(self) -> bool:
        """Whether its heading is the plural of the word that is asked about: `forwarders`, and not `forward`."""
        subject = self.question.form.subject.lower()
        return subject.isalpha() and self.section.heading.lower() in (f"{subject}s", f"{subject}es")

    def called_otherwise(self) -> Read:
        """The same, where its heading is one word in another form in a page: it names something else."""
        heading, subject = self.section.heading.lower(), self.question.form.subject.lower()
        is_other = heading.isalnum() and (heading.startswith(subject) or subject.startswith(heading))
        is_page = self.section.piece.media_type == "text/html"
        return replace(self, about=0.0, entry=None) if is_other and is_page else self

    @classmethod
    def of(cls, question: str, section: Section, others: Sequence[Evidence]) -> Read:
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
        if of_all := of_type(piece.media_type, question, reading):
            held = [joined(own, of_all) if own else own for own in held]
        if numbers := called_by_number.small_numbers(question) & reading.asked:
            held = [without_parts(own, numbers, unit.reads) for own, unit in zip(held, parts, strict=True)]
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
        common = self._common(local, best, first, worths)
        units, form = self.section.units, self.question.form
        scored = []
        led: Held = {}
        for at, unit in enumerate(units):
            opens = form.opens(unit.reads) and opens_list(units, at)
            if self._only_leads(at):
                if not (unit.kind is Kind.LABEL and lines_beside.is_speaker(unit.reads)):
                    led = {term: _LED * counts for term, counts in self.held[at].items()}
                if not opens:
                    continue
            own, words = self._own(at, led, common.sender)
            if opens and form.contrast and at and units[at - 1].kind is unit.kind:
                own = joined(own, self.held[at - 1])  # "X is much like Y. The differences are:"
                words = len(own)
            code = self._is_wanted_code(unit, led)
            is_shown = code and form.steps and common.share(led) >= _SHOWN and self._is_led_to(at)
            led = self._leads_on(at, led)
            if not self._tells(at, own, code, common) or (common.is_list and not opens):
                continue
            parts = self._parts(at, own, words, opens, common)
            score = sum(weights[name] * value for name, value in parts.items())
            parts["sender"] = self._of_sender(unit)
            score *= self._worth(unit, parts["sender"], code and not (form.code or is_shown)) * common.worth
            terms = frozenset(self.terms[at])
            alike = frozenset(term for term, counts in own.items() if counts <= synonyms.COUNTS)
            below = self.labelled[at].is_below and self.labelled[at].worth >= _LABELLED
            here, held = self.section.start + at, frozenset(own) - alike
            scored.append(
                Scored(self.section, here, unit, score, parts, terms, held, alike, self.question, rarity, below)
            )
        return scored

    def _common(self, local: Rarity, best: float, first: str, worths: Sequence[float]) -> _Common:
        evidence, question = self.section.piece, self.question
        weigh = {term: local.of(term) for term in question.terms}
        around = joined(*self.held)
        title = {term: 1.0 for names in self.names for term in names if term in weigh}
        elsewhere = 1.0 if question.form.steps else 0.0 if question.subject else _FIRST
        is_list = question.form.several and kinds.of(evidence.path, evidence.text) == kinds.NAVIGATION
        whole = sum(weigh.values()) or 1.0
        return _Common(
            weigh,
            whole,
            around,
            _share(weigh, whole, title, around),
            joined(title, self.sender) if self.sender and question.speech else self.sender,
            evidence.score / best if best > 0 else 0.0,
            -elsewhere * (evidence.item_id != first),
            worths[kinds.of_path(evidence.path)],
            is_list,
        )

    def _is_written(self, unit: Unit) -> bool:
        """Whether it is what the sender of a letter says."""
        return self.letter is not None and self.letter.says(self.section.piece.text, unit)

    def _only_leads(self, at: int) -> bool:
        """Whether a unit only leads to what follows, or only says what is asked about by its name."""
        unit, speech = self.section.units[at], self.question.speech
        leads = unit.leads or is_called(unit.reads, self.called)
        if at == self.entry or not leads:
            return False
        is_written = self._is_written(unit)
        is_own = is_written and bool(self.sender) and "said" in speech and not is_called(unit.reads, self.called)
        is_of_asker = "asked" in speech and (is_written or unit.kind is Kind.FACT)
        return not ((is_own or is_of_asker) and labels.asks(unit))

    def _own(self, at: int, led: Held, sender: Held) -> tuple[Held, int]:
        """The words of the question that a unit, or what leads to it, holds, and how many it holds itself."""
        own, words = joined(self.held[at], led), len(self.held[at])
        if self._is_below_name(at):
            own = joined(dict.fromkeys(self.question.asked & self.question.subject, _LED), own)
        if sender and self._is_written(self.section.units[at]):
            own = joined({term: _LED * counts for term, counts in sender.items()}, own)
        if self.labelled[at].worth >= _LABELLED:
            own = joined(dict.fromkeys(self.labelled[at].terms, _LED), own)
            words = len(own)
        if at == self.entry and self.about >= entries.LAST:  # an entry need not say again what it is called
            own = dict.fromkeys(self.question.asked & (self.question.subject | own.keys()), 1.0)
            words = len(own)
        return own, words

    def _is_wanted_code(self, unit: Unit, led: Held) -> bool:
        """Whether a unit is code where that is asked for, all is code, or what leads to it says the task."""
        if unit.kind is not Kind.CODE:
            return False
        form = self.question.form
        is_instruction = form.steps or frozenset(self.question.terms) in self.names
        return form.code or self.section.piece.doctype == "code" or (bool(led) and is_instruction)

    def _is_led_to(self, at: int) -> bool:
        """Whether a text right above a unit says that it follows; a heading does not."""
        return any(unit.reads.endswith(":") for unit in self.section.units[max(0, at - 2) : at])

    def _leads_on(self, at: int, led: Held) -> Held:
        """What leads to the next unit, where `led` leads to this one."""
        units, unit = self.section.units, self.section.units[at]
        goes_on = unit.kind in LISTED and at + 1 < len(units) and units[at + 1].kind is unit.kind
        if unit.leads or unit.kind is Kind.MARKS or goes_on:
            return led
        declared = _DECLARED.findall(unit.reads) if unit.kind is Kind.CODE else ()
        return dict.fromkeys(self.question.asked & {*self._terms("".join(declared[-1:]))}, _LED)

    def _beside(self, at: int) -> tuple[Held, Held]:
        """What the units before and after one hold, where these say more of the same."""
        if self.section.units[at].kind in FIELDS:
            return {}, {}
        return self.held[at - 1] if at else {}, self.held[at + 1] if at + 1 < len(self.held) else {}

    def _tells(self, at: int, own: Held, code: bool, common: _Common) -> bool:
        """Whether a unit says something, and it or what stands around it holds a word of the question."""
        unit, units = self.section.units[at], self.section.units
        tells = unit.says or code or unit.leads or (self.letter is not None and self.letter.tells(unit))
        if not tells or not (own or any(self._beside(at)) or common.around):
            return False
        if unit.kind is not Kind.FACT:  # what stands around a fact says other things
            return True
        return bool(self.held[at] or self.labelled[at].worth or labels.asks(units[at - 1] if at else None))

    def _parts(self, at: int, own: Held, words: int, opens: bool, common: _Common) -> dict[str, float]:
        """What the score of a unit is made of (see `Scored`)."""
        unit, of, share = self.section.units[at], self.letter, common.share
        before, after = self._beside(at)
        is_dated = "said" in self.question.speech and "time" in self.question.kinds and of is not None
        is_of_a_day = is_dated and of is not None and of.day is not None and bool(common.sender)
        return {
            "own": share(own),
            "pair": close(self.question.terms, self.terms[at], self.held[at]),
            "before": share(before, own),
            "after": share(after, own, before),
            "around": share(common.around, own, before, after),
            "title": common.titled,
            "kind": 1.0 if is_of_a_day and self._is_written(unit) else kind_of(unit.reads, self.question),
            "place": common.place,
            "form": share(own) * self._brief(at, own) if opens else max(self._form(at, own), self.labelled[at].worth),
            "about": self.about,
            "words": words / max(1, len(common.weigh)),
            "page": common.page,
            "whole": float(unit.kind is not Kind.PROSE or unit.reads.endswith(entries.ENDS)),
        }

    def _worth(self, unit: Unit, of_sender: float, is_unwanted_code: bool) -> float:
        """What the score of a unit counts: less for what others say, for code, for what mail says besides."""
        text, worth = self.section.piece.text, 1.0
        if "said" in self.question.speech and self.question.names and not of_sender:
            worth *= _OF_OTHERS
        if is_unwanted_code:
            worth *= _CODE
        if self.letter is not None:
            worth *= self.letter.worth(text, unit)
        if "task" in self.question.kinds:
            worth *= question_words.task_worth(text[unit.start : unit.end])
        return worth

    def _form(self, at: int, own: Held) -> float:
        """Whether a unit has the form that the answer to the question has."""
        form, unit = self.question.form, self.section.units[at]
        if form.code and unit.kind is Kind.CODE:
            return _SHOWS_ITSELF if self._is_of_program else 1.0
        if form.contrast:
            if contrasting.is_one_sided(unit.reads, own.keys() & self.question.asked, form.sides, self._terms):
                return 0.0
            apart = contrasting.sets_apart(unit.reads, form.sides, self._terms)
            return (0.5 + 0.5 * len(own) / max(1, len(self.question.terms))) * apart
        if form.steps:
            return float(unit.kind is Kind.STEP)
        if form.condition:
            return self._conditioned(unit.reads)
        if form.usage:
            return self._used(at)
        return self._explained(at)

    def _explained(self, at: int) -> float:
        """How much a unit tells what is to be defined, or what it does."""
        form, unit = self.question.form, self.section.units[at]
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

    def _used(self, at: int) -> float:
        """Whether a unit says when, or for what, something is used; what it is counts less."""
        is_of_it = self.question.telling_subject <= set(self.held[at]) or self.about >= entries.LAST
        if is_of_it and conditions.tells_use(self.section.units[at].reads):
            return 1.0
        return _NO_USE * self._explained(at)

    def _conditioned(self, text: str) -> float:
        """How much of what is asked a sentence's own conditions hold: it tells what comes of that."""
        condition = conditions.of(text)
        terms = self.question.asked & {*self._terms(condition)} if condition else frozenset()
        share = len(terms) / max(1, len(self.question.asked))
        is_denied = conditions.is_denied(condition) != conditions.is_denied(self.question.form.condition)
        return share * (_DENIED if is_denied else 1.0) if share >= _CONDITIONED else 0.0

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
        is_called_so = set(self.terms[at]) == self.question.subject
        return is_called_so and not entries.is_member(self.section.units[at].reads, self.question.form.subject)

    def _of_sender(self, unit: Unit) -> float:
        """1 for what somebody says whom the question names, 0 for what others do, .5 where that is not known."""
        of = self.letter
        if self.question.speech and unit.kind is Kind.FACT and (speaker := lines_beside.speaker(unit.reads)):
            return float(not self.question.names.isdisjoint(self._terms(speaker)))
        if of is None or of.sender is None or not self.question.speech:
            return 0.5
        return float(bool(self.sender) and of.says(self.section.piece.text, unit))

    def _brief(self, at: int, own: Held) -> float:
        """How little a sentence says beside what is asked (0.5-1); of one that says that two things differ, whether it
        says so of both."""
        form = self.question.form
        if form.contrast:
            text = " ".join(unit.reads for unit in self.section.units[max(0, at - 1) : at + 1])
            held = own.keys() & self.question.asked
            return float(not contrasting.is_one_sided(text, held, form.sides, self._terms))
        return 0.5 + 0.5 * len(self.held[at]) / max(1, len(set(self.terms[at])))

    def _defined(self, text: str) -> float:
        """How much a sentence that holds the subject defines it, or tells the value that is asked for."""
        worth = _OF_A_LIST if kinds.of_path(self.section.piece.path) == kinds.RELEASE else 1.0
        return worth * properties.defined(text, self.question, self._terms)

    def _terms(self, text: str) -> list[str]:
        return terms_in(text, self.question)

"""What a title or heading names, and the sentence that an entry which is called so begins with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.answering.quoting import definitions, question_forms
from biblicus.answering.quoting.question_forms import Form
from biblicus.answering.quoting.question_terms import QuestionTerms, terms_in
from biblicus.answering.quoting.sections import Section, is_told_beside, letters
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import FIELDS, Unit, asides
from biblicus.models.evidence import Evidence
from biblicus.text.terms import code_names, symbols, tasks, titles

ENDS = tuple(".!。！…\"'”»)）」")
"""What a whole sentence ends with."""
_HEAD, _BESIDE = 120, 40
"""Characters that may stand before the name of the entry that a section begins with, its title and marks; and beside
it, for it to be no sentence about it."""
_NAMING = (Kind.HEADING, Kind.LABEL, Kind.MARKS)
_PROPERTY_OF = re.compile(
    r"[^\W\d_]{1,20}(?: [^\W\d_]{1,20})?: |(?:new|added|changed|removed|deprecated)\b.{0,12}\b(?:in|since) version\b",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"(?!(?:In|On|At|By|For|From|With|When|If|As|To|Of|While|Where|After|Before|Since|Unlike|Like|Because|But|And|Or|Is"
    r"|Are|This|That|These|Use|Using|See|Note|All|Both|Once|Given|Under|Over|Not|Only|Such|Here|There)\b)"
    r"[A-Z][a-z]+ (?:an?|the|all|each|every|whether|if|true)\b"
)
_OPEN_SIGNS, _END_SIGNS = "([{<|", tuple(")]}>;|")
"""Signs that stand in how something is written, and those that it ends with."""
DEFAULT = re.compile(
    r"\b(?:defaults?|standardwert|voreinstellung|por defecto|par défaut)\b|по умолчанию", re.IGNORECASE
)
ASKS_DEFAULT = re.compile(
    r"(?<!\bin )(?<!\bon )(?<!\bof )(?<!\bupon )\bdefaults? (?:value|setting|of|for|to)\b|\bby default\b"
    r"|['’]s default\b|\bthe default \w|\b(?:standardwert|voreinstellung|por defecto|par défaut)\b|по умолчанию",
    re.IGNORECASE,
)
"""Asks for what a setting is where nobody sets it; a borrower's default is something else."""
_DESCRIPTION = re.compile(
    r"\W*(?:description|summary|purpose|beschreibung|zweck|descripción|propósito|résumé|описание|назначение)\s*:",
    re.IGNORECASE,
)
"""How the line of a table, or of fields, begins that says what its entry is for."""
DEFAULT_FIELD = re.compile(rf"\W*(?:{DEFAULT.pattern})[^:]{{0,10}}:", re.IGNORECASE)
_TOLD = 4
"""Words at least of what tells what something does without an end, as manual pages do: `print the version and exit`."""
_BETWEEN = 8
"""Characters between two pieces of a text that follow each other, at most."""
_PROPERTY = 6
"""Words at most of what an entry says before its first sentence: `Default: 3.`"""
OVERVIEW = re.compile(
    r"\W*(?:\d[\d.]*\s+)?(?:overview|introduction|description|synopsis|about|summary|what (?:is|does) it(?: do)?"
    r"|überblick|einführung|beschreibung|einleitung|introducción|descripción|resumen|présentation|aperçu|обзор|введение"
    r"|описание|übersicht|wirkungsweise|allgemeines|visión general|generalidades|vue d['’]ensemble|généralités"
    r"|panoramica|introduzione|descrizione|visão geral|introdução|descrição|overzicht|inleiding|beschrijving"
    r"|общие сведения|назначение|wprowadzenie|opis|概述|概览|简介|介绍|概要|はじめに)\W*\Z",
    re.IGNORECASE,
)
"""The heading under which a page says what its title names."""
_OF_A_KIND = re.compile(
    r"(\S+) (?:variable|option|setting|parameter|command|function|keyword|macro|mode|rule|flag|field|property|attribute"
    r"|method|hook|directive|argument|filter|plugin|lint|instruction|statement|clause|operator|operation|pragma|element"
    r"|specifier|modifier|section|header|event|action|target|policy|resource|switch|driver)",
    re.IGNORECASE,
)
"""A plain word of which the question says what it is: "What does the sort variable do?" asks for `sort`."""
_TASK_OF_IT = re.compile(r":\s+(?:\w+ly\s+)?(?!(?i:string|spring|morning|evening|ceiling|sibling)\s)\w{3,}ing\s")
"""What stands behind the name of a thing in the title of what is done with it: `Windlasses: Oiling the Chain`."""
_OF_THE_PAGE = re.compile(
    r"\W*(?:welcome\b|(?:(?:last|date)\s+(?:updated|modified|changed|reviewed|edited)\b"
    r"|(?:updated|modified|reviewed|edited|published|posted|written)\s*(?:(?:on|in|by|at)\s|:|\d))"
    r"|(?:this|the) (?:page|document|article|guide|site) (?:(?:is|was) (?:being|under|still|not|out|now|last|no)\b"
    r"|has (?:been|not)\b|was\b|will\b|needs?\b)|(?:work in progress|under construction|coming soon|draft)\W*\Z"
    r"|zuletzt (?:geändert|aktualisiert)\b|willkommen\b|diese seite (?:ist|wird|wurde)\b|bienvenue\b|bienvenid[oa]s?\b"
    r"|dernière (?:mise à jour|modification)\b|última actualización\b|benvenut[oi]\b|bem-vindos?\b|welkom\b"
    r"|добро пожаловать|обновлено|欢迎|最后更新|最終更新|ようこそ)",
    re.IGNORECASE,
)
"""How a sentence begins that says something of its page, which is not what the page is about."""
_MEMBER = re.compile(r"(?:.*[\s*&])?([A-Z]\w*|\w+(?=::))(?:\.|::)~?\w+")
"""A member's name with that of its class, perhaps behind what it gives: `Slip.haul`, `bool Slip::haul`."""
_PART_OF = re.compile(
    r"(\w+) (?:option|parameter|argument|setting|field|attribute|property|member|method|function) (?:of|in|for|to)"
    r" (?:the )?@?([\w.:]+)(?: module| class| function| method| annotation| interface)?"
)
"""A part of something by its kind: `exclusive option of authorized_key`."""
_PARTS_OF_NAMES = re.compile(r"[.:#]+(?=\w)")
_ROLE = re.compile(r":[\w:+.-]{1,40}:`")
"""A name in reStructuredText that says what it is of, which a sentence may begin with: `:class:`Winch` hauls.`"""
_FIELD, _FIELDS = re.compile(r"[A-Z][\w-]{2,20}(?: [a-z][\w-]{1,20})?:(?:\s|$)"), 2
"""A line that says one thing of an entry, and how many stand above a text at least."""
_MODIFIERS = re.compile(r"(?:[\w\"]+ ){0,6}")
"""What stands before the name of a function where it is shown how it is called."""
_WORDS = re.compile(r"\w+")
_BEFORE_COMMENTS = ("@", "#", "[")
"""What attributes and directives begin with, which may stand above the comment of a definition."""
_PLAIN_NAME = re.compile(r"`|\(.*", re.DOTALL)
"""What is no letter of a name: marks of code, arguments."""
LAST = 0.9
"""What a heading counts that is the last part of a name: `save()` of `Model.save`."""
_AS_A_SYMBOL = 0.7
"""What a name counts that is an option's, a setting's or a placeholder's, where a word is asked for; and one that is
spelled in other letters."""


def named(name: str, terms: frozenset[str], question: QuestionTerms, text: str = "") -> float:
    """How much a title or heading names what is to be defined (0-1): wholly, or as the name of an option or a setting,
    in part of its words, or with something beside it; as the end of a command that the `text` shows whole."""
    wanted = question.form.subject
    if _is_called_with(name, text, question):
        return 1.0
    may_be_option = wanted.startswith("-") or is_option(wanted)  # `/etc/fstab` is none
    if not question.subject or (may_be_option and wanted not in symbols.OPTION.findall(name)):
        return 0.0
    last = _PARTS_OF_NAMES.split(wanted)[-1]
    if last == wanted and is_member(name, wanted):
        return 0.0
    if last != wanted and _PLAIN_NAME.sub("", name) == last:
        return LAST
    whole = terms == question.subject
    if question.form.does and (of_a_kind := _OF_A_KIND.fullmatch(wanted)):
        plain = frozenset(terms_in(of_a_kind[1], question))
        if plain in (terms, *map(frozenset, map(str.split, titles.terms(name, question.stemmer, question.stemmer)))):
            return LAST
    if not whole and (bare := titles.without_kind(name, is_of_a_name=wanted[:1].isupper())) != name:
        name, whole = bare, frozenset(terms_in(bare, question)) == question.subject
    others = titles.terms(name, question.stemmer, question.stemmer)
    options = symbols.OPTION.findall(wanted)
    is_of_another = bool(options) and not question.telling_subject <= set(terms_in(" ".join(options), question))
    exact = [term for term in symbols.exact(wanted) if not (is_of_another and term.startswith(symbols.OPTION_TERMS))]
    subject = (*titles.terms(wanted, question.stemmer, question.stemmer)[:1], *exact)
    if not whole and (tasks.is_imperative(name) or _is_task_of_it(name, question)):
        return 0.0  # it is called what is done with it
    if not whole and question.subject not in map(frozenset, map(str.split, others)) and not {*subject} & {*others}:
        return 0.0
    if wanted in name.split(", "):
        return 1.0
    if symbols.spelled_as_a_name(wanted):
        return 1.0 if last in name else _AS_A_SYMBOL
    return _AS_A_SYMBOL if question_forms.is_symbol(name) and not question_forms.is_symbol(wanted) else 1.0


def is_member(name: str, wanted: str) -> bool:
    """Whether a name, perhaps with how it is called, is of something that is of what is asked about."""
    member = _MEMBER.fullmatch(_PLAIN_NAME.sub("", name))
    return member is not None and member[1] == wanted


def is_option(subject: str) -> bool:
    """Whether what is asked about is the name of an option: `--force`."""
    return symbols.OPTION.fullmatch(subject) is not None


def _is_called_with(name: str, text: str, question: QuestionTerms) -> bool:
    """Whether a page is called as the end of a command that is asked about, and shows it: `login` of `$ port login`."""
    subject = question.form.subject.lower()
    if not question.form.does or not subject.endswith(f" {name.lower()}"):
        return False
    return any(line.lstrip(" \t$>").lower().startswith(subject) for line in text.splitlines())


def option_of(subject: str) -> str:
    """The option that is asked about, by itself or of a command: `-i` of `git rebase -i`; empty for none."""
    last = subject.rpartition(" ")[2]
    return last if symbols.OPTION.findall(subject) == [last] else ""


def is_of(path: str, names: Sequence[frozenset[str]], option: str, question: QuestionTerms) -> bool:
    """Whether all else that is asked about an option is of a page's path or of its `names`: it is of that command."""
    of = question.telling_subject.difference(terms_in(option, question))
    return of <= frozenset(terms_in(path.replace("/", " "), question)).union(*names)


def has_option(option: str, *texts: str) -> bool:
    """Whether one of the texts holds an option in its very spelling: `-n` is another than `-N`."""
    return any(option in symbols.OPTION.findall(text) for text in texts)


def _is_task_of_it(name: str, question: QuestionTerms) -> bool:
    """Whether a title names a task behind what that is done with, and that is not what is to be defined."""
    task = _TASK_OF_IT.search(name)
    behind = frozenset(terms_in(name[task.start() :], question)) if task else frozenset[str]()
    return task is not None and not (behind and behind <= question.subject)


def named_together(heading: str, title: frozenset[str], question: QuestionTerms) -> float:
    """How much a heading below a title, or one of the names in it, names what is to be defined (0-1): `pop [<stash>]`
    below `git-stash`, `-i, --interactive` below `git-rebase`. `title`: also the terms of the path, whose folders say
    what their files are about."""
    if not set(symbols.OPTION.findall(question.form.subject)) <= set(symbols.OPTION.findall(heading)):
        return 0.0  # `-n` is another option than `-N`
    for name in (heading, *heading.split(", ")):
        terms = frozenset(terms_in(titles.without_options(name), question))
        if terms and terms < question.subject and question.telling_subject - terms <= title:
            return 1.0
    return 0.0


def defines(heading: str, path: str, question: QuestionTerms) -> bool:
    """Whether the heading of a definition in source code ends with the name that is asked for: `Slip.haul()` of
    `slip.Slip.haul`; what it is said to be of may be of its path (`harbour::haul` in `harbour-1.2/src/slip.rs`). A
    plain word is a name where it is asked what it does, and a type's where it is asked what it is."""
    asked = _PLAIN_NAME.sub("", question.form.subject.strip("`"))
    *whose, name = _PARTS_OF_NAMES.split(asked)
    *around, called = heading.split(".")
    if part := _PART_OF.fullmatch(asked):
        return called == part[1] and {*_PARTS_OF_NAMES.split(part[2])} <= {*around, *_WORDS.findall(path)}
    if question.form.term and called[:1].isupper() and not whose:  # types are called so
        return called.lower() == name.lower()
    if not asked or not (question.form.does or symbols.spelled_as_a_name(asked)):
        return False
    return called == name and {*whose} <= {*around, *_WORDS.findall(path)}


def goes_on(piece: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether a piece of source code goes on where the comment was too long that a definition begins with."""
    return any(
        other.item_id == piece.item_id
        and other.heading == piece.heading
        and other.span_start < piece.span_start <= other.span_end + _BETWEEN  # pieces of code may share lines
        and not code_names.is_defined(other.heading or "", other.text)
        for other in others
    )


def told(section: Section) -> int | None:
    """The place of the first sentence of the comment or docstring of a definition: not of what stands within it."""
    text, is_within = section.piece.text, False
    behind = (at for at, unit in enumerate(section.units) if unit.kind is Kind.PROSE and _is_behind(text, unit.start))
    if (helps := next(behind, None)) is not None:
        return helps
    for at, unit in enumerate(section.units):
        is_shown = _is_signature(unit.reads, section.heading)
        if unit.says and unit.kind in (Kind.PROSE, Kind.ITEM) and not is_shown:
            return at
        is_within = is_within or (unit.kind is Kind.CODE and not unit.reads.startswith(_BEFORE_COMMENTS))
        if is_within and section.piece.media_type != "text/x-python":
            break
    return None


def of_setting(section: Section, wants_default: bool) -> int | None:
    """The place of what the comment of a setting says first; of its own line, where its default is asked for."""
    own = re.compile(rf"^[ \t]*[#;]{{0,2}}[ \t]?{re.escape(section.heading)}(?:[ \t]*[=:]|[ \t]|$)", re.MULTILINE)
    saying = [at for at, unit in enumerate(section.units) if unit.says]
    text = section.piece.text
    set_at = (at for at in saying if own.search(text, section.units[at].start, section.units[at].end))
    return next(set_at if wants_default else iter(saying), None)


def _is_behind(text: str, at: int) -> bool:
    """Whether a comment stands behind the target of a makefile, for its help: what that is for."""
    return text.startswith("##", at) and bool(text[text.rfind("\n", 0, at) + 1 : at].strip())


def _is_signature(reads: str, name: str) -> bool:
    """Whether a text shows how something is called with this name: `pub fn drain<R>(range: R)`."""
    last = _PARTS_OF_NAMES.split(name)[-1]
    before, named_so, behind = reads.partition(last or "\n")
    return bool(named_so) and behind.startswith(("(", "<")) and _MODIFIERS.fullmatch(before) is not None


def tells_what_it_does(text: str) -> bool:
    """Whether a sentence begins with what something does, as references have it: `Return the largest number`, `This
    class describes …`."""
    return _DOES.match(text) is not None or definitions.speaks_of_it(text)


def is_syntax(reads: str, heading: str) -> bool:
    """Whether a line shows behind a label how it is written what has this heading: `Grammar: forward ( first | only );`
    where what is written and what is chosen stand apart by signs."""
    label = _PROPERTY_OF.match(reads)
    rest = reads[label.end() :] if label else ""
    has_signs = rest.endswith(_END_SIGNS) and any(sign in rest[:-1] for sign in _OPEN_SIGNS)
    return bool(heading) and has_signs and letters(rest).startswith(heading)


def below_fields(units: Sequence[Unit]) -> int:
    """Where the text of a section begins above which fields stand, two at least: `Tags: links`, `Fixable: by tooling`,
    `Parameters:` with its list."""
    fields = 0
    for at, unit in enumerate(units):
        if _FIELD.match(unit.reads):
            fields += 1
        elif unit.kind is Kind.PROSE and fields:
            return at if fields >= _FIELDS else 0
        elif unit.kind in (Kind.CODE, Kind.ROW, Kind.STEP) or (unit.kind is Kind.PROSE and unit.says):
            return 0
    return 0


def entry(section: Section, form: Form, wants_property: bool) -> int | None:
    """The place of the first sentence of a section, where its title or heading stands at its beginning, or it begins a
    page whose title stands in its front matter; where it is asked what something does, also of what leads to its code
    or list. `wants_property`: whether what stands before that sentence is asked for, the default: `Default: 3.`"""
    name = section.heading or section.piece.title or ""
    one = name.partition(", ")[0]
    heading = letters(_PARTS_OF_NAMES.split(one)[-1] if " " not in one else name)
    text, begin = section.piece.text, section.units[0].start
    is_shown = _is_signature(section.units[0].reads, name)
    if (
        not is_shown
        and not section.opens
        and not any(
            heading in letters(text[unit.start : unit.end])
            and (
                text.startswith(f"{name}  ", unit.start)
                or unit.kind in _NAMING
                or len(unit.reads) <= len(heading) + _BESIDE
                or is_told_beside(unit, heading)
            )
            for unit in section.units
            if unit.start <= begin + _HEAD
        )
    ):
        return None
    if wants_property and DEFAULT.search(section.heading):
        return next((at for at, unit in enumerate(section.units) if letters(unit.reads) == heading), None)
    field = DEFAULT_FIELD if wants_property else _DESCRIPTION
    first = None
    passed_over = asides(text, section.units) | frozenset(range(0 if wants_property else below_fields(section.units)))
    for at, unit in enumerate(section.units):
        if unit.says and unit.kind in FIELDS and field.match(unit.reads):
            return at
        if at in passed_over or (is_shown and not at) or unit.kind not in (Kind.PROSE, Kind.ITEM, Kind.FACT):
            continue
        if _OF_THE_PAGE.match(unit.reads) or is_syntax(unit.reads, heading):
            continue
        is_field = text.startswith((":",) if unit.kind is not Kind.FACT else (":", "<", "{"), unit.start)
        is_field = is_field and not _ROLE.match(text, unit.start)
        is_brief = unit.words <= _PROPERTY or unit.reads.endswith(")")
        is_property = is_field or (is_brief and _PROPERTY_OF.match(unit.reads) is not None)
        is_wanted = is_property and wants_property and DEFAULT.search(unit.reads) is not None
        is_told = form.does and unit.words >= _TOLD and not is_field
        if unit.says and (is_told or unit.reads.endswith(ENDS) or is_wanted):
            if is_wanted or not (is_property or wants_property):
                return at
            first = at if first is None else first
        elif form.does and unit.leads and unit.words > _PROPERTY and not wants_property:
            return at
    if not wants_property:
        return first
    return next((at for at, unit in enumerate(section.units) if unit.says and DEFAULT.search(unit.reads)), first)

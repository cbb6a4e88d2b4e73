"""How likely it is that quoted sentences answer a question (0–1), from what they and their neighbours hold of it.

A logistic regression, fitted on xquad in four languages (questions on their own paragraphs, and on the others with
that paragraph away), scifact, cranfield and cisi (questions on their own collection and on another), three folders of
documentation (definitions, entries, names; with and without the page) and the PEPs. Right is what holds the gold words,
or cites a judged item. docs/quoting-measured.md has the table of confidence against correctness, what each collection
loses when it is left out of the fit, and what was tried.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from biblicus.answering import called_by_number, question_words, somebody
from biblicus.answering.asked_things import things
from biblicus.answering.quoting import question_forms
from biblicus.answering.quoting.question_terms import terms_in
from biblicus.answering.quoting.scores import untold
from biblicus.answering.quoting.scores.scored import Scored
from biblicus.answering.quoting.scores.statements import leading_to
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.lines_beside import MESSAGE
from biblicus.answering.reader.reading.units import LISTED
from biblicus.errors import Unavailable
from biblicus.models.evidence import Evidence, Likeness, Rarity
from biblicus.text import kinds
from biblicus.text.terms import analysis

LEAST = 0.25
"""Below this nothing is quoted."""

WEIGHTS: Mapping[str, float] = {
    "quoted": 2.84, "near": 1.77, "lacks": 1.47, "elsewhere": -2.37, "names": -0.45, "apart": 0.52, "letters": 3.17,
    "matched": 0.24, "third": -2.32, "length": 0.43, "listed": -0.6, "code": -0.8, "one_side": -1.5, "other": -0.7,
    "mention": -3.7, "meant": 3.5, "figure": -1.6, "rarer": -2.0, "thin": -0.35, "no_default": -3.5, "untold": -1.5,
    "another": -5.0,
}  # fmt: skip
"""Of the signs. The five from `listed` to `mention` are not fitted: no collection at hand has such answers. Those
behind were fitted beside the others, which stayed as they were."""
_BIAS = -5.79
_ALIKE = 0.5
"""What a synonym counts beside the word itself, which is not lacking then: with nothing, more is answered whose
paragraph is gone (hybrid, xquad-en: 10.1 for 7.7 %); with as much, words of two meanings are sure ("The press is
oiled", for a newspaper)."""
_ENOUGH = 0.4
"""Of what is asked, by how rare its words are: an answer that holds less is `thin`."""
_BY_CHANCE, _NO_CHANCE = 8.5, 1.3
"""The idf of words together that one chunk of the run holds by chance, of 5,000 where it has more; and how many times
as much is beyond chance."""
_NO_OTHERS, _OTHERS = 0.4, 0.4
"""The score of the third piece, relative to the first, where no other place holds as much; and above that, where some
do."""
_ALMOST_ALL = 0.98
"""Of what is asked: a sentence that holds so much lacks no word."""
_DOUBTS: Mapping[str, tuple[float, float]] = {"without": (2.5, 0.55), "chance": (1.5, 0.4)}
"""How much signs that empty no answer take off, and the confidence that they leave: less would empty answers, or be
behind those that other signs doubt already. Of paragraphs, answers that lack a thing are right more often than of
folders of many kinds."""
_OF_ANOTHER_YEAR = 0.5
"""What a document of another year is beside one of another number: it may tell of years that it does not name."""
_FEW_WORDS, _A_FIFTH = 4, 0.2
"""Words of a question of which each thing that it names counts; and the share of them that an answer may lack."""
_LEG = "lexical"
_USUAL = 1.3
"""`matched` where no leg counts words."""
_MEANT = 0.5
"""The cosine of a sentence that says nothing for or against: between what answers and what is nearest to it."""
_DEFINES = 0.6
"""The form of a sentence that defines, at least."""
_ABOUT_IT = 0.6
"""What it counts that a text is about a thing whose sentence does not define it."""
_RUN, _SHORT_RUN = 5, 2
"""Characters that stand in the same order in question and text at least, and of scripts that write words together."""
_WIDE = "\u2e80"
_UNSPACED = re.compile("[\u2e80-\u9fff\uac00-\ud7a3]")
_FEW = 80
"""Letters of a question of which an answer holds the rarest word; of longer ones less is expected."""
_DENSE = 2.5
"""Letters of an alphabet that say what one character of such a script says."""
_SPEAKS = re.compile(r"[^\W\d_a-z][^\W\d_a-z .'’-]{1,39}:(?=\s\S)")
"""How a line of subtitles or of a play begins: `ADA: Ahoy`. Who speaks does so more than once; a label stands once."""
_EITHER = re.compile(r"\b(?:and|or|und|oder|et|ou|y|o|e|и|или)\b", re.IGNORECASE)
"""Asks about several things, of which each may be told by itself."""
_VERSION = re.compile(r"(?<![\w.])v?\d{1,4}\.\d")
"""What one of the headings, the title or the path of release notes has: news of a club have none."""
_A_KIND = re.compile(r"\b(?:an?|eine?|une?|una|een)\s+$", re.IGNORECASE)
_NO_WORD = re.compile(r"\W+")


def confidence(signs: Mapping[str, float]) -> float:
    """That the answer with these signs is right. A sign that is absent counts as 0."""
    value = _BIAS + sum(WEIGHTS[name] * size for name, size in signs.items() if name in WEIGHTS)
    return doubted(round(1 / (1 + math.exp(-value)), 4), signs)


def doubted(likely: float, signs: Mapping[str, float]) -> float:
    """A confidence after the doubts that empty no answer."""
    for name, (weight, left) in _DOUBTS.items():
        if likely > left:
            likely = left + (likely - left) * math.exp(-weight * signs.get(name, 0))
    return round(likely, 4)


def signs(
    question: str,
    picked: Sequence[Scored],
    candidates: Sequence[Scored],
    evidence: Sequence[Evidence],
    likeness: Likeness | None = None,
) -> dict[str, float]:
    """What tells whether the best of all candidates answers, with what is picked beside it.

    Of the question's words, weighted by how rare they are in the run: `quoted`, the share that all that is picked
    holds; `near`, that the best and its neighbours hold; `elsewhere`, that its piece lacks and other chunks of the run
    hold. `lacks`: how many words the piece lacks, which counts for an answer where it does not lessen the shares: they
    are plain. `names`: the share of names and numbers that the best lacks. `letters`: the share of the question's
    letters that stand in the piece, its title and heading in the question's order. `apart`: how far the next statement
    of the piece is behind. `matched`: how well the first piece matched each word; `third`: the score of the third,
    relative to the first. `length`: of the question. `listed`, `code`: whether the best is of a list or table, is code
    that nobody asked for; `one_side`: whether it sets nothing apart where that was asked, or tells not what comes of
    something; `other`: whether it defines
    under a heading that names something else; `mention`: how far it only mentions a term whose meaning is
    asked for. `meant`: how like the question it is, more or less than usual, where the run has a model that knows
    its language. `figure`: whether a number, an amount or a time is asked for and what is picked of that piece tells
    none; `rarer`: how much rarer the rarest word of the question that the run holds is than the rarest that the best
    holds, less of a question of many words. `thin`: whether little of what is asked is held; `no_default`, `untold`:
    whether a default, or the very thing that is asked for, is not told; `another`: whether that has another number, or
    how somebody is reached is not told. `chance`: how far other places could hold as
    much of it by chance; `without`: whether a thing that is asked about, or what somebody is said to speak of,
    is named nowhere around the best, whether it is asked who somebody is and nobody is named, whether nothing but the
    speaker is of what is asked, whether a record of what was done is quoted for what is so, or nothing sets apart
    what is to be; these two empty no answer.
    """
    best = picked[0]
    parts, terms, form = best.parts, best.question.terms, best.question.form
    across = _across_words(terms, best.rarity)
    weights = {term: best.rarity.of(term) for term in terms if term not in across}
    whole = sum(weights.values()) or 1.0

    def share(held: Iterable[str]) -> float:
        return sum(weights.get(term, 0.0) for term in held) / whole  # a text in another language holds others

    def covered(units: Sequence[Scored]) -> float:
        held = frozenset[str]().union(*(other.held for other in units))
        return share(held) + _ALIKE * share(frozenset[str]().union(*(other.alike for other in units)) - held)

    def rarest(held: Iterable[str]) -> float:
        return max((weights.get(term, 0.0) for term in held), default=0.0) / (best.rarity.rarest or 1.0)

    around = f"{best.piece.title}\n{best.piece.heading}\n{best.piece.text}"
    figures = question_words.figures(question)
    letters = len(question) * (_DENSE if _UNSPACED.search(question) else 1)
    own = [other for other in candidates if other.piece is best.piece]
    of_best = (other.unit.reads for other in picked if other.piece is best.piece)
    reads = [question_words.without_numbers(text, question) for text in of_best]
    held = frozenset[str]().union(*(other.held | other.alike for other in own))
    lacked = [term for term in terms if term not in held]
    matched = evidence[0].stage_scores.get(_LEG)
    third = evidence[2].score / (evidence[0].score or 1.0) if len(evidence) > 2 else 0.0
    quoted = covered(picked)
    near = covered([other for other in own if abs(other.at - best.at) <= 1])
    return {
        "quoted": quoted,
        "near": near,
        "thin": float(max(quoted, near) < _ENOUGH),
        "lacks": math.log1p(len(lacked)),
        "elsewhere": share(term for term in lacked if term in best.rarity.weights),
        "names": len(best.question.names - best.held) / max(1, len(best.question.names)),
        "apart": best.score - max((other.score for other in own if other is not best), default=0.0),
        "letters": _letters(question, best.piece),
        "matched": _USUAL if matched is None else math.log1p(max(0.0, matched) / max(1, len(terms))),
        "third": third,
        "chance": _chance(best, weights, third),
        "without": float(
            _is_without_thing(question, best, own)
            or is_beside_topic(question, best)
            or _names_nobody(question, picked)
            or _is_record(question, best)
            or _only_speaks(best)
            or (bool(form.sides) and parts["form"] < untold.FORMED)
        ),
        "length": math.log1p(letters),
        "listed": float(best.unit.kind in (Kind.ITEM, Kind.ROW) and not form.steps),
        "code": float(best.unit.kind is Kind.CODE and not form.code),
        "untold": float(best.lacks_option or is_of_another(best) or untold.is_untold(question, picked)),
        "no_default": float(untold.lacks_default(question, picked)),
        "another": float(
            _is_of_another_number(question, picked) or _lacks_contact(question, picked) or _is_of_nobody(question, best)
        )
        or _OF_ANOTHER_YEAR * called_by_number.is_of_another_year(question, best.piece.path, around),
        "one_side": float((form.contrast or bool(form.condition)) and parts["form"] < untold.FORMED),
        "mention": _mention(question, best),
        "meant": _meant(best, likeness),
        "figure": float(bool(figures) and not any(question_words.tells(figures, text) for text in reads)),
        "rarer": (rarest(weights.keys() & (best.rarity.weights.keys() | best.held)) - rarest(best.held))
        * min(1.0, _FEW / max(1, letters)) ** 2,
        "other": float(bool(best.question.subject and best.piece.heading) and parts["form"] >= 0.5 > parts["about"]),
    }


def is_of_another(best: Scored) -> bool:
    """Whether it is asked what somebody says, and another says this, without a word of the one who is asked about."""
    names = best.question.names if "said" in best.question.speech else frozenset[str]()
    return bool(names) and not best.parts["sender"] and names.isdisjoint(best.terms)


def _is_of_nobody(question: str, best: Scored) -> bool:
    """Whether it is asked what somebody says whose name stands nowhere in the run."""
    if "said" not in best.question.speech:
        return False
    topic = frozenset(analysis.terms(question_words.topic(question), best.question.stemmer))
    names = best.question.names - topic
    return bool(names) and names.isdisjoint(best.rarity.weights)


def _names_nobody(question: str, picked: Sequence[Scored]) -> bool:
    """Whether it is asked who somebody is, and what is picked of the best piece defines nobody and names nobody."""
    best = picked[0]
    if not somebody.asks_who_is(question) or best.parts["form"] >= untold.FORMED:
        return False
    units = [other.unit for other in picked if other.piece is best.piece]
    texts = [text for unit in units for text in (unit.reads, best.piece.text[unit.start : unit.end])]
    return not any(somebody.names_somebody(text, question, best.question.stemmer) for text in texts)


def _is_record(question: str, best: Scored) -> bool:
    """Whether the best stands in a record of what was done (release notes, a log, tests of a program), for which the
    question does not ask: its lines hold the words of much that they do not tell."""
    piece = best.piece
    kind = kinds.of_path(piece.path)
    if kinds.worths(question)[kind] >= 1:
        return False
    called = (piece.path, piece.title or "", best.section.heading, *piece.sections)
    is_release = kind == kinds.RELEASE and any(map(_VERSION.search, called))
    return is_release or kind == kinds.LOG or (kind == kinds.TEST and piece.doctype == "code")


def _only_speaks(best: Scored) -> bool:
    """Whether a message has nothing of what is asked but the name of who says it, where that is not asked."""
    if not best.held or best.alike or best.question.speech:
        return False
    reads = best.unit.reads
    message, line = MESSAGE.match(reads), _SPEAKS.match(reads)
    if message is None and (line is None or best.piece.text.count(line[0]) < 2):
        return False
    says = reads[message.end() - 1 :] if message else reads[line.end() :] if line else ""
    return best.held.isdisjoint(terms_in(says, best.question))


def is_beside_topic(question: str, best: Scored) -> bool:
    """Whether it is asked what somebody says about something, and neither this nor what it stands under has a word of
    that."""
    topic = question_words.topic(question) if "said" in best.question.speech else ""
    wanted = frozenset(analysis.terms(topic, best.question.stemmer)) & best.question.asked
    above = " ".join(filter(None, (best.piece.title, best.section.heading)))
    return bool(wanted) and wanted.isdisjoint(best.held | best.alike | {*terms_in(above, best.question)})


def _is_of_another_number(question: str, picked: Sequence[Scored]) -> bool:
    """Whether something is asked about that is called by a number, and what is quoted first, or its page by what that
    is called, tells of others of that name."""
    best, piece = picked[0], picked[0].piece
    about = "\n".join((piece.path.rpartition("/")[2], piece.title or "", piece.heading or "", best.unit.reads))
    if called_by_number.is_of_another_number(question, about, piece.text):
        return True
    return called_by_number.is_of_another_code(question, about, piece.text)


def _tells_contact(question: str, units: Sequence[Scored]) -> bool:
    """Whether it is asked how somebody is reached, and one of the units tells a number or an address."""
    tells = called_by_number.asks_contact(question)
    return tells is not None and any(tells.search(other.unit.reads) for other in units)


def _lacks_contact(question: str, picked: Sequence[Scored]) -> bool:
    """Whether it is asked how somebody is reached, and nothing that is picked of the best piece tells a number or an
    address."""
    tells = called_by_number.asks_contact(question)
    if tells is None or picked[0].question.form.steps:
        return False
    return not any(tells.search(other.unit.reads) for other in picked if other.piece is picked[0].piece)


def _across_words(terms: Sequence[str], rarity: Rarity) -> frozenset[str]:
    """Pairs of characters that stand nowhere in the run, and whose characters are of pairs that do: of `演员在第`
    that is `员在`, which is no word."""
    known = {character for term in terms if term in rarity.weights and term >= _WIDE for character in term}
    pairs = frozenset(term for term in terms if len(term) == 2 and term >= _WIDE and term not in rarity.weights)
    return frozenset(pair for pair in pairs if known.issuperset(pair))


def _chance(best: Scored, weights: Mapping[str, float], third: float) -> float:
    """How far other places could hold as much of a question by chance: where the words that a sentence, its title and
    heading hold are together hardly rarer than one word that stands in one chunk, as the names of those that a novel is
    about; more, where the sentence lacks a word; not where it has the form that is asked for."""
    piece = best.piece
    above = " ".join(filter(None, (piece.title, best.section.heading, *piece.sections)))
    held = best.held | frozenset(terms_in(above, best.question))
    idf = sum(weight for term, weight in weights.items() if term in held)
    short = max(0.0, _NO_CHANCE - idf / (min(best.rarity.rarest, _BY_CHANCE) or 1.0))
    others = min(1.0, max(0.0, third - _NO_OTHERS) / _OTHERS)
    lacks = idf < _ALMOST_ALL * sum(weights.values())
    return short * others * (1 + lacks) * (1 - best.parts["form"])


def _is_without_thing(question: str, best: Scored, own: Sequence[Scored]) -> bool:
    """Whether a question of few words asks about things of which the piece of the best, what it stands under and its
    path lack a name, or much of what they weigh: "the root password of the router" is not told where no root is named.
    Items, rows and fields tell each of something else, but for messages, which answer each other."""
    terms = best.question.asked & frozenset(analysis.terms(question, best.question.stemmer))
    if len(terms) > _FEW_WORDS or _tells_contact(question, own):
        return False
    is_apart = best.unit.kind in LISTED and not MESSAGE.match(best.unit.reads) and not _EITHER.search(question)
    lacked = things(question, best.question.stemmer) & terms
    lacked -= frozenset[str]().union(*(other.held | other.alike for other in ([best] if is_apart else own)))
    weighed = {term: best.rarity.of(term) for term in terms}
    much = _A_FIFTH * sum(weighed.values())

    def is_much(lacked: frozenset[str]) -> bool:
        return bool(lacked & best.question.names) or sum(weighed[term] for term in lacked) >= much > 0

    if not is_much(lacked):
        return False
    piece = best.piece
    above = [piece.title or "", best.section.heading, *piece.sections, piece.path.replace("/", " ")]
    above += [lead.reads] if (lead := leading_to(best)) else []
    lacked -= {*terms_in(" ".join(above), best.question)}
    if not is_apart:
        lacked -= {*terms_in(piece.text, best.question)}
    return is_much(lacked)


def _meant(best: Scored, likeness: Likeness | None) -> float:
    known = likeness.languages if likeness is not None else None
    if likeness is None or (known is not None and best.piece.language not in known):
        return 0.0
    try:
        (cosine,) = likeness.of([best.unit.reads])
    except Unavailable:  # the words decide, as where there is no model
        return 0.0
    return cosine - _MEANT


def _mention(asked: str, best: Scored) -> float:
    """How far a unit only mentions a term whose meaning is asked for (0-1): what is explained nowhere is mentioned all
    the same. Of a name that is rare in the run, a mention often tells enough."""
    question = best.question
    if question_forms.is_aside(best.unit.reads, question.form):
        return 1 - best.parts["about"]
    if not question.form.term or question_forms.says_of_a_symbol(best.unit.reads, question.form):
        return 0.0
    rarest = max((best.rarity.of(term) for term in question.subject), default=0.0) / (best.rarity.rarest or 1.0)
    is_a_kind = _A_KIND.search(asked[: asked.find(question.form.subject)]) is not None
    is_name = bool(question.subject & question.names) and not is_a_kind
    about = best.parts["about"] * (1.0 if best.parts["form"] >= _DEFINES else _ABOUT_IT)
    return (1 - about) * max(0.0, 1 - best.parts["form"] / _DEFINES) * (1 - rarest if is_name else 1.0)


def _letters(question: str, piece: Evidence) -> float:
    """The share of a question's letters, but for words that only ask, that stand in a piece in the same order."""
    asked = question_words.without(question_forms.without_form(question))
    unspaced = _UNSPACED.search(asked) is not None
    between, least = ("", _SHORT_RUN) if unspaced else (" ", _RUN)
    asked = _NO_WORD.sub(between, asked.lower())
    text = _NO_WORD.sub(between, f"{piece.text} {piece.title or ''} {piece.heading or ''}".lower())
    at = covered = 0
    while at < len(asked):
        end = at
        while end < len(asked) and asked[at : end + 1] in text:
            end += 1
        long_enough = end - at >= least
        covered += (end - at) * long_enough
        at = end if long_enough else at + 1
    return covered / len(asked) if asked else 0.0

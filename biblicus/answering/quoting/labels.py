"""What a text says behind a label: `Apologies: Lucy`, `Total — 62.59`, the first words below `Work experience`; and
whether a question asks for that. Where a verb asks ("Where does Lena work?"), labels have other words for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms, terms_in
from biblicus.answering.quoting.sections import is_called
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import ASKS, Unit
from biblicus.models.evidence import Evidence

_LABEL = re.compile(r"(?P<label>[^\W\d_][^:\n—]{0,40}?)(?:::?|\s—|\s[-–=])\s+(?=\S)")
_COLUMN = re.compile(r"(?:^|\s—\s)(?P<label>[^\W\d_][^:—]{0,40}):\s")
_NUMBER = re.compile(r"\W*(?:\d+(?:\.\d+)*\.?|§ ?\d+\w?|[A-Z]\.)\s+")
_NO = re.compile(r"\b(?:no|nr|num|núm)\.|\bn[°º]\.?|#", re.IGNORECASE)
_NUMBERS = {"german": "nummer", "french": "numéro", "spanish": "número"}
_TOP = 200
"""Characters with which a text says whose it is."""
_WORDS = 5
"""Words of a label at most."""
_SAID, _OF_IT = 0.4, 0.55
"""What it counts that a label is asked for, and that all else of the question is of its text, too."""
_LABELLED = (Kind.FACT, Kind.ITEM, Kind.STEP, Kind.PROSE)
_NAMING = (Kind.LABEL, Kind.HEADING)
_COSTS = (
    r"costs?|prices?|priced|charged?|fees?|how expensive|kostet|kosten|preis|coûte|coût|prix|cuesta|precio",
    (
        r"pricing|prices?|costs?|fees?|charges?|rates?|(?:pricing|costs?) and \w+|preise?|kosten|gebühren|tarife?"
        r"|prix|coûts?|precios?|costes?|tarifas?"
    ),
)
_AMOUNT = re.compile(r"\d|\b(?:free|no|nothing|kostenlos|kostenfrei|gratis|gratuit\w*|nada)\b", re.IGNORECASE)
_OTHER_WORDS = (
    (
        r"born|birth(?:day|date)?|how old|age of|geboren|geburtstag|wie alt|né|née|naissance|naci[óo]|cumpleaños",
        (
            r"birthday|birth ?date|date of birth|born|dob|geburtsdatum|geboren|geburtstag|né\w* le|date de naissance"
            r"|fecha de nacimiento|nacimiento|cumpleaños"
        ),
    ),
    (
        r"works?|worked|working|employ\w*|job|arbeite\w*|arbeitgeber|travaille\w*|trabaj\w+",
        (
            r"company|employers?|organi[sz]ations?|(?:\w+ )?experience|employment(?: history)?|work history|career"
            r"|firma|arbeitgeber|beruf\w*|werdegang|expériences?(?: professionnelles?)?|entreprise|employeur"
            r"|experiencia\w*( \w+)?|empresa"
        ),
    ),
    (
        (
            r"stud(?:y|ied|ies)|degree|graduate\w*|learn(?:ed|t)|school|university|studier\w*|abschluss|étudi\w+"
            r"|estudi\w+"
        ),
        (
            r"(?:\w+ )?education|studies|degrees?|qualifications?|(?:schul|aus)?bildung|studium|formation|études"
            r"|formaci[óo]n\w*( \w+)?|estudios|educación"
        ),
    ),
    (
        r"languages?|speaks?|sprachen?|spricht|langues?|parle|idiomas?|habla",
        r"languages?|language skills|sprach(?:en|kenntnisse)|langues?|idiomas?|lenguas?",
    ),
    (
        r"lives?|living|reside\w*|address|wohn\w+|adresse|habite\w*|vive|direcci[óo]n",
        r"(?:\w+ )?address|residence|anschrift|adresse|wohnort|domicile|domicilio|direcci[óo]n",
    ),
    (
        r"phone|telephone|call|ring|telefon\w*|rufnummer|handynummer|erreich\w+|téléphone|joindre|teléfono|llamar",
        (
            r"(?:\w+ )?(?:phone|telephone|mobile|cell|tel|hotline)(?: \(?\w+\)?)?(?: number| no)?\.?|telefon\w*"
            r"|handy|tél(?:éphone)?\.?"
            r"|portable|teléfono|móvil"
        ),
    ),
    (
        (
            r"present|attend(?:ed|ing|ees)?|took part|participat\w*|was there|anwesend|teilgenommen|dabei|présents?"
            r"|assist\w+"
        ),
        (
            r"present|attendees|attending|in attendance|participants|anwesend\w*|teilnehme\w+|présent\w*|participants"
            r"|asistentes|presentes"
        ),
    ),
    (
        r"absent|missing|apologi[sz]\w*|excused|entschuldigt|gefehlt|fehlte\w*|absent\w*|excusé\w*|ausent\w*|falt\w+",
        r"absent\w*|apologies|regrets|excused|entschuldigt|abwesend|excusé\w*|ausent\w*|excusan",
    ),
    (
        r"chair(?:ed|s)?|led|leads?|moderat\w*|leitete|geleitet|leitet|présid\w+|presid\w+",
        r"chair\w*|moderator|facilitator|leitung|vorsitz\w*|sitzungsleitung|moderation|présid\w+|presid\w+",
    ),
    (
        r"wrote|written|took (?:the )?(?:notes|minutes)|author|schrieb|geschrieben|écrit|escribi\w+",
        r"author|notes|note ?taker|minutes(?: by)?|protokoll\w*|verfasser\w*|auteur|rédact\w+|autora?|secretari\w+",
    ),
    (
        r"causes?|caused|reasons?|why|ursachen?|warum|causas?|por qué|pourquoi|причин\w+|почему",
        (
            r"(?:(?:possible|common|likely|root) )?causes?|reasons?|(?:mögliche )?ursachen?|gründe"
            r"|causas?(?: posibles)?"
            r"|causes? possibles?|(?:возможные )?причин[аы]"
        ),
    ),
    _COSTS,
    (
        r"temperature|how hot|temperatur|température|temperatura",
        r"(?:oven )?temperature|oven|heat|temperatur|ofen|four|température|temperatura|horno",
    ),
    (
        r"how long|how much time|wie lange?|combien de temps|cuánto tiempo|cuánto tarda|dura",
        r"(?:\w+ )?time|duration|zeit|\w+zeit|dauer|durée|temps(?: de \w+)?|tiempo|duraci[óo]n",
    ),
    (
        (
            r"how many (?:people|persons|servings|portions)|serves?|wie viele personen|combien de personnes"
            r"|cuántas personas"
        ),
        r"serv(?:es|ings?)|yields?|makes|portions?|personen|portionen|für|pour|personnes|para|raciones",
    ),
    (
        r"how (?:large|big)|size|wie groß|größe|quelle taille|superficie|surface|qué tamaño",
        r"size|area(?: m2| km2)?|größe|fläche|wohnfläche|taille|superficie|surface|tamaño",
    ),
    (
        r"(?:where|who).* from|source|origin|woher|d'où|de dónde",
        r"source|origin|from|quelle|herkunft|provenance|fuente|origen",
    ),
    (
        r"(?:invoice|bill|order|receipt|rechnungs?|facture|factura).{0,12}(?:number|no|nummer|numéro|número)",
        (
            r"(?:invoice|bill|order|receipt)(?: number| no\.?| #)?|rechnung(?:s?(?:nummer|nr\.?)| nr\.?)?"
            r"|facture(?: n°)?|factura(?: n\.?º)?"
        ),
    ),
    (
        r"(?:by )?when .{0,40}(?:paid|pay|due)|due|bis wann|fällig|zahlen|bezahl\w+|échéance|vence",
        (
            r"due(?: date| by| on)?|deadline|payment due|pay(?:able)?(?: by| until)?|zahlbar(?: bis)?|fällig\w*(?: am)?"
            r"|zahlungsziel|échéance|à régler|vencimiento"
        ),
    ),
    (
        r"total|altogether|in all|sum|insgesamt|gesamt\w*|endbetrag|totale?s?|suma",
        (
            r"(?:grand )?total(?: \w+)?|amount due|balance due|sum|gesamt\w*|summe|endbetrag|rechnungsbetrag"
            r"|total ttc|importe(?: total)?"
        ),
    ),
)
"""What asks, and the labels that may stand before the answer, in English, German, French and Spanish."""


class Labelled(NamedTuple):
    """How much of what a question asks for a unit says behind a label (0-1), the terms of the question that it need not
    say again, and whether the label is the heading above it."""

    worth: float
    terms: frozenset[str]
    is_below: bool = False


NOTHING = Labelled(0.0, frozenset())


class _Asked(NamedTuple):
    """What asks in a question, and the labels that have other words for it."""

    terms: frozenset[str]
    names: re.Pattern[str]


@cache
def _other_words() -> Sequence[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"\b(?:{asks})(?!\w)", re.IGNORECASE), names) for asks, names in _OTHER_WORDS]


@lru_cache(maxsize=128)
def _asked(question: str, stemmer: str) -> Sequence[_Asked]:
    asked, reading = [], question_terms(question, stemmer)
    for asks, names in _other_words():
        if words := " ".join(asks.findall(question)):
            terms = frozenset(terms_in(words, reading)) & reading.asked
            asked.append(_Asked(terms, re.compile(rf"(?:{names})\W*", re.IGNORECASE)))
    return asked


@dataclass(frozen=True)
class Around:
    """What stands around the units of a piece, in the terms of a question. `held`: those that its units hold;
    `sender`: those of who sent it, whose name below a letter is no label of what follows."""

    piece: Evidence
    reading: QuestionTerms
    held: frozenset[str] = frozenset()
    sender: frozenset[str] = frozenset()

    @cached_property
    def title(self) -> frozenset[str]:
        """The terms of title, path and sender: a heading of these alone is no label."""
        path = self.piece.path.replace("/", " ").replace("_", " ")
        return self.sender.union(terms_in(f"{path} {self.piece.title or ''}", self.reading))

    @cached_property
    def whose(self) -> frozenset[str]:
        """The same and the terms of what the text begins with, which say what a heading is of."""
        begins = self.piece.text[:_TOP] if self.piece.span_start <= _TOP else ""
        return self.title.union(terms_in(begins, self.reading))

    @cached_property
    def all(self) -> frozenset[str]:
        """The same and those of the piece."""
        return self.whose.union(self.held, terms_in(self.piece.heading or "", self.reading))


_CLOCK = re.compile(r"[^:\n]{1,60}:\s*\d{1,2}[:.]\d{2}\b(?!\s*(?:h|hours?|min\w*|stunden)\b)")
"""A label with a time of the day behind it, which is no answer to how long something takes."""
_LONG = re.compile(r"how long|how much time|wie lange?|combien de temps|cuánto tiempo|cuánto tarda", re.IGNORECASE)


def may_be_told(reading: QuestionTerms) -> bool:
    """Whether what a question asks for may stand behind a label at all."""
    form = reading.form
    return not (form.contrast or form.steps or form.code or form.does or form.term)


def labelled(question: str, reading: QuestionTerms, units: Sequence[Unit], around: Around) -> list[Labelled]:
    """What each unit says behind a label."""
    if not (may_be_told(reading) or question.strip(" ?.!") == reading.form.subject):  # words that only name it
        return [NOTHING] * len(units)
    heading, labels = "", []
    for_how_long = _LONG.search(question) is not None
    for unit in units:
        label = "" if for_how_long and _CLOCK.match(unit.reads) else _label(unit)
        if unit.kind in _NAMING and "|" not in unit.reads:  # which names columns
            heading = _NUMBER.sub("", unit.reads.rstrip(":"))
        answer = NOTHING
        if unit.says and label and (terms := _asked_by(question, reading, label, is_loose=unit.kind is Kind.PROSE)):
            answer = _worth(reading, terms[1], around.all) if _tells(unit, reading, label, *terms) else NOTHING
        if (
            unit.says
            and heading
            and not answer.worth
            and (terms := _asked_by(question, reading, heading, is_loose=True))
        ):
            is_title = bool(terms[0]) and terms[0] <= around.title
            is_told = not is_title and _tells(unit, reading, heading, *terms)
            answer = _worth(reading, terms[1], around.whose)._replace(is_below=True) if is_told else NOTHING
        labels.append(answer)
        heading = "" if unit.says or unit.kind is Kind.CODE else heading
    return labels


def _tells(unit: Unit, reading: QuestionTerms, label: str, terms: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether a unit tells what its label says. Below one for prices, where the question has other words for them, many
    things are said of them: there it is what holds an amount, or all else that is asked."""
    if (terms and terms <= reading.asked) or not re.fullmatch(rf"(?:{_COSTS[1]})\W*", label, re.IGNORECASE):
        return True
    return _AMOUNT.search(unit.reads) is not None or reading.asked - asked <= {*terms_in(unit.reads, reading)}


def _label(unit: Unit) -> str:
    """What stands before the colon or dash of a unit; empty where nothing does."""
    match = _COLUMN.search(unit.reads) if unit.kind is Kind.FACT else None
    if match is None and unit.kind in _LABELLED:
        match = _LABEL.match(unit.reads)
    return match["label"] if match and len(match["label"].split()) <= _WORDS else ""


def _asked_by(
    question: str, reading: QuestionTerms, label: str, *, is_loose: bool
) -> tuple[frozenset[str], frozenset[str]] | None:
    """The terms of a label, and those of the question that ask for it; None where none do. `is_loose`: whether texts
    have such labels for other things, too: then it is what a question asks for first."""
    meant = next((asked.terms for asked in _asked(question, reading.stemmer) if asked.names.fullmatch(label)), None)
    terms = frozenset(terms_in(_NO.sub(_NUMBERS.get(reading.stemmer, "number"), label), reading))
    first = {*reading.terms[: len(terms)]} if is_loose else reading.asked
    if meant is None and not (terms and terms <= first):
        return None
    return terms, (terms & reading.asked) | (meant or frozenset())


def _worth(reading: QuestionTerms, asked: frozenset[str], around: frozenset[str]) -> Labelled:
    rest = reading.asked - asked
    here = rest & around
    if rest and not here:
        return NOTHING
    return Labelled(_SAID + _OF_IT * (len(here) / len(rest) if rest else 1.0), asked | here)


def asks(unit: Unit | None) -> bool:
    """Whether a unit is a question, which what follows answers."""
    return unit is not None and unit.leads and unit.reads.endswith(ASKS)


def is_below_name(units: Sequence[Unit], at: int, name: str) -> bool:
    """Whether a unit that says something stands below a name alone, by its letters, code between or not."""
    above = at - 1
    while above > 0 and units[above].kind in (Kind.CODE, Kind.MARKS):
        above -= 1
    is_told = at > 0 and bool(name) and units[at].says and units[at].kind is not Kind.CODE
    return is_told and is_called(units[above].reads, {name})

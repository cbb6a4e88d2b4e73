"""What a task is called in headings, where a question of how it is done has other words, or another order of them.

German and Dutch ask with the verb in front and its particle at the end, and have both as one word behind the object in
a heading: `Wie lege ich ein neues Konto an?` asks for `Neues Konto anlegen`. German and Russian headings often have a
noun made of the verb, in front: `Installation von Paketen`, `Настройка сервера`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_VERB_FIRST = re.compile(
    r"(?P<lead>\W*(?:wie|wo|wann|womit|hoe|waar|wanneer|waarmee)\s+)(?P<verb>[a-zäöüß]{3,})"
    r"\s+(?P<who>ich|man|wir|du|sie|(?P<dutch>ik|je|men|we|wij|u))\s+(?P<rest>[^?!]+?)(?P<end>[\s?!.]*)$",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\W*wie\s+(?:kann|könn\w+|muss|muß|müss\w+|soll\w*|darf)\s+(?:ich|man|wir|du|sie)\s+[^?!]+?\s"
    r"(?P<verb>[a-zäöüß]{3,}e?n)[\s?!.]*$",
    re.IGNORECASE,
)
_NO_TASK = re.compile(
    r"kann|könn\w+|muss|muß|müss\w+|soll\w*|darf|dürf\w+|will|wollen|mag|mögen|möcht\w+|werd\w+|wird|wurd\w+|hab\w*|hat"
    r"|hatt\w+|bin|ist|sind|war\w*|viele?|oft|lange|kan|kun\w*|moet\w*|zal|zou\w*|wil\w*|heb\w*|ben|is|word\w*|heiß\w+"
    r"|heis\w+|nenn\w+|nann\w+|noem\w*|heet",
    re.IGNORECASE,
)
"""Verbs that stand beside another, which is last already, and those of names."""
_PARTICLES = frozenset(
    (
        *("ab", "an", "auf", "aus", "bei", "ein", "fest", "fort", "frei", "her", "hin", "hinzu", "los", "mit", "nach"),
        *("um", "vor", "weg", "weiter", "wieder", "zu", "zurück", "zusammen", "bereit", "herunter", "hoch", "neu"),
        *("af", "bij", "door", "in", "mee", "na", "op", "over", "samen", "terug", "toe", "uit", "voor"),
    )
)
_RUSSIAN = re.compile(
    r"\W*как\s+(?:(?:мне|нам|можно|правильно)\s+)*(?P<verb>[а-яё]{2,}(?:ть|ти|чь)(?:ся)?)\s+\w", re.IGNORECASE
)
_SOFTENED = {
    "б": "бл", "п": "пл", "в": "вл", "м": "мл", "ф": "фл", "д": "ж", "з": "ж", "с": "ш", "т": "щ", "ст": "щ",
}  # fmt: skip
"""Letters at the end of a Russian stem as they are before `ение`: `обновить`, `обновление`."""
_LONGEST = 400
"""Characters of a question that names a task; a longer one is a passage."""
_OTHERS = {
    "найти": "поиск", "искать": "поиск", "выбрать": "выбор", "собрать": "сборка", "запустить": "запуск",
    "перевести": "перевод", "перенести": "перенос", "смонтировать": "монтирование",
}  # fmt: skip

_NO_LETTERS = " \t\n\"'`*#>-.,:;!()[]"
_VERBS = """
abort accept access activate add adjust align allocate allow analyse analyze annotate append apply arrange ask
assemble assign attach authenticate avoid back backup begin bind bring browse build bundle bypass cache calculate call
cancel capture change check choose clean clear clone close collect combine commit compare compile compress compute
concatenate configure connect control convert copy correct count crawl create customise customize debug declare decode
deduplicate define delete deploy detach detect determine disable discard disconnect discover display download draw
drop duplicate edit embed emit enable encode encrypt enforce ensure enter erase escape estimate evaluate exclude
execute exempt exit expand expose extend extract fetch filter find fix flatten flush follow forbid force forward
freeze gather generate get give group handle hide highlight ignore implement import improve include increase inherit
initialize inject insert inspect install integrate intercept invert invoke iterate join keep kill launch let limit
load locate loop lower make manage map measure merge migrate mock modify monitor mount move mute narrow navigate
normalise normalize notify obtain omit open optimize order organise organize override overwrite package paginate parse
pass patch pause perform persist pick pin plot populate predict prepare preserve prevent produce profile protect
publish pull purge push put query raise read rearrange rebuild receive reconnect record recover redirect reduce
refresh register reject release reload remove rename render reopen repeat replace report request require rerun resend
reset resize resolve restart restore restrict resume retrieve retry reuse revert rewrite roll rotate run sanitize save
scale scan schedule scrape scroll search secure see select send separate serialize serve set setup share ship shut
silence simplify simulate skip solve sort spawn specify speed split squash start stop store stream submit subscribe
substitute suppress suspend swap switch sync tag take tell throttle toggle track transfer transform translate trigger
trim troubleshoot truncate tune turn undo uninstall unlock unpack unset unsubscribe unzip update upgrade upload use
validate verify view visit visualise visualize wait warn watch wipe wrap write zip
"""
"""With which people say what they want done: "add an index to a model"."""
_IMPERATIVES = frozenset(_VERBS.split())


class Task(NamedTuple):
    """A question as headings would say it. `verb`: of what is to be done, as it stands in `text`; `bare`: the verb as
    texts have it that keep its particle apart, empty where it has none; `nouns`: what may stand for it in front of its
    object."""

    text: str
    verb: str
    bare: str = ""
    nouns: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """What else says what is to be done."""
        return (self.bare, *self.nouns) if self.bare else self.nouns


@lru_cache(maxsize=256)
def asked(question: str) -> Task | None:
    """The task that a question asks how to do; None where it asks for none, or in another language."""
    question = " ".join(question.split())
    if len(question) > _LONGEST:
        return None
    if russian := _RUSSIAN.match(question):
        verb = russian["verb"].lower()
        return Task(question, verb, nouns=tuple(dict.fromkeys(_russian_nouns(verb))))
    if modal := _MODAL.match(question):
        return Task(question, modal["verb"], nouns=_german_nouns(modal["verb"].lower()))
    first = _VERB_FIRST.match(question)
    if first is None or _NO_TASK.fullmatch(first["verb"]):
        return None
    rest, _, particle = first["rest"].rpartition(" ")
    if not rest or particle.lower() not in _PARTICLES:
        rest, particle = first["rest"], ""
    bare = first["verb"].lower() if first["dutch"] else _infinitive(first["verb"].lower())
    verb = f"{particle.lower()}{bare}"
    nouns = () if first["dutch"] else _german_nouns(verb)
    text = f"{first['lead']}{first['who']} {rest} {verb}{first['end']}"
    return Task(text, verb, bare if particle else "", nouns)


def is_imperative(text: str) -> bool:
    """Whether a question or a heading is an English command, as people say what they want done: `add an index`."""
    first, _, rest = text.lstrip(_NO_LETTERS).partition(" ")
    return first.lower() in _IMPERATIVES and rest.strip() != "" and "?" not in rest and "？" not in rest


def _infinitive(verb: str) -> str:
    """`installieren` of `installiere` and `installiert`, `ändern` of `ändere`."""
    stem = re.sub(r"(?:e[nt]?|t)$", "", verb)
    return f"{stem}n" if stem.endswith("er") and not stem.endswith("ier") else f"{stem}en"


def _german_nouns(verb: str) -> tuple[str, ...]:
    """`Einrichtung` of `einrichten`, `Installation` and `Installierung` of `installieren`."""
    stem = re.sub(r"e?n$", "", verb)
    return (f"{stem}ung", f"{stem[:-3]}ation") if stem.endswith("ier") else (f"{stem}ung",)


def _russian_nouns(verb: str) -> tuple[str, ...]:
    """`установка` of `установить`, `обновление` of `обновить`, `использование` of `использовать`."""
    verb = verb.removesuffix("ся")
    stem, ending = verb[:-3], verb[-3:]
    if verb in _OTHERS:
        return (_OTHERS[verb],)
    if verb.endswith("овать"):
        return (f"{stem}ание", f"{stem.removesuffix('иров')}ировка", stem.removesuffix("иров"))
    if ending in ("ить", "еть"):
        soft = next(
            (stem.removesuffix(end) + new for end, new in reversed(_SOFTENED.items()) if stem.endswith(end)), stem
        )
        return (f"{stem}{'йка' if stem[-1:] in 'аеиоуыэюя' else 'ка'}", f"{soft}ение", stem)
    return (f"{stem}ание", f"{stem}ение", f"{stem}ка")

"""Who somebody is: what asks for a name, of whoever made something or is something, and whether a text has one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from biblicus.answering.reader.reading.lines_beside import MESSAGE
from biblicus.text.terms import analysis

_ASKS_MAKER = re.compile(
    r"^\W*(?:who (?:first |originally |has )?(?:wrote|written|created|made|invented|founded|developed|designed"
    r"|authored"
    r"|maintains|discovered|built|is the (?:author|creator|inventor|founder|maintainer) of)"
    r"|wer hat .{1,60} (?:geschrieben|erfunden|entwickelt|gegründet|entdeckt|gebaut)"
    r"|qui a (?:écrit|créé|inventé|fondé|développé|découvert)"
    r"|quién (?:escribió|creó|inventó|fundó|desarrolló|descubrió))\b",
    re.IGNORECASE,
)
_MAKER_FIRST = re.compile(
    r"(?-i:\W*(?!(?:Who(?:ever)?|What(?:ever)?|Which|How|Some(?:one|body)?|Any(?:one|body)?|No(?:body)?"
    r"|Everyone|Th(?:e|at|is)|It|Wer|Was|Wie|Jemand|Qui|Quelqu|Quien)\b)[^\W\d_a-z][^\W\d_A-Z][\w.]*"
    r"(?: (?:and |von |van |de )?[^\W\d_a-z][\w.]*){0,3})"
    r" (?:has |had |first |also |originally )?(?:wr[io]te|writes|written|creat|ma[dk]e|invent|found|develop|design"
    r"|author|maintain|discover|buil)|\W*(?:s?he|i)\b"
    r"|.*\b(?:written|made|created|developed|designed|founded|invented|built) by (?!(?:an?|the|hand)\b)\w",
    re.IGNORECASE,
)
"""Asks for whoever made something; and how a sentence begins that says it with a name in front."""
_ASKS_WHO_IS = re.compile(
    r"^\W*(?:(?:who (?:is|was|are|were)|who['’]s|what (?:is|was) the name of)"
    r" (?:the|our|my|your|their|his|her|its|\S+['’]s)\b"
    r"|(?:wer (?:ist|war|sind|waren)|wie (?:hei(?:ß|ss)(?:t|en)|hie(?:ß|ss)(?:en)?))"
    r" (?:der|die|das|unser\w*|mein\w*|eure?|ihre?)\b"
    r"|(?:qui (?:est|était|sont|étaient)|comment s['’]appel\w+)"
    r" (?:(?:le|la|les|notre|votre|mon|ma|son|sa|leurs?)\b|l['’])"
    r"|(?:qui[eé]n(?:es)? (?:es|son|era|eran|fue)|c[oó]mo se llaman?) (?:el|la|los|las|nuestr[ao]s?|mi|tu|su)\b"
    r"|(?:chi (?:è|era|sono)|come si chiama(?:no)?) (?:(?:il|lo|la|i|gli|le|nostr[oa])\b|l['’])"
    r"|(?:quem (?:é|era|foi)|como se chama[mv]?a?) [oa]s?\b)",
    re.IGNORECASE,
)
"""Asks who holds a post or has a trade, or what somebody is called: "Who is the architect?"."""
_CALLED = re.compile(
    r"\b(?:names?(?=:| (?:is|was|of|are|ist|lautet)\b)|named|called|hei(?:ß|ss)(?:t|en)|hie(?:ß|ss)(?:en)?"
    r"|s['’]appel\w+|se llam\w+|si chiam\w+|se cham\w+)\b",
    re.IGNORECASE,
)
"""Asks, and tells, what something is called, whose name may have no capital: "The boat is called tern"."""
_UNCASED = re.compile("[\u0590-\u109f\u2e80-\u9fff\uac00-\ud7a3]")
_WITHIN = re.compile(r"(?<=[\w,;:)\"'’”] )[^\W\d_a-z]\w+")
_FIRST = re.compile(r"\W*([^\W\d_a-z]\w+)(?P<is>,|:| [–-]| (?:is|was|est|était|es|era|è|é)\b)?")
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"[\"“„«`‘]\w|\w[_.:/]\w|[a-z]\d")
"""A name in marks, or of something that programs know."""
_GERMAN = re.compile(
    r"\b(?:Herrn?|Frau|Familie|Firma|Dr\.|Prof\.|Dipl\.-Ing\.)\s[A-ZÄÖÜ]|:\s(?:de[rmn]\s|die\s)?[A-ZÄÖÜ]"
    r"|\b[A-ZÄÖÜ]\.\s[A-ZÄÖÜ]|(?<![\w-])(?!(?:D[aei]\w?|Ein\w*|I[mnh]\w*|A[mn]|Unser\w*|Be[im]\w?|Z[uh]\w?|Vo[mnr]|Für|Mit|Nach|Wir"
    r"|Sie|Es|Er|Als|Um|Auf|Alle|Jede\w?|Kein\w*|Sein\w*|Wenn|Und|Was|Wie|Wo)\s)"
    r"[A-ZÄÖÜ][\wäöüß-]++\s(?:von\s|van\s|zu\s|ist\s|wird\s|&\s)?[A-ZÄÖÜ][\wäöüß-]+"
)
"""A name in a language that writes all nouns with capitals: two words with them, one behind a title or a label."""
_DAY = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|july|(?:septem|octo|novem|decem)ber"
)
"""What English writes with a capital, and is hardly the name of anybody, as `April` and `June` may be."""
_OF_ONESELF = re.compile(
    r"\b(?:i am|i['’]m|(?:it['’]s|that['’]s) me|ich bin|bin ich|je suis|c['’]est moi|soy|sono io|sou eu)\b",
    re.IGNORECASE,
)


def names(text: str) -> list[str]:
    """Capital words within its sentences: names, in most languages that have capitals."""
    return [word for word in _WITHIN.findall(text) if not word[0].islower()]


def asks_maker(question: str) -> bool:
    """Whether it is asked who made, wrote or found something."""
    return _ASKS_MAKER.match(question) is not None


def asks_who_is(question: str) -> bool:
    """Whether it is asked who holds a post or has a trade."""
    return _ASKS_WHO_IS.match(question) is not None


def names_maker(text: str, question: str) -> bool:
    """Whether a text has a name of somebody, as far as capitals tell, that the question does not hold, or begins with
    who made something: `Ada`, no `CVE`. Of scripts without capitals that is not known."""
    return _is_uncased(text) or _MAKER_FIRST.match(text) is not None or any(_unknown(names(text), question))


def names_somebody(text: str, question: str, stemmer: str) -> bool:
    """The same of any name, the first word too where it is no word of the language that all texts have. Who says
    something in a chat is named by that only where it is about the speaker."""
    if said := MESSAGE.match(text):
        text = text[said.end() - 1 :]
        if _OF_ONESELF.search(text):
            return True
    if _is_uncased(text) or _QUOTED.search(text) or (_CALLED.search(question) and _CALLED.search(text)):
        return True
    if stemmer == "german":
        return any(_unknown(_WORD.findall(name[0]), question) for name in _GERMAN.finditer(text))
    first = _FIRST.match(text)
    begins = [first[1]] if first and first[1][:1].isupper() and (first["is"] or not _CALLED.search(question)) else []
    return any(_unknown([*names(text), *(word for word in begins if _telling(word, stemmer))], question))


def _is_uncased(text: str) -> bool:
    return not text.isascii() and _UNCASED.search(text) is not None


def _unknown(words: list[str], question: str) -> Iterator[str]:
    """Those with a capital and small letters that a question does not hold."""
    known = frozenset(_WORD.findall(question.casefold()))
    others = (word for word in words if word[:1].isupper() and word[1:2].islower() and word.casefold() not in known)
    return (word for word in others if not _DAY.fullmatch(word.casefold()))


def _telling(word: str, stemmer: str) -> list[str]:
    """The terms of a word that is none of a language's stop words."""
    return list(analysis.plain_analyzer(stemmer).analyze(word))

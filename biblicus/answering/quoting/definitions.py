"""Whether a sentence defines a thing: says what kind of thing it is, what it does, or what it is called, too.

Small tables of words, for English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Chinese and Japanese,
and the commonest word for `is` of Arabic, Czech, Danish, Greek, Hebrew, Hindi, Hungarian, Indonesian, Korean,
Norwegian, Polish, Romanian, Swedish, Thai, Turkish, Ukrainian and Vietnamese.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from biblicus.answering.quoting.question_forms import ARTICLE, START, SUBJECT_WORDS
from biblicus.text.terms import defining

_COPULA = re.compile(
    r"(?:\s+|(?<=[\u2e80-\u9fff)])|(?=[:,(])|(?<=\w)(?=是|とは|は|이?란\s|[은는]\s|คือ|เป็น))(?:\([^()]{1,80}\)\s*)?(?:,[^,.;]{1,80},\s*)?(?:"
    r"(?P<is>(?:is|are|was|were|ist|sind|war|waren|est|sont|était|es|son|era|fue|é|são|foi|è|sono|zijn|is\s+also)\b"
    r"|(?:—|–)\s*это\b|это\b|явля[её]тся\b|является\b|являются\b|是|とは|は"
    r"|(?:är|er)\s+(?:en|ett?|ei)\b|(?:to|są)(?=\s[^.]{0,120}\b(?-i:[a-zćó]*[ąęłńśźż]))"
    r"|(?:je|jsou)(?=\s[^.]{0,120}\b(?-i:[a-zéíó]*[áčďěňřšťúůýž]))"
    r"|(?:là|bir|egy|adalah|ialah|merupakan|jest|είναι|هو|هي|היא|הוא|це|är|este|sunt)\b|एक(?=\s)|คือ|เป็น"
    r"|(?<=[\w)])(?:이?란|은|는)(?=\s))"
    r"|(?P<means>(?:(?:shall\s+)?means?|refers?\s+to|denotes?|stands?\s+for|describes?|represents?|consists?\s+of|defines?"
    r"|specif(?:y|ies)"
    r"|indicates?|identif(?:y|ies)|bedeutet|bezeichnet|beschreibt|bezeichnen|désigne|signifie|significa|designa"
    r"|consiste"
    r"|se\s+refiere|indica|betekent|означает|обозначает|называ[её]тся|представляет)\b|指的?是?|即|意味)"
    r"|(?P<dash>[—–]|(?<=[^\s'\"]):\s|-{1,2}\s)"
    r"|(?P<does>(?:does(?=\s+(?:an?|the)\s)|wraps?|matches|compares?|allows?|enables?|provides?|lets?|contains?|causes?|creates?|returns?|determines?|controls?"
    r"|makes?|tells?"
    r"|sets?|uses?|implements?|encapsulates?|supports?|gives?|produces?|performs?|instructs?|turns?|disables?"
    r"|generates?"
    r"|checks?|converts?|compiles?|can\s+be|has|have|holds?|stores?|adds?|removes?|takes?|serves?|helps?|works?"
    r"|ermöglicht"
    r"|erzeugt|enthält|liefert|permet|permite|contiene|позволяет|содержит)\b|用于|用来|允许))",
    re.IGNORECASE,
)
_CLASS = re.compile(
    rf"\s*(?:(?:also|typically|usually|basically|simply|generally|often|just|essentially|eine?\s+art"
    rf"|a\s+kind\s+of)\s+)?"
    rf"(?:{ARTICLE}|(?-i:[A-Z])[\w.&-]{{0,40}}['’]s?\s|one\s+of|any\b|another\b|otr[oa]\b|anything|something|what\b"
    r"|(?:used|designed|intended|meant|responsible)\s+(?:to|for|by|in|when)\b|how\b|when\b|a\s)",
    re.IGNORECASE,
)
_WAS = frozenset(("was", "were", "war", "waren", "fue"))
"""What says of a thing what it is where a kind of thing follows, and else what was done with it."""
_KINDS = frozenset(("là", "bir", "egy", "adalah", "ialah", "merupakan", "jest", "είναι", "to", "są", "je", "jsou"))
"""What says in a language without articles, or together with one, what kind of thing something is."""
_NO_LATIN = "\u0590"
"""From here on scripts whose languages have no articles that stand apart."""
_SMALL_WORDS = frozenset(("of", "for", "each", "in", "on", "to"))
_HUMPED = re.compile(r"\b\w*(?:[a-z\d][A-Z]|[A-Z]{2}[a-z]|[^\W_]_[^\W_])\w*")
"""A name of several words written as one: `WinchDrum`, `CWinch`, `winch_drum`."""
_WEAK = re.compile(
    r"\s*(?:not\b|no\b|nicht\b|n['’]est pas|no es\b|не\b|required|available|deprecated|obsolete|located|shown"
    r"|described|listed"
    r"|discussed|documented|optional|needed|the\s+(?:same|following|default|first|last|only|next|most|main)\b"
    r"|an?\s+example|(?:on|at|near|behind|beside|inside|outside)\s+(?:the|an?|this|that|its|his|her|your|our)\b"
    r"|also\b|being|used\b(?!\s+(?:to|for)\b)|called\b|now\b|still\b|always\b|never\b|often\b|as\s+follows|generated|defined|declared"
    r"|created)",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"(?:in|for|as|within|under|on|by|bei|im|in\s+der|en|dans|в|при)\s[^,.;:]{1,60},\s*"
    r"|(?:note that|also|briefly|formally)\s*,?\s*"
    r"|(?:the\s+)?(?:term|word|concept|begriff|ausdruck|terme|término|термин|понятие)\s+(?:of\s+|de\s+)?",
    re.IGNORECASE,
)
_FIRST_ARTICLE = re.compile(rf"^\W*(?:{ARTICLE}|(?:ο|η|το|οι|τα|ένας|μ[ιί]α|ένα|az|egy)\s+)", re.IGNORECASE)
_LAST = re.compile(
    r"([^,.;:]{2,60}),\s(?=.{0,300}(?-i:[ığşİ]|\bbir\b))[^.;]{3,300}\w[dt][ıiuü]r(?:lar|ler)?[\s.]*$", re.IGNORECASE
)
"""How Turkish says what something is: `Bocurgat, gemilerde … bir makinedir`. Verbs of other languages end so, too."""
_SCANDINAVIAN = re.compile(r"är |er ", re.IGNORECASE)
_SCANDINAVIAN_ARTICLE = re.compile(r"^\W*(?:en|ett?)\s+", re.IGNORECASE)
"""Elsewhere these are other words: `en España es …`."""
_ASIDE = re.compile(r"\([^()]*\)")
_NUMBERED = re.compile(r"^\s*\(?\d{1,2}[.)]\s+")
_LONGER_NAME = re.compile(r"\sof\s(?!(?:the|an?|this|that|these|those|its|his|her|their|our|my|your)\s)", re.IGNORECASE)
"""What makes another name of a word before it: `chain of command`, not `the chain of the anchor`."""
_NAMED = re.compile(
    r"\bwe\s+(?:will\s+)?call\s+(?:(?:this|these|it|them)\s+)?|"
    r"\b(?:is|are)\s+(?:also\s+)?(?:called|termed|named|known\s+as|referred\s+to\s+as)\s+|\b(?:called|known\s+as"
    r"|termed)\s+"
    r"|\b(?:wird|werden)\s+(?:als\s+)?|\b(?:se\s+(?:llama|denomina)|llamad[oa]s?|conocid[oa]s?\s+como)\s+"
    r"|appelée?s?\s+|называ\w+\s+|称为|叫做?",
    re.IGNORECASE,
)
_ROLE = re.compile(
    rf"(?-i:[A-ZÀ-ÞА-ЯЁ])[\w.&'’-]*[*_]{{0,2}}\s*\((?:(?:hereinafter|in the following|im folgenden"
    rf"|nachfolgend)\W+)?{ARTICLE}?"
    r"[\"'“”„«*_]*(?P<is>[^()\"'“”„»*_]{2,40})[\"'“”»*_]*\)",
    re.IGNORECASE,
)
_IN_OTHER_WORDS = re.compile(
    r"\s*(?:[(（](?!see\b|siehe\b|cf\b|e\.\s?g\.|z\.\s?b\.|\d)"
    r"(?=[^()（）]*(?:[^\W\d_]{2,}\W+[^\W\d_]{2,}|[\u2e80-\u9fff]{2}))[^()（）]{2,240}[)）]"
    r"|,\s*(?:or|i\.\s?e\.|that\s+is(?:\s+to\s+say)?|namely|oder|d\.\s?h\.|das\s+heißt|o\s+sea|es\s+decir|ou"
    r"|c['’]est-à-dire"
    r"|то\s+есть|или)\s|,\s*(?:pairs?\s+of\s|(?:a\s+)?kinds?\s+of\s))",
    re.IGNORECASE,
)
# How a sentence begins that says what kind of thing is meant, and one that goes on from something else.
_WHAT_IT_IS = (
    r"class|struct(?:ure)?|function|method|macro|type|interface|option|command|setting|error|warning|exception|attribute"
    r"|property|directive|keyword|operator|rule|plugin|module|package|tool|namespace"
)
"""Words with which the page of a thing speaks of it: `This class describes …`."""
_SPEAKS_OF_IT = re.compile(rf"this\s+(?:{_WHAT_IT_IS})\s", re.IGNORECASE)
_KIND_FIRST = re.compile(
    rf"\W*(?:this\s+(?:{_WHAT_IT_IS})\s|{ARTICLE}|an?\s|any\b|one\s+of\b|some(?:thing|one)\b|synonym\b|abbreviation\b|acronym\b"
    r"|short(?:hand)?\s+for\b|kurzform\b|abkürzung\b|synonyme?\b|sinónimo\b|аббревиатура|сокращение|синоним)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\W*(?:there\s+(?:is|are|was|were)|often|sometimes|normally|usually|occasionally|by\s+default"
    r"|in\s+(?:this|that|these|those|such|some|most|many|addition|general|particular)|however|but|and|also|so"
    r"|now|here"
    r"|for\s+example|note|see|the\s+(?:following|previous|above|next|remaining)|as\s+(?:mentioned|described|noted"
    r"|discussed|shown|explained)|like|suppose|consider|imagine|assume|you|we|if|when|whether|let|to|these|that"
    rf"|this(?!\s+(?:{_WHAT_IT_IS})\s)"
    r"|those|it|they)\b",
    re.IGNORECASE,
)
_UNDER_CONDITION = re.compile(r"\W*(?:with|without|while|note|useful)\b", re.IGNORECASE)
"""How a sentence begins that says under which condition, or for what, something is done."""
_GOING_ON = 0.15
_IS_OF_A_KIND, _IS_SO, _DOES = (1.0, 0.8), (0.7, 0.5), (0.6, 0.7)
"""What it counts that something is of a kind, is so (`is sensitive`), and that it does something; where it is asked
what it does."""
_LINK = re.compile(r"\s*\S*(?:\.html?\b|://|#)\S*\s*")
"""Where something leads to, and no more."""
_CALL = re.compile(r"\s*~?\w[\w:]*\s?\(.*\)(?:\s*const)?\W*")
"""How something is called that gives what stands before it: `Rope — make(int length)`."""
_MAY_BE = re.compile(r"can\s+be|ha(?:s|ve)", re.IGNORECASE)
_OF_ANY = re.compile(r"\s+(?:of|for)\s+(?:an?|any|each|every)\s+[\w-]+\s*$")
"""What a subject is of, where it is of any such thing: `the draught of a boat is …`."""
_QUALIFIER = 3
"""Words that may stand beside a subject: `an X object`, `the class X`."""


Terms = Callable[[str], list[str]]
"""Makes the terms of a text, as those of the question were made."""


def defines(text: str, subject: frozenset[str], terms: Terms, does: bool = False) -> float:
    """How much a sentence defines a subject (0-1): 1 where it says what kind of thing it is.

    `subject`: its terms; `does`: whether it is asked what that does. Where the subject only stands beside what is
    defined (`an X object`), or where something else is said of it, less.
    """
    start = _LEADING.match(text)
    for begin in (start.end(), 0) if start else (0,):
        head = text[begin : begin + START]
        for match in _COPULA.finditer(head):
            short = defining.short_form(head, match.start())
            if short and {*terms(short)} == subject:
                return _said(head[match.end() :], match, does)
            before = head[: match.start()]
            if _SCANDINAVIAN.match(match["is"] or ""):
                before = _SCANDINAVIAN_ARTICLE.sub("", before)
            beside = _beside(before, subject, terms)
            if beside is None:
                if len(before.split()) > SUBJECT_WORDS + _QUALIFIER:
                    break
                continue
            said = _said(head[match.end() :], match, does)
            return said if said == 1 and _is_of_any(before, subject, terms) else beside * said
    last = _LAST.match(text)
    if last and {*terms(last[1])} == subject:
        return _IS_OF_A_KIND[does]
    if _is_one_of(text, subject, terms):
        return 0.9
    return 0.5 if _is_named(text, subject, terms) or _in_other_words(text, subject, terms) else 0.0


def _said(rest: str, match: re.Match[str], does: bool) -> float:
    """What is said of a subject after its verb: what kind of thing it is, what it does, or something else."""
    if match["is"]:
        verb = match["is"].lower()
        unspaced = verb >= _NO_LATIN or verb.endswith(("это", "це")) or verb in _KINDS or _SCANDINAVIAN.match(verb)
        if _WEAK.match(rest) or (verb in _WAS and not _CLASS.match(rest)):
            return 0.4
        return _IS_OF_A_KIND[does] if unspaced or _CLASS.match(rest) else _IS_SO[does]
    if match["means"]:
        return 0.9
    if match["dash"]:
        return 0.0 if _LINK.fullmatch(rest) or _CALL.fullmatch(rest) else 0.8
    return _DOES[does and not _MAY_BE.match(match["does"])]


def _beside(before: str, subject: frozenset[str], terms: Terms) -> float | None:
    """1 where the words before a verb are the subject, less where others are beside it, None where it is not there."""
    before = _FIRST_ARTICLE.sub("", _NUMBERED.sub("", _ASIDE.sub(" ", before)).strip())
    named = terms(before)
    if not subject <= set(named):
        return None
    parts = frozenset(terms(" ".join(_HUMPED.findall(before))))  # humped names are terms in parts, too
    known = subject | _SMALL_WORDS | (parts if subject & parts else frozenset())
    others = len([term for term in named if term not in known])
    longer = _LONGER_NAME.search(before)
    if longer and subject <= {*terms(before[: longer.start()])}:
        return None
    words = len(before.split())
    most = max(len(subject), 1) + (2 if _SMALL_WORDS & {*named} else 1)
    if not others and words <= most:
        return 1.0
    return 0.6 if others <= _QUALIFIER and words <= len(subject) + _QUALIFIER else None


def _is_of_any(before: str, subject: frozenset[str], terms: Terms) -> bool:
    """Whether what stands before a verb is the subject of any thing of a kind."""
    of_any = _OF_ANY.search(before)
    return of_any is not None and {*terms(_FIRST_ARTICLE.sub("", before[: of_any.start()]))} == subject


def _is_one_of(text: str, subject: frozenset[str], terms: Terms) -> bool:
    """Whether a sentence says in brackets right behind a name what that is: `Ada Stone (the "Landlord")`."""
    return any({*terms(match["is"])} == subject for match in _ROLE.finditer(text))


def _is_named(text: str, subject: frozenset[str], terms: Terms) -> bool:
    """Whether a sentence gives something the subject as its name: `… is called an X`."""
    for match in _NAMED.finditer(text):
        after = re.split(r"[,.;:()。，；]", text[match.end() : match.end() + 80], maxsplit=1)[0]
        named = terms(" ".join(after.split()[: len(subject) + 2]))
        if named and subject <= set(named):
            return True
    return False


def _in_other_words(text: str, subject: frozenset[str], terms: Terms) -> bool:
    """Whether a sentence says right after the subject what that is: `X (a kind of Y)`, `X, or Y`, `X, a kind of Y`."""
    for match in _IN_OTHER_WORDS.finditer(text):
        before = text[max(0, match.start() - START) : match.start()].split()
        if subject <= set(terms(" ".join(before[-max(len(subject), 1) :]))):
            return True
    return False


def speaks_of_it(text: str) -> bool:
    """Whether a sentence begins with the word for what its page is about: `This class describes …`."""
    return _SPEAKS_OF_IT.match(text) is not None


def begins_entry(text: str, does: bool) -> float:
    """How much the first sentence of an entry defines what that is called (0-1): most where it begins with a kind of
    thing, least where it goes on from something else. `does`: what it does is asked, which any other form says."""
    if does:
        return 0.8 if _UNDER_CONDITION.match(text) else 0.9
    return 0.95 if _KIND_FIRST.match(text) else _GOING_ON if _GOES_ON.match(text) else 0.8

"""What a text says the kind of, so that who asks "What is a stack?" finds where that is said, whatever it is called.

Two forms: a sentence that a paragraph begins with ("A `Stack` is the smallest unit of deployment."), in five languages,
and an entry of a list that begins with the name it explains ("* **Stack**: the smallest …"). All chunks are looked at:
where no verb stands and no entry begins, that costs finding none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

MOST = 8
"""Names of one text at most."""


class _Form(NamedTuple):
    """How a sentence says what kind of thing something is. `verb`: with a space before it; `kind`: what follows the
    verb and a space; `article`: what a name may begin with."""

    verb: str
    kind: re.Pattern[str]
    article: re.Pattern[str]


def _forms(verbs: tuple[str, ...], kinds: str, articles: str) -> list[_Form]:
    kind, article = re.compile(kinds, re.IGNORECASE), re.compile(rf"(?:{articles})\s+", re.IGNORECASE)
    return [_Form(verb.rstrip(), kind, article) for verb in verbs]


class _Language(NamedTuple):
    """The forms of a language. `verbs`: any of theirs before what one of its forms has there, compiled when a text of
    the language comes; `places`: those of each verb in `forms`."""

    forms: Sequence[_Form]
    verbs: str
    places: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, *forms: _Form) -> _Language:
        verbs = dict.fromkeys(form.verb for form in forms)
        places = {verb: [place for place, form in enumerate(forms) if form.verb == verb] for verb in verbs}
        followed = (f"{form.verb}(?= (?i:{form.kind.pattern}))" for form in forms)
        return cls(forms, "|".join(followed), places)


_compiled = cache(re.compile)


_ENGLISH = _Language.of(
    *_forms(
        (" is ", " are "),
        r"(?:an?|the|one of|any|(?:used|designed|responsible) (?:to|for|by))\s",
        "an?|the",
    ),
    *_forms((" is ",), r"[^\W\d_][\w.-]{1,20}(?:['\u2019]s|s['\u2019])\s", "an?|the"),
    *_forms(
        (" are ",),
        r"[*_]{0,2}(?:[\w-]+,? ){0,4}\w{3,}s[*_]{0,2}(?: \([^()\n]{1,20}\)[*_]{0,2})? (?:that|which|who"
        r"|where|of|for|in|on|used|designed|created|provided|made"
        r"|written|stored|shared|defined|attached)\b",
        "an?|the",
    ),
    *_forms((" refers to ", " means "), r"\S", "an?|the"),
)
_FORMS = {
    "de": _Language.of(*_forms((" ist ", " sind "), r"(?:eine?r?|der|die|das)\s", "eine?|der|die|das")),
    "es": _Language.of(*_forms((" es ", " son "), r"(?:una?|el|la|los|las)\s", "una?|el|la|los|las")),
    "fr": _Language.of(*_forms((" est ", " sont "), r"(?:une?|les?|la|des)\s|l['\u2019]", "une?|les?|la")),
    "ru": _Language.of(*_forms((" \u2014 это ", " \u2013 это ", " - это "), r"\S", "(?!)")),
}
_LISTED = re.compile(
    r"^[ \t]*[-*+][ \t]+(?:\*\*([^*\n]{2,40})\*\*|`([^`\n]{2,40})`)[ \t]*(?:\([^()\n]{1,40}\)[ \t]*)?"
    r"(?:[:\u2013\u2014-][ \t]|(?<=:\*\*)[ \t])",
    re.MULTILINE,
)
_LISTS = ("- **", "- `", "* **", "* `")
"""What stands in each text whose list is looked at."""
_LONGEST = 90
"""Characters of a paragraph before the verb at most."""
_BEGINS = re.compile(r"(?:[ \t>]*(?:[-*+]|\d+[.)])[ \t]+)?(?:#{1,6}[ \t][^\n]*\n+|[^\n]+\n[=~^*+#_:.`'\"-]{3,}\n+)?")
"""What may stand before the words of a paragraph: the mark of a list, a heading without a blank line after it."""
_MARKS = re.compile(r"[`*\"\u201c\u201d\[]|(?<!\w)_|_(?!\w)|\](?:\([^()\s]*\)|\[[^\]]*\])?|\s*\([^()]{1,40}\)$|<[^>]*>")
_NAME = re.compile(r"[^\W\d][\w.+#'/-]*(?: [\w.+#'/-]+){0,4}")
_SHORT = re.compile(r"\s*\((?=[^()]*[A-Z])([\w.+#/-]{2,12})\)")
"""The short form of a name behind it: `Global Winch Register (GWR)`."""
_OTHER_WORDS = """this that it there here these those what which who if when where how why note one some all each every
another both either neither he she they we you i following first second last next only other result reason purpose goal
idea problem difference default value below above example answer question point rest same such most more many any
nothing something anything everything not also but and or so because as at by for from in of on to with dies das es hier
dort was wer wenn wo wie er sie esto eso este esta aquí qué ce cela il elle voici это"""
_NO_NAMES = frozenset(_OTHER_WORDS.split())
"""Words that begin no name of a thing: `This`, `The following`, `The reason`."""


def _before(text: str, at: int, form: _Form) -> tuple[str, ...]:
    """What stands between the beginning of a paragraph and the verb, if it is a name; with its short form."""
    nearest = max(0, at - 3 * _LONGEST)  # a whole text may be one paragraph
    start = text.rfind("\n\n", nearest, at)
    if start < 0 < nearest:
        return ()
    start = 0 if start < 0 else start + 2
    paragraph = text[start:at]
    begins = _BEGINS.match(paragraph)
    words = paragraph[begins.end() if begins else 0 :]
    if not words or len(words) > _LONGEST:
        return ()
    name = form.article.sub("", _MARKS.sub("", words).strip(), count=1)
    is_name = _NAME.fullmatch(name) and ". " not in name and name.split()[0].lower() not in _NO_NAMES
    short = short_form(words, words.rstrip().rfind("(")) if words.rstrip().endswith(")") else ""
    return tuple(filter(None, (name, short))) if is_name else ()


def short_form(text: str, at: int) -> str:
    """The short form of a name that ends at a place of a text, where it follows in brackets and has the letters of the
    name in their order, from the beginning of a word on."""
    match = _SHORT.match(text, at)
    first = re.search(rf"\b{re.escape(match[1][0])}", text[:at], re.IGNORECASE) if match else None
    if match is None or first is None:
        return ""
    letters = iter(text[first.start() : at].lower())
    return match[1] if all(letter in letters for letter in match[1].lower() if letter.isalpha()) else ""

"""What a page or section is called, as one term: its telling words, stemmed (`The Zen of Python` is `zen python`)."""

from __future__ import annotations

import re
from functools import lru_cache

from biblicus.text.terms import analysis, identifiers, symbols

MOST = 5
"""Terms of one title."""
_MOST_SPELLED = 24
"""The same where it lists options, as they are spelled: `/w, /W0, /W1 … /WX`."""
MOST_WORDS = 6
"""Words of a term: what is longer is a sentence, and nobody asks for all of it."""

_ASIDE = re.compile(r"(?:\s*[(\[][^)\]]*[)\]]){1,4}\s*$")
_NUMBER = re.compile(
    r"(?:chapter|appendix|part|section)?\s*(?:\(?\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|(?<=\s)[A-Z])[.:)]?\s+", re.IGNORECASE
)
_VERSION = re.compile(r"\s+v?\d+(?:\.\d+)+\s*$", re.IGNORECASE)
_EXTENSION = re.compile(r"(?<=[^\s.])\.[a-z]\w{0,4}$", re.IGNORECASE)
_DEFINING = (
    *("abstract", "async", "class", "classmethod", "const", "def", "enum", "exception", "fn", "func", "function"),
    *("method", "property", "static", "staticmethod", "struct", "type"),
)
_DEFINED = re.compile(rf"(?:(?:{'|'.join(_DEFINING)}) )*@?((?:\w+(?:\.|::))*(\w+)) ?(?:\(.*)?$", re.DOTALL)
_OPTIONS = re.compile(r"(?<=\w)\s+(?:\[[^\]]*\]\S*|<\w[^>]*>\S*|--?\w\S*|\.\.\.|[|(){}]|\s)+$")
_OPTION_MARK = re.compile(r"[\[<|(){}-]|\.\.\.|\s$")
"""What one of these options has at least."""
_ARGUMENTS = re.compile(r"(?:\s+\[?[A-Z][A-Z_|-]+[\].…]*)+$")
_VALUE = re.compile(r"(?<=\w)[ =](?:[A-Z][A-Z_]*|[a-z][\w.-]*|<[^>]*>|\[[^\]]*\])$")
_OF_A_KIND = re.compile(
    r"(?:the )?(\S+) (?:(directive)|option|setting|parameter|function|method|class|command|variable|macro|attribute"
    r"|module|property|keyword|type|event|hook|operator|statement|tag|element|extension|plug-?in|package|library"
    r"|middleware|interface|structure|struct|enum|trait|component|widget|exception|signal|flag)\W*",
    re.IGNORECASE,
)
_MANUAL = re.compile(r"\s*([\w.+-]+)\(\d\w{0,4}\)\s*")
"""What a manual page is called, with the number of its section."""
_PARTS = re.compile(r"\s+(?:[–—|]|-{1,3})\s+|:\s+")
_DIVIDES = re.compile(r"[–—|:-]")
_THREE_DIGITS = re.compile(r"\d{3}")
_CODE = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*\d{3})\w+")
_CODED = r"(?:[A-Z]{1,4}\d{1,5}(?:\.\d{1,3})?(?:[ \t]*[,/][ \t]*|[ \t]+(?:and[ \t]+)?)){1,8}(?=[A-Z(][^\d\s])"
"""Codes with what they stand for: `M6 Tool change`, `M3, M4, M5 Spindle control`; compiled when there may be some."""
_ONE_CODE = r"[a-z]{1,4}\d{1,5}(?:\.\d{1,3})?"


@lru_cache(maxsize=65_536)
def terms(title: str, stemmer: str, stop_list: str) -> tuple[str, ...]:
    """The terms of a title: of the whole, of what is left without the brackets or the version at its end, a file's
    extension, the number before it, the options after it (`pop [--index]`) or what it is (`KeepAlive Directive`), of
    the parts that a dash or colon divides, of what it defines (`lru_cache` of `@functools.lru_cache(maxsize=128)`), and
    of each code in it (`LNK2019`; three digits at least). Options and joined names are terms as they are spelled, too
    (`=--strict`)."""
    title = analysis.normalised(title)
    bare = without_number(title)
    bare = bare if " " in bare or "." not in bare else _EXTENSION.sub("", bare)
    named = without_kind(bare) if " " in bare else bare
    defined = None if _is_phrase(named) else _DEFINED.match(named)
    names = () if defined is None or _is_constructor(defined[1]) else defined.groups()
    is_plain = bare.isascii() and bare.replace(" ", "").isalnum()  # no mark divides it or stands behind it
    wordings: dict[str, None]
    if is_plain:
        parts = [bare]
        wordings = dict.fromkeys((title, *names, without_options(bare), bare, named))
    else:
        parts = _PARTS.split(bare) if _DIVIDES.search(bare) else [bare]
        pages = [match[1] for match in map(_MANUAL.fullmatch, parts) if match] if "(" in bare else ()
        parts = [*pages, *parts, *_names_of_one(bare)]
        wordings = dict.fromkeys((title, *names, without_options(bare), _without_aside(bare), named, *parts))
    if bare[:1].isupper() and bare.isalnum() and (apart := identifiers.spaced(bare)):
        wordings[apart] = None
    whole = []
    for wording in wordings:
        words = telling(identifiers.with_symbols(wording), stemmer, stop_list)
        if 0 < len(words) <= MOST_WORDS:
            whole.append(" ".join(words))
    asked_for = symbols.alone(parts[0]) if parts[0].endswith("?") else ""  # "What is RCU?"
    spelled = symbols.exact("" if is_plain else bare.partition("(")[0], *(names[1:] or (asked_for,)))
    codes = _CODE.findall(title.lower()) if not title.isalpha() and _THREE_DIGITS.search(title) else []
    may_be_coded = title[:1].isupper() and any(sign.isdecimal() for sign in title[1:5])
    if may_be_coded and (coded := re.match(_CODED, title)):
        codes += re.findall(_ONE_CODE, coded[0].lower())
    most = max(MOST, min(len(spelled) + 1, _MOST_SPELLED))
    return tuple(dict.fromkeys((*whole[:1], *spelled, *whole[1:], *codes)))[:most]


def _is_constructor(name: str) -> bool:
    """Whether it is called what makes a thing, which is no name of that: `Slip::Slip`."""
    *_, owner, last = ("", *name.replace("::", ".").split("."))
    return owner == last


def _is_phrase(title: str) -> bool:
    """Whether a title is words that define nothing (see `_DEFINED`), as most are."""
    return "(" not in title and " " in title.strip() and title.partition(" ")[0] not in _DEFINING


def _names_of_one(title: str) -> list[str]:
    """The names that a title only lists, each one word and some no plain one: `+short, +noshort`."""
    names = title.split(", ") if ", " in title else []
    are_names = not any(" " in name or name.startswith("-") for name in names)
    return names if are_names and not all(name.isalnum() for name in names) else []


def without_number(title: str) -> str:
    """A title without the number before it: `4.2 Fees`, `Section D  How to claim`."""
    numbered = _NUMBER.match(title)
    return title[numbered.end() :] if numbered else title


def _without_aside(title: str) -> str:
    """A title without the brackets, then without the version, at its end."""
    if ")" in title or "]" in title:
        title = _ASIDE.sub("", title)
    return _VERSION.sub("", title) if "." in title else title


def without_options(name: str) -> str:
    """A command's name without what may stand after it: `pop [--index] [<stash>]` and `pop STASH...` are `pop`,
    `-k EXPRESSION` and `-k name` are `-k`."""
    if name.startswith("-"):
        return _VALUE.sub("", name)
    if name[:1].islower() and not name[-1:].islower():
        name = _ARGUMENTS.sub("", name)
    return _OPTIONS.sub("", name) if _OPTION_MARK.search(name) else name


def without_kind(title: str, *, is_of_a_name: bool = False) -> str:
    """A name without what kind of thing it is: `KeepAlive Directive`, `getUser() method`. A plain word stays as it is,
    for a `window class` is no window; what is called a directive is a name in any spelling, and so `is_of_a_name`."""
    match = _OF_A_KIND.fullmatch(title)
    is_name = match is not None and (
        is_of_a_name or match[2] is not None or symbols.spelled_as_a_name(match[1].strip("`*\"'()"))
    )
    return match[1] if match is not None and is_name else title


def telling(text: str, stemmer: str, stop_list: str) -> list[str]:
    """The words of a text, stemmed, that are no stop words; all of them where there are no others."""
    if stop_list and (options := analysis.options_in(text)):
        return _telling_options(text, stemmer, stop_list, options)
    if not text.isascii() or "'" in text:
        text = analysis.bigrams(analysis.without_endings(text, (stemmer,)) if stop_list else text)
    return analysis.terms(text, stemmer, stop_list) or analysis.terms(text, stemmer)


def _telling_options(text: str, stemmer: str, stop_list: str, options: frozenset[str]) -> list[str]:
    """The same of a text that names options, whose letters may be stop words elsewhere: `winch -a`."""
    text = analysis.bigrams(analysis.without_endings(text, (stemmer,)))
    content = options.union(analysis.plain_analyzer(stop_list).analyze(text))
    words = zip(analysis.plain_analyzer().analyze(text), analysis.analyzer(stemmer).analyze(text), strict=True)
    return [term for word, term in words if word in content]

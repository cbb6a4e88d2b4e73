"""Inflected and variant forms of a word that stemming does not unify: `rebuilds` and `rebuilt`, `won` and `wins`.

It covers noun endings of verbs, common beginnings, German `ge…t`, compounds, irregular English verbs, spelling variants
(`optimise`, `optimize`) and abbreviations (`config`). It uses no dictionary and no vectors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from biblicus.text.terms import analysis

ALIKE = 0.8
"""Weight of a word's other form relative to the word itself."""
_JOINED = 0.6
"""Weight of a word that is part of a compound."""
_LONG = 5
"""Minimum letters of a word that may be part of a compound."""
_COMMON = 4
"""Minimum common letters at the beginning of two forms."""
_BEGINNING = 3
_UNSTEMMED = 3
"""Maximum letters by which endings may differ in languages without a stemmer."""

_COMPOUNDING = frozenset({"german", "dutch", "danish", "swedish", "norwegian", "finnish", "hungarian"})
_ENDINGS = frozenset({
    "er", "or", "ers", "ors", "ation", "ition", "ion", "ment", "ness", "ity", "al", "ic", "ive", "ous", "ful",
    "able", "ible", "ist", "ism", "ance", "ence", "ant", "ent", "ure", "age", "hood", "ship", "ung", "heit",
    "keit", "lich", "isch", "bar", "los", "nis", "schaft", "ador", "edor", "idor", "adora", "acion", "icion",
    "amient", "imient", "anci", "enci", "ante", "ente", "ateur", "ement", "eur", "euse", "teur",
    "trice", "ator", "itor", "itrice", "zion", "imento", "amento", "atore", "itore", "ция", "ени", "ани",
    "ост", "тел", "ник", "ск", "ств", "ова", "ыва", "ива", "нн", "енн",
})  # fmt: skip
_ENGLISH = (
    "be been was were", "becom becam", "begin began begun", "bring brought", "buy bought", "catch caught",
    "choos chose chosen",
    "come came", "die dead death dy", "draw drew drawn", "drive drove driven", "eat ate eaten",
    "fall fell fallen", "feed fed",
    "feel felt", "fight fought", "find found", "fli flew flown flight", "get got gotten", "give gave given gift",
    "go went gone",
    "grow grew grown growth", "hear heard", "hold held", "keep kept", "know knew known", "lead led", "leav left",
    "lose lost loss",
    "make made", "mean meant", "meet met", "pay paid", "run ran", "say said", "see saw seen", "seek sought",
    "sell sold sale",
    "send sent", "sing sang sung song", "sink sank sunk", "speak spoke spoken speech", "spend spent", "stand stood",
    "steal stole stolen", "strike struck", "swim swam swum", "take took taken", "teach taught", "tell told",
    "think thought",
    "throw threw thrown", "win won winner", "write wrote written", "wear wore worn", "rise rose risen",
    "bear bore born",
    "break broke broken", "build built", "freez froze frozen", "hide hid hidden", "light lit",
    "understand understood", "live life",
    "marri marriag", "high height", "long length", "strong strength", "wide width", "deep depth", "man men",
    "woman women",
    "child children", "foot feet", "person peopl",
)  # fmt: skip
_FORMS = {word: number for number, words in enumerate(_ENGLISH) for word in words.split()}
_BEFORE = frozenset(["و", "ف", "ب", "ل", "ك", "ال", "لل", "وال", "فال", "بال", "كال", "ول", "وب", "ولل", "وبال"])
"""Arabic prefixes written as part of a word: `and`, `in`, `for`, `the`."""


def forms(asked: Sequence[str], vocabulary: Iterable[str], stemmer: str) -> Mapping[str, tuple[str, float]]:
    """Return for words of a text that are other forms of a question word: that word and the weight (0-1)."""
    by_beginning: dict[str, list[str]] = {}
    for term in asked:
        by_beginning.setdefault(term[:_BEGINNING], []).append(term)
    irregular = _irregular(stemmer)
    stemmer = analysis.plain(stemmer)
    listed = {irregular[term]: term for term in asked if term in irregular}
    bare = {rest: term for term in asked for rest in _bare(term)} if stemmer == "arabic" else {}
    joins = [term for term in asked if len(term) >= _LONG] if stemmer in _COMPOUNDING else []
    of: dict[str, tuple[str, float]] = {}
    exact = set(asked)
    if not joins and not bare and stemmer != "german":  # otherwise the beginning decides
        vocabulary = [word for word in vocabulary if word[:_BEGINNING] in by_beginning or word in irregular]
    for word in vocabulary:
        if word in exact or len(word) < _BEGINNING or word[0] >= "\u2e80":
            continue
        candidates = by_beginning.get(word[:_BEGINNING], ())
        same = next((term for term in candidates if _alike(word, term, stemmer)), None)
        if same is None and word in irregular:
            same = listed.get(irregular[word])
        if same is None and bare:
            same = next((bare[rest] for rest in _bare(word) if rest in bare), None)
        if same is None and stemmer == "german":
            same = next((term for term in asked if _participle(word, term) or _participle(term, word)), None)
        if same is not None:
            of[word] = (same, ALIKE)
            continue
        part = next((term for term in joins if word.startswith(term) or word.endswith(term)), None)
        if part is None and joins and len(word) >= _LONG:
            part = next((term for term in joins if term.startswith(word) or term.endswith(word)), None)
        if part is not None:
            of[word] = (part, _JOINED)
    return of


@lru_cache(maxsize=32)
def _irregular(stemmer: str) -> Mapping[str, int]:
    """Return the group number of each irregular stem."""
    if analysis.plain(stemmer) == "english":
        return _FORMS
    from biblicus.text.terms import irregular  # lazy: of most corpora no other language is asked

    groups = enumerate(irregular.FORMS.get(analysis.plain(stemmer), "").split(","))
    return {term: number for number, words in groups for term in analysis.terms(words, stemmer)}


def _bare(word: str) -> list[str]:
    """Return an Arabic word and its remainders without possible prefixes."""
    longest = min(4, len(word) - _BEGINNING)
    return [word, *(word[size:] for size in range(1, longest + 1) if word[:size] in _BEFORE)]


def _alike(one: str, other: str, stemmer: str) -> bool:
    """Return True if two stems are of one word: one is the other with an ending, or only their last letters differ.
    More letters may differ in languages without a stemmer."""
    short, long = sorted((one, other), key=len)
    if any(map(str.isdigit, long)):
        return False
    if long.startswith(short):
        rest = long[len(short) :]
        most = (2 if stemmer else _UNSTEMMED) if len(short) > _COMMON else 1
        return rest in _ENDINGS or (len(short) >= _COMMON and len(rest) <= most)
    common = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if not stemmer and common > _COMMON and len(long) - common <= _UNSTEMMED:
        return True
    return common >= _COMMON and len(long) - common <= 2 and common >= 2 * (len(long) - common) + 1


def _participle(word: str, term: str) -> bool:
    """Return True for a German participle: `gebaut` of `bau`, `gefunden` of `find`."""
    return len(term) >= _BEGINNING and word.startswith("ge") and word[2:].removesuffix("t") == term.removesuffix("t")


_SHORT = {
    "admin": "administrator", "app": "application", "arg": "argument", "attr": "attribute",
    "auth": "authentication authorization", "config": "configuration", "db": "database", "dev": "development",
    "dir": "directory", "doc": "documentation", "env": "environment", "func": "function", "info": "information",
    "init": "initialization", "k8s": "kubernetes", "lib": "library",
    "msg": "message", "param": "parameter", "perm": "permission", "pkg": "package", "prod": "production",
    "repo": "repository", "spec": "specification", "var": "variable",
}  # fmt: skip
"""Abbreviations in questions. They are not applied to texts: names in code are full of `max` and `auth`."""
_SPELLED = (
    (re.compile(r"(\w{3,}[^\Waeiou\d_])is(e|es|ed|er|ers|ing|ation|ations|able)"), "z"),
    (re.compile(r"(\w{3,}[^\Waeiou\d_])iz(e|es|ed|er|ers|ing|ation|ations|able)"), "s"),
)
_OURS = re.compile(r"((?:behavi|col|fav|flav|harb|hon|lab|neighb|rum|vap))(ou?r)(\w*)")
_TWO_WAYS = (
    "centre center", "licence license", "catalogue catalog", "dialogue dialog", "grey gray", "analyse analyze",
    "analyser analyzer", "defence defense", "artefact artifact", "cheque check", "programme program",
)  # fmt: skip
_OTHERWISE = {"upgrade": "migrate", "upgrading": "migrating"}
"""Question words that documents express otherwise: migration guides describe upgrades."""
_OTHER_WAY = {one: other for pair in map(str.split, _TWO_WAYS) for one, other in (pair, pair[::-1])}


@lru_cache(maxsize=1_024)
def others(word: str) -> tuple[str, ...]:
    """Return the spelling variants or full forms of an English word in lower case."""
    for pattern, letter in _SPELLED:
        if match := pattern.fullmatch(word):
            return (f"{match[1]}i{letter}{match[2]}",)
    if match := _OURS.fullmatch(word):
        return (f"{match[1]}{'or' if match[2] == 'our' else 'our'}{match[3]}",)
    for form in (word, word.removesuffix("s")):
        if form in _OTHER_WAY:
            return (_OTHER_WAY[form],)
        if form in _OTHERWISE:
            return (_OTHERWISE[form],)
        if form in _SHORT:
            return tuple(_SHORT[form].split())
    return ()

"""Contrasts: what asks for one, and how much a sentence is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from itertools import permutations

ASKED = re.compile(
    r"\bdifferen(?:ces?|t|tiates?)\b|\bdiffers?\b|\bdistinguish|\bdistinction\b|\bcompared?\b|\b(?:vs\.?|versus)\b"
    r"|\bunterschied|\bunterscheide|\bdiffér|\bdiferencia|\bdistingue|\bdiferença|\bdifferenz|\bdiffer[ei]|\bverschil"
    r"|разниц|отлича|различ|区别|不同|差异|差別|違い",
    re.IGNORECASE,
)
_SIDES = (
    re.compile(
        r"\b(?:between|zwischen|entre|tra|fra|tussen|между)\s+(.+?)\s+(?:and|und|et|y|e|en|и)\s+(.+?)[\s?!.]*$",
        re.IGNORECASE,
    ),
    re.compile(r"\bhow\s+(?:does|do|is|are)\s+(.+?)\s+differ(?:ent)?\s+from\s+(.+?)[\s?!.]*$", re.IGNORECASE),
    re.compile(r"^\W*(?:what\s+is\s+)?(.{1,60}?)\s+(?:vs\.?|versus)\s+(.{1,60}?)[\s?!.]*$", re.IGNORECASE),
)
_CONTRASTS = re.compile(
    r"\b(?:whereas|while|unlike|but|however|in contrast|on the other hand|rather than|instead|instead of"
    r"|(?!different\s+(?!from\b|than\b|to\b)[\w-])(?!differences\b)differ\w*"
    r"|differences (?:between|in|is|are|lies?)|(?:main|key|only|major|important|these|some|few|no|several) differences"
    r"|(?:more|less|fewer)\s+(?!than\b)\w.{0,60}?\bthan|(?!other\b|rather\b)\w{2,}er (?:to \w+ )?than"
    r"|the same as|(?:is|are|do|does|mean|behave) the same"
    r"|only difference|compared|except|contrary|während|hingegen|dagegen|im gegensatz|jedoch|aber|unterschied\w*"
    r"|unterscheide\w*|tandis que|alors que|contrairement|mais|différ\w*|mientras|pero|sin embargo|diferencia\w*"
    r"|en cambio|a diferencia|enquanto|mas|ao contrário|diferen\w*|mentre|invece|ma|terwijl|maar|verschil\w*)\b"
    r"|\b(?:тогда как|в отличие|однако|отлича\w+|различ\w+|разниц\w+)|而|但|不同|区别|相比|違|異",
    re.IGNORECASE,
)
_DIFFER = re.compile(
    r"\b(?:(?<!not )(?<!n['’]t )(?<!never )(?<!hardly )differ(?:s? from| in)"
    r"|(?:is|are) (?:(?!(?:not|no|never|hardly|little)\b)\w+ )?different from)\b"
    r"|\bdifferences? (?:between\b.{3,120}?\b(?:is|are)|is|are)\b|\b(?:whereas|unlike|in contrast"
    r"|as opposed to|unterscheide\w*|unterschied\w*|im gegensatz|tandis que|alors que|contrairement|mientras"
    r"|a diferencia|enquanto|ao contrário|mentre|a differenza|terwijl|in tegenstelling)\b"
    r"|\b(?:тогда как|в отличие|отлича\w+|различ\w+|разниц\w+)|而|不同|区别|相比|違|異",
    re.IGNORECASE,
)
"""What a sentence says that tells how things differ, and does not deny it."""
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_SETS_AGAINST, _SAYS_OF_BOTH = 0.7, 0.4
"""What it counts that a sentence sets something against something else, which may be other things, and that it only
says what both do."""


_TWO = 2
_WORDS = re.compile(r"[@\w'’-]+|[/&]")
_AND = frozenset(("and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "of", "и", "или", "/", "&"))
_ARTICLES = frozenset(("a", "an", "the", "ein", "eine", "der", "die", "das", "le", "la", "les", "un", "una", "el"))
_SIDE_BY_SIDE = re.compile("a+&a*b+|b+&b*a+")
"""Words of the two sides in a row, joined."""
_LEADS = re.compile(
    r"\b(?:differences?|distinctions?|differs?|compar(?:es?|ed|ing|isons?)|versus|unterschied\w*|vergleich\w*|différences?"
    r"|comparaison|diferencias?|comparación|diferenças?|differenz[ae]|verschil\w*)\b|различи\w|отлича\w|сравн\w"
    r"|区别|差异|不同|比较|違い",
    re.IGNORECASE,
)


def sides(question: str) -> tuple[str, ...]:
    """The two things that a question asks to tell apart; none where it does not name two."""
    named = next(filter(None, (sides.search(question) for sides in _SIDES)), None)
    return named.groups() if named else ()


def leads(text: str) -> bool:
    """Whether a text that leads to a list or a table says that these tell how things differ."""
    return _LEADS.search(text) is not None


def contrasts(text: str) -> float:
    """How much a sentence sets things against each other: most where it says how they differ (0-1)."""
    if _DIFFER.search(text):
        return 1.0
    return _SETS_AGAINST if _CONTRASTS.search(text) else _SAYS_OF_BOTH * (_BOTH.search(text) is not None)


def is_one_sided(text: str, held: Set[str], sides: Sequence[str], terms: Callable[[str], list[str]]) -> bool:
    """Whether a sentence holds no word of its own of one of the sides that are to be told apart; where all words of one
    are of the other's, too (`Pool`, `ThreadPool`), whether it has that only within the other. `held`: the words of the
    question that it, or what leads to it, holds; `terms` makes the terms of a text."""
    for (_, mine), (other, others) in permutations([(side, frozenset(terms(side))) for side in sides], 2):
        if mine > others & mine and not (mine - others) & held:
            return True
        if mine < others and not mine & {*terms(re.sub(re.escape(other), " ", text, flags=re.IGNORECASE))}:
            return True
    return False


def sets_apart(text: str, sides: Sequence[str], terms: Callable[[str], list[str]]) -> float:
    """How much a sentence sets the two sides against each other (0-1). Nothing where it names them only side by side
    (`primary and secondary zones`) and compares nothing by name: what it sets apart is something else; less where what
    sets apart stands neither before nor between them. `terms` makes the terms of a text."""
    worth = contrasts(text)
    if not worth or len(sides) < _TWO:
        return worth
    one, other = (frozenset(terms(side)) for side in sides)
    words = [word for word in _WORDS.finditer(text) if word[0].lower() not in _ARTICLES]
    held = [frozenset(terms(word[0])) for word in words]
    marks = "".join(
        "&" if word[0].lower() in _AND else "a" if own & (one - other) else "b" if own & (other - one) else "."
        for word, own in zip(words, held, strict=True)
    )
    if not {"a", "b"} <= {*marks}:
        return worth
    if not {"a", "b"} & {*_SIDE_BY_SIDE.sub(".", marks)} and not _LEADS.search(text):
        return 0.0
    if worth > _SETS_AGAINST:
        return worth
    places = [sum(word.start() < mark.start() for word in words) for mark in _CONTRASTS.finditer(text)]
    return worth if any(_is_between(marks[:at], marks[at:]) for at in places) else _SAYS_OF_BOTH


def _is_between(before: str, behind: str) -> bool:
    """Whether one side stands before a place and the other behind it, or both behind it."""
    return bool({"a", "b"} <= {*behind} and not {"a", "b"} & {*before}) or any(
        one in before and other in behind for one, other in (("a", "b"), ("b", "a"))
    )

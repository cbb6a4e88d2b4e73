"""Things that are called by a number (`shed 3`), and the numbers and addresses by which somebody is reached: what a
question asks for, and whether a text tells it."""

from __future__ import annotations

import re

_SMALL = re.compile(r"(?<![\w.,:/-])\d{1,3}(?![\w,:/-]|\.\d)")
_NUMBERED = re.compile(r"(?<![\w.-])([^\W\d_]{3,})[ -](\d{1,3})(?![\w:/-]|[.,]\d)(?: ([^\W\d_]+))?")
"""A number in a question by itself; and what is called by one (`shed 3`), with the word behind it (`60 Hz`)."""
_BEFORE_NUMBERS = """
about above after all almost another any are around before below best between both during each every exactly few
fewer first for from how into just last latest least less many more most near nearly newest next not oldest only
other over past per roughly since some than the their then these this those till top under until was were within
with without worth january february march april may june july august september october november december alle als
auch bei binnen bis das den der die diese etwa für höchstens innerhalb jede jeden letzte letzten mehr mindestens
mit nach nächste nächsten nur rund seit über unter von vor weniger zum zur erste ersten knapp januar februar märz
mai juni juli oktober dezember antes cada con desde después durante entre hace hasta las los más menos para por
primeras primeros próximos sobre tras últimas últimos enero febrero marzo abril mayo junio julio agosto septiembre
octubre noviembre diciembre après avant avec dans depuis dernières derniers environ jusque les moins pendant plus
premiers prochains sous sur janvier février mars avril juin juillet août septembre octobre novembre décembre более
больше меньше менее первые последние после свыше старше младше через около каждые
"""
"""What stands before numbers that say how many, how old or when."""
_NO_NAMES = frozenset(_BEFORE_NUMBERS.split())
_LISTED = r"\d+(?:\s?(?:[-–,/&]|(?:to|and|or|bis|und|oder|y|o|a|et|ou|à|и|или|до)\b)\s?\d+)*"
_AND_ABOVE = re.compile(
    r"\s?(?:\+|(?:and|or|und|oder|y|o|et|ou|и)\s(?:newer|later|above|up|upwards|higher|neuer|höher|später|mehr|más|posterior"
    r"|superior|plus|выше|новее))",
    re.IGNORECASE,
)
"""Numbers of which a text tells, `4 to 6`; and what says that those behind the last one are meant, too."""
_DIGITS = re.compile(r"\d+")
_LONGEST = 9
"""Digits of a number by which something is called."""
_ASKS_VALUE = re.compile(
    r"\W*(?:(?:what|which)(?:['’]s|\s+(?:is|are|was))?|wie (?:ist|lautet|lauten)|was ist|welche\w?(?: ist)?|cuál es"
    r"|quel(?:le)? est|(?:please )?(?:give|tell|show) me|i need)?\s*"
    r"(?:(?!(?:an?|eine?|una?|une?|who|when|where|why|how|can|do|does|must|may|should|is|wer|wo|wann|wie|quién|dónde|cuándo|qui"
    r"|où|quand)\b)[^\s?]+\s+){0,5}",
    re.IGNORECASE,
)
"""What stands before a value that is asked for, and not what is done with it: "What is Ada's"."""
_OF_WHOM = re.compile(
    r"\s*(?:\W*|(?:of|for|from|in|at|to (?:call|reach)|von|vom|für|der|des|de|du|del|d['’]) ?\w.*"
    r"|\W*(?-i:[A-ZÀ-ÞА-Я]).*)",
    re.IGNORECASE | re.DOTALL,
)
"""What stands behind it."""
_CONTACT = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(tells))
    for asks, tells in (
        (
            (
                r"\b(?:(?:tele)?phone|mobile|cell|fax) (?:number|no\b)|\b(?:telefon|handy|mobil|fax)-?nummer\b"
                r"|\bnuméro de (?:téléphone|portable)|\b(?:número de )?teléfono\b"
            ),
            r"\d(?:[ ()/.-]{0,2}\d){4,}|\b(?:phone|[Tt]el)\b\S*\s+\d",
        ),
        (r"\be-?mail(?:[ -]?ad(?:d?res)s\w*)\b|\badresse e-?mail\b|\bcorreo electrónico\b(?= de)", r"\S@\S"),
        (r"\bIBAN\b", r"\b[A-Z]{2}\d{2}[ A-Z\d]{8,}"),
    )
)
"""How somebody is reached: asked for, and told."""


_CODE = re.compile(
    r"(?<![\w/-])(?!(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?(?![\w-]))(?=[A-Z-]*\d|[A-Z]+-[A-Z]+ \d)"
    r"[A-Z\d]+(?:[-/][A-Z\d]+)+(?: \d+)?(?![\w-])"
)
"""What something is called by letters and digits, `F-2024-09`, `NF-TA 118`; no day."""
_RUN = re.compile(r"\d+")
_YEAR = re.compile(r"(?<![\d.,:/-])(?:19|20)\d\d(?![\d,:/-]|\.\d)")
_IN_NAME = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
"""A year in a question, and in what a document is called by."""


def is_of_another_code(question: str, about: str, text: str) -> bool:
    """Whether a question names something by a code, and what a text is `about` only has others like it:
    `F-2024-09`, `F-2024-11`. `text`: all of it."""
    for code in _CODE.findall(question):
        alike = re.compile(
            r"(?<![\w/-])" + _RUN.sub(lambda run: rf"\d{{{len(run[0])}}}", re.escape(code)) + r"(?![\w/-])"
        )
        if alike.search(about) and code not in about and code not in text:
            return True
    return False


def is_of_another_year(question: str, called: str, text: str) -> bool:
    """Whether a question names one year, and a document is called by others and has that nowhere: `Rules 2023`."""
    years = _YEAR.findall(question)
    if len(years) != 1 or years[0] in text or years[0] in called:
        return False
    return _IN_NAME.search(called) is not None


def small_numbers(question: str) -> frozenset[str]:
    """The numbers of up to three digits that a question names by themselves."""
    return frozenset(_SMALL.findall(question))


def is_of_another_number(question: str, about: str, text: str) -> bool:
    """Whether a question names something by a number, and what a text is `about` is only called by others: `shed 3`,
    `shed 2`. `text`: all of it, which may name the one that is asked for as well, or its number with its unit."""
    for name, number, unit in _NUMBERED.findall(question):
        if name.casefold() in _NO_NAMES or (unit and re.search(rf"\b{number} ?{unit}\b", f"{about}\n{text}")):
            continue
        named = re.compile(
            rf"\b{re.escape(name)}\w?\w?[ -]{{0,2}}(?:n(?:o|r|um)\b[. ]{{0,2}}|[#№] ?)?({_LISTED})(?P<part>[.,]\d)?",
            re.IGNORECASE,
        )
        others = [match for match in named.finditer(about) if not match["part"]]
        if others and not any(_tells(int(number), match) for match in (*others, *named.finditer(text))):
            return True
    return False


def _tells(number: int, match: re.Match[str]) -> bool:
    """Whether a number is one of those that are listed, or stands between the first and the last of them."""
    numbers = [int(digits) for digits in _DIGITS.findall(match[1]) if len(digits) <= _LONGEST]
    if not numbers:
        return False
    is_above = _AND_ABOVE.match(match.string, match.end()) is not None
    return min(numbers) <= number and (is_above or number <= max(numbers))


def asks_contact(question: str) -> re.Pattern[str] | None:
    """What tells the number or address by which somebody is reached, where one is asked for."""
    for asks, tells in _CONTACT:
        value = asks.search(question)
        if value and _ASKS_VALUE.fullmatch(question, 0, value.start()) and _OF_WHOM.fullmatch(question, value.end()):
            return tells
    return None

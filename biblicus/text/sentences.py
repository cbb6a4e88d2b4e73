"""Sentence boundaries in any script in linear time, and positions at which to cut a text.

A terminator ends a sentence if white space follows (after closing quotes and brackets) and the next word is not in
lower case; a full stop must also not belong to an abbreviation, an initial or an ordinal. Terminators of scripts
without full stops (。！？ ؟ ।) always end one, and so does a blank line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from biblicus.models.extraction import Span

_CLOSERS = "\"'”’»›)\\]}」』】》〉）］｣*_"
_ALWAYS = "。｡！？؟۔।॥։።။"
# Possessive, and no alternative that starts with a terminator can fail: this avoids quadratic time.
# No group is possessive, since Python before 3.11.5 misreads those (CPython issue 106052).
# Terminators with blanks between (`? !`, `. . .`) end one sentence together.
_STOP = re.compile(
    rf"[.!?…]++[{_CLOSERS}]*+(?:[^\S\n]++[.!?…]++[{_CLOSERS}]*+)*|[{_ALWAYS}][{_ALWAYS}.!?…{_CLOSERS}]*+|\n[^\S\n]*+\n"
)
_VISIBLE = re.compile(r"\S")
_WIDE = "[\u2e80-\u312f\u31a0-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
"""Compiled only when a long sentence is first cut, as this takes 5 ms."""
_OPENERS = "([{\"'“„«‘‚‹*_"
_LOOK_BACK = 24  # characters: longer words are no abbreviations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# English, then other European languages; lower case, without the full stop. Initials need no entry.
_ABBREVIATIONS = _words(
    "dr mr mrs ms mx prof sr jr rev gen capt lt sgt vs viz cf al approx dept eds trans incl excl "
    "bzw bspw ca evtl ggf hrsg sog str tel vgl zzgl aufl ing dipl mio mrd inkl geb gest "
    "mme mlle éd sra srta sres dra ud uds dña ej gral cía avda exmo exma séc dott avv "
    "ул св проф акад обл św inż płk tzw m.in doç bkz bijv mevr dhr bl.a t.ex डॉ प्रो श्री"
)
_TITLES = _words("Av Sto Sta Sig Cad Sok Mah Ste")
"""Abbreviations only in this spelling; in lower case they are words."""
_UNITS = "hmgls"
"""Unit symbols, which end a sentence after an amount: `at 10 h. A child …`."""
_IN_POLISH = _words("np ul")
"""Abbreviations only near Polish letters, since they can also end a sentence (`as np.`, `the ul.`)."""
_POLISH = frozenset("ąęłńśźż")
_BEFORE_NUMBERS = _words(
    "no nos nr art abs bd fig figs eq eqs sec secs ch chap vol vols pp pt st abb tab kap núm pág págs pag стр рис табл "
    "jan feb mar apr jun jul aug sep sept oct okt nov dec dez"
)
_PARTS = _words(
    "chapter section part appendix kapitel abschnitt teil anhang capítulo sección parte apéndice chapitre partie "
    "annexe capitolo sezione appendice hoofdstuk deel глава раздел часть приложение"
)
"""Parts of a book that a number follows: `Chapter 14. Budgets`."""
_MONTHS = _words("januar jänner februar märz april mai juni juli august september oktober november dezember")
_COUNTED = _words(
    "jahrhundert jahrhunderts jahrhunderte jahrtausend jahrtausends weltkrieg weltkriegs weltkrieges armee "
    "bundesliga liga platz auflage klasse runde geburtstag jahrestag lebensjahr lebensjahres kapitel bezirk "
    "dünya yüzyıl yüzyılın yüzyılda yüzyıla yüzyıldan"
)
"""Words after an ordinal in German and Turkish: `im 19. Jahrhundert`, `2. Dünya Savaşı`."""
_BEFORE_ORDINALS = _words(
    "im vom zum zur beim dem den der das einem einen eines einer seinem ihrem seinen ihren dessen"
)
"""Words before an ordinal in German: `im 19. Jahrhundert`, `der 1. Vorsitzende`."""
_BEGINNING = _words(
    "ab am an auch auf da damit danach dann das dem den denn der deshalb die dies diese dieser dort du ein eine er es "
    "für hier ich ihr im in mit nach seit sie so und von vor was wenn wer wie wir zu"
)
"""German words that start sentences and never follow an ordinal: `bis zum 31. Danach nicht`."""
_ROMAN = re.compile(r"[IVX]{2,5}")
_DOUBLED = re.compile(r"([A-Z])\1(?![^\W\d_])")
"""Spanish abbreviations of plurals: `EE. UU.`."""


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Yield the sentences of `text[start:end]` as ascending spans without surrounding white space."""
    end = len(text) if end is None else min(end, len(text))
    at = visible(text, start, end)
    for stop in _stops(text, at, end, end):
        if stop > at:
            yield Span(at, at + len(text[at:stop].rstrip()) if text[stop - 1].isspace() else stop)
            at = visible(text, stop, end)
    if at < end:
        yield Span(at, at + len(text[at:end].rstrip()))


def last_end(text: str, low: int, high: int, end: int) -> int | None:
    """Return the largest offset in `(low, high]` at which a sentence of `text[:end]` ends, or None."""
    last = None
    for stop in _stops(text, low, min(high + 2, end), end):
        if stop > high:
            break
        last = stop if stop > low else last
    return last


def first_end(text: str, low: int, high: int, end: int) -> int | None:
    """Return the smallest offset in `(low, high]` at which a sentence of `text[:end]` ends, or None."""
    return next((stop for stop in _stops(text, low, high, end) if low < stop <= high), None)


def last_word_end(text: str, low: int, high: int) -> int | None:
    """Return the largest offset in `(low, high]` at which a word ends, or None; each ideograph or kana is a word."""
    if high >= len(text) or text[high].isspace() or re.search(_WIDE, text[high - 1 : high + 1]):
        return high if _may_cut(text, high) else None
    words = (text[low:high] + "|").rsplit(None, 1)  # the bar keeps white space at the end
    white = low + len(words[0]) if len(words) == 2 else low
    wide = re.search(_WIDE, text[white:high][::-1])
    word_end = high - wide.start() if wide else white
    return word_end if word_end > low and _may_cut(text, word_end) else None


def hard_cut(text: str, low: int, high: int) -> int:
    """Return the largest offset in `(low, high]` that does not split a combined character, else `high`."""
    for offset in range(high, max(low, high - 64), -1):
        if _may_cut(text, offset):
            return offset
    return high


def cut(text: str, limit_chars: int) -> int:
    """Return the largest offset up to `limit_chars` at a sentence end, else a word end, else from `hard_cut`."""
    if limit_chars >= len(text):
        return len(text)
    if limit_chars <= 0:
        return 0
    low = visible(text, 0, limit_chars)
    if low == limit_chars:
        return limit_chars
    return (
        last_end(text, low, limit_chars, len(text))
        or last_word_end(text, low, limit_chars)
        or hard_cut(text, low, limit_chars)
    )


def visible(text: str, start: int, end: int) -> int:
    """Return the offset of the first character of `text[start:end]` that is not white space, else `end`."""
    if start < end and not text[start].isspace():
        return start
    match = _VISIBLE.search(text, start, end)
    return match.start() if match else end


def _stops(text: str, start: int, scan_to: int, end: int) -> Iterator[int]:
    """Yield the offsets of sentence ends in ascending order; white space may precede those at blank lines."""
    for match in _STOP.finditer(text, start, scan_to):
        first, stop = match.span()
        mark = text[first]
        if mark == "\n":
            yield first
        elif mark in _ALWAYS or _is_end(text, first, stop, end):
            yield stop


def _is_end(text: str, first: int, stop: int, end: int) -> bool:
    """Return True if the Western terminators and closing marks at `first:stop` end a sentence."""
    if stop >= end:
        return True
    if not text[stop].isspace():
        return False
    following = visible(text, stop + 1, end)
    if following == end:
        return True
    if text[following].islower():
        return False
    single = text[first] == "." and text[first + 1] != "."
    return not (single and _is_abbreviation(text, first, following))


def _is_abbreviation(text: str, dot: int, following: int) -> bool:
    """Return True if the word before the full stop at `dot` cannot be the last of a sentence."""
    before = text[max(0, dot - _LOOK_BACK) : dot]
    if not before or before[-1].isspace():
        return False
    word = before.rsplit(None, 1)[-1].lstrip(_OPENERS)
    if word.isdigit():
        line = before[: -len(word)].rpartition("\n")[2]
        first = line.strip().lower()
        numbers_a_line = (not first or first in _PARTS) and ("\n" in before or dot < _LOOK_BACK)
        counted = _word_at(text, following)
        if len(word) > 3 or numbers_a_line or counted in _MONTHS or counted in _COUNTED:
            return len(word) <= 3
        return len(word) <= 2 and first.rpartition(" ")[2] in _BEFORE_ORDINALS and counted not in _BEGINNING
    if len(word) == 1:
        return word.isalpha() and not (word in _UNITS and before[-3:-2].isdecimal() and before[-2].isspace())
    if word.isupper() and word.isalpha():
        if _ROMAN.fullmatch(word):
            return _word_at(text, following) in _COUNTED
        if _DOUBLED.fullmatch(word) and _DOUBLED.match(text, following):
            return True
    if word in _TITLES:
        return True
    if word in _IN_POLISH:
        return not _POLISH.isdisjoint(text[max(0, dot - _LOOK_BACK) : dot + _LOOK_BACK])
    word = word.lower()
    if word == "av":
        return text.startswith("J", following)  # French: `en 52 av. J.-C.`
    if word in _BEFORE_NUMBERS:
        return text[following].isdigit()
    return word in _ABBREVIATIONS or ("." in word and all(len(part) == 1 for part in word.split(".")))


def _word_at(text: str, start: int) -> str:
    """Return the word at `start` in lower case without punctuation after it."""
    return text[start : start + 16].split(None, 1)[0].rstrip(".,;:").lower()


def _may_cut(text: str, offset: int) -> bool:
    """Return True if `offset` does not split a user-perceived character."""
    if offset <= 0 or offset >= len(text):
        return True
    after, before = text[offset], text[offset - 1]
    if after.isascii() or before == "\n":
        return True
    if after == "\u200d" or before == "\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return False
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return False
    return not unicodedata.category(after).startswith("M")

"""Numbers of a spreadsheet as displayed: percent, currency, decimals, dates (ECMA-376, part 1, §18.8.30).

Dates are ISO 8601 whatever the format's order, so that they are unambiguous.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import NamedTuple

_BUILT_IN = {
    **{str(n): code for n, code in enumerate(("", "0", "0.00", "#,##0", "#,##0.00"))},
    **dict.fromkeys(("5", "6", "37", "38", "41", "42"), "#,##0"),
    **dict.fromkeys(("7", "8", "39", "40", "43", "44"), "#,##0.00"),
    "9": "0%",
    "10": "0.00%",
    "11": "0.00E+00",
    "12": "",
    "13": "",
    "48": "0.0E+0",
    "49": "@",
    **dict.fromkeys(("14", "15", "16", "17", "27", "30", "36", "50", "57"), "yyyy-mm-dd"),
    "18": "h:mm",
    "19": "h:mm:ss",
    "20": "h:mm",
    "21": "h:mm:ss",
    "22": "yyyy-mm-dd h:mm",
    "45": "mm:ss",
    "46": "[h]:mm:ss",
    "47": "mm:ss",
}
_TOKEN = re.compile(
    r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[([^\]]*)\]|_.|\*.'
    r"|((?i:general)|@)|([ymdhsYMDHS]+|AM/PM|A/P)|([0#?.,])|(E[+-])|(.)"
)
_CONDITION = re.compile(r"\s*(<=|>=|<>|<|>|=)\s*(-?\d{1,20}(?:\.\d{1,20})?)\s*")
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<>": operator.ne, "<": operator.lt, ">": operator.gt, "=": operator.eq,
}  # fmt: skip
_LITERALS = " $€£¥%()-+/:!^&'~{}<>="
"""Characters that are literal without quotes, besides those outside ASCII."""
_DIGITS = 15
_LAST_DAY = 2_958_466
_MOST_DECIMALS = 10


class _Piece(NamedTuple):
    """A digit placeholder (`0`, `#` or `?`) or a literal text."""

    text: str
    is_place: bool


@dataclass
class _Format:
    """One section of a format code. `kind`: `general`, `number`, `date`, `time`, `both` or `elapsed`. `whole`,
    `fraction`: pieces before and after the decimal point. `power`: exponent of ten by which the number is scaled."""

    kind: str = "general"
    whole: list[_Piece] = field(default_factory=list)
    fraction: list[_Piece] = field(default_factory=list)
    grouped: bool = False
    power: int = 0
    condition: tuple[str, float] | None = None

    @property
    def texts(self) -> str:
        """The literal text around the digits."""
        return "".join(piece.text for piece in (*self.whole, *self.fraction) if not piece.is_place)

    def applies(self, number: float) -> bool:
        """Return True if the number satisfies the section's condition, or there is none."""
        return self.condition is None or _COMPARISONS[self.condition[0]](number, self.condition[1])


def built_in(number: str) -> str:
    """Return the code of a built-in format by its number."""
    return _BUILT_IN.get(number, "")


def shown(value: str, code: str, epoch_1904: bool = False) -> str:
    """Return a number as a format code displays it; a number that the format hides is shown in general format."""
    try:
        number = float(value)
    except ValueError:
        return value
    if not math.isfinite(number):
        return value
    section, signed = _section(_sections(code), number)
    if section.kind in ("date", "time", "both", "elapsed"):
        return _date(number, section.kind, epoch_1904) or _general(number)
    if section.kind == "number":
        digits = _digits(number, section)
        signed = signed and any(digit in digits for digit in "123456789")
    else:
        digits = "".join(_general(abs(number)) if piece.is_place else piece.text for piece in section.whole)
    if not digits.strip():
        return _general(number)
    return f"{'-' if signed and number < 0 else ''}{digits}".strip()


def _section(sections: tuple[_Format, ...], number: float) -> tuple[_Format, bool]:
    """Return the section for a number, and True if the sign must be written. A negative number marked by colour only
    keeps its sign."""
    if any(section.condition for section in sections):
        section = next((section for section in sections if section.applies(number)), _Format())
        sign, limit = section.condition or ("", 0)
        is_for_negatives = sign in ("<", "<=") and limit <= 0
        return section, not (is_for_negatives and section.texts)
    if number < 0 and len(sections) > 1:
        return sections[1], sections[1].texts == sections[0].texts
    return sections[2] if not number and len(sections) > 2 else sections[0], True


def _general(number: float) -> str:
    if abs(number) < 1e15 and number == int(number):
        return str(int(number))
    return f"{number:.{_DIGITS}g}"


def _digits(number: float, section: _Format) -> str:
    """Return a number's digits in a section's placeholders, without sign."""
    places = [piece.text for piece in section.fraction if piece.is_place][:_MOST_DECIMALS]
    exact = Decimal(repr(abs(number))).scaleb(section.power)
    size = exact.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP) if exact.adjusted() < _DIGITS else exact
    integer_digits, _, decimals = f"{size:f}".partition(".")
    least = len("".join(places).rstrip("#?"))
    decimals = decimals[:least] + decimals[least:].rstrip("0")
    left = iter(decimals)
    behind = "".join(next(left, "") if piece.is_place else piece.text for piece in section.fraction)
    return f"{_whole(integer_digits.lstrip('0'), section)}{'.' if decimals else ''}{behind}"


def _whole(digits: str, section: _Format) -> str:
    """Return the digits before the decimal point; the first placeholder takes all remaining digits."""
    places = "".join(piece.text for piece in section.whole if piece.is_place)
    digits = digits.rjust(len(places.lstrip("#?")), "0")
    parts: list[str] = []
    count = 0
    for piece in reversed(section.whole):
        if not piece.is_place:
            parts.append(piece.text)
            continue
        places = places[:-1]
        here = digits[-1:] if places else digits
        digits = digits[: len(digits) - len(here)]
        for digit in reversed(here):
            parts.append(f"{digit}," if section.grouped and count and count % 3 == 0 else digit)
            count += 1
    return "".join(reversed(parts))


@lru_cache(maxsize=2_000)
def _sections(code: str) -> tuple[_Format, ...]:
    parts = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', code[:300]) if ";" in code else [code]
    return tuple(_format(part) for part in parts[:3])


def _format(code: str) -> _Format:
    """Parse one section of a format code."""
    section = _Format()
    pieces, dates, places, commas = section.whole, "", "", 0
    is_general = False
    for match in _TOKEN.finditer(code):
        quoted, escaped, currency, bracket, general, date, place, exponent, literal = match.groups()
        if bracket:
            if bracket.lower() in ("h", "hh", "m", "mm", "s", "ss"):
                return _Format("elapsed")
            if condition := _CONDITION.fullmatch(bracket):
                section.condition = condition[1], float(condition[2])
        elif exponent or (literal == "/" and places):
            return _Format(whole=[_Piece("#", True)], condition=section.condition)  # shown in general format
        elif general:
            is_general = True
            pieces.append(_Piece("#", True))
        elif place == ",":
            commas += bool(places)
        elif place == ".":
            pieces = section.fraction
            section.power, commas = section.power - 3 * commas, 0
        elif place:
            section.grouped = section.grouped or (commas > 0 and pieces is section.whole)
            pieces.append(_Piece(place, True))
            places, commas = places + place, 0
        elif date:
            dates += date.lower()
        elif (
            text := quoted
            or escaped
            or currency
            or (literal if literal and (literal in _LITERALS or literal > "~") else "")
        ):
            section.power += 2 if literal == "%" else 0
            pieces.append(_Piece(text, False))
    section.power -= 3 * commas
    if (letters := set("ymdhs") & set(dates)) and not places.strip("0"):
        has_day, has_time = bool(set("yd") & letters) or letters == {"m"}, bool(set("hs") & letters)
        return _Format("both" if has_day and has_time else "time" if has_time else "date", condition=section.condition)
    if not is_general and (places or section.texts):
        section.kind = "number"
        if places and not any(piece.is_place for piece in section.whole):
            section.whole.append(_Piece("#", True))
    return section


def _date(number: float, kind: str, epoch_1904: bool) -> str:
    """Return a serial date as ISO 8601, or an empty string if it is out of range."""
    if kind == "elapsed":
        if abs(number) > _LAST_DAY:
            return ""
        minutes, seconds = divmod(abs(round(number * 86_400)), 60)
        return f"{'-' if number < 0 else ''}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if kind == "time" and 0 <= number < 1:
        seconds = round(number * 86_400)
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}" + (f":{seconds % 60:02}" if seconds % 60 else "")
    if not 0 <= number < _LAST_DAY:
        return ""
    start = datetime(1904, 1, 1) if epoch_1904 else datetime(1899, 12, 30 if number >= 60 else 31)
    try:
        moment = start + timedelta(days=int(number), seconds=round((number - int(number)) * 86_400))
    except OverflowError:  # rounding passed the year 9999
        return ""
    clock = moment.strftime("%H:%M:%S" if moment.second else "%H:%M")
    if kind == "time":
        return clock
    return f"{moment.date().isoformat()} {clock}" if kind == "both" else moment.date().isoformat()

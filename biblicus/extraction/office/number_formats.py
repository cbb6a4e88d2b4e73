"""Numbers of a spreadsheet as people see them: percent, currency, decimals, dates (ECMA-376, part 1, §18.8.30).

Dates are written as ISO 8601, whatever order a format has: so they mean the same everywhere.
"""

from __future__ import annotations

import math
import re
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
    r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[([^\]]*)\]|_.|\*.|([ymdhsYMDHS]+|AM/PM|A/P)|([0#?.,]+)|(%)|(E[+-])|(.)'
)
_DIGITS = 15


class _Format(NamedTuple):
    """`kind`: `general`, `number`, `date`, `time`, `both`, `elapsed` or `text`."""

    kind: str
    before: str = ""
    after: str = ""
    decimals: int = 0
    grouped: bool = False
    percent: bool = False


def built_in(number: str) -> str:
    """The code of a format that has a number and no code of its own."""
    return _BUILT_IN.get(number, "")


def shown(value: str, code: str, epoch_1904: bool = False) -> str:
    """A number's text as a format code shows it."""
    try:
        number = float(value)
    except ValueError:
        return value
    if not math.isfinite(number):
        return value
    sections = _sections(code)
    is_other = number < 0 and len(sections) > 1
    chosen = sections[1] if is_other else sections[2] if not number and len(sections) > 2 else sections[0]
    if chosen.kind in ("date", "time", "both", "elapsed"):
        return _date(number, chosen.kind, epoch_1904) or _general(number)
    if chosen.kind != "number":
        return _general(number)
    exact = Decimal(repr(abs(number) if is_other else number)) * (100 if chosen.percent else 1)
    places = Decimal(1).scaleb(-chosen.decimals)
    size = exact.quantize(places, ROUND_HALF_UP) if exact.adjusted() < _DIGITS else exact
    digits = f"{size:,f}" if chosen.grouped else f"{size:f}"
    # Where nothing but a colour tells a negative number, it keeps its sign: colours are not told.
    sign = "-" if is_other and (chosen.before, chosen.after) == (sections[0].before, sections[0].after) else ""
    return f"{sign}{chosen.before}{digits}{'%' if chosen.percent else ''}{chosen.after}".strip()


def _general(number: float) -> str:
    if abs(number) < 1e15 and number == int(number):
        return str(int(number))
    return f"{number:.{_DIGITS}g}"


@lru_cache(maxsize=2_000)
def _sections(code: str) -> tuple[_Format, ...]:
    parts = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', code[:300]) if ";" in code else [code]
    return tuple(_format(part) for part in parts[:3])


def _format(code: str) -> _Format:
    """What one section of a format code says."""
    before, after, digits, dates = "", "", "", ""
    percent = scientific = False
    for match in _TOKEN.finditer(code):
        quoted, escaped, currency, bracket, date, places, per_cent, exponent, other = match.groups()
        literal = quoted or escaped or currency or (other if other and other in "$€£¥()-+/ :" else "") or ""
        if bracket and bracket.lower() in ("h", "hh", "m", "mm", "s", "ss"):
            return _Format("elapsed")
        if date:
            dates += date.lower()
        elif places:
            digits += places
        percent = percent or bool(per_cent)
        scientific = scientific or bool(exponent)
        if digits:
            after += literal
        else:
            before += literal
    if (
        dates
        and not digits.strip("0.,")
        and ("y" in dates or "d" in dates or "h" in dates or "s" in dates or "m" in dates)
    ):
        has_day, has_time = bool(set("yd") & set(dates)) or dates.strip("m") == "", bool(set("hs") & set(dates))
        return _Format("both" if has_day and has_time else "time" if has_time else "date")
    if not digits or scientific or "?" in digits:
        return _Format("general")
    whole, _, fraction = digits.partition(".")
    decimals = min(10, len(fraction.replace(",", "")))
    return _Format(
        "number", before.strip() if not before.endswith(" ") else before, after, decimals, "," in whole, percent
    )


def _date(number: float, kind: str, epoch_1904: bool) -> str:
    """A serial date as ISO 8601; empty where it is none."""
    if kind == "elapsed":
        minutes, seconds = divmod(round(number * 86_400), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if kind == "time" and 0 <= number < 1:
        seconds = round(number * 86_400)
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}" + (f":{seconds % 60:02}" if seconds % 60 else "")
    if not 0 <= number < 2_958_466:
        return ""
    start = datetime(1904, 1, 1) if epoch_1904 else datetime(1899, 12, 30 if number >= 60 else 31)
    made = start + timedelta(days=int(number), seconds=round((number - int(number)) * 86_400))
    clock = made.strftime("%H:%M:%S" if made.second else "%H:%M")
    if kind == "time":
        return clock
    return f"{made.date().isoformat()} {clock}" if kind == "both" else made.date().isoformat()

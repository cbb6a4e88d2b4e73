"""Statements of accounts as banks and programs write them out (OFX, QIF): each payment is a row."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.composing import Composer, folded
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]

_QIF = "application/x-qif"
_PAYMENT = re.compile(r"<STMTTRN>(.*?)(?=</?STMTTRN>|</BANKTRANLIST>|\Z)", re.DOTALL | re.IGNORECASE)
_FIELD = re.compile(r"<([A-Z0-9.]{2,40})>([^<\r\n]{1,1000})", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})(\d{2})(\d{2})")
_OF_THREE = re.compile(r"(\d{1,2})[/.-] ?(\d{1,2})['/.-] ?(\d{4})")
_OF_OFX = (("Date", "DTPOSTED"), ("Payee", "NAME"), ("Memo", "MEMO"), ("Check", "CHECKNUM"), ("Amount", "TRNAMT"))
_OF_QIF = (("Date", "D"), ("Payee", "P"), ("Memo", "M"), ("Category", "L"), ("Number", "N"), ("Amount", "T"))
_ACCOUNT = (("Account", "ACCTID"), ("Bank", "BANKID"), ("Kind", "ACCTTYPE"), ("From", "DTSTART"), ("To", "DTEND"))
_BALANCE = (("Balance", "BALAMT"), ("Date", "DTASOF"))


class Accounts:
    """Text; what holds no payment is plain text."""

    fingerprint = "accounts/1"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        if not text or text.isspace():
            return nothing()
        composer = Composer()
        for row in _qif(text) if hint.media_type == _QIF else _ofx(text):
            composer.line(row)
        if composer.is_empty:
            return Extraction(text, warnings=warnings)
        return composer.extraction(warnings=warnings)


def build(options: Options, given: Given) -> Extractor:
    """The extractor for statements of accounts."""
    return Accounts()


def _ofx(text: str) -> Iterator[str]:
    """The account, its payments in order, and what is left. Older files close no field."""
    around = dict(_fields(_PAYMENT.sub("", text)))
    currency = around.get("CURDEF", "")
    yield _row(around, _ACCOUNT, currency)
    for payment in _PAYMENT.findall(text):
        yield _row(dict(_fields(payment)), _OF_OFX, currency)
    yield _row(around, _BALANCE, currency)


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for name, value in _FIELD.findall(text):
        if value.strip():
            yield name.upper(), folded(html.unescape(value))


def _qif(text: str) -> Iterator[str]:
    """The payments: a field a line, by its first letter; a line of `^` ends each."""
    fields: dict[str, str] = {}
    lines = text.splitlines()
    order = _order([day.groups() for line in lines if line[:1] == "D" and (day := _OF_THREE.match(line[1:]))])
    for line in lines:
        if line.startswith("^"):
            yield _row(fields, _OF_QIF, "")
            fields = {}
        elif line[:1] not in ("!", "") and line[1:].strip():
            fields.setdefault(line[0], folded(line[1:]))
            if line[0] == "D" and order and (day := _OF_THREE.match(line[1:])):
                fields["D"] = "-".join(day[place].zfill(2) for place in order)


def _order(days: Sequence[tuple[str, ...]]) -> tuple[int, ...]:
    """Where year, month and day stand in the days of a file; nothing where none of them shows it."""
    first, second = (any(int(day[at]) > 12 for day in days) for at in (0, 1))
    return () if first == second else (3, 2, 1) if first else (3, 1, 2)


def _row(fields: Mapping[str, str], names: Sequence[tuple[str, str]], currency: str) -> str:
    said = [(label, _shown(label, fields[name], currency)) for label, name in names if fields.get(name)]
    return " | ".join(f"{label}: {value}" for label, value in said)


def _shown(label: str, value: str, currency: str) -> str:
    """A day as ISO 8601 has it, an amount with its currency."""
    if label in ("Amount", "Balance"):
        return f"{value} {currency}".strip()
    if label in ("Date", "From", "To") and (day := _DAY.match(value)):
        return "-".join(day.groups())
    return value

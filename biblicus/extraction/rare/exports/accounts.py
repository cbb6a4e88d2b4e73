"""Extractor of account statements (OFX, QIF): each payment is a row."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.models.extraction import Extraction, NoExtraction

_QIF = "application/x-qif"
_STATEMENT = re.compile(r"<((?:CC)?STMTRS)>(.*?)(?=</\1>|<(?:CC)?STMTRS>|\Z)", re.DOTALL | re.IGNORECASE)
_PAYMENT = re.compile(r"<STMTTRN>(.*?)(?=</?STMTTRN>|</BANKTRANLIST>|\Z)", re.DOTALL | re.IGNORECASE)
_FIELD = re.compile(r"<([A-Z0-9.]{2,40})>((?:[^<]|<(?![/A-Z]))+)", re.IGNORECASE)
_LEFT = re.compile(r"<(LEDGERBAL|AVAILBAL)>(.*?)(?=</?(?:LEDGERBAL|AVAILBAL|BALLIST)>|\Z)", re.DOTALL | re.IGNORECASE)
_INVESTED, _OTHER_MONEY = re.compile(r"<INVSTMTRS>", re.IGNORECASE), re.compile(r"<CURRENCY>", re.IGNORECASE)
_OF_PROTOCOL = {"CODE", "SEVERITY", "DTSERVER", "LANGUAGE", "TRNUID"}
_DAY = re.compile(r"(\d{4})(\d{2})(\d{2})")
_OF_THREE = re.compile(r"(\d{1,2})[/.-] ?(\d{1,2})['/.-] ?(\d{4})")
_OF_OFX = {
    "DTPOSTED": "Date", "NAME": "Payee", "MEMO": "Memo", "CHECKNUM": "Check", "TRNAMT": "Amount", "TRNTYPE": "Kind",
}  # fmt: skip
_ACCOUNT = {
    "ACCTID": "Account", "ORG": "Bank", "BANKID": "Bank code", "ACCTTYPE": "Kind", "DTSTART": "From", "DTEND": "To",
}  # fmt: skip
_BALANCE = {"ACCTID": "Account", "LEDGERBAL": "Balance", "AVAILBAL": "Available", "DTASOF": "Date"}
_OF_QIF = {
    "D": "Date", "P": "Payee", "A": "Address", "M": "Memo", "L": "Category", "N": "Number", "T": "Amount",
    "S": "Split", "C": "Cleared",
}  # fmt: skip
_INVESTMENT = {
    "D": "Date", "N": "Action", "Y": "Security", "Q": "Quantity", "I": "Price", "T": "Amount", "O": "Commission",
    "P": "Payee", "M": "Memo", "L": "Category", "$": "Transferred", "C": "Cleared",
}  # fmt: skip
_OF_AN_ACCOUNT = {"N": "Account", "T": "Kind", "D": "Description", "L": "Limit", "$": "Balance", "/": "Date"}
_PAID = dict.fromkeys(("!type:bank", "!type:cash", "!type:ccard", "!type:oth a", "!type:oth l"), _OF_QIF)
_OF_TYPES = {**_PAID, "!type:invst": _INVESTMENT, "!account": _OF_AN_ACCOUNT}
_OF_A_SPLIT = "SE$%"


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the payments; a file without any is plain text."""
    composer = Composer()
    for row in _qif(text) if hint.media_type == _QIF else _ofx(text):
        composer.line(row)
    return composer.extraction(warnings=warnings, otherwise=Extraction(text, warnings=warnings))


build = of_text("accounts/1", _extract)


def _ofx(text: str) -> Iterator[str]:
    """Yield each account, its payments in order and its balances; nothing if some payments belong to no such account.
    Older files (SGML) do not close their fields."""
    statements = [match[2] for match in _STATEMENT.finditer(text)]
    payments = [_PAYMENT.findall(statement) for statement in statements]
    if _INVESTED.search(text) or not sum(map(len, payments)) == len(_PAYMENT.findall(text)) > 0:
        return
    around = _fields(_STATEMENT.sub("", text))
    for statement, paid in zip(statements, payments, strict=True):
        account = _fields(_LEFT.sub("", _PAYMENT.sub("", statement)))
        currency = account.get("CURDEF", "")
        yield _row({**around, **account}, _ACCOUNT, currency)
        for payment in paid:
            fields = _fields(payment)
            yield _row(fields, _OF_OFX, fields.get("CURSYM", "") if _OTHER_MONEY.search(payment) else currency)
        for kind, left in _LEFT.findall(statement):
            fields = _fields(left)
            amount = fields.pop("BALAMT", "")
            yield _row({"ACCTID": account.get("ACCTID", ""), kind.upper(): amount, **fields}, _BALANCE, currency)


def _fields(text: str) -> dict[str, str]:
    """Return the values by name, joined if a name is repeated."""
    fields: dict[str, list[str]] = {}
    for name, value in _FIELD.findall(text):
        if value.strip():
            _add(fields, name.upper(), folded(html.unescape(value)))
    return {name: "".join(values) for name, values in fields.items() if name not in _OF_PROTOCOL}


def _add(fields: dict[str, list[str]], name: str, value: str, between: str = ", ") -> None:
    values = fields.setdefault(name, [])
    if value not in values[:1]:
        values.append(f"{between}{value}" if values else value)


def _qif(text: str) -> Iterator[str]:
    """Yield the payments; unknown lines stay unchanged. Each line is a field that starts with its one-letter code; a
    line `^` ends a payment."""
    names: Mapping[str, str] = _OF_QIF
    fields: dict[str, list[str]] = {}
    lines = text.splitlines()
    order = _order([day.groups() for line in lines if line[:1] == "D" and (day := _OF_THREE.match(line[1:]))])
    for line in (*lines, "^"):
        code, value = line[:1], folded(line[1:])
        if code in ("^", "!"):
            yield _row({name: "".join(values) for name, values in fields.items()}, names, "")
            fields = {}
        if code == "!" and not (header := folded(line).lower()).startswith(("!option:", "!clear:")):
            names = _OF_TYPES.get(header, {})
        if not names and line != "^":
            yield line
        elif code in ("^", "!") or not value:
            continue
        elif names is _OF_QIF and code in _OF_A_SPLIT:
            _add(fields, "S", value, "; " if code == "S" else ", ")
        elif names.get(code) == "Date" and order and (day := _OF_THREE.match(value)):
            _add(fields, code, "-".join(day[place].zfill(2) for place in order))
        else:
            _add(fields, code, value)


def _order(days: Sequence[tuple[str, ...]]) -> tuple[int, ...]:
    """Return the positions of year, month and day in the file's dates, or nothing if no date decides it."""
    first, second = (any(int(day[at]) > 12 for day in days) for at in (0, 1))
    return () if first == second else (3, 2, 1) if first else (3, 1, 2)


def _row(fields: Mapping[str, str], names: Mapping[str, str], currency: str) -> str:
    """Return a row of the labelled fields, then all others under their own names."""
    labels = {**names, **{name: name for name in fields if name not in (*names, "CURDEF")}}
    labelled_values = [
        (label, _shown(label, fields[name], currency)) for name, label in labels.items() if fields.get(name)
    ]
    return " | ".join(f"{label}: {value}".lstrip(": ") for label, value in labelled_values)


def _shown(label: str, value: str, currency: str) -> str:
    """Return a date as ISO 8601, or an amount with its currency."""
    if label in ("Amount", "Available", "Balance"):
        return f"{value} {currency}".strip()
    if label in ("Date", "From", "To") and (day := _DAY.match(value)):
        return "-".join(day.groups())
    return value

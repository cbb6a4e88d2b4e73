"""Headers and hidden rows of workbooks of Excel 97."""

from __future__ import annotations

import struct

from biblicus.extraction.office.calamine import beside
from tests.extraction.ole_files import compound


def record(kind: int, body: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def workbook(inside: bytes) -> bytes:
    """A workbook with a sheet Q2 with these records."""
    begun = record(0x809, bytes(8))
    place = len(begun) + 4 + 10 + len(record(0x0A))
    listed = record(0x85, struct.pack("<I4B", place, 0, 0, 2, 0) + b"Q2")
    return compound({"Workbook": begun + listed + record(0x0A) + record(0x809, bytes(8)) + inside + record(0x0A)})


def test_margins_and_hidden_rows_and_columns_of_a_sheet_are_found() -> None:
    inside = record(0x14, struct.pack("<HB", 9, 0) + b"&CRates 7") + record(
        0x15, struct.pack("<HB", 2, 1) + "ür".encode("utf-16-le")
    )
    inside += record(0x7D, struct.pack("<HHHHH2x", 2, 3, 0, 0, 1)) + record(0x208, struct.pack("<H10xI", 4, 0x20))
    about = beside(workbook(inside))["Q2"]
    assert about.margins == [("Header", "&CRates 7"), ("Footer", "ür")]
    assert about.hidden_rows == {5}
    assert about.hidden_columns == {3, 4}


def test_other_files_have_nothing_besides_their_values() -> None:
    assert beside(b"PK") == {}
    assert beside(b"\xd0\xcf\x11\xe0 cut off") == {}

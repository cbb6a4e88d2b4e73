"""Headers, hidden rows and raised digits of workbooks of Excel 97."""

from __future__ import annotations

import struct

from biblicus.extraction.office import calamine
from biblicus.extraction.office.calamine import beside
from tests.extraction.ole_files import compound


def record(kind: int, body: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def font(script: int) -> bytes:
    return record(0x31, bytes(8) + bytes((script, 0)) + bytes(4))


def rich(words: str, runs: list[tuple[int, int]]) -> bytes:
    """A shared text with the places where its fonts begin."""
    wide = any(char > "\xff" for char in words)
    head = struct.pack("<HBH", len(words), 8 | wide, len(runs))
    return head + words.encode("utf-16-le" if wide else "latin-1") + b"".join(struct.pack("<HH", *run) for run in runs)


def workbook(texts: list[bytes], inside: bytes, *, cut: int = 0) -> bytes:
    """A workbook with shared texts, continued in a second record from `cut`, and a sheet Q2 with these records."""
    shared = struct.pack("<II", len(texts), len(texts)) + b"".join(texts)
    kept = record(0xFC, shared[:cut]) + record(0x3C, b"\0" + shared[cut:]) if cut else record(0xFC, shared)
    fonts = font(0) + font(1) + font(2)
    begun = record(0x809, bytes(8)) + fonts + kept
    place = len(begun) + 4 + 10 + len(record(0x0A))
    listed = record(0x85, struct.pack("<I4B", place, 0, 0, 2, 0) + b"Q2")
    return compound({"Workbook": begun + listed + record(0x0A) + record(0x809, bytes(8)) + inside + record(0x0A)})


def test_raised_and_lowered_digits_of_shared_texts_are_shown() -> None:
    texts = [rich("plain", []), rich("5 m2", [(3, 1)]), rich("CO2 wärmer ≥ 1", [(2, 2), (3, 0)])]
    assert beside(workbook(texts, b""))[1] == {"5 m2": "5 m²", "CO2 wärmer ≥ 1": "CO₂ wärmer ≥ 1"}


def test_a_shared_text_that_goes_on_in_another_record_is_one_text() -> None:
    raw = workbook([rich("5 m2 of deck", [(3, 1), (4, 0)])], b"", cut=8 + 5 + 6)
    assert beside(raw)[1] == {"5 m2 of deck": "5 m² of deck"}


def test_margins_and_hidden_rows_and_columns_of_a_sheet_are_found() -> None:
    inside = record(0x14, struct.pack("<HB", 9, 0) + b"&CRates 7") + record(
        0x15, struct.pack("<HB", 2, 1) + "ür".encode("utf-16-le")
    )
    inside += record(0x7D, struct.pack("<HHHHH2x", 2, 3, 0, 0, 1)) + record(0x208, struct.pack("<H10xI", 4, 0x20))
    about = beside(workbook([], inside))[0]["Q2"]
    assert about.margins == [("Header", "&CRates 7"), ("Footer", "ür")]
    assert about.hidden_rows == {5}
    assert about.hidden_columns == {3, 4}


def test_other_files_have_nothing_besides_their_values() -> None:
    assert beside(b"PK") == ({}, {})
    assert beside(b"\xd0\xcf\x11\xe0 cut off") == ({}, {})


def test_letters_of_two_units_shift_no_raised_digit() -> None:
    sea = struct.pack("<HBH", 5, 9, 1) + "\U0001f30a m3".encode("utf-16-le") + struct.pack("<HH", 4, 1)
    parts = [bytes(4) + struct.pack("<I", 2) + sea + struct.pack("<HBH", 2, 8, 1) + b"x2" + struct.pack("<HH", 1, 1)]
    assert list(calamine._shown(parts, [0, 1])) == [("\U0001f30a m3", "\U0001f30a m³"), ("x2", "x²")]

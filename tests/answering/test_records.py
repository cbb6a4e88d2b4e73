"""Tables as text, as people read them."""

import pytest

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.readable import readable_record
from biblicus.answering.reader.reading.units import units
from biblicus.text.records import names_columns, naming


@pytest.mark.parametrize(
    ("line", "names"),
    [("boat,dues", True), ("boat;dues", True), ("boat\tdues", True), ("boat", False), ("Sloop,12", False),
     ("boat,,dues", False), ("boat,boat", False)],
)  # fmt: skip
def test_a_line_may_name_columns(line: str, names: bool) -> None:
    assert names_columns(line) is names


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Name;Job;Town\nAda;Clerk, ropes, tar;Keld\nBo;Cook, fish, meat;Hale\nCleo;Smith, iron, tin;Orm", 0),
        ("Pupil,Remark\nDana,likes red, blue, green\nEgon,one, two, three\nFay,eggs, yolk, zest", 0),
        ("Name;Fee\nGull;1,5\nTern;2,5\nSkua;3,5", 0),
        ("Account;DE12\nFrom;1.4.2024\n\nDay;Payee;Sum\n2.4.;Weiss;-7,80\n5.4.;Hafen;4,35", 3),
        ("Dues, all of 2024\nBoat;Due;Paid\nSloop;12,5;yes\nKetch;13,5;no", 1),
        ("Dues\nBoat,Due,Paid\nSloop,12,yes\nKetch,13,no", 1),
        ("", 0),
    ],
)
def test_the_line_that_names_columns(text: str, at: int) -> None:
    assert naming(text.split("\n")) == at


@pytest.mark.parametrize(
    ("line", "header", "reads"),
    [
        ('Sloop,"12,50"', "boat,dues", "boat: Sloop; dues: 12,50"),
        ("Sloop; ;yes", "boat;dues;paid", "boat: Sloop; paid: yes"),
        ("Sloop,12", "boat,dues,paid", "Sloop — 12"),
        ("Sloop\t12", None, "Sloop — 12"),
    ],
)
def test_a_record_is_read_with_its_columns(line: str, header: str | None, reads: str) -> None:
    assert readable_record(line, header) == reads


def test_each_line_is_a_row() -> None:
    read = [(unit.kind, unit.reads) for unit in units("boat,dues\n\nSloop,12\n", media_type="text/csv")]
    assert read == [(Kind.HEADING, "boat,dues"), (Kind.ROW, "boat: Sloop; dues: 12")]


def test_records_of_a_later_piece_have_the_names_of_the_columns_that_it_stands_under():
    text, heading = "Sloop,blue,yes\nKetch,red,no\n", "hull,paint,settled"
    read = [unit.reads for unit in units(text, media_type="text/csv", heading=heading)]
    assert read == ["hull: Sloop; paint: blue; settled: yes", "hull: Ketch; paint: red; settled: no"]
    read = [unit.reads for unit in units(f"{heading}\n{text}", media_type="text/csv", heading=heading)]
    assert read == [
        "hull,paint,settled",
        "hull: Sloop; paint: blue; settled: yes",
        "hull: Ketch; paint: red; settled: no",
    ]

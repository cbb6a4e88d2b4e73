"""JSON is quoted as people read it: values after their keys, objects of few words as records, texts by sentences."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.answering.reader.reading.units import units

JSON = "application/json"


def read(text: str) -> list[str]:
    return [unit.reads for unit in units(text, media_type=JSON)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"name": "Gull", "berth": 7, "paid": True}, ["name: Gull; berth: 7; paid: true"]),
        ({"boat": {"name": "Gull", "berth": 7}, "text": "It is\nblue."}, ["name: Gull; berth: 7", "It is blue."]),
        (["Sloops sail.", "Ketches, too."], ["Sloops sail.", "Ketches, too."]),
        ({"ts": "1738574460.000300", "id": 17385744600, "text": "Ahoy"}, ["Ahoy"]),
        ({"text": "the 3 boats of Ada and the 4 boats of Bob lie at the quay of the old harbour."},
         ["the 3 boats of Ada and the 4 boats of Bob lie at the quay of the old harbour."]),
        ({"a": {"b": "c"}, "note": "Größe „42“ \U0001f30a"}, ["b: c", "note: Größe „42“ \U0001f30a"]),
        ({"a": 1, "note": "<p>One &amp; <b>two</b> masts, a < b.</p>"}, ["a: 1; note: One & two masts, a < b."]),
        ({"text": "One mast has it. " + "Two masts are what a ketch has, and a yawl as well. " * 3},
         ["One mast has it.", *["Two masts are what a ketch has, and a yawl as well."] * 3]),
    ],
)  # fmt: skip
def test_what_is_read_of_it(value: object, expected: list[str]):
    assert read(json.dumps(value, indent=1)) == expected
    assert read(json.dumps(value, ensure_ascii=False)) == expected


def test_a_part_that_begins_or_ends_within_an_object_is_read():
    whole = json.dumps([{"name": f"Boat {number}", "berth": number} for number in range(5)])
    assert "name: Boat 2; berth: 2" in read(whole[15:-15])


DOCUMENTS = st.recursive(
    st.text(max_size=9) | st.booleans() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=9,
)


@given(DOCUMENTS, st.integers(0, 30))
def test_units_are_ascending_and_apart(value: object, cut: int):
    text = json.dumps(value)[cut:]
    at = 0
    for unit in units(text, media_type=JSON):
        assert at <= unit.start < unit.end <= len(text)
        at = unit.end


def test_a_long_document_is_read_once():
    text = json.dumps([{"name": "x" * 10, "of": {"b": "\\" * 5}}] * 2_500)
    began = time.process_time()
    assert sum(1 for _ in units(text, media_type=JSON)) == 5_000
    assert time.process_time() - began < 4

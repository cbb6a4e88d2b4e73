"""JSON abuse ends in one clean sentence."""

import pytest

from biblicus.guards import json


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', 'The key "c" stands twice in one object.'),
        (b"[" * 100_000, "It is nested too deep."),
        (b'{"a":' * 100_000, "It is nested too deep."),
        (b"9" * 5_000, "A number has more than 100 digits."),
        (b"[NaN]", "NaN is no JSON number."),
        (b"-Infinity", "-Infinity is no JSON number."),
        (b"1e999", "The number 1e999 is out of range."),
        (b'"\\ud800"', "It holds half of a surrogate pair."),
        (b"\xff", "It is not UTF-8 text."),
        (b'{"a": }', "Line 1, column 7: expecting value."),
        (b"", "Line 1, column 1: expecting value."),
    ],
)
def test_abuse_is_refused_in_one_sentence(raw: bytes, sentence: str) -> None:
    with pytest.raises(json.JsonRefused) as refused:
        json.read(raw, max_bytes=1 << 20)
    assert refused.value.message == sentence


def test_the_size_is_looked_at_before_anything_else() -> None:
    with pytest.raises(json.JsonRefused, match="larger than 10 bytes"):
        json.read(b"[" * 11, max_bytes=10)
    with pytest.raises(json.JsonRefused, match="larger than 10 bytes"):
        json.read('"ééééé"', max_bytes=10)


def test_ordinary_documents_are_read() -> None:
    text = '{"a": [1, -2.5e3, true, null, "ü\\ud83d\\ude00"]}'
    assert json.read(text, max_bytes=100) == {"a": [1, -2500.0, True, None, "ü😀"]}
    assert json.read(b"\xef\xbb\xbf[]", max_bytes=100) == []

"""Files of settings are quoted line by line, each with the comment above it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import units


def read(text: str, media_type: str) -> list[tuple[Kind, str]]:
    return [(unit.kind, unit.reads) for unit in units(text, media_type=media_type)]


def test_sections_name_what_stands_below_them():
    text = "; All of the pier.\n\n[pier]\n# how many boats\nberths = 7\nlamp=on ; at night\n[[crane]]\nload = 3\n"
    assert read(text, "application/toml") == [
        (Kind.FACT, "All of the pier."),
        (Kind.HEADING, "pier"),
        (Kind.FACT, "how many boats berths = 7"),
        (Kind.FACT, "lamp=on ; at night"),
        (Kind.HEADING, "crane"),
        (Kind.FACT, "load = 3"),
    ]


def test_keys_of_yaml_name_what_stands_in_them():
    text = "pier:\n  # how many boats\n  berths: 7\n  lamps:\n    - red\n"
    text += "  about: |\n    It lies in the\n    east. It is old.\n"
    assert read(text, "application/yaml") == [
        (Kind.LABEL, "pier"),
        (Kind.FACT, "how many boats berths: 7"),
        (Kind.LABEL, "lamps"),
        (Kind.FACT, "- red"),
        (Kind.LABEL, "about: |"),
        (Kind.PROSE, "It lies in the east."),
        (Kind.PROSE, "It is old."),
    ]


@pytest.mark.parametrize("media_type", ["text/x-ini", "application/toml", "application/yaml"])
@given(lines=st.lists(st.sampled_from(["[a]", "# b", "c: d", "e = f", "", "  g", "h:", "- i", "...", "]["])))
def test_units_are_ascending_and_apart(media_type: str, lines: list[str]):
    text, at = "\n".join(lines), 0
    for unit in units(text, media_type=media_type):
        assert at <= unit.start < unit.end <= len(text)
        at = unit.end

"""Which lines of source code are words."""

import pytest

from biblicus.answering.reader.reading import comments
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import units
from tests.sampling import each

PYTHON, C = "text/x-python", "text/x-c"


@each(
    ("text", "media_type", "told"),
    [
        ('"""Hauls."""\nx = 1', PYTHON, {0}),
        ('def haul():\n    """\n    Hauls.\n    """\n    return 1', PYTHON, {1, 2, 3}),
        ('    boats at the ebb.\n    """\n    return 1', PYTHON, {0, 1}),
        ('text = """\nno words\n"""\n# words\n#!no', PYTHON, {3}),
        ('text = """\n# no words\n"""', PYTHON, set()),
        ("x = 1  # beside code", PYTHON, set()),
        (
            'def haul():\n    """Hauls.\n\n    >>> haul(\n    ... 2)\n    7741\n\n    Up.\n    """',
            PYTHON,
            {1, 2, 6, 7, 8},
        ),
        ('# >>> haul(2)\n# 7741\ndef haul():\n    r"""Hauls."""', PYTHON, {3}),
        ("#!/bin/sh\n# words\nlamp", "text/x-shellscript", {1}),
        ("-- words\nSELECT 1", "text/x-sql", {0}),
        ("// words\nint x; // beside\n/* a\nb */\nint y;", C, {0, 2, 3}),
        ("of a block\n */\nint x;", C, {0, 1}),
        ("#include <x.h>\nint x;", C, set()),
        ("# words", "text/x-feature", None),
        ("# A heading", "text/markdown", None),
    ],
)
def test_the_lines_that_are_words(text: str, media_type: str, told: set[int] | None) -> None:
    assert comments.lines_told(text.split("\n"), media_type) == told
    assert comments.is_source(media_type) == (told is not None)


MODULE = "DOCUMENTATION = r'''\n---\nslack:\n  description: How far it sinks.\n'''\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MODULE + "\nVERSION = 3\n# words", {0, 1, 2, 3, 4}),
        ("slack:\n  description:\n    - Sinks.\n'''\nVERSION = 3", {0, 1, 2, 3}),
        ("slack:\n  description:\n    - Sinks.", {0, 1, 2}),
        (MODULE.replace("---\nslack:", "Ropes are\nslack"), set()),
        ("try:\n    pass\nfinally:\n    close()\n\nclass Boat:\n    description: str", set()),
        ('Args:\n    description: What it is.\n"""', set()),
    ],
)
def test_strings_of_yaml_are_told_as_far_as_they_go(text: str, told: set[int]) -> None:
    assert comments.documented(text.split("\n"), PYTHON) == told


def test_code_behind_a_string_of_yaml_is_code() -> None:
    read = [(unit.kind, unit.reads) for unit in units(MODULE + "\nVERSION = 3\n# Hauls.", media_type=PYTHON)]
    assert [pair for pair in read if any(map(str.isalnum, pair[1]))][-3:] == [
        (Kind.FACT, "description: How far it sinks."),
        (Kind.CODE, "VERSION = 3"),
        (Kind.PROSE, "Hauls."),
    ]


def test_a_comment_is_read_without_its_marks() -> None:
    text = "/**\n * Rings the bell.\n *\n * - twice in fog\n */\nvoid ring(void);\n/// Once at noon."
    read = [(unit.kind, unit.reads) for unit in units(text, media_type=C) if any(map(str.isalnum, unit.reads))]
    assert read == [
        (Kind.PROSE, "Rings the bell."),
        (Kind.ITEM, "twice in fog"),
        (Kind.CODE, "void ring(void);"),
        (Kind.PROSE, "Once at noon."),
    ]


def test_marks_without_end_are_looked_at_once() -> None:
    assert comments.without_marks("a" + "*" * 200_000 + " " * 200_000 + "b").startswith("a*")
